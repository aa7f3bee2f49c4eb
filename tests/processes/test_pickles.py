"""Everything public pickles, by every protocol, is copied, and hashed; what comes back holds the
same numbers to the last bit."""

from __future__ import annotations

import copy
import functools
import inspect
import pickle
import pkgutil
import tempfile
import threading
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import supple
from supple.errors import Fault, SuppleError
from supple.model.parameters import parameter_value
from supple.robot import place_coordinates
from supple.simulation.law import Law
from supple.tracer import Function
from trees import BODIES, JOINTS, THIRD, tree

PROTOCOLS = (2, 3, 4, 5)
load = functools.cache(supple.load)
JOINT, TIP = "joint1", "barrel.tip"
PLAIN = ("Floats", "float", "list[str]", "dict[str, float]", "Path", "Figure | Path")


def arm() -> Any:
    return load("puma")


def bent() -> Any:
    return load("lin-lewis-rf")


def loop() -> Any:
    return load("five-bar")


def zero(robot: Any) -> Any:
    return np.zeros(robot.nv)


def motion(robot: Any = None) -> Any:
    robot = robot or arm()
    return supple.cycloidal(robot, {robot.links[0].joint_name: 0.5}, 1.0)


@functools.cache
def run() -> Any:
    return supple.simulate(bent(), events=supple.Event("t - 0.05"), duration=0.1, samples=11)


def runs(**more: Any) -> Any:
    start = {"q0": np.zeros((2, 2))}
    return supple.simulate_many(load("lin-lewis-rr"), start, duration=0.1, samples=3, **more)


def identified() -> Any:
    rng = np.random.default_rng(3)
    robot = load("lin-lewis-rr")
    q, qd, qdd = (rng.normal(size=(20, robot.nv)) for _ in range(3))
    tau = [supple.inverse_dynamics(robot, *x) for x in zip(q, qd, qdd, strict=True)]
    return supple.identify(robot, q, qd, qdd, tau, ["link2.Izz"])


def from_files() -> Any:
    """What is read from files: a body of finite elements, and a run."""
    with tempfile.TemporaryDirectory() as folder:
        part = supple.write_sid(load("canadarm").with_modes(2), "link1", f"{folder}/link.sid")
        return [supple.load_part(part), supple.load_result(run().save(f"{folder}/run.nc"))]


def swept() -> Any:
    columns = {"point": np.arange(3), "mass": np.ones(3), "omega": np.linspace(1.0, 2.0, 3)}
    return supple.Sweep("masses", Path("masses.sweep"), columns, ("mass",), ("omega",), 3)


