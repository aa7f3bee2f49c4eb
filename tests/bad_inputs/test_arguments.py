"""Every public function, each argument, a pool of nasty values: it works, or a SuppleError says
what is wrong; no other exception, no hang, no numbers that are not finite."""

from __future__ import annotations

import io
import signal
import threading
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import supple
from supple.errors import SuppleError, brief

SECONDS = 5


class Odd:
    """Neither text, number, list nor mapping; it cannot even be printed."""

    def __repr__(self) -> str:
        raise RuntimeError("no words")


def nasty() -> list[Any]:
    """Anew each time: a generator is spent once it was used."""
    n = 4
    return [
        *(None, True, False, "x", "", "\0", "a" * 300, b"x", 1j, 0, -1, 1.5, 10**400, -(10**30)),
        *(float("nan"), float("inf"), 1e308, -1e308, 1e-308, np.float64(3), np.nan, np.bool_(True)),
        *([], [[1]], [1], ["x"], [None], [b"x"], [[1], [1, 2]], (), (1, 2), ("x", 1), {}, {1: 2}),
        *({"x": 1}, {"x": None}, {None: None}, set(), {1}, frozenset("x"), object(), Odd(), Odd),
        *(lambda: 0, lambda *_: None, lambda *_: [np.nan] * n, print, int, supple),
        *(np.zeros(0), np.zeros(n + 1), np.zeros((n, n)), np.array(1.0), np.zeros(n, complex)),
        *(np.full(n, np.nan), np.full(n, 1e308), np.full(n, "x"), np.full(n, None, dtype=object)),
        *(
            np.zeros(n, "M8[s]"),
            np.zeros(n, dtype=bool),
            np.ones(n, dtype=np.int8),
            np.zeros(n, "V4"),
        ),
        *(
            np.ma.masked_all(n),
            np.zeros((2, 2, 2, 2)),
            range(n),
            range(0),
            iter([1.0]),
            io.StringIO("x"),
        ),
        *((x for x in [1.0]), Path("x"), Path("/"), [1e308] * n, [10**400] * n, ["1"] * n),
        *(
            puma(),
            robot(),
            slice(None),
            Ellipsis,
            NotImplemented,
            Exception("x"),
            type,
        ),
    ]


@cache
def robot() -> supple.Robot:
    return supple.load("lin-lewis-rfr")


@cache
def puma() -> supple.Robot:
    return supple.load("puma")


@cache
def small() -> supple.Robot:
    return supple.load("lin-lewis-rr")


@cache
def linkage() -> supple.Robot:
    return supple.load("five-bar")


@cache
def run() -> supple.Result:
    return supple.simulate(robot(), None, 0.01, samples=3)


Q = [0.1, 0.01, 0.2, 0.3]
STATE = {"robot": robot, "q": Q}
MOVING = {**STATE, "qd": Q}
LINK = "link2"
AT = {"station": LINK}
LOAD = {"external": {LINK: [0.0, 0.0, 0.0, 1.0, 0.0, 0.0]}}

