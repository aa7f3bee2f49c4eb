"""Plots: one style sheet (`style`), one list of them (`register`), a file each."""

from .register import plot

__all__ = ["plot"]
