"""Who may import whom: the tracer knows no robot. Private names: tests/test_import_order.py."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import supple

PACKAGE = Path(supple.__file__).parent


def imports(path: Path) -> Iterator[tuple[str, str]]:
    """(module within the package, name) of everything a file imports from the package."""
    here = path.relative_to(PACKAGE).parent.parts
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            home = here[: len(here) - node.level + 1]
            for alias in node.names:
                yield ".".join([*home, *(node.module or "").split(".")]).strip("."), alias.name
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names]
            found = [node.module or ""] if isinstance(node, ast.ImportFrom) else names
            yield from ((n.partition(".")[2], "") for n in found if n.split(".")[0] == "supple")


def test_the_tracer_knows_no_robot() -> None:
    known = {"types", "errors", "frozen", "lazy", "screws"}  # of which none knows a robot
    allowed = known | {"tracer"}
    for path in (PACKAGE / "tracer").rglob("*.py"):
        tops = {(module or name).split(".")[0] for module, name in imports(path)}
        assert tops <= allowed, f"{path.name} imports {tops - allowed}"
