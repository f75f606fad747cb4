"""What came of a submission is kept, and taken again only where everything that decides it is the same."""

from __future__ import annotations

import io
import shutil
import sys
import threading
import zlib
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook
from rich.console import Console

from nbjudge._commands import cli
from nbjudge._course import result_cache
from nbjudge._course import result_cache as stores
from nbjudge._course.course import Course
from nbjudge._course.grading import grade_class
from nbjudge._course.outcomes import Status
from nbjudge._course.process_pool import Job, LocalEngine, Pool
from nbjudge._course.result_cache import ResultStore, is_certain
from nbjudge._execution.transcript import Conversation, Kind
from nbjudge._wire.limits import Limits
from nbjudge.testing import small_course
from nbjudge.testing.notebooks import notebook, test_cell

pytestmark = pytest.mark.slow

ANSWERS = {name: small_course.ANSWERS[name] for name in ("ada", "bob", "fay", "hana")}
TEST = "from kit import twice\n" + small_course.TEST + "assert double(7) == twice(7)\n"
KIT = small_course.NBJUDGE + "c.Execute.packages = ['kit']\n"


class Counting:
    """The engine of this machine, which counts what it executes, and what it judges by a conversation that is kept."""

    def __init__(self) -> None:
        self.executed = self.replayed = 0

    def open(self, *about):
        pool, run = LocalEngine(2).open(*about), Pool.run

        def counted(jobs):
            for key, execution in run(pool, jobs):
                self.executed += execution.conversation is not None
                self.replayed += execution.conversation is None
                yield key, execution

        pool.run = counted
        return pool


def grade(root: Path, forced: bool = False) -> tuple[int, int]:
    """Grade everything; how many submissions were executed, and how many judged again without that."""
    engine, before = Counting(), list(sys.path)
    try:
        outcomes = list(grade_class(Course(root), engine=engine, forced=forced))
    finally:
        sys.path[:] = before  # a process grades one course, and this one many with a package of the same name
    assert [outcome.why for outcome in outcomes if outcome.status is Status.NOT_GRADED] == []
    return engine.executed, engine.replayed


def points(root: Path) -> dict[str, float]:
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}", "sums") as gradebook:
        return {one.student_id: one.score for one in gradebook.assignment_submissions(small_course.ASSIGNMENT)}


def touch_settings(root: Path) -> None:
    """Whatever is changed in the settings, everything has to be looked at again."""
    with (root / "nbgrader_config.py").open("a") as file:
        file.write("#\n")


@pytest.fixture(scope="module")
def graded(tmp_path_factory) -> Path:
    root = small_course.make(tmp_path_factory.mktemp("kept") / "course", KIT, ANSWERS, test=TEST)
    (root / "kit.py").write_text("def twice(x):\n    return 2 * x\n")
    (root / "source" / small_course.ASSIGNMENT / "table.txt").write_text("1")
    (root / "submitted" / "ada" / small_course.ASSIGNMENT / "own.txt").write_text("1")
    assert grade(root) == (len(ANSWERS), 0)
    assert points(root) == {"ada": 4, "bob": 1, "fay": 0, "hana": 1}
    return root


@pytest.fixture
def course(graded, tmp_path) -> Path:
    return shutil.copytree(graded, tmp_path / "course")


def entries(root: Path) -> list[Path]:
    return sorted((root / "gradings" / "results").glob("*/*"))


def change_source(root: Path, change) -> None:
    path = root / "source" / small_course.ASSIGNMENT / "sums.ipynb"
    source = nbformat.read(path, as_version=4)
    change(source)
    nbformat.write(source, path)


def cell(source, name: str):
    return next(cell for cell in source.cells if cell.metadata.nbgrader.grade_id == name)


def test_forced_everything_runs_once_more(course):
    assert grade(course) == (0, 0)
    assert grade(course, forced=True) == (len(ANSWERS), 0)
    assert grade(course) == (0, 0)
    assert points(course) == {"ada": 4, "bob": 1, "fay": 0, "hana": 1}


