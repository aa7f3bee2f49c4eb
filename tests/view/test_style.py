"""One style sheet: widths of journals, embedded fonts, whole files, every plot by its name."""

from __future__ import annotations

import re
from pathlib import Path

import matplotlib
import pytest

import supple
from apart import overlaps
from supple.view import register
from supple.view.style import COLOURS, PAGES, sheet

GUIDE = (Path(__file__).parents[2] / "docs" / "guide.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def robot():
    return supple.load("lin-lewis-rf")


@pytest.fixture(scope="module")
def run(robot):
    return supple.simulate(robot, [0.1, 0.1], 0.2, samples=20, rtol=1e-5)


@pytest.mark.parametrize("kind", register.RUN, ids=lambda kind: kind.name)
def test_every_plot_of_a_run_fits_every_page(run, kind):
    if kind.name == "cuts":
        with pytest.raises(supple.InputError, match="zero throughout"):
            supple.plot(run, "cuts")
        return
    for width, page in PAGES.items():
        figure = supple.plot(run, kind.name, width=width)
        assert page.headed or figure.get_size_inches()[0] == page.inches
        assert figure.axes
        assert overlaps(figure) == []


@pytest.mark.parametrize("kind", register.ROBOT, ids=lambda kind: kind.name)
def test_every_plot_of_a_robot_fits_a_column(robot, kind):
    other = supple.load("puma") if kind.name == "torque" else robot
    figure = supple.plot(other, kind.name, width="single")
    assert figure.get_size_inches()[0] == PAGES["single"].inches
    assert overlaps(figure) == []
    labels = [text for axes in figure.axes for text in (axes.get_xlabel(), axes.get_ylabel())]
    assert any(re.search(r"\[.+\]", text) for text in labels)


def test_fonts_are_embedded_and_files_are_the_same_every_time(robot, tmp_path):
    for suffix, inside, never in ((".pdf", b"/FontFile2", b"/Type3"), (".svg", b"<path", b"<text")):
        files = [supple.plot(robot, "shapes", tmp_path / f"{k}{suffix}") for k in "ab"]
        first, second = (file.read_bytes() for file in files)
        assert inside in first
        assert never not in first
        assert first == second


def test_a_plot_that_fails_leaves_the_old_file(robot, tmp_path):
    path = tmp_path / "a.png"
    path.write_text("mine")
    with pytest.raises(supple.InputError, match="no modes"):
        supple.plot(supple.load("puma"), "modes", path)
    assert [p.name for p in tmp_path.iterdir()] == ["a.png"]
    assert path.read_text() == "mine"


def test_the_sheet_is_the_same_whatever_the_users_settings_are():
    with matplotlib.rc_context({"axes.grid": False, "text.usetex": True}):
        with sheet("single"):
            assert matplotlib.rcParams["axes.grid"]
            assert not matplotlib.rcParams["text.usetex"]
        assert matplotlib.rcParams["text.usetex"]


def test_colours_are_told_apart_without_red_or_green():
    """As one without red cones, or without green ones, sees them [Viénot, Brettel, Mollon]."""
    import numpy as np
    from matplotlib.colors import to_rgb

    rgb = np.array([to_rgb(c) for c in COLOURS]) ** 2.2
    lms = np.array(
        [[17.8824, 43.5161, 4.11935], [3.45565, 27.1554, 3.86714], [0.0299566, 0.184309, 1.46709]]
    )
    blind = (
        [[0, 2.02344, -2.52581], [0, 1, 0], [0, 0, 1]],
        [[1, 0, 0], [0.494207, 0, 1.24827], [0, 0, 1]],
    )
    for kind in blind:
        seen = np.clip(rgb @ (np.linalg.inv(lms) @ kind @ lms).T, 0, 1) ** (1 / 2.2)
        gaps = np.linalg.norm(seen[:, None] - seen[None], axis=2)
        assert gaps[np.triu_indices(len(seen), 1)].min() > 0.1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kind": "mods"}, "Did you mean modes"),
        ({"kind": "modes", "width": "singel"}, "Did you mean single"),
        ({"kind": "modes", "frames": 3}, "there are: q, free, count, plane"),
        ({"kind": "modes", "plane": "xw"}, "no plane to draw in named 'xw'"),
        ({"kind": "modes", "count": 0}, "a whole number, 1 to 24"),
        ({"kind": "frequency", "joint": "elbow"}, "no joint with one coordinate named 'elbow'"),
        ({"kind": "frequency", "count": 99}, "a whole number, 1 to 14"),
        ({"kind": "sticks", "magnify": -1}, "from 0 to a million"),
    ],
)
def test_mistakes_are_told(robot, options, message):
    with pytest.raises(supple.InputError, match=re.escape(message)):
        supple.plot(robot, **options)


@pytest.mark.parametrize("kind", ["modes", "convergence", "frequency", "shapes"])
def test_rigid_robots_have_no_plots_of_bending(kind):
    with pytest.raises(supple.InputError, match=r"no modes|no beams"):
        supple.plot(supple.load("three-rrr"), kind)


def test_the_guide_lists_every_plot():
    table = GUIDE.partition("### Plots")[2].partition("\n#")[0]
    rows = re.findall(r"^\| `(\w+)` \| (run|robot)", table, re.MULTILINE)
    assert rows == [(k.name, "run") for k in register.RUN] + [
        (k.name, "robot") for k in register.ROBOT
    ]


def test_a_dollar_in_a_name_begins_no_formula():
    words = {"length": 1.0, "mass": 1.0, "EI": 5.0, "modes": {"bending_y": 1}}
    joint = {"name": "$j_$", "type": "revolute", "child": "$a_$"}
    model = {"name": "$x_$", "links": {"$a_$": {"beam": words}}, "joints": [joint]}
    made = supple.simulate(supple.build(model), [0.1], 0.2, samples=20, rtol=1e-5)
    for kind in ("overview", "sticks", "spectrum"):
        figure = supple.plot(made, kind)
        figure.draw_without_rendering()  # a formula x_ would be refused
        assert figure.get_suptitle().startswith("$x_$")
    assert all(x.get_parse_math() for x in figure.axes[0].get_yticklabels())  # powers of ten
