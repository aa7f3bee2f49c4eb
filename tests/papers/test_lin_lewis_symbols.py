"""[LinLewis] in symbols: the reference files, the textbook, the Appendix, the zeros."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sp

import supple
from supple.analyse.zeros import compare, shape_eigenvalues
from supple.reproduce import lin_lewis

ORDER = [0, 1, 3, 2]
FAMILIES = ("pinned_pinned", "clamped_free")


@pytest.mark.parametrize("angle", ["chord", "slope"])
def test_rfr_numbers(angle: str, reference: Any) -> None:
    """M, D of (26), Coriolis and stiffness forces of the reference file, to 1e-9."""
    eq = supple.equations(supple.load("lin-lewis-rfr"), tip_angle=angle)
    put = np.eye(4)[:, ORDER]
    for s in reference("lin_lewis_rfr")["numeric"][angle]["states"]:
        q, qd = np.array(s["q"])[ORDER], np.array(s["qd"])[ORDER]
        x = eq.at(q, qd)
        assert np.abs(put.T @ x["M"] @ put - s["M"]).max() < 1e-9
        assert np.abs(put.T @ x["D"] @ put - s["D_christoffel"]).max() < 1e-9
        assert np.abs(put.T @ (x["D"] @ qd) - s["coriolis"]).max() < 1e-9
        assert np.abs(put.T @ (x["U"] @ q) - s["stiffness_force"]).max() < 1e-9


def test_rfr_symbols_are_those_of_the_reference_file(reference: Any) -> None:
    """Entry by entry: the difference of the expressions is zero, for any parameters."""
    given = reference("lin_lewis_rfr")["M_symbolic"]
    new = {
        "theta1": "t1", "theta2": "t2", "theta3": "t3", "v2_1": "v", "Izz1": "I1", "Izz3": "I3",
        "cx1": "Lc1", "cx3": "Lc3", "mp3": "mp", "phi2_v1": "c", "a2_v1": "p1",
        "e2_v1v1": "p2", "b2_v1": "py", "rhoA2": "rhoA",
    }  # fmt: skip
    table = {sp.Symbol(a): sp.Symbol(b) for a, b in new.items()}
    eq = supple.equations(supple.load("lin-lewis-rfr"), tip_angle="chord")
    chord = {sp.Symbol("d"): sp.Symbol("c") / sp.Symbol("L2")}
    for key, text in given.items():
        i, j = (ORDER[int(x) - 1] for x in key)
        wanted = sp.sympify(text).subs(chord)
        assert sp.expand(eq.M[i, j].xreplace(table) - wanted) == 0, key


def test_mode_constants_are_those_of_the_reference_file(reference: Any) -> None:
    modes = reference("lin_lewis_modes")["modes"]
    down = supple.load("lin-lewis-f").replace(gravity=(0, -386.09, 0))
    for family, table in (("clamped_free", modes["clamped_free"]),):
        eq = supple.equations(down.with_modes(5, family=family))
        values = {p.name: p.value for p in eq.parameters}
        for k in range(5):
            for name, key in ((f"a1_v{k + 1}", "int_phi"), (f"b1_v{k + 1}", "int_xi_phi")):
                assert abs(values[name] - table[key][k]) < 1e-9
            pair = f"v{k + 1}v{k + 1}"
            stiff = table["int_ddphi_ddphi"][k][k]
            assert abs(values[f"e1_{pair}"] - table["int_phi_phi"][k][k]) < 1e-9
            assert abs(values[f"k1_{pair}"] - stiff) < 1e-9 * stiff
    eq = supple.equations(down.with_modes(5, family="pinned_pinned"))
    exact = {p.name: (p.value, p.exact) for p in eq.parameters}
    table = modes["pinned_pinned"]
    for k in range(5):
        value, text = exact[f"b1_v{k + 1}"]
        assert abs(value - table["int_xi_phi"][k]) < 1e-14
        assert abs(float(sp.sympify(text)) - value) < 1e-15
        assert abs(exact[f"dphi01_v{k + 1}"][0] - table["L_phi1_0"][k]) < 1e-12


def test_two_rigid_links_are_the_textbooks_term_by_term() -> None:
    eq = supple.equations(supple.load("lin-lewis-rr"))
    for place, book in lin_lewis.textbook().items():
        index = [int(x) - 1 for x in place[2:-1].split(",")]
        ours = sp.expand(getattr(eq, place[0])[(*index, 0)[:2]])
        assert set(sp.Add.make_args(ours)) == set(sp.Add.make_args(sp.expand(book))), place


def test_appendix_differs_where_the_reference_says(reference: Any) -> None:
    given = reference("lin_lewis_rfr")["appendix_correct_minus_printed"]
    ours = lin_lewis.appendix_differences(lin_lewis.printed())
    c = 0.5497897482078318
    rng = np.random.default_rng(0)
    names = ["t2", "t3", "v", "I1", "I3", "L1", "L2", "L3", "Lc1", "Lc3", "A2", "ro2"]
    for key, text in given.items():
        values = {n: float(rng.uniform(0.3, 1.2)) for n in names}
        values |= {"mpd": 0.7, "ms3": 1.1, "ms1": 0.9}
        same = {"mp": 0.7, "m3": 1.1, "m1": 0.9, "rhoA": values["A2"] * values["ro2"], "c": c}
        same |= {"p1": 0.20665119305760396}
        wanted = float(sp.sympify(text).subs({**values, **same}))
        place = key[2] + key[4]
        found = float(sp.sympify(ours[place]).subs({**values, "c": c}))
        if place == "34":  # the file reads the + that the transcription lacks
            product, total = c * values["t3"] * values["v"] / values["L2"], values["t3"]
            total += c * values["v"] / values["L2"]
            found += c * values["L3"] * 0.7 * (np.cos(product) - np.cos(total))
        assert abs(found - wanted) < 1e-5, key


def test_eigenvalues_and_blocks() -> None:
    """(k pi / L)^4 EI / rho A; lower modes are blocks, in the symbolic matrices too."""
    robot = supple.load("lin-lewis-f")
    pinned = robot.with_modes(15, family="pinned_pinned")
    exact = 4120.0 / (2.54e-4 * 0.14) * (np.arange(1, 16) * np.pi / 47.0) ** 4
    found = shape_eigenvalues(pinned, pinned.neutral())
    assert np.abs(found / exact - 1.0).max() < 1e-9
    for family in FAMILIES:
        few, many = (supple.equations(robot.with_modes(n, family=family)) for n in (2, 5))
        assert many.M[1:3, 1:3] == few.M[1:3, 1:3]
        assert many.U[1:3, 1:3] == few.U[1:3, 1:3]


def test_zeros() -> None:
    """+-56.42398464, +-163.96069912 pinned; +-j1.09144289, +-j76.95350987 clamped."""
    robot = supple.load("lin-lewis-f")
    pinned, clamped = (supple.zeros(robot.with_modes(2, family=f)) for f in FAMILIES)
    real = np.sort(pinned.zeros.real)
    wanted = [-163.96069912435314, -56.42398464212861, 56.42398464212861, 163.96069912435314]
    assert np.abs(real - wanted).max() < 1e-9 * 164
    assert np.abs(pinned.zeros.imag).max() == 0.0
    assert pinned.stability == "unstable (nonminimum phase)"
    high = np.sort(clamped.zeros.imag)[2:]
    assert np.abs(high - [1.0914428921614556, 76.95350987049045]).max() < 1e-9 * 77
    assert clamped.stability == "marginally stable"
    halved = lin_lewis.halved_zeros()
    assert np.abs(np.abs(halved.real) - 58.90028428190685).max() < 1e-8
    assert np.abs(np.abs(halved.imag) - 76.03994003690255).max() < 1e-8


def test_zero_dynamics_in_symbols_have_the_same_zeros() -> None:
    """det(s^2 M0 + U0) = 0 with M0 = M_FF - phi'(0) M_RF."""
    robot = supple.load("lin-lewis-f").with_modes(2, family="pinned_pinned")
    eq = supple.equations(robot)
    M0, U0 = (np.array(X.subs(eq.values).tolist(), dtype=float) for X in eq.zero_dynamics())
    squares = np.linalg.eigvals(-np.linalg.solve(M0, U0))
    assert np.allclose(np.sort(squares), [56.42398464212861**2, 163.96069912435314**2], rtol=1e-9)


