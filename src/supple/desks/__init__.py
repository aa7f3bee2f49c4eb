"""Desks: processes in which points are computed, and that may hang or die.

worker -> desk -> experiment      blocks of points go this way, their outcomes come back

A worker of a cluster imports this room and nothing else of the package, so that it is there soon;
what computes is made at the desk.
"""

from .block import Outcomes, Points, words_of
from .desk import Desk, DeskError, block_of

__all__ = ["Desk", "DeskError", "Outcomes", "Points", "block_of", "words_of"]
