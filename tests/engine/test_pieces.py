"""A program in pieces gives what the whole gives, however small the pieces are."""

import numpy as np
import pytest

import supple
from supple.engine import llvm
from supple.engine.pieces import pieces
from supple.engine.quantities import Request, trace_quantity
from trees import random_state


@pytest.mark.parametrize("most", [7, 60, 900])
@pytest.mark.parametrize("name", ["puma", "lin-lewis-rf", "lin-lewis-rr"])
def test_pieces_give_what_the_whole_gives(name, most, tmp_path, monkeypatch):
    robot = supple.load(name)
    q, qd, tau = random_state(robot, np.random.default_rng(0))
    rows = [np.tile(x, (13, 1)) for x in (q, qd, tau)]
    whole = supple.compile(robot, "forward_dynamics")
    factors = supple.udu_factors(robot, q)
    monkeypatch.setenv("SUPPLE_CACHE", str(tmp_path))  # nothing of the whole is found there
    monkeypatch.setattr(llvm, "pieces", lambda program: pieces(program, most))
    parts = supple.compile(robot, "forward_dynamics")
    expected = whole(q, qd, tau)
    assert np.abs(parts(q, qd, tau) - expected).max() <= 1e-11 * np.abs(expected).max()
    assert np.abs(parts.batch(*rows) - expected).max() <= 1e-11 * np.abs(expected).max()
    for found, known in zip(supple.compile(robot, "udu_factors")(q), factors, strict=True):
        assert np.abs(found - known).max() <= 1e-11 * np.abs(known).max()  # numbers among them


def test_places_are_used_again():
    program = trace_quantity(Request(supple.load("canadarm-spatial"), "forward_dynamics")).program()
    made, size = pieces(program, 200)
    passed = sum(area == "work" for piece in made for area, _ in piece.targets)
    assert len(made) == -(-len(program.ops) // 200)
    assert size < passed / 2
    assert sum(len(piece.program.outputs) for piece in made) == passed + len(program.outputs)