CLOSED: dict[str, Any] = {"robot": linkage, "q": lambda: linkage().home()}
STILL = [0.0] * 4
CALLS: dict[str, dict[str, Any]] = {
    "acceleration": {**MOVING, "qdd": Q, **AT},
    "articulated_bodies": STATE,
    "bias_force": {**MOVING, **LOAD},
    "centre_of_mass": STATE,
    "centre_of_mass_motion": {**MOVING, "qdd": Q},
    "composite_bodies": STATE,
    "coriolis_force": MOVING,
    "elastic_force": STATE,
    "forward_dynamics": {**MOVING, "tau": Q, **LOAD},
    "forward_sweeps": {**MOVING, "tau": Q, **LOAD},
    "gravity_force": STATE,
    "inverse_dynamics": {**MOVING, "qdd": Q, **LOAD},
    "inverse_mass_matrix": STATE,
    "jacobian": {**STATE, **AT},
    "jacobian_rate": {**MOVING, **AT},
    "kinetic_energy": MOVING,
    "mass_matrix": STATE,
    "momentum": MOVING,
    "motor_torque": {"robot": robot, "qd": Q, "tau": Q},
    "passive_force": MOVING,
    "pose": {**STATE, **AT},
    "potential_energy": STATE,
    "regressor": {**MOVING, "qdd": Q},
    "inertial_parameters": {"robot": robot},
    "base_parameters": {"robot": robot, "seed": 0},
    "identify": {
        "robot": robot,
        **{name: [Q, Q[::-1]] for name in ("q", "qd", "qdd", "tau")},
        "unknown": ["link2.Izz"],
    },
    "section_forces": {**MOVING, "qdd": Q, **AT, **LOAD},
    "twist": {**MOVING, **AT},
    "twists": MOVING,
    "udu_factors": STATE,
    "assemble": {"robot": linkage, "q": {"motor1": 0.6}, "held": ["motor1", "motor2"]},
    "mobility": {"robot": linkage, "q": lambda: linkage().home()},
    "joint_wrenches": {**MOVING, "qdd": Q, **LOAD},
    "denoc": MOVING,
    "closure": CLOSED,
    "closure_jacobian": CLOSED,
    "multipliers": {**CLOSED, "qd": STILL, "tau": STILL, "external": None},
    "cut_wrenches": {**CLOSED, "qd": STILL, "qdd": STILL, "external": None},
    "platform_jacobian": CLOSED,
    "parallel": CLOSED,
    "reduced": {**CLOSED, "qd": STILL, "external": None},
    "complete_motion": {**CLOSED, "rates": [0.1, 0.2], "accelerations": [0.3, 0.4]},
    "cut_choices": {"robot": linkage},
    "subsystems": {"robot": linkage, "base": None},
    "solution_order": {"robot": linkage, "base": None},
    "along": {**STATE, "points": 5, "qd": Q, "qdd": Q, **LOAD, "cuts": None},
    "gauge": {**STATE, "where": LINK, "qd": Q, "qdd": Q, **LOAD, "cuts": None},
    "frequencies": {**STATE, "locked": True, "rates": {"joint1": 0.1}},
    "statics": {"robot": robot, "q_joints": [0.1, 0.2, 0.3], "wrench": None, "linear": False},
    "reach": {"robot": robot, "target": {LINK: (None, 0.1, None)}, "wrench": None, "start": None},
    "zeros": {"robot": robot, "outputs": None, "inputs": None, "q": Q, "damping": True},
    "linearise": {
        **MOVING,
        "tau": Q,
        "inputs": ["joint1"],
        "outputs": ["link2.tip.y"],
        "held": ["joint3"],
        **LOAD,
        "at": None,
    },
    "campbell": {
        "robot": robot,
        "joint": "joint1",
        "speeds": [0.0, 0.1],
        "q": None,
        "orders": [1, 2],
    },
    "workspace_map": {
        "robot": robot,
        "station": LINK,
        "axes": {"joint1": [0.0, 0.1]},
        "load": [0.0, 1.0, 0.0],
        "start": None,
        "progress": None,
    },
    "inverse_along": {
        "robot": puma,
        "motion": None,
        "samples": 5,
        "bending": True,
        "rtol": 1e-6,
    },
    "energy_study": {"run": run, "robot": None},
    "plot": {
        "source": robot,
        "kind": "modes",
        "path": None,
        "width": "single",
        "q": None,
        "count": 1,
        "plane": "xy",
        "free": False,
    },
    "equations": {
        "robot": small,
        "parameters": "symbolic",
        "tip_angle": None,
        "elastic_angle": "exact",
        "simplify": 0,
        "drop": 0.0,
        "limit": 1.0,
        "progress": None,
    },
    "compile": {
        "robot": robot,
        "what": "gravity_force",
        "station": None,
        "parameters": (),
        "wrenches": (),
        "unroll": None,
        "dtype": "float64",
    },
    "simulate": {
        "robot": robot,
        "torque": None,
        "duration": 0.01,
        "motion": None,
        "prescribed": None,
        "q0": Q,
        "qd0": Q,
        "samples": 3,
        "method": "auto",
        "rtol": 1e-6,
        "atol": 1e-8,
        "external": None,
        "at_rest": False,
        "breaks": [0.005],
        "step": None,
        "events": (),
        "keep": (),
        "progress": None,
    },
    "feedforward": {"robot": robot, "motion": None, "model": "rigid"},
    "pd": {"robot": robot, "kp": 5.0, "kd": 1.0, "reference": None, "coordinates": ["joint1"]},
    "pid": {"robot": robot, "kp": 5.0, "ki": 1.0, "kd": 1.0, "coordinates": None},
    "computed_torque": {
        "robot": robot,
        "kp": 5.0,
        "kd": 1.0,
        "reference": None,
        "coordinates": None,
        "model": "rigid",
    },
    "gravity_compensation": {"robot": robot, "coordinates": None, "model": "rigid"},
    "lqr": {"robot": robot, "Q": np.ones(8), "R": 1.0, "q": None, "coordinates": None},
    "cycloidal": {"robot": robot, "to": {"joint1": 0.1}, "duration": 1.0, "start": 0.0},
    "quintic": {"robot": robot, "to": {"joint1": 0.1}, "duration": 1.0, "start": 0.0},
    "trapezoidal": {
        "robot": robot,
        "to": {"joint1": 0.1},
        "rate": 1.0,
        "acceleration": 2.0,
        "start": 0.0,
    },
    "through": {"robot": robot, "times": [0.0, 1.0], "places": {"joint1": [0.0, 0.1]}},
    "simulate_many": {
        "robot": robot,
        "variations": {"link2.beam.mass": [0.4, 0.5]},
        "torque": None,
        "duration": 0.01,
        "motion": None,
        "prescribed": None,
        "external": None,
        "breaks": None,
        "samples": 3,
        "method": "auto",
        "rtol": 1e-6,
        "atol": 1e-8,
        "step": None,
        "threads": 1,
    },
    "shaper": {"kind": "ei", "omega": 3.0, "damping": 0.1, "vibration": 0.05},
    "shaped": {
        "given": lambda: supple.quintic(robot(), {"joint1": 0.1}, 1.0),
        "by": lambda: supple.shaper("zvd", 3.0),
    },
    "limited": {"torque": lambda: supple.pd(robot(), 5.0, 1.0), "limits": 3.0},
    "write_model": {"robot": robot, "file": "none/arm.yaml"},
    "load": {"name_or_path": "puma"},
    "load_result": {"path": "none.nc"},
    "load_part": {
        "file": "none.sid",
        "mass": None,
        "nodes": None,
        "freedoms": None,
        "root": 1,
        "stations": {"tip": 2},
        "method": "guyan",
        "modes": 1,
        "keep": 1,
    },
    "write_sid": {"robot": robot, "link": LINK, "path": "none/part.sid", "exact": True},
    "build": {"words": {}},
    "Result": {"data": lambda: run().data},
}

