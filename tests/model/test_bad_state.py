"""A state of the wrong size or with a NaN is refused before any computing."""

import numpy as np
import pytest

import supple
from supple import InputError
from supple.errors import brief


@pytest.fixture(scope="module")
def robot():
    return supple.load("lin-lewis-rfr")


BAD = [[0.0], np.zeros((2, 4)), [0, 0, np.nan, 0], [0, np.inf, 0, 0], "abc", None, [[1], 2], 3.0]
BAD += [
    [1j, 0, 0, 0],
    np.zeros(4, complex),
    ["1", "2", "3", "4"],
    [b"1", 0, 0, 0],
    [10**400, 0, 0, 0],
]
BAD += [[0, 0, None, 0], [0, 0, 10**5000, 0], np.zeros(4, "m8[s]")]


@pytest.mark.parametrize("bad", BAD, ids=brief)
@pytest.mark.parametrize("which", ["q", "qd", "qdd"])
def test_a_wrong_state_names_itself_and_what_is_expected(robot, which, bad):
    state = {"q": np.zeros(4), "qd": np.zeros(4), "qdd": np.zeros(4), which: bad}
    with pytest.raises(InputError, match=rf"^{which} of lin-lewis-rfr") as error:
        supple.inverse_dynamics(robot, **state)
    assert any(word in str(error.value) for word in ("(4,)", "4 numbers", "finite"))


@pytest.mark.parametrize("bad", BAD, ids=brief)
def test_a_wrong_torque_names_itself(robot, bad):
    with pytest.raises(InputError, match=r"^tau of lin-lewis-rfr"):
        supple.forward_dynamics(robot, np.zeros(4), np.zeros(4), bad)


def test_a_wrong_number_is_named_by_its_coordinate(robot):
    with pytest.raises(InputError, match=rf"{robot.coordinate_names[2]} is nan"):
        supple.mass_matrix(robot, [0, 0, np.nan, 0])


def test_a_wrong_wrench_and_a_wrong_station_are_told(robot):
    z, name = np.zeros(4), robot.links[-1].name
    for bad in ([1, 2, 3], [0, 0, np.nan, 0, 0, 0], [1j] * 6, ["1"] * 6):
        with pytest.raises(InputError, match=f"external wrench at {name}"):
            supple.inverse_dynamics(robot, z, z, z, {name: bad})
    with pytest.raises(InputError, match=r"no link named 'nowhere'.*there are: "):
        supple.inverse_dynamics(robot, z, z, z, {"nowhere": np.zeros(6)})
    with pytest.raises(InputError, match=r"no station named 'tpi'.*Did you mean tip\?"):
        supple.pose(robot, z, f"{name}.tpi")


def test_a_quaternion_without_direction_is_refused():
    robot = supple.load("space-robot")
    q = robot.neutral()
    q[robot.links[0].q] = 0.0
    with pytest.raises(InputError, match="has no direction; give"):
        supple.mass_matrix(robot, q)


NOTHING = np.zeros(4)
CALLS = {
    "inverse_dynamics": 3,
    "forward_dynamics": 3,
    "forward_sweeps": 3,
    "mass_matrix": 1,
    "inverse_mass_matrix": 1,
    "udu_factors": 1,
    "composite_bodies": 1,
    "articulated_bodies": 1,
    "bias_force": 2,
    "coriolis_force": 2,
    "gravity_force": 1,
    "elastic_force": 1,
    "passive_force": 2,
    "kinetic_energy": 2,
    "potential_energy": 1,
    "regressor": 3,
    "twists": 2,
    "centre_of_mass": 1,
    "centre_of_mass_motion": 3,
    "momentum": 2,
}
AT_STATION = {"pose": 1, "twist": 2, "acceleration": 3, "jacobian": 1, "jacobian_rate": 2}


@pytest.mark.parametrize("name", [*CALLS, *AT_STATION])
def test_what_is_no_robot_is_told(name):
    state = [NOTHING] * (CALLS | AT_STATION)[name] + ["link1"] * (name in AT_STATION)
    with pytest.raises(InputError, match=r"^robot is None; it must be a Robot"):
        getattr(supple, name)(None, *state)
    with pytest.raises(InputError, match=r"supple\.load\('canadarm'\)"):
        getattr(supple, name)("canadarm", *state)


@pytest.mark.parametrize("bad", [None, 5, b"link1", ["link1"], np.nan])
@pytest.mark.parametrize("name", AT_STATION)
def test_what_is_no_station_is_told(robot, name, bad):
    with pytest.raises(InputError, match=r"^station is .*; it must be text: a link, or"):
        getattr(supple, name)(robot, *[NOTHING] * AT_STATION[name], bad)


@pytest.mark.parametrize("name", ["inverse_dynamics", "forward_dynamics", "forward_sweeps"])
@pytest.mark.parametrize("bad", [[1, 2, 3], 5, "tip", [], np.zeros(6)], ids=brief)
def test_what_is_no_mapping_of_wrenches_is_told(robot, name, bad):
    with pytest.raises(InputError, match=r"^external is .*mapping of stations to wrenches"):
        getattr(supple, name)(robot, NOTHING, NOTHING, NOTHING, bad)
    with pytest.raises(InputError, match=r"^station is 5"):
        getattr(supple, name)(robot, NOTHING, NOTHING, NOTHING, {5: np.zeros(6)})
