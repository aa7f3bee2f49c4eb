"""The page in a real browser, from a file, without network."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from agree import assert_near
from led_runs import resting, wandering
from supple.recursion import station_pose
from supple.view.page.places import PagePlaces

EVIL = "</script><script>window.broken=1</script>"
EVIL_TOO = "\"'><img src=x onerror=window.broken=1>\u2028\U0001f916"


@pytest.fixture(scope="module")
def saved(tmp_path_factory, built):
    """saved(view) -> its page as a file."""
    folder = tmp_path_factory.mktemp("pages")

    def save(view, name):
        path = folder / f"{name}.html"
        return path if path.exists() else view.save(path)

    return save


@pytest.fixture
def arm(page, saved, run):
    yield page.open(saved(run.view(), "arm"))
    assert page.faults() == []


def test_the_page_says_what_it_shows_and_draws_it(arm):
    assert arm.js("return document.title") == "canadarm-spatial - Supple"
    assert "canadarm-spatial" in arm.js("return document.getElementById('canvas').ariaLabel")
    before = arm.picture()
    arm.js("supple.goto(1.5)")
    assert arm.picture() != before


@pytest.mark.parametrize("name", ["canadarm-spatial", "cibicik-arm", "space-robot", "stewart"])
def test_the_page_places_stations_where_supple_has_them(page, saved, name):
    made = wandering(name, frames=5, seed=3)
    page.open(saved(made.view(), f"places-{name}"))
    robot, at = supple.load(name), 3
    page.js("supple.goto(arguments[0])", float(made.time[at]))
    for link in robot.links:
        for station in link.body.stations:
            found = page.js(
                "return supple.where(0, arguments[0], arguments[1])", link.name, station
            )
            pose = station_pose(robot, made["q"][at], f"{link.name}.{station}")
            assert_near(np.array(found["p"]), pose.p, 1e-8)
            assert_near(np.array(found["R"]).reshape(3, 3), pose.R, 1e-8)


def test_slider_keys_and_play_move_time_and_the_robot(arm):
    first = arm.picture()
    arm.slide("time", 1)
    assert arm.js("return supple.t") == 1.0
    assert arm.js("return document.getElementById('clock').textContent") == "1.00 s"
    assert arm.picture() != first
    arm.key("\ue014")  # right arrow
    assert arm.js("return supple.t") == pytest.approx(1.1)
    arm.click("play")
    arm.wait("return supple.t !== 1.1 && supple.playing")
    arm.key(" ")
    assert not arm.js("return supple.playing")


def test_magnification_ghost_colours_and_arrows_change_the_picture(arm):
    arm.js("supple.goto(1.5)")
    seen = [arm.picture()]
    arm.slide("magnify", 1)
    assert arm.js("return supple.settings.magnification") == 2
    seen += [arm.picture()] * 2
    for id in ("show-ghost", "show-frames", "show-forces"):
        arm.click(id)
        seen.append(arm.picture())
    arm.key("c")
    assert arm.js("return document.getElementById('legend-name').textContent") == "Curvature"
    seen.append(arm.picture())
    arm.key("t")
    seen.append(arm.picture())
    assert len(set(seen)) == len(seen) - 1  # one was taken twice


def test_magnified_shapes_are_those_of_the_robot_that_bends_so_far(arm, run):
    robot = supple.load("canadarm-spatial")
    arm.js("supple.goto(1.5); supple.set('magnification', 3)")
    q = run["q"][15].copy()
    for link in robot.links:
        q[link.d] *= 3.0
    found = arm.js("return supple.where(0, 'link3', 'tip').p")
    assert_near(np.array(found), supple.pose(robot, q, "link3.tip").p, 1e-8)


def test_curvature_and_stress_are_those_of_the_beam(page, saved):
    robot = supple.load("space-robot")
    made = wandering("space-robot", frames=3, size=0.02)
    page.open(saved(made.view(), "stress"))
    page.js("supple.set('colour', 'stress')")
    largest = page.js("return supple.settings.limits.stress")
    x = np.linspace(0.0, 2.5, 33)
    found = []
    for link in (x for x in robot.links if x.body.line is not None):
        line = link.body.line
        kappa = [line.curvature(q[link.d], x) for q in made["q"]]
        bend = np.hypot(*np.moveaxis(np.array(kappa)[..., 1:], -1, 0))
        found.append((90e9 * bend * np.interp(x, [0, 2.5], [0.045, 0.035])).max())
    assert largest == pytest.approx(max(found), rel=1e-6)
    assert page.js("return document.getElementById('legend-high').textContent").endswith("Pa")


@pytest.fixture(scope="module")
def fibres():
    """A run of a bent beam, and of its last instant: half the width and height of section 8 of the
    page's 33, the sections a little before and behind it, and how far apart these are unbent."""
    robot = supple.load("space-robot").replace(elastic_kinematics="second_order")
    made = wandering(robot, frames=3, size=0.02)
    places = PagePlaces.of(robot, 2001)
    at, (i, part) = places.at(made["q"][2:]), next(iter(places.sections.items()))
    k = np.searchsorted(part.x, 0.625 - 1e-9)
    half = robot.links[i].body.line.beam.outline.half(part.x[[k]])[0]
    R, p = (x[0, places.first[i] + k + np.array([-1, 1])] for x in (at.R, at.p))
    return made, half, R, p, part.x[k + 1] - part.x[k - 1]


