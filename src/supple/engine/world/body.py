"""The kernel of a plan: stages in order, matrices where all that they need is there."""

from __future__ import annotations

from ...lazy import cached_property
from ...tracer.llvm.kernels import write_program
from ...tracer.llvm.values import REAL, Value, constant
from .emit import Matrix, Writer
from .plan import WorldPlan
from .stages import Stage, SummedFields


class KernelBody:
    """Writes the kernel: stages in order, matrices where all that they need is there."""

    def __init__(self, of: WorldPlan, w: Writer, given: dict[str, Value], out: Value) -> None:
        self.of, self.w, self.b, self.given = of, w, w.b, given
        self.n, self.forward = w.n, of.forward
        self.row = of.width
        self.out = out
        self.room = of.sheet.count * w.stride

    def _matrix(self, number: int) -> Matrix:
        """In the work space."""
        at = self.room + number * self.n * self.w.wide
        return Matrix(self.b.at(self.w.work, at), self.w.wide, exact=False)

    def _section(self, name: str) -> Matrix:
        """Of the result."""
        place = self.of.wrt.index(name) * self.n if name in self.of.wrt else 0
        return Matrix(self.b.at(self.out, place), self.row, exact=True)

    def write(self) -> None:
        w, sheet = self.w, self.of.sheet
        for name, array in self.given.items():
            if name in sheet.start:
                w.copy(name, array)
        w.set_world("R", [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0])
        w.set_world("p", [0.0] * 3)
        if "V" in sheet.start:
            w.set_world("V", [0.0] * 6)
            w.set_world("A", [0.0, 0.0, 0.0, *-self.of.robot.gravity])
        if "dA" in sheet.start:
            w.set_world("dA", [0.0] * 6)
        slopes = self._passive_slopes() if "V" in sheet.start else {}
        for stage in sheet.stages:
            if isinstance(stage, Stage) and stage is self._answering:
                self._solve()
            w.run(stage)
        if self.of.sloped:
            self._jacobian(slopes)
        elif self.of.inverts:
            self._inverse(self._section("tau"))
        else:
            w.pairs(self.of.pairs["qdd"], self._section("qdd"))
            self._rotors(self._section("qdd"))

    @cached_property
    def _answering(self) -> Stage | SummedFields | None:
        """The stage before which the accelerations must be known."""
        if not self.forward or not self.of.sloped:
            return None
        column = self.of.sheet.start["dA"]
        return next(
            x for x in self.of.sheet.stages if isinstance(x, Stage) and x.stores[0].column == column
        )

    def _passive_slopes(self) -> dict[str, list[Value | None]]:
        made, b, n = self.of.passive, self.b, self.n
        if made is None:
            return {}
        arrays = [self.given["q"], self.given["qd"]]
        values = write_program(b, made, lambda a, place: b.load(REAL, b.at(arrays[a], place)))
        (column,) = self.of.sheet.columns("passive")
        for i in range(n):
            b.store(values[i], self.w.at(column, i))
        parts = {"q": slice(n, 2 * n), "qd": slice(2 * n, 3 * n)}
        return {
            name: [
                value if end != 0.0 or isinstance(end, int) else None
                for value, end in zip(values[part], made.outputs[part], strict=True)
            ]
            for name, part in parts.items()
        }

    def _rotors(self, to: Matrix) -> None:
        rotors = [float(x.drive.rotor_inertia) for x in self.of.robot.links]
        self.w.add_diagonal(to, [constant(x) if x else None for x in rotors])

    def _inverse(self, to: Matrix) -> None:
        """Of the mass matrix."""
        room = [self._matrix(k) for k in (1, 2, 3)]
        self.w.pairs(self.of.pairs["U"], room[0])
        (pivots,) = self.of.sheet.columns("pivot")
        self.w.inverse(room, pivots, to)

    def _solve(self) -> None:
        """The accelerations, with all that they need."""
        self._inverse(self._matrix(0))
        (left,), (to,) = (self.of.sheet.columns(x) for x in ("left", "qdd"))
        self.w.times(self._matrix(0), left, to)

    def _jacobian(self, slopes: dict[str, list[Value | None]]) -> None:
        w = self.w
        for number, name in enumerate(("q", "qd")):
            if name not in self.of.wrt:
                continue
            to = self._matrix(1 + number) if self.forward else self._section(name)
            w.pairs(self.of.pairs[name], to)
            w.add_diagonal(to, slopes.get(name, []))
            if self.forward:
                w.product(self._matrix(0), to, self._section(name))
        if self.forward and "tau" in self.of.wrt:
            w.copied(self._matrix(0), self._section("tau"))
        if not self.forward and "qdd" in self.of.wrt:
            w.pairs(self.of.pairs["qdd"], self._section("qdd"))
            self._rotors(self._section("qdd"))
