"""Yours, the target, and the difference; or, when they are equal, what the result means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from attnlab import exercises, history, reference
from attnlab.arrays import as_numpy, copied, deep_copy
from attnlab.diagnosis.exceptions.raised import is_not_written
from attnlab.diagnosis.limits import CodeTimeoutError, limited, remember_stopped, stopped
from attnlab.figures.colours import NOTHING, ROLES, Scale, scale_of, scale_of_differences, without_rounding
from attnlab.figures.layout import Gap, Panel, layout, matrix_panel
from attnlab.figures.picture import Picture
from attnlab.figures.tables import Cell, Name, numbered
from attnlab.reference import Case

EQUALS, RESULT, RESULT_FOR = "yours equals the target", "your result", "Your result for"
DIFFERENCE = "yours − target"
AXES = {  # rows and columns, by what `Exercise.shows` says
    **dict.fromkeys(("scores", "weights", "mask"), ("query (row)", "key (column)")),
    **dict.fromkeys(("scores in columns", "weights in columns"), ("key (row)", "query (column)")),
    "vectors": ("token", "component"),
    "vectors in columns": ("component", "token"),
}


def compare(
    exercise: str,
    answer: Callable[..., Any],
    rows: Sequence[str] = (),
    columns: Sequence[str] = (),
    means: Callable[[Any], Picture | None] | None = None,
) -> Picture:
    """Show the learner's result for the lesson's own example beside the target. Never raises for a wrong answer.

    A function is not called where its check says that it took too long, or that it is not what its cell defines now.

    When both are equal (to four decimals, and of the same shape), one line says so and the place goes to what the result means.

    Args:
        exercise: the exercise's name.
        answer: what the learner wrote.
        rows, columns: names of the axes of the target; numbers by default.
        means: a function of the learner's result for the lesson's own example, called only when it equals the target. It returns
            the picture to show; without it, or when it returns None, the result is shown by itself. Should it raise, the result is
            shown, and the caption says that its picture is missing.
    """
    case = reference.cases(exercise)[0]
    targets = _arrays(case.expected, isinstance(case.expected, tuple))
    names = [f"{name}: " for name in case.parts] if len(targets) > 1 else [""]
    result, yours, trouble = _called(exercise, answer, case)
    if yours is not None and len(yours) != len(targets):
        trouble = f"yours has {len(yours)} parts instead of {len(targets)}"
    if yours is None or len(yours) != len(targets):
        yours = [None] * len(targets)
    shows = (*exercises.find(exercise).shows, *[""] * len(targets))
    lines = [_Line(name, mine, target, trouble, what) for name, mine, target, what in zip(names, yours, targets, shows)]
    if len(lines) > 1 and all(target.shape == (len(targets[0]), 1) for target in targets):  # single columns: side by side
        lines, columns = [_joined(lines)], [Cell(part, ROLES[part]) if part in ROLES else part for part in case.parts]
    if all(line.equal for line in lines):
        shapes = ", ".join(name + _shape(target) for name, target in zip(names, targets))
        return _meaning(f"{exercise}: {EQUALS}, {shapes}.", result, case.label, lines, rows, columns, means)
    verdicts = dict.fromkeys(line.says() for line in lines)
    return Picture(layout(*(line.panels(rows, columns) for line in lines)), f"{exercise}: {'; '.join(verdicts)}.")


def _called(exercise: str, answer: Callable[..., Any], case: Case) -> tuple[Any, list[np.ndarray] | None, str]:
    """The learner's result for a case, and its parts as arrays; or why there is none."""
    if found := history.outdated(exercise, exercise, answer) or stopped(answer):
        return None, None, found.observed
    described = exercises.find(exercise)
    try:
        with limited(described.seconds):
            result = described.call(answer, *deep_copy(case.arguments))
        return (result, None, "yours returns nothing") if result is None else (result, _arrays(result, isinstance(case.expected, tuple)), "")
    except CodeTimeoutError as error:
        remember_stopped(answer, error.diagnosis)
        return None, None, error.diagnosis.observed
    except Exception as error:  # the check explains it; the picture only says why it stays empty
        return None, None, "not written yet" if is_not_written(error) else f"yours raised {type(error).__name__}"


