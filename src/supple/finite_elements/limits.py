"""How large what is read may be."""

from __future__ import annotations

MOST_SHAPES = 100
MOST_NODES = 1_000_000
MOST_FREEDOMS = 500_000  # rows of a matrix
MOST_ENTRIES = 60_000_000  # of a matrix that differ from zero
LARGEST = 1_500_000_000  # bytes of a file of matrices
LARGEST_TEXT = 80_000_000  # bytes of a file that is read line by line
