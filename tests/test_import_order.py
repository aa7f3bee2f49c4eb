"""Imports point one way: model file -> Robot -> recursion -> native code -> simulation -> Result.

Each room of the package may import the rooms before it. A few doors lead back, inside
functions only, so that `robot.replace(...)` and `run.plot()` read well.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import supple
from statements import statements

ORDER = (
    *(
        "errors",
        "lazy",
        "frozen",
        "types",
        "worker_process",
        "text_table",
        "jets",
        "expressions",
        "elastic_kinematics",
    ),
    *("screws", "joints", "modes", "bodies", "robot", "recursion", "loops"),
    *("checks", "files", "csv_columns", "finite_elements", "model"),
    *("tracer", "engine", "checked", "checked_loops", "analyse", "simulation", "studies"),
    *("control", "formulations", "symbolic"),
    *("view", "sweeps", "reproduce", "flow", "cli"),
)
DOORS = {  # from, to
    ("robot", "model"),  # replace, with_modes, with_parameters
    ("robot", "checks"),  # what a user hands to robot.normalized
    ("robot", "loops"),  # where a closed chain stands by itself
    ("robot", "view"),  # robot.view()
    ("analyse", "view"),  # plots of results
    ("simulation", "view"),
    ("studies", "view"),
}
HOME = Path(supple.__path__[0])


@dataclass(frozen=True)
class Import:
    """A `from ... import ...` within the package."""

    node: ast.ImportFrom
    top: bool  # of the module, rather than in a function
    hidden: bool  # for type checkers alone


@dataclass(frozen=True)
class Source:
    """What a file of the package imports from it."""

    path: Path
    imports: list[Import]

    @property
    def inside(self) -> tuple[str, ...]:
        return self.path.relative_to(HOME).with_suffix("").parts

    def rooms(self, found: Import) -> list[str]:
        """The rooms that an import names."""
        package, node = self.inside[:-1], found.node
        base = package[: len(package) - node.level + 1]
        target = (*base, *(node.module or "").split(".")) if node.module else base
        return [target[0]] if target else [a.name for a in node.names]


@cache
def sources() -> list[Source]:
    return [_source(path) for path in sorted(HOME.rglob("*.py"))]


def _source(path: Path) -> Source:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing = [n for n in tree.body if isinstance(n, ast.If) and "TYPE_CHECKING" in ast.dump(n.test)]
    hidden, top = set(map(id, statements(typing))), set(map(id, tree.body))
    own = [n for n in statements(tree.body) if isinstance(n, ast.ImportFrom) and n.level]
    return Source(path, [Import(n, id(n) in top, id(n) in hidden) for n in own])


def test_every_room_imports_only_rooms_before_it() -> None:
    place = {name: i for i, name in enumerate(ORDER)}
    wrong = set()
    for source in sources():
        room = source.inside[0]
        for found in source.imports:
            for other in [] if found.hidden else source.rooms(found):
                if room in ("__init__", other) or other in ("__version__", ""):
                    continue
                back = place[other] > place[room]
                if back and (found.top or (room, other) not in DOORS):
                    wrong.add((source.inside, other, "top" if found.top else "function"))
    assert wrong == set()


def test_no_room_reaches_for_anothers_private_names() -> None:
    wrong = []
    for source in sources():
        for node in (found.node for found in source.imports if found.node.module):
            private = [a.name for a in node.names if a.name.startswith("_")]
            foreign = str(node.module).split(".")[0] != source.inside[0]
            if private and private != ["__version__"] and foreign:
                wrong.append((source.inside, private))
    assert wrong == []
