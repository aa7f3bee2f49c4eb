"""Model files gone wrong: mutations of the shipped robots and of the guide's examples."""

from __future__ import annotations

import copy
import json
import math
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path as FilePath
from typing import Any

from supple.model.spec import Spec
from supple.model.yaml import Document, parse
from supple.model.yaml_nodes import Path, Places

GUIDE = FilePath(__file__).parents[1] / "docs" / "guide.md"


class Raw(str):
    """A piece of YAML, written as it is."""


NASTY: tuple[Any, ...] = (
    *(0, -1, 1, 2, 61, 1.5, -0.0, 1e-3, 1e3, 1e9, -1e9, 1e-9, 1e-300, 5e-324, 1e150, 1e308, -1e308),
    *(
        math.inf,
        -math.inf,
        math.nan,
        10**25,
        10**400,
        True,
        False,
        None,
        "",
        " ",
        "a",
        "x.y",
        "a b",
    ),
    *("1e999", "pi/0", "9**9**9", "deg", "2*(3", "1_0", "--1", "1;2", "0x1F", "ff", "1/3", "-pi"),
    *(
        "world",
        "origin",
        "tip",
        "root",
        "rigid",
        "linearized",
        "functions",
        "clamped_mass",
        "pinned",
    ),
    *("revolute", "prismatic", "fixed", "spherical", "floating", "zyx", "tube", "box", "modified"),
    *("x", "x**2", "x-1", "1/x", "log(x)", "sqrt(-x)", "x**0.5", "tan(9*x)", "abs(x-0.3)", "x**x"),
    *(
        "t",
        "1/t",
        "t**t",
        "exp(exp(t))",
        "sin(" * 50 + "t" + ")" * 50,
        "q",
        "import os",
        "t" * 2000,
    ),
    *(
        "\u0000",
        "\u202e",
        "腕",
        "é" * 100,
        "\ud83e\udd16".encode("utf-16", "surrogatepass").decode("utf-16"),
    ),
    *(
        [],
        [0],
        [0, 0],
        [0, 0, 0],
        [1, 2, 3],
        [1, 1, -1],
        [1e200] * 3,
        [1e-200] * 3,
        [1, 1, 5],
        [0] * 6,
    ),
    *(
        [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
        [[1, 2, 0], [0, 1, 0], [0, 0, 1]],
        [[1], [2], [3]],
        [None] * 3,
    ),
    *(
        [1, 0],
        [0, 1],
        [1e-300, 1],
        [1, 1e-300],
        ["a", "b"],
        [[[[1]]]],
        {},
        {"a": 1},
        {"x": 0},
        {"count": 3},
    ),
    *({"x": [0, 1], "value": [1, 1]}, {"x": [0, 9], "value": [0, 1]}, {"x": [], "value": []}),
    *({"x": [0, 1e-300, 100], "value": [1, 1e308, 1e-308]}, {"mass": 1}, {"shape": "box"}),
    *(
        Raw(".nan"),
        Raw("~"),
        Raw("0o17"),
        Raw("2020-01-01"),
        Raw("!!binary aGk="),
        Raw("*a"),
        Raw("&a 1"),
    ),
    *(
        Raw("!!float 3"),
        Raw("!!set {a}"),
        Raw("{<<: 1}"),
        Raw("{? a : b}"),
        Raw("1:30"),
        Raw("yes"),
        Raw("'"),
    ),
)
WORDS = (
    *(
        "orthogonal",
        "clamped_free",
        "pinned_pinned",
        "clamped_mass",
        "polynomial",
        "finite_elements",
    ),
    *(
        "raw",
        "tip",
        "mean_square",
        "mass",
        "sine",
        "second_order",
        "first_order",
        "linearized",
        "rigid",
    ),
    *(
        "revolute",
        "prismatic",
        "fixed",
        "spherical",
        "floating",
        "circle",
        "tube",
        "rectangle",
        "box",
    ),
    *(
        "saha",
        "standard",
        "modified",
        "chord",
        "slope",
        "origin",
        "root",
        "world",
        "0.3*t",
        "pinned",
    ),
)
LETTERS = "aAxz019 .,:;-+*/#&!|>'\"%@`{}[]()<>=~_\t\n\\\u0000é腕"


@cache
def sources() -> tuple[tuple[str, str], ...]:
    """Names and texts of right models: shipped, the template, those of the guide."""
    robots = files("supple") / "robots"
    texts = [(p.name, p.read_text()) for p in sorted(robots.iterdir(), key=lambda p: p.name)]
    texts = [(name, text) for name, text in texts if name.endswith(".yaml")]
    texts.append(("template", (files("supple") / "model" / "template.yaml").read_text()))
    blocks = re.findall(r"```yaml\n(.*?)```", GUIDE.read_text(), re.S)
    return (*texts, *((f"guide {i}", text) for i, text in enumerate(blocks)))


@cache
def _weights() -> list[float]:
    return [1.0 / len(text) for _, text in sources()]


@cache
def source_data(index: int) -> dict[str, Any]:
    return parse(sources()[index][1]).data


@cache
def _keys() -> tuple[str, ...]:
    def below(model: type[Spec]) -> set[str]:
        return set(model.model_fields).union(*(below(m) for m in model.__subclasses__()))

    return tuple(sorted(below(Spec)))


@dataclass(frozen=True)
class Mutant:
    """A model file gone wrong: from which one, its text, and its data where these were mutated."""

    source: str
    text: str
    data: dict[str, Any] | None = None

    def document(self) -> Document:
        """What `parse` makes of it, or the error. Data that need no reading of YAML are taken as
        they are: that is half of the time."""
        if self.data and "" not in self.data and not has_raw(self.data):  # "" unquoted is null
            return document(self.data, self.text)
        return parse(self.text, "arm.yaml")


def mutant(seed: int) -> Mutant:
    rng = random.Random(seed)
    index = rng.choices(range(len(sources())), _weights())[0]  # short ones more often
    name, text = sources()[index]
    many = rng.choice((1, 1, 1, 1, 2, 3))
    if rng.random() < 0.25:
        for _ in range(many):
            text = rng.choice(TEXT)(rng, text)
        return Mutant(name, text)
    data = json.loads(json.dumps(source_data(index)))
    for _ in range(many):
        rng.choice(DATA)(rng, *_place(rng, data))
    return Mutant(name, in_lines(data), data)


def _place(rng: random.Random, data: Any) -> tuple[Any, Any]:
    """A mapping or list, and one of its keys; deep ones as often as shallow ones."""
    places = []
    stack = [data]
    while stack:
        node = stack.pop()
        items = node.items() if isinstance(node, dict) else enumerate(node)
        for key, value in items:
            places.append((node, key))
            if isinstance(value, dict | list):
                stack.append(value)
    if not places:
        data.setdefault("name", "empty")
    return rng.choice(places) if places else (data, "name")


def _nasty(rng: random.Random) -> Any:
    return copy.deepcopy(rng.choice(NASTY))


def _spoil(rng: random.Random, holder: Any, key: Any) -> None:
    holder[key] = _nasty(rng)


def _scale(rng: random.Random, holder: Any, key: Any) -> None:
    """Another number of the same kind, or another word of the file format."""
    value = holder[key]
    if isinstance(value, int):
        holder[key] = rng.choice((value, value + 1, 0, 7, 20, 1000, -value, 0.5 * value))
    elif isinstance(value, float):
        holder[key] = value * 10.0 ** rng.choice((-300, -20, -9, -3, -1, 0.3, 1, 3, 9, 20, 300))
    elif isinstance(value, str):
        holder[key] = rng.choice(WORDS)
    else:
        _copy(rng, holder, key)


def _delete(rng: random.Random, holder: Any, key: Any) -> None:
    del holder[key]


def _rename(rng: random.Random, holder: Any, key: Any) -> None:
    if isinstance(holder, dict):
        new = rng.choice((rng.choice(_keys()), rng.choice(_keys()), f"{key}x", "", "a b", "5"))
        holder[new] = holder.pop(key)
    else:
        holder.append(holder[key])


def _retype(rng: random.Random, holder: Any, key: Any) -> None:
    value = holder[key]
    holder[key] = rng.choice(
        ([value], [value] * 3, {"x": value}, {key: value}, str(value), [value] * 2)
    )


def _add(rng: random.Random, holder: Any, key: Any) -> None:
    if isinstance(holder, dict):
        holder[rng.choice(_keys())] = _nasty(rng)
    else:
        holder.insert(rng.randrange(len(holder) + 1), _nasty(rng))


def _copy(rng: random.Random, holder: Any, key: Any) -> None:
    """A part put where another was."""
    other = rng.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
    holder[key] = json.loads(json.dumps(holder[other], default=str))


DATA: tuple[Callable[[random.Random, Any, Any], None], ...]
DATA = (_spoil, _spoil, *[_scale] * 6, _delete, _delete, _rename, _retype, _add, _copy)


def _truncate(rng: random.Random, text: str) -> str:
    return text[: rng.randrange(len(text) + 1)]


def _flip(rng: random.Random, text: str) -> str:
    at = rng.randrange(len(text)) if text else 0
    return text[:at] + rng.choice(LETTERS) + text[at + rng.randint(0, 1) :]


def _lines(rng: random.Random, text: str) -> str:
    """A line deleted, doubled, moved or indented."""
    lines = text.split("\n")
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    line = lines.pop(i)
    lines[j:j] = rng.choice(
        ([], [line], [line, line], [" " * rng.randint(1, 4) + line], [line[1:]])
    )
    return "\n".join(lines)


def _number(rng: random.Random, text: str) -> str:
    """A number in the text replaced by something nasty."""
    found = list(re.finditer(r"\d[\d.e+-]*", text))
    if not found:
        return text
    match = rng.choice(found)
    return text[: match.start()] + written(rng.choice(NASTY)) + text[match.end() :]


TEXT: tuple[Callable[[random.Random, str], str], ...] = (_truncate, _flip, _flip, _lines, _number)


def in_lines(data: dict[str, Any]) -> str:
    """The data in YAML, a line for each key."""
    return "".join(f"{key}: {written(value)}\n" for key, value in data.items())


def document(data: dict[str, Any], text: str) -> Document:
    """What `parse` makes of the text that `in_lines` gives, without reading it."""
    places = Places()
    for line, (key, value) in enumerate(data.items()):
        places[(key,)] = (line, 0)
        _note(places, (key,), value, line, len(f"{key}: "))
    return Document(_plain(data), "arm.yaml", tuple(text.splitlines()), places)


def _note(places: Places, path: Path, value: Any, line: int, column: int) -> int:
    """Notes the places of what a value holds; where `written` ends that begins at a column."""
    if not isinstance(value, dict | list) or not value:
        return column + len(written(value))
    keys = value if isinstance(value, dict) else range(len(value))
    for key in keys:
        name = str(key) if isinstance(value, dict) else key
        places[(*path, name)] = (line, column + 1)
        colon = len(f"{json.dumps(name)}: ") if isinstance(value, dict) else 0
        column = _note(places, (*path, name), value[key], line, column + 1 + colon) + 1
    return column


def _plain(value: Any) -> Any:
    """The value with keys that are texts, as a file has them."""
    if isinstance(value, dict):
        return {str(key): _plain(x) for key, x in value.items()}
    return [_plain(x) for x in value] if isinstance(value, list) else value


def has_raw(value: Any) -> bool:
    if isinstance(value, dict | list):
        return any(map(has_raw, value.values() if isinstance(value, dict) else value))
    return isinstance(value, Raw)


def written(value: Any) -> str:
    """The value in YAML's flow style."""
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, dict):
        return (
            "{" + ", ".join(f"{json.dumps(str(k))}: {written(v)}" for k, v in value.items()) + "}"
        )
    if isinstance(value, list | tuple):
        return "[" + ", ".join(written(v) for v in value) + "]"
    if isinstance(value, float) and not math.isfinite(value):
        return {math.inf: ".inf", -math.inf: "-.inf"}.get(value, ".nan")
    return json.dumps(value, ensure_ascii=False)
