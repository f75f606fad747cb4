"""One hand-in, graded by itself where another platform calls: its folder goes in, its result comes out."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import nbformat
from rich.console import Console

from nbjudge._common.atomic_write import write_atomically
from nbjudge._common.settings import Report
from nbjudge._common.terminal_text import say, shown
from nbjudge._course.course import CONFIG, Course
from nbjudge._course.grading import grade_class
from nbjudge._course.outcomes import Assignment, Outcome, Status
from nbjudge._course.process_pool import LocalEngine
from nbjudge._lms.hand_ins import OURS
from nbjudge._lms.names import grade_ids
from nbjudge._lms.result_formats import Question, Result, for_classroom50, for_gradescope
from nbjudge._nbgrader.feedback import exercises_of
from nbjudge._sandbox import accounts, bubblewrap
from nbjudge._wire.errors import CannotGrade, OwnFailure, SandboxMissing

STUDENT = "student"  # who handed in is the platform's business
PACKED = (".zip", ".tar", ".gz", ".tgz", ".7z", ".rar")
LEFT_OUT = {"__MACOSX", ".ipynb_checkpoints"}
ASK = "ask the student to "
OWN_PLACES = """
c.CourseDirectory.db_url = {database!r}
c.CourseDirectory.source_directory = "source"
c.CourseDirectory.submitted_directory = "submitted"
c.CourseDirectory.autograded_directory = "autograded"
c.CourseDirectory.feedback_directory = "feedback"
"""


class HandInRefused(Exception):
    """A hand-in that its student has to mend; the text is for the student."""


def single(course: Course, console: Console, chosen: argparse.Namespace) -> int:
    """Grade one hand-in and write its result; 0 where one was written. Where the grader fails, no file is left.

    Raises:
        CannotGrade, OwnFailure: as `grade_single`.
    """
    path: Path = chosen.gradescope or chosen.classroom50
    path.unlink(missing_ok=True)  # of an earlier run
    if not chosen.hand_in.is_dir():
        raise CannotGrade(f"{chosen.hand_in} is no folder", "name the folder with what was handed in")
    result = grade_single(course, chosen.assignment, chosen.hand_in.resolve(), [path.resolve().parent, *chosen.private], console)
    content = for_gradescope(result, chosen.visibility) if chosen.gradescope else for_classroom50(result, os.environ)
    write_atomically(path, json.dumps(content, indent=1).encode())
    points = f"{sum(question.points for question in result.questions):g} of {sum(question.most for question in result.questions):g} points"
    say(console, f"{path}: {shown(result.output, 2000) if result.refused else points}")
    return 0


def grade_single(course: Course, assignment: str, hand_in: Path, private: list[Path], console: Console) -> Result:
    """Grade what lies in the folder `hand_in` as the named assignment.

    Where namespaces are forbidden, students' code is kept apart by accounts, and `private` folders, the course's and the hand-in's are
    closed to them: for a container that is thrown away.

    Raises:
        CannotGrade: the course, or the lesson, cannot be graded as it is, or none of its tests could judge; that is not the student's fault.
        OwnFailure: the grader or the machine failed.
    """
    began = time.monotonic()
    lesson = course.lessons.get(assignment)
    if lesson is None:
        raise CannotGrade(f"the course has no assignment {shown(assignment)}", "name one of " + ", ".join(course.lessons))
    with tempfile.TemporaryDirectory(prefix="single-") as folder:
        single = _copied(course, assignment, Path(folder).resolve())
        _protect(single, [course.root, hand_in, *private], console)
        place = single.folder("submitted") / STUDENT / assignment
        try:
            notes = _put(single, hand_in, place, lesson)
        except HandInRefused as refused:
            return Result(refused=str(refused), seconds=time.monotonic() - began)
        [outcome] = list(grade_class(single, engine=LocalEngine(1)))
        if outcome.status is Status.NOT_GRADED:
            return Result(refused=_for_student(outcome), seconds=time.monotonic() - began)
        for test in outcome.broken_tests:  # for the instructor: the platform shows this to nobody else
            say(console, f"to be looked at: {shown(test.grade_id)} could not judge: {shown(test.message, 2000)}")
        notes += outcome.notes
        questions, by_hand = _questions(single, lesson)
        if outcome.broken_tests and not questions:
            raise CannotGrade(
                "no test could judge it, and a result without one would be a 0", "mend the tests, and give the platform the new autograder"
            )
    return Result(tuple(questions), tuple(by_hand), tuple(notes), seconds=time.monotonic() - began)


def _protect(course: Course, private: list[Path], console: Console) -> None:
    """Choose how students' code is kept apart, whatever the course says. Raises `SandboxMissing` where nothing holds."""
    if (why := bubblewrap.why_not()) is None:
        course.config.Execute.sandbox = True
        say(console, "students' code: in bubblewrap's namespaces")
        return
    if (neither := accounts.why_not()) is not None:
        raise SandboxMissing(f"{why} {neither} Nothing was graded.")
    accounts.close(private)
    course.config.Execute.sandbox = accounts.ACCOUNTS
    say(console, f"students' code: as accounts of its own, without a network ({why})")


