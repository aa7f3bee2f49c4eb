"""A body keeps its line: what is read along a link agrees with the body's own stations."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

import supple
from supple.engine.fingerprint import fingerprint, motion_fingerprint
from supple.model.lines import beam_lines

WORDS = {
    "gravity": [0, 0, -9.81],
    "links": {
        "a": {
            "hub": {"mass": 1.0, "inertia": 0.1},
            "beam": {
                **{"length": 1.0, "mass": 1.5, "EI": 60.0, "start": [0.1, 0.2, -0.1]},
                **{"rpy": [0.3, -0.5, 0.7], "modes": {"bending_y": 2, "bending_z": 1}},
            },
            "payload": {"mass": 0.5},
            "stations": {"gauge": {"x": 0.3, "offset": [0, 0.01, 0.02]}, "tool": {}},
        },
    },
    "joints": [{"name": "one", "type": "revolute", "child": "a", "axis": [1, 2, 2]}],
}


@pytest.mark.parametrize("kinematics", ["second_order", "first_order", "linearized", "rigid"])
def test_the_line_is_in_the_axes_of_its_body(kinematics: str) -> None:
    body = supple.build(WORDS | {"elastic_kinematics": kinematics}).links[0].body
    assert body.line is not None
    for name, x in {"root": 0.0, "gauge": 0.3, "tip": 1.0}.items():
        made, kept = body.line.station(x), body.stations[name]
        assert body.line.stations[name][0] == kept.x == x
        for part in ("r0", "S", "Theta", "S2", "Theta2"):
            assert np.allclose(getattr(made, part), getattr(kept, part), atol=1e-14), part
    assert np.allclose(body.line.R @ body.line.stations["gauge"][1], body.stations["gauge"].rho)
    assert body.stations["tool"].x == 1.0
    assert body.stations["origin"].x is None


@pytest.mark.parametrize("kinematics", ["second_order", "rigid"])
def test_a_body_knows_the_payload_that_it_took_in_on_its_line(kinematics: str) -> None:
    body = supple.build(WORDS | {"elastic_kinematics": kinematics}).links[0].body
    assert body.line is not None
    ((x, payload),) = body.carried
    assert (x, payload.mass) == (1.0, 0.5)
    assert np.allclose(payload.com, body.stations["tip"].r0)


def test_code_is_recognised_without_the_line() -> None:
    from dataclasses import replace

    robot = supple.build(WORDS)
    link = robot.links[0]
    bare = replace(robot, links=(replace(link, body=replace(link.body, line=None)),))
    assert fingerprint(bare) == fingerprint(robot)
    assert motion_fingerprint(bare, ["a.gauge"]) == motion_fingerprint(robot, ["a.gauge"])
    assert not next(f for f in fields(link.body) if f.name == "line").compare


def test_a_robot_without_words_has_its_lines() -> None:
    from dataclasses import replace

    robot = supple.build(WORDS)
    assert list(beam_lines(replace(robot, spec=None))) == ["a"]
