"""Short runs of robots that take long to compile: their code is made quickly."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from supple.simulation.integrators import integrator
from supple.tracer import quickly


@contextmanager
def quick_run(*methods: str) -> Iterator[None]:
    """Code of robots is made quickly, that of integrators as for all other tests: they share it.
    methods: those that the runs use, else the two of `auto`."""
    for method in methods or ("explicit", "rosenbrock"):
        integrator(method)
    with quickly():
        yield
