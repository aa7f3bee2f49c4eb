"""Words of the command line that mean numbers: one meaning in every command."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ..errors import InputError, unknown_name

if TYPE_CHECKING:
    from ..robot import Robot
    from ..types import Floats

ROBOT = typer.Argument(help="A shipped name, or a model file.")
KINEMATICS = typer.Option(None, help="Elastic kinematics, e.g. first_order.")
Q = typer.Option(
    [],
    "--q",
    help="Joint positions, or all coordinates: numbers with commas (pi and deg allowed), or "
    "NAME=VALUE, the others at zero or where the loops put them. Repeatable.",
)


def positions(
    robot: Robot, words: str | Sequence[str], option: str = "--q"
) -> Floats | dict[str, float] | None:
    """What an option says of coordinates, as the functions take it that the command stands for:
    numbers ("0.3,-30*deg,pi/2", of all joints or of all coordinates, quaternions made unit ones)
    or values by name ("elbow=30*deg", with commas or one by one); None without words."""
    places = [i for link in robot.links for i in range(link.q.start, link.q.stop)]
    kind = _Kind(option, robot.name, robot.coordinate_names, places, "positions", "coordinates")
    found = _read(kind, words)
    if found is None or isinstance(found, dict) or len(found) != robot.nq:
        return found
    return robot.normalized(found)


def rates_by_name(words: Sequence[str]) -> dict[str, float]:
    """JOINT=RATE of --rate."""
    from ..model.spec import number

    out = {}
    for text in words:
        name, _, value = text.partition("=")
        rate = number(value)
        if not isinstance(rate, float) or not name.strip():
            raise InputError(f"--rate {text!r}: expected JOINT=RATE, e.g. hub=6")
        out[name.strip()] = rate
    return out


def start_rates(
    robot: Robot, words: str | Sequence[str], option: str = "--qd0"
) -> Floats | dict[str, float] | None:
    """The same for rates at the start of a run."""
    places = list(robot.joint_indices)
    return _read(_Kind(option, robot.name, robot.velocity_names, places, "rates", "rates"), words)


def chosen_robot(name: str, kinematics: str | None) -> Robot:
    """The robot of this name or file, with other elastic kinematics where some are given."""
    from ..model import load

    robot = load(name)
    return robot if kinematics is None else robot.replace(elastic_kinematics=kinematics)


def wrenches(words: Sequence[str]) -> dict[str, list[float]]:
    """STATION=numbers of --load, by station."""
    return {where: numbers("--load", text) for where, text in pairs("--load", words)}


def check_figure(path: Path | None, width: str) -> None:
    """Say before the work that a figure cannot be written, or not so wide."""
    from ..files import PLOTS
    from ..view.style import PAGES

    if width not in PAGES:
        raise unknown_name("--width", width, PAGES)
    check_file(path, PLOTS)


def check_file(path: Path | None, kinds: tuple[str, ...]) -> None:
    """Say before the work that a file cannot be written."""
    from ..files import check_target

    if path is not None:
        check_target(path, kinds)


def numbers(option: str, text: str) -> list[float]:
    """Numbers with commas; each may be arithmetic with pi and deg."""
    from ..model.spec import number

    parts = text.split(",")
    values = [value for value in map(number, parts) if isinstance(value, float)]
    if len(values) < len(parts):
        raise InputError(f"{option} {text!r}: expected numbers separated by commas")
    return values


def number_between(option: str, value: int, least: int, most: int) -> int:
    """A whole number in its range."""
    if not least <= value <= most:
        raise InputError(f"{option} {value}: expected a whole number, {least} to {most}")
    return value


def pairs(option: str, words: Sequence[str]) -> list[tuple[str, str]]:
    """STATION=numbers, each station once."""
    out: list[tuple[str, str]] = []
    for text in words:
        where, mark, rest = (part.strip() for part in text.partition("="))
        if not mark or not where:
            raise InputError(f"{option} {text!r}: expected STATION=numbers, e.g. link3.tip=0,-5,0")
        if where in dict(out):
            raise InputError(f"{option} names station {where} twice; give it once")
        out.append((where, rest))
    return out


@dataclass(frozen=True)
class _Kind:
    """What an option's numbers stand for."""

    option: str
    robot: str
    names: tuple[str, ...]
    joints: list[int]  # places of the joints' own numbers
    called: str  # what the joints' are called
    all: str  # and all of them

    def refused(self, given: str, why: str) -> Exception:
        return InputError(
            f"{self.option} {given!r}: {why}; give all joint {self.called}, e.g. {self.option} "
            f"0.3,-30*deg, or some by name, e.g. {self.option} elbow=30*deg"
        )


def _parts(words: str | Sequence[str]) -> list[str]:
    """What stands between the commas."""
    texts = [words] if isinstance(words, str) else list(words)
    return [part.strip() for text in texts for part in text.split(",") if text.strip()]


def _read(kind: _Kind, words: str | Sequence[str]) -> Floats | dict[str, float] | None:
    """Numbers, or values by name, as the words say."""
    texts, parts = [words] if isinstance(words, str) else list(words), _parts(words)
    named = ["=" in part for part in parts]
    if any(named) and not all(named):
        raise kind.refused(",".join(texts), "numbers and NAME=VALUE do not go together")
    if not parts:
        return None
    return _named(kind, parts) if all(named) else _numbers(kind, parts)


def _named(kind: _Kind, parts: list[str]) -> dict[str, float]:
    from ..model.spec import number

    out: dict[str, float] = {}
    for part in parts:
        name, _, value = (word.strip() for word in part.partition("="))
        if name not in kind.names:
            where = f"robot {kind.robot} ({kind.option})"
            raise unknown_name("coordinate", name, kind.names, where=where)
        if name in out:
            raise kind.refused(part, f"{name} is given twice")
        found = number(value)
        if not isinstance(found, float):
            raise kind.refused(part, f"{value or 'nothing'} is no number (30*deg is, 30deg is not)")
        out[name] = found
    return out


def _numbers(kind: _Kind, parts: list[str]) -> Floats:
    import numpy as np

    values = numbers(kind.option, ",".join(parts))
    if len(values) not in (len(kind.names), len(kind.joints)):
        joints = ", ".join(kind.names[i] for i in kind.joints[:12])
        more = ", ..." if len(kind.joints) > 12 else ""
        raise InputError(
            f"{kind.option} {','.join(parts)!r}: got {len(values)} numbers; {kind.robot} has "
            f"{len(kind.joints)} joint {kind.called} ({joints}{more}) and "
            f"{len(kind.names)} {kind.all} in all"
        )
    return np.array(values)