def _copied(course: Course, assignment: str, folder: Path) -> Course:
    """A course of one assignment in an empty folder, where everything is written, too. What its configuration imports stays where it is."""
    text = (course.root / CONFIG).read_text(encoding="utf-8") + OWN_PLACES.format(database=f"sqlite:///{folder}/gradebook.db")
    (folder / CONFIG).write_text(text, encoding="utf-8")
    ignored = shutil.ignore_patterns(*course.folders.ignore)
    shutil.copytree(course.folder("source") / assignment, folder / "source" / assignment, ignore=ignored)
    if str(course.root) not in sys.path:
        sys.path.append(str(course.root))
    return Course(folder)


def _put(course: Course, hand_in: Path, place: Path, lesson: Assignment) -> list[str]:
    """Copy a hand-in to where submissions lie; returns what is to be said of it. Raises `HandInRefused`."""
    files = sorted(path for path in hand_in.rglob("*") if path.is_file() and not path.is_symlink() and not LEFT_OUT & set(path.parts))
    wanted = [f"{name}.ipynb" for name in lesson.notebooks]
    found = [path for path in files if path.suffix.lower() == ".ipynb"]
    named = {name: [path for path in found if path.name == name] for name in wanted}
    if doubled := next((paths for paths in named.values() if len(paths) > 1), None):
        raise HandInRefused(f"there are several files {doubled[0].name}. Hand in again with the one that counts.")
    chosen = {name: paths[0] for name, paths in named.items() if paths}
    notes = []
    if not chosen:
        if not found:
            raise HandInRefused(_nothing(files, wanted))
        if len(found) > 1 or len(wanted) > 1:
            raise HandInRefused(f"there is no {' and no '.join(wanted)}, only {_names(found)}. Give the file that name and hand in again.")
        chosen = {wanted[0]: found[0]}
        notes = [f"{shown(found[0].name)} was graded as {wanted[0]}."]
    place.mkdir(parents=True)
    for name, path in chosen.items():
        if (ids := grade_ids(course, path)) and not ids & lesson.ids:
            raise HandInRefused(f"{shown(path.name)} belongs to another assignment. Hand in the notebook of {lesson.name}.")
        shutil.copyfile(path, place / name)
    for path in files:
        target = place / path.relative_to(hand_in)
        is_theirs = path not in found and str(path.relative_to(hand_in)) not in OURS
        if is_theirs and path.suffix.lower() not in PACKED and not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    return notes


def _nothing(files: list[Path], wanted: list[str]) -> str:
    if packed := [path for path in files if path.suffix.lower() in PACKED]:
        return f"{_names(packed)} is an archive inside your hand-in. Unpack it and hand in {' and '.join(wanted)} itself."
    if not files:
        return f"the hand-in is empty. Hand in {' and '.join(wanted)}."
    return f"there is no notebook in it, only {_names(files)}. Hand in {' and '.join(wanted)}."


def _names(paths: list[Path]) -> str:
    names = [shown(path.name, 60) for path in paths[:5]]
    return ", ".join(names) + (f" and {len(paths) - 5} more" if len(paths) > 5 else "")


def _for_student(outcome: Outcome) -> str:
    """Why a hand-in was not graded, if its student can mend that.

    Raises:
        OwnFailure: it is not the student's.
    """
    if outcome.may_pass or outcome.asks_for_another_run:
        raise OwnFailure(f"{outcome.why}. Next: {outcome.next_step}")
    step = outcome.next_step.removeprefix(ASK) if outcome.next_step.startswith(ASK) else "open the notebook in JupyterLab, save it, and hand in again"
    return f"{outcome.why}. {step[:1].upper()}{step[1:]}."


def _questions(course: Course, lesson: Assignment) -> tuple[list[Question], list[tuple[str, float]]]:
    """What the gradebook holds, in the notebooks' order, with what tests said."""
    questions, by_hand = [], []
    ending = Report.of(course.config).ending
    folder = course.folder("autograded") / STUDENT / lesson.name
    with course.gradebook() as gradebook:
        for name in lesson.notebooks:
            if not (path := folder / f"{name}.ipynb").is_file():
                continue
            notebook = nbformat.read(path, as_version=4)
            graded = gradebook.find_submission_notebook(name, lesson.name, STUDENT)
            for cell, exercise in exercises_of(notebook, {grade.name: grade for grade in graded.grades}, ending):
                if exercise.kind == "test" and not exercise.waits:
                    questions.append(Question(exercise.name, exercise.points, exercise.most, _said(cell)))
                elif exercise.most:
                    by_hand.append((exercise.name, exercise.most))
    return questions, by_hand


def _said(cell: Any) -> str:
    """What a test cell printed, and why points were lost."""
    return "\n".join(text for output in cell.outputs if (text := str(output.get("evalue") or output.get("text") or "").strip()))
