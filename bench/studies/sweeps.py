"""Studies: 10^5 runs of the Canadarm, what the study costs beside `simulate_many`, 10^6 points."""

from __future__ import annotations

import resource
import tempfile
import time
from pathlib import Path
from typing import Any

import supple
from supple.sweeps import Study, sweep
from supple.sweeps.study import document_of, study_of

from .table import Table

VARIED = {
    "link1.beam.EI": {"normal": [1.0, 0.05], "relative": True},
    "link2.beam.EI": {"normal": [1.0, 0.05], "relative": True},
    "link3.beam.mass": {"uniform": [0.95, 1.05], "relative": True},
}
HOW = {"method": "rk4", "step": 2e-3, "rtol": 1e-3, "atol": 1e-3, "samples": 51}


def runs_of(points: int) -> Study:
    """Uncertain stiffness and payload; how far the tip is from where it should be."""
    words = {
        "name": "canadarm-uncertain",
        "robot": "canadarm",
        "vary": VARIED,
        "design": {"kind": "sobol", "points": points, "seed": 1},
        "experiment": {"simulate": {"motion": "paper", "duration": 10.0, **HOW}},
        "outcomes": {"tip_error": "max(distance(link3.tip, wanted.link3.tip))"},
    }
    return study_of(document_of(words), Path())


def frequencies_of(points: int) -> Study:
    words = {
        "name": "canadarm-frequencies",
        "robot": "canadarm",
        "vary": {name: VARIED[name] for name in ("link1.beam.EI", "link2.beam.EI")},
        "design": {"kind": "random", "points": points, "seed": 1},
        "experiment": {"frequencies": {"locked": True, "count": 3}},
    }
    return study_of(document_of(words), Path())


def study(seconds: float) -> list[Table]:
    many, alone, points = (100_000, 16_384, 1_000_000) if seconds else (64, 64, 64)
    took, plain = _swept(runs_of(many)), _alone(alone)
    share = (took / many) / (plain / alone)
    words = "runs of the Canadarm, 10 s, uncertain stiffness and payload"
    rows = [
        _row(words, many, took, "120 s for 100000"),
        _row("the same by one call of simulate_many", alone, plain, ""),
        _row(f"a study takes {share:.2f} x as long a point", many, took, "1.10 x"),
        _frequencies(points),
    ]
    columns = ("what", "points", "time [s]", "a point [ms]", "asked")
    note = "By the clock, on all cores; the start and the end of the workers included."
    return [Table(columns, rows, (note,))]


def _swept(made: Study) -> float:
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        found = sweep(made, out=Path(folder) / "study")
        took = time.perf_counter() - began
    assert not found.failed, list(found.failed.items())[:3]
    return took


def _row(what: str, points: int, took: float, asked: str) -> tuple[Any, ...]:
    return what, points, took, 1e3 * took / points, asked


def _alone(points: int) -> float:
    """The same runs by one call of simulate_many on all cores."""
    made, robot = runs_of(points), supple.load("canadarm")
    varied = dict(zip(made.points.names, made.points.values.T, strict=True))
    more: dict[str, Any] = {"motion": "paper", **HOW}
    supple.simulate_many(robot, {n: x[:8] for n, x in varied.items()}, **more)  # compiles
    began = time.perf_counter()
    supple.simulate_many(robot, varied, **more)
    return time.perf_counter() - began


def _frequencies(points: int) -> tuple[Any, ...]:
    took = _swept(frequencies_of(points))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return _row(f"frequencies; {peak:.0f} MB at most", points, took, "bounded memory")
