"""Every lesson in JupyterLite, by *Run All*, with right answers and with wrong ones typed in. The network ends at the site."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from attnlab import reference
from authoring.answer_files import answers_to
from authoring.answers import fill_in, solution_sources
from authoring.lessons import Lesson, find_lessons
from nbjudge import is_test
from tests.website.lite_page import LitePage
from website.building import LITE

pytestmark = pytest.mark.browser

OpenLite = Callable[..., LitePage]
LESSONS = find_lessons()
FIRST = LESSONS[0]
EACH = [
    pytest.param(lesson, id=lesson.assignment, marks=() if lesson is FIRST else pytest.mark.slow) for lesson in LESSONS
]  # one runs in `make test` too
WHOLE = re.compile(r"torch does not run in a browser, and this cell needs it \((.*?)\)")
IN_SHORT = re.compile(r"On your own computer: this needs torch \((.*?)\)")
WORKING = {  # cells that work with every answer filled in; fewer would be a lesson that fell out of the browser
    "1_basic_attention": 42,
    "2_queries_keys_values": 42,
    "2b_columns": 37,
    "3_scaling": 40,
    "3b_backward_pass": 17,
    "4_multi_head": 24,
    "5_permutation_test": 42,
    "5b_rotary_positions": 19,
    "6_transformer": 24,
    "7_language_model": 19,
    "8_real_model": 18,
}
WRONG = {"softmax": "wrong/over_all_entries", "attention_scores": "wrong/elementwise"}


def as_shown(site: Path, lesson: Lesson) -> NotebookNode:
    return nbformat.read(site / LITE / "files" / lesson.assignment / lesson.released.name, as_version=4)


def filled(site: Path, lesson: Lesson) -> NotebookNode:
    """The lesson with the answers of its solution."""
    return fill_in(as_shown(site, lesson), solution_sources(nbformat.read(lesson.solution, as_version=4)))


def said(cell: NotebookNode) -> str:
    """What a cell shows, as text."""
    return "\n".join(output.get("text", "") or output.get("data", {}).get("text/plain", "") for output in cell.outputs)


def needs_torch(cell: NotebookNode) -> bool:
    return bool(WHOLE.search(said(cell)) or IN_SHORT.search(said(cell)))


def errors(cells: list[NotebookNode]) -> list[str]:
    """Whatever looks like an error: Python's own, or a text that stands for one."""
    shown = [(cell, output) for cell in cells for output in cell.outputs]
    return [
        f"{cell.source[:80]}: {output.get('ename') or output.text}"
        for cell, output in shown
        if output.output_type == "error" or output.get("name") == "stderr"
    ]


@pytest.mark.parametrize("lesson", EACH)
def test_a_lesson_runs_to_its_end_with_right_answers(lite_page: OpenLite, site: Path, tmp_path: Path, lesson: Lesson) -> None:
    page = lite_page()
    page.open_lesson(lesson, filled(site, lesson))
    page.run_all()
    done = [cell for cell in page.download(tmp_path / "done.ipynb").cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in done] == list(range(1, len(done) + 1))
    assert errors(done) == []
    assert said(done[0]).startswith("Ready.")
    assert len([cell for cell in done[1:] if not needs_torch(cell)]) == WORKING[lesson.assignment]
    assert len([cell for cell in done if WHOLE.search(said(cell))]) == 1
    checks = [cell for cell in done if is_test(cell)]
    refused = [said(cell) for cell in checks if not needs_torch(cell) and not re.match(r"✓|noted:", said(cell))]
    assert refused == []
    exercises = [item for item in reference.graded(lesson.assignment) if item.kind == "exercise"]
    away = {item.name for item in exercises for cell in checks if needs_torch(cell) and f"check.{item.name}(" in cell.source}
    progress = said(done[-1])
    for item in exercises:
        (line,) = [line for line in progress.splitlines() if item.title in line and "point" in line]
        assert line.startswith("–" if item.name in away else "✓"), line
    assert "✗" not in progress
