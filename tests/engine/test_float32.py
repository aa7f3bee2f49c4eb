"""Functions of float32: those of float64, but for what seven digits can hold."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import supple
from agree import assert_near
from supple.tracer import cache, fast_call, host, program_parts, quickly
from trees import BODIES, JOINTS, random_state, tree

EPS = float(np.finfo(np.float32).eps)


def both(robot: supple.Robot, what: str, **options: Any) -> tuple[Any, Any]:
    with quickly():
        return (
            supple.compile(robot, what, **options),
            supple.compile(robot, what, dtype="float32", **options),
        )


def states(robot: supple.Robot, count: int) -> list[Any]:
    """Numbers that float32 has."""
    found = [random_state(robot, np.random.default_rng(k)) for k in range(count)]
    return [np.array(x, dtype=np.float32) for x in zip(*found, strict=True)]


def as_tuple(x: Any) -> tuple[Any, ...]:
    return x if isinstance(x, tuple) else (x,)


@pytest.mark.parametrize("index", [46, 67, 82])
@pytest.mark.parametrize("what", ["inverse_dynamics", "forward_dynamics", "passive_force", "pose"])
def test_they_agree_with_float64_to_their_own_digits(what: str, index: int) -> None:
    """Rigid and bending links, friction, quaternions; one state, and more than a batch's lanes hold
    at once. Accelerations lose what M has of condition."""
    robot = tree(index, JOINTS, BODIES)
    place = {"station": robot.links[-1].name} if what == "pose" else {}
    f, g = both(robot, what, **place)
    count = 2 * host().lanes_of("float32") + 3
    x = states(robot, count)[: len(f.arguments)]
    lost = np.linalg.cond(supple.mass_matrix(robot, x[0][0])) if what[0] == "f" else 50.0
    wanted, many = f.batch(*x), g.batch(*x)
    alone = [g(*[a[k] for a in x]) for k in range(count)]
    for a, b in zip(as_tuple(wanted), as_tuple(many), strict=True):
        assert b.dtype == np.float32
        assert_near(b, a, 10 * lost * EPS)
    singles = zip(*map(as_tuple, alone), strict=True)
    for a, b in zip(as_tuple(many), singles, strict=True):
        assert all(one.dtype == np.float32 for one in b)
        assert_near(np.array(b), a, 10 * lost * EPS)


def test_derivatives_are_float32_too() -> None:
    robot = supple.load("lin-lewis-rf")
    f, g = both(robot, "inverse_dynamics")
    x = [a[0] for a in states(robot, 1)]
    w = np.linspace(-1, 1, robot.nv).astype(np.float32)
    with quickly():
        pairs = [(h.jacobian("q", "qd"), h.vjp("q", "qdd")) for h in (f, g)]
    for k, given in enumerate(([*x], [*x, w])):
        wanted, got = (as_tuple(pair[k](*given)) for pair in pairs)
        for a, b in zip(wanted, got, strict=True):
            assert b.dtype == np.float32
            assert_near(b, a, 50 * EPS)


def test_angles_of_any_size_are_reduced_as_doubles() -> None:
    """tau = m g c cos q of a pendulum, to a few units in the last place up to 1e7 rad."""
    rod = {"mass": 1.0, "com": [1.0, 0, 0], "inertia": [0.1, 0.1, 0.1]}
    joint = {"type": "revolute", "child": "a", "axis": [0, -1, 0]}
    words = {"gravity": [0, 0, -1.0], "links": {"a": {"rigid": rod}}, "joints": [joint]}
    f = supple.compile(supple.build(words), "gravity_force", dtype="float32")
    q = np.geomspace(1e-3, 1e7, 997).astype(np.float32)[:, None]
    wanted = np.cos(q.astype(float))
    assert np.abs(f.batch(q) - wanted).max() < 1.5 * EPS
    assert np.abs(np.array([f(x) for x in q]) - wanted).max() < 1.5 * EPS
    assert np.isnan(f(np.array([1e16], dtype=np.float32)))


def test_long_programs_go_in_parts(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    robot = supple.load("puma")
    monkeypatch.setattr(program_parts, "MOST", 150)
    with cache.kept_in(str(tmp_path)):
        f, g = both(robot, "forward_dynamics")
        x = states(robot, 35)
        assert_near(g.batch(*x), f.batch(*x), 1e4 * EPS)
        assert_near(g(*[a[0] for a in x]), f(*[a[0] for a in x]), 1e4 * EPS)


def test_what_is_taken_and_given(monkeypatch: pytest.MonkeyPatch) -> None:
    robot = supple.load("lin-lewis-rr")
    f, g = both(robot, "inverse_dynamics")
    assert (f.dtype, g.dtype) == ("float64", "float32")
    x = [a[0] for a in states(robot, 1)]
    wanted, out = g(*x), np.empty(2, dtype=np.float32)
    assert np.array_equal(g(*[list(map(float, a)) for a in x]), wanted)  # lists
    assert np.array_equal(g(*[a.astype(float) for a in x]), wanted)  # float64 is rounded
    assert g(*x, out=out) is out
    assert np.array_equal(out, wanted)
    same = x[2].copy()
    assert np.array_equal(g(x[0], x[1], same, out=same), wanted)  # over an argument
    rows = np.empty((5, 2), dtype=np.float32)
    assert g.batch(*[np.tile(a, (5, 1)) for a in x], out=rows) is rows
    assert np.array_equal(rows, g.batch(*[np.tile(a, (5, 1)) for a in x]))
    with pytest.raises(supple.InputError, match="out must be a float32 array"):
        g(*x, out=np.empty(2))
    with pytest.raises(supple.InputError, match="out must be a float64 array"):
        f(*[a.astype(float) for a in x], out=out)
    energy = supple.compile(robot, "kinetic_energy", dtype=np.float32)
    assert type(energy(x[0], x[1])) is np.float32
    again = pickle.loads(pickle.dumps(g.jacobian("q")))
    assert again(*x).dtype == np.float32
    assert "const float *restrict q" in g.c_source()
    assert "double" not in g.c_source()
    monkeypatch.setattr(fast_call, "_entry", lambda *_: None)
    assert np.array_equal(supple.compile(robot, "inverse_dynamics", dtype="float32")(*x), wanted)


@pytest.mark.parametrize("dtype", ["float16", "int", None, 32, "single precision", complex])
def test_other_dtypes_are_refused(dtype: Any) -> None:
    with pytest.raises(supple.InputError, match="it may be 'float64' or 'float32'"):
        supple.compile(supple.load("puma"), "mass_matrix", dtype=dtype)


def test_scans_have_none() -> None:
    with pytest.raises(supple.InputError, match="straight-line code alone"):
        supple.compile(supple.load("puma"), "forward_dynamics", dtype="float32", unroll=False)


def test_numbers_too_large_for_it_are_told() -> None:
    rod = {"mass": 1.0, "com": [0.5, 0, 0], "inertia": [0.1, 0.1, 0.1]}
    joint = {"type": "revolute", "child": "a", "stiffness": 1e40}
    robot = supple.build({"links": {"a": {"rigid": rod}}, "joints": [joint]})
    with pytest.raises(supple.InputError, match=r"1e\+40, too large for float32; use float64"):
        supple.compile(robot, "elastic_force", dtype="float32")
