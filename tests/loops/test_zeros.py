"""Zeros of closed chains: with the motors held, and as those of the whole equations."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from supple.types import Floats

ROBOT = supple.load("four-bar-flexible")
REST = supple.statics(ROBOT)


def test_zeros_of_the_motors_are_the_vibrations_with_motors_locked() -> None:
    found = supple.zeros(ROBOT, q=REST.q, damping=False)
    omega = supple.frequencies(ROBOT, REST.q, locked=True).omega
    assert np.sort(found.zeros.imag)[-4:] == pytest.approx(omega)
    assert found.inputs == found.outputs == ("crank_joint",)


def net_force(q: Floats) -> Floats:
    """Gravity, bending and the forces at the cut as they are at rest."""
    inner = supple.gravity_force(ROBOT, q) + supple.elastic_force(ROBOT, q)
    return inner - REST.multipliers @ supple.closure_jacobian(ROBOT, q)


@pytest.mark.parametrize("output", ["crank_joint", "rocker_joint", "coupler.tip.x"])
def test_at_a_zero_the_whole_equations_hold_with_the_output_still(output: str) -> None:
    n, h = ROBOT.nv, 1e-6
    M, J = supple.mass_matrix(ROBOT, REST.q), supple.closure_jacobian(ROBOT, REST.q)[2:4]
    K = np.array(
        [(net_force(REST.q + h * e) - net_force(REST.q - h * e)) / 2 / h for e in np.eye(n)]
    )
    where = output.removesuffix(".x")
    tip = where != output
    C = (
        supple.jacobian(ROBOT, REST.q, where)[3]
        if tip
        else np.eye(n)[ROBOT.velocity_names.index(output)]
    )
    found = supple.zeros(ROBOT, [output], q=REST.q, damping=False)
    assert len(found.zeros) == 8
    for s in found.zeros:
        whole = np.zeros((n + 3, n + 3), dtype=complex)
        whole[:n, :n] = s**2 * M + K.T
        whole[:n, n : n + 2], whole[n : n + 2, :n] = J.T, J
        whole[0, n + 2], whole[n + 2, :n] = 1.0, C
        scale = 1.0 / np.sqrt(np.abs(whole).max(axis=0))
        sizes = np.linalg.svd(scale[:, None] * whole * scale, compute_uv=False)
        assert sizes[-1] < 1e-6 * sizes[-2]


def test_only_motors_are_inputs() -> None:
    with pytest.raises(supple.InputError, match=r"no motor named 'rocker_joint'.*crank_joint"):
        supple.zeros(ROBOT, inputs=["rocker_joint"])