def test_nothing_runs_where_nothing_that_decides_has_changed(course):
    """Another setting, another text of the lesson, a gradebook or pages that are gone: all is recorded and shown as it was."""
    pages = {path: path.read_text() for path in course.glob("feedback/*/*/*.html")}
    for change in (
        touch_settings,
        lambda root: change_source(root, lambda source: cell(source, "why").update(source="In other words.")),
        lambda root: (root / "gradebook.db").unlink(),
        lambda root: shutil.rmtree(root / "autograded"),
    ):
        change(course)
        assert grade(course) == (0, 0)
        assert points(course) == {"ada": 4, "bob": 1, "fay": 0, "hana": 1}
    assert {path: path.read_text() for path in course.glob("feedback/*/*/*.html")}.keys() == pages.keys()


def change_test(root: Path, text: str, most: int = 3) -> None:
    def change(source) -> None:
        cell(source, "double_test").source = text
        cell(source, "double_test").metadata.nbgrader.points = most

    change_source(root, change)


def change_limit(root: Path) -> None:
    path = root / "nbgrader_config.py"
    path.write_text(path.read_text().replace("'test_seconds': 2", "'test_seconds': 3"))


@pytest.mark.parametrize(
    ("change", "executed"),
    [
        (lambda root: change_test(root, TEST + "# one word more"), (0, 4)),
        (lambda root: change_test(root, TEST, 5), (0, 4)),
        (lambda root: change_test(root, TEST.replace("== 8", "< 9")), (0, 4)),
        (lambda root: change_test(root, TEST + "assert double(9) == 18"), (1, 3)),  # three do not come as far
        (lambda root: change_test(root, "assert double(9) == 18"), (3, 1)),  # one defines no double
        (lambda root: change_source(root, lambda source: source.cells.insert(0, nbformat.v4.new_code_cell("given = 1"))), (0, 4)),
        (lambda root: (root / "source" / small_course.ASSIGNMENT / "table.txt").write_text("2"), (4, 0)),
        (lambda root: (root / "kit.py").write_text("def twice(x):\n    return x + x\n"), (4, 0)),
        (change_limit, (4, 0)),
        (lambda root: (root / "submitted" / "ada" / small_course.ASSIGNMENT / "own.txt").write_text("2"), (1, 0)),
        (lambda root: small_course.hand_in(root, "bob", "def double(x):\n    return x + 5"), (1, 0)),
    ],
    ids=[
        "a word of a test",
        "its points",
        "a comparison",
        "a call more",
        "another call",
        "a given cell",
        "a file beside it",
        "a package",
        "a limit",
        "a file of a student",
        "an answer",
    ],
)
def test_what_decides_makes_it_be_judged_again_and_run_where_that_is_needed(change, executed, course):
    change(course)
    touch_settings(course)
    assert grade(course) == executed


@pytest.mark.parametrize("what", ["version", "processor"])
def test_another_version_makes_it_run_again(what, course, monkeypatch):
    touch_settings(course)
    here = result_cache.versions
    if what == "version":
        monkeypatch.setattr(result_cache, "versions", lambda installed: {**here(installed), "torch": "9.9"})
    else:
        monkeypatch.setattr(result_cache.platform, "machine", lambda: "another")
    assert grade(course) == (len(ANSWERS), 0)


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(path.read_bytes()[:-9]),
        lambda path: path.write_bytes(zlib.compress(b"no parcel")),
        lambda path: path.write_bytes(bytes(byte ^ (number == 200) for number, byte in enumerate(path.read_bytes()))),
        lambda path: (path.unlink(), path.mkdir()),
        lambda path: path.unlink(),
    ],
    ids=["empty", "cut", "foreign", "a bit", "a folder", "gone"],
)
def test_a_damaged_entry_is_graded_again(damage, course):
    for path in entries(course):
        damage(path)
    touch_settings(course)
    assert grade(course) == (len(ANSWERS), 0)
    assert points(course) == {"ada": 4, "bob": 1, "fay": 0, "hana": 1}


def test_the_store_can_be_deleted_or_be_in_the_way(course):
    shutil.rmtree(course / "gradings")
    touch_settings(course)
    assert grade(course) == (len(ANSWERS), 0)
    assert len(entries(course)) == 2 * len(ANSWERS) + 1  # what came of each and what was said, and what is known of the solution
    shutil.rmtree(course / "gradings" / "results")
    (course / "gradings" / "results").write_text("a file where the folder should be")
    touch_settings(course)
    assert grade(course) == (len(ANSWERS), 0)


