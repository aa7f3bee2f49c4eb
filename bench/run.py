"""Write the figures that the project claims to bench/results, and the table in README:

python bench/run.py                           all of them: some minutes, on a quiet machine
python bench/run.py --only operations papers  some of them
python bench/run.py --out FOLDER              elsewhere, README untouched
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from studies import STUDIES, plot, study, trust
from supple.files import make_folder, write_whole

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench" / "results"


def run(names: list[str], folder: Path, seconds: float) -> dict[str, str]:
    """Each study's text, written into the folder as NAME.md; the plot, if both its parts ran."""
    make_folder(folder)
    found, texts = {}, {}
    for name in names:
        found[name] = study(name, seconds)
        texts[name] = "\n".join(table.markdown() for table in found[name])
        write_whole(folder / f"{name}.md", texts[name])
        print(f"{name}\n\n{texts[name]}", flush=True)
    if {"ratios", "growth"} <= found.keys():
        plot.draw(found["ratios"][0], found["growth"][0], folder / "ratios.png")
    if "simulation" in found:
        trust.draw(folder / "simulation.png")
    return texts


def into_readme(table: str, readme: Path) -> None:
    words = readme.read_text(encoding="utf-8")
    block = f"<!-- bench -->\n{table}<!-- /bench -->"
    words = re.sub("<!-- bench -->.*<!-- /bench -->", lambda _: block, words, flags=re.DOTALL)
    readme.write_text(words, encoding="utf-8")


def main() -> None:
    about, _, usage = str(__doc__).partition("\n\n")
    words = argparse.ArgumentParser(
        description=about, epilog=usage, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    words.add_argument("--only", nargs="+", choices=STUDIES, default=list(STUDIES), metavar="NAME",
                       help=f"some studies: {', '.join(STUDIES)}")  # fmt: skip
    words.add_argument("--out", type=Path, default=RESULTS, help="default: bench/results")
    words.add_argument("--seconds", type=float, default=3.0, help="for one comparison of times")
    given = words.parse_args()
    texts = run(given.only, given.out, given.seconds)
    if "ratios" in texts and given.out.resolve() == RESULTS:
        into_readme(texts["ratios"], ROOT / "README.md")


if __name__ == "__main__":
    main()
