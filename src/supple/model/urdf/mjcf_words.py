"""A compiled MuJoCo model as the words of a model: its tree, joints, inertias, ties and loops.

A body stands in its parent at T, moved by its joints in turn, each about its own anchor p:

    T  prod_k  Trans(p_k) J_k(q_k - ref_k) Trans(-p_k)

so that each joint but the last has a massless link of its own, and the last one too where its
anchor is not the body's origin. q is MuJoCo's: a joint's frame is put back by its ref.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from ...screws import quaternion_matrix, rotation_from_axes, rpy_matrix, rpy_of
from ...types import Floats
from ..model_words import (
    JointWords,
    LinkWords,
    LoopWords,
    MimicWords,
    ModelWords,
    OriginWords,
    VisualWords,
)
from .read_urdf import ModelNames

if TYPE_CHECKING:
    import mujoco

KINDS = {0: "floating", 1: "spherical", 2: "prismatic", 3: "revolute"}
WITHOUT = (
    ("GRAVITY", "gravity body_gravcomp"),
    ("SPRING", "jnt_stiffness jnt_stiffnesspoly tendon_stiffness tendon_stiffnesspoly"),
    ("DAMPER", "dof_damping dof_dampingpoly tendon_damping tendon_dampingpoly"),
    ("DAMPER", "actuator_damping actuator_dampingpoly"),
    ("SPRING DAMPER", "density viscosity body_gravcomp"),
    *(("EQUALITY", "eq_active0"), ("FRICTIONLOSS", "dof_frictionloss tendon_frictionloss")),
    *(
        ("LIMIT", "jnt_limited tendon_limited"),
        ("CONTACT", "geom_contype geom_conaffinity pair_dim"),
    ),
)
"""Flags, and what does not act where all of them are disabled."""


def mjcf_words(model: mujoco.MjModel, name: str) -> tuple[ModelWords, list[str]]:
    """The words, and what of the model has none."""
    _disable(model)
    refused = _actuators(model)
    made = _Tree(model)
    for body in range(1, model.nbody):
        made.body(body)
    refused += [*_refused(model), *made.refused]
    loops, ties = _equalities(model, made, refused)
    words: ModelWords = {
        "supple": 1,
        "name": (_name(model, "model", 0) or name)[:60],
        "source": "MJCF, compiled by MuJoCo",
        "gravity": [float(x) for x in model.opt.gravity],
        "as_given": True,
        "links": made.links,
        "joints": [ties.get(j["name"], {}) | j for j in made.joints],
    }
    if notes := _notes(model):
        words["notes"] = notes
    if loops:
        words["loops"] = loops
    return words, refused


def _disable(model: mujoco.MjModel) -> None:
    """Make zero what flags disable."""
    from mujoco import mjtDisableBit

    bits = mjtDisableBit.__members__.items()
    off = {name[7:] for name, bit in bits if model.opt.disableflags & int(bit)}
    off |= {"EQUALITY", "FRICTIONLOSS", "LIMIT", "CONTACT"} if "CONSTRAINT" in off else set()
    off |= {"SPRING", "DAMPER"} if "PASSIVE" in off else set()  # in older versions
    for flags, names in WITHOUT:
        for name in names.split() if off.issuperset(flags.split()) else ():
            holder = model.opt if hasattr(model.opt, name) else model
            if hasattr(holder, name):  # versions differ
                setattr(holder, name, 0.0 * getattr(holder, name))


def _notes(model: mujoco.MjModel) -> list[str]:
    """What acts in MuJoCo's runs, and not in those of the robot."""
    many = np.count_nonzero
    own = many(model.actuator_biastype)
    acts = f"; {own} of them act on positions or rates, as laws of torques can" if own else ""
    touch = np.concatenate([model.geom_contype | model.geom_conaffinity, model.pair_dim])
    sums = (
        (model.nu, f"actuators are not read: torques act on joints{acts}"),
        (model.nsensor, "sensors are not read"),
        (many(model.jnt_limited), "joints have ranges, which do not act: give stops"),
        (many(model.eq_active0 == 0), "equalities are not active, and left out"),
        (many(model.eq_active0), "equalities hold rigidly: solref and solimp are not read"),
        (many(model.dof_frictionloss), "dry frictions are rigid: solref and solimp are not read"),
        (many(touch), "geoms may touch others: contacts are not read"),
    )
    return [f"{count} {words}" for count, words in sums if count]


def _actuators(model: mujoco.MjModel) -> list[str]:
    """Give armature and damping of actuators to their hinges and slides; of others: refused."""
    out, none = [], np.zeros(model.nu)  # older versions have none
    both = np.stack([getattr(model, f"actuator_{x}", none) for x in ("armature", "damping")])
    for i in np.flatnonzero(both.any(0)).tolist():
        k, gear = int(model.actuator_trnid[i, 0]), model.actuator_gear[i, 0]
        if model.actuator_trntype[i] in (0, 1) and model.jnt_type[k] in (2, 3):
            dof = model.jnt_dofadr[k]
            model.dof_armature[dof] += gear**2 * both[0, i]
            model.dof_damping[dof] += gear**2 * both[1, i]
        else:
            name = _name(model, "actuator", i) or i
            out.append(f"armature or damping of actuator {name}, on no hinge or slide")
    return out


