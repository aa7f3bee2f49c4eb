"""A robot is frozen all the way down: whoever edits what it holds is told, and it stays itself."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import is_dataclass
from functools import partial
from typing import Any

import numpy as np
import pytest
from ruamel.yaml import YAML

import supple
from supple.bodies import Station
from trees import BODIES, JOINTS, tree

EDITS = {
    dict: ("__setitem__", "__delitem__", "__ior__", "clear", "pop", "popitem", "setdefault"),
    list: ("__setitem__", "__delitem__", "__iadd__", "__imul__", "append", "extend", "insert"),
}
MORE = {dict: ("update",), list: ("pop", "remove", "clear", "sort", "reverse")}


def held(value: Any, path: str, seen: set[int]) -> Iterator[tuple[str, Any]]:
    """All containers and arrays that can be reached by public attributes, properties too."""
    if id(value) in seen or isinstance(value, type | str | int | float | bytes | None):
        return
    seen.add(id(value))
    if isinstance(value, np.ndarray | dict | list):
        yield path, value
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list | tuple):
        items = list(enumerate(value))
    elif isinstance(value, partial):
        items = list(enumerate(value.args))
    elif is_dataclass(value):
        items = [(k, v) for k, v in vars(value).items() if not k.startswith("supple.")]
    else:
        items = []
    for key, item in items:
        yield from held(item, f"{path}.{key}", seen)


@pytest.mark.parametrize("name", supple.shipped())
def test_nothing_that_a_robot_holds_can_be_edited(name: str) -> None:
    robot = supple.load(name)
    supple.mass_matrix(robot, robot.home())
    supple.inverse_dynamics(
        robot, robot.home(), *np.zeros((2, robot.nv))
    )  # what is computed on the way is held too
    _ = (robot.input_matrix, robot.coordinate_names)
    for path, value in held(robot, name, set()):
        if isinstance(value, np.ndarray):
            assert not value.flags.writeable or "_home" in path, path  # home() hands out copies
        else:
            base = dict if isinstance(value, dict) else list
            for edit in (*EDITS[base], *MORE[base]):
                with pytest.raises(TypeError, match=r"read-only.*robot\.replace"):
                    getattr(value, edit)(0)


def test_an_edit_of_its_words_cannot_make_a_robot_differ_from_them() -> None:
    robot = supple.load("canadarm")
    mass = robot.mass
    with pytest.raises(TypeError, match="read-only"):
        robot.spec["links"]["link1"]["beam"]["mass"] = 1e6
    assert robot.replace(description="the same").mass == mass
    words = copy.deepcopy(robot.spec)
    words["links"]["link1"]["beam"]["mass"] += 40.0
    assert supple.build(words).mass == pytest.approx(mass + 40.0, rel=1e-14)
    assert robot.mass == mass


@pytest.mark.parametrize("number", range(0, 40, 9))
def test_words_are_written_as_any_others(number: int, tmp_path: Any) -> None:
    robot = tree(number, JOINTS, BODIES)
    plain = copy.deepcopy(robot.spec)
    assert type(plain) is dict
    assert json.loads(json.dumps(robot.spec)) == plain == robot.spec
    assert {**robot.spec} == robot.spec | {} == plain
    file = tmp_path / "robot.yaml"
    writer = YAML(typ="safe")
    writer.sort_base_mapping_type_on_output = False  # modes are counted in the file's order
    writer.dump(plain, file)
    assert supple.load(file).links == robot.links


def test_an_array_given_to_a_part_stays_its_makers() -> None:
    r0 = np.zeros(3)
    station = Station(r0, np.zeros((0, 3)), np.zeros((0, 3)))
    r0[0] = 1.0
    assert station.r0.tolist() == [0.0, 0.0, 0.0]
    view = np.broadcast_to(np.float64(2.0), 3)
    assert Station(view, station.S, station.Theta).r0.tolist() == [2.0, 2.0, 2.0]


def test_parameters_of_a_compiled_function_cannot_be_edited() -> None:
    fn = supple.compile(supple.load("puma"), "gravity_force", parameters=["gravity.2"])
    with pytest.raises(TypeError, match="read-only"):
        fn.parameters["gravity.2"] = 0.0
    assert fn.jacobian("q").parameters == fn.parameters


@pytest.mark.parametrize("name", ["puma", "carpet-scraper", "lin-lewis-rf"])
def test_results_share_no_numbers_with_the_robot(name: str) -> None:
    """Whoever writes over a result does not change what the robot gives next."""
    robot = supple.load(name)
    q, u = robot.neutral(), np.linspace(-1.0, 1.0, robot.nv)
    asked = {
        "inertia": lambda: supple.composite_bodies(robot, q),
        "pose": lambda: [supple.pose(robot, q, link.name) for link in robot.links],
        "bias": lambda: supple.bias_force(robot, q, u),
        "matrices": lambda: [robot.home(), supple.mass_matrix(robot, q), robot.input_matrix],
    }
    for ask in asked.values():
        first = [(a, a.copy()) for _, a in arrays(ask())]
        for a, _ in first:
            if a.flags.writeable:
                a[...] = np.nan
        for (_, now), (_, before) in zip(arrays(ask()), first, strict=True):
            assert now.tobytes() == before.tobytes()


def arrays(value: Any) -> list[tuple[str, Any]]:
    return [(path, a) for path, a in held(value, "", set()) if isinstance(a, np.ndarray)]
