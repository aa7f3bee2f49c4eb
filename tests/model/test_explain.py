"""Every key of a model file has its words in supple help, and every example is right."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel, TypeAdapter

import supple
from supple.model import spec
from supple.model.explain import TOPICS, key_texts, keys, titles
from supple.model.yaml import parse

CLOSED = ("loops", "actuated", "guess")  # keys of closed chains
KEYS = [(topic, key) for topic in TOPICS for key in keys(topic)]


def all_specs(model: type[BaseModel]) -> set[type[BaseModel]]:
    below = [all_specs(m) for m in model.__subclasses__()]
    return {model}.union(*below)


@pytest.mark.parametrize(
    ("topic", "key", "words"),
    [
        ("damping", "rayleigh", "a list of numbers, 0 or above"),
        ("visual", "cylinder", "a list of numbers above 0"),
        ("model", "joints", "a list of mappings"),
    ],
)
def test_a_list_is_of_many(topic: str, key: str, words: str) -> None:
    assert next(k.holds for k in keys(topic) if k.name == key) == words


def test_every_part_of_a_model_has_a_topic() -> None:
    bases = {spec.Spec, spec.Passive, spec.RowBeam}  # not parts of their own
    bases |= {spec.FamilyOptions, spec.FieldCounts}
    parts = {x for x in all_specs(spec.Spec) if x.__module__.startswith("supple.model.")}
    topics = {x for x in TOPICS.values() if x.__module__.startswith("supple.model.")}
    assert topics == parts - bases  # `supple.sweeps` adds those of studies
    assert set(spec.RowBeam.model_fields) == set(spec.BeamSpec.model_fields)


@pytest.mark.parametrize("topic", TOPICS)
def test_every_key_has_its_words_and_no_words_are_left_over(topic: str) -> None:
    fields = set(TOPICS[topic].model_fields) - {"order"}
    own = {key for key in key_texts(topic) if key in fields}
    assert own == fields
    assert {key.name for key in keys(topic)} == fields
    for key in keys(topic):
        assert key.meaning.endswith(".")
        assert key.example.startswith(f"{key.name}: ")
    assert len(f"{topic}: {titles()[topic]}") <= 80


@pytest.mark.parametrize(("topic", "key"), KEYS, ids=lambda x: getattr(x, "name", x))
def test_every_example_is_right(topic: str, key: Any) -> None:
    value = parse(key.example).data
    model = TOPICS[topic]
    field = model.model_fields[key.name]
    TypeAdapter(field.rebuild_annotation()).validate_python(value[key.name])


def test_the_examples_of_a_robot_build_it() -> None:
    examples = {key.name: key.example for key in keys("model")}
    text = "\n".join(v for k, v in examples.items() if k not in ("dh", "elastic_columns", *CLOSED))
    robot = supple.build(parse(text))
    assert robot.coordinate_names == ("shoulder",)
    assert supple.build(parse(examples["dh"])).nv == 1


def test_the_examples_of_a_link_build_one() -> None:
    words = [f"    {k.example}" for k in keys("link") if k.name not in ("rigid", "body")]
    text = "links:\n  arm:\n" + "\n".join(words) + "\njoints: [{type: revolute, child: arm}]"
    assert supple.build(parse(text)).modes == 2
