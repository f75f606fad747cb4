"""A learner unpacks the zip, types what its page says, and works: in an environment of its own, with an empty home."""

from __future__ import annotations

import functools
import http.server
import io
import os
import re
import shutil
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from playwright.sync_api import Browser, Page, expect

from authoring.answers import fill_in, solution_sources
from authoring.bundle.contents import bundle_name
from authoring.bundle.first_cell import with_first_cell
from authoring.bundle.packing import zip_bytes
from authoring.lessons import ROOT, Lesson
from nbjudge import is_test

LESSON = Lesson("1_basic_attention")
NOTEBOOK = f"notebooks/{LESSON.assignment}/{LESSON.released.name}"
NO_NETWORK = re.compile(r"Temporary failure in name resolution|Network is unreachable|Connection refused|No route to host")
SLOW = 60_000
pytestmark = [pytest.mark.network, pytest.mark.timeout(1500)]  # torch is large, and comes over a network


@dataclass
class Learner:
    """Somebody with the zip, a Python and nothing else."""

    folder: Path
    home: Path
    zipped: bytes = field(repr=False)

    def types(self, command: str, folder: Path | None = None, limit: int = 300) -> subprocess.CompletedProcess[str]:
        """Type a line into a terminal in the unpacked folder, in the environment that was made there."""
        kept = {key: value for key, value in os.environ.items() if key.startswith(("PIP_", "SSL_")) or "proxy" in key.lower()}
        path = os.pathsep.join([str(self.folder / ".venv" / "bin"), str(self.home.parent / "python"), "/usr/local/bin", "/usr/bin", "/bin"])
        return subprocess.run(
            ["/bin/sh", "-ec", command],
            cwd=folder or self.folder,
            text=True,
            capture_output=True,
            timeout=limit,
            check=False,
            env={**kept, "HOME": str(self.home), "PATH": path, "LANG": "C.UTF-8"},
        )

    def runs(self, notebook: Path) -> NotebookNode:
        """Execute a notebook in its own folder, as Run All does: past an error where the cell is tagged for it."""
        done = self.types(f'jupyter execute --output=ran.ipynb "{notebook.name}"', notebook.parent, 500)
        assert done.returncode == 0, done.stderr
        return nbformat.read(notebook.with_name("ran.ipynb"), as_version=4)

    def packages(self) -> set[str]:
        return {line for line in self.types("pip list --format=freeze").stdout.splitlines() if not line.startswith(("pip=", "setuptools="))}


