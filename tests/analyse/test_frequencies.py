"""Natural frequencies against the pendulum's formula."""

import numpy as np
import pytest

import supple


def test_a_pendulum_swings_as_the_textbook_says_and_falls_at_that_rate_upside_down():
    mass, length, own, g = 1.3, 0.7, 0.2, 9.81
    rod = {"rigid": {"mass": mass, "com": [0, -length, 0], "inertia": own}}
    words = {"links": {"a": rod}, "joints": [{"type": "revolute", "child": "a"}]}
    robot = supple.build(words | {"gravity": [0, -g, 0]})
    omega = np.sqrt(mass * g * length / (own + mass * length**2))
    assert supple.frequencies(robot).omega == pytest.approx([omega])
    assert supple.frequencies(robot, [np.pi]).omega == pytest.approx([-omega])
    sprung = supple.build(words | {"gravity": [0, -g, 0], "joints": [SPRING]})
    both = np.sqrt((mass * g * length + 4.0) / (own + mass * length**2))
    assert supple.frequencies(sprung).omega == pytest.approx([both])


SPRING = {"type": "revolute", "child": "a", "stiffness": 4.0}
