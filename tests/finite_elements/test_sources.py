"""The same mesh from every kind of file, in any units; what is wrong with a file, told."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.io import mmwrite
from scipy.sparse import diags_array, save_npz, triu

import supple
from agree import assert_near
from meshes import beam_mesh
from platforms import POSIX
from supple.errors import FileError, InputError, ModelError
from supple.finite_elements.mesh import MeshMatrices
from supple.finite_elements.sources import MeshFiles, matrix_market, read_mesh

MESH = beam_mesh(4)


def same(mesh: MeshMatrices, other: MeshMatrices = MESH) -> None:
    assert_near(mesh.M.toarray(), other.M.toarray(), 1e-14)
    assert_near(mesh.K.toarray(), other.K.toarray(), 1e-14)
    assert_near(mesh.X, other.X, 1e-14)
    assert (mesh.node == other.node).all()
    assert (mesh.way == other.way).all()


def table(mesh: MeshMatrices, path: Path) -> Path:
    rows = [
        f"{i} {x!r} {y!r} {z!r}" for i, (x, y, z) in zip(mesh.ids, mesh.X.tolist(), strict=True)
    ]
    path.write_text("# number x y z\n" + "\n".join(rows))
    return path


def test_matrix_market_with_a_table_of_nodes(tmp_path: Path) -> None:
    for name, A in (("K", MESH.K), ("M", MESH.M)):
        mmwrite(tmp_path / f"{name}.mtx", A, precision=17)
    nodes = table(MESH, tmp_path / "nodes.txt")
    same(read_mesh(MeshFiles(tmp_path / "K.mtx", tmp_path / "M.mtx", nodes)))


def test_full_matrices_are_written_column_by_column(tmp_path: Path) -> None:
    A = np.random.default_rng(1).normal(size=(4, 4))
    for B in (A, A + A.T):  # of the second its lower half alone
        mmwrite(tmp_path / "A.mtx", B, precision=17)
        assert_near(matrix_market.matrix(tmp_path / "A.mtx").toarray(), B, 1e-15)


def test_numpy_arrays_and_sparse_archives(tmp_path: Path) -> None:
    np.save(tmp_path / "K.npy", MESH.K.toarray())
    save_npz(tmp_path / "M.npz", MESH.M)
    np.save(tmp_path / "X.npy", MESH.X)
    same(read_mesh(MeshFiles(*(tmp_path / n for n in ("K.npy", "M.npz", "X.npy")))))
    np.save(tmp_path / "X.npy", np.column_stack([10 * MESH.ids, MESH.X]))
    numbered = read_mesh(MeshFiles(*(tmp_path / n for n in ("K.npy", "M.npz", "X.npy"))))
    same(numbered)
    assert numbered.ids.tolist() == [10, 20, 30, 40, 50]


def test_calculix_files_beside_each_other(tmp_path: Path) -> None:
    for name, A in (("sti", MESH.K), ("mas", MESH.M)):
        half = triu(A).tocoo()
        entries = zip(half.row + 1, half.col + 1, half.data.tolist(), strict=True)
        (tmp_path / f"part.{name}").write_text("\n".join(f"{i} {j} {v!r}" for i, j, v in entries))
    ways = zip(MESH.ids[MESH.node], MESH.way + 1, strict=True)
    (tmp_path / "part.dof").write_text("\n".join(f"{n}.{w}" for n, w in ways))
    lines = [
        f"{i}, {x!r}, {y!r}, {z!r}" for i, (x, y, z) in zip(MESH.ids, MESH.X.tolist(), strict=True)
    ]
    sets = "*NSET, NSET=END\n5\n*NSET, NSET=ALL, GENERATE\n1, 5, 1\n"
    sets += "*NSET, NSET=BOTH\n1, END\n2\n"
    (tmp_path / "part.inp").write_text(
        "** a beam\n*NODE, NSET=N\n" + "\n".join(lines) + "\n" + sets
    )
    mesh = read_mesh(MeshFiles(tmp_path / "part.sti"))
    same(mesh)
    assert mesh.sets["N"].tolist() == [1, 2, 3, 4, 5]
    assert mesh.sets["END"].tolist() == [5]
    assert mesh.sets["ALL"].tolist() == [1, 2, 3, 4, 5]
    assert mesh.sets["BOTH"].tolist() == [1, 5, 2]
    part = supple.load_part(tmp_path / "part.sti", root=1, stations={"tip": "END"}, modes=2)
    assert part.body.m == 8
    assert part.body.mass == pytest.approx(1.62)
    kept = supple.load_part(tmp_path / "part.sti", root=1, stations={"tip": "END"}, keep=100)
    assert kept.body.m == 6 + 6  # of the station, and normal ones; a model file takes 100 too
    with pytest.raises(supple.InputError, match="keep is 101; it must be a whole number, 1 to 100"):
        supple.load_part(tmp_path / "part.sti", root=1, keep=101)
    deck = (tmp_path / "part.inp").read_text()
    for ends in ("5", "5, 1"):
        (tmp_path / "part.inp").write_text(deck.replace("1, 5, 1", ends))
        with pytest.raises(supple.ModelError, match=rf"LAST, STEP, got '{ends}'\n.*part\.inp:11"):
            read_mesh(MeshFiles(tmp_path / "part.sti"))


def test_universal_files_give_nodes(tmp_path: Path) -> None:
    pyuff = pytest.importorskip("pyuff")
    count = len(MESH.X)
    ones, x = np.ones(count, dtype=int), MESH.X.T
    nodes = pyuff.prepare_2411(MESH.ids, ones, ones, ones, *x, return_full_dict=True)
    pyuff.UFF(str(tmp_path / "part.unv")).write_sets(nodes, "overwrite")
    np.save(tmp_path / "K.npy", MESH.K.toarray())
    np.save(tmp_path / "M.npy", MESH.M.toarray())
    same(read_mesh(MeshFiles(*(tmp_path / n for n in ("K.npy", "M.npy", "part.unv")))))


def test_nastran_matrices_and_nodes(tmp_path: Path) -> None:
    op4 = pytest.importorskip("pyNastran.op4.op4")
    for name, A in (("K", MESH.K), ("M", MESH.M)):
        target = str(tmp_path / f"{name}.op4")
        op4.OP4(debug=False).write_op4(target, {name: (6, A.toarray())}, is_binary=False)
    grids = [f"GRID,{i},,{x!r},{y!r},{z!r}" for i, (x, y, z) in enumerate(MESH.X.tolist(), 1)]
    deck = ["SOL 103", "CEND", "BEGIN BULK", *grids, "ENDDATA"]
    (tmp_path / "part.bdf").write_text("\n".join(deck))
    same(read_mesh(MeshFiles(*(tmp_path / n for n in ("K.op4", "M.op4", "part.bdf")))))


def test_nastran_without_pynastran_says_what_to_install(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "pyNastran", None)
    (tmp_path / "K.op4").write_text("x")
    with pytest.raises(ModelError, match=r"pip install .supple"):
        read_mesh(MeshFiles(tmp_path / "K.op4", tmp_path / "K.op4", tmp_path / "K.op4"))


def test_units_of_millimetres_and_tonnes(tmp_path: Path) -> None:
    """u in mm, forces in N: M in t (t mm^2 for turns), K in N/mm."""
    turn = diags_array(np.where(MESH.way > 2, 1e3, 1.0))
    mm = replace(
        MESH, M=(1e-3 * turn @ MESH.M @ turn).tocsr(), K=(1e-3 * turn @ MESH.K @ turn).tocsr()
    )
    np.savez(tmp_path / "mm.npz", M=mm.M.toarray(), K=mm.K.toarray(), nodes=1e3 * MESH.X)
    same(read_mesh(MeshFiles(tmp_path / "mm.npz", length=1e-3, weight=1e3)))


@pytest.mark.parametrize(("length", "weight"), [(1e-3, 1e3), (0.0254, 0.4536)])
def test_unit_loads_are_in_the_units_of_the_files(
    length: float, weight: float, tmp_path: Path
) -> None:
    """A unit load of the files is so many SI units: accelerations, forces and moments have one."""
    turn, force = diags_array(np.where(MESH.way > 2, 1 / length, 1.0)), weight * length
    sizes = {"a_x": length, "dw_x": 1.0, "w_xx": 1.0, "tip.f_x": force, "tip.n_x": force * length}
    others = {k: (turn @ A @ turn).toarray() / weight for k, A in (("M", MESH.M), ("K", MESH.K))}
    others |= {f"Kg_{k}": size * others["K"] for k, size in sizes.items()}
    np.savez(tmp_path / "p.npz", nodes=MESH.X / length, **others)
    mesh = read_mesh(MeshFiles(tmp_path / "p.npz", length=length, weight=weight))
    same(mesh)
    for A in mesh.stiffening.values():
        assert_near(A.toarray(), MESH.K.toarray(), 1e-13)
    assert len(mesh.stiffening) == len(sizes)


WRONG: tuple[tuple[str, Any, str], ...] = (
    ("K.npy", b"", "the file has 0 MB"),
    ("K.npy", b"\x93NUMPY\x01\x00nonsense", "not a NumPy file"),
    ("K.npz", b"PK\x03\x04nonsense", "not a NumPy file"),
    ("K.mtx", b"%%MatrixMarket matrix array real general\n100000 100000\n1\n", "announces 100000"),
    ("K.mtx", b"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 x 3\n", "K.mtx:3"),
    ("K.mtx", b"1 2 3", "does not begin with %%MatrixMarket"),
    ("K.sti", b"1 1 1.0\n1 1\n", "K.sti:2"),
    ("K.sti", b"1 1 nan\n", "finite number, got 'nan'"),
    ("K.sti", b"1 999999999 1.0\n", "rows and columns are 1 to"),
    ("K.xyz", b"1", "matrices cannot be read from .xyz"),
)


@pytest.mark.parametrize(("name", "content", "words"), WRONG)
def test_a_wrong_matrix_file_is_told(name: str, content: bytes, words: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    nodes = table(MESH, tmp_path / "nodes.txt")
    with pytest.raises(ModelError) as caught:
        read_mesh(MeshFiles(tmp_path / name, tmp_path / name, nodes))
    assert words in str(caught.value)


def test_nodes_of_op2_files_are_not_read(tmp_path: Path) -> None:
    """pyNastran 1.3 does not read them under NumPy 2, and 1.4 asks for NumPy 1."""
    (tmp_path / "part.op2").write_bytes(b"x")
    np.save(tmp_path / "K.npy", MESH.K.toarray())
    words = r"nodes cannot be read from \.op2\n.*endings are: .*\.bdf"
    with pytest.raises(ModelError, match=f"(?s){words}"):
        read_mesh(MeshFiles(tmp_path / "K.npy", tmp_path / "K.npy", tmp_path / "part.op2"))


def model(**body: Any) -> dict[str, Any]:
    links = {"a": {"body": {"file": "p.npz", "root": 1, **body}}}
    return {"links": links, "joints": [{"child": "a", "type": "revolute"}]}


@POSIX
def test_files_outside_the_models_folder_are_refused(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "secret.sid").write_text("part\n")
    (tmp_path / "inner" / "link.sid").symlink_to(tmp_path / "secret.sid")
    for name in ("../secret.sid", str(tmp_path / "secret.sid"), "link.sid", "x/../../secret.sid"):
        with pytest.raises(ModelError, match="leads out of the model's folder"):
            supple.build(model(file=name), tmp_path / "inner")
    with pytest.raises(ModelError, match=r"there is no file 'none\.sid'"):
        supple.build(model(file="none.sid"), tmp_path)


def test_wrong_words_of_a_body_are_told_with_their_key(tmp_path: Path) -> None:
    np.savez(tmp_path / "p.npz", M=MESH.M.toarray(), K=MESH.K.toarray(), nodes=MESH.X)
    for words, said in (
        ({"root": 77}, "there is no node 77"),
        ({"root": "face"}, "there is no node set 'face'"),
        ({"root": True}, "a node's number, a list of them"),
        ({"method": "guyn"}, "did you mean guyan?"),
        ({"stiffening": {"a_w": "p.npz"}}, "links.a.body.stiffening"),
        ({"modes": 0}, "no shapes are asked for"),
        ({"root": [1, 2, 3, 4, 5]}, "nothing is left to bend"),
    ):
        with pytest.raises(ModelError) as caught:
            supple.build(model(**words), tmp_path)
        assert said in str(caught.value)


def test_load_part_checks_its_arguments(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="there is no such file"):
        supple.load_part(tmp_path / "none.sid")
    np.savez(tmp_path / "p.npz", M=MESH.M.toarray(), K=MESH.K.toarray(), nodes=MESH.X)
    with pytest.raises(InputError, match=r"root is 1\.5; it must be"):
        supple.load_part(tmp_path / "p.npz", root=1.5)  # type: ignore[arg-type]
    part = supple.load_part(tmp_path / "p.npz", root=1, modes=3)
    assert "5 nodes, 30 freedoms, craig_bampton, 3 shapes" in str(part)


def test_arrays_that_mean_nothing_and_files_that_are_not_read_are_told(tmp_path: Path) -> None:
    words = {"M": MESH.M.toarray(), "K": MESH.K.toarray(), "nodes": MESH.X}
    for strange in ("kg_a_x", "node", "Kg", "freedom", "K_dta"):
        np.savez(tmp_path / "p.npz", **words, **{strange: np.eye(3)})
        with pytest.raises(ModelError, match=rf"holds {strange}, not known here"):
            supple.build(model(), tmp_path)
    np.savez(tmp_path / "p.npz", **words)
    table(MESH, tmp_path / "nodes.txt")
    with pytest.raises(ModelError, match="nodes are given, but the file holds all"):
        supple.build(model(nodes="nodes.txt"), tmp_path)
    np.savez(tmp_path / "p.npz", **words, Kg_a_x=words["K"])
    assert "geometric stiffening is incomplete" in str(
        supple.build(model() | {"elastic_kinematics": "second_order"}, tmp_path).notes
    )


@pytest.mark.parametrize(
    "words",
    [
        {"units": {"length": 0.001}},
        {"mass": "part.sid"},
        {"stiffening": {"a_x": "part.sid"}},
        {"method": "guyan"},
    ],
)
def test_what_standard_input_data_leave_no_room_for_is_refused(words: Any, tmp_path: Path) -> None:
    robot = supple.load("lin-lewis-f")
    supple.write_sid(robot, "link1", tmp_path / "part.sid")
    links = {"a": {"body": {"file": "part.sid", **words}}}
    with pytest.raises(ModelError, match=f"{next(iter(words))} given, but this file holds"):
        supple.build({"links": links, "joints": [{"child": "a", "type": "fixed"}]}, tmp_path)
