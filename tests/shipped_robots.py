"""The robots that ship, by whether their chains are open or closed."""

import supple

CLOSED = [name for name in supple.shipped() if supple.load(name).loops]
OPEN = [name for name in supple.shipped() if name not in CLOSED]
