"""No bundle is made from a course that is not in order, and what was there before stays."""

from __future__ import annotations

import errno
import json
import os
import re
from pathlib import Path

import nbformat
import pytest

from authoring.__main__ import build
from authoring.answer_files import answers_to
from authoring.bundle import packing
from authoring.bundle.command import write_release
from authoring.bundle.contents import bundle_name
from authoring.errors import BuildError
from authoring.filled import refuse_where_answers_are, written_in
from authoring.lessons import Lesson
from authoring.start_page import write_start_page

RIGHT = {"softmax": "right/keepdims", "embed": "right/list_index", "self_attention_loops": "right/two_loops"}
LESSON = "notebooks/1_basic_attention/basic_attention.ipynb"


def answer(exercise: str) -> str:
    """The first right answer to an exercise of lesson 1."""
    return answers_to(Lesson("1_basic_attention"), exercise)[RIGHT[exercise]].source


def refused(course: Path, capsys: pytest.CaptureFixture[str], address: str = "") -> str:
    """What `make release` says when it makes nothing."""
    assert write_release(course, address) == 1
    said = capsys.readouterr()
    assert said.out == "" and "Next: " in said.err and "Traceback" not in said.err
    assert not [path for path in (course / "dist").glob("*") if path.name.startswith(".making")]
    return said.err


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) >= 1
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_a_notebook_that_was_saved_with_outputs(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    notebook = nbformat.read(course / LESSON, as_version=4)
    code = next(cell for cell in notebook.cells if cell.cell_type == "code")
    code.outputs = [nbformat.v4.new_output("stream", text="seen")]
    nbformat.write(notebook, course / LESSON)
    assert f"{LESSON} is not what source/ says" in refused(course, capsys)
    assert not (course / "dist").exists()


@pytest.mark.parametrize(
    ("name", "place", "text", "said"),
    [
        (LESSON, "softmax", "def softmax(scores, axis=-1):\n    return scores", "an answer to softmax"),
        (LESSON, "why_equal", "They are the same vector.", "an answer to why_equal"),
        ("notebooks/start.ipynb", "", "My notes", "an added cell, “My notes”"),
    ],
)
def test_a_notebook_that_a_learner_worked_in(course: Path, capsys: pytest.CaptureFixture[str], name: str, place: str, text: str, said: str) -> None:
    notebook = nbformat.read(course / name, as_version=4)
    cell = next((cell for cell in notebook.cells if place and cell.id == place), None)
    if cell:
        cell.source = text
    else:
        notebook.cells.append(nbformat.v4.new_markdown_cell(text))
    nbformat.write(notebook, course / name)
    told = refused(course, capsys)
    assert f"{name} holds {said}. Next: move it to work/{name.removeprefix('notebooks/')}" in told and "source/" not in told
    before = (course / name).read_bytes()
    with pytest.raises(BuildError, match=rf"{name}, whole file: it holds what the build would overwrite: {said}"):
        build(Lesson("1_basic_attention", course)) if name == LESSON else write_start_page(course)
    assert (course / name).read_bytes() == before


def test_a_released_notebook_that_is_older_than_its_text_is_made_anew(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(course / "source/1_basic_attention/basic_attention.md", "def softmax(scores, axis=-1):", "def softmax(scores, axis=-1, more=None):")
    change(course / "source/1_basic_attention/basic_attention.md", "You build the smallest thing", "You build a small thing")
    assert "is not what source/ says. Next: type `make build`" in refused(course, capsys)
    assert written_in(course / LESSON) == ""
    refuse_where_answers_are(course, course / LESSON)


@pytest.mark.parametrize("name", [LESSON, "notebooks/start.ipynb"])
def test_a_notebook_that_is_missing(course: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    (course / name).unlink()
    assert name in refused(course, capsys)


def test_a_text_that_was_not_built(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(course / "source/1_basic_attention/basic_attention.md", "You build the smallest thing", "You build a small thing")
    assert "make build" in refused(course, capsys)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "attnlab/figures/bars.py",
            "\n\ndef softmax(scores, axis=-1):\n    e = np.exp(scores - scores.max(axis=axis, keepdims=True))\n"
            "    return e / e.sum(axis=axis, keepdims=True)\n",
        ),
        ("attnlab/figures/bars.py", "\n# ### BEGIN HIDDEN TESTS\n"),
        ("attnlab/figures/bars.py", f"\nNOTE = {answer('self_attention_loops')!r}\n"),
        ("attnlab/figures/bars.py", f'\nNOTE = """\n{answer("embed")}"""\n'),
        ("attnlab/data/1_basic_attention.json", "\n### END SOLUTION"),
        ("CITATION.cff", "abstract: '### BEGIN SOLUTION'\n"),
    ],
)
def test_what_would_answer_an_exercise(course: Path, capsys: pytest.CaptureFixture[str], name: str, text: str) -> None:
    assert write_release(course, "") == 0
    before = (course / "dist" / f"{bundle_name(course)}.zip").read_bytes()
    with (course / name).open("a", encoding="utf-8") as file:
        file.write(text)
    capsys.readouterr()
    assert re.search(rf"it would answer an exercise: {name}", refused(course, capsys))
    assert (course / "dist" / f"{bundle_name(course)}.zip").read_bytes() == before


def test_data_that_tells_an_answer(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = course / "attnlab/data/1_basic_attention.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    data["note"] = [re.sub(r"\bscores\b", "z", re.sub(r"\be\b", "q", answer("softmax")))]
    path.write_text(json.dumps(data), encoding="utf-8")
    assert "attnlab/data/1_basic_attention.json defines" in refused(course, capsys)


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("pyproject.toml", 'version = "2.0.0"', "", "pyproject.toml names no version"),
        ("pyproject.toml", 'version = "2.0.0"', 'version = "2.0"', "is not three numbers"),
        ("pyproject.toml", 'version = "2.0.0"', 'version = "2.0.1"', "CHANGELOG.md does not know version 2.0.1"),
        ("CITATION.cff", "version: 2.0.0", "version: 1.9.0", "CITATION.cff does not know version 2.0.0"),
        ("requirements.txt", "matplotlib==", "# matplotlib==", "the lessons import matplotlib"),
    ],
)
def test_versions_that_do_not_fit(course: Path, capsys: pytest.CaptureFixture[str], name: str, old: str, new: str, said: str) -> None:
    change(course / name, old, new)
    assert said in refused(course, capsys)


