"""The beams of a robot with their shape functions: what is to be drawn or read along them."""

from __future__ import annotations

from ..bodies import BeamLine
from ..robot import Robot


def beam_lines(robot: Robot) -> dict[str, BeamLine]:
    """The beams of a robot's links, by name, each in the axes of its link's body."""
    return {link.name: link.body.line for link in robot.links if link.body.line is not None}
