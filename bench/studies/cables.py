"""The planar Canadarm of cable elements: the absolute nodal coordinates of Exudyn."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from supple.types import Floats

LINKS = ((6.0, 140.0), (7.0, 85.0), (2.0, 95.0))  # length [m] and mass [kg]: canadarm.yaml
EI, EA = 1e5, 1e8  # N m^2; N, so that hardly anything stretches


@dataclass(frozen=True)
class Tip:
    """The end effector at the samples (n, 2), and the time of the run."""

    path: Floats
    seconds: float


def run(
    torque: Callable[[float], Floats],
    duration: float,
    samples: int,
    elements: int,
    step: float,
    axial: float = EA,
) -> Tip:
    """Generalised alpha with steps of one length, so many elements a link; `axial`: EA."""
    import exudyn as exu

    container = exu.SystemContainer()
    system = container.AddSystem()
    last, roots, tips = _chain(system, elements, axial)
    loads = _loads(system, roots, tips)
    table = np.array([torque(step * k) for k in range(round(duration / step) + 2)])
    apart, kept = duration / (samples - 1), [[sum(x for x, _ in LINKS), 0.0]]

    def before(mbs: Any, t: float) -> bool:
        tau = table[min(round(t / step), len(table) - 1)]
        for k, (load, back) in enumerate(loads):
            mbs.SetLoadParameter(load, "loadVector", [0.0, 0.0, tau[k]])
            if back is not None:
                mbs.SetLoadParameter(back, "loadVector", [0.0, 0.0, -tau[k]])
        return True

    def after(mbs: Any, t: float) -> bool:
        if abs(t / apart - len(kept)) < 1e-6:
            kept.append(list(mbs.GetNodeOutput(last, exu.OutputVariableType.Position)[:2]))
        return True

    system.SetPreStepUserFunction(before)
    system.SetPostStepUserFunction(after)
    system.Assemble()
    settings = _settings(exu, duration, step)
    begin = time.perf_counter()
    system.SolveDynamic(settings)
    return Tip(np.array(kept), time.perf_counter() - begin)


def _chain(system: Any, elements: int, axial: float) -> tuple[Any, list[Any], list[Any]]:
    """Nodes and cables of all links along x: the last node, and the first and last of each."""
    from exudyn.itemInterface import (
        Cable2D,
        MarkerNodePosition,
        NodePoint2DSlope1,
        ObjectJointRevolute2D,
    )

    place, roots, tips = 0.0, [], []
    for length, mass in LINKS:
        nodes = [
            system.AddNode(
                NodePoint2DSlope1(referenceCoordinates=[place + length * k / elements, 0, 1, 0])
            )
            for k in range(elements + 1)
        ]
        for pair in pairwise(nodes):
            system.AddObject(
                Cable2D(
                    physicsLength=length / elements,
                    physicsMassPerLength=mass / length,
                    physicsBendingStiffness=EI,
                    physicsAxialStiffness=axial,
                    nodeNumbers=list(pair),
                )
            )
        ends = [system.AddMarker(MarkerNodePosition(nodeNumber=nodes[0])), _before(system, tips)]
        system.AddObject(ObjectJointRevolute2D(markerNumbers=ends))
        roots.append(nodes[0])
        tips.append(nodes[-1])
        place += length
    return tips[-1], roots, tips


def _before(system: Any, tips: list[Any]) -> Any:
    """What a link's root is pinned to: the ground, or the tip before it."""
    from exudyn.itemInterface import MarkerBodyPosition, MarkerNodePosition, ObjectGround

    if tips:
        return system.AddMarker(MarkerNodePosition(nodeNumber=tips[-1]))
    return system.AddMarker(MarkerBodyPosition(bodyNumber=system.AddObject(ObjectGround())))


def _loads(system: Any, roots: list[Any], tips: list[Any]) -> list[tuple[Any, Any]]:
    """Torques at the roots, and those that hold against them at the tips before."""
    from exudyn.itemInterface import MarkerNodeRigid, Torque

    def load(node: Any) -> Any:
        marker = system.AddMarker(MarkerNodeRigid(nodeNumber=node))
        return system.AddLoad(Torque(markerNumber=marker, loadVector=[0, 0, 0]))

    backs = [None, *(load(tip) for tip in tips[:-1])]
    return [(load(root), back) for root, back in zip(roots, backs, strict=True)]


def _settings(exu: Any, duration: float, step: float) -> Any:
    settings = exu.SimulationSettings()
    integration = settings.timeIntegration
    integration.endTime, integration.numberOfSteps = duration, round(duration / step)
    integration.generalizedAlpha.spectralRadius = 0.9
    integration.adaptiveStep = False
    integration.newton.useModifiedNewton = True
    integration.newton.absoluteTolerance = 1e-5  # N: what is left of the digits beside EA
    integration.verboseMode = 0
    settings.solutionSettings.writeSolutionToFile = False
    settings.linearSolverType = exu.LinearSolverType.EigenSparse
    return settings
