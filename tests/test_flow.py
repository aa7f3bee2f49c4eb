"""The whole flow, as `flow.py` shows it on one page, runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import supple
from supple import flow


def test_the_flow_leads_from_a_name_to_a_plot_and_a_file(tmp_path: Path) -> None:
    done = flow.flow("lin-lewis-rr", tmp_path, 0.1)
    assert np.abs(done.qdd).max() < 1e-9  # the torques that hold it still do
    assert np.abs(done.run["q"]).max() < 1e-9
    assert done.plot.stat().st_size > 10_000
    assert supple.load_result(done.file).robot_name == done.robot.name


def test_the_page_is_one_page() -> None:
    assert len(Path(flow.__file__).read_text().splitlines()) < 100
