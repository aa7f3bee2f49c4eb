"""Words of a model in LaTeX: nothing in them is a command, and long ones may break."""

from __future__ import annotations

import unicodedata

LONG = 12  # letters of a word that stays whole

_SPECIAL = {c: "\\" + c for c in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "{''}",
    "-": "{-}",
    "'": "{'}",
    "`": "{`}",
}
_ACCENTS = dict(
    zip("\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327",
        ["`", "'", "^", "~", "=", "u", ".", '"', "r", "H", "v", "c"], strict=True)
)  # fmt: skip


def escaped(text: str) -> str:
    """What TeX prints as this text; letters that its first fonts lack by their number."""
    return " ".join(_word(word) for word in text.split(" "))


def _word(word: str) -> str:
    letters = [_letter(c) for c in unicodedata.normalize("NFC", word)]
    return (r"\allowbreak " if len(word) > LONG else "").join(letters)


def _letter(c: str) -> str:
    if c.isascii():
        return _SPECIAL.get(c, c) if c.isprintable() else " "
    base, accent = _parts(c)
    if base.isascii() and base.isalpha() and accent in _ACCENTS:
        return rf"\{_ACCENTS[accent]}{{{base}}}"
    name = unicodedata.name(c, "").lower().replace("lamda", "lambda").split()
    if name[:3] == ["greek", "small", "letter"] and len(name) == 4 and name[3] != "omicron":
        return rf"$\{name[3]}$"
    return f"[U+{ord(c):04X}]"


def _parts(c: str) -> tuple[str, str]:
    """A letter and its accent."""
    apart = unicodedata.normalize("NFD", c)
    return (apart[0], apart[1]) if len(apart) == 2 else (c, "")