MADE: dict[str, Callable[[], object]] = {
    "along": lambda: supple.along(bent(), bent().home()),
    "articulated_bodies": lambda: supple.articulated_bodies(bent(), bent().home()),
    "assemble": lambda: supple.assemble(loop()),
    "base_parameters": lambda: supple.base_parameters(load("lin-lewis-rr")),
    "build": lambda: supple.build(bent().spec),
    "campbell": lambda: supple.campbell(bent(), bent().links[0].joint_name, [0.0, 1.0]),
    "compile": lambda: supple.compile(bent(), "mass_matrix"),
    "composite_bodies": lambda: supple.composite_bodies(bent(), bent().home()),
    "computed_torque": lambda: supple.computed_torque(bent(), 10.0, 1.0),
    "cut_choices": lambda: supple.cut_choices(loop()),
    "cycloidal": motion,
    "denoc": lambda: supple.denoc(arm(), arm().home(), zero(arm())),
    "energy_study": lambda: supple.energy_study(run(), bent()),
    "equations": lambda: supple.equations(load("lin-lewis-rr")),
    "feedforward": lambda: supple.feedforward(bent(), motion(bent()), model="flexible"),
    "forward_sweeps": lambda: supple.forward_sweeps(bent(), bent().home(), *2 * [zero(bent())]),
    "frequencies": lambda: supple.frequencies(bent()),
    "gauge": lambda: supple.gauge(bent(), bent().home(), TIP),
    "gravity_compensation": lambda: supple.gravity_compensation(bent()),
    "identify": identified,
    "inverse_along": lambda: supple.inverse_along(arm(), motion(), samples=5),
    "limited": lambda: supple.limited(supple.pd(bent(), 10.0, 1.0), 5.0),
    "linearise": lambda: supple.linearise(bent()),
    "load": lambda: load("space-robot"),
    "lqr": lambda: supple.lqr(arm(), 1.0, 1.0),
    "mobility": lambda: supple.mobility(loop()),
    "parallel": lambda: supple.parallel(load("three-rrr"), load("three-rrr").home()),
    "pd": lambda: supple.pd(bent(), 10.0, 1.0, {"azimuth": "sin(t)"}),
    "pid": lambda: supple.pid(bent(), 10.0, 1.0, 1.0) + supple.gravity_compensation(bent()),
    "pose": lambda: supple.pose(arm(), arm().home(), arm().links[-1].name),
    "quintic": lambda: supple.quintic(arm(), {JOINT: 0.5}, 1.0),
    "reach": lambda: supple.reach(load("lin-lewis-rr"), {"link2": (1.0, 0.5, None)}),
    "reduced": lambda: supple.reduced(loop(), loop().home(), zero(loop())),
    "shaped": lambda: supple.shaped(motion(), supple.shaper("zv", 10.0)),
    "shaper": lambda: supple.shaper("ei", 10.0, 0.02),
    "simulate": run,
    "simulate_many": lambda: runs(torque=supple.pd(load("lin-lewis-rr"), 10.0, 1.0)),
    "solution_order": lambda: supple.solution_order(loop()),
    "statics": lambda: supple.statics(bent()),
    "subsystems": lambda: supple.subsystems(loop()),
    "through": lambda: supple.through(arm(), [0.0, 1.0, 2.0], {JOINT: [0.0, 1.0, 0.5]}),
    "trapezoidal": lambda: supple.trapezoidal(arm(), {JOINT: 0.5}, 1.0, 1.0),
    "workspace_map": lambda: supple.workspace_map(arm(), "link6", {"joint1": [0.0, 0.5]}),
    "zeros": lambda: supple.zeros(load("lin-lewis-rf")),
    # classes, and what is asked of the objects above
    "Event": lambda: supple.Event("joint1 - 0.5", "switch", then=np.ones(6)),
    "Sampled": lambda: supple.Sampled(supple.pd(bent(), 10.0, 1.0), 0.01) + np.ones(6),
    "View": lambda: arm().view(),
    "Sweep": swept,
    "files": from_files,
    "events": lambda: run().events,
    "checks": lambda: (run().checks, run().report()),
    "a run of many": lambda: runs().run(1),
    "compiled, parameters": lambda: supple.compile(bent(), "bias_force", parameters=["gravity.2"]),
    "compiled, of a beam": lambda: supple.compile(bent(), "section_forces", station=TIP),
    "compiled, float32": lambda: supple.compile(arm(), "mass_matrix", dtype="float32"),
    "compiled, a scan": lambda: supple.compile(bent(), "forward_dynamics", unroll=False),
    **{
        f"compiled, {how}": lambda how=how: getattr(supple.compile(arm(), "gravity_force"), how)(
            "q"
        )
        for how in ("jacobian", "jvp", "vjp", "hessian", "hessian_vector")
    },
}
ELSEWHERE = {"load_part", "load_result", "load_sweep", "sweep", "plot"}  # files; below, or arrays