def test_what_a_busy_machine_may_have_caused_is_not_kept():
    source = notebook("x = 1", test_cell("one", "assert f() == 1"))
    answers = {
        "right": "def f(): return 1",
        "wrong": "def f(): return 2",
        "slow": "def f():\n    while True: pass",
        "ends": "import os\ndef f(): os._exit(1)",
        "cell": "import time\ntime.sleep(60)",
        "end": "import os\nos._exit(1)",
    }
    with Pool(2, Limits(test_seconds=1, cell_seconds=1, grace_seconds=0.5)) as pool:
        found = dict(pool.run(Job(name, notebook(answer, *source.cells[1:]), source) for name, answer in answers.items()))
    assert {name for name, execution in found.items() if is_certain(execution)} == {"right", "wrong"}


def test_two_runs_may_share_a_store(tmp_path):
    source = notebook("x = 1", test_cell("one", "assert x == 1"))
    with Pool(1) as pool:
        [(_, execution)] = pool.run([Job(None, source, source)])
    execution = replace(execution, conversation=None)
    shared, seen = [ResultStore(tmp_path / "s") for _ in range(4)], []

    def work(store: ResultStore) -> None:
        for number in range(50):
            store.keep_execution(f"{number:064x}", execution)
            seen.append(store.execution(f"{number:064x}") == execution)
            store.tidy()

    threads = [threading.Thread(target=work, args=(store,)) for store in shared]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [True] * 200 and not list(tmp_path.rglob(".new-*"))


def test_large_parts_of_conversations_are_kept_once_and_one_without_them_is_not_there(tmp_path):
    store, large = ResultStore(tmp_path / "s"), bytes(range(256)) * 100
    for number in range(5):
        said = [(Kind.ASKED, [b"hash"]), (Kind.ANSWERED, [bytes([number]), large])]
        store.keep_conversation(f"{number:064x}", Conversation(said, 7))
        assert store.conversation(f"{number:064x}") == Conversation(said, 7)
    [part] = [path for path in (tmp_path / "s").glob("*/*") if not set(path.name) <= {*"01234"}]
    assert sum(path.stat().st_size for path in (tmp_path / "s").glob("*/*")) < 2 * part.stat().st_size + 1000
    part.write_bytes(zlib.compress(large + b"x"))
    assert store.conversation(f"{1:064x}") is None
    part.unlink()
    assert store.conversation(f"{2:064x}") is None
    store.keep_conversation(f"{3:064x}", Conversation(said, 7))
    assert store.conversation(f"{4:064x}") == Conversation(said, 7)


def test_what_is_old_or_too_much_goes(tmp_path, monkeypatch):
    store = ResultStore(tmp_path / "s")
    for number in range(4):
        store.keep_conversation(f"{number:064x}", Conversation([(Kind.ANSWERED, [bytes([number]) * 10 + b"x" * 1000])]))
    sizes = [path.stat().st_size for path in sorted((tmp_path / "s").glob("*/*"))]
    for number, path in enumerate(sorted((tmp_path / "s").glob("*/*"))):
        stores.os.utime(path, (stores.time.time() - (number == 0) * 2 * stores.OLD_SECONDS - number,) * 2)
    monkeypatch.setattr(stores, "MB", sum(sizes[1:3]) / stores.MOST_MB)
    store.tidy()
    assert [int(path.name, 16) for path in sorted((tmp_path / "s").glob("*/*"))] == [1, 2]


def test_who_gained_and_who_lost_is_printed_and_points_by_hand_stay(course):
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}", "sums") as gradebook:
        gradebook.find_grade("why", "sums", small_course.ASSIGNMENT, "bob").manual_score = 1.5
        gradebook.db.commit()
    said = run_command(course)
    assert "Other points" not in said, "there is no grading before that could be compared"
    change_test(course, "assert double(4) == 8, 'twice four'")
    said = run_command(course)
    assert "Other points than after the grading before" in said
    assert "week1/double_test, the test was changed: 2 gained (bob +3, hana +3)." in said
    change_test(course, TEST)
    assert "week1/double_test, the test was changed: 2 lost (bob -3, hana -3)." in run_command(course)
    assert points(course) == {"ada": 4, "bob": 2.5, "fay": 0, "hana": 1}


def run_command(root: Path) -> str:
    out = io.StringIO()
    assert cli.grade(Course(root), Console(file=out, width=200)) == 0
    return out.getvalue()


def test_nothing_of_it_reaches_students(course):
    assert entries(course) and not [path for kind in ("autograded", "feedback", "submitted") for path in (course / kind).rglob("*results*")]