@pytest.mark.parametrize(("cy", "cz"), [(1, 0), (0, 1), (-0.6, 0.8)])
def test_the_stress_of_a_fibre_is_that_of_its_stretch(page, saved, fibres, cy, cz):
    """A fibre between two sections that are near each other: how much longer it has become."""
    made, half, R, p, apart = fibres
    page.open(saved(made.view(), "fibre"))
    page.js("supple.goto(2)")
    ends = p + R @ np.array([0.0, cy * half[0], cz * half[1]])
    stretch = np.linalg.norm(ends[1] - ends[0]) / apart - 1.0
    found = page.js("return supple.actors[0].stress(0, 8, arguments[0], arguments[1])", cy, cz)
    assert found == pytest.approx(90e9 * stretch, rel=0.03)


def test_two_runs_are_laid_over_each_other_and_can_be_hidden(page, saved, run):
    other = wandering("canadarm-spatial", seed=5)
    page.open(saved(run.view(other, labels=["soft", "stiff"]), "both"))
    assert page.js("return supple.actors.length") == 2
    both = page.picture()
    page.click("run-1")
    assert page.picture() != both
    assert "stiff" in page.js("return document.getElementById('panel').textContent")
    assert page.faults() == []


def test_a_click_in_a_plot_goes_to_that_instant(arm):
    arm.js(
        "const a = document.querySelector('.area'), r = a.getBoundingClientRect();"
        "const x = r.left + 58 + (r.width - 68) / 2;"
        "a.setPointerCapture = () => {};"
        "a.dispatchEvent(new PointerEvent('pointerdown', {clientX: x, clientY: r.top + 9}))"
    )
    assert arm.js("return supple.t") == pytest.approx(1.0, abs=0.01)


def test_names_of_a_model_are_text_whatever_they_hold(page, saved):
    words = dict(supple.load("lin-lewis-rf").spec)
    words = {**words, "name": EVIL, "description": EVIL_TOO}
    made = wandering(supple.build(words), frames=3, size=0.01)
    made.data.attrs["warnings"] = '["</script><b>bold</b>"]'
    page.open(saved(made.view(labels=[EVIL_TOO]), "evil"))
    assert page.js("return document.getElementById('title').textContent") == EVIL
    assert page.js("return document.getElementById('subtitle').textContent") == EVIL_TOO
    assert page.js("return window.broken") is None
    assert page.js("return document.querySelectorAll('script').length") == 3
    assert page.js("return document.querySelector('b, img')") is None
    assert page.faults() == []


def test_the_page_may_reach_nothing_and_run_nothing_else(page, saved, run):
    page.open(saved(run.view(), "arm"))
    page.js(
        "window.told = []; document.addEventListener('securitypolicyviolation',"
        "(e) => told.push(e.violatedDirective));"
        "const s = document.createElement('script'); s.textContent = 'window.ran = 1';"
        "document.body.append(s); fetch('https://example.org/').catch(() => told.push('refused'))"
    )
    page.wait("return told.includes('connect-src') && told.includes('script-src-elem')")
    assert page.js("return window.ran") is None


