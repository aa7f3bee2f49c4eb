"""A program in parts gives what the whole gives, however small the parts are."""

import numpy as np
import pytest

import supple
from supple.engine import Request, trace_quantity
from supple.tracer import program_parts
from trees import random_state


@pytest.mark.parametrize("most", [7, 60, 900])
@pytest.mark.parametrize("name", ["puma", "lin-lewis-rf", "lin-lewis-rr"])
def test_parts_give_what_the_whole_gives(name, most, tmp_path, monkeypatch):
    robot = supple.load(name)
    q, qd, tau = random_state(robot, np.random.default_rng(0))
    rows = [np.tile(x, (13, 1)) for x in (q, qd, tau)]
    whole = supple.compile(robot, "forward_dynamics")
    factors = supple.udu_factors(robot, q)
    monkeypatch.setenv("SUPPLE_CACHE", str(tmp_path))  # nothing of the whole is found there
    monkeypatch.setattr(program_parts, "MOST", most)
    cut = supple.compile(robot, "forward_dynamics")
    expected = whole(q, qd, tau)
    assert np.abs(cut(q, qd, tau) - expected).max() <= 1e-11 * np.abs(expected).max()
    assert np.abs(cut.batch(*rows) - expected).max() <= 1e-11 * np.abs(expected).max()
    for found, known in zip(supple.compile(robot, "udu_factors")(q), factors, strict=True):
        assert np.abs(found - known).max() <= 1e-11 * np.abs(known).max()  # numbers among them


def test_places_of_the_work_space_are_used_again():
    program = trace_quantity(Request(supple.load("canadarm-spatial"), "forward_dynamics")).program()
    _, size = program_parts.in_parts(program, 200)
    _, whole = program_parts.in_parts(program, len(program.ops))
    assert whole == 0 < size < len(program.ops) / 10
