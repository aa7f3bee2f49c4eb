"""supple check warns of models that could be right but look like slips; most have none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import supple
from supple.cli import app
from supple.errors import Fault
from supple.model import plausibility
from supple.model.doubts.bodies import tip_slope
from supple.model.spec import BeamSpec
from supple.model.yaml import parse

ARM = """\
gravity: [0, 0, -9.81]
links:
  upper:
    beam:
      {length: 1, density: 2700, E: 70e9, section: {shape: tube, diameter: 0.04, wall: 0.002},
       modes: {bending_y: 2, bending_z: 2}}
    stations: {mid: {x: 0.5}}
  lower:
    rigid: {mass: 0.5, com: [0.2, 0, 0], inertia: [0.1, 0.1, 0.1], length: 0.4}
    payload: {mass: 0.1, inertia: [1e-3, 1e-3, 1e-3]}
joints:
  - {name: a, type: revolute, child: upper, axis: [0, 1, 0]}
  - {name: b, type: revolute, parent: upper, child: lower, origin: {rpy: [0, 0, 1]}}
"""


def doubts_of(text: str) -> list[Fault]:
    document = parse(text)
    return plausibility(supple.build(document), document)


FEW = "cut the beam there into two links"
STOPS = "stops: {lower: %g, upper: %g, stiffness: 1e4},"
RATIO = "bending_y: {count: 2, mass_ratio: 1}"

# what is replaced, by what, the key doubted, words of the warning, words of the help
DOUBTS = [
    ("E: 70e9", "E: 70", "links.upper.beam.E", "too low for any material", "70 GPa is 7e+10 Pa"),
    ("E: 70e9", "E: 210000", "links.upper.beam.E", "E is 210000 Pa", "MPa is 2.1e+11 Pa"),
    ("E: 70e9", "E: 70e12", "links.upper.beam.E", "too high", "units"),
    ("density: 2700", "density: 2.7", "links.upper.beam.density", "too low", "2.7 g/cm^3 is 2700"),
    ("length: 1,", "length: 1000,", "links.upper.beam.length", "1000 m long", "in mm, write 1"),
    ("length: 0.4", "length: 400", "links.lower.rigid.length", "metres", "in mm, write 0.4"),
    ("diameter: 0.04", "diameter: 0.2", "links.upper.beam.section", "thick, 0.2", "same unit"),
    ("diameter: 0.04", "diameter: 2", "links.upper.beam.section", "this is no beam", ""),
    ("[0.1, 0.1, 0.1]", "[1, 1, 5]", "links.lower.rigid.inertia", "moments 1, 1, 5", "in a plane"),
    ("[1e-3, 1e-3, 1e-3]", "[1, 2, 4]", "links.lower.payload.inertia", "no body has", ""),
    ("parent: upper", "parent: upper, at: mid", "joints.1.at", "2 shapes can follow", FEW),
    ("name: b,", "name: b, " + STOPS % (-90, 90), "joints.1.stops.upper", "four turns", "90*deg"),
    ("name: b,", "name: b, " + STOPS % (0.5, 1), "joints.1.stops", "leave out 0", "q0"),
    ("-9.81]", "-9810]", "gravity", "more than on any planet", "free fall on Earth in mm/s^2"),
    ("-9.81]", "-386.1]", "gravity", "gravity is 386.1 m/s^2", "in/s^2"),
    ("rpy: [0, 0, 1]", "rpy: [0, 0, 90]", "joints.1.origin.rpy", "90 rad", "write 90*deg"),
    ("wall: 0.002", "wall: 1e-6", "links.upper.beam", "rad at its tip under", "are EI"),
    (
        "bending_y: 2",
        RATIO,
        "links.upper.beam.modes.bending_y.mass_ratio",
        "no effect",
        "clamped_m",
    ),
    ("bending_y: 2", "bending_y: 2, root: pinned", "links.upper.beam.modes.root", "no effect", ""),
]


@pytest.mark.parametrize(("old", "new", "key", "message", "help"), DOUBTS)
def test_a_doubt_is_told_with_its_place(
    old: str, new: str, key: str, message: str, help: str
) -> None:
    assert old in ARM
    text = ARM.replace(old, new, 1)
    doubts = doubts_of(text)
    doubt = next(d for d in doubts if d.key == key)
    assert message in doubt.message
    assert help in doubt.help
    assert doubt.line is not None
    assert doubt.text == text.splitlines()[doubt.line - 1]
    again = supple.model.plausibility(supple.build(parse(text)))  # without lines
    assert {d.key for d in again} == {d.key for d in doubts}


def test_a_sound_model_has_no_doubts_and_loading_never_warns(recwarn: Any) -> None:
    assert doubts_of(ARM) == []
    supple.build(parse(ARM.replace("E: 70e9", "E: 70")))
    assert not recwarn.list


def test_other_units_are_not_doubted() -> None:
    text = ARM.replace("E: 70e9", "E: 70e3").replace("2700", "2.7e-9").replace("-9.81", "-9810")
    text = text.replace("length: 1,", "length: 1000,").replace("0.04", "40").replace("0.002", "2")
    text = text.replace("x: 0.5", "x: 500").replace("mass: 0.5", "mass: 0.5e-3")
    text = text.replace("mass: 0.1", "mass: 0.1e-3")
    helps = [d.help for d in doubts_of(text)]
    assert "2.7e-09 t/mm^3 is 2700 kg/m^3" in helps
    assert "70000 MPa is 7e+10 Pa" in helps
    assert doubts_of(f'units: "mm, t, s"\n{text}') == []


def test_more_shapes_a_light_load_and_a_cut_end_the_doubt_of_a_load_inside() -> None:
    inside = ARM.replace("parent: upper", "parent: upper, at: mid")
    assert doubts_of(inside)
    light = inside.replace("mass: 0.5", "mass: 0.01").replace("{mass: 0.1", "{mass: 0.01")
    many = inside.replace("bending_y: 2, bending_z: 2", "bending_y: 6, bending_z: 6")
    assert doubts_of(light) == doubts_of(many) == []


def test_few_shapes_are_wrong_with_a_load_inside_and_the_remedies_help() -> None:
    def squares(links: Any, joints: Any) -> Any:
        robot = supple.build({"gravity": [0, 0, 0], "links": links, "joints": joints})
        return supple.frequencies(robot).omega[:2] ** 2

    def whole(count: int) -> Any:
        beam = {"length": 1, "mass": 1, "EI": 1, "modes": {"bending_y": count}}
        link = {"beam": beam, "stations": {"m": {"x": 0.5}}, "payload": {"mass": 5, "at": "m"}}
        return squares({"a": link}, [{"type": "fixed", "child": "a"}])

    half = {"beam": {"length": 0.5, "mass": 0.5, "EI": 1, "modes": {"bending_y": 5}}}
    cut = squares(
        {"a": {**half, "payload": {"mass": 5}}, "b": half},
        [{"type": "fixed", "child": "a"}, {"type": "fixed", "parent": "a", "child": "b"}],
    )
    off = {n: float(np.abs(whole(n) / cut - 1).max()) for n in (2, 3, 6)}
    assert off[2] > 1.0
    assert off[3] > 0.05
    assert off[6] < 0.012


@pytest.mark.parametrize(("payload", "EI"), [(0.0, 2e3), (1.5, 5e3)])
def test_the_slope_under_weight_is_that_of_statics_and_the_closed_form(
    payload: float, EI: float
) -> None:
    L, m, g = 2.0, 3.0, 9.81
    words: dict[str, Any] = {"length": L, "mass": m, "EI": EI, "modes": {"bending_y": 4}}
    link: dict[str, Any] = {"beam": words} | ({"payload": {"mass": payload}} if payload else {})
    joint = {"type": "revolute", "child": "a"}
    robot = supple.build({"gravity": [0, -g, 0], "links": {"a": link}, "joints": [joint]})
    closed = g * L**2 * (m / 6 + payload / 2) / EI
    rest = supple.statics(robot, [0.0], linear=True)
    turned = supple.pose(robot, rest.q, "a.tip").R
    assert -np.arctan2(turned[1, 0], turned[0, 0]) == pytest.approx(closed, rel=1e-3)
    beam = BeamSpec.model_validate(words)
    loads = [(L, payload, ())] if payload else []
    assert tip_slope(beam, "bending_y", loads, [0, -g, 0]) == pytest.approx(closed, rel=1e-4)


def test_a_flat_arm_does_not_sag() -> None:
    soft = ARM.replace("wall: 0.002", "wall: 1e-6").replace(", bending_z: 2", "")
    assert any("held out" in d.message for d in doubts_of(soft))
    flat = soft.replace("axis: [0, 1, 0]", "axis: [0, 0, 1]")
    assert doubts_of(flat) == []


def test_rows_of_a_table_are_doubted_at_their_place() -> None:
    row = "{a: 1.5, alpha: 90, mass: 1, r: [0.5, 0, 0], inertia: [1, 1, 5]}"
    doubts = doubts_of(f"dh: {{convention: saha, rows: [{row}]}}")
    assert [d.key for d in doubts] == ["dh.rows.0.alpha", "dh.rows.0.inertia"]
    beam = "{a: 1.0, beam: {density: 2.7, E: 7e10, area: 1e-4, I: 1e-8, modes: {bending_y: 1}}}"
    doubts = doubts_of(f"dh: {{convention: saha, rows: [{beam}]}}")
    assert [d.key for d in doubts] == ["dh.rows.0.beam.density"]


def test_check_shows_warnings_and_ends_well(tmp_path: Path) -> None:
    path = tmp_path / "arm.yaml"
    path.write_text(ARM.replace("E: 70e9", "E: 70"))
    done = CliRunner().invoke(app, ["check", str(path)])
    assert done.exit_code == 0
    assert "6 degrees of freedom, 2 warnings)" in done.stdout
    look = done.stderr.splitlines()
    assert look[0].startswith("warning: held out") or look[0].startswith("warning: E is 70 Pa")
    assert any(line.strip().startswith("|") and "^  help: " in line for line in look)
    report = json.loads(CliRunner().invoke(app, ["check", str(path), "--json"]).stdout)
    assert (report["ok"], report["errors"], len(report["warnings"])) == (True, [], 2)
    assert set(report["warnings"][0]) == {"message", "key", "line", "column", "help"}