def test_a_robot_has_sliders_and_modes_that_move_it(page, saved):
    robot = supple.load("canadarm")
    page.open(saved(robot.view(), "pose"))
    page.slide("q-0", 0.5)
    q = robot.home()
    q[0] = 0.5
    found = page.js("return supple.where(0, 'link3', 'tip').p")
    assert_near(np.array(found), supple.pose(robot, q, "link3.tip").p, 1e-9)
    said = page.js("return document.getElementById('mode-0').textContent")
    hertz = supple.frequencies(robot, locked=True).hertz[0]
    assert said == f"Mode 1{float(f'{hertz:.4g}'):g} Hz"
    page.click("mode-0")
    page.wait("return supple.playing && supple.t > 0.3")
    moved = page.js("return supple.where(0, 'link3', 'tip').p")
    assert abs(moved[1]) > 1e-3
    assert page.faults() == []


def test_sliders_of_a_closed_chain_keep_it_closed(page, saved):
    robot = supple.load("delta")
    page.open(saved(robot.view(), "delta"))
    page.slide("q-1", 0.3)
    q = np.array(list(page.js("return Array.from(supple.actors[0].playback.base)")))
    assert np.abs(supple.closure(robot, q)).max() < 1e-7
    motor = next(x for x in robot.links if x.joint_name == "motor2")
    assert q[motor.q] == pytest.approx(0.3)


def test_a_robot_of_a_hundred_links_is_drawn(page, saved):
    beam = {"length": 1.0, "mass": 1.0, "EI": 100.0, "modes": {"bending_y": 1, "bending_z": 1}}
    joints = [{"name": "j0", "type": "revolute", "child": "l0"}]
    joints += [
        {"name": f"j{k}", "type": "revolute", "parent": f"l{k - 1}", "child": f"l{k}"}
        | {"axis": [0, k % 2, 1 - k % 2]}
        for k in range(1, 100)
    ]
    robot = supple.build(
        {"name": "snake", "links": {f"l{k}": {"beam": beam} for k in range(100)}, "joints": joints}
    )
    page.open(saved(robot.view(), "snake"))
    assert page.js("return supple.robots[0].links.length") == 100
    first = page.picture()
    page.slide("q-0", 1)
    assert page.picture() != first
    assert page.faults() == []


def test_on_a_narrow_window_the_panel_makes_room(page, saved, run):
    page.resize(420, 740)
    page.open(saved(run.view(), "arm"))
    assert page.js("return document.getElementById('panel').hidden")
    assert page.js("return document.documentElement.scrollWidth") == 420
    page.click("panel-toggle")
    assert not page.js("return document.getElementById('panel').hidden")
    page.resize(1000, 700)


def test_every_control_has_a_name_for_screen_readers(arm):
    nameless = arm.js(
        "return [...document.querySelectorAll('button, input, select, canvas')].filter((e) =>"
        "!(e.textContent.trim() || e.ariaLabel || e.closest('label') || e.ariaHidden))"
        ".map((e) => e.outerHTML)"
    )
    assert nameless == []
    arm.key("h")
    assert arm.js("return document.getElementById('help-box').open")
    assert "Space" in arm.js("return document.getElementById('help-box').textContent")


def test_samples_between_which_a_run_is_shown_are_its_own(page, saved):
    time = np.array([0.0, 0.1, 0.5, 2.0])
    robot = supple.load("lin-lewis-rr")
    made = resting(robot, time, np.column_stack([time, -time]))
    page.open(saved(made.view(), "uneven"))
    page.js("supple.goto(0.3)")
    assert page.js("return [...supple.actors[0].playback.q]") == pytest.approx([0.3, -0.3])
    page.js("supple.step(1)")
    assert page.js("return supple.t") == 0.5


def test_a_small_robot_beside_a_large_one_does_not_thicken_it(page, saved, run):
    small = wandering("four-bar-flexible", frames=3, size=0.001)
    alone = []
    for view, name in ((run.view(), "arm"), (small.view(), "small"), (run.view(small), "mixed")):
        page.open(saved(view, name))
        alone.append(page.js("return supple.thickness"))
    assert alone[2] == max(alone[:2])


def test_long_numbers_at_an_axis_are_not_cut_off(page, saved):
    made = wandering("canadarm-spatial", frames=3)
    made.data["tau"][:, 0] = [0.0, 0.3, 0.6]  # 200 mN m, 400 mN m, ...
    page.open(saved(made.view(), "weak"))
    inked = page.js(
        "const c = document.querySelectorAll('canvas.curves')[1];"
        "return c.getContext('2d').getImageData(0, 0, 2, c.height).data.some((v) => v > 0)"
    )
    assert not inked
