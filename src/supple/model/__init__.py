"""From files and tables to a checked, frozen Robot. Errors are found here."""

from .build import build
from .change import replaced, with_modes
from .load import check, load, shipped

__all__ = ["build", "check", "load", "replaced", "shipped", "with_modes"]
