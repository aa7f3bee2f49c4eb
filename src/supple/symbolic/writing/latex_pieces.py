r"""An expression as pieces of LaTeX, between which a line may end.

A line begins with a sign of a sum, or, at a higher price, with a factor and a point before it.
Brackets are plain or of a fixed size, never \left and \right, so that they can open on one line
and close on another. A fraction that is too wide is a factor before what stood on its bar.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import sympy

from ..stumpff import Stumpff
from .tex_width import width

Names = Mapping[sympy.Symbol, str]

SUM, PRODUCT = 0.0, 4.0  # prices of a line that begins with a term, with a factor
WIDE = 150.0  # pt of a bracket or a fraction that is not taken apart


@dataclass(frozen=True)
class LatexPiece:
    """Text with the number of brackets around it; price: of a line that begins here (None: none
    may); point: the piece is a factor, with a point before it where a line begins."""

    text: str
    depth: int
    price: float | None = None
    point: bool = False


def pieces(e: sympy.Expr, names: Names, depth: int = 0) -> list[LatexPiece]:
    """Of a sum, a product or anything else."""
    terms = e.as_ordered_terms() if e.is_Add else [e]
    out: list[LatexPiece] = []
    for k, term in enumerate(terms):
        minus = _is_negative(term)
        found = _product(-term if minus else term, names, depth)
        sign = "- " if minus else "+ " if k else ""
        out.append(replace(found[0], text=sign + found[0].text, price=SUM if k else None))
        out += found[1:]
    return out


def joined(found: list[LatexPiece]) -> str:
    """All on one line."""
    return " ".join(piece.text for piece in found)


def _is_negative(term: sympy.Expr) -> bool:
    return bool(term.as_coeff_Mul()[0].is_extended_negative)


def _product(e: sympy.Expr, names: Names, depth: int) -> list[LatexPiece]:
    """Factors side by side; those with negative exponents below a bar, sums and functions
    behind it."""
    above, below = _halves(e)
    under = _row(below, names)
    if not below:
        return _factors(above, names, depth)
    if width(under) > WIDE:
        inverse = [sympy.Pow(x, -1, evaluate=False) for x in below]
        return _factors([*above, *inverse], names, depth)
    over = [x for x in above if x.as_base_exp()[0].is_Atom] or [x for x in above if x.is_Add][:1]
    over = over if width(_row(over, names)) <= WIDE else []
    bar = LatexPiece(rf"\frac{{{_row(over, names) or 1}}}{{{under}}}", depth)
    return [bar, *_factors([x for x in above if x not in over], names, depth, start=1)]


def _row(factors: list[sympy.Expr], names: Names) -> str:
    """On one line of its own: a sum by itself needs no brackets."""
    return joined(pieces(factors[0], names) if len(factors) == 1 else _factors(factors, names, 0))


def _halves(e: sympy.Expr) -> tuple[list[sympy.Expr], list[sympy.Expr]]:
    """Factors above and below the bar, numbers first."""
    number, rest = e.as_coeff_Mul()
    above, below = [], []
    if number.is_Rational:
        above += [sympy.Integer(number.p)] if number.p != 1 else []
        below += [sympy.Integer(number.q)] if number.q != 1 else []
    elif number != 1:
        above.append(number)
    for factor in rest.as_ordered_factors() if rest.is_Mul else [rest]:
        base, power = factor.as_base_exp()
        if power.is_Rational and power < 0:
            below.append(sympy.Pow(base, -power))
        elif factor != 1:
            above.append(factor)
    return above or [sympy.S.One], below


def _factors(
    factors: list[sympy.Expr], names: Names, depth: int, start: int = 0
) -> list[LatexPiece]:
    """Side by side: each may begin a line but for the first of the product; start: how many there
    are already."""
    out: list[LatexPiece] = []
    for k, factor in enumerate(factors, start):
        found = _factor(factor, names, depth)
        dot = r"\cdot " if k and found[0].text[0].isdigit() else ""
        price = PRODUCT if k else None
        out.append(
            replace(found[0], text=dot + found[0].text, price=price, point=bool(k and not dot))
        )
        out += found[1:]
    return out


def _factor(e: sympy.Expr, names: Names, depth: int) -> list[LatexPiece]:
    """As it stands between other factors."""
    if e.is_Symbol:
        return [LatexPiece(names.get(e, e.name), depth)]
    if e.is_Add or e.is_Mul or (e.is_number and _is_negative(e)):
        return _bracketed(pieces(e, names, depth + 1), "", "")
    if e.is_Pow:
        return _power(e, names, depth)
    if e.is_Function or isinstance(e, sympy.Max):
        return _called(e, "", names, depth)
    return [LatexPiece(str(sympy.latex(e, symbol_names=dict(names))), depth)]


def _power(e: sympy.Pow, names: Names, depth: int) -> list[LatexPiece]:
    base, exponent = e.args
    above = f"^{{{joined(pieces(exponent, names))}}}"
    if base.is_Function and exponent.is_Integer and exponent > 0:
        return _called(base, above, names, depth)
    name = names.get(base, base.name) if base.is_Symbol else ""
    if name and not set(name) & set("^'"):
        return [LatexPiece(name + above, depth)]
    return _bracketed(pieces(base, names, depth + 1), "", above)


def _called(e: sympy.Expr, power: str, names: Names, depth: int) -> list[LatexPiece]:
    """A function with its power, and its arguments in brackets."""
    head = f"c_{{{e.k}}}" if isinstance(e, Stumpff) else _HEADS.get(type(e).__name__)
    if head is None:
        head = rf"\mathrm{{{type(e).__name__}}}"
    inside: list[LatexPiece] = []
    for k, argument in enumerate(sorted(e.args, key=lambda x: not x.is_number)):
        if k:
            inside[-1] = replace(inside[-1], text=inside[-1].text + ",")
        inside += pieces(argument, names, depth + 1)
    after = "" if head.startswith("\\") else power  # c_2(s)^2, but sin^2(x)
    return _bracketed(inside, head + (power if not after else ""), after)


_HEADS = {name: f"\\{name.lower()}" for name in ("sin", "cos", "tan", "tanh", "Max")}


def _bracketed(inside: list[LatexPiece], before: str, after: str) -> list[LatexPiece]:
    """In brackets larger than those within."""
    text = joined(inside)
    held = [k for k, (left, _) in enumerate(BRACKETS) if left in text]
    size = min(max([*(k + 1 for k in held), 2 * (r"\frac" in text)]), len(BRACKETS) - 1)
    left, right = BRACKETS[size]
    if width(text) <= WIDE:
        return [LatexPiece(before + left + text + right + after, inside[0].depth - 1)]
    out = [replace(inside[0], text=before + left + inside[0].text), *inside[1:]]
    return [*out[:-1], replace(out[-1], text=out[-1].text + right + after)]


BRACKETS = (("(", ")"), (r"\bigl(", r"\bigr)"), (r"\Bigl(", r"\Bigr)"), (r"\biggl(", r"\biggr)"))
