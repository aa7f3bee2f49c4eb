"""Where the results of a study are kept: a folder with one Parquet file for each block.

    NAME.sweep/_study.json           its words, and a digest of all that makes it what it is
    NAME.sweep/block-0000012.parquet the points of block 12: numbers, outcomes, trouble, seconds

A block's file is written beside its place, forced to the disk and renamed: after a kill it is there
whole, or not there at all. Which files are there is the index; nothing else has to agree with it.
(A Zarr array has a file for each variable and chunk, so that a kill between two of them leaves
half a block; that is why it is not used.) Readers of Parquet take the folder for one table: they
leave out names that begin with _ or a dot, and every block has a column for each formula.
"""

from __future__ import annotations

import io
import json
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from ..errors import FileError, InputError
from ..files import make_folder, read_bytes, write_whole
from ..types import Json

if TYPE_CHECKING:
    import pyarrow as pa

    from ..worker_process import Outcomes, Points
    from .study import Study

_BLOCK = re.compile(r"block-(\d{7})\.parquet")
_MARK = b"supple study"


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


def opened(folder: str | Path) -> Store:
    """The store in this folder."""
    import hashlib

    where = Path(folder)
    words = about(where)
    mark = hashlib.sha256(json.dumps(words["marks"]).encode()).hexdigest()[:16]
    return Store(where, mark, int(words["points"]), int(words["block"]))
