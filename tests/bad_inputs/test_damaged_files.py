"""A saved run is whole or not there; a damaged one is refused, or holds the same numbers."""

import errno
import sys
from contextlib import contextmanager

import numpy as np
import pytest
from matplotlib.figure import Figure

import supple
from platforms import POSIX
from supple import FileError
from supple.files import make_folder, write_whole


@pytest.fixture(scope="module")
def run():
    robot = supple.load("lin-lewis-rfr")
    return supple.simulate(robot, None, 0.2, qd0=[1, 0, 2, 0], samples=21)


@contextmanager
def files_up_to(size):
    """Files cannot grow beyond this: a write fails half-way, as on a full disk."""
    resource = pytest.importorskip("resource")
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    sys.dont_write_bytecode, kept = True, sys.dont_write_bytecode  # importlib would cut it short
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, old[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
        sys.dont_write_bytecode = kept


@pytest.mark.parametrize("name", ["run.nc", "run.png", "text.md"])
def test_a_disk_that_fills_up_leaves_nothing_and_one_message(run, tmp_path, name):
    call = {"run.nc": run.save, "run.png": run.plot}.get(name)
    words = f"{name}: File too large; no part of it was left"
    with pytest.raises(FileError, match=words) as e, files_up_to(5000):
        call(tmp_path / name) if call else write_whole(tmp_path / name, "x" * 9000)
    assert "Make room there, or write to another folder" in str(e.value)
    assert not list(tmp_path.iterdir())


CODES = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS, errno.EACCES, errno.EMFILE)


@pytest.mark.parametrize("code", CODES, ids=errno.errorcode.get)
@pytest.mark.parametrize("call", ["fsync", "replace", "open"])
def test_every_fault_of_a_device_is_a_file_error(tmp_path, monkeypatch, code, call):
    import os

    def refuse(*_, **__):
        raise OSError(code, os.strerror(code))

    (tmp_path / "old.txt").write_text("old")
    monkeypatch.setattr(os, call, refuse)
    with pytest.raises(FileError, match=os.strerror(code)):
        write_whole(tmp_path / "old.txt", "new")
    monkeypatch.undo()
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("old.txt", "old")]


def test_a_file_that_another_program_has_open_is_to_be_closed_there(tmp_path, monkeypatch):
    """Windows replaces no file that is open."""
    import os

    def held(*_):
        raise PermissionError(errno.EACCES, "Access is denied")

    (tmp_path / "run.csv").write_text("old")
    monkeypatch.setattr(os, "replace", held)
    with pytest.raises(FileError, match=r"run\.csv: Access is denied.*Close it in other programs"):
        write_whole(tmp_path / "run.csv", "new")
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("run.csv", "old")]


@POSIX
def test_text_bytes_and_figures_are_written_through_links_too(tmp_path):
    (tmp_path / "there").symlink_to(tmp_path / "real.txt")
    write_whole(tmp_path / "there", "\u00e9")
    assert (tmp_path / "real.txt").read_bytes() == "\u00e9".encode()
    assert (tmp_path / "there").is_symlink()
    assert write_whole(tmp_path / "b", b"\0\1").read_bytes() == b"\0\1"
    figure = write_whole(tmp_path / "f.png", lambda file: Figure().savefig(file))
    assert figure.read_bytes().startswith(b"\x89PNG")
    with pytest.raises(FileError, match="cannot write into"):
        make_folder(tmp_path / "b" / "folder")


def test_a_flipped_bit_is_found_wherever_it_is(run, tmp_path):
    raw, path = run.save(tmp_path / "run.nc").read_bytes(), tmp_path / "bad.nc"
    rng = np.random.default_rng(1)
    sealed = len(raw) - len("\nsupple sha256 ") - 65
    for at in [*rng.integers(0, len(raw), 400), sealed - 1, sealed + 20, len(raw) - 1]:
        bad = bytearray(raw)
        bad[at] ^= 1 << int(rng.integers(8))
        path.write_bytes(bad)
        if sealed <= at < sealed + 15:  # the mark itself: no checksum is seen
            continue
        with pytest.raises(FileError, match=r"bad\.nc is damaged, or was changed"):
            supple.load_result(path)


def test_a_lost_seal_is_told_and_the_numbers_are_the_same(run, tmp_path):
    path = run.save(tmp_path / "run.nc")
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.warns(supple.SuppleWarning, match="or its end is damaged"):
        assert supple.load_result(path).data.identical(run.data)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.99])
def test_a_cut_file_is_refused(run, tmp_path, share):
    path = run.save(tmp_path / "run.nc")
    raw = path.read_bytes()
    path.write_bytes(raw[: int(share * len(raw))])
    with pytest.raises(FileError, match=r"run\.nc is not a saved run of Supple"):
        supple.load_result(path)


ODD = {
    "no samples": lambda d: d.isel(time=slice(0, 0)),
    "a variable less": lambda d: d.drop_vars("kinetic"),
    "no names": lambda d: d.drop_vars("coordinate"),
    "whole numbers": lambda d: d.assign(q=d["q"].astype(int)),
    "other dimensions": lambda d: d.assign(q=d["q"].T),
    "no robot": lambda d: d.assign_attrs(robot=None).assign_attrs({"joints": "no list"}),
    "unknown joints": lambda d: d.assign_attrs(joints='["nobody"]'),
    "warnings that are none": lambda d: d.assign_attrs(warnings="[1, 2]"),
}


@pytest.mark.parametrize("change", ODD.values(), ids=ODD)
def test_a_dataset_that_is_no_run_is_refused(run, tmp_path, change):
    data = change(run.data)
    data.attrs = {k: v for k, v in data.attrs.items() if v is not None}
    data.to_netcdf(tmp_path / "odd.nc", engine="h5netcdf")
    with pytest.raises(FileError, match="is a netCDF file, but not a saved run of Supple: "):
        supple.load_result(tmp_path / "odd.nc")


@pytest.mark.parametrize(
    "bad", [b"", b"CDF\1", b"\x89HDF\r\n\x1a\n" * 9, bytes(999), b"\nsupple sha256 "]
)
def test_bytes_of_any_kind_are_refused(tmp_path, bad, capfd):
    (tmp_path / "odd.nc").write_bytes(bad)
    with pytest.raises(FileError, match=r"odd\.nc"):
        supple.load_result(tmp_path / "odd.nc")
    assert capfd.readouterr().err == ""
