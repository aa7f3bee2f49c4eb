"""supple cache: compiled code kept on disk."""

from __future__ import annotations

import typer

from ..errors import InputError
from .command import command
from .console import JSON, print_json, print_table


@command(
    "cache",
    "supple cache",
    "supple cache --clear",
)
def cache(
    clear: bool = typer.Option(False, "--clear", help="Remove all of it."),
    json: bool = JSON,
) -> None:
    """Show or clear the compiled code kept on disk."""
    from ..engine import cache

    try:
        folder = str(cache.folder())
    except OSError as error:
        raise InputError(f"{error.strerror}; set SUPPLE_CACHE to a folder") from None
    if cache.off():
        _say_off(json)
        return
    if clear:
        count = cache.clear()
        if json:
            print_json({"folder": folder, "removed": count})
        else:
            typer.echo(f"removed {count} entries from {folder}")
        return
    found = cache.entries()
    rows = [(str(about.get("what", "?")), name[:12], size) for name, about, size in found]
    total = sum(size for *_, size in found)
    if json:
        entries = [{"what": what, "name": name, "bytes": size} for what, name, size in rows]
        print_json({"folder": folder, "bytes": total, "entries": entries})
        return
    print_table(folder, ("function", "key", "bytes"), rows)
    typer.echo(f"{len(rows)} entries, {total / 1e6:.2f} MB")


def _say_off(json: bool) -> None:
    if json:
        print_json({"folder": None, "bytes": 0, "entries": []})
    else:
        typer.echo("nothing is kept: SUPPLE_CACHE is off")
