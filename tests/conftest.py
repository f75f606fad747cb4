"""For all tests."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.portable.profile import disturb_this_process

if TYPE_CHECKING:
    from playwright.sync_api import Browser

collect_ignore_glob = ["*.ipynb"]  # notebooks below tests/ are material of tests; nbval is for solutions/

disturb_this_process()  # only under `make portable`

# As for a script's background job, or under nohup: what the tests start would never hear Ctrl-C, or that a terminal has gone.
for number, usual in ((signal.SIGINT, signal.default_int_handler), (getattr(signal, "SIGHUP", signal.SIGINT), signal.SIG_DFL)):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, usual)

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
