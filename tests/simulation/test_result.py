"""A Result looks itself up, saves whole or not at all, loads back equal, plots."""

import json
import os

import numpy as np
import pytest
import xarray as xr

import supple
from platforms import POSIX
from supple import FileError, InputError, Result
from supple.simulation.result import netcdf


@pytest.fixture(scope="module")
def arm():
    return supple.load("lin-lewis-rfr")


@pytest.fixture(scope="module")
def run(arm):
    torque = lambda t: 0.05 * np.array([np.sin(7 * t), np.cos(5 * t), 0.1])  # noqa: E731
    return supple.simulate(arm, torque, 0.5, samples=51)


def test_the_energy_balance_closes(arm, run):
    assert run.energy_error < 1e-7
    assert np.ptp(run["kinetic"]) > 0
    damped = supple.load("cibicik-arm")
    q0 = damped.neutral()
    q0[0] = 0.3
    assert supple.simulate(damped, None, 0.1, q0=q0, samples=5).energy_error < 1e-6


def test_a_result_is_looked_up_by_name(arm, run):
    for i, name in enumerate(arm.coordinate_names):
        assert np.array_equal(run[name], run["q"][:, i])
    assert run["tip"].shape == (51, len(arm.links), 3)
    wrong = arm.coordinate_names[0][:-1] + "x"
    with pytest.raises(
        InputError, match=rf"no quantity named '{wrong}'.*{arm.coordinate_names[0]}"
    ):
        run[wrong]


@pytest.mark.parametrize("bad", [["q"], None, 0, ("q", "qd"), b"q", slice(None)])
def test_a_result_is_looked_up_by_names_only(run, bad):
    with pytest.raises(InputError, match="a result is asked by a name"):
        run[bad]


@pytest.mark.parametrize("bad", [None, 5, b"run.nc", ["run.nc"], "a\0b.nc", "a" * 300 + ".nc"])
def test_what_is_no_file_name_is_told(run, bad):
    plot = run.plot if bad is not None else run.save  # plot(None) gives the figure
    for call in (supple.load_result, run.save, plot):
        with pytest.raises(FileError, match=r"^cannot (read|write) ") as error:
            call(bad)
        assert len(str(error.value)) < 160


@pytest.mark.filterwarnings("ignore::supple.SuppleWarning")
def test_a_run_is_saved_as_xarray_saves_its_dataset(arm):
    """To the last byte, with events, loops, numbers and lists among the attributes."""
    rise = supple.Event("t - 0.01", name="soon")
    runs = [
        supple.simulate(arm, None, 0.02, samples=3, events=[rise], keep=("wrench", "power")),
        supple.simulate(supple.load("five-bar"), None, 0.02, samples=3, keep="reaction"),
    ]
    for run in runs:
        assert "xarray" not in type(run.held).__module__
        plain = netcdf(run.held)
        assert plain == netcdf(run.data)
        assert "xarray" in type(run.held).__module__


def test_what_is_put_into_the_dataset_belongs_to_the_run(arm):
    run = supple.simulate(arm, None, 0.02, samples=3)
    run.data["mine"] = ("time", [1.0, 2.0, 3.0])
    run.data.attrs["warnings"] = '["with care"]'
    assert run["mine"].tolist() == [1.0, 2.0, 3.0]
    assert run.warnings == ("with care",)


def test_a_saved_run_loads_back_equal(run, tmp_path):
    path = run.save(tmp_path / "run.nc")
    again = supple.load_result(path)
    assert again.data.identical(run.data)
    assert (again.robot_name, again.interrupted) == (run.robot_name, False)
    assert [p.name for p in tmp_path.iterdir()] == ["run.nc"]


def test_other_programs_read_a_saved_run(run, tmp_path):
    import h5py

    path = run.save(tmp_path / "run.nc")
    with h5py.File(path) as file:
        assert np.array_equal(file["q"][:], run["q"])
    assert xr.load_dataset(path, engine="h5netcdf").identical(run.data)


def test_a_run_of_another_program_is_read_with_a_warning(run, tmp_path):
    run.data.to_netcdf(tmp_path / "run.nc", engine="h5netcdf")
    with pytest.warns(supple.SuppleWarning, match="has no checksum"):
        again = supple.load_result(tmp_path / "run.nc")
    assert again.data.identical(run.data)


def test_warnings_stay_with_the_run(run, tmp_path):
    words = ("shapes are large", '"quoted" \u00e9')
    told = Result(run.data.assign_attrs(warnings=json.dumps(words)))
    again = supple.load_result(told.save(tmp_path / "run.nc"))
    assert (run.warnings, told.warnings, again.warnings) == ((), words, words)
    assert "warning: shapes are large" in str(again)


def test_a_run_prints_as_a_short_table(arm, run):
    lines = str(run).splitlines()
    assert lines[0] == "lin-lewis-rfr: 0.5 s, 51 samples"
    assert [line.split()[0] for line in lines[3:7]] == list(arm.coordinate_names)
    assert lines[-1].startswith("energy imbalance")
    assert repr(run) == "<Result of lin-lewis-rfr: 0.5 s, 51 samples>"
    long = supple.simulate(supple.load("space-robot"), None, 0.01, samples=2)
    assert len(str(long).splitlines()) < 25
    assert "17 more: run.summary()" in str(long)


