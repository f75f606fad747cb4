"""What is in the bundle, what is not, and that it is the same wherever it is made."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import nbformat
import pytest

from attnlab.explorer.pages import EXPLORES
from attnlab.explorer.runs import names_of_runs, path_of
from authoring.bundle.contents import bundle_name, make_contents
from authoring.bundle.packing import zip_bytes
from authoring.lessons import ROOT, find_lessons

VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]


def test_it_holds_every_lesson_and_the_start_page(contents: dict[str, bytes]) -> None:
    wanted = {f"notebooks/{lesson.assignment}/{lesson.released.name}" for lesson in find_lessons()} | {"notebooks/start.ipynb"}
    assert {path for path in contents if path.endswith(".ipynb")} == wanted


def shown_in(notebook: bytes) -> list[str]:
    """The runs of the explorer that a notebook shows."""
    return [name for cell in nbformat.reads(notebook.decode(), as_version=4).cells for name in EXPLORES.findall(cell.source)]


def test_it_holds_all_code_of_attnlab_and_nothing_else_of_the_project(contents: dict[str, bytes]) -> None:
    code = {path.relative_to(ROOT).as_posix() for kind in ("py", "js", "css", "toml") for path in (ROOT / "attnlab").rglob(f"*.{kind}")}
    shown = [name for path, content in contents.items() if path.endswith(".ipynb") for name in shown_in(content)]
    unseen = {path_of(name) for name in names_of_runs() if name not in shown}  # runs of the site alone
    data = {path.relative_to(ROOT).as_posix() for path in (ROOT / "attnlab" / "data").rglob("*") if path.is_file() and path not in unseen}
    own = {
        ".gitignore",
        "AGENTS.md",
        "CITATION.cff",
        "README.md",
        "requirements.txt",
        "requirements-model.txt",
        "pyproject.toml",
        "binder/requirements.txt",
        "binder/runtime.txt",
    }
    settings = {path.relative_to(ROOT).as_posix() for path in (ROOT / "attnlab" / "lab" / "jupyter").rglob("*") if path.is_file()}
    assert {path for path in contents if not path.startswith(("notebooks/", "nbjudge/"))} == code | data | own | settings


def test_notebooks_are_the_released_ones_behind_a_first_cell(contents: dict[str, bytes]) -> None:
    for lesson in find_lessons():
        made = nbformat.reads(contents[f"notebooks/{lesson.assignment}/{lesson.released.name}"].decode(), as_version=4)
        released = nbformat.read(lesson.released, as_version=4)
        assert made.cells[1:] == released.cells and made.metadata == released.metadata
        nbformat.validate(made)
        first = made.cells[0]
        assert (first.cell_type, first.id, first.get("outputs"), first.execution_count) == ("code", "get_ready", [], None)
        assert "nbgrader" not in first.metadata


def test_a_learner_sees_the_version(contents: dict[str, bytes]) -> None:
    start = nbformat.reads(contents["notebooks/start.ipynb"].decode(), as_version=4)
    assert f"Version {VERSION}" in start.cells[1].source
    assert f"Version {VERSION}" in contents["README.md"].decode()
    assert tomllib.loads(contents["pyproject.toml"].decode())["project"]["version"] == VERSION


def test_of_the_grader_it_holds_what_validate_imports_and_its_button(contents: dict[str, bytes]) -> None:
    held = {path for path in contents if path.startswith("nbjudge/")}
    assert {"nbjudge/__init__.py", "nbjudge/_nbgrader/validating.py", "nbjudge/labextensions/nbjudge/static/remoteEntry.js"} <= held
    grading = re.compile(r"/(_execution|_sandbox|_proxies|_student|_course|_report|testing)/")
    assert len(held) < 20 and not [path for path in held if grading.search(path)]


def test_every_link_of_the_readme_leads_somewhere(contents: dict[str, bytes]) -> None:
    links = re.findall(r"\]\(([^)#]+)\)", contents["README.md"].decode())
    assert len(links) >= len(find_lessons())
    assert not [link for link in links if not link.startswith("https://") and link not in contents]


def test_versions_are_those_of_the_project(contents: dict[str, bytes]) -> None:
    lines = contents["requirements.txt"].decode().splitlines()
    ours = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if "==" in line]
    assert set(pins) <= set(ours)
    names = {line.split("==")[0] for line in pins}
    lessons = {"ipython", "ipywidgets", "anywidget", "traitlets", "matplotlib", "names", "numpy", "torch"}
    assert names == lessons | {"jupyterlab", "ipykernel"} | {"nbgrader", "nbconvert", "nbformat", "tornado"}  # the last: Validate
    package = tomllib.loads(contents["pyproject.toml"].decode())
    assert set(package["project"]["dependencies"]) == lessons  # on Colab nothing else is installed
    assert package["project"]["name"] == "attnlab"


def test_the_zip_unpacks_to_one_folder_with_plain_files(contents: dict[str, bytes]) -> None:
    name = bundle_name(ROOT)
    with zipfile.ZipFile(io.BytesIO(zip_bytes(contents, name))) as archive:
        assert archive.testzip() is None
        assert {about.filename: archive.read(about) for about in archive.infolist()} == {f"{name}/{path}": data for path, data in contents.items()}
        assert {about.external_attr >> 16 for about in archive.infolist()} == {0o100644}


def test_text_has_the_line_ends_of_git(contents: dict[str, bytes]) -> None:
    assert not [path for path, data in contents.items() if not path.endswith(".npz") and b"\r" in data]


def release(course: Path, *arguments: str, **surroundings: str) -> subprocess.CompletedProcess[str]:
    script = (
        "import sys; from pathlib import Path; from authoring.bundle.command import write_release; "
        "sys.exit(write_release(Path(sys.argv[1]), sys.argv[2]))"
    )
    return subprocess.run(
        [sys.executable, "-c", script, str(course), arguments[0] if arguments else ""],
        text=True,
        capture_output=True,
        timeout=300,
        env={**os.environ, "PYTHONPATH": str(ROOT), **surroundings},
        cwd=surroundings.get("PWD", course),
        check=False,
    )


@pytest.mark.slow
def test_clock_locale_zone_folder_umask_and_line_ends_change_no_byte(course: Path, tmp_path: Path) -> None:
    assert release(course).returncode == 0
    archive = course / "dist" / f"{bundle_name(course)}.zip"
    first = archive.read_bytes()
    other = tmp_path / "elsewhere" / "a course"
    shutil.copytree(course, other, ignore=shutil.ignore_patterns("dist"))
    for path in [*other.rglob("*.py"), *other.rglob("*.md"), *other.rglob("*.ipynb"), *other.rglob("*.txt"), *other.rglob("*.json")]:
        path.write_bytes(path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
        os.utime(path, (1_000_000_000, 1_000_000_000))
    before = os.umask(0o077)
    try:
        done = release(other, TZ="Pacific/Auckland", LC_ALL="C", LANG="C", PYTHONHASHSEED="7", PWD=str(tmp_path))
    finally:
        os.umask(before)
    assert done.returncode == 0, done.stderr
    made = other / "dist" / archive.name
    assert made.read_bytes() == first
    assert made.stat().st_mode & 0o777 == 0o644
    assert {path.stat().st_mode & 0o777 for path in (other / "dist" / bundle_name(other)).rglob("*")} == {0o644, 0o755}


def test_what_lies_about_does_not_slip_in(course: Path) -> None:
    clean = make_contents(course)
    for name in (
        "notebooks/1_basic_attention/.progress.json",
        "notebooks/.ipynb_checkpoints/start-checkpoint.ipynb",
        "notebooks/1_basic_attention/basic_attention-Copy1.ipynb",
        "attnlab/check/scratch.py",
        "attnlab/diagnosis/exceptions/names.py~",
        "attnlab/__pycache__/x.cpython-311.pyc",
        "attnlab/data/1_basic_attention.json.orig",
        "attnlab/data/9_other.json",
        "attnlab/data/states/mine.npz",
        "attnlab/data/runs/mine.json",
        "attnlab/explorer/mine.js",
        "notebooks/9_mine/mine.ipynb",
        ".env",
        "gradebook.db",
        "notebooks/Thumbs.db",
    ):
        (course / name).parent.mkdir(parents=True, exist_ok=True)
        (course / name).write_text(json.dumps({"secret": "s3cret"}), encoding="utf-8")
    assert make_contents(course) == clean


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        (
            "https://github.com/OWNER/REPO",
            [
                "git+https://github.com/OWNER/REPO",
                "colab.research.google.com/github/OWNER/REPO/blob/main/notebooks/1_",
                "mybinder.org/v2/gh/OWNER/REPO/HEAD?urlpath=lab/tree/notebooks/start.ipynb",
            ],
        ),
        ("https://github.com/OWNER/REPO.git/", ["git+https://github.com/OWNER/REPO", "mybinder.org/v2/gh/OWNER/REPO/HEAD"]),
        (
            "https://gitlab.example.org/g/sub/course",
            ["git+https://gitlab.example.org/g/sub/course", "mybinder.org/v2/git/https%3A%2F%2Fgitlab.example.org%2Fg%2Fsub%2Fcourse/HEAD"],
        ),
        ("https://example.org/~me/course.zip", ['"https://example.org/~me/course.zip"']),
    ],
)
def test_a_public_address_goes_into_cells_and_readme(course: Path, address: str, expected: list[str]) -> None:
    made = make_contents(course, address)
    first = nbformat.reads(made["notebooks/1_basic_attention/basic_attention.ipynb"].decode(), as_version=4).cells[0].source
    text = first + made["README.md"].decode()
    assert all(words in text for words in expected), text


def test_code_assistants_are_told_what_is_there(contents: dict[str, bytes]) -> None:
    text = contents["AGENTS.md"].decode()
    assert len(text.splitlines()) < 40
    notebooks = "\n".join(content.decode() for path, content in contents.items() if path.endswith(".ipynb"))
    cells = [cell.source for path, content in contents.items() if path.endswith(".ipynb") for cell in _cells(content)]
    assert "`work/start.ipynb`" in text  # where learners work: `notebooks/` stays as it is, and nothing passes there
    for named in re.findall(r"`([^`]+)`", text):
        named = re.sub(r"^work/", "notebooks/", named)  # a copy of it
        is_file = named.strip("/") in contents or any(path.startswith(named) for path in contents if named.endswith("/"))
        assert is_file or any(named in cell for cell in cells), f"AGENTS.md names {named}, which is nowhere in the bundle"
    for title in re.findall(r"\*([A-Z][a-z ]+)\*", text):
        assert f"<summary>{title}</summary>" in notebooks, f"AGENTS.md names the help {title}, which no card has"


def _cells(notebook: bytes) -> list[nbformat.NotebookNode]:
    return nbformat.reads(notebook.decode(), as_version=4).cells
