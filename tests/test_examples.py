"""Every example runs and says something; every complete model in the guide loads."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import supple
from supple.model.yaml import parse

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("[0-9]*.py"))
GUIDE = ROOT / "docs" / "guide.md"

SAYS = {
    "01": "canadarm: 3 links, nq = 9, nv = 9",
    "02": "round trip",
    "03": "did you mean length?",
    "04": "read back 201 instants",
    "05": "clamped_mass",
    "06": "energy balance",
    "07": "tau falls by J^T w",
    "08": "all pivots positive: True",
    "09": "spin-up: tip lags by 0.57",
    "10": "in one line at t = 1.3667 s",
    "11": "the tip is nonminimum phase",
    "12": "all inputs run natively",
    "13": "payload 0.80",
    "14": "% in theory",
}


def models() -> list[tuple[int, str]]:
    """Line and text of each YAML block of the guide that is a whole model."""
    text = GUIDE.read_text(encoding="utf-8")
    found = re.finditer(r"^```yaml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    blocks = [(text.count("\n", 0, m.start()) + 1, m.group(1)) for m in found]
    return [(line, block) for line, block in blocks if block.startswith("supple:")]


def test_there_is_an_example_for_every_number() -> None:
    assert [path.name[:2] for path in EXAMPLES] == sorted(SAYS)


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """As the main program, in this process: what it imports is there already."""
    if "sweep(" in path.read_text(encoding="utf-8"):
        pytest.importorskip("pyarrow", reason="pyarrow has no wheel for this machine")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(path)])
    runpy.run_path(str(path), run_name="__main__")
    assert SAYS[path.name[:2]] in capsys.readouterr().out
    assert not list(tmp_path.iterdir()), "an example left files behind"


def test_an_example_needs_nothing_that_tests_have_imported(tmp_path: Path) -> None:
    run = [sys.executable, str(EXAMPLES[0])]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert SAYS["01"] in done.stdout


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_is_short_and_knows_its_answer(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 60
    assert "Known answer" in text.split('"""')[1]
    assert re.search(r"^ *assert ", text, re.MULTILINE)


@pytest.mark.parametrize("block", models(), ids=lambda found: f"guide.md:{found[0]}")
def test_model_in_the_guide_loads(block: tuple[int, str]) -> None:
    line, text = block
    robot = supple.build(parse(text, f"guide.md:{line}"))
    assert robot.links
    for name in (robot.spec or {}).get("motions") or {}:
        from supple.simulation import named_motion

        assert named_motion(robot, name) is not None


def test_the_guide_has_models() -> None:
    assert len(models()) >= 8
