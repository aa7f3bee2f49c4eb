"""What second-order kinematics costs: python bench/second_order.py"""

from pathlib import Path

from supple.bench.order import COLUMNS, order_rows

HERE = Path(__file__).parent / "results"

if __name__ == "__main__":
    HERE.mkdir(exist_ok=True)
    table = [f"| {a} | {b} | {c:.4g} | {d:.4g} | {r:.2f} |" for a, b, c, d, r in order_rows()]
    head = ["| " + " | ".join(COLUMNS) + " |", "|---|---|---|---|---|"]
    text = "\n".join(["Forward dynamics, measured in turns on one core.", "", *head, *table, ""])
    (HERE / "second_order.md").write_text(text)
    print(text)
