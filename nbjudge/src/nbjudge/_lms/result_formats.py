"""The result of one hand-in as other platforms read it: Gradescope's `results.json`, and `result.json` of Classroom 50.

Gradescope: https://gradescope-autograders.readthedocs.io/en/latest/specs/
Classroom 50: https://github.com/foundation50/classroom50/wiki/Advanced-Autograding
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal, get_args

from nbjudge._common.terminal_text import shown
from nbjudge._wire.errors import CannotGrade

Visibility = Literal["visible", "after_due_date", "after_published", "hidden"]
VISIBILITIES: tuple[str, ...] = get_args(Visibility)
LONGEST = 4000  # letters of what a test says
SCHEMA = "classroom50/result/v1"
FROM_ENVIRONMENT = {
    "classroom": "CLASSROOM",
    "assignment": "ASSIGNMENT",
    "submission": "SUBMISSION_TAG",
    "commit": "COMMIT_URL",
    "release": "RELEASE_URL",
}


@dataclass(frozen=True)
class Question:
    """The points of one test, and what it said."""

    name: str
    points: float
    most: float
    said: str


@dataclass(frozen=True)
class Result:
    """What became of one hand-in. `refused` says to its student why it could not be graded: it has no points then, and no questions."""

    questions: tuple[Question, ...] = ()
    by_hand: tuple[tuple[str, float], ...] = ()  # what people grade, and tests that could not judge, by name, with the most points
    notes: tuple[str, ...] = ()
    refused: str = ""
    seconds: float = field(default=0.0, compare=False)

    @property
    def output(self) -> str:
        """What is said of all of it."""
        if self.refused:
            return f"Not graded: {self.refused}"
        lines = list(self.notes)
        if self.by_hand:
            lines.append(f"Graded by hand, and not in these points: {', '.join(f'{name} ({most:g})' for name, most in self.by_hand)}.")
        return "\n".join(lines)


def for_gradescope(result: Result, visibility: str = "visible") -> dict[str, Any]:
    """The content of `results.json`. What is printed is for the instructor alone."""
    tests = [
        {
            "name": shown(question.name),
            "score": question.points,
            "max_score": question.most,
            "status": "passed" if question.points >= question.most else "failed",
            "output": shown(question.said, LONGEST, lines=True),
            "output_format": "text",
            "visibility": visibility,
        }
        for question in result.questions
    ]
    about: dict[str, Any] = {
        "output": shown(result.output, LONGEST, lines=True),
        "output_format": "text",
        "visibility": "visible" if result.refused else visibility,
        "stdout_visibility": "hidden",
        "execution_time": round(result.seconds),
    }
    return {**about, "tests": tests} if tests else {**about, "score": 0}


def for_classroom50(result: Result, environment: Mapping[str, str]) -> dict[str, Any]:
    """The content of `result.json`. `environment` is the one that the platform's runner gives.

    Raises:
        CannotGrade: a variable of the runner's is missing, or the points are no whole numbers, which are all that the platform knows.
    """
    if missing := [name for name in FROM_ENVIRONMENT.values() if not environment.get(name)]:
        raise CannotGrade(f"the runner of Classroom 50 sets {', '.join(missing)}, and nothing did here", "run this as its autograder.py does")
    if refused := [f"{question.name} ({question.points:g} of {question.most:g})" for question in result.questions if not _is_whole(question)]:
        raise CannotGrade(
            f"Classroom 50 takes whole points only, and there are parts of a point: {', '.join(refused)}", "give whole points in the lesson"
        )
    tests = [
        {
            "test-name": shown(question.name),
            "passed": question.points >= question.most,
            "score": int(question.points),
            "max-score": int(question.most),
            "message": shown(question.said, LONGEST, lines=True),
        }
        for question in result.questions
    ]
    if result.refused:
        tests = [{"test-name": "hand-in", "passed": False, "score": 0, "max-score": 0, "message": shown(result.output, LONGEST, lines=True)}]
    return {
        "schema": SCHEMA,
        **{name: environment[variable] for name, variable in FROM_ENVIRONMENT.items()},
        "review": environment.get("REVIEW_URL") or environment["COMMIT_URL"],
        "datetime": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "score": sum(test["score"] for test in tests),
        "max-score": sum(test["max-score"] for test in tests),
        "tests": tests,
    }


def _is_whole(question: Question) -> bool:
    return float(question.points).is_integer() and float(question.most).is_integer()
