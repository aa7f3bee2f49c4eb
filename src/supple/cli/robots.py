"""supple robots, show: what comes with the package; a robot's links, modes and frequencies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .arguments import ROBOT
from .command import command
from .console import JSON, output, print_json, print_table
from .vibration import frequency_notes

if TYPE_CHECKING:
    from ..robot import Link, Robot
    from ..types import Json
MOST = 24  # frequencies that are shown
CUT = ("name", "joint_type", "first", "second")  # of a loop


@command(
    "robots",
    "supple robots",
    "supple robots --json",
)
def robots(json: bool = JSON) -> None:
    """List the robots that come with Supple."""
    from ..loops import degrees_of_freedom
    from ..model import load, shipped

    rows = []
    for name in shipped():
        robot = load(name)
        size = (len(robot.links), degrees_of_freedom(robot), robot.modes, robot.mass)
        rows.append((name, *size, robot.description))
    keys = ("name", "links", "degrees_of_freedom", "modes", "mass", "description")
    if json:
        print_json([dict(zip(keys, row, strict=True)) for row in rows])
    else:
        print_table("shipped robots", ("name", "links", "dof", "modes", "mass", "what it is"), rows)


@command(
    "show",
    "supple show canadarm",
    "supple show arm.yaml --json",
)
def show(robot: str = ROBOT, json: bool = JSON) -> None:
    """Show a robot: its tree of links, joints and modes, frequencies, mass, coordinates."""
    from ..model import load

    arm = load(robot)
    if json:
        print_json(robot_facts(arm))
    else:
        _print(arm, robot_facts(arm))


def robot_facts(arm: Robot) -> dict[str, Json]:
    """What is to be shown of a robot."""
    from ..analyse import frequencies
    from ..loops import degrees_of_freedom

    closed = {"closed": _closed(arm)} if arm.loops else {}
    still = not (closed and closed["closed"]["singular"])  # there forces are not determined
    known = {"locked": frequencies(arm, locked=True), "free": frequencies(arm)} if still else {}
    return {
        "name": arm.name,
        "source": arm.source,
        "notes": list(arm.notes),
        "elastic_kinematics": arm.elastic_kinematics,
        "gravity": arm.gravity.tolist(),
        "mass": arm.mass,
        "degrees_of_freedom": degrees_of_freedom(arm),
        "coordinates": list(arm.coordinate_names),
        "velocities": list(arm.velocity_names),
        "links": [_link(arm, link) for link in arm.links],
        **closed,
        **{f"frequencies_joints_{k}_rad_s": found.omega.tolist() for k, found in known.items()},
    }


def _closed(robot: Robot) -> dict[str, Json]:
    """Loops, motors, where they close, and how freely the chain moves."""
    from ..loops import mobility

    found = mobility(robot, robot.home())
    return {
        "loops": [dict(zip(CUT, robot.cut(loop), strict=True)) for loop in robot.loops],
        "actuated": list(robot.actuated),
        "home": dict(zip(robot.coordinate_names, robot.home().tolist(), strict=True)),
        "closure_equations": found.rows,
        "redundant_equations": found.redundant,
        "degrees_of_freedom_if_stiff": found.rigid,
        "motors_to_spare": found.spare_motors,
        "degrees_of_freedom_without_motor": found.undriven,
        "singular": found.singular,
    }


def _link(robot: Robot, link: Link) -> dict[str, object]:
    import numpy as np
    from scipy.linalg import eigh

    body = link.body
    own = np.sqrt(np.maximum(eigh(body.K, body.Mdd, eigvals_only=True), 0.0)) if body.m else []
    return {
        "name": link.name,
        "parent": robot.links[link.parent].name if link.parent >= 0 else "world",
        "joint": link.joint_name,
        "joint_type": link.joint.kind,
        "mass": body.mass,
        "modes": list(body.shape_names),
        "clamped_frequencies_rad_s": [float(w) for w in own],
        "stations": list(body.stations),
        "drive": _drive(link),
        "gear": _gear(robot, link),
    }


def _drive(link: Link) -> dict[str, float]:
    """What the joint has of springs, friction, stops and limits."""
    from dataclasses import asdict

    drive = asdict(link.drive)
    drive = {k: v for k, v in drive.items() if v and k not in ("rest", "smoothing", "sticks")}
    stops = {"lower": link.drive.lower, "upper": link.drive.upper}
    return drive | (stops if link.drive.stop_stiffness else {})


def _gear(robot: Robot, link: Link) -> dict[str, object]:
    """The elastic gear of a rotor, and the joint that it drives."""
    for gear in robot.gears:
        if robot.links[gear.motor] is link:
            numbers = {n: getattr(gear, n) for n in ("ratio", "stiffness", "damping", "backlash")}
            return {"drives": robot.links[gear.link].joint_name, **numbers}
    return {}


def _listed(words: dict[str, object]) -> str:
    shown = {
        k.replace("_", " "): f"{v:.6g}" if isinstance(v, float) else v for k, v in words.items()
    }
    return ", ".join(f"{name} {value}" for name, value in shown.items() if value != "0")


def _print(robot: Robot, facts: dict[str, Json]) -> None:
    from rich.text import Text
    from rich.tree import Tree

    console = output()
    console.print(Text.assemble((robot.name, "bold"), f"  {facts['source']}"))
    bends = f"{facts['degrees_of_freedom']} degrees of freedom ({robot.modes} of them shapes)"
    console.print(f"{bends}, total mass {robot.mass:.6g}, kinematics {robot.elastic_kinematics}")
    for note in facts["notes"]:
        console.print(Text(f"  - {note}", style="dim"))
    root = Tree("world")
    branches: dict[int, Tree] = {-1: root}
    for i, (link, words) in enumerate(zip(robot.links, facts["links"], strict=True)):
        text = Text.assemble(
            (link.name, "bold"),
            f"  {link.joint.kind} {link.joint_name}, mass {link.body.mass:.6g}",
        )
        branch = branches[link.parent].add(text)
        if link.body.m:
            own = ", ".join(f"{w:.5g}" for w in words["clamped_frequencies_rad_s"])
            branch.add(Text(f"shapes: {', '.join(link.body.shape_names)}", style="cyan"))
            branch.add(Text(f"alone, clamped: {own} rad/s", style="cyan"))
        for what in ("gear", "drive"):
            if words[what]:
                branch.add(Text(f"{what}: {_listed(words[what])}", style="cyan"))
        branches[i] = branch
    console.print(root)
    if robot.loops:
        _print_loops(robot, facts["closed"])
    rows = _frequency_rows(facts)
    if rows:
        kind = "motors" if robot.loops or robot.gears else "joints"
        columns = ("mode", f"{kind} locked", "joints free", "unit")
        print_table("natural frequencies", columns, rows, _notes(robot, facts))


def _print_loops(robot: Robot, closed: dict[str, Json]) -> None:
    rows = [tuple(loop.values()) for loop in closed["loops"]]
    notes = [
        f"{closed['closure_equations']} closure equations, {closed['redundant_equations']} of them "
        f"redundant",
        f"motors at {', '.join(robot.actuated) or 'no joint'}; {closed['motors_to_spare']} to "
        f"spare, {closed['degrees_of_freedom_without_motor']} degrees of freedom without one",
    ]
    if closed["singular"]:
        notes.append("singular where it stands: it has more freedom there for an instant")
    print_table("loops", ("loop", "joint", "first", "second"), rows, notes)
    home = [(name, f"{value:.6g}") for name, value in closed["home"].items()]
    print_table("where the loops close", ("coordinate", "value"), home)


def _notes(robot: Robot, facts: dict[str, Json]) -> list[str]:
    locked = facts["frequencies_joints_locked_rad_s"]
    free = facts["frequencies_joints_free_rad_s"]
    notes = frequency_notes(robot, [*locked, *free], bool(locked))
    if robot.nv > MOST:
        notes.append(
            f"modes {MOST + 1} to {robot.nv} are left out here; supple frequencies ROBOT lists "
            f"all (with --locked those of locked joints), and so does --json"
        )
    return notes


def _frequency_rows(facts: dict[str, Json]) -> list[tuple[int, str, str, str]]:
    locked = facts.get("frequencies_joints_locked_rad_s", [])
    free = facts.get("frequencies_joints_free_rad_s", [])
    if not locked and not any(free):
        return []
    rows = []
    for i in range(min(max(len(locked), len(free)), MOST)):
        a = f"{locked[i]:.6g}" if i < len(locked) else ""
        b = f"{free[i]:.6g}" if i < len(free) else ""
        rows.append((i + 1, a, b, "rad/s"))
    return rows
