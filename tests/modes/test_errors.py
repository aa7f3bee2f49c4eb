"""Wrong options and wrong functions are told in one plain sentence."""

import numpy as np
import pytest

from supple.modes import (
    ClampedFree,
    ClampedMass,
    FiniteElements,
    Functions,
    Line,
    Orthogonal,
    PinnedPinned,
    family,
    root_values,
    scaled,
    uniform,
)

LINE = uniform(1.3)


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("x**2 + y", "'y'"),
        ("gamma(x)", "'gamma'"),
        ("x^2", "'x ^ 2'"),
        ("x.real", "'x.real'"),
        ("__import__('os')", "'__import__'"),
        ("sin(x, 2)", "'sin(x, 2)'"),
        ("(lambda: x)()", "'(lambda: x)()'"),
        ("x if x else 1", "'x if x else 1'"),
        ("x +", "'x +'"),
        ("True*x", "'True'"),
        ("2j*x", "'2j'"),
    ],
)
def test_a_bad_function_names_the_piece_and_what_is_allowed(text, piece):
    with pytest.raises(ValueError, match="allowed") as error:
        Functions((text,))
    assert piece in str(error.value)
    assert "x, L, pi, sin, cos" in str(error.value)


@pytest.mark.parametrize("text", ["log(x)", "1/x", "sqrt(x)", "sqrt(-1)*x", "x/0", "9**9**9**9*x"])
def test_a_function_without_finite_values_is_refused(text):
    with pytest.raises(ValueError, match="finite"):
        Functions((text,)).shapes(1, LINE)


@pytest.mark.parametrize("length", [1.0, 1.3])
@pytest.mark.parametrize(
    "text",
    [
        "tan(pi*x)",
        "tan(pi*x/L)",
        "x**2/(x-0.31)",
        "x**2/(x-0.3)**2",
        "x**2*log(abs(x-0.41))",
        "x**2*abs(x-0.7)**1.2",
        "x**2/((x-0.5)**2+1e-12)",
        "1e200*x**2",
        "exp(700*x)*x**2",
    ],
)
def test_a_function_with_a_pole_on_the_beam_is_refused(text, length):
    with pytest.raises(ValueError, match="finite"):
        Functions((text,)).shapes(1, uniform(length))


@pytest.mark.parametrize(
    "text", ["tan(x)", "x**2/(1.01*L-x)", "x*abs(x)**3", "sin(60*pi*x/L)", "x**2.5", "0*x"]
)
def test_poles_beyond_the_beam_and_many_waves_are_shapes(text):
    assert Functions((text,)).shapes(1, LINE).count == 1


@pytest.mark.parametrize("text", ["x**2*abs(x-0.31)", "abs(x-0.31)"])
def test_a_kink_which_a_beam_bends_to_by_no_finite_moment_is_refused(text):
    with pytest.raises(ValueError, match="kink"):
        Functions((text,)).shapes(1, LINE)


@pytest.mark.parametrize("text", ["x" * 2000, "(" * 400 + "x" + ")" * 400])
def test_an_endless_function_is_refused(text):
    with pytest.raises(ValueError):
        Functions((text,))


def test_every_allowed_name_works():
    text = "sin(x)+cos(x)+tan(x/2)+sinh(x)+cosh(x)+tanh(x)+exp(-x)+sqrt(x+1)+log(x+L)+abs(x-pi)+L"
    x, h = np.linspace(0.1, 1.2, 7), 1e-4
    shapes = Functions((text,)).shapes(1, LINE)
    by_hand = np.sin(x) + np.cos(x) + np.tan(x / 2) + np.sinh(x) + np.cosh(x) + np.tanh(x)
    by_hand += np.exp(-x) + np.sqrt(x + 1) + np.log(x + 1.3) + np.abs(x - np.pi) + 1.3
    np.testing.assert_allclose(shapes(x)[0], by_hand, rtol=1e-14)
    for d in range(3):
        quotient = (shapes(x + h, d) - shapes(x - h, d)) / (2 * h)
        np.testing.assert_allclose(shapes(x, d + 1), quotient, rtol=1e-5)


def test_callables_equal_the_text():
    w = np.pi / 1.3
    triple = (
        lambda x: np.sin(w * x),
        lambda x: w * np.cos(w * x),
        lambda x: -(w**2) * np.sin(w * x),
    )
    given, text = Functions((triple,)).shapes(1, LINE), Functions(("sin(pi*x/L)",)).shapes(1, LINE)
    x = np.linspace(0.0, 1.3, 9)
    for d in range(3):
        np.testing.assert_allclose(given(x, d), text(x, d), atol=1e-14)
    with pytest.raises(ValueError, match="derivative is 3; allowed 0 to 2"):
        given(x, 3)


def test_root_values_tell_what_is_not_clamped():
    shapes = Functions(("x**2", "x", "cos(x)")).shapes(3, LINE)
    np.testing.assert_allclose(root_values(shapes), [[0, 0], [0, 1], [1, 0]], atol=1e-15)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ClampedMass(mass_ratio=-1.0), "mass_ratio is -1.0"),
        (lambda: ClampedMass(inertia_ratio=float("nan")), "inertia_ratio is nan"),
        (lambda: ClampedMass(offset_ratio=-1.0), "greater than -1"),
        (lambda: FiniteElements(root="free"), "allowed are clamped, pinned"),
        (lambda: Functions(()), "list of functions"),
        (lambda: Functions("x**2"), "list of functions"),
        (lambda: Functions((3.0,)), "text or a tuple of callables"),
        (lambda: Functions(("x",)).shapes(2, LINE), "2 modes asked for, but 1 functions given"),
        (lambda: Functions(((np.sin, np.cos),)).shapes(1, LINE), "phi''"),
        (lambda: ClampedFree().shapes(-1, LINE), "count of modes is -1"),
        (lambda: ClampedFree().shapes(2, LINE)(0.1, 4), "allowed 0 to 3"),
        (lambda: scaled(Orthogonal().shapes(2, LINE), LINE, "big"), "allowed are raw, tip"),
        (lambda: scaled(Orthogonal().shapes(2, LINE), LINE, "sine"), "Euler-Bernoulli"),
        (lambda: scaled(PinnedPinned().shapes(2, LINE), LINE, "tip"), "at rest in mode 1"),
        (lambda: family("clamped"), "allowed are orthogonal"),
        (lambda: family("clamped_free", mu=1.0), "no options"),
        (lambda: family("functions"), "list of formulas"),
        (lambda: uniform(-1.0), "length is -1.0"),
        (lambda: uniform(1.0, tip_mass=-2.0), "tip_mass is -2.0"),
        (lambda: Line(1.0, np.ones_like, np.ones_like, breaks=(1.5,)), "outside the beam"),
        (lambda: FiniteElements().shapes(1, uniform(1.0, stiffness=0.0)), "must be positive"),
    ],
)
def test_wrong_options_say_what_is_allowed(make, message):
    with pytest.raises(ValueError) as error:
        make()
    assert message in str(error.value)
