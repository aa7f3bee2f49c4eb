"""Small robots with closed forms: masses that slide, a pendulum, a beam on a slide."""

from __future__ import annotations

from typing import Any

import supple


def slider(mass: float = 1.0, gravity: float = 0.0, **joint: Any) -> supple.Robot:
    """A mass that slides along x."""
    words = {"name": "x", "type": "prismatic", "axis": [1, 0, 0], "child": "a"} | joint
    links = {"a": {"rigid": {"mass": mass}}}
    return supple.build({"links": links, "gravity": [gravity, 0, 0], "joints": [words]})


def carried(stiffness: float, damping: float = 0.0, mass: float = 1.0) -> supple.Robot:
    """A carriage, and a mass on a spring that it carries: m (y'' + x'') + c y' + k y = 0."""
    rigid = {"rigid": {"mass": mass}}
    way = {"type": "prismatic", "axis": [1, 0, 0]}
    joints = [
        way | {"name": "x", "child": "a"},
        way | {"name": "y", "parent": "a", "child": "b"} | _spring(stiffness, damping),
    ]
    return supple.build({"links": {"a": rigid, "b": rigid}, "gravity": [0, 0, 0], "joints": joints})


def _spring(stiffness: float, damping: float) -> dict[str, float]:
    return {"stiffness": stiffness} | ({"damping": damping} if damping else {})


def pendulum(length: float = 1.0, gravity: float = 9.81) -> supple.Robot:
    """A point mass on a rod; at angle 0 it hangs."""
    link = {"rigid": {"mass": 1.0, "com": [0, -length, 0], "inertia": 0.0}}
    joint = {"name": "angle", "type": "revolute", "axis": [0, 0, 1], "child": "rod"}
    return supple.build({"links": {"rod": link}, "gravity": [0, -gravity, 0], "joints": [joint]})


def pinned_beam() -> supple.Robot:
    """A beam whose shapes turn its root."""
    beam = {"length": 1.0, "mass": 0.5, "EI": 20.0}
    modes = {"bending_y": 2, "family": "pinned_pinned"}
    joint = {"name": "hub", "type": "revolute", "axis": [0, 0, 1], "child": "arm"}
    words = {"links": {"arm": {"beam": beam | {"modes": modes}}}, "joints": [joint]}
    return supple.build(words | {"gravity": [0, 0, 0]})


def sagging_arm() -> supple.Robot:
    """A beam on a hub that its weight bends by a tenth of its length."""
    modes = {"bending_y": 2, "family": "clamped_free"}
    beam = {"length": 1.0, "mass": 2.0, "EI": 25.0, "modes": modes}
    joint = {"name": "hub", "type": "revolute", "axis": [0, 0, 1], "child": "arm"}
    words = {"links": {"arm": {"beam": beam}}, "gravity": [0, -9.81, 0], "joints": [joint]}
    return supple.build(words)


def beam_on_a_slide(modes: int = 1) -> supple.Robot:
    """A beam along x that is moved along y."""
    shapes = {"bending_y": modes, "family": "clamped_free"}
    beam = {"length": 1.0, "mass": 0.5, "EI": 20.0, "modes": shapes}
    joint = {"name": "y", "type": "prismatic", "axis": [0, 1, 0], "child": "arm"}
    words = {"links": {"arm": {"beam": beam}}, "gravity": [0, 0, 0], "joints": [joint]}
    return supple.build(words)
