"""What a shell may complete: names of robots, papers, topics, plots and quantities, and files.

A completion must be quick: nothing heavy is imported here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.resources import files
from pathlib import Path

MODELS, RUNS = (".yaml", ".yml"), (".nc", ".nc4", ".h5")


def robots(incomplete: str) -> list[str]:
    """Shipped names, and model files."""
    return [*_beginning(_shipped(), incomplete), *_files(incomplete, MODELS)]


def sources(incomplete: str) -> list[str]:
    """Robots and saved runs."""
    return [*robots(incomplete), *_files(incomplete, RUNS, folders=False)]


def runs(incomplete: str) -> list[str]:
    return _files(incomplete, RUNS)


def models(incomplete: str) -> list[str]:
    return _files(incomplete, MODELS)


def papers(incomplete: str) -> list[str]:
    from ..reproduce import PAPERS

    return _beginning([*PAPERS, "all"], incomplete)


def topics(incomplete: str) -> list[str]:
    from .. import sweeps  # noqa: F401  its topics are then known too
    from ..model.explain import TOPICS

    return _beginning(TOPICS, incomplete)


def plots(incomplete: str) -> list[str]:
    """The name after the last comma."""
    from ..view.register import ROBOT, RUN

    done, comma, last = incomplete.rpartition(",")
    names = dict.fromkeys(kind.name for kind in (*RUN, *ROBOT))
    return [f"{done}{comma}{name}" for name in _beginning(names, last)]


def quantities(incomplete: str) -> list[str]:
    from ..engine.quantities import QUANTITIES

    return _beginning(QUANTITIES, incomplete)


def widths(incomplete: str) -> list[str]:
    return _beginning(("screen", "double", "single"), incomplete)


COMPLETERS: dict[str, Callable[[str], list[str]]] = {
    "robot": robots,
    "source": sources,
    "sources": sources,
    "run": runs,
    "file": models,
    "paper": papers,
    "topic": topics,
    "kinds": plots,
    "quantity": quantities,
    "width": widths,
}
"""By the name of the argument or option, in all commands."""


def _shipped() -> list[str]:
    names = [path.name for path in (files("supple") / "robots").iterdir()]
    return sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml"))


def _beginning(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]


def _files(incomplete: str, suffixes: tuple[str, ...], folders: bool = True) -> list[str]:
    """Files of these kinds, and folders on the way to them, that begin so."""
    head, slash, start = incomplete.rpartition("/")
    try:
        found = sorted(Path(head + slash or ".").iterdir())
    except OSError:
        return []
    shown = [path for path in found if path.name.startswith(start) and path.name[0] != "."]
    out = [head + slash + path.name for path in shown if path.suffix in suffixes]
    return out + [head + slash + path.name + "/" for path in shown if folders and path.is_dir()]
