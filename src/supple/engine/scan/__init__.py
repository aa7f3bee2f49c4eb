"""Scans: one step for each kind of link, run over the tree in native loops.

    links of a kind        those whose step is the same code with other numbers (`link_kinds`)
      -> a pattern robot   of one link a kind, its differing constants symbols (`pattern`)
      -> its recursion     run once and recorded, sweep by sweep (`recorder`, `flatten`)
      -> a plan            which scan computes what, and what is kept between them (`plan`)
      -> assembly          with tables of all links' numbers (`layout`, `emit`, `entries`)

`Task` says what is to be made, `Scan` is the recipe of the function.
"""

from .recipe import Scan
from .task import Task

__all__ = ["Scan", "Task"]
