"""The words of reduction: its methods, and the loads of geometric stiffness."""

from __future__ import annotations

METHODS = {
    "craig_bampton": "static shapes of the stations and normal modes with stations held",
    "guyan": "static shapes of the stations alone",
    "normal": "normal modes with stations free",
}
DEFAULT_METHOD = "craig_bampton"
DEFAULT_MODES = 6

LOADS = (
    *("a_x", "a_y", "a_z", "dw_x", "dw_y", "dw_z"),
    *("w_xx", "w_yy", "w_zz", "w_xy", "w_yz", "w_xz"),
)
LOAD_PATTERN = rf"^({'|'.join(LOADS)}|[^\s.]+\.[fn]_[xyz])$"
