"""What an exercise needs beside the lesson's text is asked for by name, all of it in one run."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from authoring.lessons import Lesson, read_text
from authoring.lints import lint_source

PROJECT = Path(__file__).parent / "small_project"
EXERCISE = "attnlab/exercises/doubling/double.py"
ANSWERS = "source/1_doubling/answers/double.py"


@pytest.fixture
def lesson(tmp_path: Path) -> Lesson:
    """The small lesson."""
    shutil.copytree(PROJECT, tmp_path, dirs_exist_ok=True)
    return Lesson("1_doubling", tmp_path)


def said(lesson: Lesson) -> str:
    return "\n".join(map(str, lint_source(lesson, read_text(lesson))))


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_an_exercise_without_its_file_is_told_in_these_words(lesson: Lesson) -> None:
    (lesson.exercises / "double.py").unlink()
    assert said(lesson) == (
        f"{EXERCISE}, whole file: the exercise has no file with its inputs\n    next: write it after the model of lesson 1's `softmax.py`"
    )


def test_a_lesson_without_exercises_and_answers_is_told_both(lesson: Lesson) -> None:
    shutil.rmtree(lesson.exercises)
    shutil.rmtree(lesson.answers)
    found = said(lesson)
    assert f"{EXERCISE}, whole file: the exercise has no file" in found
    assert f"{ANSWERS}, whole file: there are no answers to `double`" in found
    assert "write 6 right and 4 wrong ones" in found


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("EXERCISE = ", "TASK = ", "whole file: it defines no EXERCISE"),
        ('[Input("the number of the card", [4]), Input("a negative number", [-3])]', "[]", "`inputs`: the exercise has no input that could be shown"),
        ("[4]", "[four]", "whole file: it stops with NameError: name 'four' is not defined"),
    ],
)
def test_what_its_file_lacks_is_told(lesson: Lesson, old: str, new: str, told: str) -> None:
    replace(lesson.exercises / "double.py", old, new)
    assert f"{EXERCISE}, {told}" in said(lesson)


def test_a_file_of_no_exercise_is_told(lesson: Lesson) -> None:
    shutil.copy(lesson.exercises / "double.py", lesson.exercises / "treble.py")
    assert "treble.py, whole file: the lesson has no exercise of that name whose answer is a function or class" in said(lesson)


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
