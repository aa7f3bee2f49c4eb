"""supple equations: the equations of motion as text, LaTeX or code."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

from ..errors import InputError
from .arguments import ROBOT
from .command import command
from .console import JSON, interruptible, print_json, progress_bar, tell, tell_saved

if TYPE_CHECKING:
    from ..robot import Robot
    from ..symbolic import Equations

SUFFIX = {".py": "python", ".c": "c", ".jl": "julia", ".m": "matlab", ".wl": "mathematica"}
LARGEST = 20  # coordinates beyond which a limit must be given


class TextLimits(NamedTuple):
    """How long text and LaTeX may be, and whether common terms have names in them."""

    limit: int | None
    abbreviate: bool


@command(
    "equations",
    "supple equations lin-lewis-rr",
    "supple equations lin-lewis-f --latex equations.tex --code equations.c",
)
def equations(
    robot: str = ROBOT,
    parameters: str = typer.Option(
        "symbolic", help="symbolic, numeric, or the names to keep: m1,L1,EIz1."
    ),
    latex: Path | None = typer.Option(None, help="Write a LaTeX document here (.tex)."),
    code: Path | None = typer.Option(
        None, help="Write a function here (.py, .c, .jl, .m, .wl: Mathematica)."
    ),
    tip_angle: str | None = typer.Option(None, help="slope or chord; default: as the model says."),
    elastic_angle: str = typer.Option("exact", help="exact, quadratic or linear."),
    simplify: int = typer.Option(0, help="0 as derived, 1, 2, 3: ever more, ever slower."),
    drop: float = typer.Option(
        0.0, help="Leave out and list terms below this share of their entry."
    ),
    abbreviate: bool = typer.Option(
        False, "--abbreviate", help="Text and LaTeX with names for common terms: t0, t1, ..."
    ),
    limit: int | None = typer.Option(None, help="Operations that text and LaTeX may have."),
    json: bool = JSON,
) -> None:
    """Derive the equations of motion: M, D, U, G and B in symbols."""
    from ..model import load

    language = _language(code)
    _check_files(latex, code, language)
    arm = load(robot)
    if limit is None and code is None:
        _check_readable(arm)
    shown = TextLimits(limit, abbreviate)
    with interruptible():
        eq = _derived(arm, parameters, tip_angle, elastic_angle, simplify, drop)
        saved = _write(eq, latex, code, language, shown)
    _report(eq, saved, shown, json)


def _derived(
    robot: Robot,
    parameters: str,
    tip_angle: str | None,
    elastic_angle: str,
    simplify: int,
    drop: float,
) -> Equations:
    from ..symbolic import equations

    kept = parameters if parameters in ("symbolic", "numeric") else _names(parameters)
    with progress_bar(f"simplifying {robot.name}", 1.0) as bar:
        return equations(
            robot,
            kept,
            tip_angle=tip_angle,
            elastic_angle=elastic_angle,
            simplify=simplify,
            drop=drop,
            progress=bar,
        )


def _check_files(latex: Path | None, code: Path | None, language: str | None) -> None:
    """Files that can be written, with names that fit what they hold."""
    from ..files import check_target

    if code is not None and language is not None:
        _function(code, language)
    for path in (latex, code):
        if path is not None:
            check_target(path)
    if latex is not None and latex.suffix != ".tex":
        raise InputError(f"--latex {latex}: the name must end in .tex")


def _check_readable(robot: Robot) -> None:
    if robot.nv > LARGEST:
        raise InputError(
            f"{robot.name} has {robot.nv} coordinates: M and D have {2 * robot.nv**2} entries "
            f"that nobody can read. Give --limit OPERATIONS to have them all the same, use fewer "
            f"modes, or write a function with --code FILE"
        )


def _report(eq: Equations, saved: list[str], shown: TextLimits, json: bool) -> None:
    """The equations, unless a file has them, and how long they are."""
    if json:
        print_json(_facts(eq, saved, shown))
        return
    size = eq.operations()
    if not saved:
        for line in eq.pretty(*shown).splitlines():
            tell(line)
    tell(f"{size['written']} operations written out, {size['common']} with common terms shared")
    tell_saved(saved)


def _names(text: str) -> list[str]:
    return [x.strip() for x in text.split(",") if x.strip()]


def _language(code: Path | None) -> str | None:
    if code is None:
        return None
    if code.suffix not in SUFFIX:
        raise InputError(f"--code {code}: the name must end in one of {', '.join(SUFFIX)}")
    return SUFFIX[code.suffix]


def _function(code: Path, language: str) -> str:
    """The function has the file's name; MATLAB finds it by that name alone."""
    from ..symbolic.writing.code import repaired

    fit = repaired(code.stem)
    if language == "matlab" and fit != code.stem:
        raise InputError(
            f"--code {code}: MATLAB calls a function by the name of its file, and {code.stem!r} "
            f"cannot be one: a letter, then letters, digits and _. Use {fit}.m"
        )
    return fit


def _write(
    eq: Equations, latex: Path | None, code: Path | None, language: str | None, shown: TextLimits
) -> list[str]:
    from ..files import write_whole

    texts: list[tuple[Path, str]] = []
    if latex is not None:
        texts.append((latex, eq.latex(*shown)))
    if code is not None and language is not None:
        texts.append((code, eq.code(language, _function(code, language))))
    return [str(write_whole(path, text)) for path, text in texts]


def _facts(eq: Equations, saved: list[str], shown: TextLimits) -> dict[str, object]:
    from ..symbolic.writing.plain_text import check_size, parts, places

    if not saved:
        check_size(eq, *shown, "text")
    steps, matrices = parts(eq, shown.abbreviate) if not saved else ([], {})
    return {
        "robot": eq.robot.name,
        "coordinates": dict(zip((s.name for s in eq.q), eq.robot.coordinate_names, strict=True)),
        "tip_angle": eq.tip_angle,
        "elastic_angle": eq.elastic_angle,
        "operations": eq.operations(),
        "steps": {str(s): str(e) for s, e in steps},
        "entries": {place: str(e) for name, X in matrices.items() for place, e in places(name, X)},
        "parameters": [
            {"name": p.name, "value": p.value, "closed_form": p.exact, "meaning": p.meaning}
            for p in eq.parameters
        ],
        "left_out": [
            {"where": x.where, "term": str(x.term), "share": x.share, "size": x.size}
            for x in eq.left_out
        ],
        "notes": list(eq.notes),
        "saved": saved,
    }
