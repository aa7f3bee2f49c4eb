"""Study files: templates, help, and all faults at once."""

import pytest

from supple.errors import ModelError
from supple.model.explain import key_texts, keys
from supple.sweeps import read_study
from supple.sweeps.topics import TOPICS

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
