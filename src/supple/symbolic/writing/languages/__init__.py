"""One language a file: `written(parts)` is the text, RESERVED the names a function cannot have."""

from . import c, julia, mathematica, matlab, python

LANGUAGES = {
    "python": python,
    "c": c,
    "julia": julia,
    "matlab": matlab,
    "mathematica": mathematica,
}

__all__ = ["LANGUAGES"]
