"""Plots: one style sheet (`style`), one list of them (`register`), a file each; and the 3D page."""

from .page import View
from .register import plot

__all__ = ["View", "plot"]
