"""The words of a model as plain data: text, numbers, lists and mappings, as a file would hold."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral, Real

import numpy as np

from ..errors import Fault, ModelError, brief
from ..types import Word, refuse_masked
from .yaml_nodes import DEEPEST


def plain_data(value: object, path: tuple[str | int, ...] = ()) -> Word:
    """NumPy's scalars and arrays, tuples and other mappings made plain."""
    if len(path) > DEEPEST:
        raise ModelError([Fault("the model is nested too deeply, or holds itself", path[:1])])
    if value is None or isinstance(value, bool | str):
        return value if not isinstance(value, str) else str(value)
    if isinstance(value, np.ndarray | np.generic):
        refuse_masked(value, ".".join(map(str, path)) or "the model")
        return plain_data(value.tolist(), path)
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value)
    if isinstance(value, Mapping):
        named = {key if isinstance(key, str) else brief(key): item for key, item in value.items()}
        return {str(key): plain_data(item, (*path, str(key))) for key, item in named.items()}
    if isinstance(value, list | tuple):
        return [plain_data(item, (*path, i)) for i, item in enumerate(value)]
    hint = "a model holds text, numbers, lists and mappings, as a file would"
    raise ModelError([Fault(f"input is {brief(value)}", path, help=hint)])
