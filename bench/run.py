"""Write the figures the project claims to bench/results and README: python bench/run.py"""

import re
from pathlib import Path

from supple.bench import write_report

ROOT = Path(__file__).parents[1]

if __name__ == "__main__":
    table = write_report(ROOT / "bench/results", 3.0)
    readme = ROOT / "README.md"
    words = readme.read_text(encoding="utf-8")
    block = f"<!-- bench -->\n{table}<!-- /bench -->"
    words = re.sub("<!-- bench -->.*<!-- /bench -->", lambda _: block, words, flags=re.DOTALL)
    readme.write_text(words, encoding="utf-8")
    print(table)
