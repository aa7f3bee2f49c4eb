"""The words of a study file: what keys there are and what each may hold. Importing this makes them
known to `supple help`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, Strict, model_validator

from ..model.explain import learn
from ..model.spec import Name, NotNegative, Number, Positive, Spec
from .points import WAYS

Whole = Annotated[int, Strict(), Field(ge=1, le=100_000_000)]
Formula = Annotated[str, BeforeValidator(lambda x: str(x) if isinstance(x, int | float) else x)]
Rows = Annotated[list[Number], Field(min_length=1)]


class WaySpec(Spec):
    """How one number varies: one of `values`, `linspace`, `logspace` or a distribution."""

    values: Rows | None = None
    linspace: Rows | None = None
    logspace: Rows | None = None
    uniform: Rows | None = None
    normal: Rows | None = None
    lognormal: Rows | None = None
    loguniform: Rows | None = None
    triangular: Rows | None = None
    relative: bool = False

    @model_validator(mode="before")
    @classmethod
    def _short(cls, data: object) -> object:
        return {"values": data} if isinstance(data, list | tuple) else data

    @model_validator(mode="after")
    def _one(self) -> WaySpec:
        WAYS[self.kind].check(getattr(self, self.kind))
        return self

    @property
    def kind(self) -> str:
        return _one_of(self, WAYS)

    @property
    def numbers(self) -> list[float]:
        return [float(x) for x in getattr(self, self.kind)]


class DesignSpec(Spec):
    """Which points of all those possible are taken."""

    kind: Literal["grid", "list", "random", "latin_hypercube", "sobol"] = "grid"
    points: Whole | None = None
    seed: Annotated[int, Strict(), Field(ge=0)] = 0

    @model_validator(mode="after")
    def _counted(self) -> DesignSpec:
        counted = self.kind in ("grid", "list")
        if counted and self.points is not None:
            raise ValueError(f"a {self.kind} has as many points as its values give; leave it out")
        if not counted and self.points is None:
            raise ValueError(f"{self.kind} needs the number of its points, e.g. points: 1000")
        return self


class SimulateSpec(Spec):
    """A run, as `supple simulate` makes it."""

    motion: str | None = None
    duration: Positive | None = None
    pd: Annotated[list[NotNegative], Field(min_length=2, max_length=2)] | None = None
    shaper: dict[str, Rows] | None = None
    q0: dict[str, Number] = {}
    qd0: dict[str, Number] = {}
    torque: dict[str, Number] = {}
    load: dict[str, Rows] = {}
    samples: Annotated[int, Strict(), Field(ge=2, le=100_000)] = 101
    method: Literal["auto", "explicit", "rosenbrock", "sweep", "rk4"] = "auto"
    rtol: Positive = 1e-8
    atol: Positive = 1e-10
    step: Positive | None = None


class FrequenciesSpec(Spec):
    """Natural frequencies: omega1, omega2, ... in rad/s, rising."""

    q: dict[str, Number] = {}
    locked: bool = True
    count: Annotated[int, Strict(), Field(ge=1, le=60)] = 6


class StaticsSpec(Spec):
    """The robot at rest under gravity and loads."""

    q: dict[str, Number] = {}
    load: dict[str, Rows] = {}


class MapSpec(Spec):
    """A map of the workspace: what a station does over places or joints."""

    station: str
    axes: dict[str, Rows | Number]
    load: dict[str, Rows] = {}


class FunctionSpec(Spec):
    """A function of your own: name(robot, point) gives a number, or numbers by name."""

    file: str
    name: str


def _one_of(spec: Spec, names: Iterable[str]) -> str:
    """Which of these keys is given."""
    given = [name for name in names if getattr(spec, name) is not None]
    if len(given) != 1:
        found = " and ".join(given) or "none"
        raise ValueError(f"it needs one of {', '.join(names)}; there is {found}")
    return given[0]


class ExperimentSpec(Spec):
    """What is done at each point: one of these."""

    simulate: SimulateSpec | None = None
    frequencies: FrequenciesSpec | None = None
    statics: StaticsSpec | None = None
    map: MapSpec | None = None
    function: FunctionSpec | None = None

    @model_validator(mode="after")
    def _one(self) -> ExperimentSpec:
        _one_of(self, type(self).model_fields)
        return self

    @property
    def kind(self) -> str:
        return _one_of(self, type(self).model_fields)


class StudySpec(Spec):
    """A whole study."""

    supple_study: Literal[1] = 1
    name: Name = "study"
    description: str = ""
    robot: str
    kinematics: str | None = None
    vary: dict[str, WaySpec] = {}
    csv: str | None = None
    design: DesignSpec = DesignSpec()
    experiment: ExperimentSpec
    outcomes: dict[Name, Formula] = {}
    block: Annotated[int, Strict(), Field(ge=1, le=65_536)] | None = None
    limit: Positive = 300.0


TOPICS: dict[str, type[Spec]] = {
    "study": StudySpec,
    "vary": WaySpec,
    "design": DesignSpec,
    "experiment": ExperimentSpec,
    "simulate": SimulateSpec,
    "frequencies": FrequenciesSpec,
    "statics": StaticsSpec,
    "map": MapSpec,
    "function": FunctionSpec,
}
learn(TOPICS, "sweeps/help.yaml")
