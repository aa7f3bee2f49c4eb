"""Closed forms of the integrals, where the family of shapes has them.

Polynomials integrate to fractions, sines to fractions and 1/pi, and of a clamped-free beam
phi'''' = beta^4 phi turns integrals into boundary values:

    int phi = 2 sigma / beta,   int xi phi = 2 / beta^2,   int phi_j phi_k = delta_jk
All of them for uniform weights and shapes in their own scale; beta stands for beta_k L.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...errors import SuppleError
from .integrals import Integrals, Shape

if TYPE_CHECKING:
    import sympy


@dataclass(frozen=True)
class ClosedForms:
    """Closed forms, as text, of one beam's shapes; "" where there is none."""

    beam: Integrals
    families: tuple[tuple[str, str, tuple[str, ...]], ...]
    uniform: bool

    def text(self, what: str, *shapes: int) -> str:
        """`what` is a letter of `integrals`, or "phi", "dphi" at the tip."""
        if not self.uniform or not shapes:
            return ""
        kinds = {self.families[k][:2] for k in shapes}
        if len(kinds) != 1:
            return ""
        ((name, scale),) = kinds
        maker = _MAKERS.get(name)
        if maker is None or scale != "raw":
            return ""
        try:
            return maker(self, what, *shapes)
        except (SuppleError, ValueError, ArithmeticError):
            return ""

    def shape(self, k: int) -> Shape:
        return self.beam.shapes[k]


def _derivatives(one: ClosedForms, what: str, shapes: tuple[int, ...]) -> list[int]:
    """Which derivative with respect to xi of each shape stands under the integral."""
    out = []
    for k in shapes:
        bends = one.shape(k).bends
        out.append({"k": 2 if bends else 1, "h": 1 if bends else 0, "dphi": 1}.get(what, 0))
    return out


def _polynomial(one: ClosedForms, what: str, *shapes: int) -> str:
    """Exact integration of polynomials in xi."""
    import sympy

    xi = sympy.Symbol("xi")
    parts = [_as_polynomial(one, k, xi) for k in shapes]
    orders = _derivatives(one, what, shapes)
    parts = [p.diff(xi, d) if d else p for p, d in zip(parts, orders, strict=True)]
    if what in ("phi", "dphi"):
        return str(sympy.nsimplify(parts[0].subs(xi, 1)))
    product = sympy.Mul(*parts) * (xi if what == "b" else 1)
    return str(sympy.Poly(product, xi).integrate().eval(1))


def _as_polynomial(one: ClosedForms, k: int, xi: sympy.Symbol) -> sympy.Expr:
    import sympy

    shape, (name, _, texts) = one.shape(k), one.families[k]
    order = 2 if shape.bends else 1
    if name == "orthogonal":
        n = shape.number - 1
        return sympy.expand(xi**order * sympy.jacobi(n, 0, 2 * order, 2 * xi - 1))
    if not texts:
        raise ValueError
    from ...expressions import in_symbols, parse

    L = sympy.Symbol("L", positive=True)
    names = {"x": xi * L, "L": L, "pi": sympy.pi}
    text = sympy.expand(in_symbols(parse(texts[0]), names))
    if L in text.free_symbols or text.has(sympy.Float) or not text.is_polynomial(xi):
        raise ValueError
    return text


def _sines(one: ClosedForms, what: str, *shapes: int) -> str:
    """phi_k = sin(r pi xi / 2): integrals of cosines and sines of whole quarter turns."""
    import sympy

    r = [_half_turns(one, k) for k in shapes]
    wave = [sympy.pi * n / 2 for n in r]
    if what == "phi":
        return str(sympy.sin(wave[0]))
    if what == "dphi":
        return str(wave[0] * sympy.cos(wave[0]))
    if what == "b":
        return str(sympy.sin(wave[0]) / wave[0] ** 2 - sympy.cos(wave[0]) / wave[0])
    (orders) = _derivatives(one, what, shapes)
    if len(shapes) == 1:
        first = {0: (1 - sympy.cos(wave[0])) / wave[0], 1: sympy.sin(wave[0])}
        return str(first[orders[0]])
    if len(set(orders)) != 1:
        return ""
    d = orders[0]
    same, other = _cosine(r[0] - r[1]), _cosine(r[0] + r[1])
    total = (same - other) if d % 2 == 0 else (same + other)
    return str(sympy.Rational(1, 2) * total * (wave[0] * wave[1]) ** d)


def _half_turns(one: ClosedForms, k: int) -> int:
    shape, name = one.shape(k), one.families[k][0]
    if name == "pinned_pinned":
        return 2 * shape.number
    if shape.bends:
        raise ValueError
    return 2 * shape.number - 1


def _cosine(r: int) -> sympy.Expr:
    """int_0^1 cos(r pi xi / 2)."""
    import sympy

    return 1 if r == 0 else sympy.sin(r * sympy.pi / 2) / (r * sympy.pi / 2)


def _clamped_free(one: ClosedForms, what: str, *shapes: int) -> str:
    if not one.shape(shapes[0]).bends:
        return _sines(one, what, *shapes)
    k = one.shape(shapes[0]).number
    beta, sigma = f"beta{k}", f"sigma{k}"
    if len(shapes) == 1:
        sign = "" if k % 2 else "-"
        return {
            "a": f"2*{sigma}/{beta}",
            "b": f"2/{beta}**2",
            "phi": f"{sign}2",
            "dphi": f"{sign}2*{beta}*{sigma}",
        }.get(what, "")
    alike = shapes[0] == shapes[1]
    return {"e": "1" if alike else "", "k": f"{beta}**4" if alike else ""}.get(what, "")


_MAKERS: dict[str, Callable[..., str]] = {
    "orthogonal": _polynomial,
    "functions": _polynomial,
    "pinned_pinned": _sines,
    "clamped_free": _clamped_free,
}
