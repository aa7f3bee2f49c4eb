"""The words of a study file, for `supple help`: importing this makes them known there."""

from ..model.explain import TOPICS as KNOWN, learn
from ..model.spec import Spec
from . import spec

TOPICS: dict[str, type[Spec]] = {
    "study": spec.StudySpec,
    "vary": spec.WaySpec,
    "design": spec.DesignSpec,
    "experiment": spec.ExperimentSpec,
    "simulate": spec.SimulateSpec,
    "frequencies": spec.FrequenciesSpec,
    "statics": spec.StaticsSpec,
    "map": spec.MapSpec,
    "function": spec.FunctionSpec,
}
ALL = KNOWN
learn(TOPICS, "sweeps/help.yaml")