@pytest.mark.parametrize(
    "address",
    [
        "git@github.com:OWNER/REPO.git",
        "http://github.com/OWNER/REPO",
        "https://token@github.com/OWNER/REPO",
        "https://github.com/OWNER",
        "https://github.com/OWNER/REPO/tree/main",
        "https://github.com/OWNER/REPO?x=1",
        'https://x.org/a"b',
        "github.com/OWNER/REPO",
        "https://x.org/../a",
        "https://x.org/a b",
        "file:///etc/passwd",
    ],
)
def test_an_address_that_learners_cannot_use(course: Path, capsys: pytest.CaptureFixture[str], address: str) -> None:
    assert f"ADDRESS={address}" in refused(course, capsys, address)


@pytest.mark.slow
@pytest.mark.parametrize(("code", "step"), [(errno.ENOSPC, "make room"), (errno.EACCES, "you may write there"), (errno.EIO, "mend that")])
@pytest.mark.parametrize("failing", ["write_bytes", "replace"])
def test_a_disk_that_does_not_take_it(
    course: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, code: int, step: str, failing: str
) -> None:
    assert write_release(course, "") == 0
    name = bundle_name(course)
    before = {path: path.read_bytes() for path in (course / "dist").rglob("*") if path.is_file()}
    capsys.readouterr()
    change(course / "CITATION.cff", "message:", "abstract: new\nmessage:")

    def fails(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as patch:
        if failing == "replace":
            patch.setattr(packing.os, "replace", fails)
        else:
            patch.setattr(Path, "write_bytes", fails)
        assert step in refused(course, capsys)
    assert {path: path.read_bytes() for path in (course / "dist").rglob("*") if path.is_file()} == before
    assert write_release(course, "") == 0
    assert b"abstract: new" in (course / "dist" / name / "CITATION.cff").read_bytes()


@pytest.mark.slow
def test_a_dist_that_is_a_file(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (course / "dist").write_text("mine", encoding="utf-8")
    assert "move the file" in refused(course, capsys)
    assert (course / "dist").read_text(encoding="utf-8") == "mine"


def test_a_folder_in_which_somebody_worked_is_kept(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert write_release(course, "") == 0
    folder = course / "dist" / bundle_name(course)
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text("mine", encoding="utf-8")
    (folder / "attnlab.egg-info").mkdir()
    (folder / "attnlab.egg-info" / "PKG-INFO").write_text("pip's", encoding="utf-8")
    capsys.readouterr()
    assert write_release(course, "") == 0
    kept = course / "dist" / f"{folder.name}-kept-1"
    assert kept.name in capsys.readouterr().out
    assert (kept / ".git" / "config").read_text(encoding="utf-8") == "mine"
    assert not (folder / ".git").exists()
    (folder / "build").mkdir()
    (folder / "build" / "x").write_text("pip's", encoding="utf-8")
    assert write_release(course, "") == 0
    assert "-kept-" not in capsys.readouterr().out
    assert not (folder / "build").exists()
