"""What tests of `nbjudge watch` share: a small course, the command as a process of its own, and what it says."""

from __future__ import annotations

import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from nbgrader.api import Gradebook

from nbjudge.testing import small_course
from nbjudge.testing.small_course import ANSWERS, ASSIGNMENT

SECONDS = 60  # for anything that is waited for
QUICK = "c.Watch.quiet_seconds, c.Watch.patient_seconds = 0.4, 4\n"
RIGHT, WRONG = ANSWERS["ada"], ANSWERS["bob"]  # 4 points and 1


def make(root: Path, *students: str, settings: str = "") -> Path:
    """A course in which these students have handed in right answers."""
    return small_course.make(root, config=f"{small_course.NBJUDGE}{QUICK}{settings}", answers=dict.fromkeys(students, RIGHT))


def hand_in(root: Path, student: str, answer: str = RIGHT) -> Path:
    """As a program that does it well: the notebook is written elsewhere and moved into its place."""
    made = small_course.hand_in(root / "elsewhere", student, answer)
    path = root / "submitted" / student / ASSIGNMENT / made.name
    path.parent.mkdir(parents=True, exist_ok=True)
    os.replace(made, path)
    return path


class Watching:
    """The command in a course, for as long as the context lasts."""

    def __init__(self, root: Path, *options: str, command: str = "watch"):
        self.said: list[str] = []
        self._lines: queue.Queue[str | None] = queue.Queue()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "nbjudge", command, *options],
            cwd=root,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def wait_for(self, pattern: str, seconds: float = SECONDS) -> str:
        """The next line that has it; fails with all that was said where none comes."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            try:
                line = self._lines.get(timeout=left)
            except queue.Empty:
                break
            if line is None:
                break
            self.said.append(line)
            if re.search(pattern, line):
                return line
        raise AssertionError(f"{pattern} was not said in:\n" + "\n".join(self.said))

    def wait_for_graded(self, *students: str) -> dict[str, str]:
        """What is said of each, in whatever order they are graded."""
        found: dict[str, str] = {}
        while len(found) < len(students):
            line = self.wait_for(r"  \d[\d.]* of \d+")
            found[line.split("  ")[1]] = line
        assert set(found) == set(students)
        return found

    def stop(self, blow: signal.Signals = signal.SIGINT) -> int:
        """End it, and wait until it has; its exit status. What it said goes to `said`."""
        self.process.send_signal(blow)
        status = self.process.wait(SECONDS)
        while (line := self._lines.get(timeout=SECONDS)) is not None:
            self.said.append(line)
        return status

    def __enter__(self) -> Watching:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        assert not [line for line in self.said if "Traceback" in line], "\n".join(self.said)


def scores(root: Path) -> dict[str, float]:
    with Gradebook(f"sqlite:///{root}/gradebook.db", "sums") as gradebook:
        return {submission.student_id: submission.score for submission in gradebook.assignment_submissions(ASSIGNMENT)}


def receipt(root: Path, student: str) -> Path:
    return root / "autograded" / student / ASSIGNMENT / ".graded.json"
