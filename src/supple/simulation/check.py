"""What was looked at in a run, with its value and its limit, also where all is well."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from math import isfinite, nan
from typing import TYPE_CHECKING

from ..errors import counted
from ..text_table import columns

if TYPE_CHECKING:
    from .result import Result

KEYS = ("name", "value", "limit", "unit", "ok", "words")


@dataclass(frozen=True)
class Check:
    """One thing looked at.

    `value` against `limit`, both in `unit`; NaN where nothing could be found, `words` then say
    why. `words` of a failed check say what, where, when and what to do; of others where or when.
    """

    name: str
    value: float
    limit: float
    unit: str
    ok: bool
    words: str = ""

    @property
    def plain(self) -> dict[str, object]:
        """As JSON holds it; a number that is none is null."""
        out = asdict(self)
        return out | {k: out[k] if isfinite(out[k]) else None for k in ("value", "limit")}


def at_most(name: str, value: float, limit: float, unit: str, where: str, fault: str) -> Check:
    """A check of a value that should not be beyond its limit: words where it is, or is not."""
    ok = bool(value <= limit)
    return Check(name, float(value), float(limit), unit, ok, where if ok else fault)


def at_least(name: str, value: float, limit: float, unit: str, where: str, fault: str) -> Check:
    """A check of a value that should not be below its limit."""
    ok = bool(value >= limit)
    return Check(name, float(value), float(limit), f"{unit}, at least", ok, where if ok else fault)


def not_found(name: str, unit: str, why: str) -> Check:
    """A check that could not be made."""
    return Check(name, nan, nan, unit, True, f"not estimated: {why}")


def failures(made: Iterable[Check]) -> list[str]:
    """What is to be said of a run: a sentence for each failed check, none twice."""
    return list(dict.fromkeys(check.words for check in made if not check.ok))


def written(made: Iterable[Check]) -> str:
    """Checks as text that a file keeps."""
    return json.dumps([check.plain for check in made])


def read(text: str) -> tuple[Check, ...]:
    """Checks from the text of a file; ValueError or TypeError where it is none."""
    out = []
    for row in json.loads(text):
        name, value, limit, unit, ok, words = (row[key] for key in KEYS)
        size, most = (nan if x is None else float(x) for x in (value, limit))
        out.append(Check(str(name), size, most, str(unit), bool(ok), str(words)))
    return tuple(out)


class Report(str):
    """Text whose repr is the text itself, so that a console or notebook shows it as it is."""

    def __repr__(self) -> str:
        return str(self)


def report(run: Result) -> Report:
    """How a run was made and what was looked at, as a table; what failed in full below it."""
    failed = [check for check in run.checks if not check.ok]
    rows = [
        ("ok" if c.ok else "FAILED", c.name, _number(c.value), _number(c.limit), c.unit, _short(c))
        for c in run.checks
    ]
    lines = [f"{run.robot_name}: {verdict(run)}", *_making(run)]
    if rows:
        lines += columns(("", "check", "value", "limit", "unit", "where"), rows)
    told = dict.fromkeys(check.words for check in failed)
    for words in told:
        names = dict.fromkeys(check.name for check in failed if check.words == words)
        lines.append(f"{', '.join(names)}: {words}")
    lines += [f"warning: {words}" for words in run.warnings if words not in told]
    return Report("\n".join(lines))


def verdict(run: Result) -> str:
    """One line: whether the run can be believed, as far as it was looked at."""
    if run.stopped:
        return f"stopped at t = {run.time[-1]:.4g} s: {run.stopped}"
    if run.interrupted:
        return f"interrupted at t = {run.time[-1]:.4g} s; it was not looked at"
    failed = [check.name for check in run.checks if not check.ok]
    if failed:
        names = ", ".join(dict.fromkeys(failed))
        return f"{len(failed)} of {len(run.checks)} checks failed: {names}"
    if run.warnings:
        return counted(len(run.warnings), "warning")
    if not run.checks:
        return "it was not looked at"
    return f"all {len(run.checks)} checks passed"


def _making(run: Result) -> list[str]:
    """Method, why, steps, refused, calls, and the cost of calls back to Python."""
    has = run.held.attrs
    if "method" not in has:
        return []
    counts = [f"{int(has['steps'])} steps", f"{int(has.get('steps_refused', 0))} refused"]
    counts += [f"{int(has.get('steps_redone', 0))} made again"]
    counts += [f"{int(has.get('calls', 0))} calls of the equations"]
    back = int(has.get("called_back", 0))
    cost = f", {back} of Python functions ({float(has['called_back_s']):.2g} s)" if back else ""
    exact = f"rtol {float(has.get('rtol', nan)):g}, atol {float(has.get('atol', nan)):g}"
    return [f"  method: {has['method']}; {exact}", f"  {', '.join(counts)}{cost}"]


def _number(value: float) -> str:
    return f"{value:.3g}" if isfinite(value) else "-"


def _short(check: Check) -> str:
    return check.words if check.ok else "see below"
