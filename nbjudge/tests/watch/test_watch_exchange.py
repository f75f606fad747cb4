"""`nbjudge watch` and nbgrader's exchange: what students submit is collected once it is whole, graded, and told back if wanted."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from helpers.watched import RIGHT, WRONG, Watching, make, scores
from nbjudge._common.settings import Watch
from nbjudge._course.course import Course
from nbjudge._nbgrader.exchange_collect import SECRET, TIMESTAMP
from nbjudge._watch.exchange import Inbound
from nbjudge.testing import small_course
from nbjudge.testing.small_course import ASSIGNMENT

pytestmark = pytest.mark.slow


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A course with an exchange of its own."""
    (tmp_path / "exchange" / "sums" / "inbound").mkdir(parents=True)
    (tmp_path / "exchange").chmod(0o777)
    settings = f"c.Exchange.root = {str(tmp_path / 'exchange')!r}\nc.ExchangeCollect.check_owner = False\nc.Watch.release_feedback = True\n"
    return make(tmp_path / "course", settings=settings)


def inbound(root: Path) -> Path:
    return root.parent / "exchange" / "sums" / "inbound"


def submit(root: Path, student: str, answer: str = RIGHT, at: str = "2026-01-31 12:00:00.000000 UTC", lacks: str = "") -> Path:
    """As nbgrader's own submit does it: file by file, the timestamp and the secret at the end."""
    made = small_course.hand_in(root / "elsewhere" / student, student, answer)
    folder = inbound(root) / f"{student}+{ASSIGNMENT}+{at}+abc"
    folder.mkdir()
    shutil.copy(made, folder)
    for name, text in ((TIMESTAMP, at), (SECRET, f"secret of {student}")):
        if name != lacks:
            (folder / name).write_text(text, encoding="utf-8")
    return folder


def collected(root: Path, seconds: float = 0.0) -> tuple[set[str], list[str]]:
    """What is collected in two looks, with so much time between; and what is said."""
    said: list[str] = []
    course = Course(root)
    arriving = Inbound(course, Watch.of(course.config), said.append)
    assert arriving.ready(0) == []
    for one in arriving.ready(seconds):
        arriving.collect(*one)
    return {path.parent.parent.name for path in (root / "submitted").glob("*/*/sums.ipynb")}, said


def test_many_submit_at_once_with_nbgraders_own_command_and_get_their_feedback(root: Path, tmp_path: Path) -> None:
    outbound = root.parent / "exchange" / "sums" / "outbound" / ASSIGNMENT
    outbound.mkdir(parents=True)
    shutil.copy(root / "source" / ASSIGNMENT / "sums.ipynb", outbound)
    inbound(root).chmod(0o733)

    def own(student: str) -> None:
        home = tmp_path / "homes" / student
        small_course.hand_in(home, student, RIGHT)
        (home / "submitted" / student / ASSIGNMENT).rename(home / ASSIGNMENT)
        command = [
            sys.executable,
            "-m",
            "nbgrader",
            "submit",
            ASSIGNMENT,
            "--course",
            "sums",
            f"--CourseDirectory.student_id={student}",
            f"--Exchange.root={tmp_path / 'exchange'}",
            f"--Exchange.cache={home / 'cache'}",
        ]
        done = subprocess.run(command, cwd=home, text=True, capture_output=True, timeout=200, check=False, env={**os.environ, "HOME": str(home)})
        assert done.returncode == 0, done.stderr

    students = [f"s{number}" for number in range(3)]
    with Watching(root) as watch:
        assert "/inbound/: 0 hand-ins are graded" in watch.wait_for("^watching")
        threads = [threading.Thread(target=own, args=(student,)) for student in students]
        for thread in threads:
            thread.start()
        watch.wait_for_graded(*students)
        for thread in threads:
            thread.join()
        submit(root, "s0", WRONG, "2036-01-31 12:00:00.000000 UTC")
        assert "s0  week1  1 of 4" in watch.wait_for_graded("s0")["s0"]
        assert watch.stop() == 130
    assert scores(root) == {"s0": 1, "s1": 4, "s2": 4}
    assert len(list((tmp_path / "exchange" / "sums" / "feedback").glob("*.html"))) == 4  # of each version


