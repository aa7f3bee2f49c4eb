"""The studies in bench/ still run, each on its smallest case; the README shows what they wrote."""

import copy
import importlib.util
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import supple
from agree import assert_near
from studies import (
    STUDIES,
    dual_screws,
    equations,
    forms,
    growth,
    instructions,
    kinematics,
    long_closed_runs,
    peers,
    pinocchio_native,
    ratios,
    sizes,
    study,
    urdf,
)
from studies.operations import counted
from studies.table import Table
from supple.analyse import Call
from supple.reproduce.saha.chain import general_chain

BENCH = Path(__file__).parents[1] / "bench"


def records(name):
    (table,) = study(name, 0.0)
    return table.records()


def test_every_study_has_its_file_and_its_result():
    own = {"cables", "native", "spin_up", "trust"}  # of the study of simulation
    peers = {"peers", "pinocchio_native"}
    helpers = {"__init__", "browser", "chains", "plot", "table", *own, *peers}
    assert {path.stem for path in (BENCH / "studies").glob("*.py")} == {*STUDIES, *helpers}
    assert {path.stem for path in (BENCH / "results").glob("*.md")} == {
        *STUDIES,
        "other_machine",
        "wheels",
    }


def test_operations_are_as_few_as_claimed():
    ours = {(r["robot"], r["quantity"]): (r["mult"], r["add"]) for r in records("operations")}
    for robot, most in (("puma", (350, 290)), ("flexible chain of 8", (5600, 4600))):
        assert all(a <= b for a, b in zip(ours[robot, "forward"], most, strict=True))


def test_the_papers_counts_are_as_printed_and_ours_are_fewer():
    rows = records("papers")
    assert {r["printed in"] for r in rows} >= {"[Saha] Table 1", "[MohanSaha] Table 1"}
    at_six = {
        r["algorithm"]: (r["mult"], r["add"])
        for r in rows
        if r["printed in"] == "[Saha] Table 1" and r["n"] == 6
    }
    assert at_six["Balafoutis et al. (1988)"] == (489, 421)
    assert at_six["Luh et al. (1980)"] == (852, 834)
    assert all(a < b for a, b in zip(at_six["Supple"], (489, 421), strict=True))


@pytest.mark.parametrize("what", ["inverse_dynamics", "forward_dynamics"])
@pytest.mark.parametrize("n", [6, 12])
def test_counts_of_the_general_chain_hold_for_other_constants(what, n):
    """Every mass, length, angle and moment drawn anew: the same multiplications and additions,
    for no constant is left that rounding has made."""
    rng = np.random.default_rng(0)
    chain = general_chain(n)
    words = copy.deepcopy(dict(chain.spec))
    for link in words["links"].values():
        G = rng.normal(size=(3, 3))
        J = G @ G.T + 3.0 * np.eye(3)
        pairs = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
        link["rigid"]["inertia"] = [float(J[p]) for p in pairs]
        link["rigid"] |= {"mass": rng.uniform(1, 3), "com": rng.uniform(0.1, 0.3, 3).tolist()}
    for joint in words["joints"][1:]:
        alpha, a, b = rng.uniform(0.2, 1.2, 3)
        place = [a, -b * np.sin(alpha), b * np.cos(alpha)]
        joint["origin"] = {"xyz": [float(x) for x in place], "rpy": [alpha, 0.0, 0.0]}
    counts = [counted(r, what) for r in (chain, supple.build(words))]
    assert counts[0] == counts[1]


def test_tables_are_written_with_their_notes():
    text = Table(("a", "b"), [(1, 0.12345), ("x", 123.4)], ("read this",)).markdown()
    assert text == "| a | b |\n|---|---|\n| 1 | 0.123 |\n| x | 123 |\n\nread this\n"


def test_races_give_microseconds_a_state(monkeypatch):
    """Ours takes ten states in 20 us, the peer one in 6 us."""
    monkeypatch.setattr(ratios, "in_turns", lambda *_: {"ours": 20e-6, "peer": 6e-6})
    call = Call(sum, ([],))
    (row,) = ratios.measured([ratios.Race("adding", call, call, "Peer 1.0", (10, 1))], 0.0)
    times = pytest.approx(2.0), pytest.approx(6.0), "Peer 1.0", pytest.approx(3.0)
    assert row == ("adding", *times, "", "")


def test_of_the_ways_to_call_a_peer_from_c_the_fastest_counts(monkeypatch):
    found = {"ours": 20e-6, "peer": 6e-6, "native 0": 5e-6, "native 1": 4e-6}
    monkeypatch.setattr(ratios, "in_turns", lambda *_: found)
    call = Call(sum, ([],))
    race = ratios.Race("adding", call, call, "Peer 1.0", (10, 1), native=(call, call))
    (row,) = ratios.measured([race], 0.0)
    assert row[5:] == (pytest.approx(4.0), pytest.approx(2.0))


@pytest.mark.parametrize("make", [peers.casadi_call, peers.casadi_native_call])
def test_casadi_races_with_the_same_accelerations(make):
    pytest.importorskip("casadi")
    robot = supple.load("puma")
    x = tuple(np.random.default_rng(0).normal(size=(3, 6)))
    found = make(robot, x)
    if found is None:
        pytest.skip("no C compiler on this machine")
    found[1].run(1)
    assert_near(found[1].out, supple.forward_dynamics(robot, *x), 1e-11)


