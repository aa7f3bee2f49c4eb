"""Equations a person can read: Lagrange's method in symbols.

derive       supple.equations: robot -> Equations
equations    the result: matrices, parameters, numbers, text
links, beam  links in named constants; integrals, closed: the integrals of mode shapes
motion       M, D and G from the energies
simplify, drop, common   shorter forms
text, latex, code        ways to write them down
"""

from .derive import equations
from .equations import Equations

__all__ = ["Equations", "equations"]
