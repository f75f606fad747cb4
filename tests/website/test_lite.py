"""The lessons in JupyterLite: what lies in its folder, and what happens in a browser whose network ends at the site.

NumPy and matplotlib for the browser come from Pyodide's address, so no test has seen them run there; `test_without_torch.py` runs every lesson with
the same stand-in for torch where NumPy is.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from jupyterlite_pyodide_kernel.constants import PYODIDE_VERSION
from playwright.sync_api import Browser, Page, expect

from authoring.bundle.answers_inside import answers_inside, find_secrets
from authoring.bundle.inputs import project_settings
from authoring.bundle.refusal import Refused
from authoring.lessons import ROOT, Lesson, find_lessons
from website.building import LITE, build
from website.lite import fetching

pytestmark = [pytest.mark.slow, pytest.mark.browser]

EACH_LESSON = pytest.mark.parametrize("lesson", find_lessons(), ids=lambda lesson: lesson.assignment)
PATIENCE = 120_000  # a browser that starts Python beside other tests
FROM_PYODIDE = f"https://cdn.jsdelivr.net/pyodide/v{PYODIDE_VERSION}/full/"
VERSION = project_settings(ROOT)["project"]["version"]
SCRIPT = "export default {render({el}) {el.textContent = 'drawn ' + 'by JavaScript'}}"
WIDGET = f'import anywidget; type("Drawn", (anywidget.AnyWidget,), {{"_esm": "{SCRIPT}"}})()'


@pytest.fixture(scope="module")
def lite(site: Path) -> Path:
    """Its folder."""
    return site / LITE


@EACH_LESSON
def test_a_lesson_is_there_with_a_cell_that_gets_python_ready(lite: Path, lesson: Lesson) -> None:
    shown = nbformat.read(lite / "files" / lesson.assignment / lesson.released.name, as_version=4)
    released = nbformat.read(lesson.released, as_version=4)
    added = [cell for cell in shown.cells if cell.id in ("in_browser", "get_ready")]
    assert [cell.cell_type for cell in added] == ["markdown", "code"]
    assert next(cell for cell in shown.cells if cell.cell_type == "code") is added[1]
    assert [cell.source for cell in shown.cells if cell not in added] == [cell.source for cell in released.cells]
    listed = json.loads((lite / "api" / "contents" / lesson.assignment / "all.json").read_text(encoding="utf-8"))["content"]
    assert lesson.released.name in [entry["name"] for entry in listed]


def test_links_between_notebooks_lead_to_notebooks(lite: Path) -> None:
    seen = 0
    for path in (lite / "files").rglob("*.ipynb"):
        for cell in nbformat.read(path, as_version=4).cells:
            for to in re.findall(r"\]\(([^()\s#:]+\.ipynb)", cell.source) if cell.cell_type == "markdown" else ():
                seen += 1
                assert (path.parent / to).resolve().is_file(), f"{path.name}: {to}"
    assert seen > 5


def test_the_wheel_of_attnlab_has_no_answer(lite: Path) -> None:
    with zipfile.ZipFile(lite / "pypi" / f"attnlab-{VERSION}-py3-none-any.whl") as wheel:
        files = {name: wheel.read(name) for name in wheel.namelist()}
    assert {"attnlab/in_browser.py", "attnlab/data/1_basic_attention.json", "attnlab/explorer/explorer.js"} <= set(files)
    assert not [name for name in files if name.startswith("authoring") or "/answers/" in name]
    assert answers_inside({name: data for name, data in files.items() if name.endswith(".py")}, find_secrets(find_lessons())) == []


def test_what_python_starts_with_is_on_the_site_and_the_rest_has_an_address(lite: Path) -> None:
    folder = lite / "static" / "pyodide"
    packages = json.loads((folder / fetching.LOCK).read_text(encoding="utf-8"))["packages"]
    here = {name for name, package in packages.items() if (folder / package["file_name"]).is_file()}
    assert set(fetching.OF_PYODIDE) <= here
    for name, package in packages.items():
        if name in here:
            assert hashlib.sha256((folder / package["file_name"]).read_bytes()).hexdigest() == package["sha256"], name
            assert {needed.lower().replace("_", "-") for needed in package["depends"]} <= here, name
        else:
            assert package["file_name"].startswith(FROM_PYODIDE), name


def test_pyodide_is_the_one_that_its_kernel_was_made_for() -> None:
    assert json.loads((fetching.HERE / "package.json").read_text(encoding="utf-8"))["dependencies"] == {"pyodide": PYODIDE_VERSION}


def test_nothing_for_developers_comes_along(lite: Path) -> None:
    assert not list(lite.rglob("*.map"))
    assert sum(path.stat().st_size for path in lite.rglob("*") if path.is_file()) < 60e6


def test_without_what_is_fetched_the_site_is_refused_and_the_old_one_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "site.txt").write_text("ours")
    monkeypatch.setattr(fetching, "WHEELS", tmp_path / "none")
    with pytest.raises(Refused, match=r"has not been fetched\. Next: `make site` fetches it"):
        build(ROOT, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["site.txt"]


def test_what_is_here_is_not_fetched_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "_run", lambda *_: pytest.fail("it fetched"))
    assert fetching.main() == 0


def test_another_version_is_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    lock = json.loads((fetching.HERE / "package-lock.json").read_text(encoding="utf-8"))
    lock["packages"]["node_modules/pyodide"]["version"] = "314.0.5"
    (tmp_path / "package-lock.json").write_text(json.dumps(lock), encoding="utf-8")
    monkeypatch.setattr(fetching, "HERE", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert fetching.main() == 1
    assert "npm is not installed" in capsys.readouterr().err


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A reader whose network ends at the site. Only Pyodide's address is asked besides."""
    context, asked = browser.new_context(viewport={"width": 1300, "height": 900}), []

    def refuse(route) -> None:
        asked.append(route.request.url)
        route.abort()

    context.route(lambda url: not url.startswith((address, "data:", "blob:")), refuse)
    page = context.new_page()
    page.goto(f"{address}/lessons/1_basic_attention.html")
    yield page
    context.close()
    assert [url for url in asked if not url.startswith(FROM_PYODIDE)] == []


