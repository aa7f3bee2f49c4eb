"""Speeds as people say them."""

from __future__ import annotations

import numpy as np
import pytest


def test_critical_speeds_are_printed_in_turns_a_minute() -> None:
    from typer.testing import CliRunner

    from supple.cli import app

    words = ["campbell", "canadarm", "--to", "2", "--steps", "3", "--kinematics", "second_order"]
    lines = CliRunner().invoke(app, words).stdout.splitlines()
    first = next(i for i, line in enumerate(lines) if "turns/min" in line)
    rows = [line.split() for line in lines[first + 1 :] if line.strip()[:1].isdigit()]
    assert rows
    for row in rows:
        assert float(row[1]) == pytest.approx(float(row[0]) * 60 / (2 * np.pi), rel=1e-3)
