"""The elastic line of a body: its beam with the shape functions, in the body's axes.

The recursions need integrals of it alone. What is read or drawn along a link (shape, curvature,
section forces, strain) needs the line itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..frozen import Frozen
from ..types import Floats
from .beam import Basis, Beam, beam_station
from .elastic_fields import FIELDS
from .section_kinematics import end_tensors
from .station import Station


@dataclass(frozen=True, eq=False)
class BeamLine(Frozen):
    """A link's beam in the axes of its body: its shapes, where it starts, how it is turned,
    whether products of shapes count, and where its stations are."""

    beam: Beam
    base: Basis
    start: Floats
    R: Floats
    second: bool
    stations: Mapping[str, tuple[float, Floats]]  # x along the beam, offset in section axes

    def turned(self, R: Floats) -> BeamLine:
        """The line seen from axes turned by R."""
        return replace(self, start=self.start @ R, R=R.T @ self.R)

    def station(self, x: float) -> Station:
        """The node at x."""
        end = end_tensors(self.beam, self.base, x) if self.second else None
        return beam_station(self.beam, self.base, x, self.start, self.R, end)

    def curvature(self, d: Floats, x: Floats) -> Floats:
        """(n, 3): twist alpha', and the curvatures -w'' and v'', in section axes."""
        return np.asarray(np.einsum("k,kgi->gi", d, self.base.rotation(x, 1)))

    def stretch(self, d: Floats, x: Floats) -> Floats:
        """(n,): axial strain."""
        return np.asarray(d @ self.base.stretch(x))

    def moment(self, d: Floats, x: Floats) -> Floats:
        """(n, 3): torque GJ alpha', bending moments EIy kappa_y and EIz kappa_z."""
        factors = np.zeros((len(x), 3))
        for name, stiffness in self.beam.stiffness.items():
            axis = FIELDS[name].turn_axis
            if axis is not None:
                factors[:, axis] = stiffness(x)
        return np.asarray(self.curvature(d, x) * factors)
