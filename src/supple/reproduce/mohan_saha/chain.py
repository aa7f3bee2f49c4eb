"""A serial robot of flexible links of any length, whose constants hold nothing to be saved."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...bodies import Body, Station
from ...model import build
from ...robot import Robot
from ...types import Floats

DIGITS = 9
MOMENTS = ("c0", "c1", "c2", "W0", "N0", "P", "Q", "Mdd", "K", "D")


def flexible_chain(n: int, m: int) -> Robot:
    """n beams that bend by m shapes in each of two planes, on revolute joints, by a table of
    Denavit and Hartenberg with no number zero and no two alike; hubs, payloads, gravity; first
    order, as the paper counts them. Beams taper, so that no integral vanishes."""
    words: dict[str, object] = {"name": f"{n} links, {m} shapes", "gravity": [0.1, 0.2, -9.8]}
    words["elastic_kinematics"] = "first_order"
    rows = [_row(i, m) for i in range(n)]
    return _rounded(build({**words, "dh": {"convention": "saha", "rows": rows}}))


def _row(i: int, m: int) -> dict[str, object]:
    x = [_spread(i, k) for k in range(21)]
    modes = {
        f"bending_{axis}": {
            "count": m,
            "family": "clamped_mass",
            "mass_ratio": 0.2 + x[k],
            "inertia_ratio": 0.01 + 0.1 * x[k + 1],
        }
        for axis, k in (("y", 0), ("z", 2))
    }
    beam = {
        "mass_per_length": [2.0 + x[4], 1.0 + x[5]],
        "EIy": [100.0 + 100.0 * x[6], 50.0 + 10.0 * x[7]],
        "EIz": [100.0 + 100.0 * x[8], 40.0 + 5.0 * x[9]],
        "modes": modes,
    }
    hub = {
        "mass": 1.0 + x[10],
        "com": [0.1 + value for value in x[11:14]],
        "inertia": [2.0 + value for value in x[14:17]],
    }
    place = {"a": 1.0 + x[17], "b": 0.2 + x[18], "alpha": 0.2 + x[19]}
    return {**place, "beam": beam, "hub": hub, "payload": {"mass": 0.5 + x[20]}}


def _spread(i: int, k: int) -> float:
    """Numbers between 0 and 1, no two alike."""
    return (21 * i + k + 1) * 0.6180339887498949 % 1.0


def _rounded(robot: Robot) -> Robot:
    """The same with fewer digits: integrals that are equal, or nothing, are so to the last bit,
    wherever rounding had put them."""
    links = [replace(x, body=_body(x.body), mount=_station(x.mount)) for x in robot.links]
    return replace(robot, links=tuple(links), spec=None)


def _body(body: Body) -> Body:
    stations = {name: _station(station) for name, station in body.stations.items()}
    return body.changed(stations=stations, **{n: _round(getattr(body, n)) for n in MOMENTS})


def _station(station: Station) -> Station:
    r0, S, Theta, rho = map(_round, (station.r0, station.S, station.Theta, station.rho))
    return replace(station, r0=r0, S=S, Theta=Theta, rho=rho)


def _round(values: Floats) -> Floats:
    """To DIGITS; what is less than rounding of the largest becomes nothing."""
    x = np.asarray(values, dtype=float)
    least = 10.0**-DIGITS * float(np.abs(x).max(initial=0.0))
    seen = np.abs(x) > least
    scale = 10.0 ** (DIGITS - 1 - np.floor(np.log10(np.where(seen, np.abs(x), 1.0))))
    return np.where(seen, np.round(x * scale) / scale, 0.0)
