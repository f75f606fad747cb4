"""A large class, drawn at random. `README.md` beside this module says the mixture; the numbers of it are the constants here.

Every draw depends on the seed, the student's number and the lesson alone: more students or another lesson change nobody's answers.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

import nbformat

from authoring.answer_files import find_answers
from authoring.answers import fill_in, solution_sources
from authoring.exercises import PREDICTION
from authoring.invented import invented_answers
from authoring.lessons import Lesson, grade_id
from demonstration.students import DUE, PREFIX
from nbjudge import Course

FOLDER = re.compile(rf"{PREFIX}s\d{{3,}}")
EASE = 1.0  # how far the abilities are above the difficulties: 0.73 of what is of medium difficulty is right for a student of medium ability
SPREAD = 1.0  # difficulties run evenly from -SPREAD at the first question of a lesson to +SPREAD at the last
TRIES = 0.8  # of what is not right, the share that is wrong; the rest is left as it was released
SKIPS = 0.05  # the share of lessons that are not handed in
LATE = 0.05  # the share of what is handed in that is late
HOURS = 240, 72  # the most before the due date, and the most after it
DATE = "%Y-%m-%d %H:%M:%S UTC"
MODEL_ANSWER = re.compile(r"\*\*Model answer[^*]*\*\*\s*(?P<text>.*?)(?=\n\n\*\*|\Z)", re.DOTALL)


@dataclass(frozen=True)
class Question:
    """One cell to fill in: its name in the notebook, and what students write there."""

    name: str
    right: Sequence[str]
    wrong: Sequence[str]


class Draw:
    """What the students of one class hand in.

    Args:
        seed: another one gives another class.
        invented: whether wrong answers are those of `benchmarks/invented/`, where there are any, and not those of `source/`.
    """

    def __init__(self, seed: int, invented: bool = False):
        self.seed, self.invented = seed, invented

    def ability(self, student: int) -> float:
        """Drawn from the normal distribution with mean 0 and variance 1; the same in all lessons."""
        return Random(f"{self.seed} {student}").gauss(0, 1)

    def handed_in(self, student: int, lesson: Lesson) -> datetime | None:
        """When the student hands in the lesson, in UTC; None where not at all."""
        random = Random(f"{self.seed} {student} {lesson.assignment} date")
        skips, late = random.random() < SKIPS, random.random() < LATE
        due = datetime.strptime(DUE, DATE)
        hours = 1 + random.random() * (HOURS[late] - 1)
        return None if skips else (due + timedelta(hours=hours if late else -hours)).replace(microsecond=0)

    def answers(self, student: int, lesson: Lesson, questions: Sequence[Question]) -> dict[str, str]:
        """What the student writes, by question. What is left as it was released is not there."""
        random = Random(f"{self.seed} {student} {lesson.assignment}")
        ability, written = self.ability(student), {}
        for place, question in enumerate(questions):
            is_right, is_tried, which = random.random(), random.random(), random.random()  # always three, so that later ones stay as they are
            given: Sequence[str] = ()
            if is_right < chance(ability, difficulty(place, len(questions))):
                given = question.right
            elif is_tried < TRIES:
                given = question.wrong
            if given:
                written[question.name] = given[int(which * len(given))]
        return written

    def notebooks(self, students: Sequence[int], lesson: Lesson) -> Iterator[tuple[int, datetime, str]]:
        """Each student who hands in the lesson, when, and the notebook file. The lesson is read once."""
        released = nbformat.read(lesson.released, as_version=4)
        questions = find_questions(lesson, self.invented)
        for student in students:
            when = self.handed_in(student, lesson)
            if when is not None:
                yield student, when, nbformat.writes(fill_in(released, self.answers(student, lesson, questions))) + "\n"


def chance(ability: float, difficulty: float) -> float:
    """The probability of a right answer: the logistic function of ability - difficulty + EASE."""
    return 1 / (1 + math.exp(-(ability - difficulty + EASE)))


def difficulty(place: int, questions: int) -> float:
    """That of a question by its place in the lesson, from 0; later ones are harder."""
    return SPREAD * (2 * place / (questions - 1) - 1) if questions > 1 else 0.0


def make_drawn(course: Course, students: int, draw: Draw, lessons: Sequence[Lesson]) -> None:
    """Write the notebooks of students 1, 2, ... Files that are the same stay untouched.

    A lesson without a due date gets that of the demonstration class. Who hands in nothing stands in the gradebook alone.
    """
    numbers, found = range(1, students + 1), set()
    with course.gradebook() as gradebook:
        dated = {assignment.name for assignment in gradebook.assignments if assignment.duedate}
        for lesson in lessons:
            if lesson.assignment not in dated:
                gradebook.update_or_create_assignment(lesson.assignment, duedate=DUE)
    for lesson in lessons:
        for student, when, text in draw.notebooks(numbers, lesson):
            folder = course.folder("submitted") / folder_of(student) / lesson.assignment
            folder.mkdir(parents=True, exist_ok=True)
            found.add(student)
            for name, content in (("timestamp.txt", when.strftime(DATE) + "\n"), (lesson.released.name, text)):
                if not (folder / name).exists() or (folder / name).read_text(encoding="utf-8") != content:
                    (folder / name).write_text(content, encoding="utf-8")
    with course.gradebook() as gradebook:
        for student in set(numbers) - found:
            gradebook.update_or_create_student(folder_of(student))


def left_over(course: Course, students: int, draw: Draw, lessons: Sequence[Lesson]) -> list[str]:
    """The folders of drawn students from an earlier call that handed in what these would not."""
    wanted = {folder_of(student): {lesson.assignment for lesson in lessons if draw.handed_in(student, lesson)} for student in range(1, students + 1)}
    return [
        path.name
        for path in sorted(course.folder("submitted").glob("*"))
        if FOLDER.fullmatch(path.name) and path.is_dir() and not {entry.name for entry in path.iterdir()} <= wanted.get(path.name, set())
    ]


def folder_of(student: int) -> str:
    """The name of a drawn student's folder."""
    return f"{PREFIX}s{student:03d}"


def find_questions(lesson: Lesson, invented: bool = False) -> list[Question]:
    """The cells of a lesson that students fill in, in order, each with right and wrong texts for it."""
    solution = nbformat.read(lesson.solution, as_version=4)
    right, wrong = {}, {}
    for answer in find_answers(lesson):
        (right if answer.right else wrong).setdefault(answer.exercise, []).append(answer.source)
    if invented:
        strangers: dict[str, list[str]] = {}
        for answer, _ in invented_answers(lesson):
            strangers.setdefault(answer.exercise, []).append(answer.source)
        wrong |= strangers
    questions = []
    for name, source in solution_sources(solution).items():
        cell = next(cell for cell in solution.cells if grade_id(cell) == name)
        if cell.cell_type == "markdown":
            questions.append(_written(name, source))
        elif not name.startswith(PREDICTION):
            questions.append(Question(name, [source, *right.get(name, [])], wrong.get(name, [])))
    return questions


def _written(name: str, source: str) -> Question:
    """A written answer: a model answer, or its first sentence alone. Markers read both."""
    texts = [found["text"].strip() for found in MODEL_ANSWER.finditer(source)]
    return Question(name, texts, [re.split(r"(?<=[.?!])\s", text, maxsplit=1)[0] for text in texts])
