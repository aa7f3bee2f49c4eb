"""`supple reproduce saha`: its numbers against the reference files, its counts, its figures."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import supple
from reports import check_report, report_of
from supple.cli import app
from supple.reproduce.saha import counts, five_bar, scraper
from supple.reproduce.saha.polynomials import CountPolynomial, fewer_from, fitted


@pytest.fixture(scope="module")
def tables() -> dict[str, Any]:
    return {table.title: table for table in report_of("saha").tables}


def numbers(tables: dict[str, Any], start: str) -> Any:
    """Rows of the table whose title begins so, as an array."""
    (table,) = (t for title, t in tables.items() if title.startswith(start))
    return np.array(table.rows, dtype=float)


@pytest.mark.parametrize(
    ("name", "arm", "starts"),
    [
        ("puma", "PUMA", ("Table 3(a)",)),
        ("stanford", "Stanford arm", ("Table 4(a)", "the trajectory's start")),
    ],
)
def test_serial_arms(tables: Any, reference: Any, name: str, arm: str, starts: Any) -> None:
    given = reference(f"saha_{name}")
    ours = numbers(tables, f"{arm}: joint torques")
    theirs = [[p["t"], *p["tau"]] for p in given["inverse_dynamics"]["points"]]
    np.testing.assert_allclose(ours, theirs, atol=1e-8)
    for start, fall in zip(starts, given["free_fall"], strict=True):
        rows = numbers(tables, f"{arm}: free fall from {start}")
        np.testing.assert_allclose(rows[0, 1:], fall["q0"])
        theirs = [[s["t"], *s["q"]] for s in fall["samples"]]
        np.testing.assert_allclose(rows[1:], theirs, atol=1e-8)


def test_five_bar(tables: Any, reference: Any) -> None:
    (case,) = reference("saha_fivebar")["cases"]
    points = case["inverse_dynamics_eq35"]["points"]
    angles = numbers(tables, "Five-bar: joint angles")
    pairs = [zip(p["theta1"], p["theta2_rel_unwrapped"], strict=True) for p in points]
    theirs = [[p["t"], *np.ravel(list(x))] for p, x in zip(points, pairs, strict=True)]
    np.testing.assert_allclose(angles, theirs, atol=1e-8)
    torques = numbers(tables, "Five-bar: driving torques")
    np.testing.assert_allclose(torques, [[p["t"], *p["tau"]] for p in points], atol=1e-8)


@pytest.mark.parametrize(("name", "number"), [("puma", 3), ("stanford", 4)])
def test_tables_of_the_arms_are_the_words_of_their_files(
    name: str, number: int, tables: Any
) -> None:
    """The tables are computed from the bodies; the files hold what is printed."""
    (table,) = (t for title, t in tables.items() if title.startswith(f"Table {number}:"))
    words = supple.load(name).spec["dh"]["rows"]
    assert [row[2:5] for row in table.rows] == [
        tuple(str(row.get(key, "JV")) for key in ("a", "b", "alpha")) for row in words
    ]
    for key, column in (("mass", 5), ("r", 6), ("inertia", 7)):
        shown = [[float(x) for x in str(row[column]).split(", ")] for row in table.rows]
        np.testing.assert_array_equal(shown, [np.atleast_1d(row[key]) for row in words])


def test_five_bar_falls_until_its_distal_links_are_in_line(tables: Any, reference: Any) -> None:
    fall = reference("saha_fivebar")["cases"][0]["free_fall_eq36"]
    rows = numbers(tables, "Five-bar: free fall")[1:]
    theirs = [[s["t"], *s["theta1"]] for s in fall["samples"]]
    np.testing.assert_allclose(rows[:, [0, 1, 3]], theirs, atol=1e-8)
    assert abs(five_bar.singular_time() - fall["singularity"]["t"]) < 1e-8
    (words,) = five_bar.fall().warnings
    assert "lose their hold at t = 1.36672 s" in words


def test_scraper(tables: Any, reference: Any) -> None:
    (case,) = reference("saha_carpet_scraper")["cases"]
    ours = numbers(tables, "Scraper: driving torque")
    theirs = [
        [p["crank_deg"], p["tau_D"], *p["lambda1"], *p["lambda2"], *p["lambda3"]]
        for p in case["points"]
    ]
    np.testing.assert_allclose(ours, theirs, atol=1e-8)
    cycle, told = scraper.turn(), case["summary"]
    assert abs(cycle.torque.mean()) < 1e-10
    assert abs(np.sqrt(np.mean(cycle.torque**2)) - told["rms_tau"]) < 1e-8
    assert np.abs(cycle.power).max() < 1e-10
    assert cycle.apart < 1e-9
    split = [[p["tau_inertia"], p["tau_gravity"]] for p in case["points"]]
    parts = np.column_stack([cycle.inertial, cycle.torque - cycle.inertial])[::30]
    np.testing.assert_allclose(parts, split, atol=1e-8)


def test_the_power_of_reactions_is_that_of_both_sides(reference: Any) -> None:
    """A wrench of one cut left out would show: the rest gives power."""
    robot = scraper.robot()
    q = robot.home()
    qd, qdd = supple.complete_motion(robot, q, [4.7], [1.0])
    assert abs(scraper.reaction_power(robot, q, qd, qdd)) < 1e-10
    w = supple.cut_wrenches(robot, q, qd, qdd)[0]
    assert abs(w @ supple.twist(robot, q, qd, "crank.tip")) > 1.0


def test_order_and_links_of_the_scraper_are_the_papers(tables: Any) -> None:
    order = tables["Scraper: order of solution"].rows
    assert [row[1:5] for row in order] == [
        ("III", 4, 4, "4 x 4"),
        ("I", 2, 6, "2 x 2"),
        ("II", 1, 3, "1 x 1"),
    ]
    links = {row[1]: row[3::2] for row in tables["Scraper: links (Table 5)"].rows}
    assert links["#I-2"] == pytest.approx((5.0, 0.02212))
    assert links["#II-1"] == pytest.approx((1.5, 7.258e-4))
    assert links["#III-2^0"] == pytest.approx((10.5, 2.449))


def test_cuts_of_the_four_bar(tables: Any) -> None:
    rows = tables["Four-bar: both cuts of Fig. 17"].rows
    assert [row[:2] + row[3:6] for row in rows] == [
        ("17a", "I", 2, 2, "determinate"),
        ("17a", "II", 1, 3, "indeterminate"),
        ("17b", "I", 2, 3, "indeterminate"),
        ("17b", "II", 1, 2, "indeterminate"),
    ]
    assert [rows[0][6], rows[2][6]] == ["I (2 x 2), then II (1 x 1)", "I and II (3 x 3)"]
    assert rows[0][7] == pytest.approx(rows[2][7], abs=1e-12)


def test_table_1_is_evaluated_as_in_the_reference(reference: Any) -> None:
    given = reference("saha_operation_counts")["table1"]
    names = {"Saha (1999)": "RIDIM (Saha, 1999)"}
    for a in counts.printed_algorithms("inverse"):
        for n, theirs in given[names.get(a.name, a.name)]["values"].items():
            assert (a.mult(int(n)), a.add(int(n))) == (theirs["M"], theirs["A"])


def test_table_2_and_its_crossings_are_those_of_the_reference(reference: Any) -> None:
    given = reference("saha_operation_counts")["table2"]
    *others, dense = counts.forward_table().rows[:6]
    assert dense[3:5] == (633, 475)
    for row in others:
        theirs = given[row[0]]
        assert row[3:5] == tuple(theirs["values"]["6"].values())
        plus = theirs["n_plus"]
        each, both = plus["computed_M_and_A_each_less"], plus["computed_sum_less"]
        assert row[5:8] == (theirs["n_star"]["computed_M_less_than_WO"], each, both)
        assert row[8] == f"{theirs['n_star']['printed']}, {plus['printed']}"


@pytest.mark.parametrize("name", counts.OURS)
def test_counted_polynomials_hold_for_longer_chains(name: str) -> None:
    """The fit saw up to 12 links."""
    a, found = counts.counted(name), counts._operations(counts.OURS[name], 15)
    assert (a.mult(15), a.add(15)) == (found["multiplications"], found["additions"])


def test_what_compiled_code_counts_is_what_the_table_says() -> None:
    from supple.reproduce.saha.chain import general_chain

    for what, name in (("inverse", "Supple, inverse dynamics"), ("forward", "Supple, O(n)")):
        code = supple.compile(general_chain(5), f"{what}_dynamics", unroll=True).operations()
        a = counts.counted(name)
        assert (code["multiplications"], code["additions"]) == (a.mult(5), a.add(5))


def test_solving_by_subsystems_is_counted() -> None:
    rows = {row[0]: row for row in counts.solving_table().rows}
    assert rows["all subsystems"][1:3] == ("4 + 2 + 1", 64 / 3 + 8 / 3 + 1)
    assert rows["uncoupled Newton-Euler equations"][1:3] == (21, 21**3 / 3)
    names = {4: "subsystem III", 2: "subsystem I", 7: "the whole tree at once (43)-(46)"}
    for k, name in names.items():  # Gaussian elimination: k^3/3 + k^2 - k/3
        assert rows[name][3] == (k**3 + 3 * k**2 - k) // 3


def test_a_fit_is_exact_or_refused() -> None:
    cubic = CountPolynomial.of(["1/6", "23/2", "115/3", "-47"])
    assert fitted({n: int(cubic(n)) for n in range(3, 10)}) == cubic
    assert str(cubic) == "n^3/6 + 23n^2/2 + 115n/3 - 47"
    counts_ = {n: 7 * n - 3 for n in range(2, 8)}
    assert fitted(counts_).coefficients == (Fraction(7), Fraction(-3))
    with pytest.raises(ValueError, match="no polynomial"):
        fitted(counts_ | {7: 0})
    with pytest.raises(ValueError, match="successive"):
        fitted({2: 1, 4: 3, 5: 9})
    assert (
        fewer_from([(CountPolynomial.of(["10", "0"]), CountPolynomial.of(["1", "0", "0"]))]) == 11
    )


def test_matrices_make_the_twists(tables: Any) -> None:
    def matrix(start: str) -> Any:
        (table,) = (t for title, t in tables.items() if title.startswith(start))
        return np.array([row[1:] for row in table.rows], dtype=float)

    N = matrix("Five-bar: N_l ") @ matrix("Five-bar: N_c ") @ matrix("Five-bar: N_d ")
    np.testing.assert_allclose(N, matrix("Five-bar: N = "), atol=1e-10)
    robot, (_, q, qd, _) = five_bar.robot(), five_bar.trajectory()
    twists = np.array(supple.twists(robot, q[80], qd[80]))[[0, 2, 1, 3]][:, [2, 3, 4]]
    np.testing.assert_allclose(N @ qd[80, [0, 2]], twists.ravel(), atol=1e-10)


def test_the_report_holds_what_it_lists() -> None:
    report = report_of("saha")
    drawn = [int(f.name[7:9]) for f in report.figures]
    assert drawn == [4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 17, 18, 19, 20]
    check_report(report)


def test_the_command_writes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("supple.reproduce.reproduce", report_of)  # computed above
    words = ["reproduce", "saha", "--json", "--out", str(tmp_path / "out")]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    facts = json.loads(done.stdout)
    first, second, *_, solving = facts["tables"]
    assert first["rows"][-1]["multiplications"] == "86n - 96"
    assert [row["n*"] for row in second["rows"][:5]] == [10, 10, 12, 13, 15]
    assert solving["rows"][3]["k^3/3"] == 25.0
    assert len(facts["saved"]) == 16
    assert (tmp_path / "out" / "saha-figures" / "figure-20-scraper-torque.png").exists()


def test_relations_of_sections_3_and_4(tables: Any) -> None:
    """All hold as corrected; the printed sign of (48) does not."""
    three = tables["Section 3: three DeNOC matrices against the classical routes"].rows
    four = tables["Section 4: relations of the closed chain, on the scraper"].rows
    projectors = tables["Section 3.2: projectors of the five-bar, (25)-(29)"].rows
    assert max(abs(x) for row in projectors for x in row[1:]) < 1e-12
    assert max(abs(row[1]) for row in three) < 1e-10
    assert four[1][1] == pytest.approx(2.0)
    assert max(four[k][1] for k in (0, 2, 3)) < 1e-10
