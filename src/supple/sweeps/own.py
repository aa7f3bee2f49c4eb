"""Functions of the user's own: found in a file, told apart from what they were before.

A file's source travels to the workers; modules beside it are imported where the folder can be seen.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from textwrap import dedent
from types import CodeType, ModuleType
from typing import Any

import numpy as np

from ..errors import InputError, unknown_name

MODULE = "study_function"
_LIBRARIES = {"site-packages", "dist-packages"}
_SUPPLE = Path(__file__).parents[1]
_WRITERS = re.compile(r"write|save|dump|to_|touch|unlink|remove|mkdir|makedirs|FileHandler")
_PATHS = {"Path", "join", "joinpath", "with_name", "with_suffix", "str", "open"}
_WRITING = re.compile(r"[rbt]*[wax+][rbt+]*")  # modes of open


def function_of(code: str, file: str, name: str, folder: Path) -> Callable[..., object]:
    """The function of this name in a Python file's source."""
    look_in([str(folder.resolve())])
    module = ModuleType(MODULE)
    module.__file__ = str(folder.resolve() / file)
    sys.modules[MODULE] = module
    try:
        exec(compile(code, file, "exec"), module.__dict__)
    except (Exception, SystemExit) as error:
        raise InputError(f"{file} cannot be run: {type(error).__name__}: {error}") from None
    found = getattr(module, name, None)
    if not callable(found):
        space = vars(module).items()
        known = [n for n, x in space if callable(x) and not n.startswith("_")]
        raise unknown_name("function", name, known, where=file)
    return found  # type: ignore[no-any-return]


def look_in(folders: list[str]) -> None:
    """Modules are looked for there too, after all other places."""
    sys.path.extend(folder for folder in folders if folder not in sys.path)


def function_parts(function: Callable[..., object]) -> dict[str, bytes]:
    """What a function given in Python says, with the functions and values that it names, and the
    files that make it what it is."""
    waiting: list[Any] = [function]
    seen: list[Any] = []
    marks, sources = [], []
    while waiting:
        x = waiting.pop(0)
        if any(x is other for other in seen):
            continue
        seen.append(x)
        marks.append(function_mark(x))
        sources.append(dedent(_source(x)))
        code, space = getattr(x, "__code__", None), getattr(x, "__globals__", {})
        parts = vars(x).values() if inspect.isclass(x) else (type(x).__call__, *_cells(x))
        waiting += filter(inspect.isfunction, [getattr(x, "func", None), *parts])
        for name in (n for n in _names(code) if n in space):
            value = space[name]
            home = getattr(value, "__name__" if inspect.ismodule(value) else "__module__", None)
            if home == x.__module__ and callable(value):
                waiting.append(value)
            elif callable(value) or inspect.ismodule(value):
                sources.append(f"import {home}")
            else:
                marks.append(f"{name} {_plain(value)}")
    files = [x.__code__.co_filename for x in seen if inspect.isfunction(x)]
    folder = Path(files[0]).parent if files else Path()
    return {"function": "\n".join(marks).encode()} | files_of(sources, folder)


def _names(code: CodeType | None) -> Iterator[str]:
    """Global names that a function's code uses, with those of the functions within it."""
    if code is not None:
        yield from code.co_names
        for inner in filter(inspect.iscode, code.co_consts):
            yield from _names(inner)


def files_of(sources: list[str], folder: Path) -> dict[str, bytes]:
    """The modules that sources import and that belong to no library, and the data files beside
    them that they name. Names put together at run time are not seen, and files that the sources
    write do not count."""
    found: dict[str, bytes] = {}
    waiting = list(sources)
    while waiting:
        try:
            tree = ast.parse(waiting.pop())
        except (SyntaxError, ValueError, RecursionError):
            continue
        for path in (*_modules(tree, folder), *_data(tree, folder)):
            name = f"file {path.relative_to(folder) if path.is_relative_to(folder) else path}"
            if name not in found:
                with suppress(OSError):
                    found[name] = path.read_bytes()
                    if path.suffix == ".py":
                        waiting.append(found[name].decode("utf-8", "replace"))
    return found


