"""Code that is made quickly is the same program: LLVM fuses and places less, that is all."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from agree import assert_near
from supple.engine import QUANTITIES
from supple.tracer import cache, quickly
from trees import BODIES, JOINTS, random_state, tree


@pytest.mark.parametrize("robot", [tree(130, JOINTS, BODIES), supple.load("cibicik-arm")])
def test_quick_code_gives_what_usual_code_gives(robot: supple.Robot) -> None:
    """Straight-line code and scans, one state and a batch; random trees rely on it."""
    q, qd, qdd = random_state(robot, np.random.default_rng(1))
    given = {"q": q, "qd": qd, "qdd": qdd, "tau": qdd}
    digits = 1e-13 * float(np.linalg.cond(supple.mass_matrix(robot, q)))
    for what in ("forward_dynamics", "kinetic_energy", "mass_matrix"):
        for unroll in (True, False) if QUANTITIES[what].scans and not robot.gears else (True,):
            usual = supple.compile(robot, what, unroll=unroll)
            with quickly():
                quick = supple.compile(robot, what, unroll=unroll)
                x = [given[name] for name in quick.arguments]
                many = quick.batch(*[np.tile(v, (9, 1)) for v in x])
            assert_near(quick(*x), usual(*x), digits)
            assert_near(many[8], usual(*x), digits)


def test_quick_code_is_kept_apart_from_usual_code() -> None:
    usual = cache.key("a")
    with quickly():
        assert cache.key("a") != usual
        with quickly():
            pass
        assert cache.key("a") != usual
    assert cache.key("a") == usual