def test_without_a_compiler_the_column_says_so(monkeypatch):
    monkeypatch.setattr(pinocchio_native.shutil, "which", lambda name: None)
    monkeypatch.setattr(ratios, "compiled", pinocchio_native.compiled.__wrapped__)
    assert "no figures, for no C++ compiler" in ratios._note()
    assert ratios.Natives(supple.load("puma"), ())("aba") == ()


def test_instructions(monkeypatch):
    monkeypatch.setattr(instructions, "ROBOTS", ("lin-lewis-f",))
    assert all(one > many > 0 for *_, one, many in instructions.instruction_rows())


def test_long_chains():
    rows = growth.growth_rows(0.001, lengths=(2,))
    assert [(r.chain, r.links) for r in rows] == [("rigid", 2), ("flexible", 2)]
    assert all(r.nanoseconds > 0.0 and r.compile_s > 0.0 for r in rows)


def test_loops_stay_closed_in_long_runs_and_would_not_by_themselves():
    gaps = [float(long_closed_runs.opened(20_000, kept)[-1][2]) for kept in (True, False)]
    assert gaps[0] < 1e-13
    assert gaps[1] > 1e-8


def test_kinematics(monkeypatch):
    monkeypatch.setattr(kinematics, "ROBOTS", ("lin-lewis-f",))
    rows = kinematics.order_rows(0.001, count=10)
    assert [row[1] for row in rows] == ["operations", "a call, us", "in a batch, us"]
    assert all(row[4] == row[3] / row[2] for row in rows)


def test_equations():
    assert equations.compared(1)[-1] < 1e-12  # SymPy's own equations are ours
    assert equations.counts("lin-lewis-rfr")[-1] < 3.0


def test_dual_screws():
    P = dual_screws.matrices()
    written = dual_screws.by_entry(P, dual_screws.chain_rule)
    assert dual_screws.size(dual_screws.geometric(P)) < dual_screws.size(written)


def test_the_script_writes_what_it_is_asked_for(tmp_path):
    words = ["--only", "papers", "--out", str(tmp_path / "new")]
    done = subprocess.run(
        [sys.executable, str(BENCH / "run.py"), *words], capture_output=True, text=True, check=True
    )
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["papers.md"]
    assert (tmp_path / "new/papers.md").read_text() in done.stdout


def test_readme_shows_the_measured_table():
    measured = (BENCH / "results/ratios.md").read_text(encoding="utf-8")
    assert measured in (BENCH.parent / "README.md").read_text(encoding="utf-8")


HERE = sys.platform == "linux" and platform.machine() == "x86_64" and shutil.which("gcc")


@pytest.mark.skipif(not HERE, reason="makes libraries for Linux on x86-64 with gcc")
def test_what_another_machine_needs_is_prepared(tmp_path):
    path = BENCH / "other_machine" / "prepare.py"
    spec = importlib.util.spec_from_file_location("prepare", path)
    bench = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bench)
    bench.ROBOTS, bench.STATES = ("lin-lewis-rr",), 5
    bench.prepare(tmp_path)
    found = {path.name for path in tmp_path.iterdir()}
    assert {"run.py", "model.npz", "lin-lewis-rr_avx512.so", "lin-lewis-rr_float.cu"} <= found


def test_urdf():
    file = next(path for path in urdf.robot_files() if path.name == "ur10_robot.urdf")
    _, links, coordinates, _, M, bias = urdf.compared(file, 1)
    assert (links, coordinates) == (10, 6)
    assert max(M, bias) < 1e-12


def test_both_sides_of_the_sizes_compute_the_same():
    pytest.importorskip("pinocchio")
    robot = sizes.general_chain(12)
    x = tuple(0.3 * np.random.default_rng(0).normal(size=(3, 12)))
    peer = sizes.Pinocchio(robot)
    theirs, data = sizes.peer_calls(peer, x), peer.data
    for cell, (function, given) in sizes.own_calls(robot, x).items():
        call, arguments = theirs[cell]
        other = call(*arguments)
        if cell == "dID":
            other = np.hstack([data.dtau_dq, data.dtau_dv, pinocchio_mass(peer, x[0])])
        if cell == "dFD":
            inverse = np.linalg.inv(pinocchio_mass(peer, x[0]))
            other = np.hstack([data.ddq_dq, data.ddq_dv, inverse])
        assert_near(function(*given), other, 1e-10)


def test_calls_are_all_measured():
    rows = records("calls")
    assert len(rows) == 9
    assert all(0.0 < r["us"] < 1e4 for r in rows if not r["a call of puma"].startswith("batch:"))


def test_both_forms_are_measured_and_the_taken_one_is_named():
    (table,) = forms.study(0.0, ("forward_dynamics",), most=4)
    taken = [r["taken"] for r in table.records()]
    assert taken == ["straight-line"] * 2


def pinocchio_mass(peer, q):
    return peer.module.crba(peer.model, peer.model.createData(), q)
