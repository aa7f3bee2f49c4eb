"""What is under a mask is no number: masked arrays are refused wherever arrays are taken."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import supple

load = functools.cache(supple.load)


def masked(*shape: int) -> Any:
    """Plausible numbers, the last of which is masked."""
    out = np.ma.array(np.linspace(0.1, 0.4, int(np.prod(shape))).reshape(shape))
    out[(-1,) * len(shape)] = np.ma.masked
    return out


def hiding(*shape: int) -> list[Any]:
    """The same, as a list of rows, or of numbers one of which stands under a mask."""
    return list(masked(*shape))


puma, bent = functools.partial(load, "puma"), functools.partial(load, "lin-lewis-rf")
ZERO = np.zeros(6)
TARGET = {"joint1": np.ma.masked}


def compiled() -> Any:
    return supple.compile(puma(), "forward_dynamics")


def run(**given: Any) -> Any:
    return supple.simulate(puma(), **{"duration": 0.01, "samples": 2} | given)


def many(**given: Any) -> Any:
    return supple.simulate_many(puma(), given, duration=0.01, samples=2)


def transfer() -> Any:
    model = supple.linearise(load("lin-lewis-rr"))
    return model.transfer_function(model.inputs[0], model.outputs[0])


def motion() -> Any:
    return supple.cycloidal(puma(), {"joint1": 0.5}, 1.0)


CALLS: dict[str, Callable[[], object]] = {
    "q of a plain function": lambda: supple.mass_matrix(puma(), masked(6)),
    "q as a list": lambda: supple.pose(puma(), hiding(6), "link6"),
    "qd of a plain function": lambda: supple.bias_force(puma(), ZERO, masked(6)),
    "tau of a plain function": lambda: supple.forward_dynamics(puma(), ZERO, ZERO, masked(6)),
    "external": lambda: supple.bias_force(puma(), ZERO, ZERO, {"link6": masked(6)}),
    "normalized": lambda: puma().normalized(masked(6)),
    "compiled": lambda: compiled()(masked(6), ZERO, ZERO),
    "batch": lambda: compiled().batch(masked(300, 6), ZERO, ZERO),
    "batch of a list of rows": lambda: compiled().batch(hiding(3, 6), ZERO, ZERO),
    "batch of all that is masked": lambda: compiled().batch(ZERO, np.ma.masked_all((3, 6)), ZERO),
    "out": lambda: compiled()(ZERO, ZERO, ZERO, out=masked(6)),
    "out without a mask": lambda: compiled()(ZERO, ZERO, ZERO, out=np.ma.zeros(6)),
    "out of a batch": lambda: compiled().batch(np.zeros((3, 6)), ZERO, ZERO, out=masked(3, 6)),
    "q0": lambda: run(q0=masked(6)),
    "q0 by name": lambda: run(q0={"joint1": np.ma.masked}),
    "qd0": lambda: run(qd0=masked(6)),
    "a constant torque": lambda: run(torque=masked(6)),
    "times of a torque table": lambda: run(torque=(masked(3), np.zeros((3, 6)))),
    "rows of a torque table": lambda: run(torque=([0.0, 0.1], masked(2, 6))),
    "rows of a table as a list": lambda: run(torque=([0.0, 0.1], hiding(2, 6))),
    "a torque function": lambda: run(torque=lambda t: masked(6)),
    "a load": lambda: run(external={"link6": masked(3)}),
    "a load as a function": lambda: run(external={"link6": lambda t: masked(6)}),
    "breaks": lambda: run(breaks=masked(3)),
    "a prescribed table": lambda: run(prescribed={"joint1": ([0.0, 1.0], masked(2))}),
    "a motion at a time": lambda: motion()(masked(3)),
    "variations": lambda: many(q0=masked(2, 6)),
    "a varied parameter": lambda: many(**{"gravity.2": masked(2)}),
    "a duration": lambda: run(duration=np.ma.masked),
    "targets": lambda: supple.cycloidal(puma(), TARGET, 1.0),
    "limits of a motion": lambda: supple.trapezoidal(puma(), {"joint1": 0.5}, np.ma.masked, 1.0),
    "points": lambda: supple.through(puma(), [0.0, 1.0], {"joint1": masked(2)}),
    "times of points": lambda: supple.through(puma(), masked(2), {"joint1": [0.0, 1.0]}),
    "gains": lambda: supple.pd(puma(), masked(6), 1.0),
    "a gain by name": lambda: supple.pid(puma(), {"joint1": np.ma.masked}, 1.0, 1.0),
    "a reference": lambda: supple.pd(puma(), 1.0, 1.0, masked(6)),
    "Q": lambda: supple.lqr(puma(), masked(12), 1.0),
    "R": lambda: supple.lqr(puma(), 1.0, masked(6)),
    "q of a regulator": lambda: supple.lqr(puma(), 1.0, 1.0, masked(6)),
    "a limit": lambda: supple.limited(np.ones(6), np.ma.masked),
    "frequencies of a shaper": lambda: supple.shaper("zv", masked(2)),
    "damping of a shaper": lambda: supple.shaper("zv", [1.0, 2.0], masked(2)),
    "residual": lambda: supple.shaper("zv", 10.0).residual(masked(3)),
    "statics": lambda: supple.statics(bent(), masked(2)),
    "a wrench": lambda: supple.statics(bent(), wrench={"barrel": masked(3)}),
    "reach": lambda: supple.reach(load("lin-lewis-rr"), {"link2": masked(3)}),
    "start of reach": lambda: supple.reach(puma(), {"link6": (0.4, 0.1, 0.2)}, start=masked(6)),
    "frequencies": lambda: supple.frequencies(puma(), masked(6)),
    "zeros": lambda: supple.zeros(bent(), q=masked(6)),
    "linearise": lambda: supple.linearise(puma(), masked(6)),
    "response": lambda: supple.linearise(load("lin-lewis-rr")).frequency_response(masked(3)),
    "campbell": lambda: supple.campbell(bent(), "azimuth", masked(4)),
    "rates": lambda: supple.frequencies(bent(), rates={"azimuth": np.ma.masked}),
    "workspace": lambda: supple.workspace_map(puma(), "link6", {"joint1": masked(3)}),
    "along": lambda: supple.along(bent(), masked(6)),
    "gauge": lambda: supple.gauge(bent(), bent().home(), "barrel.tip", qd=masked(6)),
    "assemble": lambda: supple.assemble(load("five-bar"), masked(load("five-bar").nq)),
    "complete_motion": lambda: supple.complete_motion(
        load("five-bar"), load("five-bar").home(), masked(2)
    ),
    "records": lambda: supple.identify(puma(), *[masked(9, 6)] * 4, ["link2.Izz"]),
    "parameters": lambda: puma().with_parameters({"gravity.2": np.ma.masked}),
    "words of a model": lambda: puma().replace(gravity=masked(3)),
    **{
        f"q of the plot {kind}": lambda kind=kind: supple.plot(bent(), kind, q=masked(6))
        for kind in ("modes", "convergence", "frequency")
    },
    "a Bode plot": lambda: supple.linearise(bent()).bode(w=masked(6)),
    "s of a transfer function": lambda: transfer()(masked(3)),
    "values of a study": lambda: supple.sweep(
        {"robot": "puma", "vary": {"gravity.2": {"values": masked(3)}}, "name": "a"}, out="x"
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_masked_arrays_are_refused(name: str) -> None:
    with pytest.raises(supple.SuppleError, match="mask"):
        CALLS[name]()


def test_a_mask_that_hides_nothing_does_no_harm() -> None:
    q = np.linspace(0.1, 0.6, 6)
    for given in (np.ma.array(q), np.ma.array(q, mask=np.zeros(6, dtype=bool))):
        assert np.array_equal(supple.mass_matrix(puma(), given), supple.mass_matrix(puma(), q))
        assert np.array_equal(compiled()(given, ZERO, ZERO), compiled()(q, ZERO, ZERO))
        both = compiled().batch(np.ma.vstack([given, given]), ZERO, ZERO)
        assert np.array_equal(both[1], compiled()(q, ZERO, ZERO))
