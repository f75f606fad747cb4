"""`python -m demonstration`: put the demonstration class into `submitted/` when that is empty, take it out when it is not."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

import nbformat
from nbgrader.api import MissingEntry

from authoring.answer_files import answers_to
from authoring.answers import fill_in, solution_sources
from authoring.lessons import ROOT, Lesson, find_lessons, grade_id
from demonstration.students import DUE, PREFIX, STUDENTS, WRITTEN, Student
from examiner.classroom.course import Course

LESSON = Lesson("1_basic_attention")
WRITTEN_CELL = "why_equal"


def main(arguments: list[str] | None = None) -> int:
    """Make or remove the class; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m demonstration", description=__doc__)
    parser.add_argument("--remove", action="store_true", help="take the class out, whatever else is in submitted/")
    remove = parser.parse_args(arguments).remove
    course = Course(ROOT)
    submitted = course.folder("submitted")
    entries = [path.name for path in submitted.iterdir() if path.name[0] != "."] if submitted.is_dir() else []
    real = [name for name in entries if not name.startswith(PREFIX)]
    if remove or (real and len(real) < len(entries)):
        remove_class(course)
        print("The demonstration class is taken out of submitted/.")
    elif not real:
        make_class(course)
        print(f"submitted/ has no submissions yet: a demonstration class of {len(STUDENTS)} stands in. "
              "It goes when you put the first real student's folder there.")
    return 0


def make_class(course: Course) -> None:
    """Write every student's notebooks and set the first assignment's due date. Files that are the same stay untouched."""
    with course.gradebook() as gradebook:
        gradebook.update_or_create_assignment(LESSON.assignment, duedate=DUE)
    for student in STUDENTS:
        for lesson in find_lessons() if student.every_lesson else [LESSON]:
            folder = course.folder("submitted") / f"{PREFIX}{student.name}" / lesson.assignment
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "timestamp.txt").write_text(student.handed_in + "\n", encoding="utf-8")
            (folder / lesson.released.name).write_text(notebook_text(student, lesson), encoding="utf-8")


def remove_class(course: Course) -> None:
    """Take the demonstration students out of every folder and out of the gradebook. Nobody else is touched."""
    for kind in ("submitted", "autograded", "feedback"):
        for folder in course.folder(kind).glob(f"{PREFIX}*"):
            shutil.rmtree(folder)
    with course.gradebook() as gradebook:
        for student in STUDENTS:
            try:
                gradebook.remove_student(f"{PREFIX}{student.name}")
            except MissingEntry:
                continue
        if any(assignment.name == LESSON.assignment for assignment in gradebook.assignments):
            assignment = gradebook.find_assignment(LESSON.assignment)
            if not assignment.submissions and str(assignment.duedate) in DUE:
                gradebook.update_or_create_assignment(LESSON.assignment, duedate=None)


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


if __name__ == "__main__":
    sys.exit(main())