@dataclass
class _Line:
    """One line of the picture: yours, the target and the difference of one array."""

    name: str
    yours: np.ndarray | None
    target: np.ndarray
    trouble: str
    shows: str  # as `Exercise.shows` says it

    def __post_init__(self) -> None:
        if not self.trouble and self.yours is not None and self.yours.shape != self.target.shape:
            self.trouble = f"yours has another shape: {self.yours.shape} instead of {self.target.shape}"

    @property
    def equal(self) -> bool:
        return not self.trouble and float(np.abs(self.yours - self.target).max(initial=0)) < NOTHING

    def panels(self, rows: Sequence[Name], columns: Sequence[Name]) -> list[Panel]:
        target = self.panel("target", self.target, rows, columns)
        if self.trouble:
            yours = Gap(f"{self.name}yours", self.trouble) if self.yours is None else self.panel("yours", self.yours, rows, columns)
            return [yours, target, Gap(DIFFERENCE, "nothing to subtract")]
        difference = _as_matrix(without_rounding(self.yours - self.target))
        return [
            self.panel("yours", self.yours, rows, columns),
            target,
            _panel(DIFFERENCE, difference, scale_of_differences(difference), rows, columns, AXES.get(self.shows, ("", ""))),
        ]

    def panel(self, title: str, array: np.ndarray, rows: Sequence[Name], columns: Sequence[Name]) -> Panel:
        what = self.shows.removesuffix(" in columns")
        scale = scale_of(what, [self.target]) if what in ("scores", "weights") else None
        return _panel(f"{self.name}{title}", _as_matrix(array), scale, rows, columns, AXES.get(self.shows, ("", "")))

    def says(self) -> str:
        return self.name + (self.trouble or _verdict(self.yours - self.target))


def _meaning(
    line: str,
    result: Any,
    label: str,
    lines: list[_Line],
    rows: Sequence[Name],
    columns: Sequence[Name],
    means: Callable[[Any], Picture | None] | None,
) -> Picture:
    """The line, and under it what the result means, or the result itself."""
    missing = ""
    try:
        with limited():
            picture = means(copied(result)) if means else None
    except CodeTimeoutError as error:  # another exercise that `means` uses
        picture, missing = None, f" The picture of what it means is missing: {error.diagnosis.observed}."
    except Exception as error:  # most likely another exercise that `means` uses and that is not right yet
        picture, missing = None, f" The picture of what it means is missing: it raised {type(error).__name__}."
    if picture is not None:
        return Picture(picture.body, picture.says, before=f"{line} {picture.before}".strip())
    panels = [part.panel(RESULT, part.yours, rows, columns) for part in lines if part.yours is not None]
    return Picture(layout(panels), f"{RESULT_FOR} {label}.{missing}", before=line)


def _joined(lines: list[_Line]) -> _Line:
    """Single columns side by side, as one matrix."""
    target = np.hstack([line.target for line in lines])
    trouble = next((line.says() if line.yours is not None else line.trouble for line in lines if line.trouble), "")
    return _Line("", None if trouble else np.hstack([line.yours for line in lines if line.yours is not None]), target, trouble, "")


def _panel(
    title: str, matrix: np.ndarray, scale: Scale | None, rows: Sequence[Name], columns: Sequence[Name], axes: tuple[str, str] = ("", "")
) -> Panel:
    if matrix.size == 1:  # a single number has no axes to count
        return matrix_panel(title, matrix, scale)
    row_axis, column_axis = (axis if length > 1 else "" for axis, length in zip(axes, matrix.shape))
    return matrix_panel(title, matrix, scale, numbered(rows, matrix.shape[0]), numbered(columns, matrix.shape[1]), row_axis, column_axis)


def _verdict(difference: np.ndarray) -> str:
    largest = float(np.abs(difference).max())
    if not np.isfinite(largest):
        return "yours holds nan or inf"
    return "yours and the target are equal" if largest < NOTHING else f"the largest difference is {largest:.3g}"


def _shape(array: np.ndarray) -> str:
    return f"shape {array.shape}" if array.ndim else "one number"


def _arrays(value: Any, in_parts: bool) -> list[np.ndarray]:
    return [np.asarray(as_numpy(part), dtype=float) for part in (value if in_parts else [value])]


def _as_matrix(array: np.ndarray) -> np.ndarray:
    """Two axes for any number of them: a batch is shown one sequence under the other."""
    return array.reshape(-1, array.shape[-1]) if array.ndim > 1 else array.reshape(1, -1)
