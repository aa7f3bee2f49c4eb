"""What is to be written for a matrix or a Jacobian: stages, passive forces, and which pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ... import recursion as rec
from ...lazy import cached_property
from ...robot import Robot
from ...tracer import Graph, Program, pushforward
from ...tracer.program import program
from ...types import Floats
from ..base_inertia import with_base_inertia
from . import formulas as f
from .emit import Pairs, Tree
from .stages import ACROSS, IN, OUT, Sheet
from .suits import tree_of

ARGUMENTS = {
    "mass_matrix": ("q",),
    "inverse_mass_matrix": ("q",),
    "inverse_dynamics": ("q", "qd", "qdd"),
    "forward_dynamics": ("q", "qd", "tau"),
}


@dataclass(frozen=True)
class WorldPlan:
    """M, its inverse, or the Jacobian of inverse or forward dynamics in some arguments (wrt)."""

    robot: Robot
    what: str
    wrt: tuple[str, ...]

    @property
    def arguments(self) -> tuple[str, ...]:
        return ARGUMENTS[self.what]

    @property
    def width(self) -> int:
        """Columns of the result."""
        return self.robot.nv * max(1, len(self.wrt))

    @cached_property
    def tree(self) -> Tree:
        return tree_of(self.robot)

    @property
    def forward(self) -> bool:
        return self.what == "forward_dynamics"

    @property
    def inverts(self) -> bool:
        return self.forward or self.what == "inverse_mass_matrix"

    @property
    def sloped(self) -> bool:
        """Whether it is more than M or its inverse."""
        return bool({"q", "qd"} & set(self.wrt))

    @cached_property
    def passive(self) -> Program | None:
        """Passive forces, and how each follows its own coordinate and rate; None: there are
        none."""
        graph, n = Graph(), self.robot.nv
        q, qd = graph.vector("q", n), graph.vector("qd", n)
        force = list(rec.passive_force(self.robot, q, qd))
        slopes = [
            pushforward(graph, [x], {v.number: 1.0})[0]
            for over in (q, qd)
            for x, v in zip(force, over, strict=True)
        ]
        out = program(graph, [*force, *slopes], [q, qd])
        return out if any(x != 0.0 or isinstance(x, int) for x in out.outputs) else None

    @cached_property
    def sheet(self) -> Sheet:
        sheet = Sheet(
            _constants(with_base_inertia(self.robot)), {"q": 1, "qd": 1, "qdd": 1, "R": 9, "p": 3}
        )
        if self.passive is None:
            sheet.constants["passive"] = np.zeros((self.robot.nv, 1))
        else:
            sheet.field("passive", 1)
        for direction, step in ((ACROSS, f.turns), (OUT, f.poses), (ACROSS, f.screws)):
            sheet.add(direction, step)
        if self.inverts:
            for direction, step in ((ACROSS, f.bodies), (IN, f.articulated), (ACROSS, f.pivots)):
                sheet.add(direction, step)
        if self.inverts and not self.sloped:
            return sheet
        sheet.add(ACROSS, f.masses)
        sheet.sum(IN, "hc", "Wc")
        sheet.add(ACROSS, f.inertias)
        if self.sloped:
            _add_slopes(sheet, self.what)
        return sheet

    @cached_property
    def pairs(self) -> dict[str, Pairs]:
        """By argument ("qdd": the mass matrix), and the factor "U"."""
        s = self.sheet.columns
        out = {"U": Pairs(((), ()), (s("J"), s("psi")))} if self.inverts else {}
        if self.what == "mass_matrix" or "qdd" in self.wrt:
            out["qdd"] = Pairs((s("IJ"), s("J")), (s("J"), s("IJ")))
        if "q" in self.wrt:
            row = (*s("IJ"), *s("BJ"))
            out["q"] = Pairs((row, (*s("d_q"), *s("X")[:3])), (s("J"), s("Y_q")))
        if "qd" in self.wrt:
            row = (*s("IJ"), *s("BJ"))
            out["qd"] = Pairs((row, (*s("d_qd"), *s("J")[:3])), (s("J"), s("Y_qd")))
        return out


def _constants(robot: Robot) -> dict[str, Floats]:
    links = robot.links
    total = np.array([float(x.body.mass) for x in links])
    for i in range(len(links) - 1, -1, -1):
        if links[i].parent >= 0:
            total[links[i].parent] += total[i]
    return {
        "R0": np.array([x.mount.R0 for x in links]),
        "r0": np.array([x.mount.r0 + x.mount.rho for x in links]),
        "slides": np.array([float(x.joint.kind == "prismatic") for x in links]),
        "rotor": np.array([float(x.drive.rotor_inertia) for x in links]),
        "mass": np.array([float(x.body.mass) for x in links]),
        "total": total,
        "c0": np.array([x.body.c0 for x in links]),
        "W0": np.array([f.packed(x.body.W0) for x in links]),
    }


def _add_slopes(sheet: Sheet, what: str) -> None:
    """What derivatives need beside the mass matrix."""
    forward = what == "forward_dynamics"
    sheet.add(ACROSS, f.shares)
    sheet.sum(OUT, "V")
    sheet.add(ACROSS, f.crossed_at_rest if forward else f.crossed)
    sheet.sum(OUT, "A")
    sheet.add(ACROSS, f.moving)
    if forward:
        sheet.field("tau", 1)
        sheet.add(ACROSS, f.bias)
        sheet.sum(IN, "bias")
        sheet.add(ACROSS, f.remaining_force)
        sheet.add(ACROSS, f.answering)
        sheet.sum(OUT, "dA")
        sheet.add(ACROSS, f.answered)
    sheet.sum(IN, "P", "E", "F")
    sheet.add(ACROSS, f.columns)
