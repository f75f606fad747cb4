"""How models learn, one after the other: a curve for each, what to compare it with, and where the last one looks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Protocol

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from attnlab.figures.colours import MAPS, MODEL_LOOKS
from attnlab.figures.picture import LEGEND, STYLE, WIDEST, Picture, name_axes, new_figure, plot
from attnlab.figures.training import in_percent, without_frame

LEFT, CURVES, LEAST, GAP, MAP, RIGHT = 0.62, 3.4, 2.6, 0.54, 1.95, 0.04  # inches; LEAST: of curves beside many maps
LETTER = 0.075  # inches of a name beside a map, for each letter
BOTTOM, TALL = 0.5, 2.3
LETTERS = 8.0  # points: of the names beside a map, where there is space
CAPTION = {"right": "Answered right, on new sequences", "loss": "Loss on new sequences, in nats"}


class Learned(Protocol):
    """What is drawn of one model: after which steps it was measured, what was measured then, and at the end."""

    steps: list[int]
    final: float

    @property
    def values(self) -> list[float]: ...


def learning(
    runs: Mapping[str, Learned],
    steps: int,
    measure: str,
    lines: Mapping[str, float],
    maps: Mapping[str, np.ndarray],
    names: Sequence[str] | None = None,
    whose: str = "",
) -> Picture:
    """Draw how much each model has learned while it trains, and maps of weights as they are now.

    Args:
        runs: what was measured so far, by the names of the models.
        steps: how many steps there will be, at most.
        measure: "right", the part that is answered right, or "loss", in nats.
        lines: values to compare with, by name.
        maps: arrays `(T query, T key)` by title; may be empty.
        names: T names of the tokens in the maps; numbers by default.
        whose: the model that the maps are of.
    """
    longest = max((len(label) for weights in maps.values() for label in _labels(np.asarray(weights), names)), default=0)
    gap, bottom = GAP + LETTER * longest, BOTTOM + (LETTER * longest if longest > 2 else 0)
    beside = len(maps) * (gap + MAP)
    curves, top = min(CURVES, max(LEAST, WIDEST - LEFT - beside - RIGHT)), LEGEND * max(1, math.ceil(len(runs) / 2)) + 0.1
    width, height = LEFT + curves + beside + RIGHT, bottom + TALL + top
    with matplotlib.rc_context(STYLE):
        figure = new_figure(width, height)
        axes = figure.add_axes((LEFT / width, bottom / height, curves / width, TALL / height))
        low, high = _scale(axes, runs, measure, lines)
        axes.set(xlim=(0, steps), xlabel="step")
        axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
        axes.ticklabel_format(axis="x", style="plain")
        for place, (name, run) in enumerate(runs.items()):
            colour, line = MODEL_LOOKS[place % len(MODEL_LOOKS)]
            axes.plot(run.steps, run.values, linestyle=line, color=colour, linewidth=1.8, label=name)
        _compare(axes, lines, measure, low, high)
        if runs:
            axes.legend(frameon=False, fontsize=9, loc="lower left", bbox_to_anchor=(-0.02, 1.0), ncols=2, borderpad=0, handlelength=2.6)
        for index, (title, weights) in enumerate(maps.items()):
            left = LEFT + curves + gap + index * (gap + MAP)
            _map(figure.add_axes((left / width, bottom / height, MAP / width, MAP / height)), title, np.asarray(weights), names)
            if whose and index == 0:
                figure.text(left / width, 1 - 0.06 / height, f"where “{whose}” looks", fontsize=9.5, fontweight="bold", va="top")
    return plot(figure, _describe(runs, steps, measure, lines, maps, names, whose))


def _scale(axes: Axes, runs: Mapping[str, Learned], measure: str, lines: Mapping[str, float]) -> tuple[float, float]:
    """Set the upright axis: from 0 to 100 %, or as far as the losses and the lines go, in halves. A loss that rises from there is cut off."""
    if measure == "right":
        in_percent(axes)
        return axes.get_ylim()
    seen = [*lines.values(), *(value for run in runs.values() for value in run.values if math.isfinite(value))] or [1.0]
    starts = [*lines.values(), *(run.values[0] for run in runs.values() if run.values and math.isfinite(run.values[0]))] or seen
    low = max(0.0, math.floor(2 * min(seen) - 0.2) / 2)
    high = max(math.ceil(2 * max(starts) + 0.1) / 2, low + 0.5)
    axes.set(ylim=(low, high), ylabel="loss (nats)")
    axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    return low, high


def _compare(axes: Axes, lines: Mapping[str, float], measure: str, low: float, high: float) -> None:
    """Draw the lines to compare with, and their names at the right end, just above them, or higher where another name stands."""
    free = -math.inf
    for name, value in sorted(lines.items(), key=lambda line: line[1]):
        axes.axhline(value, color="0.6", linewidth=1, zorder=1)
        place = max(value + 0.012 * (high - low), free)
        axes.text(
            0.995,
            place,
            f"{name} {_number(value, measure)}",
            transform=axes.get_yaxis_transform(),
            color="0.35",
            fontsize=8,
            ha="right",
            va="bottom",
            bbox={"facecolor": "white", "alpha": 0.75, "edgecolor": "none", "pad": 0.4},
        )
        free = place + 0.068 * (high - low)


def _map(axes: Axes, title: str, weights: np.ndarray, names: Sequence[str] | None) -> None:
    """One matrix of weights, light for 0 and dark for 1. Names are as large as there is space for; where that is too little, some stand."""
    axes.imshow(weights, cmap=MAPS["weights"], vmin=0, vmax=1, aspect="auto" if weights.shape[0] != weights.shape[1] else "equal")
    axes.set_title(title, fontsize=9.5, pad=4)
    name_axes(axes)
    labels = _labels(weights, names)
    long = max(map(len, labels)) > 2
    every = math.ceil(max(weights.shape) / 24)
    size = min(LETTERS, 0.92 * 72 * MAP / (max(weights.shape) / every))
    wide = 0.7 * size * max(map(len, labels[: weights.shape[1]])) / (72 * MAP / weights.shape[1])  # a level name, in columns
    across = every if long else max(every, math.ceil(wide))
    axes.set_xticks(range(0, weights.shape[1], across), labels[: weights.shape[1] : across], fontsize=size, rotation=90 if long else 0)
    axes.set_yticks(range(0, weights.shape[0], every), labels[: weights.shape[0] : every], fontsize=size)
    without_frame(axes)
    axes.tick_params(pad=2)


def _labels(weights: np.ndarray, names: Sequence[str] | None) -> list[str]:
    """The names of the tokens, or numbers where there are too few."""
    return list(names) if names is not None and len(names) >= max(weights.shape) else [str(place) for place in range(max(weights.shape))]


def _describe(
    runs: Mapping[str, Learned],
    steps: int,
    measure: str,
    lines: Mapping[str, float],
    maps: Mapping[str, np.ndarray],
    names: Sequence[str] | None,
    whose: str,
) -> str:
    reached = max((run.steps[-1] for run in runs.values() if run.steps), default=0)
    last = "; ".join(f"{name} {_last(run, reached, measure)}" for name, run in runs.items())
    compared = ", ".join(f"{name} {_number(value, measure)}" for name, value in lines.items())
    parts = [f"{CAPTION[measure]}, after step {reached} of {steps}: {last}.", f"To compare: {compared}." if lines else ""]
    if maps:
        largest = "; ".join(_largest(title, np.asarray(weights), names) for title, weights in maps.items())
        parts.append(f"Beside the curves: where {f'“{whose}”' if whose else 'the model'} looks now, dark for a large weight; {largest}.")
    return " ".join(filter(None, parts))


def _last(run: Learned, reached: int, measure: str) -> str:
    """What is known of a model now, and after which step, where others are further."""
    if not run.values:
        return "not trained"
    now = run.final if not math.isnan(run.final) else run.values[-1]
    return _number(now, measure) + (f" (step {run.steps[-1]})" if run.steps[-1] < reached else "")


def _number(value: float, measure: str) -> str:
    return f"{100 * value:.0f} %" if measure == "right" else f"{value:.2f}"


def _largest(title: str, weights: np.ndarray, names: Sequence[str] | None) -> str:
    """The largest weight of the last query of a map, in words."""
    labels, key = _labels(weights, names), int(weights[-1].argmax())
    return f"in “{title}” the last query, “{labels[len(weights) - 1]}”, gives key {key} (“{labels[key]}”) its largest weight, {weights[-1, key]:.2f}"
