"""What a register lists stands wherever people, or other programs, have such a list by hand."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import supple
from bad_inputs.test_arguments import CALLS
from supple.cli import app
from supple.elastic_kinematics import KINEMATICS
from supple.engine import QUANTITIES
from supple.joints import KINDS
from supple.modes import FAMILIES
from supple.tracer import Graph
from supple.tracer.operations import OPERATIONS
from supple.view.plots import HISTORIES
from supple.view.register import ROBOT, RUN
from trees import FLAT, JOINTS

ROOT = Path(__file__).parents[1]
GUIDE = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
TEMPLATE = (files("supple") / "model" / "template.yaml").read_text(encoding="utf-8")


def missing(names: Iterable[str], text: str, form: str = r"`{}`") -> list[str]:
    return [x for x in names if not re.search(form.format(re.escape(x)), text)]


def test_the_guide_and_the_template_name_every_kind_of_joint() -> None:
    assert missing(KINDS, GUIDE, r"(?m)^\| `{}`") == []
    assert missing(KINDS, TEMPLATE, r"\b{}\b") == []


def test_the_page_moves_every_kind_of_joint() -> None:
    page = (ROOT / "page" / "src" / "robot.js").read_text(encoding="utf-8")
    assert missing([x for x, kind in KINDS.items() if not kind.parts], page, 'case "{}":') == []


def test_random_trees_have_every_kind_of_joint() -> None:
    assert set(KINDS) - {"floating"} <= set(JOINTS)  # trees float by their base


def test_the_guide_and_the_template_name_every_family_of_shapes() -> None:
    assert missing(FAMILIES, GUIDE, r"(?m)^\| `{}`") == []
    assert missing(FAMILIES, TEMPLATE, r"\b{}\b") == []
    assert set(FLAT) <= set(FAMILIES)


def test_the_guide_and_the_template_name_every_elastic_kinematics() -> None:
    assert missing(KINEMATICS, GUIDE, r"(?m)^\| `{}`") == []
    assert missing(KINEMATICS, TEMPLATE, r"\b{}\b") == []


@pytest.mark.parametrize("name", [name for name, kind in KINEMATICS.items() if kind.bends])
def test_a_kinematics_is_doubtful_where_it_errs_by_two_percent(name: str) -> None:
    kind = KINEMATICS[name]
    assert 0.015 < kind.wrong(kind.doubtful) < 0.021


def test_the_guide_names_every_quantity_that_is_compiled() -> None:
    assert missing(QUANTITIES, GUIDE, r"`{}\b") == []


def test_the_guide_and_readme_name_every_command() -> None:
    names = [x.name or "" for x in app.registered_commands]
    names += [x.name or "" for x in app.registered_groups]
    (line,) = re.findall(r"```text\nsupple (.*)\n```", README)
    assert sorted(line.split(" | ")) == sorted(names)
    assert missing(names, GUIDE, r"(?m)^\| `supple {}\b") == []


def test_the_guide_and_the_help_of_plot_name_every_plot() -> None:
    assert set(HISTORIES) <= {kind.name for kind in RUN}
    for of, kinds in (("run", RUN), ("robot", ROBOT)):
        for kind in kinds:
            assert f"| `{kind.name}` | {of} |" in GUIDE, (kind.name, of)
            assert re.search(rf"\b{kind.name}\b", supple.plot.__doc__ or "")


def test_readme_names_every_shipped_robot_and_each_says_where_it_is_from() -> None:
    (row,) = re.findall(r"(?m)^\| robots \| (.*) \|$", README)
    said = row.replace("`-", "`lin-lewis-")
    assert sorted(re.findall(r"`([\w-]+)`", said)) == sorted(supple.shipped())
    for name in supple.shipped():
        robot = supple.load(name)
        assert robot.name == name
        assert robot.source


def test_nasty_arguments_are_tried_on_every_public_function_of_a_robot() -> None:
    """Those that take a robot first; what makes, starts or draws one is tried elsewhere."""
    functions = [
        name
        for name in supple.__all__
        if inspect.isfunction(f := getattr(supple, name))
        and next(iter(inspect.signature(f).parameters), "") == "robot"
    ]
    assert [name for name in functions if name not in CALLS] == []


@pytest.mark.parametrize("name", [name for name, op in OPERATIONS.items() if op.method])
def test_numpy_asks_a_symbol_for_every_function_that_it_has(name: str) -> None:
    graph = Graph()
    method = OPERATIONS[name].method
    ask = getattr(np, method, None) or (lambda *x: getattr(x[0], method)(*x[1:]))
    made = ask(*[graph.input(f"x{k}") for k in range(OPERATIONS[name].arity)])
    assert graph.keys[made.number][0] == name
