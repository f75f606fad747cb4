"""A notebook that was written in JupyterLite goes on in JupyterLab."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from lab_page import LabPage
from playwright.sync_api import expect

from authoring.lessons import find_lessons
from website.lite.notebooks import in_browser

pytestmark = [pytest.mark.slow, pytest.mark.browser]


def test_a_notebook_of_the_site_finds_its_kernel_in_jupyterlab(open_lab: Callable[[str], LabPage], course: Path) -> None:
    lesson = find_lessons()[0]
    saved = Path(lesson.assignment) / "saved.ipynb"
    (course / "notebooks" / saved).write_text(in_browser(lesson.released.read_text(encoding="utf-8"), ""), encoding="utf-8")
    lab = open_lab("learner")
    lab.open_file(saved)
    expect(lab.page.locator(".jp-Dialog")).to_have_count(0)  # no question which kernel it wants
    first = lab.run("await in_browser.get_ready()")
    expect(first.locator(".jp-OutputArea-output")).to_have_count(0)
    second = lab.run("from attnlab import check, figures")
    expect(second.locator(".jp-InputPrompt")).to_have_text("[2]:")
    expect(second.locator(".jp-OutputArea-output")).to_have_count(0)
