"""Studies: 10^5 runs of the Canadarm, what the study costs beside `simulate_many`, 10^6 points."""

from __future__ import annotations

import resource
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import supple
from supple.model.parameters import parameter_value
from supple.sweeps import sweep
from supple.sweeps.study import Study, document_of, study_of

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
    many, block = (100_000, 1024) if seconds else (64, 64)
    points = 1_000_000 if seconds else 64
    rows = [_runs(many), *_cost(4 * block), _frequencies(points)]
    columns = ("what", "points", "time [s]", "a point [ms]", "asked")
    return [Table(columns, rows, ("By the clock, on all cores.",))]


def _swept(made: Study) -> float:
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        found = sweep(made, out=Path(folder) / "study")
        took = time.perf_counter() - began
    assert not found.failed, list(found.failed.items())[:3]
    return took


def _row(what: str, points: int, took: float, asked: str) -> tuple[Any, ...]:
    return what, points, took, 1e3 * took / points, asked


def _runs(points: int) -> tuple[Any, ...]:
    words = "runs of the Canadarm, 10 s, uncertain stiffness and payload"
    return _row(words, points, _swept(runs_of(points)), "120 s for 100000")


def _cost(points: int) -> list[tuple[Any, ...]]:
    """The same runs by one call of simulate_many on all cores, and by a study."""
    made, robot = runs_of(points), supple.load("canadarm")
    values = made.points.values
    assert np.isfinite([parameter_value(robot, name) for name in made.points.names]).all()
    varied = dict(zip(made.points.names, values.T, strict=True))
    more: dict[str, Any] = {"motion": "paper", **HOW}
    supple.simulate_many(robot, {n: x[:8] for n, x in varied.items()}, **more)  # compiles
    began = time.perf_counter()
    supple.simulate_many(robot, varied, **more)
    plain = time.perf_counter() - began
    with_study = _swept(made)
    return [
        _row("simulate_many", points, plain, ""),
        _row(f"the same as a study: {with_study / plain:.2f} x", points, with_study, ""),
    ]


def _frequencies(points: int) -> tuple[Any, ...]:
    took = _swept(frequencies_of(points))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return _row(f"frequencies; {peak:.0f} MB at most", points, took, "bounded memory")
