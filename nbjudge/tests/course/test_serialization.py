"""What travels arrives as it was, and what was damaged on the way is noticed."""

from __future__ import annotations

import os
import random
from dataclasses import replace
from pathlib import Path

import pytest

from nbjudge._analysis.instructor import Instructor, Markers
from nbjudge._course.process_pool import Job, Pool
from nbjudge._serialization import executions as parcels
from nbjudge._serialization.folders import Entry, checksum, differences, pack, read_folder, unpack, versions, write_folder
from nbjudge._wire.errors import Malformed
from nbjudge._wire.limits import Limits
from nbjudge.testing.notebooks import notebook, test_cell

SOURCE = notebook("x = 1", test_cell("one", "assert f(1) == 2, 'é \\ud800 no'"))


def a_folder(root: Path) -> Path:
    """Everything that a folder may hold."""
    (root / "deep" / "er").mkdir(parents=True)
    (root / "empty").mkdir()
    (root / "deep" / "er" / "data.bin").write_bytes(bytes(range(256)) * 100)
    (root / "run.sh").write_text("#!/bin/sh\n")
    (root / "run.sh").chmod(0o700)
    (root / "notebook.ipynb").write_text("{}")
    (root / "link").symlink_to("deep/er/data.bin")
    (root / "far").symlink_to("/etc")
    os.mkfifo(root / "pipe")
    Path(os.fsdecode(os.fsencode(root) + b"/no\xfftext")).write_bytes(b"n")
    return root


def test_a_folder_arrives_as_it_was(tmp_path):
    entries = read_folder(a_folder(tmp_path / "here"), "files", lambda name: name.endswith(".ipynb"))
    write_folder(unpack(pack(entries)), "files", tmp_path / "there")
    there = read_folder(tmp_path / "there", "files", lambda name: False)
    assert there == entries
    assert {name.removeprefix("files/"): entry.kind for name, entry in there.items()} == {
        "deep": "folder",
        "deep/er": "folder",
        "empty": "folder",
        "deep/er/data.bin": "file",
        "run.sh": "program",
        "link": "link",
        "far": "link",
        "no\udcfftext": "file",
    }
    assert os.readlink(tmp_path / "there" / "far") == "/etc"


def test_the_same_content_gives_the_same_bytes(tmp_path):
    first = read_folder(a_folder(tmp_path / "one"), "files", lambda name: False)
    os.utime(tmp_path / "one" / "run.sh", (1, 1))
    again = read_folder(a_folder(tmp_path / "two"), "files", lambda name: False)
    assert pack(first) == pack(dict(reversed(list(again.items()))))
    assert checksum(pack(first)) != checksum(pack({**first, "files/run.sh": Entry("file", b"#!/bin/sh\n")}))


def test_damage_is_noticed():
    """Whatever bytes are changed, cut off or put in: nothing else is read than what was written, or nothing."""
    entries = {f"files/{number}": Entry("file", random.Random(number).randbytes(200)) for number in range(5)}
    parcel, chance, noticed = pack(entries), random.Random(0), 0
    for _ in range(2000):
        damaged = bytearray(parcel)
        kind, at = chance.randrange(3), chance.randrange(len(parcel))
        if kind == 0:
            damaged[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            del damaged[at : at + chance.randrange(1, 50)]
        else:
            damaged[at:at] = chance.randbytes(chance.randrange(1, 9))
        try:
            assert unpack(bytes(damaged)) == entries
        except Malformed:
            noticed += 1
    assert noticed > 1000


@pytest.mark.parametrize("name", ["../outside", "/etc/outside", "files/../../outside"])
def test_no_parcel_names_a_place_outside(name):
    with pytest.raises(Malformed, match="outside"):
        unpack(pack({name: Entry("file", b"x")}))


READERS = [
    parcels.unpack_settings,
    parcels.unpack_instructor,
    lambda parcel, into: parcels.unpack_submission(parcel, into, ()),
    lambda parcel, _: parcels.unpack_execution(parcel),
]
OTHERS = [b"", b"not a zip", pack({}), pack({"about": Entry("file", b"[]")}), pack({"about": Entry("file", b"{}")})]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("parcel", OTHERS)
def test_what_is_no_such_parcel_is_refused(reader, parcel, tmp_path):
    with pytest.raises(Malformed):
        reader(parcel, tmp_path / "into")


def test_settings_travel_with_the_packages_of_the_course(tmp_path, monkeypatch):
    (tmp_path / "course" / "ours" / "__pycache__").mkdir(parents=True)
    (tmp_path / "course" / "ours" / "__init__.py").write_text("x = 1\n")
    (tmp_path / "course" / "ours" / "__pycache__" / "old.pyc").write_bytes(b"")
    (tmp_path / "course" / "alone.py").write_text("y = 2\n")
    monkeypatch.syspath_prepend(tmp_path / "course")
    settings, parcel = parcels.pack_settings(Limits(test_seconds=7), ("ours", "alone", "torch"), False)
    assert settings.installed == ("torch",)
    there = tmp_path / "there"
    assert parcels.unpack_settings(parcel, there) == settings == replace(settings, limits=Limits(test_seconds=7))
    assert sorted(path.relative_to(there).as_posix() for path in there.rglob("*")) == ["alone.py", "ours", "ours/__init__.py"]


def test_an_instructor_and_a_submission_travel(tmp_path):
    folder, given, own = a_folder(tmp_path / "source"), a_folder(tmp_path / "given"), a_folder(tmp_path / "own")
    instructor = Instructor(SOURCE, folder, Markers("A", "B"), frozenset({"one"}), False, (given,))
    there = parcels.unpack_instructor(parcels.pack_instructor(instructor), tmp_path / "lesson")
    assert replace(there, folder=folder, given=(given,)) == instructor
    assert (there.folder / "run.sh").is_file() and (there.given[0] / "link").is_symlink()
    found, folders, _ = parcels.unpack_submission(parcels.pack_submission(SOURCE, [own, given], [given]), tmp_path / "work", there.given)
    assert found == SOURCE and folders[1] == there.given[0] and (folders[0] / "deep" / "er" / "data.bin").is_file()


def test_an_execution_travels_whole():
    answers = [
        "def f(x): return x + 1",
        "def f(x): return '\\ud800' * x",
        "def f(x): return 1 / 0",
        "import matplotlib.pyplot as p; p.plot([1, 2]); p.show()",
    ]
    with Pool(1) as pool:
        for _, execution in pool.run(Job(None, notebook(answer, *SOURCE.cells[1:]), SOURCE) for answer in answers):
            assert parcels.unpack_execution(parcels.pack_execution(execution)) == execution


def test_versions_tell_what_differs():
    here = versions(["rich"])
    assert {"Python", "the grader", "torch", "numpy", "ipykernel", "distributed", "rich"} <= here.keys()
    assert "none" not in here.values() and not differences(here, dict(here))
    there = {**here, "torch": "2.12.0", "the grader": "of code 000000000000"}
    del there["numpy"]
    assert set(differences(here, there)) == {
        f"the grader of code 000000000000 there, and {here['the grader']} here",
        f"torch 2.12.0 there, and {here['torch']} here",
        f"numpy is not installed there, and {here['numpy']} here",
    }
