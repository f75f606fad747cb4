"""Every lesson, seen by the grader: what its solution shows, its formulas, what students are given, and whose a notebook is."""

from __future__ import annotations

import json
import random
import shutil
from collections import Counter
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbformat import NotebookNode
from nbgrader.utils import find_all_files

from authoring.lessons import ROOT, Lesson, find_lessons
from authoring.pairing import pair
from nbjudge import CannotGrade, Course, grade_notebook
from nbjudge.testing.editors import KINDS, Edited, stripped
from nbjudge.testing.notebooks import notebook
from nbjudge.testing.steps import given_files, markdown_to_html, refuse_another
from specimens.recovering import recovered

pytestmark = pytest.mark.slow

EACH_LESSON = pytest.mark.parametrize("lesson", find_lessons(), ids=lambda lesson: lesson.assignment)
STUDENTS = 3  # that are drawn for each lesson and each kind of damage


@EACH_LESSON
def test_solutions_show_what_is_stored(lesson: Lesson) -> None:
    stored = nbformat.read(lesson.solution, as_version=4)
    result = grade_notebook(stored, notebook(), packages=["attnlab"]).notebook
    cells = [both for both in zip(stored.cells, result.cells) if both[0].cell_type == "code"]
    assert not [cell.source for _, cell in cells if any(output.output_type == "error" for output in cell.outputs)]
    for was, now in cells:
        if "nbval-ignore-output" not in was.metadata.get("tags", []):
            assert _texts(now) == _texts(was), was.source


def _texts(cell: NotebookNode) -> list[str]:
    """What a cell prints, and the text alternative of what it shows."""
    return [output.get("text") or output.get("data", {}).get("text/plain") for output in cell.outputs]


@EACH_LESSON
def test_every_formula_of_the_lessons_is_drawn(lesson: Lesson) -> None:
    cells = [cell.source for cell in nbformat.read(lesson.solution, as_version=4).cells if cell.cell_type == "markdown"]
    pages = [BeautifulSoup(markdown_to_html(source), "html.parser") for source in cells]
    for page in pages:
        for code in page.find_all(["code", "pre"]):
            code.decompose()
        for part in page.find_all("math"):
            part.extract()
        assert "$" not in page.get_text(), page.get_text()
    assert sum(source.count("$") for source in cells) > 10


@EACH_LESSON
def test_no_lesson_of_this_course_has_files_for_students(tmp_path: Path, lesson: Lesson) -> None:
    pair(lesson)
    course = Course(lesson.root)
    assert list(lesson.answers.glob("*.py"))
    assert given_files(course, lesson.assignment, tmp_path) is None
    assert find_all_files(str(lesson.folder), [*course.folders.ignore, "*.ipynb"]) == []  # by nbgrader's own rule, too


@pytest.mark.parametrize("kind", KINDS)
def test_at_least_99_of_100_cells_are_found_and_none_is_taken_for_another(kind: str) -> None:
    counts: Counter[str] = Counter()
    for lesson in find_lessons():
        for student in range(STUDENTS):
            counts += recovered(lesson, kind, student)
    assert counts["wrong"] == 0
    assert counts["found"] >= 0.99 * counts.total(), counts
    assert counts.total() > 500


@pytest.mark.parametrize(("handed_in", "wanted"), [("3_scaling", "1_basic_attention"), ("2b_columns", "2_queries_keys_values")])
def test_a_notebook_without_names_of_another_lesson_is_told_by_its_texts(tmp_path: Path, handed_in: str, wanted: str) -> None:
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    for name in ("1_basic_attention", "2_queries_keys_values", "2b_columns", "3_scaling"):
        shutil.copytree(ROOT / "notebooks" / name, tmp_path / "notebooks" / name)
        shutil.copytree(ROOT / "source" / name, tmp_path / "source" / name)
        pair(Lesson(name, tmp_path))
    course = Course(tmp_path)
    edited = Edited(nbformat.read(Lesson(handed_in).released, as_version=4), random.Random(1))
    stripped(edited)
    name = Lesson(wanted).name
    with pytest.raises(CannotGrade, match=f"it belongs to {handed_in}, not to {wanted}"):
        refuse_another(course, wanted, name, json.dumps(edited.notebook))
    refuse_another(course, handed_in, Lesson(handed_in).name, json.dumps(edited.notebook))
