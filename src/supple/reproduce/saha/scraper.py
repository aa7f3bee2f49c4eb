"""[Saha], section 4: the carpet scraper (Table 5, Fig. 20) and the cuts of a four-bar (Fig. 17)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...analyse import assemble
from ...bodies import Station
from ...checked import denoc, joint_wrenches, pose, twist
from ...checked_loops import complete_motion, cut_wrenches
from ...engine import compile
from ...loops.closed_checks import driven_robot
from ...loops.subsystems import order_of_solution, subsystem_forces, subsystems
from ...loops.wrenches import cut_wrenches as wrenches_of
from ...model import build, load
from ...robot import Robot
from ...simulation.closed_motion import MotorsMotion
from ...types import Floats
from ..report import Figure, ReportTable
from .serial import motion

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SAMPLES = 360  # of a turn
CRANK = "crank_joint"
AxesGrid = npt.NDArray[np.object_]


@cache
def robot() -> Robot:
    return load("carpet-scraper")


@dataclass(frozen=True)
class CrankTurn:
    """A turn of the crank at 45 rpm: crank angles [deg], the motion, driving torque by subsystems
    (and without gravity), forces of the cuts (samples, loops, 2), powers [W] of all reactions."""

    degrees: Floats
    q: Floats
    torque: Floats
    inertial: Floats
    cuts: Floats
    power: Floats
    apart: float  # from the torque by multipliers of the whole tree


@cache
def turn() -> CrankTurn:
    along = motion(robot())
    way = MotorsMotion(robot(), along)
    whole = compile(robot(), "inverse_dynamics")
    light = compile(robot().replace(gravity=[0, 0, 0]), "inverse_dynamics")
    at = robot().velocity_names.index(CRANK)
    t = np.arange(SAMPLES) / SAMPLES * along.duration
    rows = []
    for x in t:
        state = way(float(x))
        ready = driven_robot(robot(), *state)
        found = subsystem_forces(ready, *state)
        forces = wrenches_of(ready, state[0], found.multipliers)[:, 3:5]
        rows.append((state[0], found.tau[at], light(*state)[at], forces, whole(*state)[at]))
    q, torque, inertial, cuts, other = (
        np.array(part, dtype=float) for part in zip(*rows, strict=True)
    )
    power = np.array([reaction_power(robot(), *way(float(x))) for x in t[:: SAMPLES // 12]])
    apart = float(np.abs(torque - other).max())
    return CrankTurn(np.arange(SAMPLES) * 360.0 / SAMPLES, q, torque, inertial, cuts, power, apart)


def reaction_power(robot: Robot, q: Floats, qd: Floats, qdd: Floats) -> float:
    """Power of all wrenches at cut and uncut joints, less that of the drives: none.

    sum over cuts of w . (t_b - t_a) at the cut, sum over joints of w_i . P_i qd_i - tau_i qd_i
    """
    total = 0.0
    for pin, w in zip(pins(robot), cut_wrenches(robot, q, qd, qdd), strict=True):
        first, second = (twist(robot, q, qd, station) for station in pin)
        total += float(w @ (second - first))
    relative = (denoc(robot, q, qd).N_d @ qd).reshape(-1, 6)
    joints = float(np.sum(joint_wrenches(robot, q, qd, qdd) * relative))
    drives = float(subsystem_forces(driven_robot(robot, q, qd, qdd), q, qd, qdd).tau @ qd)
    return total + joints - drives


def pins(robot: Robot) -> list[tuple[str, str]]:
    """The two stations that each cut joins, by name."""
    return [(_named(robot, *loop.first), _named(robot, *loop.second)) for loop in robot.loops]


def _named(robot: Robot, i: int, side: Station) -> str:
    """The station of link i that is where a side of a cut is."""
    link, place = robot.links[i], side.r0 + side.rho
    found = (n for n, x in link.body.stations.items() if np.array_equal(x.r0 + x.rho, place))
    return f"{link.name}.{next(found)}"


def tables() -> tuple[ReportTable, ...]:
    return link_table(), order_table(), torque_table(), claim_table(), cut_table()


def link_table() -> ReportTable:
    """Table 5, as the model file holds it."""
    rows = []
    for part in subsystems(papers_machine()):
        for i, label in zip(part.links, part.labels, strict=True):
            link = papers_machine().links[i]
            body = link.body
            inertia = float(body.W0[0, 0] + body.W0[1, 1])
            centre = float(body.c0[0] / body.mass)
            rows.append((part.name, label, link.name, float(body.mass), centre, inertia))
    columns = ("subsystem", "link", "name", "mass", "mass centre", "inertia")
    notes = (
        "SI units; inertia about the link's origin, as printed. Mass centres are not printed: "
        "uniform bars, the coupler about its middle, the blade (#III-2^0) 0.834 m long.",
    )
    return ReportTable("Scraper: links (Table 5)", columns, tuple(rows), notes)


@cache
def papers_machine() -> Robot:
    """The scraper with its links listed as in the paper: rocker and coupler are subsystem I."""
    links = (robot().spec or {})["links"]
    assert isinstance(links, Mapping)
    order = dict.fromkeys(("rocker", "coupler", "crank", *links))
    return robot().replace(links={name: links[name] for name in order})


def order_table() -> ReportTable:
    """Which subsystem is solved when."""
    machine = papers_machine()
    parts = {part.name: part for part in subsystems(machine)}
    rows = []
    for k, step in enumerate(order_of_solution(machine)):
        (name,) = step.subsystems
        part = parts[name]
        unknowns = len(part.rows) + len(part.motors)
        found = [machine.loops[r // 5].name for r in step.rows[::2]]
        found += [machine.velocity_names[m] for m in step.motors]
        size = f"{step.size} x {step.size}"
        rows.append((k + 1, name, len(part.freedom), unknowns, size, ", ".join(found)))
    columns = ("step", "subsystem", "DOF", "unknowns in it", "solved", "found")
    notes = (
        "Unknowns in a subsystem: two forces at each cut on it, and its motors; those that an "
        "earlier step found are known. In all 7 for the 7 degrees of freedom of the tree.",
    )
    return ReportTable("Scraper: order of solution", columns, tuple(rows), notes)


def torque_table() -> ReportTable:
    """Fig. 20 and the forces of the cuts, every 30 deg."""
    cycle = turn()
    rows = tuple(
        (float(cycle.degrees[k]), float(cycle.torque[k]), *(float(f) for f in cycle.cuts[k].flat))
        for k in range(0, SAMPLES, SAMPLES // 12)
    )
    names = [f"lambda{k}{axis}" for k in (1, 2, 3) for axis in "xy"]
    notes = (
        "lambda: forces of the coupler (#I-2) on crank, upper (#III-1^1) and lower (#III-3^0).",
    )
    title = "Scraper: driving torque, N m, and forces at the cuts, N, at 45 rpm (Fig. 20)"
    return ReportTable(title, ("crank, deg", "tau_D", *names), rows, notes)


def claim_table() -> ReportTable:
    """Over the whole turn."""
    cycle = turn()
    low, high = int(np.argmin(cycle.torque)), int(np.argmax(cycle.torque))
    tip = np.array([pose(robot(), q, "blade.tip").p[:2] for q in cycle.q[::4]])
    flat = tip[np.abs((cycle.degrees[::4] + 180.0) % 360.0 - 180.0) <= 80.0]
    rows: tuple[tuple[str, float], ...] = (
        ("mean torque over a turn, N m (no dissipation: 0)", float(cycle.torque.mean())),
        ("rms torque, N m", float(np.sqrt(np.mean(cycle.torque**2)))),
        (f"least torque, N m, at {cycle.degrees[low]:g} deg", float(cycle.torque[low])),
        (f"largest torque, N m, at {cycle.degrees[high]:g} deg", float(cycle.torque[high])),
        ("power of all reactions, W, largest (0)", float(np.abs(cycle.power).max())),
        ("subsystems less the whole tree, N m, largest", cycle.apart),
        ("stroke of the blade's tip, m", float(np.ptp(tip[:, 0]))),
        ("height of the tip for +-80 deg of the crank: change, m", float(np.ptp(flat[:, 1]))),
    )
    notes = (
        "The text gives no numbers of Fig. 20. Not printed: scraping load (none here), phase of "
        "the crank, side of the pantograph (arm to the left).",
    )
    return ReportTable("Scraper: over a turn", ("quantity", "ours"), rows, notes)


FOUR_BAR = {"crank": (0.3, 1.0), "coupler": (0.9, 1.5), "rocker": (0.7, 1.2)}
GROUND = 0.8  # m; the paper gives no numbers of this four-bar
CUTS = {"a": ("rocker", "crank"), "b": ("crank", "rocker")}  # the coupler hangs on, is cut from


@cache
def four_bar(cut: str) -> Robot:
    """Fig. 17: the coupler hangs on the rocker (a), or on the crank (b); cut at its other end."""
    near, far = CUTS[cut]
    bars = {name: {"beam": {"length": a, "mass": m}} for name, (a, m) in FOUR_BAR.items()}
    pivots = {"crank": [0, 0, 0], "rocker": [GROUND, 0, 0]}
    joints: list[dict[str, object]] = []
    for name in (near, "coupler", far):
        hangs = {"parent": near} if name == "coupler" else {"origin": {"xyz": pivots[name]}}
        joints.append({"name": f"{name}_joint", "type": "revolute", "child": name, **hangs})
    return build(
        {
            "name": f"four-bar cut as in Fig. 17{cut}",
            "gravity": [0, -9.81, 0],
            "links": {name: bars[name] for name in (near, "coupler", far)},
            "joints": joints,
            "loops": [
                {"name": "pin", "type": "revolute", "between": ["coupler.tip", f"{far}.tip"]}
            ],
            "actuated": ["crank_joint"],
            "guess": _guess(cut),
        }
    )


def _guess(cut: str) -> dict[str, float]:
    """Near the same place for both cuts: the crank at 1 rad, the rocker leaning back."""
    coupler = 0.34 if cut == "b" else 0.34 + np.pi
    rocker = 1.95
    carried = 1.0 if cut == "b" else rocker
    return {"crank_joint": 1.0, "rocker_joint": rocker, "coupler_joint": float(coupler - carried)}


def four_bar_torque(cut: str, angle: float = 1.0, rate: float = 2.0) -> float:
    """Driving torque at a crank angle and rate, by subsystems."""
    machine = four_bar(cut)
    q = assemble(machine, {"crank_joint": angle})[0]
    qd, qdd = complete_motion(machine, q, [rate], [0.0])
    tau = subsystem_forces(driven_robot(machine, q, qd, qdd), q, qd, qdd).tau
    return float(tau[machine.velocity_names.index("crank_joint")])


def cut_table() -> ReportTable:
    """Determinate or not, and what is solved."""
    rows = []
    for cut in CUTS:
        machine = four_bar(cut)
        steps = order_of_solution(machine)
        order = ", then ".join(f"{' and '.join(s.subsystems)} ({s.size} x {s.size})" for s in steps)
        torque = four_bar_torque(cut)
        for part in subsystems(machine):
            links = ", ".join(machine.links[i].name for i in part.links)
            unknowns = len(part.rows) + len(part.motors)
            kind = "determinate" if part.determinate else "indeterminate"
            rows.append(
                (f"17{cut}", part.name, links, len(part.freedom), unknowns, kind, order, torque)
            )
    columns = ("cut", "subsystem", "links", "DOF", "unknowns", "kind", "solved", "tau_D, N m")
    notes = (
        f"Links {', '.join(f'{n} {a} m, {m} kg' for n, (a, m) in FOUR_BAR.items())}; pivots "
        f"{GROUND} m apart; the crank at 1 rad and 2 rad/s: the torque is the same for both cuts.",
    )
    return ReportTable("Four-bar: both cuts of Fig. 17", columns, tuple(rows), notes)


def figures() -> tuple[Figure, ...]:
    return (
        Figure(
            "figure-17-four-bar", _draw_cuts, (1, 2), (9.0, 3.8),
            "The four-bar opened in two ways. Bars of one subsystem have one colour; the ring is "
            "the cut.",
        ),
        Figure(
            "figure-18-scraper", _draw_machine, (1, 1), (7.0, 5.5),
            "The machine: the crank at 0 deg, grey at 90 deg; paths of the blade's tip and of the "
            "coupler.",
        ),
        Figure(
            "figure-19-spanning-tree", _draw_tree, (1, 1), (7.0, 4.5),
            "The spanning tree: a colour a subsystem, named as in the paper; rings are the cuts.",
        ),
        Figure(
            "figure-20-scraper-torque", _draw_torque, (1, 1), (7.0, 3.8),
            "Driving torque over a turn at 45 rpm, and its parts.",
        ),
    )  # fmt: skip


BARS = (  # drawn through these points
    ("crank.origin", "crank.tip"),
    ("rocker.origin", "rocker.tip"),
    ("coupler.a", "coupler.b"),
    ("arm.origin", "arm.tip"),
    ("blade.origin", "blade.tip"),
    ("lower.origin", "lower.tip"),
    ("upper.origin", "upper.tip"),
)


def _draw_machine(panel: Axes) -> None:
    cycle = turn()
    for k, color in ((SAMPLES // 4, "0.8"), (0, "black")):
        for bar in BARS:
            ends = np.array([pose(robot(), cycle.q[k], station).p for station in bar])
            panel.plot(ends[:, 0], ends[:, 1], "-o", color=color, markersize=3)
    for station, color, label in (("blade.tip", "C3", "tip"), ("coupler.b", "C0", "coupler")):
        path = np.array([pose(robot(), q, station).p for q in cycle.q[::4]])
        path = np.vstack([path, path[:1]])
        panel.plot(path[:, 0], path[:, 1], color=color, label=f"path of the {label}")
    panel.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
    panel.margins(0.08)
    panel.legend(loc="upper right")


def _draw_cuts(axes: AxesGrid) -> None:
    """Fig. 17: both trees of the four-bar, each subsystem in its colour."""
    for panel, cut in zip(axes, CUTS, strict=True):
        machine = four_bar(cut)
        q = assemble(machine, {"crank_joint": 1.0})[0]
        for k, part in enumerate(subsystems(machine)):
            for i in part.links:
                name = machine.links[i].name
                ends = np.array([pose(machine, q, f"{name}.{end}").p for end in ("root", "tip")])
                label = part.name if i == part.links[0] else None
                panel.plot(ends[:, 0], ends[:, 1], "-o", color=f"C{k}", markersize=3, label=label)
        at = pose(machine, q, "coupler.tip").p
        panel.plot(at[0], at[1], "o", markersize=9, fillstyle="none", color="0.5")
        panel.set(xlabel="x [m]", ylabel="y [m]", aspect="equal", title=f"({cut})")
        panel.margins(0.1)
        panel.legend(title="subsystem", loc="upper left")


def _draw_tree(panel: Axes) -> None:
    """Fig. 19: the links by subsystem, at the crank's 90 deg."""
    machine, q = robot(), turn().q[SAMPLES // 4]
    ends = {bar[0].partition(".")[0]: bar for bar in BARS}
    for k, part in enumerate(subsystems(papers_machine())):
        for i, label in zip(part.links, part.labels, strict=True):
            bar = ends[papers_machine().links[i].name]
            line = np.array([pose(machine, q, station).p for station in bar])
            panel.plot(line[:, 0], line[:, 1], "-o", color=f"C{k}", markersize=3)
            x, y = line[:, 0].mean(), line[:, 1].mean()
            panel.annotate(
                label.replace("#", ""), (x, y), xytext=(4, 4), textcoords="offset points",
                color=f"C{k}",
            )  # fmt: skip
    for station, _ in pins(machine):
        at = pose(machine, q, station).p
        panel.plot(at[0], at[1], "o", markersize=9, fillstyle="none", color="0.5")
    panel.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
    panel.margins(0.1)


def _draw_torque(panel: Axes) -> None:
    cycle = turn()
    t = np.append(cycle.degrees, 360.0) / 270.0  # 45 rpm: 270 deg a second
    for values, style, label in (
        (cycle.torque, "C0-", "driving torque"),
        (cycle.inertial, "C1--", "inertia alone"),
        (cycle.torque - cycle.inertial, "C2:", "gravity alone"),
    ):
        panel.plot(t, np.append(values, values[0]), style, label=label)
    panel.axhline(0.0, color="0.5", linewidth=0.8)
    panel.set(xlabel="t [s]", ylabel="driving torque [N m]", xlim=(0.0, t[-1]))
    panel.legend()