def _refused(model: mujoco.MjModel) -> list[str]:
    """Parts of the model that act and that a robot of ours has not."""

    def acts(of: str, names: str) -> list[str]:
        both = ((x, k) for x in of.split() for k in names.split())
        return [k for x, k in both if np.any(getattr(model, f"{x}_{k}", 0))]

    tendon = "stiffness damping frictionloss limited armature stiffnesspoly dampingpoly"
    yields = np.any(model.jnt_stiffness * getattr(model, "jnt_springyield", 0.0))
    curved = [*acts("jnt", "stiffnesspoly"), *acts("dof actuator", "dampingpoly")]
    fluid = model.opt.density or model.opt.viscosity
    found = (
        (getattr(model, "nflex", 0), "deformable bodies (flex)"),
        (getattr(model, "nplugin", 0), "plugins"),
        (acts("tendon", tendon), f"tendons with {', '.join(acts('tendon', tendon))}"),
        (fluid, "the resistance of a fluid (density, viscosity)"),
        (acts("body", "gravcomp"), "bodies whose weight is compensated (gravcomp)"),
        (yields or curved, "springs or dampers of joints that are not linear"),
    )
    return [words for there, words in found if there]


def _name(model: mujoco.MjModel, kind: str, i: int) -> str:
    import mujoco

    if kind == "model":
        return str(model.names.split(b"\0", 1)[0].decode("utf-8", "replace"))
    return str(mujoco.mj_id2name(model, getattr(mujoco.mjtObj, f"mjOBJ_{kind.upper()}"), i) or "")


