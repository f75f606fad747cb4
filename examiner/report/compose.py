"""Puts a report together: from the gradebook, the graded notebooks and the photographs of gradings to a `Whole`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from examiner.classroom.aside import Aside
from examiner.classroom.course import Course
from examiner.judge.clues import Clue
from examiner.report import items, students
from examiner.report.anonymous import Names, words_of
from examiner.report.causes import Causes
from examiner.report.failures import Failure, Told, Wanted, tell, wanted_of
from examiner.report.gradebook import Book, Graded
from examiner.report.history import Photograph, changes
from examiner.report.model import Cause, Change, Part, Question, Whole
from examiner.report.settings import Report

CLOSE = 1e-9
NO_TEST = "No question here is graded by a test, so nothing can be said about causes."
NO_NOTEBOOKS = (
    "There is no graded notebook to read of {count} of {all} submissions: what was attempted, and why points were lost, is not known there."
)
Notebooks = Mapping[tuple[str, str], Told]  # by student and assignment


def read_notebooks(course: Course, book: Book, read: Callable[[], None] = lambda: None) -> dict[tuple[str, str], Told]:
    """What the graded notebooks tell, read beside this process; one that cannot be read is left out.

    Args:
        read: called after each.
    """
    wanted: dict[str, Wanted] = {name: wanted_of(questions, book.cells.get(name, [])) for name, questions in book.questions.items()}
    found = {}
    with Aside[tuple[str, str]](course.root) as aside:
        asked = ((one.student, one.assignment, wanted[one.assignment]) for one in book.submissions)
        for (student, assignment, _), told in aside.map(tell, asked):
            if isinstance(told, Told) and told.attempted:
                found[student, assignment] = told
            read()
    return found


def compose(course: Course, settings: Report, book: Book, told: Notebooks, now: Photograph, before: Photograph | None, hide_names: bool) -> Whole:
    """The whole report.

    Args:
        now: the photograph of `book`.
        before: the one of the grading before, or None.
        hide_names: whether students have numbers instead of names.
    """
    names = Names(_everybody(book, now), hide_names)
    by_assignment: dict[str, list[Graded]] = defaultdict(list)
    for submission in book.submissions:
        by_assignment[submission.assignment].append(submission)
    parts = tuple(_part(name, questions, by_assignment[name], told, settings, names, book) for name, questions in book.questions.items())
    listed = [question for questions in book.questions.values() for question in questions]
    changed, news = changes(before, now, listed) if before else ((), ())
    shown = tuple(Change(one.question, one.why, tuple((names.id_of(student), then, here) for student, then, here in one.who)) for one in changed)
    nobodys = [f"{entry['where']}: {entry['why']}. Next: {entry['next_step']}" for entry in now.outcomes if not entry["student"]]
    if hide_names and nobodys:
        nobodys = [f"{len(nobodys)} entries in {course.folder('submitted').name}/ are no submissions of anybody's"]
    return Whole(
        course.folders.course_id or course.root.name,
        datetime.now(UTC),
        parts,
        students.lines(course, settings, book, told, now, before, names),
        shown,
        news,
        before.when if before else None,
        hide_names,
        tuple(nobodys),
        {part.assignment: part.most for part in parts},
    )


def _everybody(book: Book, now: Photograph) -> dict[str, tuple[str, str, str]]:
    others = {entry["student"]: ("", "", "") for entry in now.outcomes if entry["student"]}
    return {**others, **{submission.student: ("", "", "") for submission in book.submissions}, **book.people}


def _part(assignment: str, questions: list[Question], submissions: list[Graded], told: Notebooks, settings: Report, names: Names, book: Book) -> Part:
    scores = {
        one.student: {question: one.marks[key].points for question in questions if (key := (question.notebook, question.name)) in one.marks}
        for one in submissions
    }
    attempts: dict[str, dict[Question, bool | None]] = {
        one.student: {question: known.attempted.get((question.notebook, question.name)) for question in questions}
        for one in submissions
        if (known := told.get((one.student, assignment))) is not None
    }
    texts = {(cell.notebook, cell.name): cell.source for cell in book.cells.get(assignment, [])}
    kept = words_of(texts.values())
    tests = [question for question in questions if question.is_automatic]
    causes = [
        cause
        for question in tests
        for cause in _causes(
            question, submissions, told, Causes(question, texts.get((question.notebook, question.name), ""), settings, names, kept), names
        )
    ]
    missing = sum((one.student, assignment) not in told for one in submissions)
    notes = ([] if tests else [NO_TEST]) + ([NO_NOTEBOOKS.format(count=missing, all=len(submissions))] if missing else [])
    return Part(
        assignment,
        assignment,
        sum(question.most for question in questions),
        tuple(one.points for one in submissions),
        items.items(questions, scores, attempts),
        tuple(sorted(causes, key=lambda cause: (cause.is_named, -len(cause.students)))),
        items.together(questions, scores),
        tuple(notes),
    )


def _causes(question: Question, submissions: list[Graded], told: Notebooks, causes: Causes, names: Names) -> list[Cause]:
    """Failures of a question by cause: of those who attempted it and lost points there."""
    key, attempts = (question.notebook, question.name), 0
    for one in submissions:
        known = told.get((one.student, one.assignment))
        marks = one.marks.get(key)
        if known is None or marks is None or marks.points is None or not known.attempted.get(key):
            continue
        attempts += 1
        if marks.points < question.most - CLOSE:
            causes.add(one.student, known.failures.get(key) or Failure(*key, "", Clue(), ""))
    return [cause.with_students(tuple(sorted(map(names.id_of, cause.students)))) for cause in causes.told(attempts)]
