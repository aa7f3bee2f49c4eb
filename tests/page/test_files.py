"""Pages, glTF files and films: what is in them, and what is said where they cannot be made."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import struct
import zlib
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from PIL import Image

import supple
from agree import assert_near
from led_runs import resting, wandering
from supple.recursion import link_poses
from supple.screws import quaternion_matrix
from supple.view.page import document, movie, show
from supple.view.page.forms import form, tube
from supple.view.page.moving_figures import LOAD, PALETTE, STEEL
from supple.view.page.numbers import Numbers

TYPES = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}
KINDS = {5126: "<f4", 5123: "<u2", 5125: "<u4"}


def read_glb(data):
    """The words of a .glb file and a reader of its arrays; its structure is looked at."""
    magic, version, whole = struct.unpack("<4sII", data[:12])
    assert (magic, version, whole) == (b"glTF", 2, len(data))
    length, kind = struct.unpack("<I4s", data[12:20])
    words = json.loads(data[20 : 20 + length])
    size, binary = struct.unpack("<I4s", data[20 + length : 28 + length])
    numbers = data[28 + length :]
    assert (kind, binary, size, length % 4, size % 4) == (b"JSON", b"BIN\0", len(numbers), 0, 0)
    assert words["buffers"] == [{"byteLength": size}]

    def array(k):
        words_of = words["accessors"][k]
        view = words["bufferViews"][words_of["bufferView"]]
        assert view["byteOffset"] % 4 == 0 and view["byteOffset"] + view["byteLength"] <= size  # noqa: PT018
        part = numbers[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]
        flat = np.frombuffer(part, KINDS[words_of["componentType"]])
        return flat.reshape(words_of["count"], TYPES[words_of["type"]])

    return words, array


@pytest.fixture(scope="module")
def glb(tmp_path_factory):
    made = wandering("canadarm-spatial", frames=5)
    path = made.view().save(tmp_path_factory.mktemp("glb") / "run.glb")
    return made, *read_glb(path.read_bytes())


def tracks(words, array):
    """Values of each animated node by what they change."""
    out = {}
    for channel in words["animations"][0]["channels"]:
        sampler = words["animations"][0]["samplers"][channel["sampler"]]
        out[channel["target"]["node"], channel["target"]["path"]] = array(sampler["output"])
    return out


def test_links_of_a_glb_move_as_the_robot_does(glb):
    made, words, array = glb
    robot, moves = supple.load("canadarm-spatial"), tracks(words, array)
    names = [x.get("name") for x in words["nodes"]]
    for t in (1, 4):
        for pose, link in zip(link_poses(robot, made["q"][t]), robot.links, strict=True):
            track = moves.get((names.index(link.name), "translation"))
            still = words["nodes"][names.index(link.name)]["translation"]
            assert_near(still if track is None else track[t], pose.p, 1e-5)
    assert_near(array(words["animations"][0]["samplers"][0]["input"])[:, 0], made.time, 1e-6)


def test_skins_of_a_glb_end_at_the_tips_of_the_beams(glb):
    made, words, array = glb
    robot, moves = supple.load("canadarm-spatial"), tracks(words, array)
    for skin, link in zip(words["skins"], robot.links, strict=True):
        tip = moves[skin["joints"][-1], "translation"][3]
        assert_near(tip, supple.pose(robot, made["q"][3], f"{link.name}.tip").p, 1e-5)
        binds = array(skin["inverseBindMatrices"])
        assert_near(binds[:, 12], -np.arange(len(binds)), 1e-6)  # section k is bound at (k, 0, 0)


def test_the_root_of_a_glb_turns_up_onto_y(tmp_path):
    robot = supple.load("puma")
    words, _ = read_glb(robot.view().save(tmp_path / "puma.glb").read_bytes())
    x, y, z, w = words["nodes"][words["scenes"][0]["nodes"][0]]["rotation"]
    up = -robot.gravity / np.linalg.norm(robot.gravity)
    u = np.array([x, y, z])
    turned = up + 2.0 * np.cross(u, np.cross(u, up) + w * up)
    assert_near(turned, [0.0, 1.0, 0.0], 1e-9)


def test_every_face_looks_outward():
    round_tube, box = (tube(np.full((4, 2), 0.1), square) for square in (False, True))
    for mesh in (form("cylinder"), form("sphere"), form("box")):
        corners = mesh.points[mesh.faces]
        turn = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        assert np.all(np.einsum("fi,fi->f", turn, corners.mean(axis=1)) > -1e-12)
    for mesh in (round_tube, box):
        along = mesh.points + np.outer(
            np.repeat([0, 1, 2, 3, 0, 3], len(mesh.points) // 6), [1, 0, 0]
        )
        corners = along[mesh.faces]
        turn = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        out = np.einsum("fi,fi->f", turn, corners.mean(axis=1) - [1.5, 0, 0])
        assert np.all(out > -1e-12)


def test_numbers_come_back_from_their_block():
    numbers, arrays = Numbers(), [np.linspace(0, 1, 7), np.eye(3), np.linspace(0, 1, 7)]
    assert [numbers.put(a) for a in arrays] == [0, 1, 0]
    assert numbers.put(np.array([0.5]), single=True) == 2
    raw = zlib.decompress(base64.b64decode(numbers.block()))
    planes = np.frombuffer(raw[: 7 * 8], dtype=np.uint8).reshape(8, 7)
    assert np.frombuffer(planes.T.tobytes(), "<f8") == pytest.approx(arrays[0])
    assert numbers.listed[1] == {"kind": "f8", "shape": [3, 3]}


def test_a_page_holds_all_it_needs_and_lets_nothing_else_run(built, run, tmp_path):
    text = run.view().save(tmp_path / "run.html").read_text(encoding="utf-8")
    policy = html.unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1])
    script = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    markup = re.sub(r"<script>.*?</script>", "", text, flags=re.DOTALL)
    assert re.findall(r"""(?:src|href)\s*=\s*["']""", markup) == []
    assert "Permission is hereby granted" in script  # the licence of three.js
    assert len(text) < 2_000_000


