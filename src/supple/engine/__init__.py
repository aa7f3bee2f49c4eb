"""Trace a recursion into a scalar graph and run it as native code."""

from .function import Function, compile
from .graph import Expression, Graph, evaluate
from .native import Kernel, traced

__all__ = ["Expression", "Function", "Graph", "Kernel", "compile", "evaluate", "traced"]
