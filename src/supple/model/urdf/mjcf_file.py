"""Read an MJCF file by MuJoCo's own compiler (extra `mujoco`), once all that it would open is known
to be in its folder."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import Fault, ModelError
from .meshes import OutsideError, Packages
from .mjcf_words import mjcf_words
from .read_urdf import MadeDocument, check_expanded
from .xml_tree import XmlFile, read_xml

if TYPE_CHECKING:
    import mujoco

MOST = 100  # files that one file may include
FOLDERS = ("meshdir", "texturedir", "assetdir")


def mjcf_document(file: XmlFile, path: Path) -> MadeDocument:
    """The words of an MJCF file. ModelError where it is wrong, or holds what Supple has not."""
    check_expanded(file)
    faults = _escapes(file, Packages(file.folder), path)
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


def _escapes(main: XmlFile, home: Packages, path: Path) -> list[Fault]:
    """Faults of files, named in this one or in those it takes in, that are outside its folder.
    MuJoCo looks for a file from the main one's folder, then beside the one that names it."""
    files, folders, seen, out = [(main, "")], [""], {path.resolve()}, []
    for file, beside in files:  # they grow
        for element in file.root.walk():
            folders += [f"{v}/" for k, v in element.attributes.items() if k in FOLDERS and v]
            name = element.attributes.get("file", "") if element.tag in ("include", "model") else ""
            for place in dict.fromkeys((name, beside + name)) if name else ():
                found = (home.folder / place.replace("\\", "/")).resolve()
                fresh = found not in seen and len(files) <= MOST and os.path.isfile(found)
                if fresh and not _outside(home, [place]):
                    seen.add(found)
                    inner = os.path.relpath(found.parent, home.folder.resolve())
                    files.append((read_xml(found), f"{inner}/"))
                    break
        if len(files) > MOST:
            return [main.fault(main.root, f"more than {MOST} files are included")]
    help = "put what belongs to the model into its folder"
    for file, beside in files:
        where = list(dict.fromkeys((*folders, beside, *(x + beside for x in folders))))
        for element in file.root.walk():
            for key, name in element.attributes.items():
                named = name and (key in FOLDERS or key.startswith("file"))
                reason = _outside(home, [x + name for x in where]) if named else ""
                if reason:
                    out.append(file.fault(element, f"the file is not read: {reason}", help, key))
    return out


def _outside(home: Packages, places: Iterable[str]) -> str:
    """Why none of these places may be read, or one that is there may not; '' where all is well."""
    reasons, inside = [], False
    for place in places:
        try:
            home.path(place)
            inside = True
        except (OutsideError, OSError, ValueError, RuntimeError) as error:
            if os.path.exists(home.folder / place):
                return str(error)
            reasons.append(str(error))
    return "" if inside else reasons[0]