def numbers(x: object, seen: tuple[int, ...] = ()) -> Any:
    """All that an object holds, by value; functions are asked, arrays by their bytes."""
    if id(x) in seen:
        return "itself"
    inside = functools.partial(numbers, seen=(*seen, id(x)))
    if isinstance(x, np.ndarray):
        return (x.dtype.str, x.shape, x.tobytes()) if x.dtype != object else x.tolist()
    if isinstance(x, Function):
        rng = np.random.default_rng(7)
        found = x(*(rng.normal(size=n) for n in x.arguments.values()))
        return (*x.arguments.items(), *x.parameters.items(), inside(found))
    if isinstance(x, Law):
        q, qd = np.linspace(-0.5, 0.5, 2 * bent().nv).reshape(2, -1)
        values = [x(t, q, qd, x.states.start + 0.1) for t in (0.0, 0.3, 0.9)]
        return inside([values, list(x.breaks), x.called])
    if isinstance(x, supple.Result):
        return inside({str(k): v.values for k, v in x.data.variables.items()} | dict(x.data.attrs))
    if isinstance(x, supple.Runs):
        return inside([x.data[k].values for k in ("q", "qd", "work")])
    if hasattr(x, "duration") and hasattr(x, "places"):
        return inside([x(t) for t in (0.0, 0.2, 0.7, 1.5)])
    if is_dataclass(x) and not isinstance(x, type):
        return [type(x).__name__, *(inside(getattr(x, f.name)) for f in fields(x))]
    if isinstance(x, Mapping):
        return {str(k): inside(v) for k, v in x.items()}
    if isinstance(x, list | tuple):
        return [inside(v) for v in x]
    return x if isinstance(x, str | int | float | complex | None) else type(x).__name__


def again(x: Any, protocol: int) -> Any:
    return pickle.loads(pickle.dumps(x, protocol))


def assert_portable(x: Any) -> None:
    """It comes back, by every protocol, and from the second generation too."""
    for protocol in PROTOCOLS:
        back = again(again(x, protocol), protocol)
        assert type(back).__name__ == type(x).__name__
        np.testing.assert_equal(numbers(back), numbers(x))
    np.testing.assert_equal(numbers(copy.deepcopy(x)), numbers(x))
    parts = x.values() if isinstance(x, dict) else x if isinstance(x, list | tuple) else [x]
    for part in parts:
        if not isinstance(part, np.ndarray):
            twin = again(part, 5)
            assert hash(twin) == hash(part) or twin != part


@pytest.mark.parametrize("name", MADE)
def test_what_public_functions_give_comes_back(name: str) -> None:
    assert_portable(MADE[name]())


def test_the_table_has_every_public_function_that_gives_more_than_numbers() -> None:
    functions = {n: f for n in supple.__all__ if inspect.isfunction(f := getattr(supple, n))}
    rest = {
        name
        for name, f in functions.items()
        if str(inspect.signature(f).return_annotation) not in PLAIN
        and not str(inspect.signature(f).return_annotation).startswith("tuple[Floats")
    }
    assert rest - ELSEWHERE == {n for n in MADE if n in functions}


@pytest.mark.parametrize("name", supple.shipped())
def test_shipped_robots_come_back_equal_and_move_alike(name: str) -> None:
    assert_robot(load(name))


@pytest.mark.parametrize("number", list(THIRD)[::8])
def test_random_trees_come_back_equal(number: int) -> None:
    assert_robot(tree(number, JOINTS, BODIES))


def assert_robot(robot: Any) -> None:
    assert_portable(robot)
    for twin in (*(again(robot, p) for p in PROTOCOLS), copy.copy(robot), copy.deepcopy(robot)):
        assert twin == robot
        assert hash(twin) == hash(robot)
        q = robot.home() + 0.01
        assert supple.mass_matrix(twin, q).tobytes() == supple.mass_matrix(robot, q).tobytes()
        assert twin.replace(description="another") != twin
        for link in twin.links:
            parts = (link, link.body, link.mount, link.joint, link.drive, link.body.line)
            assert len({*parts, *(again(x, 5) for x in parts)}) == len({*parts})


