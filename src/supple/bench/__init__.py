"""Measure Supple: operation counts, and times as ratios against peers in the same run."""

from .report import write_report
from .tables import STUDIES, Table

__all__ = ["STUDIES", "Table", "write_report"]