def test_zeros_are_where_the_transfer_function_vanishes() -> None:
    """y/tau = C (s^2 M + K)^-1 B is zero there, for a tip as output too."""
    robot = supple.load("lin-lewis-f")
    for output in ("joint1", "link1.tip.y"):
        found = supple.zeros(robot, [output])
        M = supple.mass_matrix(robot, robot.neutral())
        K = np.zeros((3, 3))
        K[1:, 1:] = robot.links[0].body.K
        C = (
            np.eye(3)[0]
            if output == "joint1"
            else supple.jacobian(robot, robot.neutral(), "link1")[4]
        )
        for s in found.zeros:
            gains = [
                abs(C @ np.linalg.solve(x**2 * M + K, robot.input_matrix[:, 0]))
                for x in (s, 1.1 * s)
            ]
            assert gains[0] < 1e-6 * gains[1]


def test_families_and_counts_are_compared() -> None:
    rows = compare(supple.load("lin-lewis-f"), FAMILIES, (2, 5))
    assert [(r.family, r.count) for r in rows] == [(f, n) for f in FAMILIES for n in (2, 5)]
    assert [len(r.result.zeros) for r in rows] == [4, 10, 4, 10]
    with pytest.raises(supple.InputError, match="no mode family named 'clamped'"):
        compare(supple.load("lin-lewis-f"), ["clamped"], (2,))


def test_only_equation_26_is_skew() -> None:
    robot = supple.load("lin-lewis-rfr")
    q, qd = [0.3, 0.5, 0.05, -0.7], [0.2, -0.3, 0.6, 0.4]
    right, wrong = lin_lewis.skew_defects(robot, np.array(q), np.array(qd))
    assert right < 1e-14
    assert abs(wrong - 0.8475095218012773) < 1e-9


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"outputs": ["joint7"]}, "no output named 'joint7'"),
        ({"outputs": ["link1.tip.q"]}, "no output named"),
        ({"outputs": ["link7.tip.y"]}, "no link named 'link7'"),
        ({"outputs": ["joint1", "link1.tip.y"]}, "2 outputs .* and 1 inputs"),
        ({"inputs": ["motor"]}, "no joint named 'motor'"),
        ({"outputs": ["link1.tip.z"]}, "do not move independently"),
    ],
)
def test_wrong_outputs_are_told(arguments: Any, message: str) -> None:
    with pytest.raises(supple.InputError, match=message):
        supple.zeros(supple.load("lin-lewis-f"), **arguments)
