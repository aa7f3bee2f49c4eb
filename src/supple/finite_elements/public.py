"""For everyday use: a part read from its files, and a link written as Standard Input Data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from ..bodies import Station, turned
from ..checks import check_robot, file_name
from ..errors import FileError, InputError, brief
from ..files import check_target, write_whole
from ..robot import Robot
from .limits import MOST_SHAPES
from .methods import DEFAULT_METHOD, METHODS
from .part import Part
from .read import PartRequest, read_part
from .sid_body import sid_of_body
from .sid_text import sid_text

File = str | Path
NodeSet = int | Sequence[int] | str


def load_part(
    file: File,
    *,
    mass: File | None = None,
    nodes: File | None = None,
    freedoms: File | None = None,
    root: NodeSet | None = None,
    stations: Mapping[str, NodeSet] | None = None,
    method: str = DEFAULT_METHOD,
    modes: int | None = None,
    keep: int | None = None,
) -> Part:
    """A body from a finite-element program, as the key `body` of a model takes it: Standard Input
    Data, or matrices that are reduced here. `print(part)` shows what was read."""
    _check_reduction(method, modes, keep)
    if not (stations is None or isinstance(stations, Mapping)):
        raise InputError(f"stations is {brief(stations)}; it must map names to nodes")
    named = tuple((str(k), _nodes(v, f"station {k}")) for k, v in (stations or {}).items())
    request = PartRequest(
        _path(file),
        mass=None if mass is None else _path(mass),
        nodes=None if nodes is None else _path(nodes),
        freedoms=None if freedoms is None else _path(freedoms),
        root=None if root is None else _nodes(root, "root"),
        stations=named,
        method=method,
        modes=None if modes is None else int(modes),
        keep=None if keep is None else int(keep),
    )
    try:
        return read_part(request)
    except (ArithmeticError, np.linalg.LinAlgError, MemoryError):
        raise InputError(
            f"the numbers of {file} are too large or too small to compute with"
        ) from None


def _check_reduction(method: str, modes: int | None, keep: int | None) -> None:
    if not isinstance(method, str) or method not in METHODS:
        raise InputError(f"method is {brief(method)}; it must be {', '.join(METHODS)}")
    for name, count, least, most in (("modes", modes, 0, 60), ("keep", keep, 1, MOST_SHAPES)):
        if count is not None and not (_whole(count) and least <= int(count) <= most):
            allowed = f"a whole number, {least} to {most}"
            raise InputError(f"{name} is {brief(count)}; it must be {allowed}")


def _path(file: object) -> Path:
    path = file_name(file, "read")
    if not path.is_file():
        raise FileError(f"cannot read {path}: there is no such file")
    return path


def _whole(x: object) -> bool:
    return isinstance(x, int | np.integer) and not isinstance(x, bool)


def _nodes(x: object, what: str) -> int | tuple[int, ...] | str:
    if isinstance(x, str):
        return x
    if _whole(x):
        return int(x)  # type: ignore[call-overload,no-any-return]
    if isinstance(x, list | tuple | np.ndarray) and len(x) and all(_whole(n) for n in x):
        return tuple(int(n) for n in x)
    raise InputError(
        f"{what} is {brief(x)}; it must be a node's number, a list of them, or a set's name"
    )


def write_sid(robot: Robot, link: str, path: File, exact: bool = True) -> Path:
    """Write a link's body as Standard Input Data, in the link's axes, and give the path.

    Nodes are its stations, the root first and the tip last; those with an offset from the elastic
    line, and parts that ride on it as links of their own, are left out. `exact`: with two blocks
    that Supple adds, Pe and Ee, so that it reads back the same body; other programs may not know
    them."""
    check_robot(robot)
    if not isinstance(exact, bool | np.bool_):
        raise InputError(f"exact is {brief(exact)}; it must be True or False")
    target = check_target(path, (".sid", ".sid_fem"))
    i = robot.index(link)
    body = turned(robot.links[i].body, robot.links[i].frame)
    stations = _nodes_of(dict(body.stations))
    words = ", ".join(f"{n + 1} {name}" for n, name in enumerate(stations))
    text = sid_text(
        sid_of_body(body, stations, exact), (f"{robot.name} {link}, by Supple; nodes: {words}",)
    )
    write_whole(target, text)
    return target


def _nodes_of(stations: dict[str, Station]) -> dict[str, Station]:
    """Bare nodes, root first and tip last."""
    bare = {n: s for n, s in stations.items() if not np.any(s.rho) and n != "origin"}
    first = {"root": bare.pop("root", stations["origin"])}
    last = {"tip": bare.pop("tip")} if "tip" in bare else {}
    return first | bare | last
