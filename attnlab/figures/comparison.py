"""Yours, the target, and the difference."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from attnlab import reference
from attnlab.check import calls
from attnlab.check.kinds import as_numpy
from attnlab.figures.colours import NOTHING, Scale, scale_of_differences, without_rounding
from attnlab.figures.layout import Gap, Panel, layout, matrix_panel
from attnlab.figures.picture import Picture
from attnlab.figures.tables import numbered

DIFFERENCE = "yours − target"


def compare(exercise: str, answer: Callable[..., Any], rows: Sequence[str] = (), columns: Sequence[str] = ()) -> Picture:
    """Show the learner's result for the lesson's own example beside the target. Never raises for a wrong answer.

    Args:
        exercise: the exercise's name.
        answer: what the learner wrote.
        rows, columns: names of the axes of the target; numbers by default.
    """
    case = reference.cases(exercise)[0]
    in_parts = isinstance(case.expected, tuple)
    targets = _matrices(case.expected, in_parts)
    call = calls.of(exercise)
    try:
        result = call(answer, *copy.deepcopy(case.arguments))
        yours = [] if result is None else _matrices(result, in_parts)
        trouble = "" if len(yours) == len(targets) else f"yours has {len(yours)} parts instead of {len(targets)}"
        trouble = "yours returns nothing" if result is None else trouble
    except NotImplementedError:
        yours, trouble = [], "not written yet"
    except Exception as error:  # the check explains it; the picture only says why it stays empty
        yours, trouble = [], f"yours raised {type(error).__name__}"
    if len(yours) != len(targets):
        yours = [None] * len(targets)
    parts = case.parts if len(targets) > 1 else [""]
    if in_parts and len(targets) == 1:
        columns = case.parts
    lines = [_Line(*line, trouble, rows, columns) for line in zip(parts, yours, targets)]
    verdicts = dict.fromkeys(line.says() for line in lines)
    return Picture(layout(*(line.panels() for line in lines)), f"{exercise}: {'; '.join(verdicts)}.")


@dataclass
class _Line:
    """One line of the picture: yours, the target and the difference of one matrix."""

    name: str
    yours: np.ndarray | None
    target: np.ndarray
    trouble: str
    rows: Sequence[str]
    columns: Sequence[str]

    def __post_init__(self) -> None:
        if not self.trouble and self.yours.shape != self.target.shape:
            self.trouble = f"yours has another shape: {self.yours.shape} instead of {self.target.shape}"

    def panels(self) -> list[Panel]:
        scale = Scale(float(min(self.target.min(), 0)), float(self.target.max()))
        before = f"{self.name}: " if self.name else ""
        yours = Gap(f"{before}yours", self.trouble) if self.yours is None else self._panel(f"{before}yours", self.yours, scale)
        return [yours, self._panel(f"{before}target", self.target, scale), self._difference()]

    def says(self) -> str:
        return (f"{self.name}: " if self.name else "") + (self.trouble or _verdict(self.yours - self.target))

    def _difference(self) -> Panel:
        if self.trouble:
            return Gap(DIFFERENCE, "nothing to subtract")
        difference = without_rounding(self.yours - self.target)
        return self._panel(DIFFERENCE, difference, scale_of_differences(difference))

    def _panel(self, title: str, matrix: np.ndarray, scale: Scale) -> Panel:
        if matrix.size == 1:  # a single number has no axes to count
            return matrix_panel(title, matrix, scale)
        return matrix_panel(title, matrix, scale, numbered(self.rows, matrix.shape[0]), numbered(self.columns, matrix.shape[1]))


def _verdict(difference: np.ndarray) -> str:
    largest = float(np.abs(difference).max())
    if not np.isfinite(largest):
        return "yours holds nan or inf"
    return "yours and the target are equal" if largest < NOTHING else f"the largest difference is {largest:.3g}"


def _matrices(value: Any, in_parts: bool) -> list[np.ndarray]:
    """The matrices to show: one per part of a tuple, or one with all parts side by side when each is a single column."""
    if not in_parts:
        return [_as_matrix(np.asarray(as_numpy(value), dtype=float))]
    parts = [_as_matrix(np.asarray(as_numpy(part), dtype=float)) for part in value]
    if all(part.shape == (len(parts[0]), 1) for part in parts):
        return [np.hstack(parts)]
    return parts


def _as_matrix(array: np.ndarray) -> np.ndarray:
    """Two axes for any number of them: a batch is shown one sequence under the other."""
    return array.reshape(-1, array.shape[-1]) if array.ndim > 1 else array.reshape(1, -1)