def run(page: Page, source: str) -> str:
    """What a new cell above all others shows, once it has run."""
    page.locator(".jp-Notebook .jp-CodeCell").first.locator(".cm-content").click()
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    page.keyboard.type(source)
    return run_chosen(page)


def run_chosen(page: Page) -> str:
    """What the chosen cell shows, once it has run."""
    cell = page.locator(".jp-Notebook .jp-Cell.jp-mod-selected")
    number = cell.locator(".jp-InputPrompt")
    page.keyboard.press("Control+Enter")
    expect(number).to_have_text(re.compile(r"\[\d+\]:"), timeout=PATIENCE)
    return cell.locator(".jp-OutputArea").inner_text()


def test_a_lesson_opens_and_runs_in_the_browser(page: Page) -> None:
    page.get_by_role("link", name="open this lesson in your browser").click()
    expect(page.locator(".jp-Notebook").get_by_role("heading", name="1 · Basic attention")).to_be_visible(timeout=PATIENCE)
    assert "45" in run(page, "sum(range(10))")
    page.locator(".jp-Notebook .jp-CodeCell").filter(has_text="get_ready()").locator(".cm-content").click()
    said = " ".join(run_chosen(page).split())
    assert said.startswith("Not here: numpy, matplotlib. The lesson imports them") and "cdn.jsdelivr.net" in said and "Ready" not in said
    versions = run(page, 'import importlib.metadata as m; print(m.version("attnlab"), m.version("anywidget"))')
    assert f"{VERSION} {importlib.metadata.version('anywidget')}" in versions
    said = run(page, "import torch; from torch import nn; eye = torch.eye(3)")
    assert "torch does not run in a browser, and this cell needs it (torch.eye)" in said and "Traceback" not in said
    assert "needs it (eye, of a cell above that needs torch)" in run(page, "eye + 1")
    run(page, WIDGET)
    expect(page.get_by_text("drawn by JavaScript", exact=True)).to_be_visible(timeout=PATIENCE)
    page.screenshot(path=ROOT / "screenshots" / "lite-lesson-1.png")
    below = page.locator(".jp-Notebook .jp-CodeCell").filter(has_text="sum(range(10))").locator(".jp-InputPrompt")
    number = below.inner_text()
    page.locator(".jp-Notebook .jp-CodeCell").filter(has_text="get_ready()").locator(".cm-content").click()
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Above Selected Cell").click()
    expect(below).to_have_text(re.compile(rf"\[(?!{number.strip('[]:')}\])\d+\]:"), timeout=PATIENCE)  # cells that need torch stop nothing
