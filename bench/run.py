"""Write the figures the project claims to bench/results: python bench/run.py"""

import json
from pathlib import Path

from supple.bench import operation_rows, ratio_rows

HERE = Path(__file__).parent / "results"

if __name__ == "__main__":
    HERE.mkdir(exist_ok=True)
    counts = operation_rows()
    (HERE / "operations.json").write_text(json.dumps(counts, indent=1))
    rows = ratio_rows()
    table = [f"| {r.what} | {r.ours:.3f} | {r.peer:.3f} | {r.ratio:.1f} |" for r in rows]
    head = ["| what | ours [µs] | peer [µs] | times faster |", "|---|---|---|---|"]
    text = "\n".join([f"Against {rows[0].versus}.", "", *head, *table, ""])
    (HERE / "ratios.md").write_text(text)
    print(text)
