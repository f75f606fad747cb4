"""`python -m tests.website.what_checks_say [WHEEL_FOLDER]`: what visible checks say to answers, as JSON.

With the folder of an unpacked wheel of `attnlab` for browsers, its stand-in takes torch's place. An answer that needs torch is told None.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any

EVERY = 4  # a quarter of 1,400 answers takes a quarter of two minutes


def main(folders: list[str]) -> None:
    """Print what is said by the keys of the answers."""
    sys.path[:0] = folders
    if folders:
        import_module("attnlab.in_browser").stand_in_for_torch()
    import authoring.answers as answers  # now: what it imports asks for torch
    from authoring.answer_files import find_answers
    from authoring.exercises import find_exercises
    from authoring.lessons import find_lessons, grade_id, read_text
    from tests.lessons.test_answers import submission

    run, stopped = answers.run_quietly, []

    def run_cell(source: str, name: str, namespace: dict[str, Any]) -> Any:
        done = quietly(run, source, name, namespace)
        stopped.extend([name] if done is None else [])
        return done

    answers.run_quietly = run_cell
    said: dict[str, Any] = {}
    for lesson in find_lessons():
        visible = {grade_id(cell): cell.source for cell in submission(lesson).cells}
        tests = {
            exercise.name: [visible[grade_id(read_text(lesson).cells[test])] for test in exercise.tests]
            for exercise in find_exercises(read_text(lesson))
        }
        for answer in find_answers(lesson)[::EVERY]:
            namespace = answers.Namespace(submission(lesson), answer)
            own_cell = f"{answer.place} ({answer.key})"
            said[f"{lesson.assignment} {answer.exercise} {answer.key}"] = [
                None if own_cell in stopped else quietly(answers.run_test, test, 1, namespace) for test in tests[answer.exercise]
            ]
    print(json.dumps(said))


def quietly(run: Callable[..., Any], *what: Any) -> Any:
    """What it gives; None where it needs torch, which a notebook shows in the place of what a cell gives."""
    try:
        return run(*what)
    except BaseException as error:
        if type(error).__name__ != "NeedsTorch":
            raise
        return None


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(sys.argv[1:])
