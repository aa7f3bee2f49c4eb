"""Motions of the model file: courses from place to place, points, and tables beside the file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import supple
from supple.errors import ModelError
from supple.simulation import named_motion

ARM = """
supple: 1
gravity: [0, 0, 0]
links:
  a: {rigid: {mass: 1, com: [0.5, 0, 0], inertia: 0.1, length: 1}}
  b: {rigid: {mass: 1, com: [0.5, 0, 0], inertia: 0.1, length: 1}}
joints:
  - {name: hip, type: revolute, child: a}
  - {name: knee, type: revolute, parent: a, child: b}
motions:
"""


def arm(tmp_path: Path, motion: str) -> supple.Robot:
    path = tmp_path / "arm.yaml"
    path.write_text(f"{ARM}  go: {motion}\n", encoding="utf-8")
    return supple.load(path)


TO = {"hip": 1.2, "knee": (0.3, -0.5)}


@pytest.mark.parametrize(
    ("words", "made"),
    [
        ("{cycloidal: TO, duration: 2}", lambda r: supple.cycloidal(r, TO, 2.0)),
        ("{quintic: TO, duration: 2, start: 0.5}", lambda r: supple.quintic(r, TO, 2.0, 0.5)),
        (
            "{trapezoidal: TO, rate: 1.5, acceleration: {hip: 4, knee: 3}}",
            lambda r: supple.trapezoidal(r, TO, 1.5, {"hip": 4.0, "knee": 3.0}),
        ),
        (
            "{through: {hip: [0, 0.4, 0.3]}, times: [0, 0.5, 1]}",
            lambda r: supple.through(r, [0.0, 0.5, 1.0], {"hip": [0.0, 0.4, 0.3]}),
        ),
    ],
)
def test_words_make_the_motion_that_the_function_of_their_name_makes(
    tmp_path: Path, words: str, made: Any
) -> None:
    robot = arm(tmp_path, words.replace("TO", "{hip: 1.2, knee: [0.3, -0.5]}"))
    found, wanted = named_motion(robot, "go"), made(robot)
    assert found is not None
    assert found.duration == wanted.duration
    for t in np.linspace(0.0, 1.1 * wanted.duration, 7):
        assert np.array_equal(found(t), wanted(t))
    run = supple.simulate(robot, motion="go", samples=3)
    assert run["q"][-1] == pytest.approx(wanted(wanted.duration)[0], abs=1e-6)


def test_the_paper_s_course_written_as_a_formula_is_the_cycloid(tmp_path: Path) -> None:
    words = '{duration: 2, joints: {hip: "0.6*(t - sin(pi*t)/pi)"}}'
    by_formula = named_motion(arm(tmp_path, words), "go")
    by_name = named_motion(arm(tmp_path, "{duration: 2, cycloidal: {hip: 1.2}}"), "go")
    assert by_formula is not None
    assert by_name is not None
    for t in (0.3, 1.0, 1.9):
        assert np.allclose(by_formula(t), by_name(t), rtol=1e-12, atol=1e-14)


def test_a_table_lies_beside_the_file_and_is_kept_by_the_robot(tmp_path: Path) -> None:
    table = tmp_path / "way.csv"
    table.write_text("t,hip\n0,0\n0.5,0.4\n1,0.3\n")
    robot = arm(tmp_path, "{table: way.csv}")
    table.unlink()
    same = supple.build(dict(robot.spec or {}))  # what a saved run does
    for one in (robot, same):
        motion = named_motion(one, "go")
        assert motion is not None
        assert motion(0.5)[0] == pytest.approx([0.4, 0.0])


@pytest.mark.parametrize(
    ("words", "key", "message"),
    [
        ("{duration: 1}", "motions.go", "said by one of joints"),
        ("{duration: 1, joints: {hip: t}, quintic: {hip: 1}}", "motions.go", "joints and quintic"),
        ("{quintic: {hip: 1}}", "motions.go", "needs duration"),
        ("{quintic: {hip: 1}, duration: 1, rate: 2}", "motions.go", "has no rate"),
        ("{trapezoidal: {hip: 1}, rate: 2}", "motions.go", "needs acceleration"),
        ("{quintic: {hips: 1}, duration: 1}", "motions.go.quintic.hips", "names no joint"),
        ("{quintic: {hip: [1, 2, 3]}, duration: 1}", "motions.go.quintic.hip", "[first, last]"),
        ("{quintic: {}, duration: 1}", "motions.go.quintic", "moves no joint"),
        ("{trapezoidal: {hip: 1}, rate: {knee: 1}, acceleration: 1}", "motions.go.rate", "limit"),
        ("{through: {hip: [0, 1]}, times: [0, 1, 2]}", "motions.go.through.hip", "2 places"),
        ("{through: {hip: [0, 1]}, times: [1, 0]}", "motions.go.times", "rise"),
        ("{through: {hip: [0, 1]}, times: [-1, 0]}", "motions.go.times", "before t = 0"),
        ("{table: none.csv}", "motions.go.table", "cannot read"),
        ("{table: 3}", "motions.go.table", "text"),
    ],
)
def test_wrong_words_are_told_at_their_place(
    tmp_path: Path, words: str, key: str, message: str
) -> None:
    with pytest.raises(ModelError) as caught:
        arm(tmp_path, words)
    (fault,) = caught.value.faults
    assert fault.key == key
    assert message in fault.message
    assert fault.line
