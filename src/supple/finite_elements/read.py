"""From files to a part, which is cached: a model that is built again does not reduce it again."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from ..bodies import Body, Station
from ..types import Floats
from .methods import DEFAULT_METHOD, DEFAULT_MODES
from .part import Part, anchored, shifted
from .sid import Sid
from .sid_body import body_of_sid
from .sid_text import parse_sid
from .sources import MeshFiles, read_mesh
from .sources.reading import refuse, text_of

SIDS = (".sid", ".sid_fem")
Nodes = int | tuple[int, ...] | str


@dataclass(frozen=True)
class PartRequest:
    """What a model asks of its files."""

    file: Path
    mass: Path | None = None
    nodes: Path | None = None
    freedoms: Path | None = None
    stiffening: tuple[tuple[str, Path], ...] = ()
    root: Nodes | None = None
    stations: tuple[tuple[str, Nodes], ...] = ()
    method: str = DEFAULT_METHOD
    modes: int | None = None
    keep: int | None = None
    units: tuple[float, float] = (1.0, 1.0)
    stamps: tuple[tuple[int, int], ...] = field(default=(), repr=False)  # of the files' contents

    @property
    def files(self) -> list[Path]:
        named = [self.file, self.mass, self.nodes, self.freedoms]
        beside = [self.file.with_suffix(x) for x in (".mas", ".inp", ".dof")]
        return [x for x in (*named, *beside, *dict(self.stiffening).values()) if x is not None]

    def stamped(self) -> PartRequest:
        """With the times and sizes of its files."""
        found = [x.stat() for x in self.files if x.is_file()]
        return replace(self, stamps=tuple((x.st_mtime_ns, x.st_size) for x in found))


def read_part(request: PartRequest) -> Part:
    """The part, reduced; ModelError where the files give none."""
    return _read(request.stamped())


@lru_cache(maxsize=32)
def _read(x: PartRequest) -> Part:
    with np.errstate(all="ignore"):
        if x.file.suffix.lower() in SIDS:
            return _sid_part(x)
        return _mesh_part(x)


def _mesh_part(x: PartRequest) -> Part:
    from .mesh_body import mesh_part

    mesh = read_mesh(MeshFiles(x.file, x.mass, x.nodes, x.freedoms, dict(x.stiffening), *x.units))
    root = x.root if x.root is not None else ("root" if "root" in mesh.sets else None)
    if root is None:
        mesh.stop("matrices need root: the nodes that sit on the joint", "e.g. root: [1, 2, 3]")
    stations: dict[str, Nodes] = dict(x.stations)
    if not stations and "tip" in mesh.sets:
        stations = {"tip": "tip"}
    modes = DEFAULT_MODES if x.modes is None else x.modes
    return mesh_part(mesh, root, stations, x.method, modes, x.keep)


def _sid_part(x: PartRequest) -> Part:
    none = PartRequest(x.file)
    keys = ("mass", "nodes", "freedoms", "stiffening", "method", "units")
    given = ", ".join(k for k in keys if getattr(x, k) != getattr(none, k))
    if given:
        refuse(x.file, f"{given} given, but this file holds the whole body", f"leave out {given}")
    sid = parse_sid(text_of(x.file), str(x.file))
    part = body_of_sid(sid)
    body, notes = part.body, [*part.notes]
    stations = {k: s for k, s in body.stations.items() if k in ("root", "tip")}
    stations |= {name: _sid_node(x.file, sid, body, at) for name, at in x.stations}
    if x.root is not None:
        stations["root"] = _sid_node(x.file, sid, body, x.root)
    body = body.changed(stations=stations)
    bare = [k for k, s in stations.items() if np.any(s.S) and not np.any(s.S2)]
    if part.stiffens and bare:
        notes.append(
            f"geometric stiffening by forces at {', '.join(bare)} is missing (phi, order 1)"
        )
    if "root" in stations and np.any(stations["root"].S):
        notes.append("shapes move the root: they are taken relative to it, to first order")
        body = anchored(body, stations["root"])
        part = replace(part, stiffens=False)
    elif "root" in stations and np.any(np.abs(stations["root"].Theta) > 1e-12):
        body = replace(body, root_slope=stations["root"].Theta)
    if x.root is not None:
        body = shifted(body, -body.stations["root"].r0)
    for count in (x.modes, x.keep):
        body = body if count is None else fewer(body, count)
    return replace(part, body=body, notes=tuple(notes))


def _sid_node(path: Path, sid: Sid, body: Body, nodes: Nodes) -> Station:
    """A node by its number, or the mean of several."""
    known = {node.id: f"node{node.id}".replace(" ", "_").replace(".", "_") for node in sid.nodes}
    wanted = [str(n) for n in (nodes if isinstance(nodes, tuple) else (nodes,))]
    for name in wanted:
        if name not in known:
            shown = ", ".join(list(known)[:10]) + (", ..." if len(known) > 10 else "")
            refuse(path, f"there is no node {name}", f"nodes are: {shown or 'none'}")
    found = [body.stations[known[name]] for name in wanted]
    return found[0] if len(found) == 1 else _mean(found)


def _mean(nodes: list[Station]) -> Station:
    """The motion that fits those of the nodes best (`reduction`)."""
    from ..screws import skew

    x = np.mean([s.r0 for s in nodes], axis=0)
    A = np.concatenate([np.hstack([np.eye(3), -skew(s.r0 - x)]) for s in nodes])
    C = np.linalg.pinv(A, rcond=1e-9)

    def fitted(rows: list[Floats]) -> Floats:
        return np.asarray(np.tensordot(C, np.concatenate(rows), 1))

    both = fitted([s.S.T for s in nodes])  # (6, m)
    turns = np.linalg.matrix_rank(A, tol=1e-9 * np.abs(A).max()) == 6
    Theta = both[3:].T if turns else np.mean([s.Theta for s in nodes], axis=0)
    S2 = np.mean([s.S2 for s in nodes], axis=0)
    return Station(x, both[:3].T, Theta, R0=nodes[0].R0, S2=S2)


def fewer(body: Body, count: int) -> Body:
    """The body with its first shapes alone."""
    k = slice(0, count)
    slope = body.root_slope

    def cut(s: Station) -> Station:
        return replace(s, S=s.S[k], Theta=s.Theta[k], S2=s.S2[k, k], Theta2=s.Theta2[k, k])

    return body.changed(
        **{name: getattr(body, name)[k] for name in ("c1", "N0")},
        **{name: getattr(body, name)[k, k] for name in ("c2", "P", "Q", "Mdd", "K", "D")},
        stations={name: cut(s) for name, s in body.stations.items()},
        shape_names=body.shape_names[k],
        root_slope=None if slope is None else slope[k],
    )
