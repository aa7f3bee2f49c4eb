"""Does Supple work with the oldest versions that pyproject.toml allows?

python3.11 bench/lower_bounds.py                    each at its lower bound; some minutes
python3.11 bench/lower_bounds.py scipy==1.11 ...    these otherwise: to look for a bound

A new environment has every dependency of the core at its lower bound, as a wheel, on the oldest
Python. There, all commands give their help, and tests of all that depends on other packages pass:
commands, files, plots, equations, finite elements, compiled code.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
TESTS = (
    *("cli/test_commands.py", "cli/test_every_command.py", "model/test_urdf.py"),
    *("simulation/test_result.py", "view", "symbolic/writing", "analyse/test_linearise.py"),
    *("finite_elements/test_sources.py", "modes/test_every_family.py"),
    *("engine/test_functions.py", "tracer/test_operations.py"),
)
TIMED = "tests/simulation/test_result.py::test_a_run_is_saved_as_xarray_saves_its_dataset"
"""HDF5 1.14 writes the time into files: their bytes differ from one second to the next."""
HELP = """
import subprocess, sys
from supple.cli.commands import app
for name in sorted(command.name for command in app.registered_commands):
    words = ["from supple.cli import main; main()", name, "--help"]
    done = subprocess.run([sys.executable, "-c", *words], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"supple {name} --help fails:\\n{done.stderr[-1000:]}")
"""


def lowest(requirement: str) -> str:
    """ "numpy>=1.26,<3" -> "numpy==1.26"."""
    found = re.match(r"([\w.-]+)>=([\d.]+)", requirement)
    if found is None:
        sys.exit(f"{requirement} has no lower bound")
    return f"{found[1]}=={found[2]}"


def main() -> None:
    oldest = PROJECT["requires-python"].removeprefix(">=")
    if f"{sys.version_info.major}.{sys.version_info.minor}" != oldest:
        sys.exit(f"run this with Python {oldest}, the oldest that Supple allows")
    bounds = {text.partition("=")[0]: text for text in map(lowest, PROJECT["dependencies"])}
    bounds |= {text.partition("=")[0]: text for text in sys.argv[1:]}
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder) / ("Scripts" if os.name == "nt" else "bin") / "python"
        path = {"PYTHONPATH": str(ROOT / "src"), "SUPPLE_CACHE": f"{folder}/cache"}
        packages = [*bounds.values(), "pytest", "hypothesis"]
        tests = [str(ROOT / "tests" / name) for name in TESTS]
        for words in (
            ["-m", "pip", "install", "--quiet", "--only-binary=:all:", *packages],
            ["-W", "ignore", "-c", HELP],
            ["-m", "pytest", "-q", "-W", "ignore", *tests, "--deselect", TIMED],
        ):
            done = subprocess.run([python, *words], cwd=ROOT, env=os.environ | path, check=False)
            if done.returncode:
                sys.exit(f"not with {' '.join(sorted(bounds.values()))}")
    print(f"works with {' '.join(sorted(bounds.values()))}")


if __name__ == "__main__":
    main()
