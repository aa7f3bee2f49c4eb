"""Closed chains: how their loops close, and how they move on the tree that the cuts leave."""

from .assembly import OpenLoopError, close_loops, home

__all__ = ["OpenLoopError", "close_loops", "home"]
