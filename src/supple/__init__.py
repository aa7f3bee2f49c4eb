"""Supple: kinematics and dynamics of robots whose links bend.

    model file -> Robot -> recursion (plain NumPy) -> native code -> simulation -> Result

    robot = supple.load("canadarm")
    qdd   = supple.forward_dynamics(robot, q, qd, tau)
    run   = supple.simulate(robot, motion="paper")
    run.plot("run.png"); run.save("run.nc")

Names are imported when they are first used, so `import supple` costs nothing.
"""

from __future__ import annotations

from typing import Any

__version__ = "0.1.0"

_HOME = {
    "model": ("build", "load", "shipped"),
    "robot": ("Robot",),
    "flow": (
        "acceleration",
        "articulated_bodies",
        "bias_force",
        "centre_of_mass",
        "composite_bodies",
        "coriolis_force",
        "elastic_force",
        "forward_dynamics",
        "forward_sweeps",
        "gravity_force",
        "inverse_dynamics",
        "inverse_mass_matrix",
        "jacobian",
        "jacobian_rate",
        "kinetic_energy",
        "mass_matrix",
        "momentum",
        "passive_force",
        "pose",
        "potential_energy",
        "twist",
        "twists",
        "udu_factors",
    ),
    "analyse": ("Statics", "along", "frequencies", "gauge", "reach", "statics", "zeros"),
    "symbolic": ("Equations", "equations"),
    "engine": ("Function", "compile"),
    "simulation": ("Result", "feedforward", "load_result", "simulate"),
    "errors": (
        "FileError",
        "InputError",
        "ModelError",
        "SimulationError",
        "SuppleError",
        "SuppleWarning",
    ),
}
_MODULE = {name: module for module, names in _HOME.items() for name in names}

__all__ = [*sorted(_MODULE), "__version__"]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name not in _MODULE:
        raise AttributeError(f"module 'supple' has no attribute {name!r}")
    value = getattr(import_module(f".{_MODULE[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
