"""Which exercises pass their visible check: now, in this session, and before, as a small file beside the notebook remembers.

The file is for the learner's eyes. Nobody grades by it, and a check that is run again overwrites what it says.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from attnlab import reference

FILE = ".progress.json"
BAR = 20  # characters

_state: dict[str, bool | None] = {}  # passes, fails, or is not started


def started(exercise: str) -> None:
    """Remember that a check of the exercise began; it counts as failed until `passed`."""
    _remember(exercise, False)


def passed(exercise: str) -> None:
    """Remember that the visible check of the exercise passed."""
    _remember(exercise, True)


def untouched(exercise: str) -> None:
    """Forget the exercise: its answer is still the stub, which is no failure."""
    _remember(exercise, None)


def progress(lesson: str | None = None) -> None:
    """Print how far the learner is.

    Args:
        lesson: "1_basic_attention" for its exercises one by one; without it, one line for each lesson of the course.
    """
    if lesson is None:
        _print_course()
    else:
        _print_lesson(lesson)


def _print_lesson(lesson: str) -> None:
    points = reference.exercises_of(lesson)
    before = _read(_folder())
    marks = {exercise: _mark(exercise, before) for exercise in points}
    for exercise, worth in points.items():
        print(f"{marks[exercise]} {exercise:<34}{worth:>3} points")
    done = [exercise for exercise, mark in marks.items() if mark in "✓·"]
    earned, total = sum(map(points.get, done)), sum(points.values())
    print(f"visible checks passed: {len(done)} of {len(points)}, worth {earned} of {total} points; {total - earned} still open")
    if "·" in marks.values():
        print("·  passed before this session; run its check again to be sure that it still does")


def _mark(exercise: str, before: dict[str, bool]) -> str:
    if exercise in _state:
        return {True: "✓", False: "✗", None: "○"}[_state[exercise]]
    return {True: "·", False: "✗", None: "○"}[before.get(exercise)]


def _print_course() -> None:
    for lesson in reference.lessons():
        points = reference.exercises_of(lesson)
        before = _read((_folder() or Path()) / lesson)
        done = [exercise for exercise in points if before.get(exercise)]
        earned, total = sum(map(points.get, done)), sum(points.values())
        full = BAR * earned // total
        print(f"{lesson:<24}{'█' * full}{'░' * (BAR - full)}  {len(done)} of {len(points)} checks passed, "
              f"{total - earned} of {total} points still open")


def _remember(exercise: str, passes: bool | None) -> None:
    _state[exercise] = passes
    folder = _folder()
    if folder is None:
        return
    try:
        (folder / FILE).write_text(json.dumps({**_read(folder), **_state}, indent=1), encoding="utf-8")
    except OSError:  # a folder that may not be written to costs the memory, never the check
        return


def _folder() -> Path | None:
    """The folder of the notebook that is open in Jupyter; None where notebooks only run, as in grading and in tests."""
    notebook = os.environ.get("JPY_SESSION_NAME")  # Jupyter's server sets it for the kernels that it starts
    return Path(notebook).parent if notebook and Path(notebook).parent.is_dir() else None


def _read(folder: Path | None) -> dict[str, bool]:
    """What the file in `folder` says; nothing when there is none or somebody else wrote it."""
    try:
        content = json.loads((folder / FILE).read_text(encoding="utf-8")) if folder else {}
    except (OSError, ValueError):
        return {}
    return {exercise: passes for exercise, passes in content.items() if isinstance(passes, bool)} if isinstance(content, dict) else {}