@pytest.mark.parametrize("name", ["puma", "canadarm", "flexible-joint-arm"])
def test_robots_that_differ_in_one_number_are_unequal(name: str) -> None:
    robot = load(name)
    assert supple.load(name) == robot == supple.build(robot.spec, robot.folder)
    for parameter in robot.parameter_names[::5]:
        value = parameter_value(robot, parameter)
        other = robot.with_parameters({parameter: value * (1.0 + 1e-15) or 1e-300})
        assert (other == robot) == (parameter_value(other, parameter) == value), parameter


def test_robots_made_by_hand_are_equal_by_their_numbers() -> None:
    robot = load("canadarm")
    body = robot.links[0].body
    heavier = body.changed(Mdd=np.where(body.Mdd == body.Mdd.max(), 1.0 + 1e-15, 1.0) * body.Mdd)
    links = [replace(robot.links[0], body=heavier), *robot.links[1:]]
    made = replace(robot, links=place_coordinates(links))
    assert made != robot
    assert len({made, robot, again(made, 4), again(robot, 4)}) == 2


def errors() -> list[type[SuppleError]]:
    """Every class of error, wherever it is defined."""
    for module in pkgutil.walk_packages(supple.__path__, "supple."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    found, todo = [], [SuppleError]
    while todo:
        kind = todo.pop()
        found.append(kind)
        todo += [k for k in kind.__subclasses__() if k.__module__.startswith("supple.")]
    return found


def made(kind: type[SuppleError]) -> SuppleError:
    """An error with all that its class takes."""
    fault = Fault("no such key", ("links", 0), 3, 5, "  mas: 1", "did you mean mass?", "arm.yaml")
    known = {"faults": [fault, fault], "source": "arm.yaml", "topic": "study", "loop": 1}
    known |= {"final": True, "words": "the loops do not close", "help": "look at them"}
    if kind.__init__ in (Exception.__init__, OSError.__init__, ValueError.__init__):
        return kind("what is wrong", 3)
    names = list(inspect.signature(kind.__init__).parameters)[1:]
    return kind(*(known.get(n, "what is wrong") for n in names if n not in ("args", "kwargs")))


@pytest.mark.parametrize("kind", errors(), ids=lambda kind: kind.__name__)
def test_errors_come_back_with_all_that_they_say(kind: type[SuppleError]) -> None:
    error = made(kind)
    error.add_note("in the arm of the second robot")
    for twin in (*(again(error, p) for p in PROTOCOLS), copy.copy(error), copy.deepcopy(error)):
        assert type(twin) is kind
        assert (str(twin), twin.args, vars(twin)) == (str(error), error.args, vars(error))


def test_an_error_of_the_system_keeps_its_number_and_file() -> None:
    twin = again(supple.FileError(2, "No such file", "run.nc"), 5)
    assert (twin.errno, twin.strerror, twin.filename) == (2, "No such file", "run.nc")


def test_a_failed_run_comes_back_with_what_was_reached() -> None:
    with pytest.raises(supple.SimulationError) as caught:
        supple.simulate(arm(), lambda t: np.full(6, np.nan if t > 0.05 else 0.0), duration=0.1)
    twin = again(caught.value, 4)
    assert numbers(twin.partial) == numbers(caught.value.partial)


def test_laws_of_a_users_lambda_come_back() -> None:
    gain = 3.0
    event = supple.Event(lambda t, q, qd: t - gain, "switch", then=lambda at: gain * at.q)
    twin = again(supple.Sampled(lambda t, q, qd: -gain * qd, 0.01), 4)
    assert twin.torque(0.0, None, np.ones(2)).tolist() == [-3.0, -3.0]
    assert again(event, 2).when(5.0, None, None) == 2.0


def test_what_cannot_be_pickled_says_what_to_do() -> None:
    lock = threading.Lock()
    law = supple.limited(lambda t: lock.locked() * np.zeros(6), 5.0)
    with pytest.raises(supple.InputError, match=r"a Limited cannot be pickled: .*lock.*when it is"):
        pickle.dumps(law)
    assert copy.deepcopy(law).torque is law.torque
