"""A LaTeX document: entries in lines that break, tables of coordinates and parameters."""

from __future__ import annotations

import sympy

from ..equations import Equations
from .latex_names import latex_name
from .plain_text import check_size, parts, places

HEAD = r"""\documentclass[10pt]{article}
\usepackage{amsmath}
\usepackage{longtable}
\setlength{\textwidth}{17cm}\setlength{\oddsidemargin}{-0.5cm}
\setlength{\textheight}{24cm}\setlength{\topmargin}{-1.5cm}
\setlength{\parindent}{0pt}\setlength{\parskip}{4pt}
\binoppenalty=0 \relpenalty=0 \sloppy \raggedright
\begin{document}
"""


def document(eq: Equations, limit: int | None = None) -> str:
    """The whole document."""
    check_size(eq, limit, "LaTeX")
    steps, matrices = parts(eq)
    names = {s: latex_name(s.name) for s in map(sympy.Symbol, eq.symbols)}
    names |= {s: f"t_{{{s.name[1:]}}}" for s, _ in steps}
    body = [HEAD, rf"\section*{{{escaped(eq.robot.name)}}}", _opening(eq)]
    body += [_coordinates(eq)]
    if steps:
        body += [r"\subsection*{Common terms}"]
        body += [rf"${names[s]} = {_math(e, names)}$" + "\n" for s, e in steps]
    for name, X in matrices.items():
        found = places(name, X)
        if found:
            body += [rf"\subsection*{{${_letter(name)}$}}"]
        body += [rf"${_place(place)} = {_math(e, names)}$" + "\n" for place, e in found]
    body += [_parameters(eq), _left_out(eq, names)]
    body += [escaped(note) + "\n" for note in eq.notes]
    return "\n".join(x for x in body if x) + "\n\\end{document}\n"


def _opening(eq: Equations) -> str:
    size = eq.operations()
    cuts = r" + J(q)^T \lambda, \quad J\,\ddot q + \gamma = 0, \quad c(q) = 0"
    cuts = cuts if eq.robot.loops else ""
    contact = r" + s(q, \dot q)" if any(x != 0 for x in eq.contact) else ""
    return (
        r"\[ M(q)\,\ddot q + D(q, \dot q)\,\dot q + U (q - q_0) + G(q) + R\,\dot q + f(\dot q)"
        rf"{contact} = B\,\tau{cuts} \]"
        "\n" + r"$\dot M - 2 D$ is skew-symmetric; entries that are not listed are zero or follow "
        r"from the symmetry of $M$, $U$ and $R$. "
        f"Tip angle: {eq.tip_angle}; elastic angles: {eq.elastic_angle}. "
        f"{size['written']} operations written out, {size['common']} with common terms shared.\n"
    )


def _math(e: sympy.Expr, names: dict[sympy.Symbol, str]) -> str:
    """Plain brackets: TeX breaks lines between them."""
    text = str(sympy.latex(e, symbol_names=names))
    return text.replace(r"\left(", "(").replace(r"\right)", ")")


def _letter(name: str) -> str:
    letters = {"friction": "f", "rest": "q_0", "contact": "s", "closure": "c", "gamma": r"\gamma"}
    return letters.get(name, name)


def _place(place: str) -> str:
    name, _, index = place.partition("[")
    return f"{_letter(name)}_{{{index[:-1]}}}"


def _coordinates(eq: Equations) -> str:
    rows = [
        rf"${latex_name(s.name)}$ & \verb|{s.name}| & {escaped(name)} \\"
        for s, name in zip(eq.q, eq.robot.coordinate_names, strict=True)
    ]
    return _table("lll", "coordinate & in code & in the model", rows)


def _parameters(eq: Equations) -> str:
    rows = [
        rf"${latex_name(p.name)}$ & \verb|{p.name}| & {p.value:.15g} & "
        rf"{f'${_exact(p.exact)}$' if p.exact else ''} & {escaped(p.meaning)} \\"
        for p in eq.parameters
    ]
    if not rows:
        return ""
    head = "symbol & in code & value & closed form & meaning"
    return r"\subsection*{Parameters}" + "\n" + _table("lllll", head, rows)


def _exact(text: str) -> str:
    return str(sympy.latex(sympy.sympify(text)))


def _left_out(eq: Equations, names: dict[sympy.Symbol, str]) -> str:
    if not eq.left_out:
        return ""
    lines = [
        rf"${_place(x.where)}$: ${_math(x.term, names)}$ ({x.share:.1e})" + "\n"
        for x in eq.left_out
    ]
    head = r"\subsection*{Left out, with their share of the largest value of the entry}"
    return "\n".join([head, *lines])


def _table(columns: str, head: str, rows: list[str]) -> str:
    lines = [rf"\begin{{longtable}}[l]{{{columns}}}", head + r" \\ \hline", *rows]
    return "\n".join([*lines, r"\end{longtable}"])


_SPECIAL = {c: "\\" + c for c in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
}


def escaped(text: str) -> str:
    """Text with TeX's own letters made harmless, and letters pdfTeX lacks replaced."""
    made = "".join(_SPECIAL.get(c, c) for c in text)
    return made.encode("ascii", "replace").decode("ascii")
