"""The forward dynamics laid open: its parts are what the papers say they are."""

from __future__ import annotations

import numpy as np
import pytest

import supple


@pytest.mark.parametrize("name", ["puma", "canadarm-spatial", "space-robot"])
def test_sweeps_hold_together(name: str) -> None:
    robot = supple.load(name)
    rng = np.random.default_rng(5)
    q = robot.normalized(robot.neutral() + 0.05 * rng.normal(size=robot.nq))
    qd, tau = 0.3 * rng.normal(size=robot.nv), rng.normal(size=robot.nv)
    sweeps = supple.forward_sweeps(robot, q, qd, tau)
    qdd = supple.forward_dynamics(robot, q, qd, tau)
    U, D = supple.udu_factors(robot, q)
    assert np.allclose(np.concatenate([s.D for s in sweeps]), D, rtol=1e-13)
    for link, s in zip(robot.links, sweeps, strict=True):
        own = [*range(link.u.start, link.u.stop), *range(link.e.start, link.e.stop)]
        rows = [*link.joint.axes, *range(6, 6 + link.body.m)]
        assert np.allclose(s.articulated, s.articulated.T)
        assert np.allclose(np.triu(s.Psi[rows]), np.triu(U[np.ix_(own, own)]), atol=1e-12)
        # the joint's and shapes' own share of mu is their acceleration, less what comes from
        # the parent: qdd_k = phi_k / D_k - Psi_k^T (mu before coordinate k)
        mu = np.concatenate([s.mu, np.zeros(link.body.m)])
        for axis, k in zip(link.joint.axes, range(link.u.start, link.u.stop), strict=True):
            mu[axis] -= qdd[k]
        for place, row, k in zip(range(len(own)), rows, own, strict=True):
            assert np.isclose(qdd[k], s.phi[place] / s.D[place] - s.Psi[:, place] @ mu, rtol=1e-7)
            mu[row] += qdd[k]


def test_the_last_links_composite_and_articulated_bodies_are_its_own() -> None:
    robot = supple.load("canadarm-spatial")
    q = np.linspace(-0.02, 0.02, robot.nq)
    composite = supple.composite_bodies(robot, q)[-1].matrix()
    assert np.allclose(composite, supple.articulated_bodies(robot, q)[-1].articulated)
    M = supple.mass_matrix(robot, q)
    rows = [2, 6, 7, 8, 9]
    assert np.allclose(composite[np.ix_(rows, rows)], M[-5:, -5:])
