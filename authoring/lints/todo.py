"""Marks of what is still to be written, as the skeleton of a new exercise has them."""

from __future__ import annotations

import re
from pathlib import Path

from nbformat import NotebookNode

from authoring.errors import Problem
from authoring.lessons import Lesson

MARK = re.compile(r"\bTODO\b:? ?(?P<what>[^\"|]*)")


def lint_todo(lesson: Lesson, source: NotebookNode) -> list[Problem]:
    """Every line with the word TODO in a lesson's text, its exercises and its answers."""
    return [
        Problem(
            lesson.shown(path), f"line {number}", f"still to be written: {found['what'].strip() or line.strip()}", "write it in place of the mark"
        )
        for path in _files(lesson)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if (found := MARK.search(line))
    ]


def _files(lesson: Lesson) -> list[Path]:
    """What authors write for a lesson."""
    files = [lesson.text, *sorted(lesson.answers.glob("*.py")), *sorted(lesson.exercises.glob("*.py"))]
    return [path for path in files if path.is_file()]
