"""Write the figures the project claims to bench/results: python bench/run.py"""

from pathlib import Path

from supple.bench import write_report

if __name__ == "__main__":
    print(write_report(Path(__file__).parent / "results"))
