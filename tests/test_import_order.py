"""Imports point one way: model file -> Robot -> recursion -> native code -> simulation -> Result.

Each room of the package may import the rooms before it. A few doors lead back, inside
functions only, so that `robot.replace(...)` and `run.plot()` read well.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import supple

ORDER = (
    *("errors", "types", "desks", "text_table", "jets", "expressions", "kinematics"),
    *("screws", "joints", "modes", "bodies", "robot", "recursion", "loops"),
    *("checks", "files", "csv_columns", "finite_elements", "model"),
    *("tracer", "engine", "checked", "closed", "analyse", "simulation", "studies"),
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


def imports(path: Path) -> Iterator[tuple[str, str, bool]]:
    """(room, room it imports, at the top of the module rather than in a function)."""
    inside = path.relative_to(HOME).with_suffix("").parts
    tree = ast.parse(path.read_text())
    typing = [n for n in tree.body if isinstance(n, ast.If) and "TYPE_CHECKING" in ast.dump(n.test)]
    hidden = {id(x) for block in typing for x in ast.walk(block)}
    top = {id(x) for x in tree.body}
    package = inside[:-1]
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or not node.level or id(node) in hidden:
            continue
        base = package[: len(package) - node.level + 1]
        target = (*base, *(node.module or "").split(".")) if node.module else base
        names = [target] if target else [(a.name,) for a in node.names]
        for name in names:
            yield inside[0], name[0], id(node) in top


def test_every_room_imports_only_rooms_before_it() -> None:
    place = {name: i for i, name in enumerate(ORDER)}
    wrong = set()
    for path in sorted(HOME.rglob("*.py")):
        for room, other, top in imports(path):
            if room in ("__init__", other) or other in ("__version__", ""):
                continue
            back = place[other] > place[room]
            if back and (top or (room, other) not in DOORS):
                wrong.add((str(path.relative_to(HOME)), other, "top" if top else "function"))
    assert wrong == set()


def test_no_room_reaches_for_anothers_private_names() -> None:
    wrong = []
    for path in sorted(HOME.rglob("*.py")):
        room = path.relative_to(HOME).parts[0].removesuffix(".py")
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.level and node.module:
                private = [a.name for a in node.names if a.name.startswith("_")]
                if private and private != ["__version__"] and node.module.split(".")[0] != room:
                    wrong.append((str(path), private))
    assert wrong == []


def test_no_two_classes_share_a_name() -> None:
    """Of the whole package: a name in a message or a traceback is one thing."""
    seen: dict[str, str] = {}
    for path in sorted(HOME.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                here = str(path.relative_to(HOME))
                assert seen.setdefault(node.name, here) == here, node.name
