"""Words of the command line that mean numbers: one meaning in every command."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from ..robot import Robot
    from ..types import Floats

Q = typer.Option(
    [],
    "--q",
    help="Joint positions, or all coordinates: numbers with commas (pi and deg allowed), or "
    "NAME=VALUE, the others at zero. Repeatable.",
)


def joint_values(robot: Robot, words: str | Sequence[str]) -> Floats:
    """joint_values(robot, words of --q) -> configuration q (nq,).

    words: "0.3,-30*deg,pi/2" (all joint positions, shapes at zero; or all coordinates), or
    "elbow=30*deg" pairs with commas or one by one, what is not named stays neutral. No words:
    the neutral configuration. Quaternions are made unit ones.
    """
    from ..checks import configuration

    texts = [words] if isinstance(words, str) else list(words)
    parts = [part.strip() for text in texts for part in text.split(",") if text.strip()]
    named = ["=" in part for part in parts]
    q = robot.neutral()
    if parts and all(named):
        _put_named(robot, q, parts)
    elif parts:
        if any(named):
            raise _refused(texts, "numbers and NAME=VALUE do not go together")
        _put_all(robot, q, texts, parts)
    return robot.normalized(configuration(robot, q))


def numbers(option: str, text: str) -> list[float]:
    """Numbers with commas; each may be arithmetic with pi and deg."""
    from ..errors import InputError
    from ..model.spec import number

    values = [number(part) for part in text.split(",")]
    if not all(isinstance(value, float) for value in values):
        raise InputError(f"{option} {text!r}: expected numbers separated by commas")
    return values


def _put_named(robot: Robot, q: Floats, parts: list[str]) -> None:
    from ..errors import unknown_name

    names, seen = list(robot.coordinate_names), set()
    for part in parts:
        name, _, value = part.partition("=")
        name = name.strip()
        if name not in names:
            raise unknown_name("coordinate", name, names, where=f"robot {robot.name} (--q)")
        if name in seen:
            raise _refused([part], f"{name} is given twice")
        seen.add(name)
        q[names.index(name)] = _one(part, value)


def _one(part: str, value: str) -> float:
    from ..errors import InputError
    from ..model.spec import number

    found = number(value)
    if not isinstance(found, float):
        raise InputError(f"--q {part!r}: expected NAME=VALUE, e.g. elbow=30*deg")
    return found


def _put_all(robot: Robot, q: Floats, texts: list[str], parts: list[str]) -> None:
    from ..errors import InputError

    values = numbers("--q", ",".join(parts))
    places = [i for link in robot.links for i in range(link.q.start, link.q.stop)]
    if len(values) == robot.nq:
        q[:] = values
    elif len(values) == len(places):
        q[places] = values
    else:
        joints = ", ".join(robot.coordinate_names[i] for i in places[:12])
        more = ", ..." if len(places) > 12 else ""
        raise InputError(
            f"--q {','.join(texts)!r}: got {len(values)} numbers; {robot.name} has {len(places)} "
            f"joint positions ({joints}{more}) and {robot.nq} coordinates in all"
        )


def _refused(texts: Sequence[str], why: str) -> Exception:
    from ..errors import InputError

    return InputError(
        f"--q {','.join(texts)!r}: {why}; give all joint positions, e.g. --q 0.3,-30*deg, or "
        f"some by name, e.g. --q elbow=30*deg"
    )