def test_what_is_still_being_submitted_is_waited_for(root: Path) -> None:
    submit(root, "ada")
    submit(root, "bob", lacks=TIMESTAMP)
    submit(root, "cem", lacks=SECRET)  # as an older nbgrader does
    assert collected(root, 1) == ({"ada"}, [])
    found, said = collected(root, 10)
    assert found == {"ada", "cem"}
    assert len(said) == 1 and "was not finished: there is no timestamp.txt. Next: ask the student to submit again." in said[0]


def test_an_older_whole_submission_counts_where_the_newer_was_never_finished(root: Path) -> None:
    submit(root, "ada", RIGHT, "2026-01-01 12:00:00.000000 UTC")
    submit(root, "ada", WRONG, "2026-02-01 12:00:00.000000 UTC", lacks=TIMESTAMP)
    assert collected(root, 1) == (set(), [])
    assert collected(root, 10)[0] == {"ada"}
    assert (root / "submitted/ada" / ASSIGNMENT / TIMESTAMP).read_text(encoding="utf-8").startswith("2026-01-01")


def test_what_lies_there_gives_way_to_a_newer_one_only(root: Path) -> None:
    submit(root, "ada", RIGHT, "2026-02-01 12:00:00.000000 UTC")
    collected(root, 1)
    before = (root / "submitted/ada" / ASSIGNMENT / "sums.ipynb").stat().st_ino
    submit(root, "ada", WRONG, "2026-01-01 12:00:00.000000 UTC")
    collected(root, 1)
    assert (root / "submitted/ada" / ASSIGNMENT / "sums.ipynb").stat().st_ino == before
    submit(root, "ada", WRONG, "2026-03-01 12:00:00.000000 UTC")
    collected(root, 1)
    assert "x + 4" in (root / "submitted/ada" / ASSIGNMENT / "sums.ipynb").read_text(encoding="utf-8")
    assert not list((root / ".nbjudge").glob("collecting-*"))


def test_hostile_submissions_change_nothing_outside_their_own_folder(root: Path) -> None:
    (root / "week1").mkdir()
    (root / "week1" / "mine.txt").write_text("mine", encoding="utf-8")
    for name in ("..", "a*", "\x1b]0;title\x07", "\x1b2J"):
        submit(root, name)
    (inbound(root) / f"ada+{ASSIGNMENT}+no date+abc").mkdir()
    linked = submit(root, "ada")
    (linked / "solution.ipynb").symlink_to(root / "source" / ASSIGNMENT / "sums.ipynb")
    time.sleep(0.01)
    found, said = collected(root, 10)
    assert found == {"ada", "\x1b2J"}
    assert (root / "week1" / "mine.txt").read_text(encoding="utf-8") == "mine"
    assert not os.path.lexists(root / "submitted/ada" / ASSIGNMENT / "solution.ipynb")
    assert any("ada, week1: 'solution.ipynb' of ada is not collected, because it is a link" in words for words in said)
    assert any("its name has no date" in words for words in said) and any("a student of that name cannot be" in words for words in said)
    assert "\x1b" not in "".join(said)


@pytest.mark.root
@pytest.mark.parametrize("lacks", ["", TIMESTAMP], ids=["whole", "never finished"])
def test_what_another_one_puts_there_replaces_nothing_and_keeps_nobody_waiting(root: Path, lacks: str) -> None:
    with (root / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write("c.ExchangeCollect.check_owner = True\n")
    daemon, nobody = pwd.getpwnam("daemon"), pwd.getpwnam("nobody")
    for folder, owner in ((submit(root, "daemon"), daemon), (submit(root, "daemon", WRONG, "2036-01-31 12:00:00.000000 UTC", lacks), nobody)):
        for path in (folder, *folder.iterdir()):
            os.chown(path, owner.pw_uid, owner.pw_gid)
    found, said = collected(root, 1)
    assert found == {"daemon"}
    assert "x + 4" not in (root / "submitted/daemon" / ASSIGNMENT / "sums.ipynb").read_text(encoding="utf-8")
    assert len(said) == 1 and "it names daemon, but nobody has put it there" in said[0]
