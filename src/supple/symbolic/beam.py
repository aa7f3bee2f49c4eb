"""A beam in symbols: mass, length, stiffness and the integrals of its shapes."""

from __future__ import annotations

import numpy as np

from ..bodies import Station
from ..formulations.lagrange import Inertia, Mount
from ..robot import Link
from ..screws import skew
from ..types import Array, Floats, Scalar
from .closed import Closed
from .integrals import Integrals, _flat
from .namer import Namer
from .words import Words

STIFFNESS = {"bending_y": "EIz", "bending_z": "EIy", "torsion": "GJ", "axial": "EA"}
SECTION = ("rIx", "rIz", "rIy")  # int rho x^2, y^2, z^2 dA


def _closed(words: Words) -> Closed:
    beam = words.beam
    assert beam is not None
    x = np.linspace(0.0, beam.beam.length, 41)
    profiles = [beam.beam.mass, *(beam.beam.stiffness[s.field] for s in beam.shapes)]
    even = all(_flat(p(x)) for p in [*profiles, *(beam.beam.turning or ())])
    return Closed(beam, words.families, even)


def length(name: Namer, link: Link, words: Words) -> Scalar:
    assert words.beam is not None
    return name.model("L", words.beam.beam.length, f"length, {link.name}")


def mass(name: Namer, link: Link, words: Words) -> Scalar:
    """m, or rhoA L where the model gives the mass per length."""
    beam = words.beam
    assert beam is not None
    if words.per_length:
        per = name.model("rhoA", beam.mass / beam.beam.length, f"mass per length, {link.name}")
        return per * length(name, link, words)
    return name.model("m", beam.mass, f"mass, {link.name}")


def _frame(link: Link) -> tuple[Floats, Floats]:
    """Root and axes of the beam, in link axes."""
    root = link.body.stations["root"]
    return root.r0, root.R0


def _start(name: Namer, link: Link) -> Array:
    """The root's place, in link axes, in symbols of the file's axes."""
    start = link.frame.T @ _frame(link)[0]
    parts = [
        name.model(f"s{'xyz'[k]}", float(start[k]), f"root of the beam, {link.name}, {'xyz'[k]}")
        for k in (0, 1, 2)
    ]
    return np.asarray(link.frame @ np.array(parts, dtype=object))


def beam_inertia(name: Namer, link: Link, words: Words) -> Inertia:
    """The moments of `bodies.beam` in symbols, about the link's origin, in link axes."""
    beam = words.beam
    assert beam is not None
    m, L, s = mass(name, link, words), length(name, link, words), _start(name, link)
    _, R = _frame(link)
    x = R @ np.array([1.0, 0.0, 0.0])
    first, second = _along(name, link, beam)
    centre = _scaled(x, L * first)
    c1, N0, P = _of_mass(name, words, m, L, R)
    for k in range(len(c1)):
        N0[k] = N0[k] + np.outer(s, c1[k])
    I0 = (m * (L * L) * second) * (np.eye(3) - np.outer(x, x))
    I0 = I0 + m * _moved(s, centre)
    dI, dN, dP, Q = _of_sections(name, link, words, L, R)
    P = P + dP
    Mdd = np.array(
        [[np.trace(P[j, k]) for k in range(len(P))] for j in range(len(P))], dtype=object
    )
    size = len(beam.shapes)
    return Inertia(
        m,
        m * (s + centre),
        c1,
        np.zeros((size, size, 3), dtype=object),
        I0 + dI,
        N0 + dN,
        P,
        Q,
        Mdd.reshape(size, size),
    )


def _along(name: Namer, link: Link, beam: Integrals) -> tuple[Scalar, Scalar]:
    first, second = beam.along
    if (first, second) == (0.5, 1.0 / 3.0):
        return first, second
    what = f"of the mass along {link.name}"
    return (
        name.integral("x_1_", first, f"int xi {what}"),
        name.integral("x_2_", second, f"int xi^2 {what}"),
    )


def _scaled(direction: Floats, size: Scalar) -> Array:
    return np.array([0.0 if x == 0.0 else size * x for x in direction], dtype=object)