def test_a_rate_is_looked_up_by_its_own_name():
    robot = supple.load("space-robot")
    run = supple.simulate(robot, None, 0.01, qd0=np.linspace(0.1, 0.2, robot.nv), samples=2)
    at = robot.velocity_names.index("base.wx")
    assert np.array_equal(run["base.wx"], run["qd"][:, at])
    assert np.array_equal(run["base.x"], run["q"][:, robot.coordinate_names.index("base.x")])


def test_what_is_no_run_makes_no_result(run):
    for bad in (None, {}, xr.Dataset(), run.data.isel(time=slice(0, 0)), run.data.drop_vars("q")):
        with pytest.raises(InputError, match="load_result make results"):
            Result(bad)
    one = Result(run.data.isel(time=slice(0, 1)))
    assert one.energy_error == 0.0
    assert one.plot() is not None


@pytest.mark.parametrize(
    ("suffix", "start"), [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<?xml")]
)
def test_a_run_plots_to_every_kind_of_file(run, tmp_path, suffix, start):
    path = run.plot(tmp_path / f"run.{suffix}")
    assert path.read_bytes().startswith(start)
    assert len(list(tmp_path.iterdir())) == 1


def test_a_rigid_and_an_unmoved_run_plot_too(tmp_path):
    still = supple.load("puma").replace(gravity=[0, 0, 0])
    supple.simulate(still, None, 0.1, samples=3).plot(tmp_path / "run.png")
    assert supple.simulate(still, None, 0.1, samples=3).plot() is not None


def test_a_wrong_target_is_refused_by_name(run, tmp_path):
    with pytest.raises(FileError, match=r"file type '\.gif' is not known; use \.png, \.pdf or"):
        run.plot(tmp_path / "run.gif")
    with pytest.raises(FileError, match=r"file type '\.csv' is not known; use \.nc"):
        run.save(tmp_path / "run.csv")
    with pytest.raises(FileError, match="there is no folder"):
        run.save(tmp_path / "none" / "run.nc")
    with pytest.raises(FileError, match="it is a folder"):
        run.save(tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(run, tmp_path, monkeypatch, error):
    def refuse(*_):
        raise error

    (tmp_path / "run.nc").write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises((FileError, KeyboardInterrupt)):
        run.save(tmp_path / "run.nc")
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("run.nc", b"old")]


def test_a_rename_that_fails_leaves_nothing(run, tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(os, "replace", refuse)
    for write, name in ((run.save, "run.nc"), (run.plot, "run.png")):
        with pytest.raises(FileError, match="Read-only file system"):
            write(tmp_path / name)
    assert not list(tmp_path.iterdir())


@POSIX
@pytest.mark.skipif(
    hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write everywhere"
)
def test_a_read_only_folder_is_refused(run, tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(FileError, match="read-only"):
        run.save(tmp_path / "run.nc")
    tmp_path.chmod(0o700)
    assert not list(tmp_path.iterdir())


def test_junk_is_no_result(run, tmp_path, recwarn):
    (tmp_path / "junk.nc").write_bytes(b"junk" * 1000)
    (tmp_path / "empty.nc").write_bytes(b"")
    (tmp_path / "cut.nc").write_bytes(run.save(tmp_path / "run.nc").read_bytes()[:5000])
    for name in ("junk.nc", "empty.nc", "cut.nc"):
        with pytest.raises(FileError, match=f"{name} is not a saved run of Supple"):
            supple.load_result(tmp_path / name)
    with pytest.raises(FileError, match="there is no such file"):
        supple.load_result(tmp_path / "none.nc")
    run.data[["kinetic"]].to_netcdf(tmp_path / "other.nc", engine="h5netcdf")
    assert not recwarn
    with pytest.raises(FileError, match="is a netCDF file, but not a saved run"):
        supple.load_result(tmp_path / "other.nc")


def test_an_interrupted_run_keeps_what_was_reached(arm, tmp_path):
    from supple.simulation import Interrupted

    def stop(t):
        if t > 0.2:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as caught:
        supple.simulate(arm, None, 9.0, qd0=[1, 0, 2, 0], samples=901, progress=stop)
    again = supple.load_result(caught.value.partial.save(tmp_path / "part.nc"))
    assert again.interrupted
    assert 0.1 < again.time[-1] < 9.0


def test_times_and_names_of_a_run_are_not_written_to() -> None:
    run = supple.simulate(supple.load("lin-lewis-f"), [0.1], 0.01, samples=3)
    for values in (run.time, run["coordinate"]):
        with pytest.raises(ValueError, match="read-only"):
            values[0] = values[-1]
    with pytest.raises(supple.InputError, match="no dimension named 'nonsense'"):
        run.names("nonsense")


def test_a_run_that_stops_keeps_its_events() -> None:
    robot, event = supple.load("lin-lewis-rfr"), supple.Event("t - 0.02", name="early")
    with pytest.raises(supple.SimulationError) as stopped:
        supple.simulate(robot, [50.0, 0.0, 0.0], 0.2, samples=21, events=[event])
    partial = stopped.value.partial
    assert partial is not None
    assert [(x.name, round(x.t, 9)) for x in partial.events] == [("early", 0.02)]
