"""python -m supple.cli: the `supple` command by the interpreter that runs."""

from . import main

main()
