"""Studies: numbers vary from point to point, and what comes of it is kept.

study file -> Study (points, blocks) -> worker processes -> Store -> Sweep

points             how numbers vary, and which points are taken
experiments        what is done at a point: run, frequencies, statics, map, your own function
formulas           outcomes as formulas
store              one file for each block, whole or not there; the labelled dataset
executor, run      blocks on all cores, or on a cluster by its address
report             what it says
"""

from .run import StudyProgress, sweep
from .store import Sweep, load_sweep
from .study import Study, read_study

__all__ = ["Study", "StudyProgress", "Sweep", "load_sweep", "read_study", "sweep"]
