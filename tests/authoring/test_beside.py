"""What an exercise needs beside the lesson's text is asked for by name, all of it in one run."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from attnlab import check
from authoring.lessons import Lesson, read_text
from authoring.lints import lint_source

PROJECT = Path(__file__).parent / "small_project"
REFERENCES = "source/1_doubling/references.py"
ANSWERS = "source/1_doubling/answers/double.py"


@pytest.fixture
def lesson(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lesson:
    """The small lesson, whose check exists."""
    monkeypatch.setattr(check, "double", print, raising=False)
    shutil.copytree(PROJECT / "source", tmp_path / "source")
    return Lesson("1_doubling", tmp_path)


def said(lesson: Lesson) -> str:
    return "\n".join(map(str, lint_source(lesson, read_text(lesson))))


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_an_exercise_without_check_is_told_in_these_words(lesson: Lesson, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(check, "double")
    assert said(lesson) == (
        "source/1_doubling/doubling.md, cell 9 (`double_test`): the exercise `double` has no visible check: `check.double` does not exist\n"
        '    next: write `def double(answer)` in attnlab/check/doubling.py, with `examine("double", answer)`, and import it in '
        "attnlab/check/__init__.py"
    )


def test_a_check_that_is_only_not_imported_is_told_so(lesson: Lesson, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(check, "double")
    monkeypatch.setitem(sys.modules, "attnlab.check.doubling", SimpleNamespace(double=print))
    assert "next: it is written in attnlab/check/doubling.py: import it in attnlab/check/__init__.py, and add it to `__all__`" in said(lesson)


def test_a_lesson_without_references_and_answers_is_told_both(lesson: Lesson) -> None:
    lesson.references.unlink()
    shutil.rmtree(lesson.answers)
    found = said(lesson)
    assert f"{REFERENCES}, whole file: it is missing" in found
    assert f"{ANSWERS}, whole file: there are no answers to `double`" in found
    assert "write 6 right and 4 wrong ones" in found


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"double": Exercise', '"treble": Exercise', "`double`: the exercise has no visible reference"),
        ('"double": Exercise', '"treble": Exercise', "`treble`: the lesson has no exercise of that name whose answer is a function or class"),
        ("[4]", "[four]", "whole file: it stops with NameError: name 'four' is not defined"),
    ],
)
def test_what_the_references_lack_is_told(lesson: Lesson, old: str, new: str, told: str) -> None:
    replace(lesson.references, old, new)
    assert f"{REFERENCES}, {told}" in said(lesson)


def test_too_few_answers_are_counted(lesson: Lesson) -> None:
    replace(lesson.answers / "double.py", "# %% wrong: printed\n", "# %% right: printed\n")
    replace(lesson.answers / "double.py", "# wrong: prints and returns nothing\n# says: returns NoneType\n", "")
    assert f"{ANSWERS}, whole file: it holds 7 right and 3 wrong answers" in said(lesson)


def test_answers_to_no_exercise_are_told(lesson: Lesson) -> None:
    shutil.copy(lesson.answers / "double.py", lesson.answers / "treble.py")
    assert "answers/treble.py, whole file: the lesson has no exercise `treble`" in said(lesson)


def test_answers_in_another_form_are_told_with_the_rest(lesson: Lesson) -> None:
    replace(lesson.answers / "double.py", "# %% right: added", "# %% correct: added")
    replace(lesson.text, "    minutes: 15\n", "    minutes: 3\n")
    found = said(lesson)
    assert f"{ANSWERS}, line 3" in found
    assert "the cards alone take 4" in found
