"""Measure Supple: operation counts, and times as ratios against peers in the same run."""

from .growth import growth_rows
from .instructions import instruction_rows
from .operations import operation_rows
from .order import order_rows
from .ratios import Row, ratio_rows
from .report import write_report

__all__ = [
    "Row",
    "growth_rows",
    "instruction_rows",
    "operation_rows",
    "order_rows",
    "ratio_rows",
    "write_report",
]
