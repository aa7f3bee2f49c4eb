"""Closed chains: how their loops close, and how they move on the tree that the cuts leave."""

from .assembly import OpenLoopError, close_loops, home
from .mobility import Mobility, mobility

__all__ = ["Mobility", "OpenLoopError", "close_loops", "home", "mobility"]
