"""Which exercises of this session pass their visible check."""

from __future__ import annotations

from attnlab import reference

_state: dict[str, bool] = {}


def started(exercise: str) -> None:
    """Remember that a check of the exercise began; it counts as failed until `passed`."""
    _state[exercise] = False


def passed(exercise: str) -> None:
    """Remember that the visible check of the exercise passed."""
    _state[exercise] = True


def progress(lesson: str) -> None:
    """Print the exercises of a lesson ("1_basic_attention"): passed, failed or not tried, and the points still open."""
    points = reference.exercises_of(lesson)
    marks = {True: "✓", False: "✗", None: "○"}
    for exercise, worth in points.items():
        print(f"{marks[_state.get(exercise)]} {exercise:<28}{worth:>3} points")
    done = sum(worth for exercise, worth in points.items() if _state.get(exercise))
    print(f"visible checks passed: {sum(map(bool, map(_state.get, points)))} of {len(points)}, "
          f"worth {done} of {sum(points.values())} points")
