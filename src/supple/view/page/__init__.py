"""The 3D page of a robot or of runs: `scene` says what is drawn, `record` how it moves,
`document` makes one file of it; `page/` at the root of the project holds its source."""

from .show import View, view

__all__ = ["View", "view"]
