"""A view as moving pictures (.gif, .mp4), painted without a browser.

Faces are projected, sorted by distance and filled from far to near, shaded by one light; what lies
on the ground is their shadow. Pictures are painted twice as large and made smaller, for smooth
edges. GIF is written by Pillow, MP4 by the program ffmpeg where there is one.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...types import Floats
from .forms import Mesh, form, owners, ring, tube
from .moving_figures import MovingFigure, moving_figure

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

    from .show import View

WIDE, HIGH = 720, 450
FINE = 2  # painted so many times larger
PACE = {".gif": 20, ".mp4": 30}  # pictures a second
LONGEST = 20.0  # seconds of a film; longer runs are shown faster
SHORTEST = 3.0  # shorter ones slower
BACK, SHADE, LINES = (243, 245, 248), (214, 218, 224), (217, 222, 229)


def movie(view: View, kind: str) -> bytes:
    """The film's bytes."""
    if not view.runs:
        raise InputError(
            f"a film needs a run, and {view.title} is a robot that stands; simulate it first "
            f"(supple simulate ROBOT --out run.nc), or export .html or .glb"
        )
    encoder = _ffmpeg() if kind == ".mp4" else ""
    end = max(float(run.time[-1]) for run in view.runs)
    seconds = float(np.clip(end, SHORTEST, LONGEST))
    times = np.linspace(0.0, end, max(2, round(seconds * PACE[kind])))
    pictures = _pictures(list(moving_figure(view, times)), len(times), view)
    return _gif(pictures) if kind == ".gif" else _mp4(pictures, encoder)


def _ffmpeg() -> str:
    found = shutil.which("ffmpeg")
    if found is None:
        raise InputError(
            "cannot write .mp4: the program ffmpeg is not on this machine. Install it (it is in "
            "every package manager), or export .gif or .html, which need nothing"
        )
    return found


@dataclass(frozen=True)
class Patch:
    """Corners in the axes of places, the places, and faces with one colour."""

    mesh: Mesh
    places: NDArray[np.int64]  # (corners,) numbers
    colour: Floats


@dataclass(frozen=True)
class Camera:
    """Where it is, its axes (right, up, back), and its scale in pixels."""

    eye: Floats
    axes: Floats
    scale: float
    middle: Floats

    def seen(self, points: Floats) -> tuple[Floats, Floats]:
        """Pixels (n, 2) and distances."""
        x, y, z = self.axes @ (points - self.eye).T
        far = np.maximum(-z, 1e-9)
        return self.middle + self.scale * np.column_stack([x / far, -y / far]), far


def _camera(points: Floats, up: Floats) -> Camera:
    east, north = _compass(up)
    back = _unit(0.75 * east - north + 0.62 * up)
    right = _unit(np.cross(up, back))
    axes = np.array([right, np.cross(back, right), back])
    flat = points @ axes.T
    centre = 0.5 * (flat.max(axis=0) + flat.min(axis=0))
    flat = flat - centre
    high = np.tan(np.deg2rad(17.0)) / 1.15
    reach = np.maximum(np.abs(flat[:, 0]) * HIGH / WIDE, np.abs(flat[:, 1])) / high + flat[:, 2]
    away = max(float(reach.max()), 1e-9)
    scale = FINE * HIGH / 2 / np.tan(np.deg2rad(17.0))
    middle = 0.5 * FINE * np.array([WIDE, HIGH])
    return Camera(axes.T @ centre + away * back, axes, scale, middle)


def _compass(up: Floats) -> tuple[Floats, Floats]:
    first = np.array([0.0, 1.0, 0.0]) if abs(up[0]) > 0.9 else np.array([1.0, 0.0, 0.0])
    east = _unit(first - (first @ up) * up)
    return east, np.cross(up, east)


def _unit(v: Floats) -> Floats:
    return np.asarray(v / np.linalg.norm(v))


def _pictures(actors: list[MovingFigure], count: int, view: View) -> Iterator[Image]:
    gravity = view.robots[0].gravity
    up = _unit(-gravity) if np.any(gravity) else np.array([0.0, 0.0, 1.0])
    points = np.concatenate([a.frames.p.reshape(-1, 3) for a in actors])
    unit = max(a.figure.unit for a in actors)
    ground = float((points @ up).min()) - 3.0 * unit
    camera = _camera(points, up)
    light = _unit(up + 0.45 * _compass(up)[0] - 0.55 * _compass(up)[1])
    pieces = [(actor, list(_pieces(actor))) for actor in actors]
    stage = _MovieStage(camera, up, ground, light, _grid(points, up, ground))
    for t in range(count):
        yield stage.paint(pieces, t)


def _pieces(actor: MovingFigure) -> Iterator[Patch]:
    figure = actor.figure
    for solid in figure.solids:
        shape, colour = form(solid.form), _rgb(actor.colour(solid.paint))
        if solid.other is None:
            points = shape.points @ solid.matrix[:, :3].T + solid.matrix[:, 3]
            mesh = Mesh(points, shape.normals, shape.faces)
            yield Patch(mesh, np.full(len(points), solid.place), colour)
        else:  # a rod: its lower rim at one place, its upper rim at the other
            r = solid.matrix[0, 0]
            where = np.where(shape.points[:, 2] > 0.0, solid.other, solid.place)
            yield Patch(Mesh(shape.points * [r, r, 0.0], shape.normals, shape.faces), where, colour)
    for plate in figure.plates:
        n = len(plate.corners)
        faces = np.array([[0, 1 + k, 1 + (k + 1) % n] for k in range(n)])
        mesh = Mesh(np.vstack([plate.corners.mean(axis=0), plate.corners]), np.zeros(0), faces)
        colour = 0.5 * _rgb(actor.colour(plate.paint)) + 0.5 * np.array(BACK)
        yield Patch(mesh, np.full(n + 1, plate.place), colour)
    for i, first in figure.places.first.items():
        shape, square = tube(actor.half(i), actor.square(i)), actor.square(i)
        own = owners(len(actor.half(i)), len(ring(square).corners))
        yield Patch(shape, first + own, _rgb(actor.colour(i)))


