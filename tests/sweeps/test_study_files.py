"""Study files: templates, help, and all faults at once."""

import pytest
from typer.testing import CliRunner

import supple
from supple.cli.commands import app
from supple.errors import ModelError
from supple.model.explain import key_texts, keys
from supple.sweeps import read_study
from supple.sweeps.spec import TOPICS

GOOD = """name: small
robot: canadarm
vary: {link1.beam.EI: {uniform: [0.9, 1.1], relative: true}}
design: {kind: sobol, points: 8}
experiment: {frequencies: {count: 2}}
"""


@pytest.mark.parametrize(
    ("line", "instead", "words"),
    [
        ("robot: canadarm", "robot: canadram", "canadram"),
        ("name: small", "nme: small", "unknown key 'nme'"),
        ("link1.beam.EI", "link1.beam.EJ", "did you mean|Did you mean"),
        ("uniform: [0.9, 1.1]", "uniform: [1.1, 0.9]", "not below"),
        ("points: 8", "points: 0", "greater than or equal to 1"),
        (", points: 8", "", "needs the number of its points"),
        ("kind: sobol", "kind: sobel", "did you mean sobol"),
        ("{frequencies: {count: 2}}", "{}", "it needs one of"),
        ("{frequencies: {count: 2}}", "{statics: {}}", "no outcome to keep"),
        ("{frequencies: {count: 2}}", "{frequencies: {count: 2}}\noutcomes: {a: 'max('}", "read"),
        ("{frequencies: {count: 2}}", "{function: {file: no.py, name: f}}", "no such file"),
        ("vary: {link1.beam.EI: {uniform: [0.9, 1.1], relative: true}}", "", "nothing varies"),
    ],
)
def test_a_fault_is_told_with_its_line(tmp_path, line, instead, words):
    file = tmp_path / "study.yaml"
    assert line in GOOD
    file.write_text(GOOD.replace(line, instead))
    with pytest.raises(ModelError, match=words) as error:
        read_study(file)
    assert str(error.value).endswith("See supple help study.")


def test_two_faults_are_told_at_once(tmp_path):
    file = tmp_path / "study.yaml"
    file.write_text(GOOD.replace("sobol", "sobel").replace("count: 2", "count: two"))
    with pytest.raises(ModelError) as error:
        read_study(file)
    assert len(error.value.faults) == 2
    assert all(fault.line for fault in error.value.faults)


def test_every_key_of_a_study_is_explained():
    for topic, model in TOPICS.items():
        assert set(key_texts(topic)) == set(model.model_fields)
        assert all(key.meaning and key.example.startswith(key.name) for key in keys(topic))


def test_the_template_is_a_right_study(tmp_path):
    from importlib.resources import files

    text = (files("supple") / "sweeps" / "template.yaml").read_text()
    (tmp_path / "study.yaml").write_text(text)
    study = read_study(tmp_path / "study.yaml")
    assert len(study) == 64
    assert not study.experiment.one_by_one


OWN = """robot: canadarm
vary: {NAME: [1, 2]}
experiment: {function: {file: mine.py, name: f}}
"""


def of_a_function(folder, name):
    (folder / "mine.py").write_text("def f(robot, point):\n    return len(point)\n")
    (folder / "study.yaml").write_text(OWN.replace("NAME", name))
    return folder / "study.yaml"


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("link1.beam.EJ", "Did you mean link1.beam.EI?"),
        ("link1.beem.EI", "Did you mean link1.beam.EI?"),
        ("joint1.angle", ""),
        ("gravity.4", "Did you mean gravity."),
    ],
)
def test_a_typo_in_a_part_of_the_robot_is_an_error_for_functions_too(tmp_path, name, hint):
    path = of_a_function(tmp_path, name)
    with pytest.raises(ModelError, match=rf"no parameter named '{name}'.*{hint}"):
        read_study(path)
    (tmp_path / "points.csv").write_text(f"{name}\n1\n")
    path.write_text(OWN.replace("vary: {NAME: [1, 2]}", "csv: points.csv"))
    with pytest.raises(ModelError, match=f"no parameter named '{name}'"):
        read_study(path)


@pytest.mark.parametrize(
    ("name", "hint"), [("lnk1.beam.EI", "; did you mean link1.beam.EI?"), ("x", "")]
)
def test_a_number_that_only_the_function_sees_is_noted(tmp_path, name, hint):
    path = of_a_function(tmp_path, name)
    (note,) = read_study(path).notes()
    assert f"{name} is no number of robot canadarm, only the function sees it" in note
    assert hint in note
    found = CliRunner().invoke(app, ["sweep", str(path), "--check"])
    assert found.exit_code == 0
    assert f"note: {note}" in " ".join(found.stdout.split())
    assert ": ok (study, 2 points" in found.stdout


def test_a_run_warns_of_a_number_whose_name_is_near_one_of_the_robots(tmp_path):
    def f(robot, point):
        return len(point)

    vary = {"lnk1.beam.EI": [1], "x": [1]}
    with pytest.warns(supple.SuppleWarning, match=r"lnk1\.beam\.EI is no .* mean link1\.beam\.EI"):
        found = supple.sweep(robot="canadarm", vary=vary, experiment=f, out=tmp_path, workers=1)
    assert found["outcome"].tolist() == [2]


@pytest.mark.parametrize("name", ["joint1", "link1.beam.EI", "gravity.2"])
def test_numbers_of_the_robot_and_of_the_function_are_both_taken(tmp_path, name):
    study = read_study(of_a_function(tmp_path, name))
    assert bool(study.notes()) == (name == "joint1")
    assert study.points.names == (name,)
