"""The command line: `python -m examiner grade`, `feedback`, `export`, `doctor`."""

from __future__ import annotations

import argparse
import contextlib
import errno
import logging
import signal
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

from nbformat.warnings import MissingIDFieldWarning
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from examiner.classroom.course import Course
from examiner.classroom.grading import grade_class, write_feedback
from examiner.classroom.outcomes import DISK_FULL, Outcome
from examiner.classroom.report import Report, print_report, read_grades, write_csv
from examiner.kernels import doctor
from examiner.nbgrader_steps.export import export
from examiner.wire.errors import CannotGrade, ExaminerError

CSV = "grades.csv"
INTERRUPTED = 130  # the exit status of a program that Ctrl-C ended


def grade(course: Course, console: Console, workers: int | None = None) -> int:
    """Grade the class; 0 when every submission has an outcome that does not ask for another run."""
    outcomes: list[Outcome] = []
    try:
        with ctrl_c() as pressed, Progress(TextColumn("grading"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
                      TextColumn("{task.description}"), console=console) as bar:
            task = bar.add_task("")
            for outcome in grade_class(course, started=lambda count: bar.update(task, total=count), workers=workers):
                outcomes.append(outcome)
                bar.update(task, advance=1, description=outcome.student)
                if not console.is_terminal:
                    console.print(f"{outcome.status.value:>13}  {outcome.where}", markup=False, soft_wrap=True)
                if pressed:
                    raise KeyboardInterrupt
    except KeyboardInterrupt:
        console.print(f"\nStopped. {len(outcomes)} outcomes are recorded; the same command goes on from here.")
        return INTERRUPTED
    grades = read_grades(course, outcomes)
    print_report(console, grades, outcomes, Report(config=course.config))
    write_csv(course.root / CSV, grades, outcomes)
    console.print(f"grades: {CSV} and gradebook.db; notebooks as they ran: autograded/; for the students: feedback/")
    return 1 if any(outcome.is_ours or outcome.why == DISK_FULL for outcome in outcomes) else 0


@contextlib.contextmanager
def ctrl_c() -> Iterator[list[int]]:
    """Ctrl-C raises `KeyboardInterrupt` and is written down, too: Python drops what is raised while it clears up an object."""
    pressed: list[int] = []

    def press(number: int, _: object) -> None:
        pressed.append(number)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, press)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before)


def feedback(course: Course, console: Console) -> int:
    """Write the feedback of every graded submission again, for example after grading by hand; 1 when one fails."""
    written = troubles = 0
    for student, assignment, trouble in write_feedback(course):
        written, troubles = written + (trouble is None), troubles + (trouble is not None)
        if trouble is not None:
            console.print(f"{student}/{assignment}: {trouble}", markup=False, soft_wrap=True)
    console.print(f"feedback for {written} submissions: open feedback/STUDENT/ASSIGNMENT/*.html")
    return 1 if troubles else 0


def main(arguments: list[str] | None = None) -> int:
    """Run one command in the course's folder; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m examiner", description=__doc__)
    parser.add_argument("command", choices=["grade", "feedback", "export", "doctor"])
    parser.add_argument("--course", type=Path, default=Path.cwd(), help="the folder with nbgrader_config.py; this one by default")
    parser.add_argument("--no-sandbox", action="store_true", help="execute submissions without protection, with your rights")
    parser.add_argument("--workers", type=int, help="how many submissions to execute at once; one for each core by default")
    chosen = parser.parse_args(arguments)
    if chosen.command == "doctor":
        return doctor.main(sandboxed=not chosen.no_sandbox)
    # nbgrader 0.9.6 with newer libraries than it was made for; there is nothing to act on
    warnings.filterwarnings("ignore", module=r"nbgrader\.api")
    warnings.filterwarnings("ignore", category=MissingIDFieldWarning)
    logging.getLogger("tornado.application").addHandler(logging.NullHandler())  # nbgrader's database errors; outcomes tell them
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 200)
    try:
        course = Course(chosen.course.resolve())
        if chosen.no_sandbox:
            course.config.Execute.sandbox = False
        if chosen.command == "grade":
            return grade(course, console, chosen.workers)
        return {"feedback": feedback, "export": export}[chosen.command](course, console)
    except ExaminerError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        print(f"{DISK_FULL}. Next: make room, then run the same command again. What is recorded stays.", file=sys.stderr)
        return 1
