"""Native integrators: one way (`march`), a module for each method, tableaux as data."""

from .native import Integrator, bound, integrator
from .register import METHODS

__all__ = ["METHODS", "Integrator", "bound", "integrator"]
