"""A learner's second day: one click on Resume, and the next exercise can be worked on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from lab_page import BUSY, LabPage, path_in_browser
from playwright.sync_api import Locator, expect

from authoring.answer_files import answers_to
from authoring.lessons import find_lessons, grade_id

pytestmark = pytest.mark.browser

OpenLab = Callable[[str], LabPage]
FIRST = find_lessons()[0]
DONE = {"softmax": "right/keepdims", "self_attention_loops": "right/two_loops"}


def answer(exercise: str, name: str) -> str:
    return answers_to(FIRST, exercise)[name].source


def resume(lab: LabPage) -> Locator:
    """Press Resume, and return the notice when it has ended."""
    lab.notebook.get_by_role("button", name="Resume").click()
    notice = lab.page.locator(".Toastify__toast", has_text="Go on here")
    expect(notice).to_be_visible(timeout=BUSY)
    return notice


def test_the_second_day_goes_on_where_the_first_one_ended(open_lab: OpenLab, course: Path) -> None:
    lab = open_lab("learner")
    lab.open_file(path_in_browser(FIRST))
    for exercise, name in DONE.items():
        lab.type_into(exercise, answer(exercise, name))
    lab.save()
    lab.page.close()
    lab.server.stop()

    lab = open_lab("learner")
    lab.open_file(path_in_browser(FIRST))
    notice = resume(lab)
    lab.picture("resume-01-second-day")
    expect(notice).to_contain_text("13 cells ran, 2 checks pass.")
    expect(notice).to_contain_text("Not run: 4 with open predictions.")
    expect(notice).to_contain_text("Go on here: Exercise 3 · attention_scores.")
    card = lab.cell("Exercise 3 · `attention_scores`")
    expect(card).to_be_in_viewport()
    expect(lab.notebook).not_to_contain_text("prediction: ")
    expect(lab.notebook).not_to_contain_text("You said")
    lab.page.set_viewport_size({"width": 900, "height": 800})
    lab.use_dark_theme()
    lab.picture("resume-02-second-day-dark")
    lab.page.set_viewport_size({"width": 1280, "height": 900})

    lab.type_into("attention_scores", answer("attention_scores", "right/at_transpose"))
    lab.run("attention_scores")
    expect(lab.run("attention_scores_test").locator(".jp-OutputArea-output")).to_contain_text("✓ attention_scores all")
    lab.save()
    assert json.loads((course / "work" / FIRST.assignment / ".progress.json").read_text(encoding="utf-8")) == {
        "softmax": True,
        "self_attention_loops": True,
        "attention_scores": True,
    }
    saved = nbformat.read(course / "work" / path_in_browser(FIRST), as_version=4)
    revealing = [cell for cell in saved.cells if "check.reveal(" in cell.source]
    assert len(revealing) > 4 and not [cell.source for cell in revealing if cell.outputs]


@pytest.mark.slow
def test_what_fails_or_hangs_is_said_and_the_rest_runs(open_lab: OpenLab, course: Path) -> None:
    lab = open_lab("learner")
    work = course / "work" / path_in_browser(FIRST)
    notebook = nbformat.read(work, as_version=4)
    sources = {"softmax": answer("softmax", "wrong/over_all_entries"), "attention_scores": answer("attention_scores", "right/at_transpose")}
    for cell in notebook.cells:
        cell.source = sources.get(grade_id(cell), cell.source)
    nbformat.write(notebook, work)
    lab.open_file(path_in_browser(FIRST))
    notice = resume(lab)
    expect(notice).to_contain_text("1 check passes.")
    expect(notice).to_contain_text("Go on here: Exercise 1 · softmax.")
    expect(lab.cell("softmax")).to_be_in_viewport()
    expect(lab.cell("self_attention_loops_test").locator(".jp-OutputArea-output")).to_have_count(0)  # not begun: nothing to check
    expect(lab.cell("attention_scores_test").locator(".jp-OutputArea-output")).to_contain_text("✓ attention_scores all")
    lab.picture("resume-03-an-answer-that-fails")

    lab.type_into("softmax", "while True:\n    pass")
    lab.notebook.get_by_role("button", name="Resume").click()
    expect(lab.page.locator(".Toastify__toast", has_text="interrupts it")).to_be_visible()
    expect(lab.cell("softmax").locator(".jp-InputPrompt")).to_have_text("[*]:")
    lab.page.keyboard.press("Escape")
    lab.menu("Kernel", "Interrupt Kernel")
    interrupted = lab.page.locator(".Toastify__toast", has_text="You interrupted this cell")
    expect(interrupted).to_be_visible(timeout=BUSY)
    lab.picture("resume-04-interrupted")

    lab.type_into("softmax", "softmax = 1")
    lab.type_into("people = {", "people = nobody")
    lab.notebook.get_by_role("button", name="Resume").click()
    expect(lab.page.locator(".Toastify__toast", has_text="This cell of the lesson ended with an error")).to_be_visible(timeout=BUSY)
    expect(interrupted).to_have_count(0)
    expect(lab.cell("people = {")).to_be_in_viewport()


@pytest.mark.slow
def test_where_there_is_nothing_to_resume_it_says_so(open_lab: OpenLab) -> None:
    lab = open_lab("learner")
    lab.wait_for_notebook(Path("start.ipynb"))
    lab.notebook.get_by_role("button", name="Resume").click()
    expect(lab.page.locator(".Toastify__toast", has_text="no lesson of the course")).to_be_visible(timeout=BUSY)
