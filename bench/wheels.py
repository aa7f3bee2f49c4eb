"""Can pip install Supple from wheels alone, on machines that are not this one?

python bench/wheels.py                           a table in bench/results/wheels.md
python bench/wheels.py --python 3.13 --out FILE  some versions of Python, elsewhere

pip resolves the core and the extra `test` for each platform and Python, and installs nothing.
It would evaluate the environment markers of this machine: it is told those of the other one.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
RESULT = ROOT / "bench" / "results" / "wheels.md"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
GLIBC = range(28, 4, -1)  # of Red Hat 8 and Debian 10, and older
PLATFORMS = {  # tags of wheels; os.name, sys.platform, platform.system(), platform.machine()
    "Linux x86-64": (
        [f"manylinux_2_{n}_x86_64" for n in GLIBC] + ["manylinux2014_x86_64"],
        ("posix", "linux", "Linux", "x86_64"),
    ),
    "Linux aarch64": (
        [f"manylinux_2_{n}_aarch64" for n in GLIBC] + ["manylinux2014_aarch64"],
        ("posix", "linux", "Linux", "aarch64"),
    ),
    "macOS arm64": (["macosx_14_0_arm64"], ("posix", "darwin", "Darwin", "arm64")),
    "Windows x86-64": (["win_amd64"], ("nt", "win32", "Windows", "AMD64")),
    "Windows arm64": (["win_arm64"], ("nt", "win32", "Windows", "ARM64")),
}
PIP = """
import json, sys
from pip._vendor.packaging import markers
markers.default_environment = lambda: json.loads(sys.argv[1])
from pip._internal.cli.main import main
sys.exit(main(sys.argv[2:]))
"""


def environment(platform: str, python: str) -> dict[str, str]:
    """What markers are compared with on that machine."""
    names = ("os_name", "sys_platform", "platform_system", "platform_machine")
    return {
        **dict(zip(names, PLATFORMS[platform][1], strict=True)),
        **{"python_version": python, "python_full_version": f"{python}.0"},
        **{"implementation_name": "cpython", "implementation_version": f"{python}.0"},
        **{"platform_python_implementation": "CPython", "extra": ""},
        **{"platform_release": "", "platform_version": ""},
    }


def requirements(part: str) -> list[str]:
    """Those of the core, or of the core and the extra `test`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project["dependencies"] + (
        project["optional-dependencies"]["test"] if part == "test" else []
    )


def wanted(part: str, platform: str, python: str) -> list[str]:
    """The requirements that the other machine has, without their markers."""
    here, out = environment(platform, python), []
    for requirement in map(Requirement, requirements(part)):
        if requirement.marker is None or requirement.marker.evaluate(here):
            requirement.marker = None
            out.append(str(requirement))
    return out


def refusal(names: list[str], platform: str, python: str) -> str:
    """The requirement that pip finds no wheel of; nothing if all can be installed."""
    tags = [word for tag in PLATFORMS[platform][0] for word in ("--platform", tag)]
    with tempfile.TemporaryDirectory() as folder:
        words = ["install", "--dry-run", "--ignore-installed", "--only-binary=:all:"]
        words += ["--target", folder, "--python-version", python, *tags, *names]
        marks = json.dumps(environment(platform, python))
        done = subprocess.run(
            [sys.executable, "-c", PIP, marks, *words],
            **{"capture_output": True, "text": True, "check": False},
        )
    if not done.returncode:
        return ""
    said = done.stdout + done.stderr
    found = re.search(r"No matching distribution found for (\S+)", said) or re.search(
        r"no matching distributions available for your environment:\s+(\S+)", said
    )
    if not found:
        sys.exit(f"pip failed for {platform}, Python {python}:\n{said[-2000:]}")
    return found[1]


def verdict(part: str, platform: str, python: str) -> str:
    """ "ok", or each requirement that has no wheel and, if another one asks for it, which."""
    names = wanted(part, platform, python)
    if not refusal(names, platform, python):
        return "ok"
    found = {name: refusal([name], platform, python) for name in names}
    short = {name: re.split(r"[^\w.-]", name)[0] for name in names}
    missing = [
        short[name] + ("" if lack.startswith(short[name]) else f" ({lack})")
        for name, lack in found.items()
        if lack
    ]
    return "no wheel: " + ", ".join(missing) if missing else "not together"


def left_out() -> list[str]:
    """The requirements of `test` that some machine is spared, with their markers."""
    return [f"`{text}`" for text in requirements("test") if ";" in text]


def table(pythons: list[str]) -> str:
    cases = list(product(PLATFORMS, ("core", "test"), pythons))
    with ThreadPoolExecutor(4) as pool:
        found = dict(zip(cases, pool.map(lambda c: verdict(c[1], c[0], c[2]), cases), strict=True))
    lines = [f"| platform | part | {' | '.join(f'Python {v}' for v in pythons)} |"]
    lines.append("|---" * (2 + len(pythons)) + "|")
    for platform, part in product(PLATFORMS, ("core", "test")):
        cells = [found[platform, part, python] for python in pythons]
        lines.append(f"| {platform} | {part} | {' | '.join(cells)} |")
    notes = (
        "`ok`: `pip install --only-binary=:all:` finds a wheel of every requirement and of all "
        "that they require. Linux has glibc 2.28 or newer, macOS is 14 or newer. Left out by a "
        f"marker on some machines: {', '.join(left_out()) or 'nothing'}."
    )
    return "\n".join(lines) + f"\n\n{notes} Made by `python bench/wheels.py`.\n"


def main() -> None:
    about, _, usage = str(__doc__).partition("\n\n")
    words = argparse.ArgumentParser(
        description=about, epilog=usage, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    words.add_argument("--python", nargs="+", default=list(PYTHONS), metavar="VERSION")
    words.add_argument("--out", type=Path, default=RESULT, help="default: bench/results/wheels.md")
    given = words.parse_args()
    text = table(given.python)
    given.out.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
