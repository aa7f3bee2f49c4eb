"""All plots by name: what `supple.plot`, `supple plot` and the guide know.

A plot is a function that takes a run or a robot, and its options by name, and gives a figure.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import InputError, brief, unknown_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..robot import Robot
    from ..simulation import Result
    from ..types import Floats


@dataclass(frozen=True)
class Kind:
    """A plot: its name, what it shows, and the function that draws it."""

    name: str
    meaning: str
    draw: Callable[..., Figure]

    @property
    def options(self) -> tuple[str, ...]:
        return tuple(signature(self.draw).parameters)[1:-1]  # between the source and the width


def _overview(run: Result, *, width: str) -> Figure:
    from .plots import overview

    return overview(run, width=width)


def _history(what: str) -> Callable[..., Figure]:
    def draw(run: Result, *, width: str) -> Figure:
        from .plots import history

        return history(run, what, width=width)

    return draw


def _run_power(run: Result, *, width: str) -> Figure:
    from ..studies import energy_study
    from .energy import power

    return power(energy_study(run), width=width)


def _run_energy(run: Result, *, width: str) -> Figure:
    from ..studies import energy_study
    from .energy import picture

    return picture(energy_study(run), width=width)


def _spectrum(run: Result, *, width: str) -> Figure:
    from .spectrum import spectrum

    return spectrum(run, width=width)


def _run_sticks(
    run: Result, *, frames: int = 7, plane: str = "auto", magnify: float = 1.0, width: str
) -> Figure:
    from ..studies.energy import robot_of
    from .stick_figures import sticks

    look = {"frames": frames, "plane": plane, "magnify": magnify}
    return sticks(robot_of(run), run.time, run["q"], **look, width=width)


def _modes(
    robot: Robot,
    *,
    q: Floats | None = None,
    free: bool = False,
    count: int = 6,
    plane: str = "auto",
    width: str,
) -> Figure:
    from ..checks import flag
    from .mode_shapes import modes

    return modes(robot, q, locked=not flag(free, "free"), count=count, plane=plane, width=width)


def _shapes(robot: Robot, *, width: str) -> Figure:
    from .shape_functions import shapes

    return shapes(robot, width=width)


def _convergence(
    robot: Robot, *, q: Floats | None = None, count: int = 5, most: int = 6, width: str
) -> Figure:
    from .convergence import convergence

    return convergence(robot, q, count=count, most=most, width=width)


def _frequency(
    robot: Robot, *, q: Floats | None = None, joint: str = "", count: int = 8, width: str
) -> Figure:
    from .frequency import frequency

    return frequency(robot, joint, q=q, count=count, width=width)


def _robot_sticks(
    robot: Robot, *, frames: int = 7, plane: str = "auto", magnify: float = 1.0, width: str
) -> Figure:
    from ..simulation import simulate
    from .stick_figures import checked_look, sticks

    checked_look(frames, plane, magnify)
    motion = next(iter(robot.motions), None)
    run = simulate(robot, motion=motion) if motion else simulate(robot, duration=1.0)
    look = {"frames": frames, "plane": plane, "magnify": magnify}
    return sticks(robot, run.time, run["q"], **look, width=width)


def _robot_torque(robot: Robot, *, width: str) -> Figure:
    from ..studies import inverse_along
    from .torques import picture

    return picture(inverse_along(robot), width=width)


def _statics(robot: Robot, *, q: Floats | None = None, width: str) -> Figure:
    from ..analyse import statics
    from .statics import picture

    return picture(statics(robot, q), width=width)


def _bode(robot: Robot, *, q: Floats | None = None, width: str) -> Figure:
    from ..analyse import linearise

    places = [i for link in robot.links for i in range(link.q.start, link.q.stop)]
    return linearise(robot, None if q is None else q[places]).bode(width=width)


def _campbell(robot: Robot, *, joint: str = "", width: str) -> Figure:
    import numpy as np

    from ..analyse import campbell

    turning = joint or next((x.joint_name for x in robot.links if x.joint.nv == 1), "")
    return campbell(robot, turning, np.linspace(0.0, 10.0, 25)).plot(width=width)


RUN = (
    Kind("overview", "joints, torques, deflections, amplitudes and energies", _overview),
    Kind("joints", "joint angles and positions, dashed: the desired ones", _history("joints")),
    Kind("torque", "torques and forces of joints, reactions", _history("torque")),
    Kind("power", "what each motor gives", _run_power),
    Kind("energy", "power, energy given, stored in bending and lost", _run_energy),
    Kind("balance", "all energies since the start", _history("balance")),
    Kind("deflection", "deflections of the tips, in link axes", _history("deflection")),
    Kind("amplitude", "modal amplitudes", _history("amplitude")),
    Kind("spectrum", "modal amplitudes over frequency", _spectrum),
    Kind("cuts", "forces and moments at the cuts of closed chains", _history("cuts")),
    Kind("sticks", "stick figures in time, bent links as curves", _run_sticks),
)
ROBOT = (
    Kind("modes", "natural modes as bent robots", _modes),
    Kind("shapes", "the shape functions of its links", _shapes),
    Kind("convergence", "frequencies over the number of shapes", _convergence),
    Kind("frequency", "natural frequencies over a joint's position", _frequency),
    Kind("sticks", "stick figures along its motion", _robot_sticks),
    Kind("torque", "torques and powers along its motion, rigid and bending", _robot_torque),
    Kind("statics", "bent shape, curvature and moments at rest", _statics),
    Kind("bode", "gain and phase; supple bode has more options", _bode),
    Kind("campbell", "frequencies over speed; supple campbell has more options", _campbell),
)
"""Maps of a workspace need axes: `supple map`, `WorkspaceMap.plot`."""


def kinds_of(source: Robot | Result) -> dict[str, Kind]:
    """The plots of a run or of a robot, by name."""
    from ..robot import Robot
    from ..simulation import Result

    if not isinstance(source, Robot | Result):
        raise InputError(f"a plot is of a robot or of a run (a Result), not of {brief(source)}")
    return {kind.name: kind for kind in (RUN if isinstance(source, Result) else ROBOT)}


def plot(
    source: Robot | Result,
    kind: str,
    path: str | Path | None = None,
    *,
    width: str = "screen",
    **options: object,
) -> Figure | Path:
    """A plot by its name, e.g. plot(run, "torque", "torque.pdf", width="single") or
    plot(robot, "modes", q=q, count=4); saved when a path is given (.png, .pdf, .svg), else the
    matplotlib Figure is returned.

    Of runs: overview, joints, torque, power, energy, balance, deflection, amplitude, spectrum,
    cuts, sticks. Of robots: modes, shapes, convergence, frequency, sticks, torque, statics, bode,
    campbell. width: screen, double (7.16 in) or single (3.5 in), as columns of journals are.
    """
    from ..checks import configuration
    from ..files import drawn
    from .style import PAGES

    kinds = kinds_of(source)
    if not isinstance(kind, str) or kind not in kinds:
        what = "run" if kinds.get("overview") else "robot"
        raise unknown_name(f"plot of a {what}", kind, kinds)
    if not isinstance(width, str) or width not in PAGES:
        raise unknown_name("width of a figure", width, PAGES)
    chosen = kinds[kind]
    for name in options:
        if name not in chosen.options:
            raise unknown_name("option", name, chosen.options, where=f"plot {kind}")
    if options.get("q") is not None:
        options["q"] = configuration(source, options["q"])  # type: ignore[arg-type]
    return drawn(path, lambda: chosen.draw(source, **options, width=width))
