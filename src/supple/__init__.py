"""Supple: kinematics and dynamics of robots whose links bend.

    model file -> Robot -> recursion (plain NumPy) -> native code -> simulation -> Result

    robot = supple.load("canadarm")
    qdd   = supple.forward_dynamics(robot, q, qd, tau)
    run   = supple.simulate(robot, motion="paper")
    run.plot("run.png"); run.save("run.nc")

Names are imported when they are first used, so `import supple` costs nothing.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import Any

__version__ = "0.1.0"


@cache
def _homes() -> dict[str, str]:
    """The module of each public name, as the one list of them says: `__init__.pyi`."""
    text = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    parts = [node for node in ast.parse(text).body if isinstance(node, ast.ImportFrom)]
    return {name.name: str(part.module) for part in parts for name in part.names}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "__all__":
        return __dir__()
    if name.startswith("__") or name not in _homes():
        raise AttributeError(f"module 'supple' has no attribute {name!r}")
    value = getattr(import_module(f".{_homes()[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*sorted(_homes()), "__version__"]
