"""Matrices and derivatives of rigid trees in the axes of the world, about one point.

There twists, wrenches and inertias of all links are simply added, and an entry of a matrix is a
product of numbers of its row's link and of its column's link: no sweep and no climb.

    formulas     what every link has to know for that, in plain NumPy
      -> stages      traced, one step each (`stages`): links side by side, or one after the other
      -> assembly    with the products of all pairs, elimination and products of matrices (`emit`)
      -> recipe      of a function (`recipe`), for robots that it suits (`suits`)
"""

from .recipe import World
from .suits import suits

__all__ = ["World", "suits"]
