"""Write a robot's model: as a model file (.yaml), or as a rigid URDF file (.urdf)."""

from __future__ import annotations

import os
from io import StringIO
from pathlib import Path

from ..errors import FileError, InputError, brief
from ..files import write_whole
from ..robot import Robot
from .model_words import ModelWords, model_words
from .urdf.write_urdf import urdf_text
from .yaml import LARGEST


def write_model(robot: Robot, file: str | os.PathLike[str]) -> list[str]:
    """Write the robot's model to a .yaml or .urdf file; what the file cannot say, in words."""
    if not isinstance(robot, Robot):
        raise InputError(f"robot is {brief(robot)}; it must be a Robot, as supple.load makes it")
    from ..checks import file_name

    path = file_name(file, "write")
    suffix = path.suffix.lower()
    if suffix == ".urdf":
        text, lost = urdf_text(robot, path.parent)
    elif suffix in (".yaml", ".yml"):
        text, lost = yaml_text(robot, path.parent)
    else:
        raise FileError(f"{path}: a model is written to .yaml or .urdf files, not {suffix or path}")
    write_whole(path, text)
    return lost


def yaml_text(robot: Robot, folder: Path) -> tuple[str, list[str]]:
    """The robot's words as a model file, and what was left out."""
    from ruamel.yaml import YAML

    if robot.spec is None:
        raise InputError(f"robot {robot.name} was not built from a model: it has no words to write")
    words = model_words(robot.spec)
    lost = _with_near_meshes(words, folder)
    parts = [name for name, link in (words.get("links") or {}).items() if link.get("body")]
    if parts:
        lost.append(f"put the files of these bodies beside it: {', '.join(parts)}")
    yaml, out = YAML(typ="safe", pure=True), StringIO()
    yaml.default_flow_style, yaml.sort_base_mapping_type_on_output = None, False  # type: ignore
    yaml.width = 100
    yaml.dump(words, out)
    text = out.getvalue()
    if len(text.encode()) > LARGEST:
        lost.append(f"the file is larger than the {LARGEST / 1e6:g} MB that supple.load reads")
    return text, lost


def _with_near_meshes(words: ModelWords, folder: Path) -> list[str]:
    """Meshes by their names as seen from the folder; those outside it are left out."""
    far = 0
    for link in (words.get("links") or {}).values():
        kept = []
        for visual in link.get("visuals") or []:
            mesh = near(visual.get("mesh", ""), folder)
            if mesh is None:
                far += 1
            else:
                kept.append({**visual, "mesh": mesh} if mesh else visual)
        if "visuals" in link:
            link["visuals"] = kept
    return [f"{far} meshes that are not in the file's folder are left out"] if far else []


def near(mesh: str, folder: Path) -> str | None:
    """A mesh's name as seen from a folder; None: it is not in it."""
    if not mesh:
        return ""
    path, home = Path(mesh).resolve(), folder.resolve()
    return path.relative_to(home).as_posix() if path.is_relative_to(home) else None
