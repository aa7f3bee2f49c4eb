"""What a change may not undo: no quantity of a shipped robot takes 2 % more operations than it did.

The numbers are those of the commit "Tests: one way to say that arrays agree" (2118b0e), counted
by `compile(...).operations()` there, before the rooms of the house were built."""

import json
from pathlib import Path

import pytest

import supple
from supple.tracer import quickly

FILED = json.loads((Path(__file__).parents[1] / "data" / "operation_counts_filed.json").read_text())


@pytest.mark.parametrize("name", FILED)
def test_no_quantity_takes_more_operations_than_before_the_house(name):
    robot = supple.load(name)
    for what, filed in FILED[name].items():
        quantity, _, station = what.partition(" of ")
        where = {"station": station} if station else {}
        with quickly():  # it is counted, not called
            ours = supple.compile(robot, quantity, unroll=True, **where).operations()
        assert sum(ours.values()) <= 1.02 * filed, what
