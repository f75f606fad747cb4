"""What a page shows of `source/` and of `autograded/`, without a server."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_notebook
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from helpers.by_question import ASSIGNMENT, NOTEBOOK, cell
from nbjudge._by_question.content import Content
from nbjudge._by_question.store import Place, Question

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
