"""The parcels of an execution: how a course executes, an instructor's notebook, a submission, and what came of it.

The first two are the same for many submissions, so they travel once and are known by their checksum from then on.
"""

from __future__ import annotations

import importlib.util
import json
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from nbformat import NotebookNode, from_dict

from nbjudge._analysis.instructor import Instructor, Markers
from nbjudge._execution.execute import Execution
from nbjudge._execution.transcript import Conversation
from nbjudge._execution.verdicts import Verdict, clue_from, follow_through_from
from nbjudge._sandbox.accounts import Protection
from nbjudge._serialization.folders import Entry, pack, read_folder, unpack, write_folder
from nbjudge._wire.errors import Malformed
from nbjudge._wire.limits import Limits

ABOUT, NOTEBOOK, CONVERSATION = "about", "notebook", "conversation"
PACKAGES, FOLDER, GIVEN, FILES = "packages", "folder", "given", "files"  # folders in a parcel; several of a kind have a number behind
INSTALLED = ("site-packages", "dist-packages")


@dataclass(frozen=True)
class Settings:
    """How a course executes submissions: what `Pool` is made of. `installed` are the projects that come with none of `packages`' files."""

    limits: Limits
    packages: tuple[str, ...] = ()
    sandboxed: Protection = True
    installed: tuple[str, ...] = ()


def pack_settings(limits: Limits, packages: tuple[str, ...], sandboxed: Protection) -> tuple[Settings, bytes]:
    """Settings, and their parcel: with the code of `packages`, other than what is installed as every machine can install it."""
    entries, installed = dict[str, Entry](), list[str]()
    for name in dict.fromkeys(package.split(".")[0] for package in packages):
        spec = importlib.util.find_spec(name)
        places = [Path(place) for place in (spec.submodule_search_locations or ([spec.origin] if spec.origin else []))] if spec else []
        if any(part in INSTALLED for place in places for part in place.parts):
            installed += metadata.packages_distributions().get(name, [])
            continue
        for place in places:
            if place.is_dir():
                entries |= read_folder(place, f"{PACKAGES}/{name}", _is_compiled)
            elif place.is_file():
                entries[f"{PACKAGES}/{place.name}"] = Entry("file", place.read_bytes())
    settings = Settings(limits, packages, sandboxed, tuple(installed))
    return settings, pack({**entries, ABOUT: _as_json(asdict(settings))})


def unpack_settings(parcel: bytes, into: Path) -> Settings:
    """Settings, their packages written into a folder, which has to be searched for imports. Raises `Malformed`, `OSError`."""
    entries = unpack(parcel)
    write_folder(entries, PACKAGES, into)
    about = _about(entries)
    try:
        return Settings(Limits(**about["limits"]), tuple(about["packages"]), bool(about["sandboxed"]), tuple(about["installed"]))
    except (KeyError, TypeError) as error:
        raise Malformed(f"a parcel of settings lacks something ({error})") from error


def pack_instructor(instructor: Instructor) -> bytes:
    """An instructor's notebook with all that is needed to judge by it."""
    entries = {} if instructor.folder is None else read_folder(instructor.folder, FOLDER, _is_notebook)
    for number, folder in enumerate(instructor.given or ()):
        entries |= read_folder(folder, f"{GIVEN}{number}", _is_notebook)
    about = {
        "markers": asdict(instructor.markers),
        "beside": sorted(instructor.beside_students),
        "complete": instructor.complete,
        "folder": instructor.folder is not None,
        "given": None if instructor.given is None else len(instructor.given),
        "follow_through": instructor.follow_through,
        "handed_out": sorted(instructor.handed_out),
    }
    return pack({**entries, ABOUT: _as_json(about), NOTEBOOK: _as_json(instructor.notebook)})


def unpack_instructor(parcel: bytes, into: Path) -> Instructor:
    """The same on another machine, its folders written below `into`. Raises `Malformed`, `OSError`."""
    entries = unpack(parcel)
    about = _about(entries)
    try:
        given = None if about["given"] is None else tuple(into / f"{GIVEN}{number}" for number in range(about["given"]))
        instructor = Instructor(
            _notebook(entries),
            into / FOLDER if about["folder"] else None,
            Markers(**about["markers"]),
            frozenset(about["beside"]),
            bool(about["complete"]),
            given,
            bool(about["follow_through"]),
            handed_out=frozenset(map(str, about["handed_out"])),
        )
    except (KeyError, TypeError) as error:
        raise Malformed(f"a parcel of an instructor's notebook lacks something ({error})") from error
    for folder in ([instructor.folder] if instructor.folder else []) + list(given or ()):
        write_folder(entries, folder.name, folder)
    return instructor


