"""JupyterLite in Chromium, whose network ends at the site."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from playwright.sync_api import Locator, Page, expect

from authoring.lessons import Lesson
from website.building import LITE
from website.lessons import in_lite

PATIENCE = 240_000  # milliseconds, of a browser that starts Python, or trains, beside other tests


class LitePage:
    """A lesson that a reader opened in the browser.

    Args:
        page: of a browser.
        address: of the site.
        filled: which notebooks the site's server is to hand out in the place of its own.
    """

    def __init__(self, page: Page, address: str, filled: dict[str, bytes]):
        self.page, self._address, self._filled = page, address, filled
        self.notebook = page.locator(".jp-Notebook")

    def open_lesson(self, lesson: Lesson, holding: NotebookNode | None = None) -> None:
        """Follow the lesson's link; with `holding`, its file is another one, as if a reader had typed in there."""
        if holding is not None:
            self._filled[f"/{LITE}/files/{lesson.assignment}/{lesson.released.name}"] = nbformat.writes(holding).encode()
        self.page.goto(f"{self._address}/{in_lite(lesson)}")
        expect(self.notebook.get_by_role("heading", level=1).first).to_be_visible(timeout=PATIENCE)

    def run_all(self, until: Locator | None = None) -> None:
        """*Run*, *Run All Cells*; wait for its end, or until something is shown: after an error JupyterLite goes on calling itself busy."""
        self._choose("Run", "Run All Cells")
        if until is not None:
            return expect(until).to_be_attached(timeout=PATIENCE)
        indicator = self.page.locator(".jp-Notebook-ExecutionIndicator")
        expect(indicator).to_have_attribute("data-status", "busy", timeout=PATIENCE)
        expect(indicator).to_have_attribute("data-status", "idle", timeout=PATIENCE)

    def download(self, to: Path) -> NotebookNode:
        """*File*, *Download*; the notebook that the reader then has, which stands in a file."""
        with self.page.expect_download(timeout=PATIENCE) as started:
            self._choose("File", "Download")
        started.value.save_as(to)
        return nbformat.read(to, as_version=4)

    def _choose(self, menu: str, entry: str) -> None:
        self.page.get_by_role("menuitem", name=menu, exact=True).click()
        self.page.get_by_role("menuitem", name=re.compile(rf"^{entry}")).first.click()
