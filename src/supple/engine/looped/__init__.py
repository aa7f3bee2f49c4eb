"""Looped kernels: one step for each kind of link, run over the tree in native loops."""

from .code import Frame, batch, kernel
from .trace import PARAMETERS, Wish, loops

__all__ = ["PARAMETERS", "Frame", "Wish", "batch", "kernel", "loops"]
