"""Trace a recursion into a scalar graph and run it as native code."""

from .graph import Expression, Graph, evaluate
from .native import Kernel, traced

__all__ = ["Expression", "Graph", "Kernel", "evaluate", "traced"]
