"""Files that are no model, or are written in odd YAML: read right, or refused in one message."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import pytest

import supple
from supple import ModelError

ARM = """\
links:
  arm: {rigid: {mass: 1, inertia: 1, length: 1}}
joints:
  - {name: a, type: revolute, child: arm}
"""
BOMB = "a: &a [1, 1, 1, 1, 1]\n" + "".join(
    f"{b}: &{b} [{', '.join([f'*{a}'] * 10)}]\n" for a, b in zip("abcdefg", "bcdefgh", strict=True)
)

# the file, and what the one error says
REFUSED: dict[str, tuple[str | bytes, str]] = {
    "empty": ("", "the file is empty"),
    "blank": ("\n \n\n", "the file is empty"),
    "only a mark": ("\ufeff", "the file is empty"),
    "a list": ("- links\n", "got a list"),
    "two documents": (f"{ARM}---\n{ARM}", "one document"),
    "binary": (b"\x89PNG\r\n\x1a\n\x00\x00", "not text"),
    "latin": ("name: größe\n".encode("latin-1"), "not text"),
    "utf-16": (ARM.encode("utf-16"), "not text"),
    "a NUL": (f"{ARM}name: a\0b\n", "special characters are not allowed"),
    "an escape": (f"{ARM}name: \x1b[31m\n", "special characters are not allowed"),
    "a tab": (ARM.replace("  arm", "\tarm"), "a tab cannot indent"),
    "twice the same key": (ARM + ARM, "duplicate key 'links'"),
    "twice in braces": (ARM.replace("mass: 1", "mass: 1, mass: 2"), "duplicate key 'mass'"),
    "brackets": ("a: " + "[" * 20_000, "nested too deeply"),
    "braces": ("{a: " * 20_000, "nested too deeply"),
    "dashes": ("- " * 20_000, "nested too deeply"),
    "question marks": ("? " * 20_000, "nested too deeply"),
    "stairs": ("\n".join(" " * i + "a:" for i in range(500)), "nested too deeply"),
    "aliases that multiply": (BOMB, "aliases multiply"),
    "an alias of itself": ("links: &a\n  b: *a\n", "aliases multiply without end"),
    "a merge of itself": (f"a: &a {{<<: *a}}\n{ARM}", ""),
    "an unknown alias": (f"name: *nobody\n{ARM}", "undefined alias 'nobody'"),
    "a tag on a number": (ARM.replace("mass: 1", "mass: !!str 1kg"), "be a number, got '1kg'"),
    "an open quote": (f'{ARM}name: "a\n', "not valid YAML"),
    "an open brace": (ARM.replace("}}", "}"), "not valid YAML"),
    "a date": (ARM.replace("mass: 1", "mass: 2020-01-01"), "be a number, got '2020-01-01"),
    "a time": (ARM.replace("mass: 1", "mass: 12:30:45"), "be a number, got '12:30:45'"),
    "a whole number too long": (ARM.replace("mass: 1", "mass: 1" + "0" * 400), "finite number"),
    "digits without end": (ARM.replace("mass: 1", "mass: " + "9" * 10_000), ""),
    "a number as key": (ARM.replace("joints:", "5: 6\njoints:"), "unknown key '5'"),
    "nothing as key": (ARM.replace("joints:", "~: 6\njoints:"), "unknown key 'None'"),
    "a list as key": (ARM.replace("joints:", "[1, 2]: 6\njoints:"), ""),
    "yes as key": (ARM.replace("joints:", "true: 6\njoints:"), "unknown key 'True'"),
    "too large": (ARM + "#" * 200_000, r"larger than 0.2 MB"),
    "a version": (f"%YAML 9.9\n---\n{ARM}", ""),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_file_that_is_no_model_is_refused_once(tmp_path: Path, case: str) -> None:
    content, message = REFUSED[case]
    path = tmp_path / "arm.yaml"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(ModelError) as error:
        supple.load(path)
    assert len(error.value.faults) == 1
    assert message in error.value.faults[0].message
    assert error.value.faults[0].message.isprintable()


# the file, and what it means: (name, mass, joint)
READ: dict[str, tuple[str, Any]] = {
    "carriage returns": (ARM.replace("\n", "\r\n"), 1.0),
    "a byte-order mark": ("\ufeff" + ARM, 1.0),
    "no newline at the end": (ARM.rstrip(), 1.0),
    "a document mark": (f"---\n{ARM}...\n", 1.0),
    "octal": (ARM.replace("mass: 1", "mass: 0o17"), 15.0),
    "a leading zero is no octal": (ARM.replace("mass: 1", "mass: 017"), 17.0),
    "hexadecimal": (ARM.replace("mass: 1", "mass: 0x10"), 16.0),
    "underscores": (ARM.replace("mass: 1", "mass: 1_000"), 1000.0),
    "an exponent": (ARM.replace("mass: 1", "mass: 1e3"), 1000.0),
    "an exponent with a sign": (ARM.replace("mass: 1", "mass: 1.0e+3"), 1000.0),
    "arithmetic": (ARM.replace("mass: 1", "mass: 2*pi/pi"), 2.0),
    "quotes": (ARM.replace("mass: 1", 'mass: "1"'), 1.0),
    "an anchor": (ARM.replace("mass: 1", "mass: &m 3").replace("length: 1", "length: *m"), 3.0),
    "an anchor written anew": (
        ARM.replace("mass: 1, inertia: 1", "mass: &m 3, inertia: &m 4"),
        3.0,
    ),
    "a tag is text": (f"name: !!python/object:os.system x\n{ARM}", 1.0),
    "a merge": (ARM.replace("{mass: 1,", "{<<: {mass: 7},"), 7.0),
    "a merge that is overruled": (ARM.replace("{mass: 1,", "{<<: {mass: 7}, mass: 8,"), 8.0),
    "letters of all the world": (ARM.replace("arm", "腕_рука_ذراع"), 1.0),
}


@pytest.mark.parametrize("case", READ)
def test_odd_yaml_means_what_yaml_says(tmp_path: Path, case: str) -> None:
    text, mass = READ[case]
    path = tmp_path / "arm.yaml"
    path.write_bytes(text.encode())
    robot = supple.load(path)
    assert robot.mass == mass
    assert robot.coordinate_names == ("a",)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_read_and_one_without_end_is_refused(tmp_path: Path) -> None:
    def load(content: bytes) -> supple.Robot:
        path = tmp_path / f"{len(content)}.yaml"
        os.mkfifo(path)
        threading.Thread(target=lambda: _pour(path, content), daemon=True).start()
        return supple.load(path)

    assert load(ARM.encode()).mass == 1.0
    with pytest.raises(ModelError, match="larger than"):
        load(ARM.encode() * 10_000)


def _pour(path: Path, content: bytes) -> None:
    with path.open("wb") as pipe:
        try:
            pipe.write(content)
        except BrokenPipeError:
            pipe.raw.close()  # type: ignore[attr-defined]
