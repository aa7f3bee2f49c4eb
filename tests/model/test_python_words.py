"""Models given in Python: NumPy's numbers are numbers, what no file could hold is refused."""

from __future__ import annotations

from fractions import Fraction
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

import supple
from supple import InputError, ModelError
from supple.errors import brief


def words(**rigid: Any) -> dict[str, Any]:
    body = {"mass": 2.0, "inertia": [0.1, 0.1, 0.1], "length": 1.0} | rigid
    return {"links": {"a": {"rigid": body}}, "joints": [{"type": "revolute", "child": "a"}]}


@pytest.mark.parametrize(
    "mass", [np.float64(2), np.float32(2), np.int32(2), np.array(2.0), 2, Fraction(2)], ids=brief
)
def test_numbers_of_every_kind_give_the_same_saved_run(mass: Any, tmp_path: Any) -> None:
    given = words(mass=mass, inertia=np.full(3, 0.1), com=(np.float64(0), 0, 0))
    robot = supple.build(MappingProxyType(given))
    run = supple.simulate(robot, [1.0], 0.1, samples=3)
    again = supple.load_result(run.save(tmp_path / "run.nc"))
    plain = supple.simulate(supple.build(words(com=[0.0, 0.0, 0.0])), [1.0], 0.1, samples=3)
    assert np.allclose(again["q"], plain["q"])
    assert type(robot.spec["links"]["a"]["rigid"]["mass"]) in (int, float)


def test_a_robot_does_not_change_with_the_words_it_was_built_from() -> None:
    given = words()
    robot = supple.build(given)
    given["links"]["a"]["rigid"]["mass"] = 7.0
    assert robot.replace(name="again").mass == 2.0


@pytest.mark.parametrize("bad", [None, 5, "abc", b"abc", [("name", "a")], dict, 1j], ids=brief)
def test_what_is_no_mapping_is_refused(bad: Any) -> None:
    with pytest.raises(InputError, match=r"supple\.build takes a mapping of keys"):
        supple.build(bad)


ODD = [1j, b"2", object(), {1.0}, iter([1.0]), abs]


@pytest.mark.parametrize("bad", ODD, ids=lambda x: type(x).__name__)
def test_what_no_file_could_hold_is_refused_at_its_key(bad: Any) -> None:
    with pytest.raises(ModelError, match="a model holds text, numbers, lists") as error:
        supple.build(words(mass=bad))
    assert error.value.faults[0].key == "links.a.rigid.mass"


@pytest.mark.parametrize("bad", [np.True_, np.complex128(1j), np.array([1.0, 2.0]), np.nan])
def test_wrong_numbers_of_numpy_are_refused(bad: Any) -> None:
    with pytest.raises(ModelError):
        supple.build(words(mass=bad))


def test_words_that_hold_themselves_and_odd_keys_are_refused() -> None:
    endless = words()
    endless["links"]["b"] = endless
    with pytest.raises(ModelError, match="holds itself"):
        supple.build(endless)
    with pytest.raises(ModelError, match="unknown key '5'"):
        supple.build(words() | {5: 6})
