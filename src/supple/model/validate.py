"""Check the words of a model and say every fault with its place."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ValidationError

from ..errors import Fault, ModelError, did_you_mean
from .spec import RobotSpec
from .yaml import Document


def validate(document: Document) -> RobotSpec:
    """The document as a RobotSpec, or one ModelError with all its faults."""
    try:
        return RobotSpec.model_validate(document.data)
    except ValidationError as error:
        faults = _faults(document, error)
        raise ModelError(faults, document.source) from None


def _faults(document: Document, error: ValidationError) -> list[Fault]:
    """One fault a place: a union reports each of its branches, the user made one mistake."""
    out: dict[tuple[str | int, ...], Fault] = {}
    for item in error.errors(include_url=False):
        path = _real_path(document.data, item["loc"])
        fault = _fault(document, path, dict(item))
        if path not in out or _rank(item["type"]) < _rank_of(out[path]):
            out[path] = fault
    # a branch of a union that fails deeper than the value itself hides the shallow report
    paths = list(out)
    keep = [p for p in paths if not any(q != p and q[: len(p)] == p for q in paths)]
    return [out[p] for p in keep]


def _rank(kind: str) -> int:
    return 1 if kind.startswith(("list_type", "model_type", "dict_type", "model_attr")) else 0


def _rank_of(fault: Fault) -> int:
    return 1 if "should be" in fault.message and "list" in fault.message else 0


def _real_path(data: Any, loc: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """pydantic's loc without the names of union branches that are not keys of the file."""
    path: list[str | int] = []
    node = data
    for i, part in enumerate(loc):
        last = i == len(loc) - 1
        if isinstance(node, dict) and part in node:
            node = node[part]
            path.append(part)
        elif isinstance(node, list) and isinstance(part, int) and part < len(node):
            node = node[part]
            path.append(part)
        elif isinstance(node, dict) and last and isinstance(part, str) and part.isidentifier():
            path.append(part)  # a missing key
    return tuple(path)


def _value(data: Any, path: tuple[str | int, ...]) -> Any:
    for part in path:
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            return None
    return data


def _fault(document: Document, path: tuple[str | int, ...], item: dict[str, Any]) -> Fault:
    kind = item["type"]
    if kind == "extra_forbidden":
        allowed = _allowed_keys(path[:-1])
        hint = did_you_mean(str(path[-1]), allowed) or (
            f"keys here are: {', '.join(allowed)}" if allowed else ""
        )
        return document.fault(path, f"unknown key {str(path[-1])!r}", hint)
    if kind == "missing":
        return document.fault(path, f"missing key {str(path[-1])!r}")
    given = _value(document.data, path)
    message = str(item["msg"])
    message = message[0].lower() + message[1:] if message else "not valid"
    message = message.removeprefix("value error, ")
    hint = ""
    if kind == "literal_error":
        expected = str(item.get("ctx", {}).get("expected", ""))
        hint = did_you_mean(str(given), [w.strip(" '") for w in expected.replace(" or ", ",").split(",")])
    shown = repr(given)
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    return document.fault(path, f"{message}, got {shown}", hint)


def _allowed_keys(path: tuple[str | int, ...]) -> list[str]:
    """The keys a file may have at this path."""
    models: list[type[BaseModel]] = [RobotSpec]
    for part in path:
        found: list[type[BaseModel]] = []
        for model in models:
            if isinstance(part, str) and part in model.model_fields:
                found += _models_in(model.model_fields[part].annotation)
            else:
                found.append(model)  # an index of a list, or a free name of a mapping
        models = found
    keys = {key for model in models for key in model.model_fields}
    return sorted(keys - {"order"})


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [m for inner in getattr(annotation, "__args__", ()) for m in _models_in(inner)]
