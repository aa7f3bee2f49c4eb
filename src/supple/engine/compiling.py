"""supple.compile: a quantity of a robot as native code."""

from __future__ import annotations

from collections.abc import Sequence

from ..checks import WITH_INERTIA, check_robot, indefinite_words, names as checked_names
from ..errors import InputError, brief
from ..loops.rows import settled
from ..model.parameters import parameter_value
from ..robot import Robot
from ..tracer import Function, cache, make
from ..tracer.function import Why
from ..types import Floats
from .choose import choose_recipe
from .fingerprint import fingerprint, motion_fingerprint
from .quantities import PARAMETERS, check_quantity
from .request import Request


def compile(
    robot: Robot,
    what: str,
    *,
    station: str | None = None,
    parameters: Sequence[str] = (),
    unroll: bool | None = None,
) -> Function:
    """A quantity of the robot as native code, e.g. compile(robot, "forward_dynamics").

    The recursion is traced once for this robot; the result is called on arrays, batched over
    many states, differentiated, counted, or written out as source. Code is kept on disk
    (`supple cache`), so the next process has it at once.

    `parameters` names numbers of the robot's model ("upper.beam.mass", "elbow.stiffness",
    "gravity.2"); their values become one more argument, in this order, and the function may be
    differentiated with respect to "parameters".

    Short robots become straight-line code, long ones a scan: a loop over their links. `unroll`
    decides it for you: True for straight-line code, False for a scan.

    Accelerations and inverses of inertia of `linearized` kinematics are refused, as those in NumPy
    are, where the mass matrix is not positive definite; in a batch such a state becomes NaN.
    """
    names = _checked(robot, what, station, parameters, unroll)
    robot = settled(robot)
    request = Request(robot, what, station, names)
    recipe = choose_recipe(request, unroll)
    model = fingerprint((names, robot.spec)) if names else b""
    motion = motion_fingerprint(robot, station)
    key = cache.key(motion, what, type(recipe).__name__, model)
    tail = "" if station is None else "_" + "".join(c if c.isalnum() else "_" for c in station)
    out = make(what + tail, key, recipe, _why(request))
    out.parameters = {name: parameter_value(robot, name) for name in names}
    out.made_by = (_again, (robot, what, station, names, unroll))
    return out


def _why(request: Request) -> Why | None:
    """What to say of a result that is none: where M, linearised, is not positive definite. It is
    factored by other ways here and there, so what is nearly zero in one counts as zero."""
    if not request.robot.kinematics.small or request.what not in WITH_INERTIA:
        return None

    def words(given: dict[str, Floats]) -> str:
        values = given.get(PARAMETERS)
        robot = request.robot if values is None else request.dependence.at(values)
        found = indefinite_words(robot, given["q"], share=1e-9)
        return f"q of {robot.name}: {found}" if found else ""

    return words


def _again(
    robot: Robot, what: str, station: str | None, names: tuple[str, ...], unroll: bool | None
) -> Function:
    """What a pickled function comes back by."""
    return compile(robot, what, station=station, parameters=names, unroll=unroll)


def _checked(
    robot: Robot, what: str, station: str | None, parameters: object, unroll: object
) -> tuple[str, ...]:
    """The parameters' names, if all that was asked makes sense."""
    check_robot(robot)
    if unroll is not None and not isinstance(unroll, bool):
        raise InputError(f"unroll is {brief(unroll)}; it may be True, False or None")
    check_quantity(robot, what, station)
    check_robot(robot, what)
    found = checked_names(parameters, "parameters", '["gravity.2"]')
    for name in found:
        parameter_value(robot, name)
    return found
