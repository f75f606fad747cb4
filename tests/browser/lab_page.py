"""What a person does in JupyterLab, in words of the person. Every method waits for what the page shows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import nbformat
from lab_server import LabServer
from playwright.sync_api import Locator, Page, expect

from authoring.lessons import Lesson, grade_id

SLOW = 60_000  # milliseconds; how long a person with an old machine would wait
BUSY = 180_000  # for a whole notebook to run
PAINTED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(done))))"
expect.set_options(timeout=SLOW)


def path_in_browser(lesson: Lesson) -> Path:
    """A lesson's released notebook as a learner's file browser shows it."""
    return Path(lesson.assignment) / lesson.released.name


class LabPage:
    """One browser tab with JupyterLab."""

    def __init__(self, page: Page, server: LabServer, screenshots: Path):
        self.page, self.server, self._screenshots = page, server, screenshots
        self._cells: list[nbformat.NotebookNode] = []
        page.set_default_timeout(SLOW)

    @property
    def notebook(self) -> Locator:
        """The notebook in front."""
        return self.page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")

    def picture(self, name: str, at: Locator | None = None) -> None:
        """Leave a screenshot to look at, with the given part of the page in view."""
        self._screenshots.mkdir(exist_ok=True)
        if at is not None:
            self._bring_into_view(at)
        self.page.screenshot(path=self._screenshots / f"{name}.png", animations="disabled")

    def _bring_into_view(self, part: Locator) -> None:
        """Scroll until the part is there: cells get their height when they come into view, which moves everything below."""
        for _ in range(20):
            part.evaluate("element => element.scrollIntoView({block: 'center'})")
            self.page.evaluate(PAINTED)
        expect(part).to_be_in_viewport()

    def menu(self, *names: str) -> None:
        """Choose from the menu bar, for example "Run", "Run All Cells"."""
        self.page.locator(".lm-MenuBar-item").get_by_text(names[0], exact=True).click()
        for name in names[1:]:
            self.page.locator(".lm-Menu-item").filter(has=self.page.get_by_text(re.compile(rf"^{re.escape(name)}…?$"))).first.click()

    def open_file(self, path: Path) -> None:
        """Open a notebook from the file browser, folder by folder. `path` as the browser shows it."""
        browser = self.page.locator(".jp-FileBrowser:not(.lm-mod-hidden)")
        browser.locator(".jp-BreadCrumbs-home").click()
        for name in path.parts:
            browser.locator(".jp-DirListing-item", has=self.page.get_by_text(name, exact=True)).dblclick()
        self.wait_for_notebook(path)

    def wait_for_notebook(self, path: Path) -> None:
        """Until every cell of a notebook is on the page and its kernel is ready."""
        folder = self.server.course if (self.server.course / path).exists() else self.server.course / "work"
        self._cells = nbformat.read(folder / path, as_version=4).cells
        expect(self.page.locator(".lm-TabBar-tab.lm-mod-current .lm-TabBar-tabLabel", has_text=path.name)).to_be_visible()
        expect(self.notebook.locator(".jp-Cell")).to_have_count(len(self._cells))
        expect(self.page.locator("#jp-bottom-panel")).to_contain_text("Python 3 (ipykernel) | Idle")

    def cell(self, name: str) -> Locator:
        """A cell by its grade id, or by a line that its source holds."""
        return self.cells(name)[0]

    def cells(self, name: str) -> list[Locator]:
        """Every cell with this grade id, or with this text in its source."""
        places = [place for place, cell in enumerate(self._cells) if grade_id(cell) == name] or [
            place for place, cell in enumerate(self._cells) if name in cell.source
        ]
        if not places:
            raise LookupError(f"the notebook has no cell {name!r}")
        return [self.notebook.locator(".jp-Cell").nth(place) for place in places]

    def source(self, name: str) -> str:
        """The text of a cell as it was when the notebook was opened."""
        return next(cell.source for cell in self._cells if name in (grade_id(cell), *cell.source.splitlines()))

    def type_into(self, name: str, source: str) -> None:
        """Replace the text of a cell as a person would: click, press Enter where a text is shown, select all, type."""
        cell = self.cell(name)
        editor = cell.locator(".cm-content")
        if cell.locator(".jp-MarkdownOutput").is_visible():
            cell.locator(".jp-MarkdownOutput").click()
            self.page.keyboard.press("Enter")
        else:
            editor.click()
        self.page.keyboard.press("ControlOrMeta+a")
        editor.fill(source.rstrip("\n"))

    def run(self, name: str) -> Locator:
        """Run one cell with Shift+Enter and return it when it has run."""
        cell = self.cell(name)
        folded = cell.locator(".jp-InputPlaceholder")
        if folded.is_visible():
            folded.click()
        cell.locator(".cm-content").click()
        prompt = cell.locator(".jp-InputPrompt").inner_text()
        self.page.keyboard.press("Shift+Enter")
        expect(cell.locator(".jp-InputPrompt")).not_to_have_text(prompt)
        expect(cell.locator(".jp-InputPrompt")).to_have_text(re.compile(r"\[\d+\]:"))
        return cell

    def run_all(self) -> None:
        """Menu Run, Run All Cells; until the last cell has run."""
        self.menu("Run", "Run All Cells")
        self._wait_for_the_last_cell()

    def restart_and_run_all(self) -> None:
        """Menu Kernel, Restart Kernel and Run All Cells; until the last cell has run."""
        self.menu("Kernel", "Restart Kernel and Run All Cells")
        self.agree()
        self._wait_for_the_last_cell()

    def agree(self) -> None:
        """Press the button of a dialog that means yes, and wait until the dialog is gone."""
        dialog = self.page.locator(".jp-Dialog")
        dialog.locator("button.jp-mod-accept").click()
        expect(dialog).to_have_count(0)

    def _wait_for_the_last_cell(self) -> None:
        prompt = self.notebook.locator(".jp-CodeCell .jp-InputPrompt").last
        expect(prompt).to_have_text("[*]:")  # it waits for its turn
        expect(prompt).to_have_text(re.compile(r"\[\d+\]:"), timeout=BUSY)

    def save(self) -> None:
        """Menu File, Save Notebook; until nothing is unsaved."""
        self.menu("File", "Save Notebook")
        expect(self.page.locator(".lm-DockPanel-tabBar .lm-TabBar-tab.lm-mod-current")).not_to_have_class(re.compile("jp-mod-dirty"))

    def validate(self) -> Locator:
        """Press Validate, see that it tells which cell runs, and return the dialog with the outcome."""
        self.notebook.get_by_role("button", name="Validate").click()
        expect(self.page.get_by_text(re.compile(r"Validate: running cell \d+ of \d+: ")).first).to_be_visible(timeout=BUSY)
        dialog = self.page.locator(".jp-Dialog", has_text="Validation Results")
        expect(dialog).to_be_visible(timeout=BUSY)
        return dialog

    def use_dark_theme(self) -> None:
        """Menu Settings, Theme, JupyterLab Dark."""
        self.menu("Settings", "Theme", "JupyterLab Dark")
        expect(self.page.locator("body")).to_have_attribute("data-jp-theme-light", "false")

    def evaluate(self, script: str) -> object:
        """Ask the page itself; for what a person sees and no locator says."""
        return json.loads(self.page.evaluate(f"JSON.stringify(({script})())"))
