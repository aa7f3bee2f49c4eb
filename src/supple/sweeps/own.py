"""Functions of the user's own: found in a file, told apart from what they were before.

A file's source travels to the workers; modules beside it are imported where the folder can be seen.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import ModuleType

import numpy as np

from ..errors import InputError, unknown_name

MODULE = "study_function"


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


def file_mark(code: str, folder: Path) -> str:
    """What a function's file says, and the modules beside it that it imports."""
    sources = {"": code}
    for name in _imported(code):
        _add(name, folder, sources)
    return "\n".join(sources[name] for name in sorted(sources))


def _add(name: str, folder: Path, sources: dict[str, str]) -> None:
    for path in (folder / f"{name}.py", folder / name / "__init__.py"):
        if name not in sources and path.is_file():
            with suppress(OSError, UnicodeDecodeError):
                sources[name] = path.read_text(encoding="utf-8")
                for inner in _imported(sources[name]):
                    _add(inner, folder, sources)


def _imported(code: str) -> Iterator[str]:
    """The first words of all modules that a source imports."""
    try:
        nodes = list(ast.walk(ast.parse(code)))
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def function_mark(function: Callable[..., object]) -> str:
    """What a function given in Python does, as far as its source and its plain numbers tell."""
    if isinstance(function, partial):
        return f"{function_mark(function.func)} {_plain((function.args, function.keywords))}"
    code = getattr(function, "__code__", None)
    if code is None:
        return f"{_source(type(function))} {_plain(getattr(function, '__dict__', {}))}"
    constants = [x for x in code.co_consts if not inspect.iscode(x)]
    cells = []
    for cell in function.__closure__ or ():
        with suppress(ValueError):  # one that is still empty
            cells.append(cell.cell_contents)
    parts = (constants, cells, function.__defaults__, function.__kwdefaults__)
    return f"{function.__qualname__} {_source(function)} {_plain(parts)}"


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
