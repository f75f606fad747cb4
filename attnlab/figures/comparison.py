"""Yours, the target, and the difference."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Callable

import matplotlib
import numpy as np
from matplotlib.axes import Axes

from attnlab import reference
from attnlab.check import calls
from attnlab.check.kinds import as_numpy
from attnlab.figures.heatmap import NOTHING, draw_difference, draw_matrix, label_axes
from attnlab.figures.picture import STYLE, Picture, new_figure


def compare(exercise: str, answer: Callable[..., Any], rows: Sequence[str] = (), columns: Sequence[str] = ()) -> Picture:
    """Draw the learner's result for the lesson's own example beside the target. Never raises for a wrong answer.

    Args:
        exercise: the exercise's name.
        answer: what the learner wrote.
        rows, columns: names of the axes of the target; numbers by default.
    """
    case = reference.load(exercise).cases[0]
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
    panels = [_Panels(*panel, trouble, rows, columns) for panel in zip(parts, yours, targets)]
    return _draw(exercise, panels)


@dataclass
class _Panels:
    """One row of the picture: yours, the target and the difference of one matrix."""

    name: str
    yours: np.ndarray | None
    target: np.ndarray
    trouble: str
    rows: Sequence[str]
    columns: Sequence[str]

    def __post_init__(self) -> None:
        if not self.trouble and self.yours.shape != self.target.shape:
            self.trouble = f"yours has another shape: {self.yours.shape} instead of {self.target.shape}"

    def draw(self, left: Axes, middle: Axes, right: Axes) -> None:
        low, high = float(min(self.target.min(), 0)), float(self.target.max())
        for axes, matrix, title in ((left, self.yours, "yours"), (middle, self.target, "target")):
            axes.set_title(f"{self.name}: {title}" if self.name else title)
            if matrix is None:
                _say(axes, self.trouble)
            else:
                draw_matrix(axes, matrix, low, high)
                self._label(axes, matrix)
        right.set_title("yours − target")
        if self.trouble:
            _say(right, "nothing to subtract")
        else:
            draw_difference(right, self.yours - self.target)
            self._label(right, self.target)

    def says(self) -> str:
        return (f"{self.name}: " if self.name else "") + (self.trouble or _verdict(self.yours - self.target))

    def _label(self, axes: Axes, matrix: np.ndarray) -> None:
        alone = matrix.size == 1  # a single number has no axes to count
        label_axes(axes, *([], []) if alone else (_names(self.rows, matrix.shape[0]), _names(self.columns, matrix.shape[1])))


def _draw(exercise: str, panels: list[_Panels]) -> Picture:
    with matplotlib.rc_context(STYLE):
        width = max(max(2.3, 0.62 * panel.target.shape[1] + 0.7) for panel in panels)
        heights = [1.0 + max(0.42 * panel.target.shape[0], 1.0) for panel in panels]
        figure = new_figure(3 * width, sum(heights))
        places = figure.subplots(len(panels), 3, squeeze=False, height_ratios=heights)
        for panel, row in zip(panels, places):
            panel.draw(*row)
    return Picture(figure, f"{exercise}: {'; '.join(dict.fromkeys(panel.says() for panel in panels))}.")


def _names(names: Sequence[str], length: int) -> list[str]:
    return list(names) if len(names) == length else [str(index) for index in range(length)]


def _verdict(difference: np.ndarray) -> str:
    largest = float(np.abs(difference).max())
    if not np.isfinite(largest):
        return "yours holds nan or inf"
    return "yours and the target are equal" if largest < NOTHING else f"the largest difference is {largest:.3g}"


def _say(axes: Any, text: str) -> None:
    axes.text(0.5, 0.5, text, ha="center", va="center", color="0.35", wrap=True, transform=axes.transAxes)
    axes.set_axis_off()


def _matrices(value: Any, in_parts: bool) -> list[np.ndarray]:
    """The matrices to draw: one per part of a tuple, or one with all parts side by side when each is a single column."""
    if not in_parts:
        return [_as_matrix(np.asarray(as_numpy(value), dtype=float))]
    parts = [_as_matrix(np.asarray(as_numpy(part), dtype=float)) for part in value]
    if all(part.shape == (len(parts[0]), 1) for part in parts):
        return [np.hstack(parts)]
    return parts


def _as_matrix(array: np.ndarray) -> np.ndarray:
    """Two axes for any number of them: a batch is drawn one sequence under the other."""
    return array.reshape(-1, array.shape[-1]) if array.ndim > 1 else array.reshape(1, -1)
