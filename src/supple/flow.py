"""The whole flow on one page. It runs:

    python -m supple.flow canadarm some_folder

    model file -> Robot -> recursion -> native code -> simulation -> Result -> plot, file

Each line of `flow` calls one room of the package; the comment above it names the room.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from . import recursion
from .engine import compile
from .model import load
from .robot import Robot
from .simulation import Result, simulate
from .types import Floats


@dataclass(frozen=True, eq=False)
class Flow:
    """The result of each stage of the flow."""

    robot: Robot
    tau: Floats  # (nv,) forces that hold the robot still
    qdd: Floats  # (nv,) accelerations under them: zero
    run: Result
    plot: Path
    file: Path


def flow(source: str, folder: str | Path, duration: float = 1.0) -> Flow:
    """From a model file, or a shipped robot's name, to a plot and a saved run."""
    # model/: words -> checked, frozen Robot; its links are bodies/ on joints/, their shapes modes/
    robot = load(source)

    # recursion/: plain NumPy, any scalar; trusts its arguments (checked.py does not)
    q, still = robot.neutral(), np.zeros(robot.nv)
    tau = recursion.inverse_dynamics(robot, q, still, still)

    # engine/: a robot's recursion traced once by tracer/ and run as machine code
    fd = compile(robot, "forward_dynamics")
    qdd = np.asarray(fd(q, still, tau))

    # simulation/: start -> laws and loads -> steps, each checked -> Result
    run = simulate(robot, tau, duration)

    # view/ draws it, files.py writes it whole or not at all
    plot = run.plot(Path(folder) / f"{robot.name}.png")
    file = run.save(Path(folder) / f"{robot.name}.nc")
    return Flow(robot, tau, qdd, run, plot, file)


if __name__ == "__main__":
    import sys

    sys.stdout.write(f"{flow(sys.argv[1], sys.argv[2]).run}\n")