@pytest.fixture(scope="module")
def learner(contents: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Learner:
    """One who has followed the README up to the line that opens JupyterLab."""
    top = tmp_path_factory.mktemp("learner")
    (top / "home").mkdir()
    (top / "python").mkdir()
    (top / "python" / "python3").symlink_to(Path(getattr(sys, "_base_executable", sys.executable)))
    zipped = zip_bytes(contents, bundle_name(ROOT))
    with zipfile.ZipFile(io.BytesIO(zipped)) as archive:
        archive.extractall(top)
    learner = Learner(top / bundle_name(ROOT), top / "home", zipped)
    block = re.search(r"on Linux and macOS:\n\n```\n(.*?)```", (learner.folder / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert block
    *commands, opens = block[1].splitlines()
    assert opens == "python -m attnlab"
    done = learner.types("\n".join(commands), limit=1400)
    if done.returncode and NO_NETWORK.search(done.stderr + done.stdout):
        pytest.skip("The packages could not be fetched. Next: connect to the network, then type the same command again.")
    assert done.returncode == 0, done.stdout + done.stderr
    return learner


def errors(notebook: NotebookNode) -> list[tuple[NotebookNode, str]]:
    return [(cell, output.ename) for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs if output.output_type == "error"]


def test_no_grader_was_installed(learner: Learner) -> None:
    names = {line.partition("==")[0].lower() for line in learner.packages()}
    assert {"attnlab", "torch", "numpy", "jupyterlab"} <= names
    assert not names & {"nbjudge", "self-attention-course", "nbval", "jupytext"}
    wanted = set(re.findall(r"^[\w.-]+==[\w.]+", (learner.folder / "requirements.txt").read_text(encoding="utf-8"), re.MULTILINE))
    assert {line.lower() for line in wanted} <= {line.lower().partition("+")[0] for line in learner.packages()}


def test_lesson_1_as_it_comes_runs_to_its_end(learner: Learner) -> None:
    ran = learner.runs(learner.folder / NOTEBOOK)
    failed = errors(ran)
    assert len(failed) >= 16 and all("raises-exception" in cell.metadata.get("tags", []) for cell, _ in failed)
    assert {name for _, name in failed} == {"CheckFailed", "NotImplementedError"}
    left_out = [cell for cell in ran.cells if cell.cell_type == "code" and cell.execution_count is None]
    assert all("skip-execution" in cell.metadata.tags for cell in left_out)


def test_lesson_1_with_answers_typed_in_passes_every_check(learner: Learner) -> None:
    answers = solution_sources(nbformat.read(LESSON.solution, as_version=4))
    place = (learner.folder / NOTEBOOK).with_name("answered.ipynb")
    nbformat.write(fill_in(nbformat.read(learner.folder / NOTEBOOK, as_version=4), answers), place)
    ran = learner.runs(place)
    assert errors(ran) == []
    checks = [cell for cell in ran.cells if is_test(cell)]
    assert len(checks) >= 7 and all(cell.outputs for cell in checks)


def test_the_start_page_counts(learner: Learner) -> None:
    ran = learner.runs(learner.folder / "notebooks" / "start.ipynb")
    assert "of 23 points counted" in "".join(output.get("text", "") for cell in ran.cells for output in cell.get("outputs", []))


@contextmanager
def opened(learner: Learner, browser: Browser, command: str, open_before: Path) -> Iterator[Page]:
    """The page that a command opens in JupyterLab, which opens again what was open before, according to a folder."""
    process = subprocess.Popen(
        ["/bin/sh", "-c", f"exec {command}"],
        cwd=learner.folder,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={
            "HOME": str(learner.home),
            "PATH": f"{learner.folder / '.venv' / 'bin'}:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "JUPYTERLAB_WORKSPACES_DIR": str(open_before),
        },
    )
    assert process.stdout
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    try:
        address = next(line for line in process.stdout if re.match(r"\s*http://\S+token=", line))
        page.goto(address.strip().replace("/lab?", "/lab/tree/start.ipynb?"))  # plain `jupyter lab` prints no address of a file
        yield page
    finally:
        page.close()
        process.terminate()
        process.wait(60)


@pytest.mark.browser
@pytest.mark.parametrize("command", ["python -m attnlab --port 20400", "jupyter lab --no-browser --allow-root --port 20500 notebooks"])
def test_both_ways_open_the_same_jupyterlab(learner: Learner, browser: Browser, command: str, tmp_path: Path) -> None:
    with opened(learner, browser, command, tmp_path) as page:
        notebook = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")
        expect(notebook.locator("h1").first).to_contain_text("Self-attention, step by step", timeout=SLOW)
        expect(page.locator("#jp-bottom-panel")).to_contain_text("Python 3 (ipykernel) | Idle", timeout=SLOW)
        for name in ("Nbgrader", "Formgrader", "Create Assignment", "Assignment List", "Course List"):
            expect(page.get_by_text(name, exact=True)).to_have_count(0)
        expect(page.locator(".Toastify__toast")).to_have_count(0)  # no question about news
        expect(page.locator(".jp-Dialog")).to_have_count(0)
        card = notebook.locator(".jp-MarkdownCell", has_text="How to work")
        card.locator(".jp-MarkdownOutput").dblclick()
        expect(card.locator(".jp-MarkdownOutput")).to_be_visible()
        expect(card.locator(".cm-content")).not_to_be_visible()
        pictures = ROOT / "screenshots"
        pictures.mkdir(exist_ok=True)
        page.screenshot(path=pictures / f"bundle-{command.split()[0]}.png")

        notebook.get_by_role("link", name="Basic attention").first.click()
        expect(notebook.locator("h1").first).to_contain_text("Basic attention", timeout=SLOW)
        expect(notebook.get_by_role("button", name="Validate")).to_have_count(1)
        notebook.get_by_role("button", name="Validate").click()
        told = page.locator(".jp-Dialog", has_text="Validation Results")
        expect(told).to_contain_text("tests that you can see pass", timeout=180_000)
        expect(told).to_contain_text("softmax does not pass:")  # in words, not softmax_test
        expect(told).to_contain_text("This is not your grade yet")
        page.screenshot(path=pictures / f"bundle-{command.split()[0]}-validate.png")


def test_work_begins_as_a_copy_of_the_lessons(learner: Learner) -> None:
    for path in (learner.folder / "notebooks").rglob("*.ipynb"):
        assert (learner.folder / "work" / path.relative_to(learner.folder / "notebooks")).is_file()


# From here on as on Colab: everything that the lessons need is installed, but not the course.


@pytest.fixture
def elsewhere(learner: Learner, tmp_path: Path) -> Iterator[Path]:
    """A folder with nothing in it, in an environment without `attnlab` and `names`."""
    assert learner.types("pip uninstall -q -y attnlab names").returncode == 0
    yield tmp_path
    if not any(line.startswith("attnlab=") for line in learner.packages()):
        assert learner.types("pip install -q .").returncode == 0


def first_cell(folder: Path, address: str = "") -> Path:
    """The lesson's first three cells as a notebook in a folder: the one that makes ready, the title, the imports."""
    notebook = with_first_cell(nbformat.read(LESSON.released, as_version=4), address, f"{bundle_name(ROOT)}.zip")
    notebook.cells = notebook.cells[:3]
    notebook.cells[2].metadata.tags = ["raises-exception"]
    nbformat.write(notebook, folder / "lesson.ipynb")
    return folder / "lesson.ipynb"


@pytest.fixture
def served(learner: Learner, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a folder that holds the bundle as a zip, and as a git repository."""
    folder = tmp_path_factory.mktemp("published")
    (folder / "course.zip").write_bytes(learner.zipped)
    work = folder / "work"
    with zipfile.ZipFile(io.BytesIO(learner.zipped)) as archive:
        archive.extractall(folder)
    (folder / bundle_name(ROOT)).rename(work)
    if shutil.which("git"):
        git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org", "-C", str(work)]
        for words in (
            ["init", "-q"],
            ["add", "-A"],
            ["commit", "-qm", "2.0.0"],
            ["clone", "-q", "--bare", str(work), str(folder / "course")],
            ["-C", str(folder / "course"), "update-server-info"],
        ):
            subprocess.run([*git, *words], check=True, capture_output=True, timeout=60)
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.mark.parametrize("name", [f"{bundle_name(ROOT)}.zip", f"{bundle_name(ROOT)} (1).zip"])
def test_a_zip_beside_the_notebook_is_installed_and_replaces_nothing(learner: Learner, elsewhere: Path, name: str) -> None:
    before = learner.packages()
    (elsewhere / name).write_bytes(learner.zipped)
    assert errors(learner.runs(first_cell(elsewhere))) == []
    assert before < learner.packages()
    assert {line.partition("==")[0] for line in learner.packages() - before} == {"attnlab", "names"}


@pytest.mark.parametrize("page", ["course.zip", "course"])
def test_a_published_bundle_is_fetched(learner: Learner, elsewhere: Path, served: str, page: str) -> None:
    if page == "course" and not shutil.which("git"):
        pytest.skip("git is not here. Next: install it, then type the same command again.")
    assert errors(learner.runs(first_cell(elsewhere, f"{served}/{page}"))) == []


def test_an_unpacked_bundle_above_the_notebook_is_installed(learner: Learner, elsewhere: Path) -> None:
    ran = learner.runs(learner.folder / NOTEBOOK)
    assert {name for _, name in errors(ran)} == {"CheckFailed", "NotImplementedError"}


def test_without_any_of_them_it_says_what_to_do(learner: Learner, elsewhere: Path) -> None:
    ran = learner.runs(first_cell(elsewhere))
    [said] = ran.cells[0].outputs
    assert said.text.startswith("The course is not installed here. Next: upload self-attention-course-")
    assert [name for _, name in errors(ran)] == ["ModuleNotFoundError"]


def test_an_address_that_does_not_answer_is_named(learner: Learner, elsewhere: Path) -> None:
    ran = learner.runs(first_cell(elsewhere, "http://127.0.0.1:9/course.zip"))
    said = "".join(output.get("text", "") for output in ran.cells[0].outputs)
    assert "pip could not install the course from http://127.0.0.1:9/course.zip. Next: " in said
    assert [name for _, name in errors(ran)] == ["ModuleNotFoundError"]


def test_where_the_course_is_installed_it_does_nothing(learner: Learner, tmp_path: Path) -> None:
    (tmp_path / f"{bundle_name(ROOT)}.zip").write_text("no zip", encoding="utf-8")
    before = learner.packages()
    ran = learner.runs(first_cell(tmp_path, "http://127.0.0.1:9/course.zip"))
    assert ran.cells[0].outputs == [] and errors(ran) == []
    assert learner.packages() == before
