"""Equations a person can read: Lagrange's method in symbols.

derive       supple.equations: robot -> Equations
equations    the result: matrices, parameters, numbers, text
links        links in named constants; bare: where no names are known
beam, moments            a beam's points and moments; integrals, closed: those of mode shapes
motion       M, D and G from the energies
simplify, left_out, common   shorter forms; coriolis: D of a shorter M; bounds: what is small
text, latex, code        ways to write them down
"""

from .derive import equations
from .equations import Equations

__all__ = ["Equations", "equations"]
