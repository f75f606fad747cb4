"""For each exercise, what its check says to a wrong answer: made by running the check on one of `source/*/answers`, whose code stays there."""

from __future__ import annotations

from collections.abc import Iterator

from nbformat import NotebookNode

from attnlab.check.cards import card_of
from attnlab.diagnosis.cause import CheckFailed
from authoring.answer_files import Answer, answers_to
from authoring.answers import Namespace, fill_in, run_quietly, solution_sources
from authoring.exercises import find_exercises
from authoring.lessons import Lesson, grade_id, read_text

FOLDED = '<details class="example"><summary>For example: what the check says to a wrong answer</summary>{}</details>'
TRIED = 3  # answers; some checks need what is not installed everywhere, such as lesson 8's model


def examples(lesson: Lesson, released: NotebookNode, solved: NotebookNode) -> dict[str, str]:
    """Folded cards by the grade ids of the test cells; none for a question whose check says only that something was noted.

    Args:
        lesson: whose answers are tried, in its `released` notebook with all answers of the `solved` one.
    """
    submission, source = fill_in(released, solution_sources(solved)), read_text(lesson)
    tests = {grade_id(cell): cell.source for cell in submission.cells}
    found = {}
    for exercise in find_exercises(source):
        if exercise.asks_for_values:
            continue
        first = grade_id(source.cells[exercise.tests[0]])
        said = (_said(Namespace(submission, answer), tests[first]) for answer in list(_typical(lesson, exercise.name))[:TRIED])
        if failed := next(filter(None, said), None):
            found[first] = FOLDED.format(card_of(failed))
    return found


def _typical(lesson: Lesson, exercise: str) -> Iterator[Answer]:
    """Wrong answers whose check sees why, first those that the card tells no code, in the order of their file."""
    wrong = (answer for answer in answers_to(lesson, exercise).values() if not (answer.right or answer.is_hidden_only))
    yield from sorted(wrong, key=lambda answer: (not answer.likely, "`" in answer.next, int(answer.place.rpartition(":")[2])))


def _said(namespace: Namespace, test: str) -> CheckFailed | None:
    error, _ = run_quietly(test, "<test>", namespace)
    return error if isinstance(error, CheckFailed) else None
