"""The independent other ways to the same equations.

lagrange     Lagrange's method from the energies; arm, turns: what it is made of
kane         Kane's method with dual screws, linearised in the elastic states
projection   its dual projection matrices and their time derivatives
linear       a modal body to first order
symbols      the same as SymPy expressions (imports SymPy)
"""

from .projection import at_station, projections, station_rate

__all__ = ["at_station", "projections", "station_rate"]
