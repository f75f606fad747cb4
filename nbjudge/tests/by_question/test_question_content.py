"""What a page shows of `source/` and of `autograded/`, without a server."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_notebook
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from helpers.by_question import ASSIGNMENT, CODE, NOTEBOOK, cell, notebook
from nbjudge._by_question.content import MISSING, Content
from nbjudge._by_question.store import Answer, Place, Question

ANSWER = Answer("key", "grade", None, "ada", "submission", None, None, 0.0, True, "", "", None, ())
TASK = """Draw it.

{begin}
1: the axes
{end}"""


@pytest.mark.parametrize(
    ("begin", "end", "settings"),
    [
        ("=== BEGIN MARK SCHEME ===", "=== END MARK SCHEME ===", {}),
        ("### BEGIN MARK SCHEME", "### END MARK SCHEME", {}),
        ("### SCHEME", "### THE END", {"begin_mark_scheme_delimeter": "### SCHEME", "end_mark_scheme_delimeter": "### THE END"}),
    ],
)
def test_a_task_is_shown_without_its_scheme_and_the_scheme_beside_it(begin: str, end: str, settings: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "source" / ASSIGNMENT / f"{NOTEBOOK}.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(new_notebook(cells=[cell("markdown", TASK.format(begin=begin, end=end), "draw", 1, task=True)]), path)
    course = CourseDirectory(config=Config({"CourseDirectory": {"root": str(tmp_path)}, "ClearMarkScheme": settings}))
    asked = Content(course, course).question(Question(Place(ASSIGNMENT, NOTEBOOK, "draw"), "", "task", 1, 1, 1))
    assert "Draw it." in asked.html
    assert "axes" not in asked.html
    assert asked.scheme == "1: the axes"


@pytest.mark.parametrize(
    "text",
    [
        "{not json",
        "[]",
        '{"nbformat": 3, "worksheets": []}',
        '{"metadata": {}, "cells": 3}',
        '{"metadata": {}, "cells": ["x"]}',
        '{"metadata": {}, "cells": [{"metadata": {}}]}',
        '{"metadata": {}, "cells": [{"metadata": {}, "source": 3}]}',
        '{"metadata": {}, "cells": [{"metadata": 3, "source": "x"}]}',
        "[" * 100_000,
    ],
)
def test_a_file_that_is_no_notebook_is_said_and_does_not_take_the_page_with_it(text: str, tmp_path: Path) -> None:
    path = tmp_path / "autograded" / "ada" / ASSIGNMENT / f"{NOTEBOOK}.ipynb"
    path.parent.mkdir(parents=True)
    course = CourseDirectory(config=Config({"CourseDirectory": {"root": str(tmp_path)}}))
    question = Question(Place(ASSIGNMENT, NOTEBOOK, CODE), "", "code", 3, 1, 1)
    path.write_text(text)
    assert Content(course, course).answer(question, ANSWER).html == MISSING
    nbformat.write(notebook("why", "first = 1\nsecond = 2"), path)
    shown = Content(course, course).answer(question, ANSWER).html
    assert "second" in shown and "shown\n" in shown and "data:image/png;base64," in shown
