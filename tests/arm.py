"""The 4-DOF arm of [CibicikEgeland]: its order of coordinates, its beams made by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from supple.bodies import Basis, Beam, Body, FieldShapes, Profile, basis
from supple.formulations.linear import section_part
from supple.modes import family

ORDER = [0, 1, 8, 15, *range(2, 8), *range(9, 15)]  # the paper's: joints, link 2, link 3


def paper_beam(given: Any, link: int) -> tuple[Beam, Basis]:
    """Links 2 and 3 of Table I, made by hand from the reference file's inputs."""
    x = given["inputs"]
    rho, A, L = x["rho"], x[f"A{link}"], x[f"L{link}"]
    J, E, G = np.array(x[f"J{link}"]), x["E"], x["G"]
    flat = Profile.constant
    beam = Beam(
        L,
        flat(rho * A),
        {"torsion": flat(G * J[0]), "bending_y": flat(E * J[2]), "bending_z": flat(E * J[1])},
        (flat(rho * J[0]), flat(rho * J[1]), flat(rho * J[2])),
    )
    loaded = family("clamped_mass", mass_ratio=x["mu"][link - 2])
    kinds = {"torsion": family("clamped_free"), "bending_y": loaded, "bending_z": loaded}
    return beam, basis(beam, tuple(FieldShapes(k, 2, f, "mean_square") for k, f in kinds.items()))


def sections(given: Any) -> dict[str, Body]:
    """The sections' own inertia of both elastic links."""
    still = np.zeros(3), np.eye(3)
    return {f"link{k}": section_part(*paper_beam(given, k), *still) for k in (2, 3)}


def state(s: Any) -> tuple[Any, Any]:
    q, u = np.zeros(16), np.zeros(16)
    q[ORDER], u[ORDER] = s["q"], s["u"]
    return q, u
