"""Check the words of a model and say every fault with its place, in plain words."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict, TypeVar

from pydantic import BaseModel, ValidationError

from ..errors import Fault, ModelError, brief, did_you_mean
from .spec import TAGS
from .yaml import Document

Path = tuple[str | int, ...]
S = TypeVar("S", bound=BaseModel)

WORDS = {
    "float_type": "input should be a number",
    "float_parsing": "input should be a number",
    "int_type": "input should be a whole number",
    "int_parsing": "input should be a whole number",
    "int_from_float": "input should be a whole number",
    "bool_type": "input should be true or false",
    "bool_parsing": "input should be true or false",
    "string_type": "input should be text",
    "string_too_short": "a name needs at least one letter",
    "string_too_long": "a name has at most 60 letters",
    "string_pattern_mismatch": "a name holds no blanks and no dots",
    "list_type": "input should be a list",
    "dict_type": "input should be a mapping of keys",
    "model_type": "input should be a mapping of keys",
    "model_attributes_type": "input should be a mapping of keys",
}


class Mistake(TypedDict):
    """What pydantic says of a mistake, as far as it is read here."""

    type: str
    loc: tuple[str | int, ...]
    msg: str
    ctx: NotRequired[dict[str, object]]


def validate(document: Document, model: type[S]) -> S:
    """The document as the words of a model or a study, or one ModelError with all its faults."""
    try:
        return model.model_validate(document.data)
    except ValidationError as error:
        faults = _faults(document, error, model)
        raise ModelError(faults, document.source) from None


def _faults(document: Document, error: ValidationError, model: type[BaseModel]) -> list[Fault]:
    """Every mistake once, in the order of the file."""
    items = [(_path(item["loc"]), item) for item in error.errors(include_url=False)]
    unknown = [path for path, item in items if item["type"] == "extra_forbidden"]
    out: dict[object, Fault] = {}
    for path, item in items:
        if item["type"] == "missing" and _misspelt(path, unknown):
            continue  # the unknown key says it already
        fault = _fault(document, path, item, model)
        place = (fault.line, fault.column) if path in (document.places or {}) else path
        out.setdefault((place, fault.message), fault)  # an alias repeats the faults of its anchor
    return sorted(out.values(), key=lambda fault: (fault.line or 0, fault.column or 0))


def _path(loc: tuple[str | int, ...]) -> Path:
    """The keys of the file, without pydantic's names for the ways to write a value."""
    return tuple(part for part in loc if part not in (*TAGS, "[key]"))


def _misspelt(missing: Path, unknown: list[Path]) -> bool:
    near = [str(path[-1]) for path in unknown if path[:-1] == missing[:-1]]
    return any(did_you_mean(name, [str(missing[-1])]) for name in near)


def _value(data: Any, path: Path) -> Any:
    for part in path:
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            return None
    return data


def _fault(document: Document, path: Path, item: Mistake, model: type[BaseModel]) -> Fault:
    kind, name = item["type"], str(path[-1]) if path else ""
    if kind == "extra_forbidden":
        allowed = _allowed_keys(path[:-1], model)
        hint = did_you_mean(name, allowed) or f"keys here are: {', '.join(allowed)}"
        return document.fault(path, f"unknown key {name!r}", hint)
    if kind == "missing":
        given = ", ".join(str(key) for key in _value(document.data, path[:-1]) or ()) or "nothing"
        return document.fault(path, f"missing key {name!r}", f"it is required; given: {given}")
    message = WORDS.get(kind, str(item["msg"]))
    message = (message[:1].lower() + message[1:]).removeprefix("value error, ")
    if kind == "too_short":
        message = f"input should be a list of at least {item['ctx']['min_length']}"
    value = name if item["loc"][-1] == "[key]" else _value(document.data, path)
    hint = ""
    if kind == "literal_error":
        expected = str(item.get("ctx", {}).get("expected", ""))
        words = [w.strip(" '") for w in expected.replace(" or ", ",").split(",")]
        hint = did_you_mean(str(value), words)
    return document.fault(path, f"{message}, got {shown(value)}", hint)


def shown(value: object) -> str:
    """A value as the file writes it, cut where it is long."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        text = "{" + ", ".join(f"{k}: {shown(v)}" for k, v in list(value.items())[:9]) + "}"
    elif isinstance(value, list | tuple):
        text = "[" + ", ".join(shown(v) for v in value[:30]) + "]"
    else:
        text = brief(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _allowed_keys(path: Path, model: type[BaseModel]) -> list[str]:
    """The keys a file may have at this path."""
    models: list[type[BaseModel]] = [model]
    for part in path:
        found: list[type[BaseModel]] = []
        for one in models:
            if isinstance(part, str) and part in one.model_fields:
                found += _models_in(one.model_fields[part].annotation)
            else:
                found.append(one)  # an index of a list, or a free name of a mapping
        models = found
    keys = {key for one in models for key in one.model_fields}
    return sorted(keys - {"order"})


def _models_in(annotation: object) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [m for inner in getattr(annotation, "__args__", ()) for m in _models_in(inner)]