def pack_submission(notebook: NotebookNode, files: Sequence[Path], given: Sequence[Path], before: Conversation | None = None) -> bytes:
    """A student's notebook, what was said when it was executed before, and the files that its cells find.

    Files of `given` travel with the instructor's notebook.
    """
    entries, order = dict[str, Entry](), list[str]()
    for number, folder in enumerate(files):
        name = f"{GIVEN}{given.index(folder)}" if folder in given else f"{FILES}{number}"
        order.append(name)
        if folder not in given:
            entries |= read_folder(folder, name, _is_notebook)
    return pack({**entries, **_said(before), ABOUT: _as_json({"files": order}), NOTEBOOK: _as_json(notebook)})


def unpack_submission(parcel: bytes, into: Path, given: Sequence[Path]) -> tuple[NotebookNode, list[Path], Conversation | None]:
    """The notebook, the folders, written below `into` as far as they are not `given`, and what was said. Raises `Malformed`, `OSError`."""
    entries = unpack(parcel)
    here = {f"{GIVEN}{number}": folder for number, folder in enumerate(given)}
    folders = []
    for name in _about(entries).get("files", []):
        if name not in here:
            write_folder(entries, name, into / name)
        folders.append(here.get(name, into / name))
    return _notebook(entries), folders, _conversation(entries)


def pack_execution(execution: Execution) -> bytes:
    """What came of it."""
    about = {
        "verdicts": [asdict(verdict) for verdict in execution.verdicts],
        "seconds": execution.seconds,
        "hindered": execution.hindered,
        "cut_short": execution.cut_short,
    }
    return pack({**_said(execution.conversation), ABOUT: _as_json(about), NOTEBOOK: _as_json(execution.notebook)})


def unpack_execution(parcel: bytes) -> Execution:
    """The same. Raises `Malformed`."""
    entries = unpack(parcel)
    about = _about(entries)
    try:
        verdicts = [
            Verdict(**{**verdict, "clue": clue_from(verdict["clue"]), "follow_through": follow_through_from(verdict["follow_through"])})
            for verdict in about["verdicts"]
        ]
        return Execution(
            _notebook(entries), verdicts, float(about["seconds"]), bool(about["hindered"]), _conversation(entries), cut_short=str(about["cut_short"])
        )
    except (KeyError, TypeError, ValueError) as error:
        raise Malformed(f"a parcel of an execution lacks something ({error})") from error


def _said(conversation: Conversation | None) -> dict[str, Entry]:
    return {} if conversation is None else {CONVERSATION: Entry("file", zlib.compress(conversation.to_bytes(), 1))}


def _conversation(entries: dict[str, Entry]) -> Conversation | None:
    try:
        return Conversation.from_bytes(zlib.decompress(entries[CONVERSATION].content)) if CONVERSATION in entries else None
    except zlib.error as error:
        raise Malformed(f"what is kept of a conversation cannot be read ({error})") from error


def _is_compiled(name: str) -> bool:
    return name == "__pycache__" or name.endswith(".pyc")


def _is_notebook(name: str) -> bool:
    return name.endswith(".ipynb")


def _as_json(value: Any) -> Entry:
    return Entry("file", json.dumps(value).encode())


def _about(entries: dict[str, Entry]) -> dict[str, Any]:
    try:
        about = json.loads(entries[ABOUT].content)
    except (KeyError, ValueError) as error:
        raise Malformed("a parcel does not say what it is") from error
    if not isinstance(about, dict):
        raise Malformed("a parcel does not say what it is")
    return about


def _notebook(entries: dict[str, Entry]) -> NotebookNode:
    try:
        return from_dict(json.loads(entries[NOTEBOOK].content))
    except (KeyError, ValueError) as error:
        raise Malformed("a parcel has no notebook") from error
