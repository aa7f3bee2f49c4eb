"""Results of old and new code never mix: what makes a study another one, and what does not."""

import shutil
import sys
from functools import partial

import pytest

import supple
from supple.errors import FileError, SimulationError
from supple.sweeps import load_sweep, read_study, study as study_module, sweep
from supple.sweeps.own import function_parts
from supple.sweeps.run import _todo
from supple.sweeps.store import create

STUDY = """robot: lin-lewis-rr
vary: {x: [0, 1, 2, 3]}
block: 2
experiment: {function: {file: mine.py, name: f}}
"""
MINE = """import json, os
from pathlib import Path
import numpy as np
import helper
from package.inner import deep
from package import data as given
LOG = "log.txt"
HOME = Path(__file__).parent
def f(robot, point):
    import late
    table = np.loadtxt(HOME / "tables" / "gains.csv")
    words = json.loads((HOME / "words.json").read_text())
    with open(LOG, "a") as log:
        log.write("begun")
    Path("seen.txt").write_text("seen")
    np.savetxt(HOME / "out.csv", table)
    np.save(HOME / "out.npy", np.load("in.npy"))
    return point["x"]
"""
FILES = {
    "helper.py": "import further\n",
    "further.py": "A = 1\n",
    "late.py": "B = 1\n",
    "package/__init__.py": "",
    "package/inner.py": "from . import sibling\ndeep = 1\n",
    "package/sibling.py": "C = 1\n",
    "package/data.py": "D = 1\n",
    "tables/gains.csv": "1 2\n",
    "words.json": "{}\n",
    "in.npy": "",
}
WRITTEN = (
    "log.txt",
    "seen.txt",
    "out.csv",
    "out.npy",
    "unrelated.py",
    "notes.md",
    "tables/other.csv",
)


@pytest.fixture
def home(tmp_path):
    for name, text in (FILES | dict.fromkeys(WRITTEN, "") | {"mine.py": MINE}).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    for name in ("helper", "further", "late", "package"):
        sys.modules.pop(name, None)
    (tmp_path / "study.yaml").write_text(STUDY)
    paths = list(sys.path)
    yield tmp_path
    sys.path[:] = paths
    for name in [x for x in sys.modules if x.partition(".")[0] in ("helper", "further", "package")]:
        del sys.modules[name]


def changed(before, after):
    return [k for k in {**before, **after} if before.get(k) != after.get(k)]


@pytest.mark.parametrize("name", [*FILES, "mine.py"])
def test_modules_submodules_and_data_of_a_function_make_another_study(home, name):
    before = read_study(home / "study.yaml").marks
    with (home / name).open("a") as file:
        file.write("\n")
    found = changed(before, read_study(home / "study.yaml").marks)
    assert found == ["function" if name == "mine.py" else f"file {name}"]


@pytest.mark.parametrize("name", WRITTEN)
def test_files_that_a_function_writes_or_does_not_know_make_no_other_study(home, name):
    before = read_study(home / "study.yaml").marks
    with (home / name).open("a") as file:
        file.write("more\n")
    assert read_study(home / "study.yaml").marks == before


def test_a_file_that_is_gone_makes_another_study(home, tmp_path):
    study = read_study(home / "study.yaml")
    create(study, tmp_path / "s", False)
    (home / "words.json").unlink()
    with pytest.raises(FileError, match=r"another study: file words\.json changed since"):
        create(read_study(home / "study.yaml"), tmp_path / "s", True)


FACTOR = 2.0


def helped(robot, point):
    return twice(point["x"])


def twice(x):
    return FACTOR * x


def test_what_a_function_given_in_python_names_makes_another_study(monkeypatch, tmp_path):
    here = sys.modules[__name__]
    for function in (helped, partial(helped), lambda robot, point: helped(robot, point)):
        before = function_parts(function)
        assert function_parts(function) == before
        monkeypatch.setattr(here, "FACTOR", 3.0)
        assert changed(before, function_parts(function)) == ["function"]
        monkeypatch.undo()
        monkeypatch.setattr(here, "twice", lambda x: x + x)
        assert changed(before, function_parts(function)) == ["function"]
        monkeypatch.undo()


def test_modules_of_a_function_given_in_python_make_another_study(tmp_path, monkeypatch):
    (tmp_path / "further_on.py").write_text("def g(x):\n    return x\n")
    text = "import further_on\ndef f(robot, point):\n    return further_on.g(open('t.csv'))\n"
    (tmp_path / "written_apart.py").write_text(text)
    (tmp_path / "t.csv").write_text("1")
    monkeypatch.syspath_prepend(str(tmp_path))
    import written_apart

    before = function_parts(written_apart.f)
    (tmp_path / "further_on.py").write_text("def g(x):\n    return -x\n")
    (tmp_path / "t.csv").write_text("2")
    found = changed(before, function_parts(written_apart.f))
    assert sorted(found) == ["file further_on.py", "file t.csv"]
    assert not any("numpy" in name or "supple" in name for name in before)


def test_another_supple_is_another_study_and_a_worker_of_another_is_refused(tmp_path, monkeypatch):
    words = {"robot": "lin-lewis-rr", "vary": {"x": [0, 1]}}
    how = {"experiment": lambda robot, point: point["x"], "out": tmp_path / "s", "workers": 1}
    sweep(words, **how)
    monkeypatch.setattr(study_module, "source_hash", lambda: "of another version")
    with pytest.raises(FileError, match="another study: Supple changed since"):
        sweep(words, **how, resume=True)
    with pytest.raises(SimulationError, match=r"Supple at .* is not the one that began the study"):
        sweep(words, **how | {"out": tmp_path / "t"})


def test_a_block_that_was_copied_onto_anothers_name_is_refused(home, tmp_path):
    (home / "mine.py").write_text("def f(robot, point):\n    return point['x']\n")
    study, folder = read_study(home / "study.yaml"), tmp_path / "s"
    sweep(study, out=folder, workers=1)
    last = folder / "block-0000001.parquet"
    shutil.copy(folder / "block-0000000.parquet", last)
    with pytest.raises(FileError, match=r"0000001\.parquet holds other points than its name says"):
        load_sweep(folder)
    with pytest.raises(FileError, match="copy of another block"):  # before anything is computed
        _todo(study, create(study, folder, True), False)
    last.unlink()
    assert sweep(study, out=folder, workers=1, resume=True)["outcome"].tolist() == [0, 1, 2, 3]
    shutil.copy(last, folder / "block-0000002.parquet")  # there is no such block
    with pytest.raises(FileError, match="holds other points"):
        supple.load_sweep(folder)
