"""Where a scan keeps its numbers.

    run(arguments..., out, work, first)      one state, or `lanes` states (or columns) at once
`work` is memory the caller lends: sums, the table of changing constants, sines and cosines of
joint angles (for one state they are taken several at once, before the scans), then a region
for each link. `index` says for each link its kind, where its coordinates begin, its parent and
its children.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from ...lazy import cached_property
from .plan import Block, Plan, PlannedClimb

# columns of the index; those of the children follow
KIND, START_Q, START_V, PARENT, PARENT_Q, PARENT_V, CHANGING, CHILDREN = range(8)


@dataclass(frozen=True)
class ClimbLayout:
    """Items in an order in which those of a link and all it carries stand together."""

    planned: PlannedClimb
    own: list[int]  # of each link: its first item
    begin: list[int]  # of each link: the first item of what it carries
    end: list[int]  # and the first after them
    lines: list[int]  # of each item: its column of the result, or the start of its row
    column: int  # of the index: own, begin, end stand there

    @property
    def count(self) -> int:
        return len(self.lines)

    @property
    def padded(self) -> int:
        """Room for the items and for what is read past them."""
        return self.count + MOST_LANES

    @property
    def regular(self) -> tuple[int, int] | None:
        """(first, step), if the lines go on in even steps."""
        steps = {b - a for a, b in pairwise(self.lines)}
        if len(steps) > 1:
            return None
        return (self.lines[0] if self.lines else 0), next(iter(steps), 0)


MOST_LANES = 8


@dataclass(frozen=True)
class Layout:
    """What the assembly of a robot's scans needs beside the plan."""

    plan: Plan
    arguments: dict[str, int]  # sizes
    total: int  # numbers in a state's result
    index: list[list[int]]  # a row a link: see `index_rows`
    table: list[list[float]]  # a row a link
    changing: tuple[int, int]  # rows, columns
    loose: frozenset[str] = frozenset()  # arguments whose numbers belong to no link
    spaced: frozenset[str] = frozenset(("q",))  # arguments in the order of configurations
    columns: dict[str, int] | None = None  # a Jacobian: where each argument's columns begin
    width: int = 0  # how many columns
    chained: bool = False  # the columns come by climbs, all in one run
    climbs: tuple[ClimbLayout, ...] = ()
    prefix: str = ""  # of the names of its tables and functions
    scattered: bool = False  # some of the result is written by nobody: it is zero

    @property
    def by_columns(self) -> bool:
        """Whether it is run once for every few columns."""
        return self.columns is not None and not self.chained

    @property
    def work(self) -> int:
        """Numbers of work space for one state."""
        return self.items_at(len(self.climbs)) + MOST_LANES

    def items_at(self, climb: int) -> int:
        """Where the items of a climb begin."""
        before = self.climbs[:climb]
        items = sum(x.planned.height * x.padded for x in before)
        return self.base + self.plan.stride * len(self.index) + items

    @property
    def waves(self) -> int:
        """Where the sines begin."""
        return self.plan.sums + self.changing[0] * self.changing[1]

    @property
    def base(self) -> int:
        """Where the links' regions begin."""
        return self.waves + 2 * self.arguments.get("q", 0)

    @cached_property
    def angles(self) -> list[int]:
        """Coordinates whose sine and cosine the scans take."""
        wanted: dict[int, set[int]] = {}
        for (_, kind), block in self.plan.blocks.items():
            wanted.setdefault(kind, set()).update(place for _, place in own_angles(block))
        rows = self.index
        return [row[START_Q] + place for row in rows for place in sorted(wanted.get(row[KIND], ()))]

    @property
    def wide(self) -> int:
        return max((len(row) for row in self.table), default=0)


def own_angles(block: Block) -> list[tuple[int, int]]:
    """(operation, place in the link's coordinates) of each joint angle whose sine or cosine the
    block takes."""
    out = []
    for n in block.program.angles:
        address = block.loads[int(block.program.ops[n][1])]
        if (address.area, address.name, address.whose) == ("argument", "q", "own"):
            out.append((n, address.place))
    return out
