"""Other programs, where they are installed: the same rigid robot, one evaluation."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import numpy as np

from supple.analyse import Call
from supple.engine import compile
from supple.robot import Link, Robot
from supple.types import Floats


class Pinocchio:
    """Its module, and the same rigid serial robot for it."""

    def __init__(self, robot: Robot) -> None:
        try:
            import pinocchio
        except ImportError:
            raise SystemExit(
                "the ratios compare with Pinocchio, which is not installed: "
                "pip install 'supple[bench]'; or choose others with --only"
            ) from None
        self.module: Any = pinocchio
        self.name = f"Pinocchio {pinocchio.__version__}"
        self.model = pinocchio_model(robot)
        self.data = self.model.createData()


def pinocchio_model(robot: Robot) -> Any:
    """From our constants."""
    import pinocchio as pin

    model, parent = pin.Model(), 0
    kinds = {"revolute": pin.JointModelRZ, "prismatic": pin.JointModelPZ}
    for link in robot.links:
        place = pin.SE3(link.mount.R0, link.mount.r0 + link.mount.rho)
        parent = model.addJoint(parent, kinds[link.joint.kind](), place, link.name)
        inertia = pin.Inertia(link.body.mass, *inertia_of(link))
        model.appendBodyToJoint(parent, inertia, pin.SE3.Identity())
    model.gravity.linear = robot.gravity
    return model


def mujoco_call(robot: Robot, x: tuple[Any, ...]) -> tuple[str, Call] | None:
    """Its forward dynamics."""
    try:
        import mujoco
    except ImportError:
        return None
    model = mujoco.MjModel.from_xml_string(mujoco_words(robot))
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:], data.qfrc_applied[:] = x
    return f"MuJoCo {version('mujoco')}", Call(mujoco.mj_forward, (model, data))


def casadi_call(robot: Robot, x: tuple[Any, ...]) -> tuple[str, Call] | None:
    """CasADi's own evaluation of the same graph, with memory that is tied to it once."""
    try:
        import casadi  # noqa: F401
    except ImportError:
        return None
    return f"CasADi {version('casadi')}, buffers", _buffered(_graph(robot), x)


def casadi_native_call(robot: Robot, x: tuple[Any, ...]) -> tuple[str, Call] | None:
    """The C code that CasADi writes of the same graph, compiled; None without a compiler."""
    compiler = shutil.which("cc")
    try:
        import casadi
    except ImportError:
        return None
    if compiler is None:
        return None
    f = _graph(robot)
    with tempfile.TemporaryDirectory() as folder:
        writer = casadi.CodeGenerator("graph.c")
        writer.add(f)
        source, library = writer.generate(f"{folder}/"), f"{folder}/graph.so"
        flags = ("-O3", "-march=native", "-shared", "-fPIC")
        subprocess.run([compiler, *flags, source, "-o", library, "-lm"], check=True)
        native = casadi.external(f.name(), library)
    return f"CasADi {version('casadi')}, its C compiled, buffers", _buffered(native, x)


def _graph(robot: Robot) -> Any:
    return compile(robot, "forward_dynamics").to_casadi()


@dataclass(frozen=True)
class BufferedCall(Call):
    """A call of a CasADi function whose arguments and result are tied to arrays; held: what must
    outlive it."""

    out: Floats
    held: tuple[Any, ...]


def _buffered(f: Any, x: tuple[Any, ...]) -> BufferedCall:
    """By `Function.buffer`, its entry of least overhead."""
    arrays, out = [np.array(a, dtype=float) for a in x], np.zeros(f.numel_out(0))
    buffer, evaluate = f.buffer()
    for k, a in enumerate(arrays):
        buffer.set_arg(k, a.data)
    buffer.set_res(0, out.data)
    return BufferedCall(evaluate, (), out, (f, buffer, arrays))


