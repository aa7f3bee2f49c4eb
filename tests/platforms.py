"""What is not on every system, and why a test is passed over there."""

from __future__ import annotations

import os
import sys

import pytest

POSIX = pytest.mark.skipif(
    not hasattr(os, "geteuid"),
    reason="of POSIX: numbered users, modes of files, symbolic links for everybody, its shell",
)
SIGNALS = pytest.mark.skipif(
    sys.platform == "win32", reason="processes of Windows are sent no interrupt alone"
)
