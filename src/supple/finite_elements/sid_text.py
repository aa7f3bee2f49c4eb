"""SID_FEM files, read and written. A file is lines of `key = value` in blocks that end by name:

    part
      new modal
        refmod ... end refmod           mass, nelastq, ielastq(k) = name of shape k
        frame                           nodes: new node = ID ... end node
        mdCM, J, Ct, Cr, Me, ...        order, nrow, ncol, nq, nqn, structure, m0(i,j), m1(i,k,j)
      end modal
    end part

Lines before `part` are remarks. Every fault is told with its line.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn

from ..errors import Fault, ModelError, brief, did_you_mean
from .limits import MOST_NODES, MOST_SHAPES
from .sid import OWN, SERIES, Sid, SidNode, Taylor

NODE_PARTS = ("origin", "phi", "psi", "AP", "sigma")
_ENTRY = re.compile(r"m([01n])\s*\(([^()]*)\)$")
_NAME = re.compile(r"ielastq\s*\(([^()]*)\)$")
_HEADS = ("order", "nrow", "ncol", "nq", "nqn", "structure")


def parse_sid(text: str, source: str = "body.sid") -> Sid:
    """The text of a file as data, or one ModelError with the line that is wrong."""
    return _Reader(text.splitlines(), source).whole()


@dataclass
class _Reader:
    """Goes through the lines once."""

    lines: list[str]
    source: str
    at: int = 0  # lines taken so far
    m: int = 0
    shapes: dict[int, str] = field(default_factory=dict)

    def stop(self, message: str, help: str = "") -> NoReturn:
        line = min(max(self.at, 1), len(self.lines) or 1)
        text = self.lines[line - 1] if self.lines else ""
        column = len(text) - len(text.lstrip()) + 1
        raise ModelError([Fault(message, (), line, column, text, help)], self.source)

    def next(self, inside: str) -> tuple[str, str]:
        """Key and value of the next line that is not blank."""
        while self.at < len(self.lines):
            self.at += 1
            key, _, value = self.lines[self.at - 1].partition("=")
            if key.strip():
                return " ".join(key.split()), value.strip()
        self.stop(f"the file ends inside {inside}", f"'end {inside}' is missing")

    def block(self, name: str) -> Iterator[tuple[str, str]]:
        """The lines of a block, up to its end."""
        while True:
            key, value = self.next(name)
            if key == f"end {name}":
                return
            if key.startswith("end "):
                self.stop(f"{key!r} stands inside {name}", f"'end {name}' is missing before it")
            yield key, value

    def whole(self) -> Sid:
        while self.at < len(self.lines):
            self.at += 1
            if self.lines[self.at - 1].split() == ["part"]:
                break
        else:
            self.stop(
                "no line says 'part', with which Standard Input Data begin",
                "is this a SID_FEM file, as FEMBS and its like write it?",
            )
        sid = None
        for key, _ in self.block("part"):
            if key not in ("new modal", "modal") or sid is not None:
                self.stop(f"{brief(key)} is not known inside part", "one block 'new modal' is")
            sid = self.modal()
        if sid is None:
            self.stop("part holds no block 'new modal'")
        return sid

    def modal(self) -> Sid:
        mass: float | None = None
        nodes: dict[str, SidNode] | None = None
        parts: dict[str, Taylor] = {}
        for key, _ in self.block("modal"):
            name = key.removeprefix("new ")
            if name == "refmod" and mass is None:
                mass = self.refmod()
            elif mass is None:
                self.stop(f"{brief(key)} comes before refmod, which says how many shapes there are")
            elif name == "frame" and nodes is None:
                nodes = self.frame()
            elif name in (*SERIES, *OWN) and name not in parts:
                parts[name] = self.taylor(name, _sizes(name, self.m))
            elif name in (*SERIES, *OWN, "refmod", "frame"):
                self.stop(f"{name} is given twice")
            else:
                known = ("refmod", "frame", *SERIES)
                self.stop(
                    f"{brief(key)} is not known inside modal",
                    did_you_mean(name, known) or f"there are: {', '.join(known)}",
                )
        if mass is None:
            self.stop("modal holds no refmod with mass and nelastq")
        for name in ("mdCM", "J", "Me", "Ke"):
            if name not in parts and self.m + (name in ("mdCM", "J")):
                self.stop(f"modal holds no {name}", f"given: {', '.join(parts) or 'nothing'}")
        names = tuple(self.shapes.get(k, f"shape {k + 1}") for k in range(self.m))
        return Sid(mass, names, tuple((nodes or {}).values()), parts, self.source)

    def refmod(self) -> float:
        mass, m = None, None
        for key, value in self.block("refmod"):
            if key == "mass":
                mass = self.number(value)
            elif key == "nelastq":
                m = self.whole_number(value, 0, MOST_SHAPES, "nelastq")
            elif found := _NAME.match(key):
                (k,) = self.places(found[1], (m or 0,), "ielastq")
                self.shapes[k] = value
            else:
                self.stop(
                    f"{brief(key)} is not known inside refmod", "mass, nelastq and ielastq(k) are"
                )
        if mass is None or m is None:
            self.stop(f"refmod gives no {'mass' if mass is None else 'nelastq'}")
        if mass <= 0.0:
            self.stop(f"the mass is {mass:g}; it must be above 0")
        self.m = m
        return mass

    def frame(self) -> dict[str, SidNode]:
        out: dict[str, SidNode] = {}
        for key, value in self.block("frame"):
            if key not in ("new node", "node"):
                self.stop(f"{brief(key)} is not known inside frame", "'new node = ID' is")
            if not value or value in out:
                self.stop(f"node {value} is there twice" if value else "a node needs an ID")
            if len(out) >= MOST_NODES:
                self.stop(f"there are more than {MOST_NODES} nodes")
            out[value] = self.node(value)
        return out

    def node(self, name: str) -> SidNode:
        parts: dict[str, Taylor] = {}
        for key, _ in self.block("node"):
            if key == "rframe":
                continue
            if key not in NODE_PARTS or key in parts:
                twice = "is given twice" if key in parts else "is not known"
                self.stop(f"{brief(key)} {twice} in node {name}", f"{', '.join(NODE_PARTS)} are")
            parts[key] = self.taylor(key, _sizes(key, self.m))
        if "origin" not in parts:
            self.stop(f"node {name} has no origin")
        return SidNode(name, parts)

    def taylor(self, name: str, size: tuple[int, int] | None) -> Taylor:
        heads: dict[str, int] = {}
        zero: dict[tuple[int, int], float] = {}
        one: dict[tuple[int, int, int], float] = {}
        for key, value in self.block(name):
            if key in _HEADS:
                heads[key] = self.whole_number(value, 0, 10**6, key)
                continue
            found = _ENTRY.match(key)
            if found is None:
                self.stop(
                    f"{brief(key)} is not known inside {name}",
                    f"{', '.join(_HEADS)}, m0(i,j) and m1(i,k,j) are",
                )
            rows, cols = self.sizes(name, heads, size)
            if found[1] == "0":
                i, j = self.places(found[2], (rows, cols), f"m0 of {name}")
                zero[i, j] = self.number(value)
            elif found[1] == "1":
                i, k, j = self.places(found[2], (rows, self.m, cols), f"m1 of {name}")
                one[i, k, j] = self.number(value)
            else:
                self.stop(f"{name} is of order 2, which cannot be read", "orders 0 and 1 can")
        rows, cols = self.sizes(name, heads, size)
        structure = heads.get("structure", 3)
        if structure > 4:
            self.stop(f"structure of {name} is {structure}; it must be 0 to 4")
        return Taylor(rows, cols, self.m if one else 0, structure, zero, one)

    def sizes(
        self, name: str, heads: dict[str, int], size: tuple[int, int] | None
    ) -> tuple[int, int]:
        given = heads.get("nrow"), heads.get("ncol")
        if None in given:
            self.stop(f"{name} does not say nrow and ncol before its entries")
        rows, cols = int(given[0] or 0), int(given[1] or 0)
        empty = heads.get("structure") == 0 and not rows * cols
        if size is not None and (rows, cols) != size and not empty:
            self.stop(
                f"{name} is {rows} x {cols}; with {self.m} shapes it must be {size[0]} x {size[1]}"
            )
        if size is None and (rows > 4 or cols != 4):
            self.stop(f"{name} is {rows} x {cols}; it must have 4 columns, and 4 rows at most")
        return (rows, cols) if size is None else size

    def number(self, text: str) -> float:
        try:
            value = float(text.replace("D", "E").replace("d", "e"))
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            self.stop(f"input should be a finite number, got {brief(text)}")
        return value

    def whole_number(self, text: str, least: int, most: int, name: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 9):
            self.stop(f"{name} should be a whole number, got {brief(text)}")
        value = int(text)
        if not least <= value <= most:
            self.stop(f"{name} is {value}; it must be {least} to {most}")
        return value

    def places(self, text: str, sizes: tuple[int, ...], name: str) -> tuple[int, ...]:
        """Indices, counted from 0."""
        words = text.split(",")
        if len(words) != len(sizes):
            self.stop(f"{name} takes {len(sizes)} indices, got {brief(text)}")
        got = [self.whole_number(w.strip(), 0, 10**6, f"an index of {name}") for w in words]
        for value, size in zip(got, sizes, strict=True):
            if not 1 <= value <= size:
                self.stop(f"index {value} of {name} is not within 1 to {size}")
        return tuple(value - 1 for value in got)


def _sizes(name: str, m: int) -> tuple[int, int] | None:
    """Rows and columns of a matrix of a body with m shapes; None: it says so itself."""
    table = {
        "mdCM": (3, 1),
        "J": (3, 3),
        "Ct": (m, 3),
        "Cr": (m, 3),
        "Me": (m, m),
        "Gr": (3, 3 * m),
        "Ge": (m, 3 * m),
        "Oe": (m, 6),
        "ksigma": (m, 1),
        "Ke": (m, m),
        "De": (m, m),
        "Pe": (3 * m, 3 * m),
        "origin": (3, 1),
        "phi": (3, m),
        "psi": (3, m),
        "AP": (3, 3),
        "sigma": (6, 1),
    }
    return table.get(name)


def sid_text(sid: Sid, remarks: tuple[str, ...] = ()) -> str:
    """The file: numbers with all their digits."""
    out = [f"{len(sid.nodes)} {sid.m} : number of nodes, number of shapes"]
    out += [f"  {' '.join(r.split())}" for r in remarks if r.split() != ["part"]]
    out += ["part", "new modal", "refmod", f"mass = {_digits(sid.mass)}", f"nelastq = {sid.m}"]
    out += [f"ielastq({k + 1}) = {name}" for k, name in enumerate(sid.shapes)]
    out += ["end refmod", "frame"]
    for node in sid.nodes:
        out += [f"new node = {node.id}", "rframe = body ref"]
        for name, part in node.parts.items():
            out += _taylor_lines(name, part)
        out.append("end node")
    out.append("end frame")
    for name, part in sid.parts.items():
        out += _taylor_lines(name, part)
    return "\n".join([*out, "end modal", "end part", ""])


def _taylor_lines(name: str, x: Taylor) -> list[str]:
    heads = (x.order, x.nrow, x.ncol, x.nq, 0, x.structure)
    out = [name, *(f"{key} = {value}" for key, value in zip(_HEADS, heads, strict=True))]
    out += [f"m0({i + 1},{j + 1}) = {_digits(v)}" for (i, j), v in x.zero.items()]
    out += [f"m1({i + 1},{k + 1},{j + 1}) = {_digits(v)}" for (i, k, j), v in x.one.items()]
    return [*out, f"end {name}"]


def _digits(value: float) -> str:
    return f"{value:.16E}".replace("E", "D")