def test_a_notebook_gets_the_page_in_a_frame(built, run):
    frame = run.view()._repr_html_()
    inner = html.unescape(re.search(r'srcdoc="([^"]*)"', frame)[1])
    assert inner == run.view().html()
    assert 'sandbox="allow-scripts' in frame


def test_an_installation_without_the_page_says_how_to_get_it(monkeypatch, tmp_path, run):
    monkeypatch.setattr(document, "BUILT", tmp_path)
    with pytest.raises(supple.SuppleError, match=r"three\.js.*page/build\.py") as told:
        run.view().save(tmp_path / "a.html")
    assert "Everything else works" in str(told.value)
    assert run.view().save(tmp_path / "a.glb").exists()
    monkeypatch.setattr(show.tempfile, "tempdir", str(tmp_path))
    with pytest.raises(supple.SuppleError, match=r"page/build\.py"):
        run.view().show()
    assert list(tmp_path.glob("*.html")) == []


def test_a_run_with_places_that_are_no_numbers_is_refused_by_its_sample():
    made = wandering("canadarm-spatial", frames=5)
    made.data["q"][3:, 0] = np.nan
    with pytest.raises(supple.InputError, match="in 2 of 5 samples, first in sample 3"):
        made.view()
    assert len(supple.Result(made.data.dropna("time")).view().runs[0].time) == 3


def test_a_robot_that_cannot_move_is_simulated_and_saved(tmp_path):
    links = {"a": {"rigid": {"mass": 1.0, "inertia": 1.0, "length": 0.5}}}
    robot = supple.build({"links": links, "joints": [{"type": "fixed", "child": "a"}]})
    made = supple.simulate(robot, None, 0.1, samples=3)
    words, _ = read_glb(made.view().save(tmp_path / "run.glb").read_bytes())
    assert words["meshes"]
    assert "animations" not in words


