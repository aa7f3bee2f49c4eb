"""A view as a binary glTF file (.glb): for Blender, slides, other viewers.

Links are nodes that move, solids hang on them. A beam is a skinned mesh whose bones are its
sections, each with its own position and rotation at every picture: exact, whatever the order of
the kinematics. glTF's y is up: the root node turns the robot's up onto it.
Reference: Khronos Group, glTF 2.0.
"""

from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING, TypedDict, Unpack

import numpy as np

from ... import __version__
from ...screws import rotation_from_axes
from ...types import Floats
from .figure import Plate, Solid
from .forms import Mesh, form, owners, ring, tube
from .moving_figures import MovingFigure, moving_figure

if TYPE_CHECKING:
    from .show import View

FLOAT, SHORT, INT = 5126, 5123, 5125
ARRAY, ELEMENT = 34962, 34963


class _Node(TypedDict, total=False):
    """Where it is, what it shows, and what hangs on it."""

    name: str
    translation: list[float]
    rotation: list[float]
    scale: list[float]
    matrix: list[float]
    mesh: int
    skin: int
    children: list[int]


class _Animation(TypedDict):
    """Channels say which node moves how, samplers by which numbers."""

    name: str
    channels: list[dict[str, object]]
    samplers: list[dict[str, object]]


def glb(view: View) -> bytes:
    """The file."""
    file = _File()
    up = -view.robots[0].gravity
    up = up / np.linalg.norm(up) if np.any(up) else np.array([0.0, 0.0, 1.0])
    root = file.node(name=view.title, rotation=_list(_quaternions(_upright(up)[None])[0]))
    file.roots.append(root)
    for actor in moving_figure(view):
        _GltfWriter(file, actor, root).write()
    return file.bytes()


def _upright(up: Floats) -> Floats:
    """A rotation that takes `up` to y."""
    return np.asarray(rotation_from_axes(np.array([0.0, 1.0, 0.0])) @ rotation_from_axes(up).T)


