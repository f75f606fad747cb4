"""Lessons are paired before every grading, and it costs nothing where nothing has moved."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import authoring.__main__ as program
from authoring import paired


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A course of one text and one notebook, and a `pair` that writes down what it was asked to do."""
    for name in (*paired.MAKING, "source/1_one/one.md", "source/1_one/one.ipynb"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name, encoding="utf-8")
    asked: list[list[str]] = []
    monkeypatch.setattr(program, "main", lambda arguments: asked.append(arguments) or 0)
    monkeypatch.setattr(paired, "asked", asked, raising=False)
    return tmp_path


def times(root: Path) -> int:
    """How often lessons were paired by now."""
    assert paired.main(root, root / "note.json") == 0
    return len(paired.asked)


def test_nothing_is_paired_where_nothing_has_moved(root: Path) -> None:
    assert times(root) == 1
    assert times(root) == 1


@pytest.mark.parametrize("moved", ["source/1_one/one.md", "source/1_one/one.ipynb", "authoring/pairing.py"])
def test_what_has_moved_is_paired_whatever_its_times_say(moved: str, root: Path) -> None:
    assert times(root) == 1
    path = root / moved
    before = path.stat()
    path.write_text(moved.upper(), encoding="utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert times(root) == 2
    assert times(root) == 2


def test_a_notebook_that_is_gone_is_written_again(root: Path) -> None:
    assert times(root) == 1
    (root / "source/1_one/one.ipynb").unlink()
    assert times(root) == 2


def test_lessons_that_cannot_be_paired_are_told_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "main", lambda arguments: 1)
    assert paired.main(root, root / "note.json") == 1
    assert paired.main(root, root / "note.json") == 1
