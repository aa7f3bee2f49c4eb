"""Where the points of a study begin."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from supple.sweeps.study import document_of, study_of


def test_places_in_a_study_are_those_of_the_point_not_of_the_file() -> None:
    """The tip at x = a + b where the arm begins, whatever the lengths are."""
    words: dict[str, Any] = {
        "robot": "lin-lewis-rr",
        "vary": {
            "link1.rigid.length": {"values": [0.7, 1.0, 1.4]},
            "link2.rigid.length": {"values": [0.5, 1.3, 0.2]},
        },
        "design": {"kind": "list"},
        "experiment": {"simulate": {"duration": 0.01, "samples": 2}},
        "outcomes": {"reach": "first(link2.tip.x)"},
    }
    study = study_of(document_of(words), Path("."))
    found = study.experiment.run(study.points)
    assert found.columns["reach"] == pytest.approx([1.2, 2.3, 1.6])