class _GltfWriter:
    """One robot of a view."""

    def __init__(self, file: _File, actor: MovingFigure, root: int) -> None:
        self.file, self.actor = file, actor
        self.holder = file.node(parent=root, name=actor.robot.name)
        self.moving: dict[int, int] = {}
        self.animation: _Animation = {"name": actor.robot.name, "channels": [], "samplers": []}
        self.time = file.accessor(actor.time.astype("<f4"), "SCALAR", limits=True)

    def write(self) -> None:
        figure = self.actor.figure
        for solid in figure.solids:
            self._span(solid) if solid.other is not None else self._solid(solid)
        for plate in figure.plates:
            self._plate(plate)
        for i in figure.places.sections:
            self._beam(i)
        if self.animation["channels"]:
            self.file.animations.append(self.animation)

    def _solid(self, solid: Solid) -> None:
        matrix = np.eye(4)
        matrix[:3] = solid.matrix
        mesh = self._mesh(form(solid.form), solid.form, solid.paint)
        self.file.node(parent=self._place(solid.place), mesh=mesh, matrix=_list(matrix.T))

    def _mesh(self, shape: Mesh, name: str, paint: int) -> int:
        return self.file.mesh(name, shape, self.file.material(self.actor.colour(paint)))

    def _place(self, k: int) -> int:
        """The node of a place, moved in time."""
        if k not in self.moving:
            R, p = self.actor.frames.R[:, k], self.actor.frames.p[:, k]
            self.moving[k] = self._moved(self._name(k), R, p)
        return self.moving[k]

    def _name(self, k: int) -> str:
        links = self.actor.robot.links
        return links[k].name if k < len(links) else ""

    def _moved(self, name: str, R: Floats, p: Floats, scale: Floats | None = None) -> int:
        turns = _quaternions(R)
        start: _Node = {"name": name, "translation": _list(p[0]), "rotation": _list(turns[0])}
        tracks = {"translation": (p, "VEC3"), "rotation": (turns, "VEC4")}
        if scale is not None:
            start["scale"], tracks["scale"] = _list(scale[0]), (scale, "VEC3")
        node = self.file.node(parent=self.holder, **start)
        for path, (values, kind) in tracks.items():
            if len(values) > 1 and np.ptp(values, axis=0).max() > 1e-9 * np.abs(values).max():
                self._track(node, path, self.file.accessor(values.astype("<f4"), kind))
        return node

    def _track(self, node: int, path: str, values: int) -> None:
        target = {"node": node, "path": path}
        samplers = self.animation["samplers"]
        self.animation["channels"].append({"sampler": len(samplers), "target": target})
        samplers.append({"input": self.time, "output": values, "interpolation": "LINEAR"})

    def _span(self, solid: Solid) -> None:
        """A rod between two places."""
        assert solid.other is not None
        a, b = (self.actor.frames.p[:, k] for k in (solid.place, solid.other))
        long = np.maximum(np.linalg.norm(b - a, axis=1), 1e-9)
        ways = (b - a) / long[:, None]
        turns = [rotation_from_axes(way) if np.any(way) else np.eye(3) for way in ways]
        scale = np.column_stack([np.full((len(long), 2), solid.matrix[0, 0]), long])
        node = self._moved("", np.array(turns), 0.5 * (a + b), scale)
        self.file.nodes[node]["mesh"] = self._mesh(form(solid.form), solid.form, solid.paint)

    def _plate(self, plate: Plate) -> None:
        middle, n = plate.corners.mean(axis=0), len(plate.corners)
        points = np.vstack([middle, plate.corners])
        faces = np.array([[0, 1 + k, 1 + (k + 1) % n] for k in range(n)])
        shape = Mesh(points, np.tile(plate.normal, (n + 1, 1)), faces)
        material = self.file.material(self.actor.colour(plate.paint), clear=True)
        mesh = self.file.mesh("plate", shape, material)
        self.file.node(parent=self._place(plate.place), mesh=mesh)

    def _beam(self, i: int) -> None:
        """Bind pose: section k at (k, 0, 0), unturned; its bone takes it to where it is."""
        actor, first = self.actor, self.actor.figure.places.first[i]
        half, square = actor.half(i), actor.square(i)
        shape, count = tube(half, square), len(half)
        own = owners(count, len(ring(square).corners))
        bound = shape.points + np.outer(own, [1.0, 0.0, 0.0])
        bones = [self._place(first + k) for k in range(count)]
        inverse = np.tile(np.eye(4), (count, 1, 1))
        inverse[:, 0, 3] = -np.arange(count)
        binds = np.swapaxes(inverse, 1, 2).reshape(count, 16).astype("<f4")
        skin = self.file.skin(bones, self.file.accessor(binds, "MAT4"))
        joints = np.column_stack([own, np.zeros((len(own), 3), dtype=int)]).astype("<u2")
        weights = np.tile(np.array([1.0, 0.0, 0.0, 0.0], dtype="<f4"), (len(own), 1))
        extra = {
            "JOINTS_0": self.file.accessor(joints, "VEC4", ARRAY),
            "WEIGHTS_0": self.file.accessor(weights, "VEC4", ARRAY),
        }
        material = self.file.material(actor.colour(i))
        mesh = self.file.mesh(f"beam {i}", Mesh(bound, shape.normals, shape.faces), material, extra)
        name = f"{actor.robot.links[i].name} beam"
        node = self.file.node(name=name, mesh=mesh, skin=skin)
        self.file.roots.append(node)  # bones alone move it


