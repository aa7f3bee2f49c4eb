"""Words that once ended in a traceback."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import supple

HEAD = "links: {a: {rigid: {mass: 1, inertia: 1}}}\njoints: [{type: revolute, child: a}]\n"


@pytest.mark.parametrize(
    "text",
    [
        "a: &a {<<: *a}\n" + HEAD,
        HEAD.replace("mass: 1", 'mass: !!bool "x"'),
        HEAD.replace("mass: 1", "mass: 1" + "0" * 400 + "*2"),
        HEAD + 'motions: {m: {duration: 1, joints: {a_joint: "(-1)**0.5*t"}}}\n',
        HEAD
        + 'motions: {m: {duration: 1, joints: {a_joint: "'
        + "sin(" * 90
        + "t"
        + ")" * 90
        + '"}}}',
        "notes:\n" + "- a\n" * 60_000,
    ],
    ids=["merge", "tag", "huge", "complex", "deep", "long"],
)
def test_odd_words_give_one_error(tmp_path: Path, text: str) -> None:
    path = tmp_path / "odd.yaml"
    path.write_text(text)
    with pytest.raises(supple.SuppleError):
        robot = supple.load(path)
        supple.simulate(robot, motion="m")


def test_durations_may_be_arithmetic(tmp_path: Path) -> None:
    path = tmp_path / "arm.yaml"
    path.write_text(HEAD + 'motions: {m: {duration: "pi/10", joints: {a_joint: "0.1*t"}}}\n')
    run = supple.simulate(supple.load(path), motion="m", samples=3)
    assert np.isclose(run.time[-1], np.pi / 10)
