"""Files of meshes, made once."""

from __future__ import annotations

from pathlib import Path

import pytest

from meshes import beam_mesh, save_mesh, solid_mesh


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """beam.npz and solid.npz."""
    out = tmp_path_factory.mktemp("meshes")
    save_mesh(beam_mesh(), out / "beam.npz")
    save_mesh(solid_mesh(), out / "solid.npz")
    return out
