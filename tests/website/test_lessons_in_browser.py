"""Every lesson in JupyterLite, by *Run All*, with right answers and with wrong ones typed in. The network ends at the site."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from playwright.sync_api import expect

from attnlab import reference
from authoring.answer_files import answers_to
from authoring.answers import fill_in, solution_sources
from authoring.lessons import ROOT, Lesson, find_lessons
from nbjudge import grade_notebook, is_test
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
UNQUOTED = "predicted_range = no"
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


@pytest.mark.slow
def test_wrong_answers_stop_nothing_and_are_explained(lite_page: OpenLite, site: Path, tmp_path: Path) -> None:
    answers = {name: answers_to(FIRST, name)[key].source for name, key in WRONG.items()}
    wrong = fill_in(as_shown(site, FIRST), {**solution_sources(nbformat.read(FIRST.solution, as_version=4)), **answers, "predict_range": UNQUOTED})
    page = lite_page()
    page.open_lesson(FIRST, wrong)
    page.run_all()
    done = [cell for cell in page.download(tmp_path / "done.ipynb").cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in done] == list(range(1, len(done) + 1))
    checks = {name: said(cell) for cell in done for name in WRONG if is_test(cell) and f"check.{name}(" in cell.source}
    assert all(text.startswith(f"✗ {name}, step") and "likely" in text for name, text in checks.items())
    progress = said(done[-1])
    assert all(re.search(rf"✗ Exercise \d · {name} ", progress) for name in WRONG) and "✓ Exercise 6 · embed" in progress
    for cell in done:
        assert not [output for output in cell.outputs if output.output_type == "error"], cell.source


@pytest.mark.slow
def test_an_error_of_ones_own_stops_run_all_as_in_jupyterlab(lite_page: OpenLite, site: Path, tmp_path: Path) -> None:
    broken = fill_in(as_shown(site, FIRST), {"softmax": "def softmax(scores, axis=-1):\n    return scores\n\n\n1 / 0"})
    page = lite_page()
    page.open_lesson(FIRST, broken)
    page.run_all(until=page.notebook.get_by_text("ZeroDivisionError").first)
    done = [cell for cell in page.download(tmp_path / "done.ipynb").cells if cell.cell_type == "code"]
    (stopped,) = [cell for cell in done if any(output.output_type == "error" for output in cell.outputs)]
    assert "1 / 0" in stopped.source
    assert [cell.execution_count for cell in done[done.index(stopped) + 1 :]] == [None] * (len(done) - done.index(stopped) - 1)


@pytest.mark.slow
def test_what_is_saved_in_the_browser_is_graded_with_full_points(lite_page: OpenLite, site: Path, tmp_path: Path) -> None:
    page = lite_page()
    page.open_lesson(FIRST, filled(site, FIRST))
    page.run_all()
    saved = page.download(tmp_path / "basic_attention.ipynb")
    assert saved.metadata.language_info.name == "python"  # by which JupyterLab finds its own Python: tests/browser/test_saved_in_browser.py
    verdicts = grade_notebook(tmp_path / "basic_attention.ipynb", FIRST.solution, packages=["attnlab"]).verdicts
    assert [verdict for verdict in verdicts if verdict.points != verdict.max_points] == []
    assert len(verdicts) > 5


@pytest.mark.slow
def test_the_explorer_works_where_nothing_stands_for_none(lite_page: OpenLite) -> None:
    lesson = next(lesson for lesson in LESSONS if lesson.number == "2")
    page = lite_page()
    page.open_lesson(lesson)
    page.run_all()
    shown = page.notebook.locator(".attn").last
    shown.scroll_into_view_if_needed()
    expect(shown.locator(".attn-result")).to_be_visible()
    field = shown.get_by_role("textbox").first
    field.fill(" ".join(field.input_value().split()[:2]))
    field.press("Enter")
    expect(shown.locator(".attn-matrix")).to_be_visible()


@pytest.mark.slow
def test_on_a_phone_the_notebook_fills_the_screen(lite_page: OpenLite) -> None:
    page = lite_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.open_lesson(FIRST)
    assert "/notebooks/" in page.page.url
    box = page.notebook.locator(".jp-MarkdownCell").first.bounding_box()
    assert box and box["width"] > 0.9 * 390
    page.page.screenshot(path=ROOT / "screenshots" / "lite-phone.png")
