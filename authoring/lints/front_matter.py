"""Each lesson says what it is for, how long it takes and what it is worth."""

from __future__ import annotations

from nbformat import NotebookNode

from authoring.errors import Problem
from authoring.exercises import find_exercises, total_points
from authoring.lessons import Lesson

KEYS = {"title": str, "minutes": int, "points": int, "goals": list, "needs": list, "in_short": str}


def lint_front_matter(lesson: Lesson, source: NotebookNode) -> list[Problem]:
    """Problems of the `lesson:` part of the front matter."""
    front = source.metadata.get("lesson")
    if not front:
        return [_problem(lesson, "there is no `lesson:` part", f"add it below `jupyter:` with {', '.join(KEYS)}")]
    problems = [
        _problem(lesson, f"`{key}` is missing or not a {kind.__name__}", f"give `{key}` as {kind.__name__}")
        for key, kind in KEYS.items()
        if not isinstance(front.get(key), kind) or not front[key]
    ]
    if problems:
        return problems
    points, minutes = total_points(source), sum(exercise.minutes for exercise in find_exercises(source))
    if not isinstance(front.get("optional", False), bool):
        problems.append(_problem(lesson, f"`optional` is {front['optional']!r}", "write `optional: true`, or leave it out"))
    if not isinstance(front.get("package", ""), str):
        problems.append(_problem(lesson, f"`package` is {front['package']!r}", "name the package that it needs, as it is imported, or leave it out"))
    if front["points"] != points:
        problems.append(
            _problem(
                lesson,
                f"it says {front['points']} points, the cells sum to {points}",
                f"write `points: {points}`, and {points} in the table at the top",
            )
        )
    if front["minutes"] < minutes:
        problems.append(_problem(lesson, f"it says {front['minutes']} minutes, the cards alone take {minutes}", "give the reader's time too"))
    words = source.cells[0].source if source.cells else ""
    if front.get("optional") and "**Optional.**" not in words:
        problems.append(_problem(lesson, "the first cell does not tell the learner that the lesson is optional", "start its text with **Optional.**"))
    for key in ("points", "minutes"):
        if str(front[key]) not in words:
            problems.append(
                _problem(lesson, f"the first cell does not tell the learner the {front[key]} {key}", f"write the {key} into the table at the top")
            )
    return problems


def _problem(lesson: Lesson, what: str, next_step: str) -> Problem:
    return Problem(lesson.shown(lesson.text), "front matter", what, next_step)
