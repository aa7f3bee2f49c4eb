"""The 3D page of a robot or of runs: `places` and `figure` say what is drawn and where, `scene` and
`record` hand it to the page, `document` makes one file of it; `gltf` and `movie` make others.
`page/` at the root of the project holds the page's program."""

from .show import View, view_of

__all__ = ["View", "view_of"]
