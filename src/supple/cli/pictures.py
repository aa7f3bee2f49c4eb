"""supple plot, view: figures of saved runs and of robots, and both in three dimensions."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ..errors import InputError, unknown_name
from .arguments import Q, check_figure, positions
from .command import command
from .console import JSON, WIDTH, interruptible, print_json, print_table, tell_saved

if TYPE_CHECKING:
    from ..robot import Robot
    from ..simulation import Result
    from ..types import Coordinates
    from ..view.page import View
    from ..view.register import Kind


@command(
    "plot",
    "supple plot canadarm modes",
    "supple plot run.nc torque,power --out figure.pdf --width single",
    "supple plot run.nc sticks --frames 5 --magnify 10",
)
def plot(
    source: str = typer.Argument(help="A saved run (.nc), or a robot: a name or a model file."),
    kinds: str = typer.Argument("", help="Which plots, with commas; none: list them."),
    out: Path | None = typer.Option(
        None,
        help="Save here (.png, .pdf, .svg); default: NAME-KIND.png. Of several kinds each "
        "has its name in the file's.",
    ),
    width: str = WIDTH,
    q: list[str] = Q,
    joint: str | None = typer.Option(None, help="The joint that moves (frequency, campbell)."),
    count: int | None = typer.Option(None, help="How many modes (modes, convergence, frequency)."),
    most: int | None = typer.Option(None, help="The most shapes of a field (convergence)."),
    free: bool = typer.Option(False, "--free", help="Joints free instead of locked (modes)."),
    plane: str | None = typer.Option(None, help="auto, xy, xz, ... (sticks, modes)."),
    frames: int | None = typer.Option(None, help="How many figures (sticks)."),
    magnify: float | None = typer.Option(None, help="Draw bending so many times larger (sticks)."),
    json: bool = JSON,
) -> None:
    """Draw plots of a saved run or of a robot, ready for print; without KINDS list them."""
    check_figure(out, width)
    found = _source_of(source)
    if not kinds:
        _list(source, found, json)
        return
    names = _names(found, kinds)
    options: dict[str, object] = {"joint": joint, "count": count, "most": most, "plane": plane}
    options |= {"frames": frames, "magnify": magnify, "free": free or None}
    options |= {"q": _configuration(found, q) if q else None}
    given = {name: value for name, value in options.items() if value is not None}
    saved = _drawn(found, names, _files(source, names, out), width, given)
    if json:
        print_json({"source": source, "kinds": names, "saved": saved})
        return
    tell_saved(saved)


def _names(found: Robot | Result, kinds: str) -> list[str]:
    """Which plots, each of them one that there is."""
    from ..view.register import kinds_of

    names, known = [word.strip() for word in kinds.split(",")], kinds_of(found)
    for name in names:
        if name not in known:
            raise unknown_name("plot", name, known)
    return names


def _configuration(found: Robot | Result, words: list[str]) -> Coordinates | None:
    from ..robot import Robot

    if not isinstance(found, Robot):
        raise InputError("--q is for plots of robots; a run has its own configurations")
    return positions(found, words)


def _files(source: str, names: list[str], out: Path | None) -> list[Path]:
    """A file for each plot, each checked before any is drawn."""
    from ..files import PLOTS, check_target

    base = Path(f"{Path(source).stem}.png") if out is None else out
    plain = len(names) == 1 and out is not None
    files = [base if plain else base.with_name(f"{base.stem}-{n}{base.suffix}") for n in names]
    return [check_target(file, PLOTS) for file in files]


def _drawn(
    found: Robot | Result,
    names: list[str],
    files: list[Path],
    width: str,
    options: dict[str, object],
) -> list[str]:
    """All options are looked at before the first is drawn."""
    from ..view.register import kinds_of, plot

    known, saved = kinds_of(found), list[str]()
    taken = {name: {k: v for k, v in options.items() if k in known[name].options} for name in names}
    for option in options:
        if not any(option in chosen for chosen in taken.values()):
            takers = _takers(option, known.values())
            raise InputError(f"--{option} is not for {', '.join(names)}; it is for: {takers}")
    with interruptible(saved):
        for name, file in zip(names, files, strict=True):
            saved.append(str(plot(found, name, file, width=width, **taken[name])))
    return saved


def _takers(option: str, known: Iterable[Kind]) -> str:
    """Which plots take an option: of the source at hand, or, where none does, of another."""
    from ..view.register import ROBOT, RUN

    for whose, kinds in (("", known), ("plots of a robot: ", ROBOT), ("plots of a run: ", RUN)):
        if names := ", ".join(kind.name for kind in kinds if option in kind.options):
            return whose + names
    return "no plot"


def _list(source: str, found: Robot | Result, json: bool) -> None:
    from ..view.register import kinds_of

    rows = [(k.name, k.meaning, ", ".join(k.options)) for k in kinds_of(found).values()]
    if json:
        keys = ("kind", "meaning", "options")
        listed = [dict(zip(keys, row, strict=True)) for row in rows]
        print_json({"source": source, "plots": listed, "saved": []})
        return
    print_table(f"plots of {source}: supple plot {source} KIND", ("kind", "what", "options"), rows)


@command(
    "view",
    "supple view run.nc",
    "supple view canadarm",
    "supple view soft.nc stiff.nc --export both.html",
    "supple view run.nc --export run.gif --magnify 10",
)
def view(
    sources: list[str] = typer.Argument(
        help="Saved runs (.nc), laid over each other; or one robot: a name or a model file."
    ),
    export: Path | None = typer.Option(
        None,
        help="Write a file instead: .html (one file, opens offline), .glb (Blender, slides), "
        ".gif, or .mp4 where ffmpeg is at hand.",
    ),
    magnify: float = typer.Option(1.0, help="Show bending so many times larger, at first."),
    json: bool = JSON,
) -> None:
    """Show runs, or a robot with sliders and its modes, in three dimensions in the browser."""
    if export is not None:
        from ..files import check_target
        from ..view.page.show import FILES

        check_target(export, FILES)
    made = _view(sources, magnify)
    path = made.save(export) if export is not None else made.show()
    if json:
        print_json({"sources": sources, "title": made.title, "saved": str(path)})
        return
    typer.echo(f"saved {path}" if export is not None else f"opened {path}")


def _view(sources: list[str], magnify: float) -> View:
    from ..robot import Robot
    from ..view.page import view_of

    found = [_source_of(name) for name in sources]
    if len(found) > 1 and any(isinstance(x, Robot) for x in found):
        raise InputError(
            f"got {', '.join(sources)}: runs (.nc) are laid over each other, but a robot is shown "
            f"alone; simulate it first: supple simulate ROBOT --out run.nc"
        )
    labels = None if isinstance(found[0], Robot) else [Path(name).stem for name in sources]
    return view_of(*found, labels=labels, magnify=magnify)


def _source_of(name: str) -> Robot | Result:
    """A saved run, by its file; else a robot."""
    from ..files import RUNS
    from ..model import load
    from ..simulation import load_result

    return load_result(name) if Path(name).suffix.lower() in RUNS else load(name)
