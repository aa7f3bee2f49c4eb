"""linearise, bode, campbell, map, inverse, energy: numbers as Python gives them, files written."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import supple
from linkages import four_bar
from rotors import rotor
from supple.cli import app


def run(*words):
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_joint_that_falls_leaves_no_number_of_stiffness(tmp_path):
    """A bob upside down beside a beam: JSON has no word for infinity."""
    words = four_bar(gravity=[0, -9.81, 0])
    beam = {"length": 1.0, "mass": 0.001, "EI": 1.0, "modes": {"bending_z": 1}}
    words["links"] |= {"arm": {"beam": beam}}
    words["links"] |= {"bob": {"rigid": {"mass": 1.0, "com": [0.5, 0, 0], "inertia": 0.1}}}
    words["joints"] += [{"type": "fixed", "child": "arm"}]
    words["joints"] += [{"name": "swing", "type": "revolute", "child": "bob"}]
    supple.write_model(supple.build(words), tmp_path / "bob.yaml")
    found = run("statics", str(tmp_path / "bob.yaml"), "--q", "swing=90*deg", "--json")
    assert json.loads(found)["stiffness_left"] is None


@pytest.mark.parametrize("name", ["lin-lewis-rf", "four-bar-flexible", "space-robot"])
def test_linearise(name, tmp_path):
    out = tmp_path / "model.npz"
    facts = json.loads(run("linearise", name, "--json", "--out", str(out)))
    model = supple.linearise(supple.load(name))
    assert facts["states"] == list(model.states)
    np.testing.assert_allclose(facts["A"], model.A)
    np.testing.assert_allclose(np.load(out)["B"], model.B)
    assert "kinetic energy mostly in" in run("linearise", name)


def test_linearise_takes_positions_rates_held_joints_and_names():
    words = ("--q", "joint2=0.3", "--rate", "joint1=0.1", "--held", "joint1", "--held", "joint2")
    words += ("--held", "joint3", "--output", "link1.bending_y1")
    facts = json.loads(run("linearise", "canadarm", *words, "--json"))
    model = supple.linearise(
        supple.load("canadarm"),
        {"joint2": 0.3},
        {"joint1": 0.1},
        held=["joint1", "joint2", "joint3"],
        outputs=["link1.bending_y1"],
    )
    np.testing.assert_allclose(facts["A"], model.A)


def test_bode(tmp_path):
    picture = tmp_path / "bode.png"
    words = ("--input", "joint1", "--output", "joint1", "--w", "1,10", "--plot", str(picture))
    facts = json.loads(run("bode", "canadarm", *words, "--json"))
    model = supple.linearise(supple.load("canadarm"), inputs=["joint1"], outputs=["joint1"])
    want = np.abs(model.frequency_response([1.0, 10.0])[:, 0, 0])
    np.testing.assert_allclose([row["gain"] for row in facts["response"]], want)
    assert picture.stat().st_size > 1000


def test_campbell(tmp_path):
    words = ("--joint", "joint1", "--to", "10*rpm", "--steps", "3", "--kinematics", "second_order")
    facts = json.loads(run("campbell", "canadarm", *words, "--json"))
    assert facts["speeds"][-1] == pytest.approx(np.pi / 3)
    robot = supple.load("canadarm").replace(elastic_kinematics="second_order")
    want = supple.frequencies(robot, rates={"joint1": np.pi / 3}).omega
    np.testing.assert_allclose(np.sort(facts["omega"][-1]), want, rtol=1e-8)
    assert "critical speeds" in run("campbell", "canadarm", *words)


def test_campbell_shows_the_speeds_at_which_a_rotor_diverges(tmp_path):
    robot = tmp_path / "rotor.yaml"
    robot.write_text(json.dumps(rotor().spec))
    words = (str(robot), "--start", "60", "--to", "90", "--steps", "2")
    facts, shown = json.loads(run("campbell", *words, "--json")), run("campbell", *words)
    (window,) = facts["unstable"]
    assert window["first"] == 60.0 < window["last"] < 90.0
    assert facts["growth"][0][-1] > 0.0
    assert "speeds at which a small push grows" in shown
    assert "grows" in next(line for line in shown.splitlines() if "2 shaft" in line)


def test_map(tmp_path):
    table = tmp_path / "map.csv"
    words = ("--station", "link3", "--x", "8:14:3", "--y", "0:2:2", "--load", "link3=0,-9,0")
    words += ("--q", "0.1,0.3,0.2", "--out", str(table))
    facts = json.loads(run("map", "canadarm", *words, "--json"))
    assert facts["reached"] + facts["blank"] == 6
    assert len(table.read_text().splitlines()) == 1 + facts["reached"]
    assert "deflection" in run("map", "canadarm", *words)


def test_inverse_and_energy(tmp_path):
    table, saved = tmp_path / "torques.csv", tmp_path / "run.nc"
    facts = json.loads(run("inverse", "puma", "--out", str(table), "--samples", "5", "--json"))
    assert [row["joint"] for row in facts["joints"]] == [f"joint{k}" for k in range(1, 7)]
    assert len(table.read_text().splitlines()) == 6
    run("simulate", "lin-lewis-rf", "--free", "--duration", "0.05", "--out", str(saved))
    facts = json.loads(run("energy", str(saved), "--json"))
    assert {"work", "dissipated", "joints", "links"} <= set(facts)
