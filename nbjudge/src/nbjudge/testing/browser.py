"""Fixtures of pytest for pages: Chromium, where it is installed. Begin pytest with `-p nbjudge.testing.browser`."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"]


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of Chromium, which `make test` installs where it may; without it the tests are skipped with the command to type."""
    path = shutil.which("chromium")
    if not path:
        pytest.skip("Chromium is not here. Next: type `sudo apt-get install -y chromium`, then the same command again.")
    return path


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    """One for all tests of a process: playwright does not start twice in one."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser
        browser.close()
