"""Every lesson as a learner first sees it: it reads well, and it runs through untouched."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from lab_page import LabPage, path_in_browser
from looks import FIGURES_WITHOUT_WORDS, HARD_TO_READ, WIDER_THAN_THE_PAGE
from playwright.sync_api import expect

from authoring.lessons import Lesson, find_lessons

pytestmark = [pytest.mark.slow, pytest.mark.browser]

OpenLab = Callable[[str], LabPage]
EACH_LESSON = pytest.mark.parametrize("lesson", find_lessons(), ids=lambda lesson: lesson.assignment)


@EACH_LESSON
def test_a_lesson_reads_well_and_runs_through_untouched(open_lab: OpenLab, lesson: Lesson) -> None:
    lab = open_lab("learner")
    lab.open_file(path_in_browser(lesson))
    number = lesson.assignment.split("_")[0]
    expect(lab.notebook.locator("mjx-container:visible").first).to_be_visible()
    assert lab.notebook.locator("mjx-merror, .MathJax_Error").count() == 0
    assert lab.notebook.locator("details").count() > 0
    assert lab.notebook.locator("details[open]").count() == 0
    lab.picture(f"learner-02-lesson-{number}")
    lab.run_all()
    assert lab.evaluate(WIDER_THAN_THE_PAGE) == []
    assert lab.evaluate(FIGURES_WITHOUT_WORDS) == []
    errors = lab.notebook.locator(".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.stderr']").all_text_contents()
    assert [text for text in errors if not re.match(r"\W*NotImplementedError", text)] == []
    said = lab.notebook.locator(".jp-OutputArea-output")
    for part in ("not started yet", "not made yet"):
        expect(said.filter(has_text=part).first).to_contain_text("○")
    lab.picture(f"learner-03-lesson-{number}-untouched", said.filter(has_text="not started yet").first)
    lab.use_dark_theme()
    assert lab.evaluate(HARD_TO_READ) == []
    lab.picture(f"learner-04-lesson-{number}-dark", lab.notebook.locator("details").first)
