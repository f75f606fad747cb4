"""`python -m authoring build`: from the lessons' text to `notebooks/`, `solutions/` and the references of the checks."""

from __future__ import annotations

import argparse
import sys

from authoring.bundle.command import HELP as RELEASE
from authoring.bundle.command import write_release
from authoring.errors import BuildError, Problem
from authoring.filled import refuse_where_answers_are
from authoring.lessons import ROOT, Lesson, find_lessons, missing_package, write_notebook
from authoring.lints import lint_release, lint_source
from authoring.new_exercise import Refused, find_lesson, write_exercise
from authoring.pairing import pair
from authoring.references import make_references, write_references
from authoring.release import release
from authoring.runs import write_run
from authoring.solutions import solve
from authoring.start_page import write_start_page
from authoring.states import write_states
from authoring.variations.making import write_variations


def build(lesson: Lesson) -> None:
    """Make everything of one lesson that is generated.

    Raises:
        BuildError: with every problem found at the first step that fails; nothing of the lesson is written then.
    """
    refuse_where_answers_are(lesson.root, lesson.released)
    source = pair(lesson)
    _stop_at(lint_source(lesson, source))
    references = make_references(lesson, source)
    released = release(lesson)
    _stop_at(lint_release(lesson, source, released))
    before = lesson.data.read_text(encoding="utf-8") if lesson.data.exists() else None
    write_references(lesson, references)  # the solution's checks and pictures read them
    try:
        solved = solve(lesson, source)
    except BuildError:
        if before is not None:
            lesson.data.write_text(before, encoding="utf-8")
        raise
    write_variations(lesson, source)
    write_notebook(lesson.released, released)
    write_notebook(lesson.solution, solved)


def lint(lesson: Lesson) -> None:
    """Check one lesson without executing it.

    Raises:
        BuildError: with every problem found.
    """
    source = pair(lesson)
    _stop_at(lint_source(lesson, source))
    _stop_at(lint_release(lesson, source, release(lesson)))


NEW_EXERCISE = "write the skeleton of a new exercise in every place where an exercise stands"
COMMANDS = {
    "build": (build, "make notebooks/ and solutions/ from the lessons' text"),
    "lint": (lint, "check the lessons' text, without executing anything"),
    "pair": (pair, "only bring each lesson's text and its notebook in source/ to the same state"),
    "runs": (write_run, "train what the explorer shows, and store it"),
    "states": (write_states, "train the models that lessons offer as trained, and store them"),
}


def begin_exercise(name: str, wanted: str, after: str) -> int:
    """Write the skeleton of an exercise and say what its author does next; return the exit status."""
    try:
        lessons = find_lessons()
        places = write_exercise(name, find_lesson(lessons, wanted), lessons, after)
    except (BuildError, Refused) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"`{name}` has a skeleton. The word TODO stands there from these lines on:", *places, sep="\n  ")
    print("Next: write what belongs there; `make build` says what is left. Step by step: authoring/README.md, “Add an exercise”.")
    return 0


def main(arguments: list[str] | None = None) -> int:
    """Run one command on all lessons, or on those named; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m authoring", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, (_, explanation) in COMMANDS.items():
        command = commands.add_parser(name, help=explanation, description=explanation)
        command.add_argument("lessons", nargs="*", metavar="LESSON", help="for example 1_basic_attention; all by default")
    begin = commands.add_parser("exercise", help=NEW_EXERCISE, description=NEW_EXERCISE)
    begin.add_argument("name", metavar="NAME", help="what learners will write, for example cosine_scores")
    begin.add_argument("lesson", metavar="LESSON", help="the lesson's number, or how its name begins")
    begin.add_argument("--after", metavar="EXERCISE", default="", help="the exercise that it comes after; at the lesson's end by default")
    hand_out = commands.add_parser("release", help=RELEASE, description=RELEASE)
    hand_out.add_argument("--address", metavar="ADDRESS", default="", help="where it will be published, for example https://github.com/OWNER/REPO")
    chosen = parser.parse_args(arguments)
    if chosen.command == "release":
        return write_release(ROOT, chosen.address)
    if chosen.command == "exercise":
        return begin_exercise(chosen.name, chosen.lesson, chosen.after)

    problems: list[Problem] = []
    try:
        lessons = [lesson for lesson in find_lessons() if not chosen.lessons or lesson.assignment in chosen.lessons]
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    for lesson in lessons:
        try:
            if chosen.command == "build" and (package := missing_package(lesson)):
                print(f"build: {lesson.assignment} stays as it is: it needs {package}, which is not installed. Next: make model, make build.")
                continue
            COMMANDS[chosen.command][0](lesson)
        except BuildError as error:
            problems += error.problems
        else:
            if chosen.command != "pair":
                print(f"{chosen.command}: {lesson.assignment} ✓")
    if chosen.command == "build" and not problems:
        try:
            write_start_page(ROOT)
        except BuildError as error:
            problems = error.problems
    if problems:
        print(BuildError(problems), file=sys.stderr)
    return 1 if problems else 0


def _stop_at(problems: list[Problem]) -> None:
    if problems:
        raise BuildError(problems)


if __name__ == "__main__":
    sys.exit(main())
