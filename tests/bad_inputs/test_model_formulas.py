"""Formulas of motions and shapes that are wrong, wild or long: one message at their place."""

from __future__ import annotations

import pytest

import supple
from supple import InputError, ModelError

ARM = """\
links:
  arm: {{beam: {{length: 1, mass: 1, EI: 1, modes: {{bending_y: {{functions: [{shape}]}}}}}}}}
joints:
  - {{name: a, type: revolute, child: arm}}
motions:
  go: {{duration: 1, joints: {{a: {motion}}}}}
"""
SHAPE, MOTION = "x**2", "0.1*t"

# formulas that cannot be read, for either, and what is said of them; V is the variable
UNREADABLE = [
    ("", "cannot be read"),
    ("V+", "cannot be read"),
    ("V V", "cannot be read"),
    ("(V", "cannot be read"),
    ("V = 1", "cannot be read"),
    ("y*V", "'y' is not allowed"),
    ("V.real", "'V.real' is not allowed"),
    ("V[0]", "'V[0]' is not allowed"),
    ("[V]", "is not allowed"),
    ("'V'", "is not allowed"),
    ("1j*V", "'1j' is not allowed"),
    ("True*V", "'True' is not allowed"),
    ("V if V else 0", "is not allowed"),
    ("V < 1", "is not allowed"),
    ("lambda: V", "is not allowed"),
    ("V // 2", "is not allowed"),
    ("V @ V", "is not allowed"),
    ("open(V)", "'open' is not known"),
    ("__import__('os')", "'__import__' is not known"),
    ("sin(V, V)", "is not allowed"),
    ("sin(x=V)", "is not allowed"),
    ("sin", "'sin' is not allowed"),
    ("V²", "cannot be read"),
    ("π*V", "is not allowed"),
    ("V\u200b", "cannot be read"),
    ("V*" * 600 + "V", "at most 1000 are allowed"),
    ("sin(" * 60 + "V" + ")" * 60, "nested too deeply"),
    ("(" * 300 + "V" + ")" * 300, ""),
    ("-" * 900 + "V", "nested too deeply"),
    ("V**" * 100 + "V", ""),
]


def text(shape: str = SHAPE, motion: str = MOTION) -> str:
    def quote(words: str) -> str:
        return "'" + words.replace("'", "''") + "'"

    return ARM.format(shape=quote(shape), motion=quote(motion))


def fault_of(words: str) -> supple.errors.Fault:
    from supple.model.yaml import parse

    with pytest.raises(ModelError) as error:
        supple.build(parse(words))
    (fault,) = error.value.faults
    return fault


@pytest.mark.parametrize(("formula", "message"), UNREADABLE, ids=lambda x: x[:20])
def test_a_formula_that_cannot_be_read_is_told_at_its_key(formula: str, message: str) -> None:
    motion = fault_of(text(motion=formula.replace("V", "t")))
    assert motion.key == "motions.go.joints.a"
    assert message.replace("V", "t") in motion.message
    shape = fault_of(text(shape=formula.replace("V", "x")))
    assert shape.key.startswith("links.arm.beam.modes.bending_y")
    assert message.replace("V", "x") in shape.message


# shapes that have no finite integrals, or are no shapes of a clamped or pinned beam
WILD = [
    "1/x",
    "1/(x - 0.5)",
    "log(x)",
    "tan(9*x)",
    "x**0.5",
    "sqrt(x - 2)",
    "9**9**9*x",
    "x**x - 1",
]
WILD += ["exp(1000*x)", "1e308*x**2", "x + 1", "cos(x)", "abs(x - 0.3) - 0.3", "x*9**99999", "x/0"]
WILD += ["(-1)**0.5*x", "0*x", "sin(1e6*x)", "1e400*x", "x**-1", "log(-x)", "x*exp(exp(exp(9)))"]


@pytest.mark.parametrize("formula", WILD)
def test_a_wild_shape_is_refused_at_its_beam(formula: str) -> None:
    assert fault_of(text(shape=formula)).key.startswith("links.arm")


# motions that are not finite or not real somewhere in their time
POLES = ["1/t", "log(t - 2)", "sqrt(t - 2)", "t**0.5", "9**9**9*t", "exp(exp(9))*t"]
POLES += ["(-1)**0.5*t", "t/0", "1e400*t", "log(0*t)", "t**-2", "(t - 2)**0.5"]


@pytest.mark.parametrize("formula", POLES)
def test_a_motion_without_a_finite_value_names_its_joint(formula: str) -> None:
    from supple.model.yaml import parse

    with pytest.raises((InputError, ModelError), match=r"motion of a|motions\.go\.joints\.a"):
        supple.simulate(supple.build(parse(text(motion=formula))), motion="go", samples=5)