METHODS: dict[str, tuple[Any, dict[str, Any]]] = {
    "Assemblies.nearest": (lambda: assemblies(), {"q": {"elbow1": 1.0}}),
    "Robot.index": (robot, {"link": LINK}),
    "Robot.station": (robot, {"where": LINK}),
    "Robot.replace": (robot, {"gravity": [0, 0, 0], "elastic_kinematics": "rigid"}),
    "Robot.with_parameters": (robot, {"values": {"gravity.2": 1.0}}),
    "Robot.with_modes": (robot, {"bending_y": 2, "family": "orthogonal"}),
    "Robot.normalized": (robot, {"q": Q}),
    "Result.__getitem__": (run, {"name": "q"}),
    "Result.save": (run, {"path": "none/run.nc"}),
    "Result.plot": (run, {"path": "none/run.png"}),
    "Result.view": (run, {0: run, "labels": ["a", "b"], "magnify": 2.0, "robot": None}),
    "View.save": (lambda: view(), {"path": "none/run.glb"}),
    "Function.__call__": (lambda: function(), {0: np.array(Q)}),
    "Function.batch": (lambda: function(), {0: np.array([Q]), "out": None, "threads": None}),
    "Function.jacobian": (lambda: function(), {0: "q", "tangent": False}),
    "Function.jvp": (lambda: function(), {0: "q", "tangent": False}),
    "Function.vjp": (lambda: function(), {0: "q", "tangent": False}),
    "Function.hessian": (lambda: function(), {0: "q"}),
    "Function.hessian_vector": (lambda: function(), {"wrt": "q"}),
    "Function.cuda_source": (lambda: function(), {"dtype": "double"}),
    "Statics.position": (lambda: statics(), {"station": LINK}),
    "LinearModel.zeros": (lambda: linear(), {"outputs": ["link2.tip.y"], "inputs": ["joint1"]}),
    "LinearModel.transfer_function": (
        lambda: linear(),
        {"output": "link2.tip.y", "input": "joint1"},
    ),
    "TransferFunction.__call__": (
        lambda: linear().transfer_function("link2.tip.y", "joint1"),
        {0: 1j},
    ),
    "Shaper.residual": (lambda: supple.shaper("zv", 3.0), {"omega": 2.0, "damping": 0.1}),
    "Motion.__call__": (lambda: supple.quintic(robot(), {"joint1": 1.0}, 1.0), {0: 0.5}),
    "LinearModel.frequency_response": (lambda: linear(), {"w": 3.0}),
    "LinearModel.bode": (
        lambda: linear(),
        {"path": "none/bode.png", "w": [1.0, 2.0], "outputs": None, "inputs": ["joint1"]},
    ),
    "WorkspaceMap.plot": (
        lambda: workspace_map(),
        {"path": "none/map.png", "what": "sag"},
    ),
    "Equations.at": (lambda: equations(), {"q": [0.1] * 2, "qd": [0.1] * 2}),
    "Equations.inverse_dynamics": (
        lambda: equations(),
        {"q": [0.1] * 2, "qd": [0.1] * 2, "qdd": [0.1] * 2},
    ),
    "Equations.simplified": (lambda: equations(), {"level": 1}),
    "Equations.without": (lambda: equations(), {"tolerance": 0.1}),
    "Equations.pretty": (lambda: equations(), {"limit": 1000, "abbreviate": True}),
    "Equations.latex": (lambda: equations(), {"limit": 1000, "abbreviate": True}),
    "Equations.code": (lambda: equations(), {"language": "python"}),
}


