"""Vectors of two components as arrows, and where attention moves them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import matplotlib
import numpy as np

from attnlab.arrays import as_numpy
from attnlab.figures.colours import NEUTRAL
from attnlab.figures.picture import STYLE, Picture, new_figure, plot
from attnlab.figures.tables import numbered

AT_MOST = 6  # tokens that can still be told apart
TOKEN = "#222222"


def arrows(tokens: Any, outputs: Any, names: Sequence[str] | None = None, says: str | None = None) -> Picture:
    """Draw each token as a black arrow, and its output as a thinner grey one.

    Args:
        tokens: array or tensor `(T, 2)`, at most six tokens.
        outputs: array or tensor `(T, 2)`, row i what attention makes of token i.
        names: T names; "token 0" and so on by default.
        says: what to see; by default which token moves furthest.

    Raises:
        ValueError: another shape, or too many tokens.
    """
    before, after = (np.asarray(as_numpy(vectors), dtype=float) for vectors in (tokens, outputs))
    if before.ndim != 2 or before.shape != after.shape or before.shape[1] != 2 or not 0 < len(before) <= AT_MOST:
        raise ValueError(
            f"tokens of shape {before.shape} and outputs of shape {after.shape} cannot be drawn: both are (T, 2), and T is 1 to {AT_MOST}"
        )
    labels = [str(name) for name in numbered(names or [f"token {place}" for place in range(len(before))], len(before))]
    reach = 1.35 * float(np.abs(np.concatenate([before, after])).max() or 1.0)
    with matplotlib.rc_context(STYLE):
        figure = new_figure(5.4, 5.0, left=0.55, bottom=0.5)
        axes = figure.subplots()
        axes.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", xlabel="component 0", ylabel="component 1")
        axes.axhline(0, color="0.8", linewidth=0.8)
        axes.axvline(0, color="0.8", linewidth=0.8)
        for vector, moved, label in zip(before, after, labels):
            _arrow(axes, vector, TOKEN, 3.0)
            _arrow(axes, moved, NEUTRAL, 1.4)
            axes.plot(*zip(vector, moved), color=NEUTRAL, linewidth=1, linestyle=":")
            axes.annotate(label, vector, xytext=6 * np.sign(vector), textcoords="offset points", ha=_side(vector[0]), va="center", color="0.15")
    furthest = int(np.linalg.norm(after - before, axis=1).argmax())
    return plot(figure, says or f"Black arrows are the tokens, grey ones their outputs. {labels[furthest].capitalize()} moves furthest.")


def _arrow(axes: Any, vector: np.ndarray, colour: str, width: float) -> None:
    axes.annotate("", vector, (0, 0), arrowprops={"arrowstyle": "-|>", "color": colour, "linewidth": width, "shrinkA": 0, "shrinkB": 0})


def _side(component: float) -> str:
    return "right" if component < 0 else "left"
