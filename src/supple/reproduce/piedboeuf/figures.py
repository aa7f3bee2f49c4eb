"""[Piedboeuf], Figs. 6 to 12: curves at every fifth degree; dashes are the exact elastica."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..report import Figure
from .models import CURVES, FINE, FORCES, drawn_curve, value

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIZE = (7.0, 4.2)
LABELS = {
    "torque": "motor torque [N m]",
    "curvature": "curvature at gauge 1 [1/m]",
    "tip": "tip deflection [m]",
}
DOTS = "The paper adds measured dots; its text does not give their numbers."


def figures() -> tuple[Figure, ...]:
    gap = "No significant difference, says the paper."
    return (
        _curves("figure-06-torque", "torque", "O(2)", f"Motor torque by model O(2). {DOTS}"),
        _gaps("figure-07-torque-o2-o1", "torque", "O(1)", f"Motor torque, O(2) less O(1). {gap}"),
        _gaps("figure-08-torque-o2-o0", "torque", "O(0)", "Motor torque, O(2) less O(0)."),
        _curves(
            "figure-09-curvature-o2",
            "curvature",
            "O(2)",
            f"Curvature at the first gauge, less that at 0 deg without force, by O(2). {DOTS}",
        ),
        _curves("figure-10-curvature-o1", "curvature", "O(1)", f"The same by model O(1). {DOTS}"),
        _curves("figure-11-tip", "tip", "O(2)", "Deflection of the link's end by O(2)."),
        _gaps("figure-12-tip-o2-o1", "tip", "O(1)", "Deflection, O(2) less O(1)."),
    )


def _curves(name: str, what: str, model: str, caption: str) -> Figure:
    words = f"{caption} Curves 1 to 7: {_forces()} N. Dashes: the exact elastica."
    return Figure(name, _draw(what, model), size=SIZE, caption=words)


def _gaps(name: str, what: str, model: str, caption: str) -> Figure:
    return Figure(name, _draw_gap(what, model), size=SIZE, caption=caption)


def _forces() -> str:
    return ", ".join(f"{force:g}" for force in FORCES)


def _draw(what: str, model: str) -> Callable[[Axes], None]:
    def draw(axes: Axes) -> None:
        for k in CURVES:
            here = drawn_curve(k)
            (line,) = axes.plot(FINE, [value(c, model, what) for c in here], label=str(k))
            exact = [value(c, "exact", what) for c in here]
            axes.plot(FINE, exact, "--", color=line.get_color(), linewidth=0.8)
        _dress(axes, LABELS[what])

    return draw


def _draw_gap(what: str, model: str) -> Callable[[Axes], None]:
    def draw(axes: Axes) -> None:
        for k in CURVES:
            gaps = [value(c, "O(2)", what) - value(c, model, what) for c in drawn_curve(k)]
            axes.plot(FINE, gaps, label=str(k))
        _dress(axes, LABELS[what].replace(" [", f", O(2) - {model} ["))

    return draw


def _dress(axes: Axes, label: str) -> None:
    axes.set(xlabel="motor angle [deg]", ylabel=label, xlim=(-90, 90))
    axes.set_xticks(range(-90, 91, 30))
    axes.legend(title="curve", loc="center left", bbox_to_anchor=(1.0, 0.5))
