"""supple help: the words of a model file."""

from __future__ import annotations

from inspect import cleandoc
from typing import Any

import typer


def command(
    topic: str = typer.Argument("model", help="model, or one of its parts, e.g. beam."),
) -> None:
    """Explain the model file: every key and what it may hold."""
    from ..errors import unknown_name
    from ..model import spec

    parts: dict[str, Any] = {
        "model": spec.RobotSpec,
        "link": spec.LinkSpec,
        "beam": spec.BeamSpec,
        "modes": spec.Modes,
        "section": spec.Section,
        "damping": spec.Damping,
        "rigid": spec.RigidSpec,
        "hub": spec.LumpSpec,
        "payload": spec.PayloadSpec,
        "station": spec.StationSpec,
        "joint": spec.JointSpec,
        "friction": spec.Friction,
        "dh": spec.DHTable,
        "dh-row": spec.DHRow,
        "motion": spec.MotionSpec,
    }
    if topic not in parts:
        raise unknown_name("topic", topic, parts)
    model = parts[topic]
    typer.echo(f"{topic}: {cleandoc(model.__doc__)}\n")
    for name, info in model.model_fields.items():
        if name == "order":
            continue
        need = "required" if info.is_required() else f"default {info.get_default()!r}"
        if len(need) > 60 or need == "default None":
            need = "optional"
        typer.echo(f"  {name:<20} {_kind(info.annotation):<52} {need}")
    typer.echo(f"\nOther topics: {', '.join(p for p in parts if p != topic)}")
    typer.echo("supple new FILE writes a commented example.")


def _kind(annotation: Any) -> str:
    """What a key may hold, in words."""
    import types
    import typing

    origin = typing.get_origin(annotation)
    arguments = typing.get_args(annotation)
    if origin is typing.Literal:
        return " | ".join(str(a) for a in arguments)
    if origin in (types.UnionType, typing.Union):
        words = [_kind(a) for a in arguments if a is not type(None)]
        return " | ".join(dict.fromkeys(words))
    if origin is typing.Annotated:
        return _kind(arguments[0])
    if origin is list:
        return f"list of {_kind(arguments[0])}"
    if origin is dict:
        return f"mapping of {_kind(arguments[-1])}"
    return {"float": "number", "int": "whole number", "str": "text", "bool": "true | false"}.get(
        getattr(annotation, "__name__", str(annotation)),
        getattr(annotation, "__name__", str(annotation)).removesuffix("Spec").lower(),
    )
