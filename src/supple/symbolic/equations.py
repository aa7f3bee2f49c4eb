"""Equations of motion a person can read.

M(q) qdd + D(q, qd) qd + U (q - rest) + G(q) + R qd + friction(qd) + contact(q, qd)
    = B tau [+ J(q)^T lambda]

contact is what acts on one side only: stops, and gears with backlash. The bracket is of closed
chains: closure(q) = 0, J qd = 0, J qdd + gamma(q, qd) = 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import sympy
from numpy.typing import ArrayLike

from ..errors import InputError, caution
from ..lazy import cached_property
from ..robot import Robot
from ..types import Coordinates, Floats
from . import options, subexpressions
from .naming.named_graph import Parameter

Change = Callable[[str, int, int, sympy.Expr], sympy.Expr]
"""(name of the matrix, row, column, entry) -> what stands there instead."""

MATRICES = ("M", "D", "U", "G", "B", "R", "friction", "rest", "contact", "closure", "J", "gamma")
COLUMNS = ("G", "friction", "rest", "contact", "closure", "gamma")


@dataclass(frozen=True)
class LeftOut:
    """A term that was dropped: where it stood, what it was, how large it can get there."""

    where: str
    term: sympy.Expr
    share: float  # size over the largest value of its entry
    size: float  # its absolute value is never larger: joints anywhere, shapes small


@dataclass(frozen=True, repr=False, eq=False)
class Equations:
    """The matrices as SymPy expressions in `q`, `qd` and the parameters.

    M_dot - 2 D is skew. U holds springs, gears and elasticity, R damping, B the torques of the
    motors. closure, J and gamma are of closed chains, empty for all others.
    Reference: [LinLewis], eq. (23).
    """

    robot: Robot
    q: tuple[sympy.Symbol, ...]
    qd: tuple[sympy.Symbol, ...]
    M: sympy.ImmutableMatrix
    D: sympy.ImmutableMatrix
    U: sympy.ImmutableMatrix
    G: sympy.ImmutableMatrix
    B: sympy.ImmutableMatrix
    R: sympy.ImmutableMatrix
    friction: sympy.ImmutableMatrix
    rest: sympy.ImmutableMatrix
    contact: sympy.ImmutableMatrix
    closure: sympy.ImmutableMatrix
    J: sympy.ImmutableMatrix
    gamma: sympy.ImmutableMatrix
    parameters: tuple[Parameter, ...]
    tip_angle: str
    elastic_angle: str
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        n, names = len(self.qd), len(self.parameters)
        return f"<Equations of {self.robot.name}: {n} coordinates, {names} parameters>"

    @cached_property
    def symbols(self) -> dict[str, sympy.Symbol]:
        """Every symbol by its name."""
        names = [p.name for p in self.parameters]
        return {s.name: s for s in (*self.q, *self.qd, *(sympy.Symbol(n) for n in names))}

    @property
    def values(self) -> dict[sympy.Symbol, float]:
        """Each parameter's symbol with the value it has in the model."""
        return {sympy.Symbol(p.name): p.value for p in self.parameters}

    @property
    def positions(self) -> sympy.Matrix:
        """The coordinates that U acts on, one for each rate (0 where q is a quaternion)."""
        out: list[sympy.Expr] = []
        for link in self.robot.links:
            plain = link.joint.nq == link.joint.nv
            out += self.q[link.q] if plain else [sympy.S.Zero] * link.joint.nv
            out += self.q[link.d]
        return sympy.Matrix(out)

    @property
    def entries(self) -> list[sympy.Expr]:
        """All expressions."""
        return [x for name in MATRICES for x in getattr(self, name)]

    def operations(self) -> dict[str, int]:
        """Operations of M, D, U, G and B as written, and with common subexpressions shared."""
        return dict(self._operations)

    @cached_property
    def _operations(self) -> dict[str, int]:
        from .shortening.common_terms import common

        main = [getattr(self, name) for name in ("M", "D", "U", "G", "B")]
        written = [x for matrix in main for x in matrix]
        steps, matrices = common(main)
        shared = [*(e for _, e in steps), *(x for matrix in matrices for x in matrix)]
        return {
            "written": int(sum(subexpressions.tree_cost(written))),
            "common": subexpressions.operations(shared),
            "steps": len(steps),
        }

    def at(
        self,
        q: Coordinates,
        qd: ArrayLike | None = None,
        changes: Mapping[str, float] | None = None,
    ) -> dict[str, Floats]:
        """All matrices as numbers at a state; `changes` gives parameters other values.

        Shapes stay those of the model, stretched to a new length: a warning says where a robot
        with these numbers would have others, or the same in another scale.
        """
        from .. import checks
        from .shapes.changed import notes_on_shapes

        state = checks.configuration(self.robot, q)
        rate = np.zeros(self.robot.nv) if qd is None else checks.velocity(self.robot, qd)
        other = options.changed(changes, [p.name for p in self.parameters])
        for note in notes_on_shapes(self.robot, other):
            caution(note)
        values = {**self.values, **{sympy.Symbol(n): v for n, v in other.items()}}
        values |= dict(zip(self.q, state, strict=True)) | dict(zip(self.qd, rate, strict=True))
        flat = iter(subexpressions.evaluate(self.entries, values))
        out = {}
        for name in MATRICES:
            shape = getattr(self, name).shape
            table = np.array([next(flat) for _ in range(shape[0] * shape[1])], dtype=float)
            out[name] = table if name in COLUMNS else table.reshape(shape)
        return out

    def inverse_dynamics(
        self,
        q: Coordinates,
        qd: ArrayLike,
        qdd: ArrayLike,
        changes: Mapping[str, float] | None = None,
    ) -> Floats:
        """tau (nv,) that these equations ask for, as numbers; of a closed chain B tau + J^T lambda,
        what motors and cuts give together."""
        from .. import checks

        x = self.at(q, qd, changes)
        state, rate = checks.configuration(self.robot, q), checks.velocity(self.robot, qd)
        where = dict(zip(self.q, state, strict=True))
        here = np.array([float(where.get(s, 0.0)) for s in self.positions]).reshape(-1)
        tau = x["M"] @ checks.velocity(self.robot, qdd, "qdd") + (x["D"] + x["R"]) @ rate
        return np.asarray(tau + x["U"] @ (here - x["rest"]) + x["G"] + x["friction"] + x["contact"])

    def zero_dynamics(self) -> tuple[sympy.ImmutableMatrix, sympy.ImmutableMatrix]:
        """(M0, U0): with the joints held, M0 V_dd + U0 V = 0 is what the shapes do.

        M0 = M_FF - B_F B_R^-1 M_RF, since the torques that hold the joints also drive shapes
        that turn the root. Reference: [LinLewis], 4.2.
        """
        R, F = self.robot.motor_indices, self.robot.free_indices
        if self.robot.loops:
            raise InputError(
                f"zero dynamics in symbols is of open chains, and {self.robot.name} has loops; "
                f"supple.zeros has the numbers"
            )
        if not F:
            raise InputError(f"{self.robot.name} has no shapes: nothing moves when joints are held")
        gain = self.B.extract(F, list(range(self.B.cols)))  # B_R is the identity
        M0 = self.M.extract(F, F) - gain * self.M.extract(R, F)
        U0 = self.U.extract(F, F) - gain * self.U.extract(R, F)
        return M0, U0

    def simplified(self, level: int, progress: Callable[[float], None] | None = None) -> Equations:
        """The same equations, shorter: see `supple.equations`."""
        from .shortening.simplify import simplified

        return simplified(self, options.level(level), options.callback(progress))

    def without(self, tolerance: float) -> Equations:
        """Terms below `tolerance` of their entry's largest value left out, and listed.

        The equations never get longer: where they would, all terms stay and a note says so.
        """
        from .shortening.left_out import without_small_terms

        return without_small_terms(self, options.share(tolerance, "0 < drop < 1"))

    def pretty(self, limit: int | None = None, abbreviate: bool = False) -> str:
        """The equations as text; abbreviate: common terms get names t0, t1, ..."""
        from .writing.plain_text import pretty

        return pretty(self, limit, options.flag(abbreviate, "abbreviate"))

    def latex(self, limit: int | None = None, abbreviate: bool = False) -> str:
        """A LaTeX document that compiles as it is, on lines that fit A4 and letter paper;
        abbreviate: common terms get names t_0, t_1, ..."""
        from .writing.latex import document

        return document(self, limit, options.flag(abbreviate, "abbreviate"))

    def code(self, language: str, name: str | None = None) -> str:
        """A function in python, c, julia, matlab or mathematica: (q, qd, parameters) -> M, D, ...

        name: of the function; default: the robot's, with _equations. A MATLAB file must be
        called as its function is.
        """
        from .writing.code import source

        return source(self, language, name)

    def table(self) -> list[tuple[str, float, str, str]]:
        """Parameters: name, value, closed form, meaning."""
        return [(p.name, p.value, p.exact, p.meaning) for p in self.parameters]

    def mapped(self, change: Change) -> Equations:
        """Every expression e of matrix `name` replaced by change(name, i, j, e)."""
        new = {}
        for name in MATRICES:
            X = getattr(self, name)
            new[name] = sympy.ImmutableMatrix(
                X.rows, X.cols, lambda i, j, X=X, name=name: change(name, i, j, X[i, j])
            )
        return replace(self, **new)
