r"""A LaTeX document that fits a page: numbered entries on lines that end before a sign, tables of
coordinates and parameters.

All of a matrix is one `align`; its lines are laid out here, by the widths that TeX will find.
"""

from __future__ import annotations

import re

import sympy

from ..equations import Equations
from .latex_lines import lines
from .latex_names import latex_name
from .latex_pieces import Names, joined, pieces
from .latex_text import escaped
from .plain_text import check_size, parts, places
from .tex_width import width

PAGE = 483.0  # pt, a little less than the 17 cm of a line, which A4 and letter paper have
NUMBER = 38.0  # pt for (1234) and the space before it
CODE = 5.26  # pt of a letter of code
BETWEEN = 8.0  # pt between columns of a table

HEAD = r"""\documentclass[10pt]{article}
\usepackage[fleqn]{amsmath}
\usepackage{array,longtable}
\setlength{\textwidth}{17cm}\setlength{\oddsidemargin}{-0.5cm}
\setlength{\textheight}{23.5cm}\setlength{\topmargin}{-1.5cm}
\setlength{\parindent}{0pt}\setlength{\parskip}{4pt}\setlength{\mathindent}{0pt}
\setlength{\tabcolsep}{4pt}\setlength{\jot}{4pt}
\allowdisplaybreaks \sloppy \raggedright
\begin{document}
"""


def document(eq: Equations, limit: int | None = None, abbreviate: bool = False) -> str:
    """The whole document."""
    check_size(eq, limit, abbreviate, "LaTeX")
    steps, matrices = parts(eq, abbreviate)
    names = {s: latex_name(s.name) for s in map(sympy.Symbol, eq.symbols)}
    names |= {s: f"t_{{{s.name[1:]}}}" for s, _ in steps}
    body = [HEAD, rf"\section*{{{escaped(eq.robot.name)}}}", _opening(eq), _coordinates(eq)]
    if steps:
        short = [(names[s], e, "") for s, e in steps]
        body += [r"\subsection*{Common terms}", _aligned(short, names, "align*")]
    for name, X in matrices.items():
        found = [(_place(place), e, "") for place, e in places(name, X)]
        if found:
            body += [rf"\subsection*{{${_letter(name)}$}}", _aligned(found, names, "align")]
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


def _aligned(entries: list[tuple[str, sympy.Expr, str]], names: Names, kind: str) -> str:
    """left = expression, and what stands behind it; the last line of each has the number."""
    room = PAGE - NUMBER - max(width(left + "=") for left, _, _ in entries)
    found = []
    for left, e, behind in entries:
        written = lines(pieces(e, names), room - width(behind))
        found += [rf"{left} &= {written[0]}", *(f"&{line}" for line in written[1:])]
        found[-len(written) : -1] = [rf"{line} \notag" for line in found[-len(written) : -1]]
        found[-1] += behind
    return "\n".join([rf"\begin{{{kind}}}", " \\\\\n".join(found), rf"\end{{{kind}}}"])


def _letter(name: str) -> str:
    letters = {"friction": "f", "rest": "q_0", "contact": "s", "closure": "c", "gamma": r"\gamma"}
    return letters.get(name, name)


def _place(place: str) -> str:
    name, _, index = place.partition("[")
    letter, _, below = _letter(name).partition("_")
    return f"{letter}_{{{below + ',' if below else ''}{index[:-1]}}}"


def _coordinates(eq: Equations) -> str:
    rows = [
        [f"${latex_name(s.name)}$", rf"\verb|{s.name}|", name]
        for s, name in zip(eq.q, eq.robot.coordinate_names, strict=True)
    ]
    return _table(["coordinate", "in code", "in the model"], rows)


def _parameters(eq: Equations) -> str:
    rows = [
        [
            f"${latex_name(p.name)}$",
            rf"\verb|{p.name}|",
            f"{p.value:.15g}",
            f"${_exact(p.exact)}$" if p.exact else "",
            p.meaning,
        ]
        for p in eq.parameters
    ]
    if not rows:
        return ""
    head = ["symbol", "in code", "value", "closed form", "meaning"]
    return r"\subsection*{Parameters}" + "\n" + _table(head, rows)


def _exact(text: str) -> str:
    e = sympy.sympify(text)
    return joined(pieces(e, {s: _constant(s.name) for s in e.free_symbols}))


def _constant(name: str) -> str:
    r"""beta2 -> \beta_{2}."""
    return re.sub(r"^(beta|sigma)(\d+)$", r"\\\1_{\2}", name)


def _left_out(eq: Equations, names: Names) -> str:
    if not eq.left_out:
        return ""
    head = r"\subsection*{Left out, with their share of the largest value of the entry}"
    rows = [(_place(x.where), x.term, rf"\quad ({x.share:.1e})") for x in eq.left_out]
    return "\n".join([head, _aligned(rows, names, "align*")])


def _table(head: list[str], rows: list[list[str]]) -> str:
    """Columns as wide as they must be, the last one, of words of the model, as wide as it can."""
    shut = [max(map(_cell, column)) for column in zip(head, *rows, strict=True)][:-1]
    rest = PAGE - (BETWEEN + 1.0) * len(head) - sum(shut)
    columns = "".join(rf"p{{{wide + 1.0:.0f}pt}}" for wide in shut)
    last = rf">{{\raggedright\arraybackslash}}p{{{max(rest, 60.0):.0f}pt}}"
    found = [" & ".join(head), *(" & ".join([*row[:-1], _words(row[-1])]) for row in rows)]
    first = rf"{found[0]} \\ \hline \noalign{{\smallskip}} \endhead"
    body = [rf"{row} \\" for row in found[1:]]
    opened = rf"\begin{{longtable}}[l]{{{columns}{last}}}"
    return "\n".join([opened, first, *body, r"\end{longtable}"])


def _cell(text: str) -> float:
    """pt of a cell: a formula, code, or words."""
    if text.startswith("$"):
        return width(text.strip("$"))
    return CODE * len(text.removeprefix(r"\verb|").removesuffix("|"))


_FORMULA = re.compile(
    r"^(?:L )?(?:int|phi'*|psi|chi)(?: (?:rho|xi|phi'*|psi|chi|f|[xyz]|dA)(?:\^2)?)*(?![\w'])"
)
_GREEK = {"int": r"\int", "phi": r"\varphi"} | {n: "\\" + n for n in ("psi", "chi", "rho", "xi")}


def _words(meaning: str) -> str:
    """What a parameter means, with its integral as a formula."""
    found = _FORMULA.match(meaning)
    if found is None:
        return escaped(meaning)
    formula = re.sub(r"[a-z]+", lambda m: _GREEK.get(m[0], m[0]), found[0])
    return f"${formula}${escaped(meaning[found.end() :])}"
