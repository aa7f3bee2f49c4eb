"""Malformed URDF files: each is a robot, or is refused in words. No crash, no hang, no flood."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import supple
from supple.errors import ModelError
from supple.model import build
from supple.model.urdf.read_urdf import urdf_document
from supple.model.urdf.xml_tree import parse_xml

SMALL = """<robot name="r"><link name="a"><inertial><origin xyz="0 0 1" rpy="0 1 0"/>
<mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><geometry><box size="1 1 1"/></geometry></visual></link><link name="b"><inertial>
<mass value="2"/><inertia ixx="1" iyy="2" izz="1"/></inertial></link><link name="c"/>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="2" velocity="3"/><dynamics damping="1" friction="2"/></joint>
<joint name="k" type="prismatic"><parent link="b"/><child link="c"/><mimic joint="j"/></joint>
<transmission name="t"><joint name="j"/><actuator><mechanicalReduction>5</mechanicalReduction>
</actuator></transmission></robot>"""
PIECES = re.findall(r"<[^>]*>|\"[^\"]*\"|[^<>\"]+", SMALL)
NASTY = (
    *('"nan"', '"inf"', '"-1"', '"1e400"', '"1e308"', '"1 2"', '""', '" "', '"a"', '"b"', '"j"'),
    *('"world"', '"${x}"', '"../../x.stl"', '"package://x/y.stl"', '"\x00"', '"\U0001f600"'),
    *('"' + "9" * 400 + '"', '"floating"', '"planar"', '"fixed"', '"spherical"', '"0 0 0"'),
    *("<", ">", "&amp;", "&#0;", "&x;", "<!DOCTYPE x>", "<![CDATA[", "]]>", "<?x?>", "<!--", "-->"),
    *("<robot>", "</robot>", "<link/>", '<link name="b"/>', "<joint/>", "<inertial/>", "<mass/>"),
    *('<mimic joint="k"/>', '<mesh filename="/etc/passwd.stl"/>', "<xacro:x/>", "\ufeff", "\x07"),
)
CASES, PARTS = 3400, 17


def mutant(rng: random.Random) -> bytes:
    """The small file with one to four pieces changed, or its bytes cut and flipped."""
    pieces = list(PIECES)
    for _ in range(rng.randint(1, 4)):
        i = rng.randrange(len(pieces))
        way = rng.randrange(5)
        if way == 0:
            del pieces[i]
        elif way == 1:
            pieces[i] = rng.choice(NASTY)
        elif way == 2:
            pieces.insert(i, rng.choice(NASTY))
        elif way == 3:
            pieces[i] = re.sub(r'"[^"]*"', lambda _: rng.choice(NASTY), pieces[i], count=1)
        else:
            pieces.insert(i, pieces[rng.randrange(len(pieces))])
        pieces = pieces or [""]
    out = "".join(pieces).encode("utf-8", "surrogatepass")
    if rng.random() < 0.15:
        cut = bytearray(out[: rng.randrange(len(out) + 1)])
        for _ in range(rng.randint(0, 3)):
            if cut:
                cut[rng.randrange(len(cut))] = rng.randrange(256)
        out = bytes(cut)
    return out


def read(text: bytes) -> supple.Robot | ModelError:
    """A robot, or why there is none."""
    try:
        return build(urdf_document(parse_xml(text, "r.urdf", Path("nowhere"))))
    except ModelError as error:
        return error


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.filterwarnings("ignore::supple.SuppleWarning")
def test_malformed_files_are_refused_in_words(part: int) -> None:
    rng, refused = random.Random(part), 0
    for _ in range(CASES // PARTS):
        found = read(mutant(rng))
        if isinstance(found, ModelError):
            refused += 1
            assert len(str(found)) < 30_000
            assert all(len(fault.message) > 10 for fault in found.faults)
    assert 0.3 < refused / (CASES // PARTS) < 0.95


@pytest.mark.parametrize(
    "text",
    [
        "<a>" * 100_000,
        "<robot>" + "<a/>" * 200_000,
        '<robot name="r">' + "<link/>" * 20_000,
        '<robot name="r"' + " " * 100_000 + "a",
        "<robot " + " ".join(f'a{i}="1"' for i in range(50_000)) + "/>",
        '<robot name="' + "x" * 1_000_000 + '"/>',
        '<robot name="r"><link name="' + "x" * 1_000_000 + '"/></robot>',
        "\x00" * 1000,
        '<?xml version="1.0" encoding="utf-7"?><robot/>',
        '<?xml version="1.0" encoding="shift_jis"?><robot/>',
    ],
    ids=range(10),
)
def test_floods_are_refused_or_cut(text: str) -> None:
    found = read(text.encode())
    if isinstance(found, ModelError):
        assert len(str(found)) < 60_000
    else:
        assert len(found.name) <= 60
        assert all(len(link.name) <= 60 for link in found.links)


def test_a_file_without_end_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "large.urdf"
    with file.open("wb") as out:
        out.truncate(17_000_000)
    with pytest.raises(ModelError, match="larger than 16 MB"):
        supple.load(file)
