"""supple robots: what comes with the package."""

from __future__ import annotations

from .console import JSON, print_json, print_table

EXAMPLES = (
    "supple robots",
    "supple robots --json",
)


def command(json: bool = JSON) -> None:
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
