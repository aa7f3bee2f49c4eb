"""Dual algebra: numbers, arrays, the groups G1 and G2, screws.

    a + e b, e^2 = 0        Dual, Elastic, DualArray  (number.py, array.py)
    dual rotations          DualRotation, G1          (rotation.py)
    dual transformations    DualTransform, G2         (transform.py)
    dual screws             line, ad, power, ...      (screw.py)

Dual numbers serve twice: run any function of Supple on them and the dual part is its
derivative (`seed`, `dual_part`); let elastic displacements be dual parts (`Elastic`,
`DualArray`) and every product is linearised in them.
Reference: [CibicikEgeland].
"""

from .array import DualArray, dot, hstack, vector, vstack, wedge
from .number import Dual, Elastic, dual_part, first_order, paired, parts, seed, slopes, total
from .rotation import DualRotation
from .screw import (
    ad,
    couple,
    differentiated,
    differentiation_operator,
    frame_change,
    line,
    power,
    ray,
    reference_change,
    scaled,
    screw,
    stacked,
    stacked_matrix,
    unstacked,
    wrench,
)
from .so3 import left_jacobian, left_jacobian_inverse, rotation_exp, rotation_log
from .transform import (
    DualTransform,
    dual_left_jacobian,
    dual_left_jacobian_inverse,
    twist_matrix,
)

__all__ = [
    "Dual",
    "DualArray",
    "DualRotation",
    "DualTransform",
    "Elastic",
    "ad",
    "couple",
    "differentiated",
    "differentiation_operator",
    "dot",
    "dual_left_jacobian",
    "dual_left_jacobian_inverse",
    "dual_part",
    "first_order",
    "frame_change",
    "hstack",
    "left_jacobian",
    "left_jacobian_inverse",
    "line",
    "paired",
    "parts",
    "power",
    "ray",
    "reference_change",
    "rotation_exp",
    "rotation_log",
    "scaled",
    "screw",
    "seed",
    "slopes",
    "stacked",
    "stacked_matrix",
    "total",
    "twist_matrix",
    "unstacked",
    "vector",
    "vstack",
    "wedge",
    "wrench",
]
