"""What is doubted: the robot, its words, and what hangs where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ...lazy import cached_property
from ...robot import Robot
from ..dh import row_name, table_to_links
from ..spec import JointSpec, LinkSpec, RobotSpec
from ..validate import validate
from ..yaml import Document


class Load(NamedTuple):
    """A mass on a beam, and the key that says where."""

    x: float
    mass: float
    path: tuple[str | int, ...]


@dataclass(frozen=True)
class Subject:
    robot: Robot
    spec: RobotSpec
    links: Mapping[str, LinkSpec]
    joints: tuple[JointSpec, ...]
    rows: dict[str, int]  # row of a DH table by link name

    @classmethod
    def of(cls, robot: Robot, document: Document) -> Subject:
        spec = validate(document, RobotSpec)
        if spec.dh is None:
            return cls(robot, spec, spec.links, tuple(spec.joints), {})
        links, joints = table_to_links(spec.dh)
        rows = {row_name(i, row): i for i, row in enumerate(spec.dh.rows)}
        return cls(robot, spec, links, tuple(joints), rows)

    @property
    def si(self) -> bool:
        return self.spec.units.strip().lower().startswith("si")

    @cached_property
    def carried(self) -> dict[str, float]:
        """Mass of each link and of all it carries, payloads and hubs included."""
        links = self.robot.links
        total = [link.body.mass for link in links]
        for i in reversed(range(len(links))):
            if links[i].parent >= 0:
                total[links[i].parent] += total[i]
        return {link.name: mass for link, mass in zip(links, total, strict=True)}

    def loads(self, link: str) -> list[Load]:
        """What hangs on a beam: children and payload."""
        words = self.links[link]
        assert words.beam is not None
        length, out = words.beam.length, []
        places = {"origin": 0.0, "root": 0.0, "tip": length}
        for name, station in words.stations.items():
            places[name] = length if station.x is None else station.x
        for i, joint in enumerate(self.joints):
            if joint.parent == link:
                x = places[joint.at or "tip"]
                out.append(Load(x, self.carried[joint.child], ("joints", i, "at")))
        if words.payload is not None:
            x, path = places[words.payload.at or "tip"], ("links", link, "payload", "at")
            out.append(Load(x, words.payload.mass, path))
        return out
