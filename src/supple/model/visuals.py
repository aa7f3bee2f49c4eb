"""What links look like, from their words."""

from __future__ import annotations

import numpy as np

from ..bodies import Visual
from ..screws import rpy_matrix
from ..types import Floats
from .spec import VISUAL_SHAPES, LinkSpec, VisualSpec


def visuals_of(words: LinkSpec, frame: Floats) -> tuple[Visual, ...]:
    """Those of a link whose user's axes are `frame` in ours."""
    return tuple(_visual(x, frame) for x in words.visuals)


def _visual(words: VisualSpec, frame: Floats) -> Visual:
    shape = next(key for key in VISUAL_SHAPES if getattr(words, key) is not None)
    size = words.scale if shape == "mesh" else np.atleast_1d(getattr(words, shape))
    return Visual(
        shape,
        tuple(map(float, size)),
        frame @ np.array(words.origin.xyz, dtype=float),
        frame @ rpy_matrix(*words.origin.rpy),
        words.mesh or "",
        None if words.color is None else tuple(words.color),
        words.collision,
    )
