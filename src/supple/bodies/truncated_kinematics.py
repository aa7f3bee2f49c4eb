"""A section's rotation, position and local Jacobians as the paper writes them: truncated.

    R = 1 + theta~ + 1/2 (Theta^T d)~^2       r = r0 + S^T d + 1/2 S2_kl d_k d_l
    J_T = S + S2 d                             J_R = Theta + (Theta2 d) + 1/2 (Theta^T d) x Theta_k
The recursion uses the same tensors with R = exp(theta~) and its true Jacobian, which differ
from these by third and second order in d.
Reference: [Piedboeuf], eqs. (16), (18), (60)-(66); errata: (24), (63), (65).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..screws import skew
from ..types import Floats
from .station import Station


@dataclass(frozen=True)
class LocalKinematics:
    """R and r to second order, J_T and J_R (3, m) to first, in link axes."""

    R: Floats
    r: Floats
    J_T: Floats
    J_R: Floats


@dataclass(frozen=True)
class LocalTensors:
    """Constants of a node: J_T = J_T0 + d^T J_T1, J_R = J_R0 + d^T J_R1, row by row.

    J_T0, J_R0: (3, m); J_T1, J_R1: (3, m, m), by component, then d, then rate.
    """

    J_T0: Floats
    J_R0: Floats
    J_T1: Floats
    J_R1: Floats


def local_tensors(station: Station) -> LocalTensors:
    """The space integrals of the local Jacobians.

    Reference: [Piedboeuf], eqs. (62)-(65).
    """
    T = station.Theta
    turn = station.Theta2 + 0.5 * np.cross(T[:, None, :], T[None, :, :])  # (d, rate, component)
    first = (np.moveaxis(A, -1, 0) for A in (station.S2, turn))
    return LocalTensors(station.S.T, station.Theta.T, *first)


def local_kinematics(station: Station, d: Floats) -> LocalKinematics:
    """The node of a station at shape d: (m,), as truncated in the paper."""
    d = np.asarray(d, dtype=float)
    first = skew(d @ station.Theta)
    theta = d @ station.Theta + 0.5 * d @ np.tensordot(d, station.Theta2, 1)
    r = station.r0 + d @ station.S + 0.5 * d @ np.tensordot(d, station.S2, 1)
    tensors = local_tensors(station)
    return LocalKinematics(
        R=np.eye(3) + skew(theta) + 0.5 * first @ first,
        r=r,
        J_T=tensors.J_T0 + np.einsum("k,ckl->cl", d, tensors.J_T1),
        J_R=tensors.J_R0 + np.einsum("k,ckl->cl", d, tensors.J_R1),
    )
