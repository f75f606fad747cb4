"""Prints what honest students lose, in points and time, beside a classmate whose programs never rest, and on a machine that is busy.

    python benchmarks/crowded.py [LESSON ...]

Two classes of the lesson's own answers, all right, each graded by the whole command on a quiet machine (as far as it is) and again:
five students, of whom the first starts, in the first cell, as many processes as are allowed, each in a session of its own, that spin;
and thirty, while eight loops of the same user, each in a session of its own, run at normal priority.
"""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import nbformat

from authoring.answers import fill_in, solution_sources
from authoring.lessons import ROOT, Lesson, find_lessons
from authoring.pairing import pair
from nbjudge import Course, Status
from nbjudge.testing.steps import grade_class

SPINS = """
import os
for _ in range(118):
    if os.fork() == 0:
        os.setsid()
        while True:
            pass
"""
LOOPS = 8
ROW = "{:<58}{:>10}{:>16}{:>10}"


def make_class(root: Path, lesson: Lesson, students: int, attacker: bool) -> None:
    """One lesson with its own answers in, for each student; the first one's attacks."""
    shutil.copy(ROOT / "nbgrader_config.py", root)
    pair(lesson)
    shutil.copytree(lesson.folder, root / "source" / lesson.assignment)
    answers = solution_sources(nbformat.read(lesson.solution, as_version=4))
    for number in range(students):
        solved = fill_in(nbformat.read(lesson.released, as_version=4), answers)
        if attacker and number == 0:
            first = next(cell for cell in solved.cells if cell.cell_type == "code")
            first.source += f"\n{SPINS}"
        path = root / "submitted" / f"s{number:04d}" / lesson.assignment / f"{lesson.name}.ipynb"
        path.parent.mkdir(parents=True)
        nbformat.write(solved, path)


@contextlib.contextmanager
def busy_loops() -> Iterator[None]:
    """Eight processes at normal priority that never rest."""
    loops = [subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"], start_new_session=True) for _ in range(LOOPS)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def grade(
    lesson: Lesson, students: int, attacker: bool = False, beside: Callable[[], contextlib.AbstractContextManager] = contextlib.nullcontext
) -> tuple[dict[str, float], float]:
    """Points of each student (what a person grades is not among them), and the seconds of the whole run."""
    with tempfile.TemporaryDirectory() as folder:
        make_class(Path(folder), lesson, students, attacker)
        course = Course(Path(folder))
        with beside():
            began = time.monotonic()
            outcomes = list(grade_class(course))
            seconds = time.monotonic() - began
        assert all(outcome.status is Status.GRADED for outcome in outcomes), outcomes
        with course.gradebook() as gradebook:
            found = gradebook.assignment_submissions(lesson.assignment)
            return {submission.student_id: submission.score for submission in found}, seconds


def show(name: str, points: dict[str, float], best: float, seconds: float, quiet_seconds: float) -> float:
    """Print one row; returns the points that honest students lost against the class without any of this."""
    honest = [score for student, score in points.items() if student != "s0000"]
    lost = sum(best - score for score in honest)
    print(ROW.format(name, f"{seconds:.0f} s", f"{lost:g} of {best * len(honest):g}", f"{seconds / quiet_seconds:.1f}"), flush=True)
    return lost


def main() -> None:
    """Print the table. Ends with 1 when an honest student lost a point."""
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    lessons = [lesson for lesson in find_lessons() if not sys.argv[1:] or lesson.name in sys.argv[1:]]
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before the run. Other people's work on the machine is in the times.")
    lost = 0.0
    for lesson in lessons:
        print(f"\n{lesson.name}\n{ROW.format('', 'time', 'points lost', 'ratio')}")
        for students, name, settings in (
            (5, "the first spins in 118 processes", {"attacker": True}),
            (30, f"beside {LOOPS} busy loops", {"beside": busy_loops}),
        ):
            quiet, quiet_seconds = grade(lesson, students)
            best = max(quiet.values())
            lost += show(f"{students} students", quiet, best, quiet_seconds, quiet_seconds)
            points, seconds = grade(lesson, students, **settings)
            lost += show(f"{students} students, {name}", points, best, seconds, quiet_seconds)
            if "attacker" in settings:
                print(f"  the one that spins has {points['s0000']:g} of {best:g} points")
    raise SystemExit(int(lost > 0))


if __name__ == "__main__":
    main()
