"""The 3D page of a 10 s run: how long its file takes to write, how large it is, how fast it plays.

Played in a browser without a window and without a graphics card (SwiftShader, on the processor),
1000 x 700 pixels, everything shown: the least that a user may have.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from supple.model import load
from supple.simulation import Result, simulate

from .browser import NoBrowserError, Page
from .table import Table

FRAMES = 1000
ROBOTS = ("canadarm", "canadarm-spatial", "puma")
COLUMNS = ("run", "export [s]", "processor [s]", "file [MB]", "plain [1/s]", "everything [1/s]")


def study(seconds: float) -> list[Table]:
    frames, robots = (FRAMES, ROBOTS) if seconds else (50, ROBOTS[:1])
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        made = [(robot, *_export(robot, frames, folder)) for robot in robots]
        rows = _played(made, folder, seconds)
    notes = (
        f"Along the motion of the robot's file, {frames} frames. Pictures a second while it plays, "
        "as it opens; and with ghost, axes, torques and colours by curvature. Browser without a "
        "graphics card, 1000 x 700 pixels.",
    )
    return [Table(COLUMNS, rows, notes)]


def _run(name: str, frames: int) -> Result:
    robot = load(name)
    return simulate(robot, motion=next(iter(robot.motions)), samples=frames)


def _export(name: str, frames: int, folder: Path) -> tuple[Path, float, float]:
    run = _run(name, frames)
    view = run.view()
    start, busy = perf_counter(), process_time()
    path = view.save(folder / f"{name}.html")
    return path, perf_counter() - start, process_time() - busy


def _played(
    made: list[tuple[str, Path, float, float]], folder: Path, seconds: float
) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = []
    try:
        page: Page | None = Page(folder / "browser")
    except NoBrowserError:
        page = None
    for name, path, took, busy in made:
        rates = _rates(page, path, seconds) if page is not None else ("no browser", "no browser")
        rows.append((name, took, busy, path.stat().st_size / 1e6, *rates))
    if page is not None:
        page.close()
    return rows


def _rates(page: Page, path: Path, seconds: float) -> tuple[float, float]:
    """Pictures a second, plain and with everything."""
    page.open(path)
    plain = _rate(page, seconds)
    for id in ("show-ghost", "show-frames", "show-forces"):
        page.js("document.getElementById(arguments[0])?.click()", id)
    page.key("c")
    return plain, _rate(page, seconds)


def _rate(page: Page, seconds: float) -> float:
    page.js("supple.goto(0); supple.play(); supple.frameTimes.length = 0")
    page.js("window.began = performance.now()")
    page.wait(f"return performance.now() - began > {1000.0 * max(seconds, 0.2)}", 4000)
    rate = float(page.js("return supple.rate"))
    page.js("supple.pause()")
    return rate


if __name__ == "__main__":
    for table in study(3.0):
        print(table.markdown())
