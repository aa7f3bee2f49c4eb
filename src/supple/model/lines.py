"""The beams of a robot with their shape functions: what is to be drawn or read along them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..bodies import Basis, Beam, Station, beam_station
from ..errors import InputError
from ..robot import Robot
from ..screws import rpy_matrix
from ..types import Floats
from .parts import beam_and_basis
from .validate import validate
from .yaml import Document


@dataclass(frozen=True)
class BeamLine:
    """A link's beam in file axes: its shapes, where it starts, and the stations on it."""

    beam: Beam
    base: Basis
    start: Floats
    R: Floats
    second: bool
    stations: Mapping[str, tuple[float, Floats]]  # x along the beam, offset in section axes

    def station(self, x: float) -> Station:
        """The node at x, in file axes."""
        return beam_station(self.beam, self.base, x, self.start, self.R, self.second)

    def curvature(self, d: Floats, x: Floats) -> Floats:
        """(n, 3): twist alpha', and the curvatures -w'' and v'', in section axes."""
        return np.asarray(np.einsum("k,kgi->gi", d, self.base.rotation(x, 1)))

    def stretch(self, d: Floats, x: Floats) -> Floats:
        """(n,): axial strain."""
        return np.asarray(d @ self.base.stretch(x))

    def moment(self, d: Floats, x: Floats) -> Floats:
        """(n, 3): torque GJ alpha', bending moments EIy kappa_y and EIz kappa_z."""
        stiffness = self.beam.stiffness
        fields = ("torsion", "bending_z", "bending_y")
        factors = [stiffness[f](x) if f in stiffness else np.zeros(len(x)) for f in fields]
        return np.asarray(self.curvature(d, x) * np.array(factors).T)


def beam_lines(robot: Robot) -> dict[str, BeamLine]:
    """The beams of a robot's links, by name."""
    if robot.spec is None:
        raise InputError(
            f"robot {robot.name} was not built from a model: its shape functions are not known"
        )
    spec = validate(Document(dict(robot.spec), "model"))
    out = {}
    for name, link in spec.links.items():
        if link.beam is None:
            continue
        beam, base = beam_and_basis(link, link.beam, spec.elastic_kinematics)
        start, R = np.array(link.beam.start, dtype=float), rpy_matrix(*link.beam.rpy)
        stations = {"root": (0.0, np.zeros(3)), "tip": (beam.length, np.zeros(3))}
        for station, words in link.stations.items():
            if words.x is not None:
                stations[station] = (words.x, np.array(words.offset, dtype=float))
        second = spec.elastic_kinematics == "second_order"
        out[name] = BeamLine(beam, base, start, R, second, stations)
    return out
