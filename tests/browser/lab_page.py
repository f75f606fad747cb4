"""What a person does in JupyterLab, in words of the person. Every method waits for what the page shows."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Locator, Page, expect

SLOW = 60_000  # milliseconds; how long a person with an old machine would wait
expect.set_options(timeout=SLOW)


class LabPage:
    """One browser tab with JupyterLab."""

    def __init__(self, page: Page, server: object, screenshots: Path):
        self.page, self.server, self._screenshots = page, server, screenshots
        page.set_default_timeout(SLOW)

    def picture(self, name: str) -> None:
        """Leave a screenshot to look at."""
        self._screenshots.mkdir(exist_ok=True)
        self.page.screenshot(path=self._screenshots / f"{name}.png")

    @property
    def notebook(self) -> Locator:
        """The notebook in front."""
        return self.page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")
