"""A model that extends a URDF file: the file's words, changed by the model's."""

from __future__ import annotations

import copy
from dataclasses import replace
from functools import partial
from typing import Literal, cast

from ...errors import Fault, ModelError, brief, did_you_mean
from ..model_words import (
    BendWords,
    JointWords,
    ModelWords,
    OriginWords,
    UrdfWords,
)
from ..validate import validate
from ..yaml import Document
from ..yaml_nodes import Path
from .bend import LIGHTER, NoBeamError, bent
from .read_urdf import MadeDocument, Origin, read_urdf
from .spec import COPIED, UrdfSpec

FITTED = {"start", "end", "rpy", *LIGHTER}


def extended(document: Document) -> MadeDocument:
    """The words of a model with the key `urdf`, with those of that file. ModelError with all that
    is wrong."""
    spec = validate(document, UrdfSpec)
    folder = document.folder
    packages = {name: folder / path for name, path in spec.packages.items()}
    base = read_urdf(folder / spec.urdf, spec.base, packages)
    return _Extension(document, spec, base).made()


class _Extension:
    def __init__(self, document: Document, spec: UrdfSpec, base: MadeDocument) -> None:
        self.document, self.spec = document, spec
        self.given = cast(UrdfWords, document.data)  # as `spec` has found them
        self.words: ModelWords = copy.deepcopy(base.data)
        self.places: dict[Path, Origin] = dict(base.made)
        self.faults: list[Fault] = []

    def made(self) -> MadeDocument:
        words, given = self.words, self.document.data
        shared = {key: given[key] for key in COPIED if key in given}
        words |= cast(ModelWords, shared)
        for key in shared:
            self._from((key,), (key,))
        words["name"] = self.spec.name or words["name"]
        words["notes"] = [*self.spec.notes, *words.get("notes", [])]
        words["source"] = self.spec.source or words["source"]
        self._joints()
        self._links()
        for link, bend in (self.given.get("bend") or {}).items():
            self._bend(link, (bend or {}) | self._numbers(link))
        if self.faults:
            raise ModelError(self.faults, self.document.source)
        document = self.document
        return MadeDocument(words, document.source, folder=document.folder, made=self.places)

    def _numbers(self, link: str) -> BendWords:
        """What a beam is fitted by, as numbers: the words may be expressions."""
        fitted = self.spec.bend[link].model_dump(include=FITTED, exclude_unset=True)
        return cast(BendWords, fitted)

    def _from(self, path: Path, key: Path) -> None:
        """Words below `path` are those of the model below `key`."""
        below = [place for place in self.document.places or () if place[: len(key)] == key]
        for place in (key, *below):
            self.places[path + place[len(key) :]] = partial(self._origin, place)

    def _origin(self, key: Path, message: str, help: str) -> Fault:
        """A fault of a word made of a key of the model that extends the file."""
        return replace(self.document.fault(key, message, help), source=self.document.source)

    def _fault(self, key: Path, message: str, help: str = "") -> None:
        self.faults.append(self.document.fault(key, message, help))

    def _known(self, key: Path, name: str, names: list[str], kind: str) -> bool:
        if name not in names:
            shown = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
            help = did_you_mean(name, names) or f"{kind}s are: {shown}"
            self._fault(key, f"the URDF file has no {kind} {brief(name)}", help)
        return name in names

    def _joints(self) -> None:
        names = [joint["name"] for joint in self.words["joints"]]
        for name, words in (self.given.get("joints") or {}).items():
            if self._known(("joints", name), name, names, "joint"):
                i = names.index(name)
                self.words["joints"][i] |= words or {}
                if "origin" in (words or {}):  # as numbers: beams are fitted to it
                    origin = self.spec.joints[name].origin.model_dump(exclude_unset=True)
                    self.words["joints"][i]["origin"] = cast(OriginWords, origin)
                for key in words or {}:
                    self._from(("joints", i, key), ("joints", name, key))
        held: Literal["locked", "free"]
        for held, change in (("locked", _locked), ("free", _freed)):
            for k, name in enumerate(self.given.get(held) or ()):
                if self._known((held, k), name, names, "joint"):
                    i = names.index(name)
                    self.words["joints"][i] = change(self.words["joints"][i])

    def _links(self) -> None:
        for name, words in (self.given.get("links") or {}).items():
            if self._known(("links", name), name, list(self.words["links"]), "link"):
                if "body" in (words or {}):
                    part: Literal["rigid", "hub"]
                    for part in ("rigid", "hub"):
                        self.words["links"][name].pop(part, None)
                self.words["links"][name] |= words or {}
                for key in words or {}:
                    self._from(("links", name, key), ("links", name, key))

    def _bend(self, link: str, bend: BendWords) -> None:
        if not self._known(("bend", link), link, list(self.words["links"]), "link"):
            return
        words = self.words["links"][link]
        if "payload" in words and bend.get("rest") != "root":
            help = "add rest: root, or put the payload on a link of its own"
            self._fault(
                ("links", link, "payload"), "the rest of a bending link is its payload", help
            )
            return
        try:
            bent(link, words, self.words["joints"], bend)
        except NoBeamError as error:
            key = (error.key,) if error.key in bend else ()
            self._fault(("bend", link, *key), str(error), error.help)
            return
        for part in ("beam", "hub", "payload", "stations"):
            self._from(("links", link, part), ("bend", link))


def _locked(joint: JointWords) -> JointWords:
    """The joint held at zero."""
    kept: JointWords = {"type": "fixed"}
    key: Literal["name", "parent", "child", "at", "origin"]
    for key in ("name", "parent", "child", "at", "origin"):
        if key in joint:
            kept[key] = joint[key]
    return kept


def _freed(joint: JointWords) -> JointWords:
    """The joint without its tie to another."""
    free = joint.copy()
    free.pop("mimic", None)
    return free