class _Tree:
    def __init__(self, model: mujoco.MjModel) -> None:
        self.model = model
        self.links: dict[str, LinkWords] = {}
        self.joints: list[JointWords] = []
        self.refused: list[str] = []
        self.names = _taken(model, "body", model.nbody)
        self.joint_names = _taken(model, "joint", model.njnt)
        self.names[0] = "world"

    def body(self, i: int) -> None:
        """A body with its joints in turn."""
        m, name = self.model, self.names[i]
        parent = self.names[m.body_parentid[i]]
        r, R = np.array(m.body_pos[i]), np.asarray(quaternion_matrix(m.body_quat[i]), dtype=float)
        joints = range(m.body_jntadr[i], m.body_jntadr[i] + m.body_jntnum[i])
        for k in joints:
            kind, p = KINDS[int(m.jnt_type[k])], np.array(m.jnt_pos[k])
            if kind == "floating":
                r, R, p = np.zeros(3), np.eye(3), np.zeros(3)
            last = k == joints[-1] and not p.any()
            child = name if last else self._helper(f"{name}_{self.joint_names[k]}")
            turn = self._back(k, kind)
            self._joint(k, kind, parent, child, r + R @ (p + turn[0]), R @ turn[1])
            parent, r, R = child, -p, np.eye(3)
        if parent != name:
            label = f"{name}_fixed"
            self.joints.append(_placed(label, "fixed", parent, name, r, R))
        self.links[name] = self._link(i)

    def _helper(self, name: str) -> str:
        while name in self.links or name in self.names.values():
            name += "_"
        self.links[name[:60]] = {}
        return name[:60]

    def _back(self, k: int, kind: str) -> tuple[Floats, Floats]:
        """Where the joint's frame stands so that the body is at home where q is its ref."""
        m = self.model
        axis, ref = np.array(m.jnt_axis[k]), float(m.qpos0[m.jnt_qposadr[k]])
        if kind == "prismatic":
            return -ref * axis, np.eye(3)
        if kind == "revolute" and ref:
            A = rotation_from_axes(axis)
            return np.zeros(3), A @ rpy_matrix(0.0, 0.0, -ref) @ A.T
        return np.zeros(3), np.eye(3)

    def _joint(self, k: int, kind: str, parent: str, child: str, r: Floats, R: Floats) -> None:
        m, dof = self.model, self.model.jnt_dofadr[k]
        words = _placed(self.joint_names[k], kind, parent, child, r, R)
        damping, rubbing = float(m.dof_damping[dof]), float(m.dof_frictionloss[dof])
        spring, rotor = float(m.jnt_stiffness[k]), float(m.dof_armature[dof])
        if damping:
            words["damping"] = damping
        if rubbing:
            words["friction"] = {"coulomb": rubbing}
        if kind in ("revolute", "prismatic"):
            words["axis"] = [float(x) for x in m.jnt_axis[k]]
            if spring:
                rest = float(m.qpos_spring[m.jnt_qposadr[k]])
                words |= {"stiffness": spring, "rest": rest}
            if rotor:
                words["rotor_inertia"] = rotor
            if m.jnt_limited[k]:
                low, high = map(float, m.jnt_range[k])
                words["limits"] = {"lower": low, "upper": high}
        elif spring or rotor:
            what = "a spring" if spring else "an armature"
            self.refused.append(f"{what} of the {kind} joint {words['name']}")
        if rubbing and kind == "floating":  # along the world's axes, not the body's
            self.refused.append(f"dry friction of the floating joint {words['name']}")
        self.joints.append(words)

    def _link(self, i: int) -> LinkWords:
        m, out = self.model, LinkWords()
        R = np.asarray(quaternion_matrix(m.body_iquat[i]), dtype=float)
        tensor = R @ np.diag(m.body_inertia[i]) @ R.T
        if m.body_mass[i] or tensor.any():
            six = [float(tensor[k]) for k in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
            com = [float(x) for x in m.body_ipos[i]]
            part: Literal["rigid", "hub"] = "rigid" if m.body_mass[i] else "hub"
            out[part] = {"mass": float(m.body_mass[i]), "com": com, "inertia": six}
        geoms = range(m.body_geomadr[i], m.body_geomadr[i] + m.body_geomnum[i])
        visuals = [v for v in (_visual(m, g) for g in geoms) if v]
        if visuals:
            out["visuals"] = visuals
        return out


def _taken(model: mujoco.MjModel, kind: str, many: int) -> dict[int, str]:
    """A name for each body (but the world) or joint; those without one are numbered."""
    names, first = ModelNames(kind), 1 if kind == "body" else 0
    return {i: names.take(_name(model, kind, i) or f"{kind}{i}") for i in range(first, many)}


def _placed(name: str, kind: str, parent: str, child: str, r: Floats, R: Floats) -> JointWords:
    words: JointWords = {"name": name, "type": kind, "parent": parent, "child": child}
    if parent != "world":
        words["at"] = "origin"
    if r.any() or not np.array_equal(R, np.eye(3)):
        words["origin"] = {"xyz": [float(x) for x in r], "rpy": rpy_of(R)}
    return words


def _visual(m: mujoco.MjModel, g: int) -> VisualWords | None:
    """A geom that is a plain shape; meshes of MJCF are not taken over."""
    size = [float(x) for x in m.geom_size[g]]
    shapes: dict[int, VisualWords] = {
        2: {"sphere": size[0]},
        3: {"capsule": [size[0], 2.0 * size[1]]},
        5: {"cylinder": [size[0], 2.0 * size[1]]},
        6: {"box": [2.0 * x for x in size]},
    }
    shape = shapes.get(int(m.geom_type[g]))
    if shape is None:
        return None
    R = np.asarray(quaternion_matrix(m.geom_quat[g]), dtype=float)
    origin: OriginWords = {"xyz": [float(x) for x in m.geom_pos[g]], "rpy": rpy_of(R)}
    color = [min(max(float(x), 0.0), 1.0) for x in m.geom_rgba[g]]
    return {**shape, "origin": origin, "color": color}


def _equalities(
    model: mujoco.MjModel, made: _Tree, refused: list[str]
) -> tuple[list[LoopWords], dict[str, JointWords]]:
    """Connects as loops, joints tied to joints as mimics; others are refused."""
    loops: list[LoopWords] = []
    ties: dict[str, JointWords] = {}
    for k in range(model.neq):
        kind, a, b = int(model.eq_type[k]), int(model.eq_obj1id[k]), int(model.eq_obj2id[k])
        data, name = model.eq_data[k], _name(model, "equality", k) or f"equality{k}"
        if not model.eq_active0[k]:
            continue
        if kind == 0 and int(model.eq_objtype[k]) == 1:
            ends = [
                _station(made, body, data[3 * n : 3 * n + 3], name) for n, body in enumerate((a, b))
            ]
            loops.append({"type": "spherical", "between": ends, "name": name[:60]})
        elif kind == 2 and b >= 0 and not np.any(data[2:5]):
            refs = [float(model.qpos0[model.jnt_qposadr[j]]) for j in (a, b)]
            ratio, offset = float(data[1]), float(data[0]) + refs[0] - float(data[1]) * refs[1]
            mimic: MimicWords = {"joint": made.joint_names[b], "ratio": ratio, "offset": offset}
            ties[made.joint_names[a]] = {"mimic": mimic}
        else:
            refused.append(f"the equality {name}")
    return loops, ties


def _station(made: _Tree, body: int, at: Floats, name: str) -> str:
    """A station at a point of a body."""
    if body == 0:
        made.refused.append(f"the equality {name}, which connects to the world")
        return "world"
    link, label = made.names[body], f"{name}_{body}"[:60].replace(".", "_")
    stations = made.links[link].setdefault("stations", {})
    stations[label] = {"offset": [float(x) for x in at]}
    return f"{link}.{label}"