class _File:
    """Parts of a glTF file as they come; equal ones once."""

    def __init__(self) -> None:
        self.nodes, self.animations = list[_Node](), list[_Animation]()
        self.meshes, self.materials = list[dict[str, object]](), list[dict[str, object]]()
        self.skins, self.accessors = list[dict[str, object]](), list[dict[str, object]]()
        self.views, self.data = list[dict[str, object]](), bytearray()
        self.known: dict[tuple[object, ...], int] = {}
        self.roots = list[int]()

    def node(self, parent: int | None = None, **words: Unpack[_Node]) -> int:
        if not words.get("name"):
            words.pop("name", None)
        self.nodes.append(words)
        if parent is not None:
            self.nodes[parent].setdefault("children", []).append(len(self.nodes) - 1)
        return len(self.nodes) - 1

    def accessor(
        self, array: np.ndarray, kind: str, target: int | None = None, limits: bool = False
    ) -> int:
        data = array.tobytes()
        key = ("accessor", data, kind, str(array.dtype))
        if key in self.known:
            return self.known[key]
        self.data += b"\0" * (-len(self.data) % 4)
        where = {"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data)}
        self.views.append({**where, **({} if target is None else {"target": target})})
        self.data += data
        component = {"<f4": FLOAT, "<u2": SHORT, "<u4": INT}[array.dtype.str]
        words: dict[str, object] = {"bufferView": len(self.views) - 1, "componentType": component}
        words |= {"count": len(array), "type": kind}
        if limits:
            flat = array.reshape(len(array), -1)
            words |= {"min": _list(flat.min(axis=0)), "max": _list(flat.max(axis=0))}
        return self._once(key, self.accessors, words)

    def material(self, colour: str, clear: bool = False) -> int:
        rgb = [_linear(int(colour[k : k + 2], 16) / 255.0) for k in (1, 3, 5)]
        look = {"baseColorFactor": [*rgb, 0.55 if clear else 1.0], "metallicFactor": 0.08}
        words: dict[str, object] = {"pbrMetallicRoughness": {**look, "roughnessFactor": 0.5}}
        words |= {"alphaMode": "BLEND", "doubleSided": True} if clear else {}
        return self._once(("material", colour, clear), self.materials, words)

    def mesh(
        self, name: str, shape: Mesh, material: int, extra: dict[str, int] | None = None
    ) -> int:
        points, normals = shape.points.astype("<f4"), shape.normals.astype("<f4")
        long = np.linalg.norm(normals, axis=1, keepdims=True)
        attributes = {
            "POSITION": self.accessor(points, "VEC3", ARRAY, limits=True),
            "NORMAL": self.accessor(normals / long, "VEC3", ARRAY),
        }
        index = self.accessor(shape.faces.reshape(-1).astype("<u4"), "SCALAR", ELEMENT)
        attributes |= extra or {}
        part = {"attributes": attributes, "indices": index, "material": material}
        key = ("mesh", tuple(attributes.items()), index, material)
        return self._once(key, self.meshes, {"name": name, "primitives": [part]})

    def skin(self, bones: list[int], binds: int) -> int:
        self.skins.append({"joints": bones, "inverseBindMatrices": binds})
        return len(self.skins) - 1

    def _once(
        self, key: tuple[object, ...], into: list[dict[str, object]], words: dict[str, object]
    ) -> int:
        if key not in self.known:
            into.append(words)
            self.known[key] = len(into) - 1
        return self.known[key]

    def bytes(self) -> bytes:
        """Header, the words as JSON, then the numbers."""
        self.data += b"\0" * (-len(self.data) % 4)
        lists = {
            "nodes": self.nodes, "meshes": self.meshes, "materials": self.materials,
            "skins": self.skins, "animations": self.animations, "accessors": self.accessors,
            "bufferViews": self.views,
        }  # fmt: skip
        words = {
            "asset": {"version": "2.0", "generator": f"Supple {__version__}"},
            "scene": 0,
            "scenes": [{"nodes": self.roots}],
            **{name: part for name, part in lists.items() if part},
            "buffers": [{"byteLength": len(self.data)}],
        }
        text = json.dumps(words, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        whole = 12 + 8 + len(text) + 8 + len(self.data)
        head = struct.pack("<4sII", b"glTF", 2, whole) + struct.pack("<I4s", len(text), b"JSON")
        return head + text + struct.pack("<I4s", len(self.data), b"BIN\0") + bytes(self.data)


def _quaternions(R: Floats) -> Floats:
    """(x, y, z, w) of rotations (n, 3, 3), made true ones, each nearest to the one before it."""
    from scipy.spatial.transform import Rotation

    U, _, V = np.linalg.svd(R)
    turns = np.asarray(Rotation.from_matrix(U @ V).as_quat())
    along = np.einsum("ti,ti->t", turns[1:], turns[:-1])
    signs = np.cumprod(np.append(1.0, np.where(along < 0.0, -1.0, 1.0)))
    return np.asarray(turns * signs[:, None])


def _linear(v: float) -> float:
    """A colour's share as light."""
    return v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4


def _list(array: np.ndarray) -> list[float]:
    return [float(v) for v in np.asarray(array, dtype=float).reshape(-1)]
