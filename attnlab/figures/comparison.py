"""Yours, the target, and the difference."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, Callable

import matplotlib
import numpy as np

from attnlab import reference
from attnlab.check import calls
from attnlab.check.kinds import as_numpy
from attnlab.figures.heatmap import NOTHING, draw_difference, draw_matrix, label_axes
from attnlab.figures.picture import STYLE, Picture, new_figure


def compare(exercise: str, answer: Callable[..., Any], rows: Sequence[str] = (), columns: Sequence[str] = (),
            call: Callable[..., Any] | None = None) -> Picture:
    """Draw the learner's result for the lesson's own example beside the target. Never raises for a wrong answer.

    Args:
        exercise: the exercise's name.
        answer: what the learner wrote.
        rows, columns: names of the axes of the target; numbers by default.
        call: how to get a result from `answer` and the arguments of a case; by default what `calls` knows of the exercise.
    """
    case = reference.load(exercise).cases[0]
    target = _as_matrix(as_numpy(case.expected))
    call = call or calls.of(exercise)
    try:
        yours = _as_matrix(np.asarray(as_numpy(call(answer, *copy.deepcopy(case.arguments))), dtype=float))
        trouble = "" if yours.shape == target.shape else f"yours has another shape: {yours.shape} instead of {target.shape}"
    except NotImplementedError:
        yours, trouble = None, "not written yet"
    except Exception as error:  # the check explains it; the picture only says why it stays empty
        yours, trouble = None, f"yours raised {type(error).__name__}"
    return _draw(exercise, yours, target, trouble, rows, columns)


def _draw(exercise: str, yours: np.ndarray | None, target: np.ndarray, trouble: str,
          rows: Sequence[str], columns: Sequence[str]) -> Picture:
    low, high = float(min(target.min(), 0)), float(target.max())
    with matplotlib.rc_context(STYLE):
        panel = max(2.3, 0.62 * target.shape[1] + 0.7)
        figure = new_figure(3 * panel, 1.0 + max(0.42 * target.shape[0], 1.0))
        left, middle, right = figure.subplots(1, 3)
        for axes, matrix, title in ((left, yours, "yours"), (middle, target, "target")):
            axes.set_title(title)
            if matrix is None:
                _say(axes, trouble)
            else:
                draw_matrix(axes, matrix, low, high)
                label_axes(axes, _names(rows, matrix.shape[0]), _names(columns, matrix.shape[1]))
        right.set_title("yours − target")
        if trouble:
            _say(right, "nothing to subtract")
        else:
            draw_difference(right, yours - target)
            label_axes(right, _names(rows, target.shape[0]), _names(columns, target.shape[1]))
    return Picture(figure, f"{exercise}: {trouble or _verdict(yours - target)}.")


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


def _as_matrix(array: np.ndarray) -> np.ndarray:
    """Two axes for any number of them: a batch is drawn one sequence under the other."""
    return array.reshape(-1, array.shape[-1]) if array.ndim > 1 else array.reshape(1, -1)
