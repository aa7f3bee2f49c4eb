"""A state of the wrong size or with a NaN is refused before any computing."""

import numpy as np
import pytest

import supple
from supple import InputError


@pytest.fixture(scope="module")
def robot():
    return supple.load("lin-lewis-rfr")


BAD = [[0.0], np.zeros((2, 4)), [0, 0, np.nan, 0], [0, np.inf, 0, 0], "abc", None, [[1], 2], 3.0]


@pytest.mark.parametrize("bad", BAD, ids=repr)
@pytest.mark.parametrize("which", ["q", "qd", "qdd"])
def test_a_wrong_state_names_itself_and_what_is_expected(robot, which, bad):
    state = {"q": np.zeros(4), "qd": np.zeros(4), "qdd": np.zeros(4), which: bad}
    with pytest.raises(InputError, match=rf"^{which} of lin-lewis-rfr") as error:
        supple.inverse_dynamics(robot, **state)
    assert any(word in str(error.value) for word in ("(4,)", "4 numbers", "finite"))


@pytest.mark.parametrize("bad", BAD, ids=repr)
def test_a_wrong_torque_names_itself(robot, bad):
    with pytest.raises(InputError, match=r"^tau of lin-lewis-rfr"):
        supple.forward_dynamics(robot, np.zeros(4), np.zeros(4), bad)


def test_a_wrong_number_is_named_by_its_coordinate(robot):
    with pytest.raises(InputError, match=rf"{robot.coordinate_names[2]} is nan"):
        supple.mass_matrix(robot, [0, 0, np.nan, 0])


def test_a_wrong_wrench_and_a_wrong_station_are_told(robot):
    z, name = np.zeros(4), robot.links[-1].name
    for bad in ([1, 2, 3], [0, 0, np.nan, 0, 0, 0]):
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