def _moved(s: Array, c: Array) -> Array:
    """What moving the origin by s adds to the inertia: (s.s + 2 s.c) 1 - s s' - s c' - c s'."""
    size = s @ s + s @ c + s @ c
    outer = np.outer(s, s) + np.outer(s, c) + np.outer(c, s)
    return np.asarray(size * np.eye(3) - outer)


def _of_mass(
    name: Namer, words: Words, m: Scalar, L: Scalar, R: Floats
) -> tuple[Array, Array, Array]:
    """c1, N0 and P of the mass on the axis."""
    beam, closed = words.beam, _closed(words)
    assert beam is not None
    n = len(beam.shapes)
    c1 = np.zeros((n, 3), dtype=object)
    N0, P = np.zeros((n, 3, 3), dtype=object), np.zeros((n, n, 3, 3), dtype=object)
    moves = [R @ shape.moves for shape in beam.shapes]
    x = R @ np.array([1.0, 0.0, 0.0])
    for k, shape in enumerate(beam.shapes):
        if not np.any(shape.moves):
            continue
        what = f"shape {shape.label}"
        a = name.integral(f"a_{shape.label}_", beam.a[k], f"int phi, {what}", closed.text("a", k))
        b = name.integral(
            f"b_{shape.label}_", beam.b[k], f"int xi phi, {what}", closed.text("b", k)
        )
        c1[k] = _scaled(moves[k], m * a)
        N0[k] = _matrix(np.outer(x, moves[k]), m * (L * b))
        for j in range(n):
            if np.any(beam.shapes[j].moves):
                value = _pair(name, closed, "e", beam.e, j, k, "int phi phi")
                P[j, k] = _matrix(np.outer(moves[j], moves[k]), m * value)
    return c1, N0, P


def _pair(
    name: Namer, closed: Closed, letter: str, table: Floats, j: int, k: int, meaning: str
) -> Scalar:
    j, k = min(j, k), max(j, k)
    first, second = closed.shape(j).label, closed.shape(k).label
    exact = closed.text(letter, j, k)
    index = f"{letter}_{first}{second}_"
    return name.integral(index, float(table[j, k]), f"{meaning}, shapes {first}, {second}", exact)


def _matrix(pattern: Floats, size: Scalar) -> Array:
    out = np.zeros(pattern.shape, dtype=object)
    for at in zip(*np.nonzero(pattern), strict=True):
        out[at] = size * float(pattern[at])
    return out


def _of_sections(
    name: Namer, link: Link, words: Words, L: Scalar, R: Floats
) -> tuple[Array, Array, Array, Array]:
    """I0, N0, P and Q of the sections' own inertia, which turns with them."""
    beam, closed = words.beam, _closed(words)
    assert beam is not None
    n = len(beam.shapes)
    I0, N0 = np.zeros((3, 3), dtype=object), np.zeros((n, 3, 3), dtype=object)
    P, Q = np.zeros((n, n, 3, 3), dtype=object), np.zeros((n, n, 3, 3), dtype=object)
    turns = [skew(shape.turns) for shape in beam.shapes]
    alike = closed.uniform
    for axis in range(3):
        if beam.sections[axis] == 0.0:
            continue
        what = f"int rho {'xyz'[axis]}^2 dA per length, {link.name}"
        r = name.model(SECTION[axis], float(beam.sections[axis]), what)
        tag = "h" if alike else f"h{'xyz'[axis]}"
        E = np.zeros((3, 3))
        E[axis, axis] = 1.0
        I0 = I0 + _matrix(R @ (np.eye(3) - E) @ R.T, r * L)
        for k, shape in enumerate(beam.shapes):
            if not np.any(shape.turns):
                continue
            value = name.integral(
                f"{tag}_{shape.label}_",
                float(beam.h1[axis, k]),
                f"int f, shape {shape.label}",
                closed.text("h", k),
            )
            size = r * value if shape.bends else r * (L * value)
            N0[k] = N0[k] + _matrix(R @ E @ turns[k].T @ R.T, size)
            for j in range(n):
                if not np.any(beam.shapes[j].turns):
                    continue
                value = _pair(name, closed, tag, beam.h2[axis], j, k, "int f f")
                bends = int(shape.bends) + int(beam.shapes[j].bends)
                size = r * (value * L if bends == 0 else value if bends == 1 else value / L)
                P[j, k] = P[j, k] + _matrix(R @ turns[j] @ E @ turns[k].T @ R.T, size)
                both = 0.5 * (turns[k] @ turns[j] + turns[j] @ turns[k])
                Q[k, j] = Q[k, j] + _matrix(R @ E @ both.T @ R.T, size)
    return I0, N0, P, Q


