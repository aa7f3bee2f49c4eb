"""supple.compile: a quantity of a robot as native code."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial

import numpy as np
from numpy.typing import DTypeLike

from ..checks import WITH_INERTIA, check_robot, indefinite_words, names as checked_names
from ..errors import InputError, brief
from ..frozen import FrozenDict
from ..loops.rows import settled
from ..model.parameters import parameter_value
from ..robot import Robot
from ..tracer import Function, cache, make
from ..tracer.checked_call import Why
from ..types import Floats
from .choose import choose_recipe
from .fingerprint import fingerprint, motion_fingerprint
from .quantities import (
    BEAMS,
    PARAMETERS,
    check_quantity,
    check_wrenches,
    example_station,
    wrench_arguments,
)
from .request import Request


def compile(
    robot: Robot,
    what: str,
    *,
    station: str | None = None,
    parameters: Sequence[str] = (),
    wrenches: Sequence[str] = (),
    unroll: bool | None = None,
    dtype: DTypeLike = "float64",
) -> Function:
    """A quantity of the robot as native code, e.g. compile(robot, "forward_dynamics").

    The recursion is traced once for this robot; the result is called on arrays, batched over
    many states, differentiated, counted, or written out as source. Code is kept on disk
    (`supple cache`), so the next process has it at once.

    `parameters` names numbers of the robot's model ("upper.beam.mass", "elbow.stiffness",
    "gravity.2"); their values become one more argument, in this order, and the function may be
    differentiated with respect to "parameters".

    `wrenches` names stations where external wrenches act on the robot (forward and inverse
    dynamics, bias force, multipliers, section forces): each becomes an argument of six numbers
    [n; f] in world axes, as `external` takes them, after the quantity's own ones and before the
    parameters.

    Short robots become straight-line code, long ones a scan: a loop over their links. `unroll`
    decides it for you: True for straight-line code, False for a scan.

    dtype="float32": all numbers have seven digits instead of sixteen, and a batch takes twice as
    many states at once; straight-line code only.

    Accelerations and inverses of inertia of `linearized` kinematics are refused, as those in NumPy
    are, where the mass matrix is not positive definite; in a batch such a state becomes NaN.
    """
    real = _real(dtype)
    names, loads = _checked(robot, what, station, parameters, wrenches, unroll)
    robot = settled(robot)
    request = Request(robot, what, station, names, loads)
    recipe = choose_recipe(request, unroll, real)
    model = fingerprint((names, robot.spec)) if names else b""
    stations = (*([] if station is None else [station]), *loads)
    motion = motion_fingerprint(robot, stations, wrench_arguments(loads))
    # a beam has no name but what it gives: its shapes may be any functions
    beam = recipe.trace().program().digest if what in BEAMS else ""
    key = cache.key(motion, what, type(recipe).__name__, model, beam, real)
    tail = "" if station is None else "_" + "".join(c if c.isalnum() else "_" for c in station)
    out = make(what + tail, key, recipe, _why(request))
    out.parameters = FrozenDict((name, parameter_value(robot, name)) for name in names)
    again = partial(compile, station=station, parameters=names, wrenches=loads, unroll=unroll)
    out.made_by = partial(again, dtype=real), (robot, what)
    return out


def _real(dtype: object) -> str:
    """The name of a dtype that code can be made for."""
    if isinstance(dtype, str | type | np.dtype):
        with suppress(TypeError, ValueError):
            found = np.dtype(dtype).name
            if found in ("float64", "float32"):
                return found
    raise InputError(f"dtype is {brief(dtype)}; it may be 'float64' or 'float32'")


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


def _checked(
    robot: Robot,
    what: str,
    station: str | None,
    parameters: object,
    wrenches: object,
    unroll: object,
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of parameters and of stations, if all that was asked makes sense."""
    check_robot(robot)
    if unroll is not None and not isinstance(unroll, bool):
        raise InputError(f"unroll is {brief(unroll)}; it may be True, False or None")
    check_quantity(robot, what, station)
    check_robot(robot, what)
    found = checked_names(parameters, "parameters", '["gravity.2"]')
    for name in found:
        parameter_value(robot, name)
    if found and what in BEAMS:
        raise InputError(f"{what!r} takes no parameters: numbers of its beam are built in")
    loads = checked_names(wrenches, "wrenches", f'["{example_station(robot)}"]')
    check_wrenches(robot, what, loads)
    return found, loads
