"""The robots that ship, by whether their chains are open or closed: as their files say, which are
read by every process that collects tests. A test of `check` holds that it is so."""

import re
from importlib.resources import files

import supple


def _closed(name):
    text = (files("supple") / "robots" / f"{name}.yaml").read_text(encoding="utf-8")
    return re.search(r"^loops:", text, re.MULTILINE)


CLOSED = [name for name in supple.shipped() if _closed(name)]
OPEN = [name for name in supple.shipped() if name not in CLOSED]
