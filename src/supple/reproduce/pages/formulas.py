"""Formulas in plain letters as HTML: theta_1^T is a letter with an index and a power.

Only what cannot be a word is touched: names of Greek letters that stand alone, an index or a
power behind one letter, primes, +-, <=, powers of ten. All text is escaped first.
"""

from __future__ import annotations

import re
from html import escape

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "eta": "η", "theta": "θ",
    "kappa": "κ", "lambda": "λ", "mu": "μ", "phi": "φ", "pi": "π", "psi": "ψ", "rho": "ρ",
    "sigma": "σ", "tau": "τ", "omega": "ω", "Delta": "Δ", "Theta": "Θ", "Phi": "Φ", "Psi": "Ψ",
    "Omega": "Ω",
}  # fmt: skip
RATES = {"d": "\u0307", "dd": "\u0308", "dot": "\u0307", "ddot": "\u0308"}
_NAME = "|".join(GREEK)
_LETTER = re.compile(rf"(?<![A-Za-z0-9])({_NAME})(?![a-zA-Z])")
_ATOM = "[A-Za-zα-ωΑ-Ω]"
_BODY = r"(\{[^{}]*\}|[A-Za-z0-9α-ωΑ-Ω]+)"
_INDEX = re.compile(rf"(?<![A-Za-z0-9.'/_]){_ATOM}[′″\u0300-\u036f]*(?:_{_BODY})+")
_PLAIN_INDEX = re.compile(r"(?<![A-Za-z0-9.'/_])([α-ωΑ-Ω])(\d)\b")
_POWER = re.compile(r"(?<=[A-Za-zα-ωΑ-Ω0-9)\]>′″\u0300-\u036f])\^(-?\d+|T\b|[a-z]\b|\{[^{}]*\})")
_MARKS = (  # over one letter: rate, matrix of a cross product, dual or corrected quantity
    (re.compile(r"\bth(d{1,2})\b|\bth(d{1,2})(?=_)"), lambda m: "θ" + RATES[m[1] or m[2]]),
    (re.compile(rf"(?<![A-Za-z])({_ATOM})_(d?dot)(?![A-Za-z])"), lambda m: m[1] + RATES[m[2]]),
    (re.compile(rf"(?<![A-Za-z])({_ATOM})~"), lambda m: m[1] + "\u0303"),
    (re.compile(rf"(?<![A-Za-z])({_ATOM})\^(?![A-Za-z0-9{{-])"), lambda m: m[1] + "\u0302"),
)
_TEN = re.compile(r"(?<![A-Za-z_])(\d(?:\.\d+)?)e([+-]?)0*(\d+)(?![A-Za-z0-9])")
_SIGNS = (
    ("+-", "±"), ("&lt;=", "≤"), ("&gt;=", "≥"), ("...", "…"),
    ("&#x27;&#x27;", "″"), ("&#x27;", "′"), (" -&gt; ", " → "),
)  # fmt: skip


def formula(text: str) -> str:
    """Escaped, and set as a formula where it is one; `code` as code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # a lone backtick is only that
        return _formula(text)
    return "".join(
        f"<code>{escape(part)}</code>" if k % 2 else _formula(part) for k, part in enumerate(parts)
    )


def _formula(text: str) -> str:
    out = re.sub(r"(?<=[A-Za-z]{2})&#x27;(?=s?\b)(?![(^])", "’", escape(text))
    out = _LETTER.sub(lambda m: GREEK[m[1]], out).replace(" - ", " − ")
    for plain, sign in _SIGNS:
        out = out.replace(plain, sign)
    out = re.sub(r"(?<![A-Za-z])int(?=[ _])", "∫", out).replace("∫_", "∫ _")
    out = re.sub(r"∫ _(\w)\^(\w)", r"∫<sub>\1</sub><sup>\2</sup>", out).replace("**", "^")
    for pattern, marked in _MARKS:
        out = pattern.sub(marked, out)
    out = _INDEX.sub(_indexed, out)
    out = _PLAIN_INDEX.sub(r"\1<sub>\2</sub>", out)
    out = _POWER.sub(lambda m: f"<sup>{_minus(m[1].strip('{}'))}</sup>", out)
    out = _TEN.sub(_ten, out)
    return re.sub(r"(?<![\w)\]>.])-(?=[\dα-ωA-Za-z(.])", "−", out)


def _indexed(m: re.Match[str]) -> str:
    head, *parts = re.split(r"_(?![^{]*\})", m[0])
    return head + "".join(f"<sub>{part.strip('{}')}</sub>" for part in parts)


def _minus(text: str) -> str:
    return text.replace("-", "−")


def _ten(m: re.Match[str]) -> str:
    if m[3] == "0" or not float(m[1]):
        return f"{float(m[1]):g}"
    sign = "−" if m[2] == "-" else ""
    times = "" if m[1] == "1" else f"{m[1]}·"
    return f"{times}10<sup>{sign}{m[3]}</sup>"