def beam_stiffness(name: Namer, link: Link, words: Words) -> Array:
    """K: EI/L^3 k_jk in bending, GJ/L and EA/L. Reference: [LinLewis], eqs. (16), (19)."""
    beam, closed = words.beam, _closed(words)
    assert beam is not None
    L, n = length(name, link, words), len(beam.shapes)
    K = np.zeros((n, n), dtype=object)
    for j, k in zip(*np.triu_indices(n), strict=True):
        shape = beam.shapes[j]
        if shape.field != beam.shapes[k].field:
            continue
        size = name.model(
            STIFFNESS[shape.field], beam.stiffness(shape.field), f"stiffness, {link.name}"
        )
        strain = "phi'' phi''" if shape.bends else "phi' phi'"
        value = _pair(name, closed, "k", beam.k, int(j), int(k), f"int {strain}")
        K[j, k] = K[k, j] = size * value / (L * L * L) if shape.bends else size * value / L
    return K


def node(name: Namer, link: Link, words: Words, at: Station, child: str) -> Mount:
    """A point of the elastic line in symbols; `child` tells points within the beam apart."""
    beam, closed = words.beam, _closed(words)
    assert beam is not None
    start, R = _frame(link)
    x = float((R.T @ (at.r0 - start))[0])
    ratio = x / beam.beam.length
    L, tip = length(name, link, words), abs(ratio - 1.0) < 1e-12
    ratio = 1.0 if tip else 0.0 if abs(ratio) < 1e-12 else ratio
    tag = "" if tip else "0" if ratio == 0.0 else f"x{child}o"
    phi, slope = beam.at(x)
    chord = beam.beam.tip_angle == "chord" and x > 0.0
    n = len(beam.shapes)
    S, Theta = np.zeros((n, 3), dtype=object), np.zeros((n, 3), dtype=object)
    for k, shape in enumerate(beam.shapes):
        place = "at the tip" if tip else f"at x = {x:.6g}"
        about = f"of shape {shape.label} {place}"
        exact = closed.text("phi", k) if tip else ""
        value = name.integral(f"phi{tag}_{shape.label}_", _still(phi[k]), f"phi {about}", exact)
        S[k] = _scaled(R @ shape.moves, value)
        if not shape.bends:
            Theta[k] = _scaled(R @ shape.turns, value)
            continue
        if chord:
            Theta[k] = _scaled(R @ shape.turns, value / (ratio * L))
            continue
        exact = closed.text("dphi", k) if tip else ""
        turn = name.integral(
            f"dphi{tag}_{shape.label}_", _still(slope[k]), f"L phi' {about}", exact
        )
        Theta[k] = _scaled(R @ shape.turns, turn / L)
    r0 = _start(name, link) + _scaled(R @ np.array([1.0, 0.0, 0.0]), ratio * L)
    return Mount(r0, S, Theta, np.zeros(3), at.R0)


def _still(value: float) -> float:
    """A value at the root that rounding made."""
    return 0.0 if abs(value) < 1e-13 else float(value)


def point_mass(mass: Scalar, at: Mount) -> Inertia:
    """A point mass that rides on a node: exact, since r is linear in d."""
    r, S, n = at.r0, at.S, len(at.S)
    N0, P = np.zeros((n, 3, 3), dtype=object), np.zeros((n, n, 3, 3), dtype=object)
    for k in range(n):
        N0[k] = mass * np.outer(r, S[k])
        for j in range(n):
            P[j, k] = mass * np.outer(S[j], S[k])
    return Inertia(
        mass,
        mass * r,
        mass * S,
        np.zeros((n, n, 3), dtype=object),
        mass * ((r @ r) * np.eye(3) - np.outer(r, r)),
        N0,
        P,
        np.zeros((n, n, 3, 3), dtype=object),
        mass * (S @ S.T),
    )
