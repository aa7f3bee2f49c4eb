"""supple help: the words of a model file."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING

import typer

from ..errors import unknown_name
from .command import command
from .console import JSON, broken, print_json, tell, width

if TYPE_CHECKING:
    from ..model.explain import Key

WIDTH = 80


@command(
    "help",
    "supple help",
    "supple help beam",
)
def explain(
    topic: str = typer.Argument("", help="A part of the model file, e.g. beam; none: list them."),
    json: bool = JSON,
) -> None:
    """Explain the model file: every key, what it means and what it may hold."""
    from .. import sweeps  # noqa: F401  its topics are then known too
    from ..model.explain import TOPICS, about, keys, titles

    topic = topic if topic in TOPICS else topic.removesuffix("s")  # loops: loop
    if topic and topic not in TOPICS:
        raise unknown_name("topic", topic, TOPICS)
    if json:
        print_json(_facts(topic))
        return
    if not topic:
        tell("A model file is YAML; units are SI. supple help TOPIC explains its parts:")
        typer.echo()
        for name, title in titles().items():
            tell(f"  {name:<12}{title}")
        typer.echo("\nsupple new FILE writes a commented example.")
        return
    tell(f"{topic}: {titles()[topic]}")
    typer.echo()
    if about(topic):
        typer.echo(fill(about(topic), _columns()) + "\n")
    for key in keys(topic):
        typer.echo(_entry(key))
    others = ", ".join(name for name in TOPICS if name != topic)
    typer.echo(fill(f"Other topics: {others}", _columns()))


def _columns() -> int:
    """Of the text: 80, or what the terminal has."""
    return min(WIDTH, width() or WIDTH)


def _facts(topic: str) -> dict[str, object]:
    """A topic and its keys; without one all topics."""
    from ..model.explain import about, keys, titles

    if not topic:
        return {"topics": titles()}
    names = ("name", "unit", "holds", "need", "meaning", "example")
    listed = [{name: getattr(key, name) for name in names} for key in keys(topic)]
    return {"topic": topic, "title": titles()[topic], "about": about(topic), "keys": listed}


def _entry(key: Key) -> str:
    """A key's lines: what it holds, what it means, how it looks."""
    unit = f" [{key.unit}]" if key.unit else ""
    return "\n".join(
        [
            fill(
                f"  {key.name}{unit}: {key.holds}; {key.need}",
                _columns(),
                subsequent_indent=" " * 6,
            ),
            fill(key.meaning, _columns(), initial_indent=" " * 6, subsequent_indent=" " * 6),
            broken(f"      e.g. {key.example}"),
            "",
        ]
    )
