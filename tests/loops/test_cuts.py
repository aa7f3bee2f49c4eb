"""Every kind of joint is a kind of cut: a chain cut at a joint is closed wherever that joint
could have put it, and nowhere else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import supple
import trees
from agree import assert_near
from supple.joints import KINDS
from supple.loops import closure_jacobian, closure_residual
from supple.loops.assembly import AssemblyProblem, descend
from supple.loops.gaps import gaps
from supple.model.spec import CLOSING

BODIES = ("rigid", "beam_yz", "beam_all", "tool", "chord")


def chains(kind: str, seed: int) -> tuple[supple.Robot, supple.Robot]:
    """A chain of three links with a joint of this kind in the middle, and the same chain cut
    there: its end floats, and a loop holds it."""
    words = trees.words(trees.TREES - 1 - seed, ("revolute",), BODIES)
    rng = np.random.default_rng(seed)
    names = list(words["links"])[:3]
    words["links"] = {name: words["links"][name] for name in names}
    axis = {"axis": rng.normal(size=3).tolist()} if KINDS[kind].has_axis else {}
    origin = {"xyz": rng.normal(size=3).tolist(), "rpy": rng.normal(size=3).tolist()}
    first, _, last = words["joints"][:3]
    last |= {"parent": names[1], "at": "tip"}
    held = {"type": kind, "origin": origin, **axis}
    whole = {"name": "joint1", "child": names[1], "parent": names[0], "at": "tip", **held}
    free = {"name": "joint1", "child": names[1], "type": "floating"}
    cut = {"name": "cut", "between": [f"{names[0]}.tip", f"{names[1]}.origin"], **held}
    closed = {**words, "joints": [first, free, last], "loops": [cut]}
    return supple.build({**words, "joints": [first, whole, last]}), supple.build(closed)


def in_the_cut_chain(whole: supple.Robot, cut: supple.Robot, q: Any) -> Any:
    """The same configuration in the coordinates of the cut chain."""
    from scipy.spatial.transform import Rotation

    at = supple.pose(whole, q, "link1.origin")
    x, y, z, w = Rotation.from_matrix(at.R).as_quat()
    known = dict(zip(whole.coordinate_names, q, strict=True))
    names = [f"joint1{suffix}" for suffix in KINDS["floating"].coordinates]
    known |= dict(zip(names, [w, x, y, z, *at.p], strict=True))
    return np.array([known[name] for name in cut.coordinate_names])


@pytest.mark.parametrize("kind", CLOSING)
@pytest.mark.parametrize("seed", range(3))
def test_a_cut_is_closed_wherever_its_joint_puts_the_chain(kind: str, seed: int) -> None:
    whole, cut = chains(kind, seed)
    q = trees.random_state(whole, np.random.default_rng(seed))[0]
    at = in_the_cut_chain(whole, cut, q)
    assert np.abs(closure_residual(cut, at)).max(initial=0.0) < 1e-13
    (gap,) = gaps(cut, at)
    assert gap.distance < 1e-13
    assert gap.angle < 1e-13
    for station in ("link1.tip", "link2.tip"):
        assert_near(supple.pose(cut, at, station).p, supple.pose(whole, q, station).p, 1e-12)


@pytest.mark.parametrize("kind", CLOSING)
def test_a_cut_closes_all_that_its_joint_does_not_leave_free(kind: str) -> None:
    whole, cut = chains(kind, 4)
    q = trees.random_state(whole, np.random.default_rng(1))[0]
    J = np.asarray(closure_jacobian(cut, in_the_cut_chain(whole, cut, q)), dtype=float)
    assert J.shape[0] == 6 - len(KINDS[kind].axes)
    assert np.linalg.matrix_rank(J, tol=1e-9) == J.shape[0]
    assert cut.nv - J.shape[0] == whole.nv


@pytest.mark.parametrize("kind", CLOSING)
def test_a_cut_that_was_pulled_open_is_closed_again(kind: str) -> None:
    whole, cut = chains(kind, 5)
    rng = np.random.default_rng(2)
    at = in_the_cut_chain(whole, cut, trees.random_state(whole, rng)[0])
    pulled = cut.normalized(at + 0.2 * rng.normal(size=cut.nq))
    found = descend(AssemblyProblem(cut), pulled)
    assert found.closed
    shapes = [k for link in cut.links for k in range(link.d.start, link.d.stop)]
    assert np.array_equal(found.q[shapes], pulled[shapes])  # links do not bend to close a loop


@pytest.mark.parametrize("kind", ["revolute", "cylindrical", "planar", "prismatic", "fixed"])
def test_a_cut_turned_by_half_a_turn_is_not_closed(kind: str) -> None:
    whole, cut = chains(kind, 0)
    q = in_the_cut_chain(whole, cut, whole.neutral())
    (loop,) = cut.loops
    turned = replace(loop.second[1], R0=loop.second[1].R0 @ np.diag([1.0, -1.0, -1.0]))
    other = replace(cut, loops=(replace(loop, second=(loop.second[0], turned)),))
    assert np.abs(closure_residual(other, q)).max() < 1e-13
    assert gaps(other, q)[0].angle == pytest.approx(np.pi)
