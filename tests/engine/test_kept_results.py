"""A function uses the memory of an earlier result again; nobody who still has it ever notices."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import supple
from supple.tracer.fast_call_code import KEPT_BYTES
from supple.tracer.numpy_layout import layout_holds

PUMA = supple.load("puma")
Q = np.random.default_rng(0).normal(size=(40, 6))
M = supple.compile(PUMA, "mass_matrix")
WANTED = M.batch(Q)


def test_dropped_results_come_back_and_kept_ones_do_not() -> None:
    if not layout_holds():
        pytest.skip("this Python takes the checked way")
    assert len({id(M(q)) for q in Q}) == 2
    kept = [M(q) for q in Q]
    assert len({id(a) for a in kept}) == len(Q)
    assert len({id(M(q)) for q in Q}) == 2


def test_what_is_held_stays() -> None:
    """Some results are held, some dropped, at random, for a while."""
    rng = np.random.default_rng(1)
    held: dict[int, Any] = {}
    for k, q in enumerate([*Q] * 5):
        held[k] = M(q)
        for old in [i for i in held if rng.random() < 0.3]:
            del held[old]
        for i, a in held.items():
            assert np.array_equal(a, WANTED[i % len(Q)])


@pytest.mark.parametrize(
    ("hold", "see"),
    [
        (lambda a: a[1], lambda x: x),
        (lambda a: a.T, lambda x: x),
        (lambda a: a.ravel(), lambda x: x),
        (memoryview, np.asarray),
        (np.frombuffer, lambda x: x),
        (iter, lambda x: np.array([*x])),
        (lambda a: a.flat, lambda x: np.array([*x])),
        (lambda a: [a], lambda x: x[0]),
    ],
)
def test_whoever_looks_at_a_result_holds_it(
    hold: Callable[[Any], Any], see: Callable[[Any], Any]
) -> None:
    held = hold(M(Q[0]))
    for q in Q[1:6]:
        M(q)
    assert np.array_equal(see(held), see(hold(WANTED[0])))


def test_a_weak_reference_dies_with_its_result() -> None:
    a = M(Q[0])
    weak, told = weakref.ref(a), []
    weakref.finalize(a, told.append, 1)
    del a
    for q in Q[:3]:
        M(q)
    gc.collect()
    assert weak() is None
    assert told == [1]


def _set(name: str, value: object) -> Callable[[Any], None]:
    return lambda a: setattr(a, name, value)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(
    "change",
    [
        lambda a: a.setflags(write=False),
        lambda a: a.resize((2, 3), refcheck=False),
        lambda a: a.resize((9, 9), refcheck=False),
        lambda a: a.resize((5, 6), refcheck=False),
        _set("shape", (6, 6, 1)),
        _set("shape", (36,)),
        _set("strides", (8, 48)),
        _set("dtype", np.int64),
    ],
)
def test_a_result_changed_in_place_is_not_used_again(change: Callable[[Any], None]) -> None:
    for q, wanted in zip(Q, WANTED, strict=True):
        a = M(q)
        assert a.shape == (6, 6)
        assert a.dtype == np.float64
        assert a.strides == (48, 8)
        assert a.flags.writeable
        assert a.flags.owndata
        assert np.array_equal(a, wanted)
        change(a)


def test_results_that_are_refused_are_not_lost() -> None:
    """A watched function drops its result, and says why; the next one is right."""
    robot = supple.load("puma")
    forward = supple.compile(robot, "forward_dynamics")
    x = np.random.default_rng(2).normal(size=(3, 6))
    wanted = forward(*x).copy()
    for _ in range(5):
        assert np.isnan(forward(np.full(6, np.nan), *x[1:])).all()
        assert np.array_equal(forward(*x), wanted)


def test_large_results_are_not_kept() -> None:
    """1000 links would hold 16 MB."""
    n = int((KEPT_BYTES / 8) ** 0.5) + 1
    link = {"rigid": {"mass": 1.0, "com": [0.5, 0.0, 0.0], "inertia": [0.1, 0.1, 0.1]}}
    place = {"xyz": [1.0, 0.0, 0.0]}
    robot = supple.build(
        {
            "name": "long",
            "links": {f"l{i}": link for i in range(n)},
            "joints": [
                {"type": "revolute", "child": f"l{i}", "origin": place, "axis": [0.0, 0.0, 1.0]}
                for i in range(n)
            ],
        }
    )
    function = supple.compile(robot, "mass_matrix")
    weak = weakref.ref(function(np.zeros(n)))
    assert weak() is None
