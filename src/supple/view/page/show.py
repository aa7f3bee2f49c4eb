"""What a user gets of `run.view()` and `robot.view()`."""

from __future__ import annotations

import html
import tempfile
import webbrowser
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ... import checks
from ...errors import InputError, brief
from ...files import check_target, write_whole
from ...robot import Robot
from ...simulation import Result
from ...studies.energy import robot_of
from .document import document
from .numbers import Numbers
from .record import record
from .scene import scene
from .vibration import vibration

FILES = (".html", ".glb", ".gif", ".mp4")


@dataclass(frozen=True)
class View:
    """A page in the making: shown by `show`, saved by `save`; a notebook shows it by itself."""

    robots: tuple[Robot, ...]
    runs: tuple[Result, ...]
    labels: tuple[str, ...]
    magnify: float = 1.0  # how many times larger bending is shown

    @property
    def title(self) -> str:
        names = list(dict.fromkeys(robot.name for robot in self.robots))
        return " and ".join(names)

    def html(self) -> str:
        """The page, one self-contained file."""
        numbers = Numbers()
        robots = [scene(robot, numbers) for robot in self.robots]
        played = zip(self.robots, self.runs, self.labels, strict=False)
        data: dict[str, object] = {
            "title": self.title,
            "runs": [record(robot, run, label, numbers) for robot, run, label in played],
            "vibration": None if self.runs else vibration(self.robots[0], numbers),
            "magnify": self.magnify,
            "robots": robots,
        }
        return document(f"{self.title} - Supple", data, numbers)

    def save(self, path: str | Path) -> Path:
        """Write it: .html (opens by double click, needs no network), .glb (Blender, slides), .gif
        or .mp4; by the name's ending. The file appears whole or not at all."""
        kind = check_target(path, FILES).suffix.lower()
        if kind == ".html":
            return write_whole(path, self.html())
        if kind == ".glb":
            from .gltf import glb

            return write_whole(path, glb(self))
        from .movie import movie

        return write_whole(path, movie(self, kind))

    def show(self) -> Path:
        """Write the page to a temporary file and open it in the browser."""
        page = self.html()
        handle, name = tempfile.mkstemp(prefix="supple-", suffix=".html")
        with open(handle, "w", encoding="utf-8") as file:
            file.write(page)
        path = Path(name)
        if not webbrowser.open(path.as_uri()):
            raise InputError(
                f"no browser could be opened; open {path} in one yourself, or save the page with "
                f"--export page.html (in Python: view.save)"
            )
        return path

    def _repr_html_(self) -> str:
        page = html.escape(self.html(), quote=True)
        name = html.escape(self.title, quote=True)
        return (
            f'<iframe title="3D view of {name}" srcdoc="{page}" sandbox="allow-scripts '
            f'allow-downloads" style="width:100%;height:640px;border:0"></iframe>'
        )


def view_of(
    *sources: Result | Robot,
    labels: Sequence[str] | None = None,
    magnify: float = 1.0,
    robot: Robot | None = None,
) -> View:
    """A 3D view of runs (laid over each other where there are several) or of a robot with sliders.

    In a notebook the last value of a cell shows itself; elsewhere `.show()` opens the browser and
    `.save("run.html")` writes a file. `magnify`: bending so many times
    larger, at first. `robot`: of runs whose robot was made by hand.
    """
    for x in sources:
        if not isinstance(x, Result | Robot):
            raise InputError(f"a view is of runs or of a robot, not of {brief(x)}")
    runs = tuple(x for x in sources if isinstance(x, Result))
    robots = tuple(x for x in sources if isinstance(x, Robot))
    if not sources or (runs and robots) or len(robots) > 1:
        raise InputError("a view is of one run or more, or of one robot")
    factor = _magnify(magnify)
    if robots and factor != 1.0:
        raise InputError("magnify is of runs; the shapes of a robot have sliders")
    if runs:
        robots = tuple(robot_of(run, robot) for run in runs)
    for run in runs:
        _check_finite(run)
    return View(robots, runs, _labels(runs, labels), factor)


def _check_finite(run: Result) -> None:
    """A place that is no number cannot be drawn; a file of another program may hold some."""
    bad = ~(np.isfinite(run.time) & np.isfinite(run["q"]).all(axis=1))
    if bad.any():
        k = int(np.argmax(bad))
        raise InputError(
            f"the run of {run.robot_name} cannot be shown: its coordinates are no numbers in "
            f"{int(bad.sum())} of {len(bad)} samples, first in sample {k} (from 0). Simulate "
            f"again, or leave them out: supple.Result(run.data.dropna('time'))"
        )


def _magnify(magnify: float) -> float:
    allowed = "a number above 0, no more than a million"
    factor = checks.number(magnify, "magnify", allowed)
    if not 0.0 < factor <= 1e6:
        raise InputError(f"magnify is {brief(magnify)}; it must be {allowed}")
    return factor


def _labels(runs: Sequence[Result], labels: Sequence[str] | None) -> tuple[str, ...]:
    if labels is None:
        return tuple(run.robot_name for run in runs)
    if isinstance(labels, str) or not isinstance(labels, Sequence) or len(labels) != len(runs):
        raise InputError(f"labels is {brief(labels)}; it must be {len(runs)} texts, one a run")
    return tuple(str(x) for x in labels)
