"""Put the demonstration class into `submitted/` when that is empty, take it out when it is not."""

from __future__ import annotations

import argparse
import contextlib
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

import nbformat
from nbgrader.api import MissingEntry

from authoring.answer_files import answers_to
from authoring.answers import fill_in, solution_sources
from authoring.lessons import ROOT, Lesson, find_lessons, grade_id, lessons_that_run_here
from demonstration.drawn import Draw, left_over, make_drawn
from demonstration.students import DUE, PREFIX, STUDENTS, WRITTEN, Student, stands_in
from nbjudge import Course, forget_students

LESSON = Lesson("1_basic_attention")
WRITTEN_CELL = "why_equal"
KINDS = ("submitted", "autograded", "feedback")


def main(arguments: list[str] | None = None) -> int:
    """Make or remove the class; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m demonstration", description=__doc__)
    parser.add_argument("--remove", action="store_true", help="take the class out, whatever else is in submitted/")
    parser.add_argument("--students", type=_count, metavar="N", help="N students more, drawn at random: README.md beside this program says how")
    parser.add_argument("--seed", type=int, default=1, help="another number draws other students (default: 1)")
    parser.add_argument(
        "--lesson",
        nargs="+",
        choices=[lesson.assignment for lesson in find_lessons()],
        default=[LESSON.assignment],
        metavar="LESSON",
        help=f"what drawn students hand in (default: {LESSON.assignment})",
    )
    parser.add_argument("--invented", action="store_true", help="draw wrong answers from benchmarks/invented/, where there are any")
    asked = parser.parse_args(arguments)
    if asked.remove and asked.students is not None:
        parser.error("--remove takes all of the class out, so --students cannot stand beside it")
    course = Course(ROOT)
    submitted = course.folder("submitted")
    entries = [path.name for path in submitted.iterdir() if path.name[0] != "."] if submitted.is_dir() else []
    real = [name for name in entries if not name.startswith(PREFIX)]
    if asked.remove or (real and len(real) < len(entries)):
        remove_class(course)
        print("The demonstration class is taken out of submitted/.")
    elif not real:
        make_class(course)
        if asked.students is not None:
            draw, lessons = Draw(asked.seed, asked.invented), [lesson for lesson in find_lessons() if lesson.assignment in asked.lesson]
            remove_students(course, left_over(course, asked.students, draw, lessons))
            make_drawn(course, asked.students, draw, lessons)
        print(stands_in(submitted))
    if real and asked.students is not None:
        print(f"No students are drawn: submitted/ has real ones, such as {real[0]}. Next: type it in a copy of the course.", file=sys.stderr)
        return 1
    return 0


def make_class(course: Course) -> None:
    """Write every student's notebooks and set the first assignment's due date. Files that are the same stay untouched."""
    with course.gradebook() as gradebook:
        gradebook.update_or_create_assignment(LESSON.assignment, duedate=DUE)
    for student in STUDENTS:
        for lesson in lessons_that_run_here() if student.every_lesson else [LESSON]:
            folder = course.folder("submitted") / f"{PREFIX}{student.name}" / lesson.assignment
            folder.mkdir(parents=True, exist_ok=True)
            _write(folder / "timestamp.txt", student.handed_in + "\n")
            _write(folder / lesson.released.name, notebook_text(student, lesson))


def _write(path: Path, text: str) -> None:
    if not path.is_file() or path.read_bytes() != text.encode():
        path.write_text(text, encoding="utf-8")


def remove_class(course: Course) -> None:
    """Take everyone whose name has the prefix out of every folder and out of the gradebook. Nobody else is touched."""
    with course.gradebook() as gradebook:
        known = {student.id for student in gradebook.students}
    folders = {path.name for kind in KINDS for path in course.folder(kind).glob(f"{PREFIX}*")}
    remove_students(course, sorted(name for name in known | folders if name.startswith(PREFIX)))
    lessons = {lesson.assignment for lesson in find_lessons()}
    with course.gradebook() as gradebook:
        for assignment in gradebook.assignments:
            if assignment.name in lessons and not assignment.submissions and str(assignment.duedate) in DUE:
                gradebook.update_or_create_assignment(assignment.name, duedate=None)


def remove_students(course: Course, names: Iterable[str]) -> None:
    """Take students out of every folder, out of the gradebook and out of what reports keep, by the names of their folders."""
    names = list(names)
    with course.gradebook() as gradebook:
        for name in names:
            for folder in filter(Path.is_dir, (course.folder(kind) / name for kind in KINDS)):
                shutil.rmtree(folder)
            with contextlib.suppress(MissingEntry):
                gradebook.remove_student(name)
    forget_students(course, names)


def notebook_text(student: Student, lesson: Lesson) -> str:
    """The notebook file that a student handed in for a lesson."""
    released = nbformat.read(lesson.released, as_version=4)
    sources = solution_sources(nbformat.read(lesson.solution, as_version=4)) if student.solved else {}
    if lesson == LESSON:
        sources |= {WRITTEN_CELL: WRITTEN} if student.solved else {}
        sources |= {exercise: _answer(exercise, name) for exercise, name in student.answers.items()}
    notebook = fill_in(released, sources)
    if student.damage == "test cell deleted":
        notebook.cells = [cell for cell in notebook.cells if grade_id(cell) != "softmax_test"]
    elif student.damage == "cell copied":
        place = next(index for index, cell in enumerate(notebook.cells) if grade_id(cell) == "softmax")
        notebook.cells.insert(place, nbformat.from_dict({**notebook.cells[place], "id": "copied"}))
    text = nbformat.writes(notebook) + "\n"
    return text[: len(text) // 2] if student.damage == "cut off" else text


def _answer(exercise: str, name: str) -> str:
    if "/" in name:
        return answers_to(LESSON, exercise)[name].source
    return (Path(__file__).parent / "answers" / f"{name}.py").read_text(encoding="utf-8")


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text} is no number of students")
    return int(text)
