"""The 3D page of a 10 s run: how long its file takes to write, how large it is, how fast it plays.

Played in a browser without a window and without a graphics card (SwiftShader, on the processor),
1000 x 700 pixels, everything shown: the least that a user may have.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

from supple.model import load
from supple.simulation import Result, simulate

from .browser import NoBrowserError, Page
from .table import Table

FRAMES = 1000
ROBOTS = ("canadarm", "canadarm-spatial", "puma")
COLUMNS = (
    *("run", "export [s]", "file [MB]", "pictures [1/s]", "processor [ms a picture]"),
    *("with everything [1/s]", "processor [ms a picture]"),
)
NONE = ("no browser",) * 4


def study(seconds: float) -> list[Table]:
    frames, robots = (FRAMES, ROBOTS) if seconds else (50, ROBOTS[:1])
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        made = [(robot, *_export(robot, frames, folder)) for robot in robots]
        rows = _played(made, folder, seconds)
    notes = (
        f"Along the motion of the robot's file, {frames} frames. Pictures a second while it plays, "
        "as it opens; and with ghost, axes, torques and colours by curvature. Browser without a "
        "graphics card, 1000 x 700 pixels. Processor: of all the browser's threads together, so "
        "that two free cores draw up to two thousand over it; it says what a busy machine hides.",
    )
    return [Table(COLUMNS, rows, notes)]


def _run(name: str, frames: int) -> Result:
    robot = load(name)
    return simulate(robot, motion=next(iter(robot.motions)), samples=frames)


def _export(name: str, frames: int, folder: Path) -> tuple[Path, float]:
    view = _run(name, frames).view()
    start = perf_counter()
    path = view.save(folder / f"{name}.html")
    return path, perf_counter() - start


def _played(
    made: list[tuple[str, Path, float]], folder: Path, seconds: float
) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = []
    try:
        page: Page | None = Page(folder / "browser")
    except NoBrowserError:
        page = None
    for name, path, took in made:
        rates = NONE if page is None else _rates(page, path, seconds)
        rows.append((name, took, path.stat().st_size / 1e6, *rates))
    if page is not None:
        page.close()
    return rows


def _rates(page: Page, path: Path, seconds: float) -> tuple[float, ...]:
    """Pictures a second and processor time for one, plain and with everything."""
    page.open(path)
    plain = _rate(page, seconds)
    for id in ("show-ghost", "show-frames", "show-forces"):
        page.js("document.getElementById(arguments[0])?.click()", id)
    page.key("c")
    return *plain, *_rate(page, seconds)


def _rate(page: Page, seconds: float) -> tuple[float, float]:
    page.js("supple.goto(0); supple.play()")
    before = page.processor()
    drawn = page.js("window.began = performance.now(); return supple.drawn")
    sleep(max(seconds, 0.3))
    count, took = page.js("return [supple.drawn, performance.now() - began]")
    busy = page.processor() - before
    page.js("supple.pause()")
    pictures = max(count - drawn, 1)
    return 1000.0 * pictures / took, 1000.0 * busy / pictures


if __name__ == "__main__":
    for table in study(3.0):
        print(table.markdown())
