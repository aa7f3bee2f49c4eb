"""Files changed at random: an error in words or a body, never a crash, a hang or a flood."""

from __future__ import annotations

import io
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from meshes import beam_mesh
from supple.errors import SuppleError
from supple.finite_elements import body_of_sid, parse_sid, sid_of_body, sid_text
from supple.finite_elements.mesh import body_totals
from supple.finite_elements.mesh_body import mesh_part
from supple.finite_elements.sources import MeshFiles, read_mesh

SIDS, TEXTS, BINARIES = 4500, 1500, 700
NASTY = (
    "nan",
    "-1",
    "1e999",
    "999999999",
    "(",
    "=",
    "end",
    "part",
    "\x00",
    "é",
    "",
    "1D+400",
    "m1(1,1)",
)
MESH = beam_mesh(2)


def small_sid() -> str:
    body = mesh_part(beam_mesh(3), 1, {"tip": 4}, "normal", 2).body
    return sid_text(sid_of_body(body, dict(body.stations)))


def changed_lines(text: str, dice: random.Random) -> str:
    """Lines lost, doubled, swapped or torn; words replaced."""
    lines = text.splitlines()
    for _ in range(dice.choice((1, 1, 2, 5))):
        i = dice.randrange(len(lines))
        kind = dice.randrange(6)
        if kind == 0:
            del lines[i : i + dice.choice((1, 3, 40))]
        elif kind == 1:
            lines.insert(i, lines[dice.randrange(len(lines))])
        elif kind == 2:
            lines[i] = lines[i][: dice.randrange(len(lines[i]) + 1)]
        elif kind == 3:
            lines[i] = lines[i].replace(dice.choice("0123456789=()D,"), dice.choice(NASTY), 1)
        elif kind == 4:
            lines[i] = dice.choice(NASTY)
        else:
            words = lines[i].split() or [""]
            words[dice.randrange(len(words))] = dice.choice(NASTY)
            lines[i] = " ".join(words)
        lines = lines or [""]
    return "\n".join(lines)


def accepted(make: Any) -> bool:
    """Whether it gave a body; any error but one of Supple's own is a failure."""
    try:
        with np.errstate(all="ignore"):
            make()
    except SuppleError as error:
        return not str(error)  # one without words is a failure too
    return True


def test_malformed_sid_files_are_told() -> None:
    text, dice = small_sid(), random.Random(1)
    short = text[: text.index("\nGr\n")] + text[text.index("\nKe\n") :]
    fine = 0
    for n in range(SIDS):
        wrong = changed_lines(short if n % 2 else text, dice)
        fine += accepted(lambda wrong=wrong: body_of_sid(parse_sid(wrong)))
    assert 0 < fine < SIDS


def texts(folder: Path) -> dict[str, str]:
    """The mesh as text files."""
    out = {}
    for name, A in (("sti", MESH.K), ("mas", MESH.M)):
        coo = A.tocoo()
        rows = zip(coo.row + 1, coo.col + 1, coo.data.tolist(), strict=True)
        out[name] = "\n".join(f"{i} {j} {v!r}" for i, j, v in rows if i <= j)
        head = f"%%MatrixMarket matrix coordinate real general\n{A.shape[0]} {A.shape[1]} {A.nnz}\n"
        rows = zip(coo.row + 1, coo.col + 1, coo.data.tolist(), strict=True)
        out["mtx" + name] = head + "\n".join(f"{i} {j} {v!r}" for i, j, v in rows)
    ways = zip(MESH.ids[MESH.node], MESH.way + 1, strict=True)
    out["dof"] = "\n".join(f"{n}.{w}" for n, w in ways)
    out["inp"] = "*NODE\n" + "\n".join(f"{i + 1}, {x}, 0, 0" for i, x in enumerate(MESH.X[:, 0]))
    for name in ("sti", "mas", "dof", "inp"):
        (folder / f"p.{name}").write_text(out[name])
    (folder / "M.mtx").write_text(out["mtxmas"])
    return out


def test_malformed_matrix_texts_are_told(tmp_path: Path) -> None:
    good, dice = texts(tmp_path), random.Random(2)
    fine = 0
    for n in range(TEXTS):
        name = ("sti", "mas", "dof", "inp", "mtxsti")[n % 5]
        wrong = changed_lines(good[name], dice).encode("utf-8", "replace")
        path = tmp_path / ("K.mtx" if name == "mtxsti" else f"p.{name}")
        path.write_bytes(wrong)
        files = MeshFiles(tmp_path / "p.sti")
        if name == "mtxsti":
            files = MeshFiles(path, tmp_path / "M.mtx", tmp_path / "p.inp", tmp_path / "p.dof")
        fine += accepted(lambda files=files: body_totals(read_mesh(files)))
        if name != "mtxsti":
            path.write_text(good[name])
    assert 0 < fine < TEXTS


@pytest.mark.parametrize("kind", ["npz", "npy"])
def test_malformed_numpy_files_are_told(kind: str, tmp_path: Path) -> None:
    out, dice = io.BytesIO(), random.Random(3)
    if kind == "npz":
        np.savez(out, M=MESH.M.toarray(), K=MESH.K.toarray(), nodes=MESH.X)
    else:
        np.save(out, MESH.K.toarray())
    good, fine = out.getvalue(), 0
    np.save(tmp_path / "M.npy", MESH.M.toarray())
    np.save(tmp_path / "X.npy", MESH.X)
    path = tmp_path / f"K.{kind}"
    for _ in range(BINARIES // 2):
        wrong = bytearray(good)
        for _ in range(dice.choice((1, 4, 30))):
            place = dice.randrange(len(wrong)) if dice.random() < 0.5 else dice.randrange(140)
            wrong[place] = dice.randrange(256)
        path.write_bytes(wrong[: dice.choice((len(wrong), len(wrong), dice.randrange(len(wrong))))])
        files = MeshFiles(path)
        if kind == "npy":
            files = MeshFiles(path, tmp_path / "M.npy", tmp_path / "X.npy")
        fine += accepted(lambda files=files: body_totals(read_mesh(files)))
    assert fine < BINARIES // 2


def test_sizes_that_a_file_only_announces_cost_nothing() -> None:
    text = small_sid()
    for old, new in (("nelastq = 2", "nelastq = 99"), ("nrow = 3", "nrow = 999999")):
        assert not accepted(lambda old=old, new=new: parse_sid(text.replace(old, new)))
