"""A copy of the course, the JupyterLab that `make lab` or `make formgrader` starts in it, and a page in Chromium."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from lab_page import LabPage
from lab_server import LabServer
from playwright.sync_api import Browser, Error, Page

from authoring.lessons import ROOT

FAILED = pytest.StashKey[bool]()
SCREENSHOTS = ROOT / "screenshots"
COPIED = ["attnlab", "authoring", "demonstration", "nbjudge", "notebooks", "setup", "source", "solutions", "nbgrader_config.py", "pyproject.toml"]
SIZE = {"width": 1280, "height": 900}


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A copy of the course as it is committed or being edited, so that nothing in the project changes."""
    root = tmp_path / "course"
    for name in COPIED:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints", ".progress.json"))
        else:
            shutil.copy(ROOT / name, root / name)
    for twin in (root / "source").glob("*/*.ipynb"):
        twin.unlink()  # made anew from the text, as after a fresh checkout
    return root


@pytest.fixture
def open_lab(course: Path, browser: Browser, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Callable[[str], LabPage]]:
    """Start JupyterLab for "learner" or "instructor" and open what it opens. A failure leaves picture, console and log."""
    opened: list[tuple[LabServer, Page, list[str]]] = []

    def open_lab(profile: str) -> LabPage:
        server = LabServer(course, profile, tmp_path / f"home{len(opened)}")
        page = browser.new_page(viewport=SIZE)
        console: list[str] = []
        page.on("console", lambda message: console.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: console.append(f"uncaught: {error}"))
        opened.append((server, page, console))
        page.goto(server.first_page())
        if profile == "instructor":  # opens at the questions to grade by hand
            page.get_by_role("link", name="JupyterLab").click()
        return LabPage(page, server, SCREENSHOTS)

    yield open_lab
    for server, page, console in opened:
        if request.node.stash.get(FAILED, False):
            _keep_evidence(request.node.name, server, page, console)
        page.close()
        server.stop()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo) -> object:
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report


def _keep_evidence(name: str, server: LabServer, page: Page, console: list[str]) -> None:
    SCREENSHOTS.mkdir(exist_ok=True)
    stem = SCREENSHOTS / f"failed-{name}"
    stem.with_suffix(".console.txt").write_text("\n".join(console), encoding="utf-8")
    stem.with_suffix(".server.txt").write_text(server.log(), encoding="utf-8")
    try:
        page.screenshot(path=stem.with_suffix(".png"))
    except Error as error:
        stem.with_suffix(".png.txt").write_text(f"no picture: {error}", encoding="utf-8")