def _rgb(colour: str) -> Floats:
    return np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)], dtype=float)


def _grid(points: Floats, up: Floats, ground: float) -> Floats:
    """(lines, 2, 3) on the ground."""
    east, north = _compass(up)
    size = float(np.linalg.norm(np.ptp(points, axis=0)))
    step = 10.0 ** np.floor(np.log10(max(size, 1e-12) / 4.0))
    step *= max(f for f in (1.0, 2.0, 5.0) if f * step <= size / 4.0) if size > 0.0 else 1.0
    middle = points.mean(axis=0)
    at = [step * round(float(middle @ e) / step) for e in (east, north)]
    base = at[0] * east + at[1] * north + ground * up
    k = np.arange(-8, 9) * step
    lines = [[base + a * e - 8 * step * f, base + a * e + 8 * step * f] for a in k
             for e, f in ((east, north), (north, east))]  # fmt: skip
    return np.array(lines)


@dataclass(frozen=True)
class _MovieStage:
    """What stays the same from picture to picture."""

    camera: Camera
    up: Floats
    ground: float
    light: Floats
    grid: Floats

    def paint(self, pieces: list[tuple[MovingFigure, list[Patch]]], t: int) -> Image:
        from PIL import Image, ImageDraw

        picture = Image.new("RGB", (FINE * WIDE, FINE * HIGH), BACK)
        pen = ImageDraw.Draw(picture)
        for a, b in self.grid:
            self._line(pen, a, b)
        faces, colours = _faces(pieces, t)
        self._shadows(pen, faces)
        self._solids(pen, faces, colours)
        return picture.resize((WIDE, HIGH), Image.Resampling.BOX)

    def _line(self, pen: ImageDraw, a: Floats, b: Floats) -> None:
        """What of it is before the camera."""
        near = 0.05 * np.linalg.norm(b - a)
        back = self.camera.axes[2]
        za, zb = (-(back @ (x - self.camera.eye)) for x in (a, b))
        if max(za, zb) < near:
            return
        if min(za, zb) < near:
            share = (near - za) / (zb - za)
            a, b = (a + share * (b - a), b) if za < near else (a, a + share * (b - a))
        ends, _ = self.camera.seen(np.array([a, b]))
        pen.line([tuple(x) for x in ends], fill=LINES, width=FINE)

    def _shadows(self, pen: ImageDraw, faces: Floats) -> None:
        drop = (faces @ self.up - self.ground) / (self.light @ self.up)
        flat, _ = self.camera.seen((faces - drop[..., None] * self.light).reshape(-1, 3))
        for corners in flat.reshape(-1, 3, 2):
            pen.polygon([tuple(x) for x in corners], fill=SHADE)

    def _solids(self, pen: ImageDraw, faces: Floats, colours: Floats) -> None:
        normals = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
        size = np.linalg.norm(normals, axis=1)
        normals = normals / np.maximum(size, 1e-300)[:, None]
        front = np.einsum("fi,fi->f", normals, self.camera.eye - faces[:, 0]) > 0.0
        shine = 0.58 + 0.42 * np.clip(normals @ self.light, -0.35, 1.0)
        pixels, far = self.camera.seen(faces.reshape(-1, 3))
        far = far.reshape(-1, 3).mean(axis=1)
        paints = np.clip(colours * shine[:, None], 0, 255).astype(int)
        pixels = pixels.reshape(-1, 3, 2)
        for k in np.argsort(-far):
            if front[k] and size[k] > 0.0:
                pen.polygon([tuple(x) for x in pixels[k]], fill=tuple(paints[k]))


def _faces(pieces: list[tuple[MovingFigure, list[Patch]]], t: int) -> tuple[Floats, Floats]:
    """Faces (n, 3, 3) in the world, and their colours."""
    faces, colours = [], []
    for actor, list_of in pieces:
        R, p = actor.frames.R[t], actor.frames.p[t]
        for piece in list_of:
            turned = np.einsum("nij,nj->ni", R[piece.places], piece.mesh.points)
            corners = (p[piece.places] + turned)[piece.mesh.faces]
            faces.append(corners)
            colours.append(np.tile(piece.colour, (len(corners), 1)))
    return np.concatenate(faces), np.concatenate(colours)


def _gif(pictures: Iterator[Image]) -> bytes:
    from PIL import Image

    first, *rest = (x.quantize(128, dither=Image.Dither.NONE) for x in pictures)
    out = io.BytesIO()
    pace = round(1000 / PACE[".gif"])
    first.save(out, "GIF", save_all=True, append_images=rest, duration=pace, loop=0, optimize=False)
    return out.getvalue()


def _mp4(pictures: Iterator[Image], encoder: str) -> bytes:
    with tempfile.TemporaryDirectory(prefix="supple-") as folder:
        path = Path(folder) / "film.mp4"
        words = [encoder, "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24"]
        words += ["-s", f"{WIDE}x{HIGH}", "-r", str(PACE[".mp4"]), "-i", "-"]
        words += ["-pix_fmt", "yuv420p", "-movflags", "+faststart", str(path)]
        raw = b"".join(x.tobytes() for x in pictures)
        done = subprocess.run(words, input=raw, capture_output=True, check=False)
        if done.returncode or not path.is_file():
            said = done.stderr.decode(errors="replace").strip()[-300:]
            raise InputError(f"ffmpeg could not write the film: {said}; export .gif instead")
        return path.read_bytes()
