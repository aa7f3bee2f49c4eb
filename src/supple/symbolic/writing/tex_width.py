r"""How wide a formula is in Computer Modern at 10 pt, so that lines end where they must.

TeX's own rules for what `latex_pieces` writes: letters side by side, space around signs, smaller
letters in scripts, the wider half of a fraction. Rounded so that TeX never needs more.
"""

from __future__ import annotations

import re

SMALLER = (1.0, 0.84, 0.74)  # letters of scripts, and of scripts of scripts
SCRIPT = 0.5  # pt behind a script
FRACTION = 2.4  # pt beside the bar
UPRIGHT = 1.2  # letters of \mathit and \mathrm beside those of formulas
DIGIT, WIDEST = 5.01, 11.7  # WIDEST: of what is not in the table

_TABLE = r"""
a 5.29 b 4.30 c 4.33 d 5.21 e 4.66 f 5.98 g 5.13 h 5.77 i 3.45 j 4.70 k 5.53 l 3.19 m 8.79
n 6.01 o 4.85 p 5.04 q 4.83 r 4.79 s 4.69 t 3.62 u 5.73 v 5.21 w 7.43 x 5.72 y 5.27 z 5.10
A 7.51 B 8.09 C 7.87 D 8.56 E 7.96 F 7.82 G 7.87 H 9.13 I 5.19 J 6.51 K 9.21 L 6.81 M 10.8
N 9.13 O 7.91 P 7.81 Q 7.91 R 7.68 S 6.71 T 7.24 U 7.92 V 8.06 W 10.84 X 9.07 Y 8.03 Z 7.55
( 3.89 ) 3.89 [ 2.78 ] 2.78 . 2.78 , 4.45 ' 2.81 / 5.01 | 2.78 + 12.23 - 12.23 = 13.34 < 13.34
\alpha 6.44 \beta 6.19 \gamma 5.74 \delta 4.83 \zeta 5.12 \eta 5.33 \theta 4.98 \lambda 5.84
\mu 6.03 \nu 5.58 \xi 4.84 \pi 6.06 \rho 5.18 \sigma 6.08 \tau 5.51 \varphi 6.55 \chi 6.26
\psi 6.88 \omega 6.59 \sin 15.63 \cos 16.73 \tan 17.6 \tanh 23.35 \max 21.96 \cdot 7.24
\, 1.67 \quad 10 \bigl 0.70 \bigr 0.70 \Bigl 2.09 \Bigr 2.09 \biggl 3.48 \biggr 3.48
\dot 0 \bar 0 \notag 0
"""
PT = {name: float(pt) for name, pt in zip(*(_TABLE.split()[k::2] for k in (0, 1)), strict=True)}
SPACE = {",": 1.66, "+": 4.44, "-": 4.44, "=": 5.55}  # pt of it that scripts do without
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[^\s]")


def width(tex: str) -> float:
    """In pt."""
    return _row(_TOKEN.findall(tex)[::-1], 0)


def _row(tokens: list[str], depth: int) -> float:
    """What stands side by side up to the end of the group; tokens are taken from the end."""
    total, scripts = 0.0, [0.0]
    while tokens and tokens[-1] != "}":
        if tokens[-1] in "_^":  # one below the other
            tokens.pop()
            scripts.append(SCRIPT + _one(tokens, depth + 1))
        else:
            total, scripts = total + max(scripts), [0.0]
            total += _one(tokens, depth)
    return total + max(scripts)


def _one(tokens: list[str], depth: int) -> float:
    """A group, a command with what it takes, or a letter."""
    token = tokens.pop()
    if token == "{":
        inside = _row(tokens, depth)
        tokens.pop()
        return inside
    if token == r"\frac":
        return FRACTION + max(_one(tokens, depth), _one(tokens, depth))
    if token in (r"\mathit", r"\mathrm"):
        return UPRIGHT * _one(tokens, depth)
    size = DIGIT if token.isdigit() else PT.get(token, WIDEST)
    size -= SPACE.get(token, 0.0) if depth else 0.0
    return size * SMALLER[min(depth, 2)]
