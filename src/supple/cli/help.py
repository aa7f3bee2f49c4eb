"""supple help: the words of a model file."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from ..model.explain import Key

WIDTH = 80

EXAMPLES = (
    "supple help",
    "supple help beam",
)


def command(
    topic: str = typer.Argument("", help="A part of the model file, e.g. beam; none: list them."),
) -> None:
    """Explain the model file: every key, what it means and what it may hold."""
    from ..errors import unknown_name
    from ..model.explain import TOPICS, about, keys, titles

    if not topic:
        typer.echo("A model file is YAML; units are SI. supple help TOPIC explains its parts:\n")
        for name, title in titles().items():
            typer.echo(f"  {name:<10}{title}")
        typer.echo("\nsupple new FILE writes a commented example.")
        return
    topic = topic if topic in TOPICS else topic.removesuffix("s")  # loops: loop
    if topic not in TOPICS:
        raise unknown_name("topic", topic, TOPICS)
    typer.echo(f"{topic}: {titles()[topic]}\n")
    if about(topic):
        typer.echo(fill(about(topic), WIDTH) + "\n")
    for key in keys(topic):
        typer.echo(_entry(key))
    others = ", ".join(name for name in TOPICS if name != topic)
    typer.echo(fill(f"Other topics: {others}", WIDTH))


def _entry(key: Key) -> str:
    """A key's lines: what it holds, what it means, how it looks."""
    unit = f" [{key.unit}]" if key.unit else ""
    return "\n".join(
        [
            fill(f"  {key.name}{unit}: {key.holds}; {key.need}", WIDTH, subsequent_indent=" " * 6),
            fill(key.meaning, WIDTH, initial_indent=" " * 6, subsequent_indent=" " * 6),
            f"      e.g. {key.example}",
            "",
        ]
    )
