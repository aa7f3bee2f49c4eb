"""From files and tables to a checked, frozen Robot. Errors are found here."""

from .build import build
from .change import replaced, with_modes
from .doubts import plausibility
from .load import check, load, shipped
from .write_model import write_model

__all__ = [
    "build",
    "check",
    "load",
    "plausibility",
    "replaced",
    "shipped",
    "with_modes",
    "write_model",
]
