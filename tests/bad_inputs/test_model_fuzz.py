"""Five thousand model files gone wrong: each loads with finite numbers, or says where it is wrong.

Nothing else may come out: no other exception, no NaN, no warning of NumPy's, no five seconds of
CPU time, no gigabyte.
"""

from __future__ import annotations

import signal
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import supple
from model_mutants import (
    NASTY,
    Mutant,
    document,
    has_raw,
    in_lines,
    mutant,
    source_data,
    sources,
)
from supple import ModelError
from supple.model import plausibility
from supple.model.yaml import parse

MANY, PARTS = 5000, 20
WHOLE_FILE = ("not valid YAML", "the file is empty", "a model file is a mapping", "nested too deep")


@contextmanager
def seconds(limit: float) -> Iterator[None]:
    """An error after so much CPU time of this process, where the system can tell."""
    if not hasattr(signal, "SIGVTALRM"):
        yield
        return

    def stop(*_: Any) -> None:
        raise TimeoutError(f"more than {limit} s")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, limit)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        signal.signal(signal.SIGVTALRM, before)


def judge(file: Mutant) -> str:
    """What came of a file; an AssertionError or any other exception is a defect."""
    try:
        document = file.document()
        robot = supple.build(document)
    except ModelError as error:
        for fault in error.faults:
            assert fault.message.isprintable()
            assert fault.line or fault.message.startswith((*WHOLE_FILE, "a robot needs at least"))
        return "refused"
    assert np.isfinite(supple.mass_matrix(robot, robot.neutral())).all()
    for doubt in plausibility(robot, document):
        assert doubt.line
    return "built"


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_a_file_gone_wrong_loads_or_says_where_it_is_wrong(part: int) -> None:
    found: Counter[str] = Counter()
    before = peak()
    for seed in range(part * MANY // PARTS, (part + 1) * MANY // PARTS):
        file = mutant(seed)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                with seconds(5.0):
                    found[judge(file)] += 1
            except Exception as error:
                pytest.fail(f"seed {seed}, from {file.source}: {error!r}\n{file.text}")
    assert min(found["built"], found["refused"]) > 30  # both ends are seen
    assert peak() - before < 1e6


def test_mutated_data_are_taken_as_they_would_be_read() -> None:
    some = [mutant(seed).data for seed in range(0, MANY, PARTS)]
    whole = [source_data(i) for i in range(len(sources()))]
    nasty = [{"top": x, "in": {"key": x, "list": [x, [x, x]]}, "é" * 9: {}} for x in NASTY]
    for data in (*filter(None, some), *whole, *nasty):
        if "" not in data and not has_raw(data):
            text = in_lines(data)
            assert repr(document(data, text)) == repr(parse(text, "arm.yaml"))


def peak() -> int:
    """The most memory this process has had, in kB; 0 where the system does not tell."""
    if sys.platform != "linux":
        return 0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
