"""Whether a feedback page tells what the gradebook holds now: noted when it is written, looked at before it is given to anybody."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from functools import lru_cache
from pathlib import Path
from typing import Any

from nbgrader.api import Assignment, BaseCell, Comment, Grade, Notebook, SubmittedAssignment, SubmittedNotebook
from sqlalchemy import select
from sqlalchemy.orm import Session

from nbjudge._course.course import CONFIG, Course
from nbjudge._nbgrader.copying import RECEIPT
from nbjudge._nbgrader.pages import TEMPLATES
from nbjudge._nbgrader.regrades import regrades
from nbjudge._serialization.folders import checksum, versions

GRADINGS = "gradings"  # the folder of a course that keeps what is told of gradings that are over; nothing of it is given to students
RESULTS = f"{GRADINGS}/results"  # what came of submissions, so that nothing is executed twice


def states(course: Course, assignment: str, student: str | None = None) -> dict[str, str]:
    """What the gradebook tells of each student's submission, as a short text: another one where points, comments, the notebook
    or an answer to a request for a second look changed.

    Args:
        student: the only one to ask for; all by default.
    """
    told: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    with course.gradebook() as gradebook:
        _read(gradebook.db, assignment, student, told)
    for one in regrades(course.root):
        if one.about.assignment == assignment and one.about.student in told:
            told[one.about.student].append((one.about.notebook, "second look", one.about.question, str(one.number), one.answer))
    return {name: _digest(course, name, assignment, sorted(lines)) for name, lines in told.items()}


def _read(session: Session, assignment: str, student: str | None, told: dict[str, list[tuple[str, ...]]]) -> None:
    submissions = (
        select(SubmittedNotebook.id, SubmittedAssignment.student_id, Notebook.name, SubmittedNotebook.late_submission_penalty)
        .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
        .where(Assignment.name == assignment)
    )
    if student is not None:
        submissions = submissions.where(SubmittedAssignment.student_id == student)
    of_notebook: dict[str, tuple[str, str]] = {}
    for row in session.execute(submissions):
        of_notebook[row[0]] = row[1], row[2]
        told[row[1]].append((row[2], "penalty", repr(row[3] or 0.0)))
    grades = select(Grade.notebook_id, BaseCell.name, Grade.auto_score, Grade.manual_score, Grade.extra_credit)
    comments = select(Comment.notebook_id, BaseCell.name, Comment.auto_comment, Comment.manual_comment)
    for kind, query, key, cell in (("points", grades, Grade.notebook_id, Grade.cell_id), ("comment", comments, Comment.notebook_id, Comment.cell_id)):
        wanted = query.join(BaseCell, BaseCell.id == cell)
        if student is not None:
            wanted = wanted.where(key.in_(list(of_notebook)))
        for row in session.execute(wanted):
            if row[0] in of_notebook:
                name, notebook = of_notebook[row[0]]
                told[name].append((notebook, kind, row[1], *(repr(value) for value in row[2:])))


def note_pages(course: Course, student: str, assignment: str, state: str, made_by: str) -> None:
    """Write down that a student's pages were made from `state`, one of `states`, taken before they were made.

    Args:
        made_by: `page_maker`; "" for pages that are to be tried again.
    """
    path = _note(course, student, assignment)
    path.parent.mkdir(parents=True, exist_ok=True)
    noted = {"state": state, "pages": _pages(course, student, assignment), "made_by": made_by}
    path.write_text(json.dumps(noted), encoding="utf-8")


def current_pages(course: Course, student: str, assignment: str, state: str, made_by: str | None = None) -> list[Path]:
    """A student's feedback pages, where they tell what the gradebook holds; none where they are missing, others or out of date.

    Args:
        state: of `states`, taken now.
        made_by: `page_maker`, where the pages have to be those that would be made now.
    """
    try:
        noted: Any = json.loads(_note(course, student, assignment).read_text(encoding="utf-8"))
        is_current = noted["state"] == state and noted["pages"] and noted["pages"] == _pages(course, student, assignment)
        is_current = is_current and made_by in (None, noted["made_by"])
    except (OSError, ValueError, KeyError, TypeError):
        return []
    folder = course.folder("feedback") / student / assignment
    return [folder / name for name in sorted(noted["pages"])] if is_current else []


@lru_cache(maxsize=1)
def page_maker(course: Course) -> str:
    """What decides pages besides what the gradebook and the graded notebooks hold: the course's settings, and the code that makes them."""
    looks = [path.read_bytes() for path in sorted(TEMPLATES.rglob("*")) if path.is_file()]
    return checksum(b"\0".join([(course.root / CONFIG).read_bytes(), json.dumps(versions()).encode(), *looks]))


def is_of_another_hand_in(course: Course, student: str, assignment: str) -> bool:
    """Whether what lies in `submitted/` is not what was graded, as far as the grader graded it: a later hand-in waits for grading."""
    try:
        made_from: dict[str, str] = json.loads((course.folder("autograded") / student / assignment / RECEIPT).read_text(encoding="utf-8"))
        folder = course.folder("submitted") / student / assignment
        graded = {name: digest for name, digest in made_from.items() if name.startswith("submitted ")}
        return any(_hash(folder / f"{name.removeprefix('submitted ')}.ipynb") != digest for name, digest in graded.items())
    except FileNotFoundError:
        return False
    except (OSError, ValueError, AttributeError):
        return True


def _pages(course: Course, student: str, assignment: str) -> dict[str, str]:
    """The pages of the assignment's own notebooks, with what they hold. HTML that a student handed in beside them is none."""
    folder = course.folder("feedback") / student / assignment
    notebooks = sorted((course.folder("autograded") / student / assignment).glob("*.ipynb"))
    names = [f"{path.stem}.html" for path in notebooks if path.stem in course.lessons[assignment].notebooks]
    return {name: _hash(folder / name) for name in names if (folder / name).is_file()}


def _digest(course: Course, student: str, assignment: str, lines: list[tuple[str, ...]]) -> str:
    notebooks = sorted((course.folder("autograded") / student / assignment).glob("*.ipynb"))
    return hashlib.sha256(json.dumps([lines, [[path.name, _hash(path)] for path in notebooks]]).encode()).hexdigest()


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _note(course: Course, student: str, assignment: str) -> Path:
    return course.root / GRADINGS / "feedback" / assignment / f"{student}.json"
