"""Equations a person can read: Lagrange's method in symbols, room by room.

    equations      the result: matrices, parameters, numbers, text
    options        what users ask for, checked
    shapes/        integrals of mode shapes without units, and their closed forms
    naming/        names of coordinates and of what links are made of; the graph that knows them
    deriving/      supple.equations: a robot in symbols, its energies, M, D and G
    shortening/    simpler forms, common terms, small terms left out
    writing/       text, LaTeX, and functions in other languages
    conversion     between the graph and SymPy; subexpressions: SymPy expressions met once;
    stumpff        the functions c_k of elastic rotations
Imports point down this list: shapes, naming, deriving, shortening, writing.
"""

from .deriving.derive import equations
from .equations import Equations

__all__ = ["Equations", "equations"]