@cache
def assemblies() -> supple.Assemblies:
    return supple.assemble(linkage())


@cache
def function() -> supple.Function:
    return supple.compile(robot(), "gravity_force")


@cache
def linear() -> supple.LinearModel:
    return supple.linearise(robot(), outputs=["link2.tip.y", "joint1", "joint2"])


@cache
def statics() -> supple.Statics:
    return supple.statics(robot())


@cache
def workspace_map() -> supple.WorkspaceMap:
    return supple.workspace_map(robot(), LINK, {"joint1": [0.0, 0.1]})


@cache
def view() -> Any:
    return run().view()


@cache
def equations() -> supple.Equations:
    return supple.equations(small())


CASES = [(name, key) for name, given in CALLS.items() for key in given]
CASES += [(name, key) for name, (_, given) in METHODS.items() for key in given]


@contextmanager
def limited(seconds: int) -> Any:
    """A call that takes longer is a hang."""

    def stop(*_: Any) -> None:
        raise TimeoutError(f"more than {seconds} s")

    old = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, old)


def finite(value: Any) -> bool:
    """Whether every number in it is."""
    if (isinstance(value, np.ndarray) and value.dtype.kind == "f") or isinstance(value, float):
        return bool(np.all(np.isfinite(value)))
    if isinstance(value, supple.Result):
        return all(finite(value.data[name].values) for name in value.data.data_vars)
    if isinstance(value, list | tuple):
        return all(map(finite, value))
    if isinstance(value, dict):
        return all(map(finite, value.values()))
    if is_dataclass(value) and not isinstance(value, supple.Robot | supple.Equations):
        return all(finite(getattr(value, f.name)) for f in fields(value))
    return True


def call(name: str, given: dict[Any, Any]) -> Any:
    if name in METHODS:
        owner = METHODS[name][0]()
        positional = [v for k, v in given.items() if isinstance(k, int)]
        named = {k: v for k, v in given.items() if not isinstance(k, int)}
        return getattr(owner, name.partition(".")[2])(*positional, **named)
    return (
        getattr(supple, name)(*given.values())
        if name == "build"
        else getattr(supple, name)(**given)
    )


def fault(name: str, key: Any, value: Any) -> str:
    """What is wrong with how the call took the value, or ''."""
    given = METHODS[name][1] if name in METHODS else CALLS[name]
    given = {k: v() if v is robot or callable(v) else v for k, v in given.items()}
    try:
        with limited(SECONDS):
            out = call(name, {**given, key: value})
    except SuppleError as error:
        return "" if len(str(error)) > 10 else f"said only {error!s}"
    except Exception as error:
        return f"{type(error).__name__}: {brief(str(error), 90)}"
    if name.startswith("Function.") or name in ("Robot.normalized", "limited"):
        return ""  # they hand NaN on, as documented; torques are looked at by a run
    return "" if finite(out) else "gave numbers that are not finite"


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="no alarms here")
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "key"), CASES, ids=[f"{n}-{k}" for n, k in CASES])
def test_an_argument_of_any_kind_works_or_is_refused_in_words(
    name, key, tmp_path, monkeypatch, capfd
):
    monkeypatch.chdir(tmp_path)
    assert threading.current_thread() is threading.main_thread()
    values = [v for v in nasty() if not (key == "progress" and v is Odd)]  # its fault is its own
    faults = {brief(value, 40): fault(name, key, value) for value in values}
    assert {value: words for value, words in faults.items() if words} == {}
