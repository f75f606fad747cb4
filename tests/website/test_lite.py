"""The lessons in JupyterLite: what lies in its folder, where that is from, and a widget. `test_lessons_in_browser.py` runs every lesson."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import re
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from jupyterlite_pyodide_kernel.constants import PYODIDE_VERSION
from packaging.utils import parse_wheel_filename
from playwright.sync_api import expect

from authoring.bundle.answers_inside import answers_inside, find_secrets
from authoring.bundle.contents import make_contents
from authoring.bundle.inputs import project_settings
from authoring.bundle.refusal import Refused
from authoring.lessons import ROOT, Lesson, find_lessons
from tests.website.lite_page import PATIENCE, LitePage
from website.building import LITE, build
from website.lite import fetching
from website.lite.building import build_lite
from website.lite.notebooks import LANGUAGE

pytestmark = [pytest.mark.slow, pytest.mark.browser]

EACH_LESSON = pytest.mark.parametrize("lesson", find_lessons(), ids=lambda lesson: lesson.assignment)
FROM_PYODIDE = f"https://cdn.jsdelivr.net/pyodide/v{PYODIDE_VERSION}/full/"
VERSION = project_settings(ROOT)["project"]["version"]
SCRIPT = "export default {render({el}) {el.textContent = 'drawn ' + 'by JavaScript'}}"
WIDGET = f'import anywidget; type("Drawn", (anywidget.AnyWidget,), {{"_esm": "{SCRIPT}"}})()'


@pytest.fixture(scope="module")
def lite(site: Path) -> Path:
    """Its folder."""
    return site / LITE


def test_notebooks_name_their_language_as_the_kernel_does() -> None:
    """Else each of them counts as changed as soon as it is opened."""
    scripts = Path(sys.prefix, "share", "jupyter", "labextensions", "@jupyterlite", "pyodide-kernel-extension", "static").glob("*.js")
    said = [words for script in scripts for words in re.findall(r"language_info:({.*?}.*?})", script.read_text(encoding="utf-8"))]
    assert [json.loads(re.sub(r"(\w+):", r'"\1":', words)) for words in said] == [LANGUAGE]


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


def test_what_lessons_import_is_on_the_site_and_the_rest_has_an_address(lite: Path) -> None:
    folder = lite / "static" / "pyodide"
    packages = json.loads((folder / fetching.LOCK).read_text(encoding="utf-8"))["packages"]
    here = {name for name, package in packages.items() if (folder / package["file_name"]).is_file()}
    assert {*fetching.OF_PYODIDE, *fetching.OF_NUMPY} <= here
    for name, package in packages.items():
        if name in here:
            assert hashlib.sha256((folder / package["file_name"]).read_bytes()).hexdigest() == package["sha256"], name
            assert {needed.lower().replace("_", "-") for needed in package["depends"]} <= here, name
        else:
            assert package["file_name"].startswith(FROM_PYODIDE), name


def test_numpy_and_what_it_needs_are_the_files_that_pyodides_lock_names() -> None:
    wanted = fetching.hashes_of_numpy()
    assert len(wanted) == 12
    assert {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in fetching.NUMPY.iterdir()} == wanted


@pytest.mark.parametrize(("change", "says"), [(lambda data: data + b"!", "has the sha256"), (None, "is missing")])
def test_a_file_with_another_hash_is_refused(tmp_path: Path, change: Callable[[bytes], bytes] | None, says: str) -> None:
    wanted, name = fetching.hashes_of_numpy(), "six-1.17.0-py2.py3-none-any.whl"
    files = {path.name: path.read_bytes() for path in fetching.NUMPY.iterdir()}
    other = {**files, name: change(files[name])} if change else {one: data for one, data in files.items() if one != name}
    for held, outcome in ((files, None), (other, rf"{re.escape(name)} {says}.* wants {wanted[name]}.*Next: ")):
        carrier = tmp_path / "carrier.whl"
        with zipfile.ZipFile(carrier, "w") as packed:
            for one, data in {**held, "more.whl": b"other"}.items():
                packed.writestr(fetching.CARRIED_IN + one, data)
        if outcome is None:
            assert fetching.carried(carrier, wanted) == files
        else:
            with pytest.raises(fetching.NotFetched, match=outcome):
                fetching.carried(carrier, wanted)


def test_without_the_carrier_the_site_takes_numpy_from_pyodides_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(fetching, "NUMPY", tmp_path / "numpy")
    monkeypatch.setattr(fetching, "CARRIER", "no-such-package-of-anybody-0==0.0.1")
    assert fetching.main() == 0
    said = capsys.readouterr().err
    assert "pip could not fetch no-such-package-of-anybody-0==0.0.1" in said and "get NumPy and matplotlib from Pyodide's address" in said
    assert not fetching.has_numpy() and fetching.host_of_numpy() == "cdn.jsdelivr.net"
    build_lite(ROOT, make_contents(ROOT), tmp_path / "lite")
    lock = json.loads((tmp_path / "lite" / "static" / "pyodide" / fetching.LOCK).read_text(encoding="utf-8"))["packages"]
    assert lock["numpy"]["file_name"].startswith(FROM_PYODIDE) and lock["matplotlib"]["file_name"].startswith(FROM_PYODIDE)
    first = nbformat.read(tmp_path / "lite" / "files" / "1_basic_attention" / "basic_attention.ipynb", as_version=4)
    assert "cdn.jsdelivr.net" in next(cell.source for cell in first.cells if cell.id == "in_browser")


def test_the_licences_of_what_the_site_hands_out_are_named(site: Path) -> None:
    told = (site / "start.html").read_text(encoding="utf-8").lower()
    for name in fetching.hashes_of_numpy():
        assert str(parse_wheel_filename(name)[0]) in told, name


def test_pyodide_is_the_one_that_its_kernel_was_made_for() -> None:
    assert json.loads((fetching.HERE / "package.json").read_text(encoding="utf-8"))["dependencies"]["pyodide"] == PYODIDE_VERSION


def test_nothing_for_developers_comes_along(lite: Path) -> None:
    assert not list(lite.rglob("*.map"))
    assert sum(path.stat().st_size for path in lite.rglob("*") if path.is_file()) < 65e6


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
    lock["packages"]["node_modules/pyodide"]["version"] = "314.0.3"
    (tmp_path / "package-lock.json").write_text(json.dumps(lock), encoding="utf-8")
    monkeypatch.setattr(fetching, "HERE", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert fetching.main() == 1
    assert "npm is not installed" in capsys.readouterr().err


def run(lite: LitePage, source: str) -> str:
    """What a new cell above all others shows, once it has run."""
    lite.notebook.locator(".jp-CodeCell").first.locator(".cm-content").click()
    for key in ("Escape", "a", "Enter"):
        lite.page.keyboard.press(key)
    lite.page.keyboard.type(source)
    return run_chosen(lite)


def run_chosen(lite: LitePage) -> str:
    """What the chosen cell shows, once it has run."""
    cell = lite.notebook.locator(".jp-Cell.jp-mod-selected")
    lite.page.keyboard.press("Control+Enter")
    expect(cell.locator(".jp-InputPrompt")).to_have_text(re.compile(r"\[\d+\]:"), timeout=PATIENCE)
    return cell.locator(".jp-OutputArea").inner_text()


def test_a_reader_follows_the_link_of_a_lesson_and_types(lite_page: Callable[..., LitePage], address: str) -> None:
    lite = lite_page()
    lite.page.goto(f"{address}/lessons/1_basic_attention.html")
    lite.page.get_by_role("link", name="open this lesson in your browser").click()
    expect(lite.notebook.get_by_role("heading", name="1 · Basic attention")).to_be_visible(timeout=PATIENCE)
    lite.notebook.locator(".jp-CodeCell").filter(has_text="get_ready()").locator(".cm-content").click()
    assert run_chosen(lite).startswith("Ready")
    versions = run(lite, 'import importlib.metadata as m; print(m.version("attnlab"), m.version("anywidget"))')
    assert f"{VERSION} {importlib.metadata.version('anywidget')}" in versions
    said = run(lite, "import torch; from torch import nn; eye = torch.eye(3)")
    assert "torch does not run in a browser, and this cell needs it (torch.eye)" in said and "Traceback" not in said
    assert "this needs torch (eye, of a cell above that needs torch)" in run(lite, "eye + 1")
    run(lite, WIDGET)
    expect(lite.page.get_by_text("drawn by JavaScript", exact=True)).to_be_visible(timeout=PATIENCE)
