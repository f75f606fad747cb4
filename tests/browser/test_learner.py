"""A learner's day, in JupyterLab as `make lab` opens it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from lab_page import PAINTED, LabPage, path_in_browser
from playwright.sync_api import expect

from attnlab import reference
from authoring.answer_files import answers_to
from authoring.answers import fill_in, solution_sources
from authoring.lessons import Lesson, find_lessons, grade_id
from nbjudge import is_test

pytestmark = pytest.mark.browser

OpenLab = Callable[[str], LabPage]
LESSONS = find_lessons()
FIRST = LESSONS[0]
POINTS = sum(item.points for item in reference.graded(FIRST.assignment))
VISIBLE = sum(map(is_test, nbformat.read(FIRST.released, as_version=4).cells))
PANELS = ["Formgrader", "Create Assignment", "Assignment List", "Course List", "Nbgrader"]


def answer(lesson: Lesson, exercise: str, name: str) -> str:
    return answers_to(lesson, exercise)[name].source


@pytest.mark.slow
def test_the_day_begins_at_a_page_with_the_lessons_and_no_noise(open_lab: OpenLab) -> None:
    lab = open_lab("learner")
    lab.wait_for_notebook(Path("start.ipynb"))
    rows = lab.notebook.locator("table").first.locator("tbody tr")
    expect(rows).to_have_count(len(LESSONS) + 1)  # the last one is the sum
    lab.run("check.progress()")
    told = lab.notebook.locator(".jp-OutputArea-output")
    expect(told).to_contain_text(f"0 of {POINTS} points counted, {POINTS} still open")
    expect(told.get_by_role("link", name="go on here")).to_be_visible()
    lab.picture("learner-01-start")
    assert [name for name in PANELS if lab.page.get_by_text(name, exact=True).count()] == []
    expect(lab.page.locator(".Toastify__toast")).to_have_count(0)
    expect(lab.page.locator(".jp-Dialog")).to_have_count(0)
    rows.first.get_by_role("link").click()
    lab.wait_for_notebook(path_in_browser(FIRST))
    expect(lab.notebook.locator("h1").first).to_contain_text("Basic attention")
    lab.page.evaluate(PAINTED)
    expect(lab.page.locator(".lm-TabBar-tab.lm-mod-current", has_text=FIRST.released.name)).not_to_have_class(re.compile("jp-mod-dirty"))


def test_a_wrong_answer_is_explained_and_a_right_one_shown_beside_the_target(open_lab: OpenLab) -> None:
    lab = open_lab("learner")
    lab.open_file(path_in_browser(FIRST))
    lab.run("import numpy as np\nimport torch")
    lab.type_into("softmax", answer(FIRST, "softmax", "wrong/over_all_entries"))
    lab.run("softmax")
    said = lab.run("softmax_test").locator(".jp-OutputArea-output")
    for part in ("✗ softmax", "step", "observed", "expected", "likely", "the sum runs over all entries", "next"):
        expect(said).to_contain_text(part)
    expect(said).not_to_contain_text("Traceback")
    expect(said).to_have_count(1)  # the card alone
    lab.run('figures.compare("softmax"')
    lab.picture("learner-05-wrong-answer", said)

    lab.type_into("softmax", answer(FIRST, "softmax", "right/keepdims"))
    lab.run("softmax")
    expect(lab.run("softmax_test").locator(".jp-OutputArea-output")).to_contain_text("✓ softmax all")
    picture = lab.run('figures.compare("softmax"').locator("figure")
    expect(picture).to_contain_text("softmax: yours equals the target, shape (3, 3).")
    lab.picture("learner-06-right-answer", picture)


@pytest.mark.slow
def test_a_slider_moves_the_picture(open_lab: OpenLab) -> None:
    with_slider = [lesson for lesson in LESSONS if "Slider(" in lesson.text.read_text(encoding="utf-8")]
    if not with_slider:
        pytest.skip("no lesson has a slider yet")
    lab = open_lab("learner")
    lab.open_file(path_in_browser(with_slider[0]))
    lab.run_all()
    widget = lab.notebook.locator(".jp-OutputArea-output", has=lab.page.locator(".widget-slider")).last
    slider, output = widget.locator(".noUi-handle").last, widget.locator("figure")
    before = output.inner_text()
    slider.focus()
    for _ in range(3):
        lab.page.keyboard.press("ArrowRight")
    expect(output).not_to_have_text(before, use_inner_text=True)
    lab.picture("learner-07-slider", output)


def test_validate_says_what_passes_and_what_it_does_not_know(open_lab: OpenLab, course: Path) -> None:
    answers = solution_sources(nbformat.read(FIRST.solution, as_version=4))
    written = next(
        grade_id(cell) for cell in nbformat.read(FIRST.released, as_version=4).cells if cell.cell_type == "markdown" and grade_id(cell) in answers
    )
    later = {name: answers.pop(name) for name in ("softmax", written)}
    nbformat.write(fill_in(nbformat.read(FIRST.released, as_version=4), answers), course / "notebooks" / path_in_browser(FIRST))
    lab = open_lab("learner")
    lab.open_file(path_in_browser(FIRST))
    expect(lab.notebook.get_by_role("button", name="Validate")).to_have_count(1)
    dialog = lab.validate()
    expect(dialog).to_contain_text(f"{VISIBLE - 3} of {VISIBLE} tests that you can see pass")  # two others call softmax
    expect(dialog).to_contain_text("softmax does not pass:")
    expect(dialog).to_contain_text(f"{written.replace('_', ' ')}: you have not written an answer yet.")
    expect(dialog).not_to_contain_text("Traceback")
    lab.picture("learner-08-validate-unfinished")
    lab.agree()

    for name, source in later.items():
        lab.type_into(name, source)
    dialog = lab.validate()
    for part in (
        f"{VISIBLE} of {VISIBLE} tests that you can see pass",
        "This is not your grade yet",
        "tests that may hold more than you can see",
        f"{written.replace('_', ' ')}: your instructor reads and grades it.",
    ):
        expect(dialog).to_contain_text(part)
    expect(dialog).not_to_contain_text("Success")
    lab.picture("learner-09-validate-finished")


@pytest.mark.slow
def test_progress_stands_in_the_notebook_and_survives_a_restart(open_lab: OpenLab, course: Path) -> None:
    lab = open_lab("learner")
    lab.open_file(path_in_browser(FIRST))
    lab.type_into("softmax", answer(FIRST, "softmax", "right/keepdims"))
    lab.type_into("attention_scores", answer(FIRST, "attention_scores", "wrong/elementwise"))
    lab.run_all()
    progress = lab.cell("check.progress(").locator(".jp-OutputArea-output")
    for line in (
        "✓ Exercise 1 · softmax",
        "✗ Exercise 3 · attention_scores",
        "○ Exercise 6 · embed",
        "○ Written answer · Say why",
        "3 points: visible checks pass",
        f"{POINTS - 3} points: still open",
        "go on here: Exercise 2 · self_attention_loops",
    ):
        expect(progress).to_contain_text(line)
    lab.picture("learner-10-progress", progress)

    lab.restart_and_run_all()
    expect(progress).to_contain_text("✓ Exercise 1 · softmax")
    lab.type_into("predict_product", "predicted_product_shape = [2, 3, 5]")
    lab.run("predict_product")
    expect(lab.run('check.reveal("predict_product")').locator(".jp-OutputArea-output").first).to_contain_text("prediction right")
    lab.type_into("why_equal", "Both are the same vector.")
    lab.save()
    lab.menu("Kernel", "Restart Kernel")
    lab.agree()
    lab.run("from attnlab import check, figures")
    lab.run("check.progress(")
    for line in (
        "· Exercise 1 · softmax",
        "+ Written answer · Say why",
        "written, as last saved",
        "3 points: visible checks pass",
        "20 points: still open",
        "run its check again to be sure",
    ):
        expect(progress).to_contain_text(line)
    lab.picture("learner-11-progress-after-restart", progress)
    progress.get_by_role("link", name="Exercise 6 · embed", exact=True).click()
    expect(lab.cell("def embed(")).to_be_in_viewport()
    assert json.loads((course / "work" / FIRST.assignment / ".progress.json").read_text(encoding="utf-8"))["softmax"] is True


@pytest.mark.slow
def test_a_check_without_its_answer_says_which_cell_to_run(open_lab: OpenLab) -> None:
    lab = open_lab("learner")
    lab.open_file(path_in_browser(FIRST))
    said = lab.run("softmax_test").locator(".jp-OutputArea-output")
    for part in ("✗ softmax", "no such name in this session", "your answer to Exercise 1", "run that cell with the name"):
        expect(said).to_contain_text(part)
    expect(said).not_to_contain_text("Traceback")
    lab.picture("learner-13-answer-not-run", said)


@pytest.mark.slow
def test_work_is_there_again_after_closing_and_opening(open_lab: OpenLab, course: Path) -> None:
    lab = open_lab("learner")
    lab.open_file(path_in_browser(FIRST))
    written = "def embed(words, vocabulary, table):\n    return table[[vocabulary[word] for word in words]]"
    lab.type_into("embed", written)
    lab.save()
    saved = nbformat.read(course / "work" / path_in_browser(FIRST), as_version=4)
    assert next(cell.source for cell in saved.cells if grade_id(cell) == "embed") == written
    lab.menu("File", "Close and Shut Down Notebook")
    lab.agree()
    expect(lab.page.locator(".lm-TabBar-tabLabel", has_text=FIRST.released.name)).to_have_count(0)
    lab.page.reload()
    lab.open_file(path_in_browser(FIRST))
    expect(lab.cell("embed").locator(".cm-content")).to_contain_text("return table[[vocabulary[word] for word in words]]")


@pytest.mark.slow
def test_a_double_click_leaves_a_card_closed(open_lab: OpenLab) -> None:
    lab = open_lab("learner")
    lab.open_file(path_in_browser(FIRST))
    for text in ("Exercise 1 · `softmax`", "## Say why"):
        cell = lab.cell(text)
        cell.locator(".jp-MarkdownOutput p").first.dblclick()
        expect(cell).to_have_class(re.compile("jp-mod-active"))
        lab.page.evaluate(PAINTED)
        expect(cell.locator(".jp-MarkdownOutput")).to_be_visible()
        expect(cell.locator(".cm-content")).to_be_hidden()
    lab.picture("learner-13-card-after-a-double-click", lab.cell("Exercise 1 · `softmax`"))


@pytest.mark.slow
def test_a_written_answer_is_typed_as_its_placeholder_says(open_lab: OpenLab, course: Path) -> None:
    lab = open_lab("learner")
    lab.open_file(path_in_browser(FIRST))
    answer_cell, shown = lab.cell("why_equal"), lab.cell("why_equal").locator(".jp-MarkdownOutput")
    expect(shown).to_contain_text("click this line once, press Enter, write in its place, press Shift+Enter")
    shown.get_by_text("Your answer goes here").click()
    lab.page.keyboard.press("Enter")
    expect(answer_cell.locator(".cm-content")).to_be_focused()
    lab.picture("learner-14-written-answer-open", answer_cell)
    lab.page.keyboard.press("ControlOrMeta+a")
    lab.page.keyboard.type("a, b, x and y are keys that would add cells elsewhere")
    lab.page.keyboard.press("Shift+Enter")
    expect(shown).to_have_text(re.compile("^a, b, x and y are keys"))
    lab.save()
    saved = nbformat.read(course / "work" / path_in_browser(FIRST), as_version=4)
    released = nbformat.read(FIRST.released, as_version=4)
    assert [cell.cell_type for cell in saved.cells] == [cell.cell_type for cell in released.cells]
    assert {grade_id(cell): cell.source for cell in saved.cells}["why_equal"].startswith("a, b, x and y")


@pytest.mark.slow
def test_helps_are_opened_with_the_keyboard_alone(open_lab: OpenLab) -> None:
    lab = open_lab("learner")
    lab.open_file(path_in_browser(FIRST))
    card = lab.cell("Exercise 1 · `softmax`")
    card.locator("p").first.click()
    for help_ in ("A nudge", "Worked by hand", "Pseudocode"):
        lab.page.keyboard.press("Tab")
        expect(card.locator("summary", has_text=help_)).to_be_focused()
        details = card.locator("details", has_text=help_)
        expect(details).not_to_have_attribute("open", "")
        lab.page.keyboard.press("Enter")
        expect(details).to_have_attribute("open", "")
    lab.picture("learner-12-helps", card)
