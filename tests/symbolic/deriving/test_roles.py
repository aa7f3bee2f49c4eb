"""Hubs and payloads that ride on a link are named after it, whatever links are called."""

from __future__ import annotations

from typing import Any

import supple

PINNED: Any = {"length": 1.0, "mass": 1.0, "EI": 9.0}
PINNED |= {"modes": {"bending_y": 1, "family": "pinned_pinned"}}


def arm(second: str) -> supple.Robot:
    """A hub and a payload that ride on a beam, on a zyx joint, and a link beyond."""
    lump = {"mass": 0.5, "com": [0.1, 0.2, 0.3], "inertia": [0.1, 0.2, 0.25]}
    links: Any = {"a": {"beam": PINNED, "hub": {"inertia": 0.1}, "payload": lump}}
    links[second] = {"rigid": lump}
    joints = [{"type": "spherical", "coordinates": "zyx", "child": "a"}]
    joints += [{"type": "revolute", "parent": "a", "child": second}]
    return supple.build({"name": "arm", "gravity": [1, 2, 3], "links": links, "joints": joints})


def test_links_know_what_they_are() -> None:
    roles = {link.name: link.role for link in arm("b").links}
    assert roles == {
        "a_z": "helper",
        "a_y": "helper",
        "a": "link",
        "a_hub": "hub",
        "a_payload": "payload",
        "b": "link",
    }


def test_a_link_may_be_called_like_a_hub() -> None:
    """The last part of a name says nothing: equations differ in no symbol."""
    eqs = [supple.equations(arm(second), elastic_angle="linear") for second in ("b", "a_b_hub")]
    first, second = ({p.name: p.value for p in eq.parameters} for eq in eqs)
    assert first == second
    assert {"mp3", "Ihzz3", "m6"} <= set(first)
    assert eqs[0].M == eqs[1].M
