"""Every way to call a compiled function gives the same numbers."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import supple
from supple.errors import InputError

PUMA = supple.load("puma")
X = np.random.default_rng(0).normal(size=(3, 5, 6))


@pytest.mark.parametrize("what", ["pose", "udu_factors"])
def test_several_results_come_as_a_tuple_of_arrays_of_their_own(what: str) -> None:
    station = "link6.origin" if what == "pose" else None
    function = supple.compile(PUMA, what, station=station)
    first, again, other = function(X[0, 0]), function(X[0, 0]), function(X[0, 1])
    for a, b, c, shape in zip(first, again, other, function.results.values(), strict=True):
        assert a.shape == shape
        assert np.array_equal(a, b)
        assert not np.array_equal(a, c)
        assert not np.shares_memory(a, b)
    assert all(np.array_equal(a, b[0]) for a, b in zip(first, function.batch(X[0]), strict=True))


def test_numbers_are_numbers_of_numpy_and_may_be_written_to_an_array_of_no_axes() -> None:
    energy, out = supple.compile(PUMA, "kinetic_energy"), np.zeros(())
    value = energy(X[0, 0], X[1, 0])
    assert type(value) is np.float64
    assert value == pytest.approx(supple.kinetic_energy(PUMA, X[0, 0], X[1, 0]), rel=1e-13)
    assert energy(X[0, 0].tolist(), X[1, 0], out) == value == out


def test_lists_tuples_gaps_and_other_kinds_of_arrays_are_taken() -> None:
    fd = supple.compile(PUMA, "forward_dynamics")
    x = X[:, 0]
    wanted, wide = fd(*x), np.repeat(x, 2, axis=1)
    out = np.empty(6)
    odd: Any = np.empty(6).view(type("Own", (np.ndarray,), {}))
    assert np.array_equal(fd(*x.tolist()), wanted)
    assert np.array_equal(fd(*map(tuple, x.tolist())), wanted)
    assert np.array_equal(fd(*wide[:, ::2]), wanted)
    assert fd(*x.tolist(), out=out) is out
    assert fd(*x, out=odd) is odd
    assert np.array_equal(out, wanted)
    assert np.array_equal(odd, wanted)
    with pytest.raises(InputError, match="out has shape"):
        fd(*x.tolist(), out=np.empty(5))
    with pytest.raises(InputError, match="shape"):
        fd([1.0] * 5, *x[1:].tolist())


def test_batches_of_any_layout_agree() -> None:
    fd = supple.compile(PUMA, "forward_dynamics")
    wanted, fixed = fd.batch(*X), X.copy()
    fixed.flags.writeable = False
    assert np.array_equal(fd.batch(*fixed), wanted)
    assert np.array_equal(fd.batch(*np.asfortranarray(X)), wanted)
    assert np.array_equal(fd.batch(*X, out=np.empty((5, 6))), wanted)
    assert np.array_equal(fd.batch(X[0], X[1], X[2, :1])[0], wanted[0])
    with pytest.raises(InputError, match="threads"):
        fd.batch(*X, threads=0)


def test_functions_and_their_derivatives_pickle() -> None:
    fd = supple.compile(PUMA, "forward_dynamics", parameters=["gravity.2"])
    slope = fd.jacobian("q", "parameters")
    again = pickle.loads(pickle.dumps(slope))
    given = (*X[:, 0], [-9.0])
    assert again.parameters == slope.parameters
    assert np.array_equal(again(*given), slope(*given))


def test_functions_of_bending_robots_pickle() -> None:
    """Shape functions do not pickle; what is compiled does not need them."""
    for name in ("space-robot", "canadarm", "four-bar-flexible"):
        robot = supple.load(name)
        energy = supple.compile(robot, "kinetic_energy")
        again = pickle.loads(pickle.dumps(energy))
        q, qd = robot.home(), np.linspace(0.1, 1.0, robot.nv)
        assert again(q, qd) == energy(q, qd) == pytest.approx(supple.kinetic_energy(robot, q, qd))


def test_sparsity_is_where_derivatives_are_not_zero() -> None:
    """Two arms on one trunk: forces of one arm know nothing of the other's motion but through the
    trunk's, forward dynamics knows all."""
    body = {"mass": 1.0, "com": [0.1, 0.2, 0.1], "inertia": [0.02, 0.03, 0.04]}
    place = {"xyz": [0.3, 0.1, 0.0], "rpy": [0.4, 0.5, 0.6]}
    joints = [
        {"type": "revolute", "child": name, "origin": place, "parent": parent}
        for name, parent in (("trunk", "world"), ("left", "trunk"), ("right", "trunk"))
    ]
    links = {name: {"rigid": body} for name in ("trunk", "left", "right")}
    robot = supple.build({"name": "arms", "links": links, "joints": joints})
    x = np.random.default_rng(1).normal(size=(3, 3))
    inverse, forward = (supple.compile(robot, f"{way}_dynamics") for way in ("inverse", "forward"))
    may = inverse.sparsity("qdd", "q")
    assert np.array_equal(may, inverse.jacobian("qdd", "q")(*x) != 0.0)
    assert not may[1, 2]
    assert not may[2, 1]
    assert forward.sparsity("tau").all()


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_arrays_that_came_by_pickle_are_taken(dtype: str) -> None:
    """Their dtype is an object of its own, as in other processes and in MATLAB's files."""
    fd = supple.compile(PUMA, "forward_dynamics", dtype=dtype)
    q, qd, tau = X[:, 0].astype(dtype)
    z, out = pickle.loads(pickle.dumps(q)), pickle.loads(pickle.dumps(q))
    tagged = q.astype(np.dtype(dtype, metadata={"of": "joints"}))
    wanted = fd(q, qd, tau)
    for given in (z, z[:], np.ascontiguousarray(z), z + 0, tagged):
        for function in (fd, pickle.loads(pickle.dumps(fd))):
            assert np.array_equal(function(given, qd, tau), wanted)
            assert function(given, qd, tau, out=out) is out
            assert np.array_equal(out, wanted)
    assert np.array_equal(fd.jacobian("q")(z, qd, tau), fd.jacobian("q")(q, qd, tau))
