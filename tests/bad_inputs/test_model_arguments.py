"""Wrong arguments to load, build, replace, with_modes and with_parameters: one clear error."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple
from supple import InputError, ModelError
from supple.errors import brief


class Thing:
    """Nothing a model could hold; it is called the same in every process."""

    def __repr__(self) -> str:
        return "Thing()"


@pytest.fixture(scope="module")
def arm() -> supple.Robot:
    return supple.load("canadarm")


MASS = "link1.beam.mass"
# what is handed to with_parameters, the words of the refusal
PARAMETERS = [
    *((bad, "takes a mapping of names to numbers") for bad in ([1], None, 5, "link1", (MASS, 1))),
    *(({bad: 1.0}, "no parameter named") for bad in ("x", 1, None, (1, 2), b"x", "link1.beam")),
    *(
        ({MASS: bad}, "must be one finite number")
        for bad in (
            [1],
            None,
            "1",
            b"1",
            np.nan,
            -np.inf,
            10**400,
            1j,
            True,
            np.zeros(1),
            {},
            Thing(),
        )
    ),
    ({MASS: -1}, "greater than 0, got -1"),
    ({"link1.beam.length": 1e308}, "the numbers of 'link1' are too large"),
    ({"link1.beam.mass": 1e308}, "too large"),
]


@pytest.mark.parametrize(("bad", "message"), PARAMETERS, ids=brief)
def test_wrong_parameters_are_refused(arm: supple.Robot, bad: Any, message: str) -> None:
    with pytest.raises((InputError, ModelError), match=message):
        arm.with_parameters(bad)


def test_a_number_of_any_kind_is_a_parameter(arm: supple.Robot) -> None:
    for value in (2, 2.0, np.float32(2), np.int8(2), np.array(2.0)):
        assert arm.with_parameters({MASS: value}).mass == pytest.approx(2 + 85 + 95)


# arguments and options of with_modes, the words of the refusal
MODES = [
    ((None,), {}, "one number of shapes, got None"),
    ((1, 2), {}, "one number of shapes, got 1, 2"),
    *(((bad,), {}, "whole number") for bad in ([1], 1.5, True, np.zeros(2))),
    *(((bad,), {}, "a model holds text, numbers") for bad in (1j, b"link1", Thing())),
    (("",), {}, "no beam named ''"),
    ((61,), {}, "less than or equal to 60"),
    ((10**30,), {}, "less than or equal to 60"),
    ((), {"bending_y": "2"}, "whole number, got '2'"),
    ((), {"bending_y": [1]}, "whole number, or a mapping"),
    ((), {"order": ["axial"]}, "no mode option named 'order'"),
    ((), {"<order>": ["axial"]}, "no mode option named '<order>'"),
    ((), {"functions": "x"}, "be a list, got 'x'"),
    ((), {"functions": [1]}, "be text, got 1"),
    ((), {"family": 5}, "'polynomial'"),
]


@pytest.mark.parametrize(("args", "options", "message"), MODES, ids=brief)
def test_wrong_modes_are_refused(
    arm: supple.Robot, args: Any, options: dict[str, Any], message: str
) -> None:
    with pytest.raises((InputError, ModelError), match=message):
        arm.with_modes(*args, **options)


def test_a_robot_without_beams_has_no_modes_to_change() -> None:
    with pytest.raises(InputError, match="robot puma has no beams"):
        supple.load("puma").with_modes(2)


REPLACED: list[tuple[str, Any]] = [
    *(("links", bad) for bad in ([1], None, "a", {"a": None}, {"a": [1]}, {1: 2})),
    *(("joints", bad) for bad in ({}, [1], None, "a")),
    *(("gravity", bad) for bad in (None, 9.81, 1j, [1, 2], "down", [1e308] * 2, np.zeros((3, 1)))),
    *(("elastic_kinematics", bad) for bad in (None, ["rigid"], {"rigid": 1}, "stiff")),
    *(("gravity", [bad, 0, 0]) for bad in (10**400, -(10**5000), np.nan)),
    ("links", {10**5000: {}}),
    *(("motions", bad) for bad in ([1], {"a": 1}, {"a b": {"duration": 1, "joints": {}}})),
    *((key, bad) for key in ("name", "notes", "dh", "loops", "supple") for bad in (1.5, [1], b"x")),
]


@pytest.mark.parametrize(("key", "bad"), REPLACED, ids=brief)
def test_wrong_replacements_are_refused_at_their_key(arm: supple.Robot, key: str, bad: Any) -> None:
    with pytest.raises(ModelError) as error:
        arm.replace(**{key: bad})
    assert {fault.path[0] for fault in error.value.faults} == {key}


@pytest.mark.parametrize(
    "name", ["", ".", "/", "/dev/zero", "/dev/null", " puma", "~/x.yaml", "\n"]
)
def test_what_is_no_model_file_is_refused(name: str) -> None:
    with pytest.raises(ModelError) as error:
        supple.load(name)
    assert len(error.value.faults) == 1


SIZES = [1e-200, 1e-308, 5e-324, 1e200, 1e308]


@pytest.mark.parametrize("size", SIZES)
def test_an_axis_of_any_size_turns_the_same(size: float) -> None:
    def inertia(axis: list[float]) -> Any:
        link = {"rigid": {"mass": 1, "com": [0.1, 0.2, 0.3], "inertia": [1, 2, 2.5]}}
        joint = {"type": "revolute", "child": "a", "axis": axis}
        robot = supple.build({"links": {"a": link}, "joints": [joint]})
        return supple.mass_matrix(robot, [0.0])

    for axis in ([1, 1, 1], [0, -1, 0], [1, 0, 1]):
        assert inertia([size * a for a in axis]) == pytest.approx(inertia([float(a) for a in axis]))
