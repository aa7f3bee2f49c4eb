"""Where the results of a study are kept, and the labelled dataset that they are: a folder with one
Parquet file for each block.

    NAME.sweep/_study.json           its words, and a digest of all that makes it what it is
    NAME.sweep/block-0000012.parquet the points of block 12: numbers, outcomes, trouble, seconds

A block's file is written beside its place, forced to the disk and renamed: after a kill it is there
whole, or not there at all. Which files are there is the index; nothing else has to agree with it.
(A Zarr array has a file for each variable and chunk, so that a kill between two of them leaves
half a block; that is why it is not used.) Readers of Parquet take the folder for one table: they
leave out names that begin with _ or a dot, and every block has a column for each formula.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, overload

import numpy as np
import numpy.typing as npt

from ..errors import FileError, InputError, unknown_name
from ..files import drawn, make_folder, read_bytes, write_whole
from ..lazy import cached_property
from ..types import Array, Floats, Json
from .experiments.base import KEPT

if TYPE_CHECKING:
    import pyarrow as pa
    import xarray as xr
    from matplotlib.figure import Figure

    from ..worker_process import Outcomes, Points
    from .study import Study

_BLOCK = re.compile(r"block-(\d{7})\.parquet")
_MARK = b"supple study"
Pair = tuple[str, str]


def parquet() -> ModuleType:
    """The library that reads and writes blocks."""
    try:
        import pyarrow.parquet as pq
    except ImportError:
        raise InputError(
            "studies are saved by pyarrow, which is not installed: pip install 'supple[sweep]'"
        ) from None
    library: ModuleType = pq
    return library


def warmed_up() -> None:
    """What pyarrow imports when it is first used is there before the first block is."""
    import pyarrow as pa

    pa.table({"point": np.zeros(1)})


@dataclass(frozen=True)
class Store:
    """The folder of one study."""

    folder: Path
    mark: str
    points: int
    block: int  # points of one

    def file(self, block: int) -> Path:
        return self.folder / f"block-{block:07d}.parquet"

    def done(self) -> dict[int, Path]:
        """The blocks that are there."""
        found = sorted(path for path in self.folder.iterdir() if _BLOCK.fullmatch(path.name))
        return {int(path.stem[-7:]): path for path in found}

    def put(self, block: int, rows: range, points: Points, found: Outcomes, took: float) -> None:
        """Keep a block, whole or not at all."""
        import pyarrow as pa

        columns: dict[str, object] = {"point": np.arange(rows.start, rows.stop)}
        columns |= dict(zip(points.names, points.values.T, strict=True))
        columns |= found.columns
        columns["trouble"] = pa.array(found.trouble, pa.string())
        columns["seconds"] = np.full(len(rows), took / max(len(rows), 1))
        table = pa.table(columns).replace_schema_metadata({_MARK: self.mark.encode()})
        buffer = io.BytesIO()
        parquet().write_table(table, buffer)
        write_whole(self.file(block), buffer.getvalue())

    def get(self, path: Path) -> pa.Table:
        """A block; one of another study, or one that was changed, is refused."""
        try:
            table = parquet().read_table(io.BytesIO(read_bytes(path)))
        except (OSError, ValueError) as error:
            if isinstance(error, FileError):
                raise
            raise FileError(
                f"{path} is damaged ({str(error).splitlines()[0][:80]}); remove it and run the "
                f"study again with --resume: its points are computed anew"
            ) from None
        mark = (table.schema.metadata or {}).get(_MARK, b"").decode()
        if mark != self.mark:
            raise FileError(f"{path} belongs to another study; remove it, or choose another folder")
        first = int(path.stem[-7:]) * self.block
        rows = [*range(first, min(first + self.block, self.points))]
        if table.column("point").to_pylist() != rows:
            raise FileError(
                f"{path} holds other points than its name says: it is a copy of another block. "
                f"Remove it and run the study again with --resume"
            )
        return table

    def table(self) -> pa.Table:
        """All points that are there, in their order; NaN where a block lacks an outcome."""
        import pyarrow as pa

        parts = [self.get(path) for path in self.done().values()]
        if not parts:
            raise FileError(f"{self.folder} holds no finished point yet")
        return pa.concat_tables(parts, promote_options="default")


def create(study: Study, folder: Path, resume: bool) -> Store:
    """A new store, or the one that is there and of this very study."""
    target = make_folder(folder)
    store, words = Store(target, study.mark, len(study), study.block), target / "_study.json"
    if words.exists():
        _compare(study, words, resume)
    elif any(_BLOCK.fullmatch(path.name) for path in target.iterdir()):
        raise FileError(f"{folder} holds blocks without the words of their study; choose another")
    else:
        text = {
            "supple_study": 1,
            "source": study.source,
            "marks": study.marks,
            "study": study.spec.model_dump(exclude_none=True),
            "robot": dict(study.robot.spec or {}),
            "points": len(study),
            "names": list(study.points.names),
            "block": study.block,
        }
        write_whole(words, json.dumps(text, indent=1, default=str))
    for left in target.glob(".supple-*.parquet"):  # of a study that was killed
        with suppress(OSError):
            left.unlink()
    return store


def _compare(study: Study, words: Path, resume: bool) -> None:
    """What is there must be of the same study, and be meant to be gone on with."""
    before = about(words.parent)["marks"]
    keys = dict.fromkeys((*study.marks, *before))
    changed = [key for key in keys if before.get(key) != study.marks.get(key)]
    if changed:
        raise FileError(
            f"{words.parent} holds another study: {', '.join(changed)} changed since. Give the "
            f"new study another folder (--out), or undo the change"
        )
    if not resume:
        raise FileError(
            f"{words.parent} holds this study already; --resume goes on with it, or shows it if "
            f"it is finished"
        )


def about(folder: Path) -> dict[str, Json]:
    """What a store says of its study."""
    path = folder / "_study.json"
    if not path.is_file():
        raise FileError(f"{folder} is no folder of a study: it has no _study.json")
    try:
        found = json.loads(read_bytes(path))
        if not isinstance(found["marks"], dict) or not isinstance(found["study"], dict):
            raise TypeError
        _ = int(found["points"]), int(found["block"])
    except (ValueError, KeyError, TypeError):
        raise FileError(f"{path} is damaged: it does not say which study this is") from None
    return dict(found)


@dataclass(frozen=True, eq=False)
class Sweep:
    """Of all points that are there: what varied, the outcomes, trouble, seconds."""

    name: str  # of the study
    folder: Path
    columns: dict[str, Array]  # (points,) each, with the points' numbers and their trouble
    varied: tuple[str, ...]
    outcomes: tuple[str, ...]
    total: int
    source: str = ""  # the study's file, if it has one

    @classmethod
    def of(cls, store: Store) -> Sweep:
        table, words = store.table(), about(store.folder)
        columns = {n: np.asarray(table.column(n).to_numpy()) for n in table.column_names}
        columns["trouble"] = np.array([x or "" for x in columns["trouble"]], dtype=object)
        listed = list(words["study"].get("vary", {})) or words.get("names", [])
        varied = tuple(name for name in listed if name in table.column_names)
        outcomes = tuple(n for n in table.column_names if n not in (*KEPT, *varied))
        source = str(words.get("source") or "")
        name, total = str(words["study"]["name"]), int(words["points"])
        return cls(name, store.folder, columns, varied, outcomes, total, source)

    @cached_property
    def data(self) -> xr.Dataset:
        """All columns as a dataset over `point`; made when it is asked for."""
        import xarray as xr

        made = {n: (("point",), values) for n, values in self.columns.items() if n != "point"}
        return xr.Dataset(made, coords={"point": self.points}, attrs={"study": self.name})

    @property
    def points(self) -> Array:
        """The numbers of the points that are there: (points,)."""
        return self.columns["point"]

    def __len__(self) -> int:
        return len(self.points)

    def __getitem__(self, name: str) -> Floats:
        """A number that varied, or an outcome, of all points."""
        known = {n: self.columns[n] for n in (*self.varied, *self.outcomes)}
        if "data" in vars(self):  # what was put into it belongs to the study
            known |= {str(n): x.values for n, x in self.data.data_vars.items() if n not in KEPT}
        if not isinstance(name, str) or name not in known:
            raise unknown_name("outcome", str(name), known, where=str(self.folder))
        return np.asarray(known[name], dtype=float)

    @cached_property
    def sound(self) -> npt.NDArray[np.bool_]:
        """Which points have outcomes: (points,) of bool."""
        return np.array([not words for words in self.columns["trouble"]], dtype=bool)

    @property
    def failed(self) -> dict[int, str]:
        """Points without outcomes, and why."""
        rows = np.flatnonzero(~self.sound)
        return {int(self.points[k]): str(self.columns["trouble"][k]) for k in rows}

    @overload
    def plot(self, path: str | Path, *, pareto: Pair | None = ..., width: str = ...) -> Path: ...

    @overload
    def plot(self, path: None = ..., *, pareto: Pair | None = ..., width: str = ...) -> Figure: ...

    def plot(
        self, path: str | Path | None = None, *, pareto: Pair | None = None, width: str = "screen"
    ) -> Figure | Path:
        """Histograms, and outcomes over the numbers that move them most."""
        from .report import study_figure

        return drawn(path, lambda: study_figure(self, pareto, width=width))

    def report(self, pareto: Pair | None = None) -> str:
        """Distributions, main effects, correlations, worst cases, in words and numbers."""
        from .report import text

        return text(self, pareto)


def load_sweep(folder: str | Path) -> Sweep:
    """The results in the folder of a study."""
    words = about(Path(folder))
    mark = digest(json.dumps(words["marks"]))
    return Sweep.of(Store(Path(folder), mark, int(words["points"]), int(words["block"])))


def digest(content: str | bytes) -> str:
    """Sixteen digits that tell contents apart."""
    data = content.encode() if isinstance(content, str) else content
    return hashlib.sha256(data).hexdigest()[:16]
