"""Measure Supple: operation counts, and times as ratios against peers in the same run."""

from .operations import operation_rows
from .order import order_rows
from .ratios import Row, ratio_rows

__all__ = ["Row", "operation_rows", "order_rows", "ratio_rows"]
