"""Read an MJCF file by MuJoCo's own compiler (extra `mujoco`), once all that it would open is known
to be in its folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import Fault, ModelError
from .document import MadeDocument
from .load_urdf import check_expanded
from .meshes import OutsideError, Packages
from .mjcf_words import mjcf_words
from .xml_tree import XmlFile, read_xml

if TYPE_CHECKING:
    import mujoco

MOST = 100  # files that one file may include
FOLDERS = ("meshdir", "texturedir", "assetdir")


def mjcf_document(file: XmlFile, path: Path) -> MadeDocument:
    """The words of an MJCF file. ModelError where it is wrong, or holds what Supple has not."""
    check_expanded(file)
    faults = _escapes(file, Packages(file.folder), [path])
    if faults:
        raise ModelError(faults, file.source)
    words, refused = mjcf_words(_compiled(file, path), path.stem)
    if refused:
        help = "Supple has rigid trees, connect and joint equalities of MJCF; take these out"
        faults = [file.fault(file.root, f"not taken over: {words}", help) for words in refused]
        raise ModelError(faults, file.source)
    return MadeDocument(words, file.source, folder=file.folder)


def _compiled(file: XmlFile, path: Path) -> mujoco.MjModel:
    try:
        import mujoco
    except ImportError:
        help = "pip install 'supple[mujoco]', or give the robot as URDF"
        fault = file.fault(file.root, "MJCF files are compiled by MuJoCo, which is missing", help)
        raise ModelError([fault], file.source) from None
    try:
        return mujoco.MjModel.from_xml_path(str(path))
    except (ValueError, RuntimeError) as error:
        words = " ".join(str(error).split())[:300]
        raise ModelError([file.fault(file.root, f"MuJoCo says: {words}")], file.source) from None


def _escapes(file: XmlFile, home: Packages, seen: list[Path]) -> list[Fault]:
    """Faults of files, named in this one or in those it includes, that are outside its folder."""
    out = []
    folders = ["", *_folders(file)]
    for element in file.root.walk():
        for key in ("file", *FOLDERS, *(k for k in element.attributes if k.startswith("file"))):
            name = element.attributes.get(key, "")
            try:
                found = [home.path(f"{folder}/{name}" if folder else name) for folder in folders]
            except (OutsideError, OSError, ValueError, RuntimeError) as error:
                help = "put what belongs to the model into its folder"
                out.append(file.fault(element, f"the file is not read: {error}", help, key))
                continue
            include = element.tag == "include" and name and found[0] not in seen
            if include and found[0].is_file():
                seen.append(found[0])
                if len(seen) > MOST:
                    return [file.fault(element, f"more than {MOST} files are included")]
                out += _escapes(read_xml(found[0]), home, seen)
    return out


def _folders(file: XmlFile) -> list[str]:
    elements = [e for e in file.root.walk() if e.tag == "compiler"]
    return [e.attributes[key] for e in elements for key in FOLDERS if key in e.attributes]
