"""Grade a whole class: one submission after the other, one outcome each, and nothing stops the rest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path

from examiner.course import Course
from examiner.intake import Assignments, find_submissions, inspect
from examiner.outcomes import Outcome, Refused, Status, Submission

RECEIPT = ".graded.json"  # lies beside a graded notebook and says what it was made from


def grade_class(course: Course, started: Callable[[int], None] = lambda count: None) -> Iterator[Outcome]:
    """Grade everything in `submitted/` and write feedback; yield an outcome for each entry as it is known.

    A submission that was graded before is skipped unless it, or the lesson, has changed since. So a run that was stopped goes
    on where it stopped.

    Args:
        started: called once with the number of submissions, before the first is graded.
    """
    assignments = course.assignments()
    submissions, misplaced = find_submissions(course.folder("submitted"), assignments)
    for assignment in sorted({submission.assignment for submission in submissions}):
        course.register(assignment)
    started(len(submissions) + len(misplaced))
    yield from misplaced
    for submission in submissions:
        yield grade_one(course, submission, assignments)


def grade_one(course: Course, submission: Submission, assignments: Assignments) -> Outcome:
    """Grade one submission. Never raises for what a student handed in."""
    where = str(submission.notebook.relative_to(course.root))
    outcome = Outcome(where, Status.GRADED, submission.student, submission.assignment)
    try:
        outcome.notes = inspect(submission, assignments)
        made_from = _digests(course, submission)
        receipt = course.folder("autograded") / submission.student / submission.assignment / RECEIPT
        if _read(receipt) == made_from and course.is_graded(submission.student, submission.assignment):
            outcome.status = Status.GRADED_BEFORE
            return outcome
        course.autograde(submission.student, submission.assignment)
        course.write_feedback(submission.student, submission.assignment)
        receipt.write_text(json.dumps(made_from), encoding="utf-8")
    except Refused as refused:
        outcome.status, outcome.why, outcome.next_step = Status.NOT_GRADED, refused.why, refused.next_step
    except OSError as error:
        outcome.status, outcome.why = Status.NOT_GRADED, f"{error.strerror}: {error.filename}"
        outcome.next_step = "mend that, then run the same command again"
    return outcome


def _digests(course: Course, submission: Submission) -> dict[str, str]:
    source = course.folder("source") / submission.assignment / submission.notebook.name
    files = {"submitted": submission.notebook, "source": source, "config": course.root / "nbgrader_config.py"}
    timestamp = submission.notebook.parent / "timestamp.txt"
    if timestamp.is_file():
        files["timestamp"] = timestamp
    return {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()}


def _read(receipt: Path) -> dict[str, str] | None:
    try:
        return json.loads(receipt.read_text(encoding="utf-8"))
    except (OSError, json.JSONDecodeError):
        return None