def test_show_writes_a_file_and_opens_it(built, monkeypatch, run, tmp_path):
    opened = []
    monkeypatch.setattr(show.tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(show.webbrowser, "open", lambda url: opened.append(url) or True)
    path = run.view().show()
    assert opened == [path.as_uri()]
    assert path.parent == tmp_path
    monkeypatch.setattr(show.webbrowser, "open", lambda url: False)
    with pytest.raises(supple.InputError, match=r"no browser could be opened; open /.* yourself"):
        run.view().show()


def test_a_gif_has_pictures_that_differ(tmp_path, monkeypatch):
    monkeypatch.setattr(movie, "SHORTEST", 0.3)
    made = wandering("canadarm-spatial", frames=3)
    made.data["time"] = made.time * 0.1
    film = Image.open(made.view(magnify=2.0).save(tmp_path / "run.gif"))
    assert film.n_frames == 6
    film.seek(0)
    first = np.asarray(film.convert("RGB"), dtype=int)
    film.seek(4)
    assert np.abs(np.asarray(film.convert("RGB"), dtype=int) - first).max() > 50
    assert (first != np.array(movie.BACK)).any(axis=2).mean() > 0.01


def test_what_cannot_be_filmed_is_said(tmp_path, monkeypatch, run):
    with pytest.raises(supple.InputError, match="a film needs a run"):
        supple.load("puma").view().save(tmp_path / "puma.gif")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(supple.InputError, match="ffmpeg is not on this machine"):
        run.view().save(tmp_path / "run.mp4")
    with pytest.raises(supple.FileError, match=r"use \.html, \.glb, \.gif or \.mp4"):
        run.view().save(tmp_path / "run.png")
    with pytest.raises(supple.InputError, match="labels is 'a'"):
        run.view(labels="a")


def test_a_long_run_is_shown_at_evenly_many_of_its_samples():
    from supple.view.page.record import frames

    pick = frames(10_001, 2000)
    assert (pick[0], pick[-1], len(pick)) == (0, 10_000, 2000)
    assert set(np.diff(pick)) <= {5, 6}


def test_a_wheel_that_turns_often_never_turns_back(tmp_path):
    """Of the two quaternions of a rotation each is the nearer to the one before."""
    links = {"a": {"rigid": {"mass": 1.0, "inertia": 1.0, "length": 0.5}}}
    robot = supple.build({"links": links, "joints": [{"type": "revolute", "child": "a"}]})
    made = resting(robot, np.linspace(0, 1, 31), np.linspace(0, 20, 31)[:, None])
    words, array = read_glb(made.view().save(tmp_path / "run.glb").read_bytes())
    (turns,) = (x for (_, path), x in tracks(words, array).items() if path == "rotation")
    assert_near(np.einsum("ti,ti->t", turns[1:], turns[:-1]), np.full(30, np.cos(1 / 3)), 1e-5)


def test_rods_between_places_of_a_glb_end_where_the_places_are(tmp_path):
    robot = supple.load("lin-lewis-rf")
    links = tuple(replace(x, body=replace(x.body, line=None)) for x in robot.links)
    made = wandering(robot, frames=3)
    view = made.view(robot=replace(robot, links=links, spec=None))
    words, _ = read_glb(view.save(tmp_path / "run.glb").read_bytes())
    i = next(i for i, link in enumerate(robot.links) if link.body.m)
    name, q = robot.links[i].name, made["q"][0]
    rods = [x for x in words["nodes"] if "scale" in x]
    ends = np.array([rod_ends(x) for x in rods])
    want = [link_poses(robot, q)[i].p, supple.pose(robot, q, f"{name}.tip").p]
    assert np.abs(ends - want).max(axis=(1, 2)).min() < 1e-6


def rod_ends(node):
    """Of a cylinder of unit length along z."""
    half = 0.5 * node["scale"][2] * quaternion_matrix(np.roll(node["rotation"], 1))[:, 2]
    return node["translation"] - half, node["translation"] + half


def test_matrices_of_a_glb_are_written_column_by_column(glb):
    _, words, _ = glb
    matrices = np.array([x["matrix"] for x in words["nodes"] if "matrix" in x]).reshape(-1, 4, 4)
    assert_near(matrices[:, :, 3], np.tile([0.0, 0.0, 0.0, 1.0], (len(matrices), 1)), 0.0)
    assert np.abs(matrices[:, 3, :3]).max() > 0.0


def test_the_faces_of_a_plate_look_along_its_normal(tmp_path):
    data = supple.load("stewart").view().save(tmp_path / "stewart.glb").read_bytes()
    words, array = read_glb(data)
    plates = [x["primitives"][0] for x in words["meshes"] if x["name"] == "plate"]
    assert plates
    for plate in plates:
        points, normals = (array(plate["attributes"][k]) for k in ("POSITION", "NORMAL"))
        a, b, c = points[array(plate["indices"])[:, 0].reshape(-1, 3)].transpose(1, 0, 2)
        assert np.all(np.cross(b - a, c - a) @ normals[0] > 0.0)


def test_colours_of_a_glb_are_linear_light(glb):
    """IEC 61966-2-1: half the number of sRGB is 21.6 % of the light."""
    _, words, _ = glb
    looks = [x["pbrMetallicRoughness"]["baseColorFactor"][:3] for x in words["materials"]]
    srgb = np.array([to_rgb(colour) for colour in (*PALETTE, STEEL, LOAD)])
    light = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    off = np.abs(light - np.array(looks)[:, None]).max(axis=2)
    assert looks
    assert np.all(off.min(axis=1) < 1e-5)