def _modules(tree: ast.AST, folder: Path) -> Iterator[Path]:
    """The files of modules that a source imports, of packages all."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    for name in names - sys.stdlib_module_names:
        places = [folder / name, folder / f"{name}.py"]
        if not any(place.exists() for place in places):
            with suppress(ImportError, ValueError, AttributeError):
                spec = find_spec(name)
                places = [Path(x) for x in spec.submodule_search_locations or [spec.origin]]  # type: ignore
        for place in places:
            if not _LIBRARIES & set(place.parts) and place != _SUPPLE:
                yield from place.rglob("*.py") if place.is_dir() else [place]


def _data(tree: ast.AST, folder: Path) -> Iterator[Path]:
    """Files that a source names, beside it or where it runs, or in folders that it names."""
    nodes = list(ast.walk(tree))
    held = {  # by names: texts that a path is made of
        target.id: _texts(_spelling(node.value))
        for node in nodes
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    texts = _texts(nodes)
    for call in (node for node in nodes if isinstance(node, ast.Call) and _writes(node)):
        spelling = [x for part in ast.iter_child_nodes(call) for x in _spelling(part)]
        names = [x.id for x in spelling if isinstance(x, ast.Name)]
        texts -= _texts(spelling).union(*(held.get(name, ()) for name in names))
    folders = [folder, Path(), *(folder / x for x in texts if (folder / x).is_dir())]
    yield from (place / x for x in texts for place in folders if os.path.isfile(place / x))


def _spelling(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of an expression, but not what functions give of theirs."""
    if not isinstance(node, ast.Call) or _called(node) in _PATHS:
        yield node
        for part in ast.iter_child_nodes(node):
            yield from _spelling(part)


def _texts(nodes: Iterable[ast.AST]) -> set[str]:
    constants = (node.value for node in nodes if isinstance(node, ast.Constant))
    texts = (x for x in constants if isinstance(x, str) and 0 < len(x) < 200 and "\0" not in x)
    return {x for x in texts if not os.path.isabs(x)}


def _called(call: ast.Call) -> str:
    return str(getattr(call.func, "attr", getattr(call.func, "id", "")))


def _writes(call: ast.Call) -> bool:
    if "open" not in _called(call):
        return _WRITERS.match(_called(call)) is not None
    modes = [*call.args, *(word.value for word in call.keywords)]
    return any(_WRITING.fullmatch(str(getattr(x, "value", ""))) for x in modes)


def function_mark(function: Callable[..., object]) -> str:
    """What a function given in Python does, as far as its source and its plain numbers tell."""
    if isinstance(function, partial):
        return f"{function_mark(function.func)} {_plain((function.args, function.keywords))}"
    code = getattr(function, "__code__", None)
    if code is None:
        kind = function if inspect.isclass(function) else type(function)
        return f"{_source(kind)} {_plain(getattr(function, '__dict__', {}))}"
    constants = [x for x in code.co_consts if not inspect.iscode(x)]
    parts = (constants, _cells(function), function.__defaults__, function.__kwdefaults__)
    return f"{function.__qualname__} {_source(function)} {_plain(parts)}"


def _cells(function: Callable[..., object]) -> list[object]:
    cells = []
    for cell in getattr(function, "__closure__", None) or ():
        with suppress(ValueError):  # one that is still empty
            cells.append(cell.cell_contents)
    return cells


def _source(thing: Callable[..., object]) -> str:
    try:
        return inspect.getsource(thing)
    except (OSError, TypeError):
        code = getattr(thing, "__code__", None)
        return "" if code is None else f"{code.co_code.hex()} {code.co_names}"


def _plain(value: object) -> str:
    """A value whose text is the same in every session."""
    if isinstance(value, dict):
        return str({str(key): _plain(x) for key, x in value.items()})
    if isinstance(value, list | tuple):
        return str([_plain(x) for x in value])
    if isinstance(value, np.ndarray):
        return f"{value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
    if inspect.isfunction(value):
        return value.__qualname__ + _source(value)
    if value is None or isinstance(value, bool | int | float | complex | str | bytes | np.number):
        return repr(value)
    return type(value).__name__
