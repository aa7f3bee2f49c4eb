"""Who may import whom: the tracer knows no robot, and private names stay at home."""

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
    allowed = {"tracer", "types", "errors", "screws", "frozen"}  # of which none knows a robot
    for path in (PACKAGE / "tracer").rglob("*.py"):
        tops = {(module or name).split(".")[0] for module, name in imports(path)}
        assert tops <= allowed, f"{path.name} imports {tops - allowed}"


def test_no_private_name_is_imported_from_another_module() -> None:
    """Neither by the tracer and the engine, nor from them."""
    ours = ("tracer", "engine")
    for path in PACKAGE.rglob("*.py"):
        here = path.relative_to(PACKAGE).parts[0]
        for module, name in imports(path):
            private = name.startswith("_") and name != "__version__"
            assert not (private and {here, module.split(".")[0]} & {*ours}), f"{path}: {name}"


def test_private_attributes_are_read_where_they_are_made() -> None:
    """x._name is for methods of x's own class, or the module that defines it."""
    for path in [*(PACKAGE / "tracer").rglob("*.py"), *(PACKAGE / "engine").rglob("*.py")]:
        tree = ast.parse(path.read_text())
        made = {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.ClassDef)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
                own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
                dunder = node.attr.startswith("__") and node.attr.endswith("__")
                assert own or dunder or node.attr in made | PUBLIC, f"{path.name}: {node.attr}"


PUBLIC = {"_fields_", "_ARRAY_API"}  # names of ctypes and of NumPy's C API
