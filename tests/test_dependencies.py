"""What the package asks to be installed is what somebody imports."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

from statements import statements

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CALLED = {
    "pin": "pinocchio",
    "scikit-sundae": "sksundae",
    "scikit-fem": "skfem",
    "ruamel-yaml": "ruamel",
    "pytest-xdist": "xdist",
    "pillow": "PIL",
}  # the modules
TOOLS = {  # run, not imported: where, and how
    "ruff": (".ci/run", "ruff check"),
    "mypy": (".ci/run", "mypy"),
    "hatchling": ("pyproject.toml", 'build-backend = "hatchling.build"'),
    "pre-commit": (".pre-commit-config.yaml", "repos:"),
    "example-robot-data": ("tests/real_robots.py", "example-robot-data"),
    "joblib": ("tests/processes/test_pools.py", "import joblib"),
    "furo": ("docs/conf.py", 'html_theme = "furo"'),
    "myst-parser": ("docs/conf.py", '"myst_parser"'),
    "sphinx-copybutton": ("docs/conf.py", '"sphinx_copybutton"'),
    "sphinxcontrib-bibtex": ("docs/conf.py", '"sphinxcontrib.bibtex"'),
}


@cache
def imported(folder: str) -> set[str]:
    """Top names of all modules that a folder's files import."""
    out: set[str] = set()
    for path in (ROOT / folder).rglob("*.py"):
        for node in statements(ast.parse(path.read_text(encoding="utf-8")).body):
            if isinstance(node, ast.Import):
                out |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                out.add(str(node.module).split(".")[0])
    return out


def packages(requirements: list[str]) -> set[str]:
    found = (re.match(r"[\w.-]+", text) for text in requirements)
    return {name.group().replace(".", "-") for name in found if name}


def unused(requirements: list[str], *folders: str) -> set[str]:
    wanted = {CALLED.get(name, name.replace("-", "_")): name for name in packages(requirements)}
    known = set().union(*map(imported, folders))
    return {wanted[name] for name in wanted.keys() - known} - TOOLS.keys()


def test_every_core_dependency_is_imported_by_the_package() -> None:
    assert unused(PROJECT["dependencies"], "src") == set()


@pytest.mark.parametrize("extra", PROJECT["optional-dependencies"])
def test_every_extra_is_imported_somewhere(extra: str) -> None:
    assert unused(PROJECT["optional-dependencies"][extra], "src", "tests", "bench", "docs") == set()


@pytest.mark.parametrize("tool", TOOLS)
def test_every_tool_is_run(tool: str) -> None:
    file, words = TOOLS[tool]
    assert words in (ROOT / file).read_text(encoding="utf-8")


def test_nothing_else_is_imported_by_the_package() -> None:
    known = {CALLED.get(name, name) for name in packages(PROJECT["dependencies"])}
    optional = {"casadi", "control", "sksundae", "pyuff", "pyNastran"}  # imported where asked for
    optional |= {"dask", "distributed", "pyarrow", "cloudpickle", "mujoco"}
    assert imported("src") - known - optional - sys.stdlib_module_names == set()