def mujoco_words(robot: Robot) -> str:
    """The same rigid serial robot for MuJoCo, from our constants."""
    opened, closed = "", ""
    for link in robot.links:
        c, inertia = inertia_of(link)
        six = [inertia[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
        kind = {"revolute": "hinge", "prismatic": "slide"}[link.joint.kind]
        axes = [*link.mount.R0[:, 0], *link.mount.R0[:, 1]]
        opened += (
            f'<body pos="{_words(link.mount.r0 + link.mount.rho)}" xyaxes="{_words(axes)}">'
            f'<inertial pos="{_words(c)}" mass="{link.body.mass!r}" fullinertia="{_words(six)}"/>'
            f'<joint type="{kind}" axis="0 0 1"/>'
        )
        closed += "</body>"
    option = f'<option gravity="{_words(robot.gravity)}"><flag contact="disable"/></option>'
    limits = '<compiler angle="radian" balanceinertia="true" boundmass="0" boundinertia="0"/>'
    return f"<mujoco>{limits}{option}<worldbody>{opened}{closed}</worldbody></mujoco>"


def closed_dynamics(robot: Robot, q: Floats, qd: Floats, tau: Floats) -> Any:
    """Pinocchio's name, its constrained forward dynamics of a rigid closed chain with balls at
    its cuts as a call, and its accelerations in our order; None where it is not installed."""
    try:
        import pinocchio as pin
    except ImportError:
        return None
    kinds = {
        "revolute": pin.JointModelRZ,
        "prismatic": pin.JointModelPZ,
        "spherical": pin.JointModelSpherical,
        "floating": pin.JointModelFreeFlyer,
    }
    ids: list[int] = []
    model = pin.Model()
    for link in robot.links:
        place = pin.SE3(link.mount.R0, link.mount.r0 + link.mount.rho)
        above = ids[link.parent] if link.parent >= 0 else 0
        ids.append(model.addJoint(above, kinds[link.joint.kind](), place, link.name))
        if link.body.mass > 0.0:
            inertia = pin.Inertia(link.body.mass, *inertia_of(link))
            model.appendBodyToJoint(ids[-1], inertia, pin.SE3.Identity())
    model.gravity.linear = robot.gravity
    cuts, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    for loop in robot.loops:
        sides: list[Any] = []
        for i, station in (loop.first, loop.second):
            sides += [ids[i] if i >= 0 else 0, pin.SE3(station.R0, station.r0 + station.rho)]
        cuts.append(pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, model, *sides))
        datas.append(cuts[-1].createData())
    data = model.createData()
    pin.initConstraintDynamics(model, data, cuts, datas)
    x, rows = _their_order(robot, q)
    call = Call(pin.constraintDynamics, (model, data, x, qd[rows], tau[rows], cuts, datas))
    theirs = np.empty(robot.nv)
    theirs[rows] = pin.constraintDynamics(*call.arguments)
    return f"Pinocchio {pin.__version__}", call, theirs


def _their_order(robot: Robot, q: Floats) -> tuple[Floats, list[int]]:
    """Position before quaternion (x, y, z, w), and places of our rates: linear before angular."""
    x: list[float] = []
    rows: list[int] = []
    for link in robot.links:
        part, u = list(q[link.q]), list(range(link.u.start, link.u.stop))
        if link.joint.kind == "spherical":
            part = part[1:] + part[:1]
        if link.joint.kind == "floating":
            part, u = part[4:] + part[1:4] + part[:1], u[3:] + u[:3]
        x, rows = x + part, rows + u
    return np.array(x), rows


def inertia_of(link: Link) -> tuple[Floats, Floats]:
    """Mass centre, and moments of inertia about it."""
    c = link.body.c0 / link.body.mass
    W = link.body.W0 - link.body.mass * np.outer(c, c)
    return c, np.asarray(np.trace(W) * np.eye(3) - W)


def _words(values: Any) -> str:
    return " ".join(repr(float(v)) for v in values)
