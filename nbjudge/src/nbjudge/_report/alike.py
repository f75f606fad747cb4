"""From answers to the report's page of submissions that are unusually alike."""

from __future__ import annotations

from collections.abc import Mapping

from nbjudge._course.course import Course
from nbjudge._course.task_pool import TaskPool
from nbjudge._report.failures import MOST_CODE, Names, TestResult, read_answers, wanted_of
from nbjudge._report.gradebook import Book, Key
from nbjudge._report.model import AlikeAnswers, AlikePair, Question
from nbjudge._report.normal_forms import Form
from nbjudge._report.similarity import Alike, alike, groups

LONGEST_PART = 3  # lines of a shared part that is marked: a whole function would mark all that is in it
Notebooks = Mapping[tuple[str, str], TestResult]


def pairs(course: Course, book: Book, told: Notebooks, names: Names) -> tuple[AlikePair, ...]:
    """The pairs to look at, assignment by assignment, with both answers side by side."""
    found = {assignment: _compared(book, assignment, questions, told) for assignment, questions in book.questions.items()}
    linked = {(one, assignment): group for assignment, some in found.items() for group in groups(some) for one in group}
    texts: dict[tuple[str, str], dict[Key, str]] = {}
    if linked:
        wanted = {assignment: wanted_of(book.questions[assignment], book.cells.get(assignment, [])) for assignment, some in found.items() if some}
        with TaskPool[tuple[str, str]](course.root) as pool:
            for (student, assignment, _), read in pool.map(read_answers, ((*one, wanted[one[1]]) for one in sorted(linked))):
                answers = read if isinstance(read, dict) else {}
                writers = linked[student, assignment]  # a copy may still hold the name of any of them
                texts[student, assignment] = {key: names.hidden(text, *writers, is_theirs=True) for key, text in answers.items()}
    return tuple(_shown(one, assignment, book, told, texts, names) for assignment, some in found.items() for one in some)


def _compared(book: Book, assignment: str, questions: list[Question], told: Notebooks) -> list[Alike]:
    submissions = [one for one in book.submissions if one.assignment == assignment]
    forms: dict[str, dict[str, Form]] = {}
    lost: dict[str, frozenset[str]] = {}
    for place, question in enumerate(questions):
        key = question.notebook, question.name
        known = {one.student: read.forms for one in submissions if (read := told.get((one.student, assignment))) is not None}
        forms[str(place)] = {student: some[key] for student, some in known.items() if key in some}
        marks = {one.student: one.marks[key].points for one in submissions if key in one.marks}
        lost[str(place)] = frozenset(student for student, points in marks.items() if points is not None and points < question.most)
    return alike(forms, lost)


def _shown(one: Alike, assignment: str, book: Book, told: Notebooks, texts: Mapping[tuple[str, str], Mapping[Key, str]], names: Names) -> AlikePair:
    answers = []
    for name, likeness, share in one.exercises:
        if name:
            question = book.questions[assignment][int(name)]
            key = question.notebook, question.name
            first, second = told[one.first, assignment].forms[key], told[one.second, assignment].forms[key]
            sides = [
                _marked(texts.get((student, assignment), {}).get(key, ""), own, other)
                for student, own, other in ((one.first, first, second), (one.second, second, first))
            ]
            answers.append(AlikeAnswers(question, likeness, share, *sides))
    shares_words = any(not name for name, _, _ in one.exercises)
    return AlikePair(assignment, names.id_of(one.first), names.id_of(one.second), one.expected, tuple(answers), shares_words)


def _marked(text: str, own: Form, other: Form) -> tuple[tuple[str, bool], ...]:
    """The lines of an answer; marked are those of the parts that the other has, too."""
    marked: set[int] = set()
    for part in own.parts.keys() & other.parts.keys():
        begin, end = own.parts[part]
        if end - begin < LONGEST_PART:
            marked |= set(range(begin, end + 1))
    return tuple((line, number in marked) for number, line in enumerate(text[:MOST_CODE].splitlines(), start=1))
