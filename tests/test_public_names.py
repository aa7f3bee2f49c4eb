"""Every public name is there, documented, and known to type checkers."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

import supple


def test_every_public_name_is_importable_and_documented() -> None:
    for name in supple.__all__:
        value = getattr(supple, name)
        assert name == "__version__" or value.__doc__, name


def test_type_checkers_see_where_each_name_is_defined() -> None:
    stub = (files("supple") / "__init__.pyi").read_text()
    listed = set(re.findall(r"(\w+) as \1", stub)) | {"__version__"}
    assert listed == set(supple.__all__) == set(dir(supple))


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'simulat'"):
        _ = supple.simulat
