"""Real robots' URDF files, of the package example-robot-data (a wheel that holds files alone)."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

import pytest


def robots_folder() -> Path:
    """Where the package keeps its robots; the test is skipped where it is not installed."""
    try:
        listed = files("example-robot-data") or []
    except PackageNotFoundError:
        pytest.skip("example-robot-data is not installed", allow_module_level=True)
    found = next(str(x.locate()) for x in listed if x.name == "ur10_robot.urdf")
    return Path(found).resolve().parents[2]


FOLDER = robots_folder()
ROBOTS = {
    "ur10": "ur_description/urdf/ur10_robot.urdf",
    "xarm7": "xarm_description/urdf/xarm7.urdf",
    "kinova": "kinova_description/robots/kinova.urdf",
    "allegro": "allegro_hand_description/urdf/allegro_left_hand.urdf",
    "anymal": "anymal_c_simple_description/urdf/anymal.urdf",
    "solo12": "solo_description/robots/solo12.urdf",
    "talos": "talos_data/robots/talos_reduced.urdf",
    "simple-humanoid": "simple_humanoid_description/urdf/simple_humanoid.urdf",
    "tiago": "tiago_description/robots/tiago_no_hand.urdf",
    "baxter": "baxter_description/urdf/baxter.urdf",
}
MIMICS = {
    "panda": "panda_description/urdf/panda.urdf",
    "pr2": "pr2_description/urdf/pr2.urdf",
}


def path(name: str) -> Path:
    return FOLDER / (ROBOTS | MIMICS)[name]
