"""Where nothing has changed, nothing is done again: no process starts, the gradebook is asked once, and no page is written. Content decides."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from rich.console import Console
from sqlalchemy.engine.default import DefaultDialect

from helpers.courses import assert_gone
from nbjudge._commands import cli
from nbjudge._common import preload
from nbjudge._course.course import Course
from nbjudge._course.grading import grade_class, write_feedback
from nbjudge._course.intake import find_submissions
from nbjudge._course.outcomes import Status, Submission
from nbjudge._course.process_pool import Pool
from nbjudge._course.task_pool import TaskPool
from nbjudge._course.tasks import was_handed_in
from nbjudge._nbgrader.converters import Record
from nbjudge._wire.errors import CannotGrade
from nbjudge.testing import small_course

STUDENTS = ("ada", "bob", "fay", "hana")


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class that `nbjudge grade` graded."""
    root = small_course.make(tmp_path_factory.mktemp("unchanged") / "course", answers={name: small_course.ANSWERS[name] for name in STUDENTS})
    assert cli.grade(Course(root), Console(file=io.StringIO())) == 0
    return root


@pytest.fixture
def root(graded: Path, tmp_path: Path) -> Path:
    return shutil.copytree(graded, tmp_path / "course")


class Started(Exception):
    """Something was started."""


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which no process can be started."""

    def starts(*_: Any, **__: Any) -> None:
        raise Started

    monkeypatch.setattr(Pool, "prepare", starts)
    monkeypatch.setattr(TaskPool, "_schedule", starts)
    monkeypatch.setattr(preload, "begin", starts)


def again(root: Path) -> dict[str, Status]:
    return {outcome.student: outcome.status for outcome in grade_class(Course(root))}


@pytest.mark.usefixtures("idle")
def test_a_class_that_is_graded_starts_no_process(root: Path) -> None:
    (root / preload.GRADES).touch()  # a copy of a course is newer than its grading
    assert again(root) == dict.fromkeys(STUDENTS, Status.GRADED_BEFORE)


@pytest.mark.usefixtures("idle")
def test_however_large_a_class_is_the_gradebook_is_asked_as_often(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / preload.GRADES).touch()
    asked: list[str] = []
    usual = DefaultDialect.do_execute

    def hears(self: Any, cursor: Any, statement: str, *more: Any) -> None:
        asked.append(statement)
        usual(self, cursor, statement, *more)

    monkeypatch.setattr(DefaultDialect, "do_execute", hears)
    counts = []
    for gone in ((), ("ada", "bob", "fay")):
        for student in gone:
            shutil.rmtree(root / "submitted" / student)
        asked.clear()
        (root / preload.GRADES).touch()
        assert set(again(root).values()) == {Status.GRADED_BEFORE}
        counts.append(sum(statement.startswith("SELECT submitted_assignment.student_id") for statement in asked))
    assert counts == [1, 1], asked


@pytest.mark.usefixtures("idle")
@pytest.mark.parametrize(
    "what", [f"submitted/ada/{small_course.ASSIGNMENT}/sums.ipynb", f"source/{small_course.ASSIGNMENT}/sums.ipynb", "nbgrader_config.py"]
)
def test_what_has_changed_is_seen_whatever_its_times_and_size_say(root: Path, what: str) -> None:
    path = root / what
    before, content = path.stat(), path.read_bytes()
    path.write_bytes(content[:-1] + b" ")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size
    (root / preload.GRADES).touch()  # nothing is started early
    with pytest.raises(Started):
        again(root)


@pytest.mark.usefixtures("idle")
def test_a_grade_that_is_gone_from_the_gradebook_is_missed(root: Path) -> None:
    (root / preload.GRADES).touch()
    course = Course(root)
    with course.gradebook() as gradebook:
        gradebook.remove_submission(small_course.ASSIGNMENT, "bob")
    assert course.graded() == {(student, small_course.ASSIGNMENT) for student in STUDENTS if student != "bob"}
    with pytest.raises(Started):
        again(root)


def test_only_something_newer_than_the_last_grading_is_prepared_for(root: Path) -> None:
    folders = root / "submitted", root / "source"
    (root / preload.GRADES).touch()
    assert not preload.something_waits(root, *folders)
    small_course.hand_in(root, "new", small_course.STUB)
    os.utime(root / "submitted" / "new" / small_course.ASSIGNMENT / "sums.ipynb", (0, 0))  # as an archive unpacks it
    assert preload.something_waits(root, *folders)
    (root / preload.GRADES).unlink()
    assert preload.something_waits(root)


def pages(root: Path) -> dict[str, tuple[int, int]]:
    """Every page, and which file it is."""
    return {str(path.relative_to(root)): ((about := path.stat()).st_ino, about.st_mtime_ns) for path in sorted(root.glob("feedback/*/*/*.html"))}


@pytest.mark.usefixtures("idle")
def test_pages_that_would_be_the_same_are_not_written_again(root: Path) -> None:
    before = pages(root)
    assert len(before) == len(STUDENTS)
    assert list(write_feedback(Course(root))) == [(student, small_course.ASSIGNMENT, None) for student in sorted(STUDENTS)]
    assert pages(root) == before


def _graded_by_hand(root: Path) -> None:
    with Course(root).gradebook() as gradebook:
        gradebook.find_grade("why", "sums", small_course.ASSIGNMENT, "bob").manual_score = 2
        gradebook.db.commit()


def _written_over(root: Path) -> None:
    page = root / "feedback" / "bob" / small_course.ASSIGNMENT / "sums.html"
    page.chmod(0o644)
    page.write_text("100 of 100 points", encoding="utf-8")


def _noted_by_another_grader(root: Path) -> None:
    note = root / "gradings" / "feedback" / small_course.ASSIGNMENT / "bob.json"
    note.write_text(note.read_text(encoding="utf-8").replace('"made_by": "', '"made_by": "0'), encoding="utf-8")


@pytest.mark.usefixtures("idle")
@pytest.mark.parametrize("change", [_graded_by_hand, _written_over, _noted_by_another_grader])
def test_a_page_that_would_be_another_one_is_written_again(root: Path, change: Any) -> None:
    change(root)
    written = write_feedback(Course(root))
    assert [next(written)[0] for _ in STUDENTS[1:]] == ["ada", "fay", "hana"]
    with pytest.raises(Started):
        next(written)


def test_a_record_that_fails_leaves_the_gradebook_as_it_was(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    course = Course(root)
    with course.gradebook() as gradebook:
        gradebook.remove_student("bob")
    dump = (root / "gradebook.db").read_bytes()
    monkeypatch.setattr(Record, "write_single_notebook", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    [submission] = [one for one in _submissions(course) if one.student == "bob"]
    executed = {"sums": nbformat.read(root / "autograded" / "ada" / small_course.ASSIGNMENT / "sums.ipynb", as_version=4)}
    with pytest.raises(CannotGrade, match="disk is full"):
        course.record(submission, executed)
    assert (root / "gradebook.db").read_bytes() == dump
    assert not (root / "autograded" / "bob" / small_course.ASSIGNMENT).exists()


def test_a_submission_is_recorded_with_one_commit(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    course, commits = Course(root), []
    usual = DefaultDialect.do_commit
    monkeypatch.setattr(DefaultDialect, "do_commit", lambda self, connection: (commits.append(1), usual(self, connection)))
    [submission] = [one for one in _submissions(course) if one.student == "bob"]
    executed = {"sums": nbformat.read(root / "autograded" / "bob" / small_course.ASSIGNMENT / "sums.ipynb", as_version=4)}
    for _ in range(2):  # the first opens the gradebook, and looks for its tables
        commits.clear()
        course.record(submission, dict(executed))
    assert len(commits) == 1


def _submissions(course: Course) -> list[Submission]:
    return find_submissions(course.folder("submitted"), course.lessons)[0]


def test_what_prepares_submissions_waits_for_no_torch_and_test_cells_may_import_everything() -> None:
    imports = f"import sys, importlib; [importlib.import_module(name) for name in {preload.BESIDE}]; print(*sys.modules)"
    blocked = (
        "import sys; from nbjudge._wire.without_checkers import CHECKERS; print([name for name in CHECKERS if sys.modules.get(name, 1) is None])"
    )
    there, left = (subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout for code in (imports, blocked))
    assert "nbjudge._course.tasks" in there.split() and not {"torch", "matplotlib", "isoduration", "rfc3987_syntax"} & set(there.split())
    assert left.strip() == "[]"


def test_a_hand_in_is_known_to_be_graded_whatever_became_of_the_lesson(root: Path) -> None:
    with (root / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write("# another remark\n")
    nbformat.write(small_course.source(label_points=2), root / "source" / small_course.ASSIGNMENT / "sums.ipynb")
    small_course.hand_in(root, "bob", small_course.ANSWERS["gus"])
    course = Course(root)
    found, _ = find_submissions(course.folder("submitted"), course.lessons)
    assert {one.student for one in found if was_handed_in(course, one)} == {*STUDENTS} - {"bob"}


COPIED = """
import multiprocessing, os
from multiprocessing import forkserver
from nbjudge._common import preload

kept = open("kept", "w")
found = []


def tell(pipe):
    places = [f"/proc/self/fd/{name}" for name in os.listdir("/proc/self/fd")]
    pipe.send((found, [os.path.basename(os.readlink(place)) for place in places if os.path.exists(place)]))


if __name__ == "__main__":
    found.append("imported before")
    print("printed once", flush=False)
    preload.begin(is_copy=True)
    ours, theirs = multiprocessing.Pipe()
    for _ in range(2):
        process = multiprocessing.get_context("forkserver").Process(target=tell, args=(theirs,))
        process.start()
        about, files = ours.recv()
        process.join()
        print(about, "kept" in files, process.exitcode)
    print(forkserver._forkserver._forkserver_pid)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it is started anew")
def test_what_processes_are_forked_from_is_a_copy_without_files_that_ends_with_the_command(tmp_path: Path) -> None:
    (tmp_path / "run.py").write_text(COPIED, encoding="utf-8")
    done = subprocess.run([sys.executable, "run.py"], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60)
    *lines, number = done.stdout.split("\n")[:-1]
    assert lines == ["printed once", *["['imported before'] False 0"] * 2] and not done.stderr
    assert_gone({number})
