"""A picture for each example: of the run or the robot that it made, or one of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import supple

Names = dict[str, Any]


def picture(stem: str, names: Names) -> Any:
    """The figure of an example's own, or stick figures of its last run, or its robot's modes."""
    if stem in OWN:
        return OWN[stem](names)
    runs = [value for value in names.values() if isinstance(value, supple.Result)]
    if runs:
        return supple.plot(runs[-1], "sticks")
    robots = [value for value in names.values() if isinstance(value, supple.Robot)]
    return (
        supple.plot(robots[-1], "modes")
        if robots
        else supple.plot(supple.load("canadarm"), "modes")
    )


def _factors(names: Names) -> Any:
    """Sizes of the entries of M and U, on a logarithmic scale."""
    import numpy as np

    from supple.view.style import new_figure, styled

    def drawn() -> Any:
        figure = new_figure((7.2, 3.2), names["robot"].name)
        for axes, word in zip(figure.subplots(1, 2), ("M", "U"), strict=True):
            size = np.abs(names[word])
            size[size < 1e-12 * size.max()] = np.nan
            image = axes.imshow(np.log10(size), cmap="viridis")
            axes.set(title=word, xlabel="coordinate", ylabel="coordinate")
            figure.colorbar(image, ax=axes, label="log10 of the size")
        return figure

    return styled(drawn)()


OWN: dict[str, Callable[[Names], Any]] = {
    "01_load_and_look": lambda names: supple.plot(names["robot"], "sticks"),
    "04_simulate_a_flexible_arm": lambda names: supple.plot(names["run"], "overview"),
    "05_frequencies_and_modes": lambda names: supple.plot(names["cantilever"](3.0), "convergence"),
    "07_jacobian_and_external_wrench": lambda names: supple.plot(names["robot"], "shapes"),
    "08_composite_and_articulated_bodies": _factors,
    "09_statics_and_stiffening": lambda names: supple.plot(
        names["arm"], "statics", q=names["rest"].q
    ),
    "11_linear_models_and_campbell": lambda names: names["spun"].plot(),
    "12_control_a_flexible_arm": lambda names: supple.plot(names["run"], "joints"),
}
