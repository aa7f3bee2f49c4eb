"""What tells functions and their code apart."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import supple
from supple.engine.fingerprint import function_fingerprint


def test_functions_that_differ_in_their_defaults_alone_are_two() -> None:
    def made(k: float) -> Any:
        def twice(x: Any, k: float = k) -> Any:
            return k * x

        return FunctionType(twice.__code__, {"__name__": "supple.made"}, "twice", (k,))

    one, other = made(1.0), made(2.0)
    assert function_fingerprint(one) == function_fingerprint(made(1.0)) is not None
    assert function_fingerprint(one) != function_fingerprint(other)


def test_code_of_other_compilers_and_machines_has_other_names(monkeypatch: Any) -> None:
    from supple.tracer import cache

    names = {cache.key("x")}
    monkeypatch.setattr(cache, "versions", lambda: ("another",))
    names.add(cache.key("x"))
    monkeypatch.setattr(cache, "host", lambda: "another")
    assert len(names | {cache.key("x")}) == 3


def test_functions_of_one_place_under_two_names_have_arguments_of_their_own_names() -> None:
    """link2 is link2.tip: the code may be one, the names may not."""
    robot = supple.load("lin-lewis-rr")
    for where in ("link2", "link2.tip"):
        found = supple.compile(robot, "forward_dynamics", wrenches=[where]).arguments
        assert list(found)[-1] == "wrench_" + where.replace(".", "_")
