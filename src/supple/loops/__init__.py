"""Closed chains: how their loops close, and how they move on the tree that the cuts leave."""

from .assembly import OpenLoopError, close_loops, home
from .mobility import Mobility, degrees_of_freedom, mobility

__all__ = ["Mobility", "OpenLoopError", "close_loops", "degrees_of_freedom", "home", "mobility"]
