"""How models learn: curves, and where they look at the moment."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Protocol

import matplotlib
import numpy as np

from attnlab.figures.colours import MAPS, MODEL_LOOKS, hexadecimal, ink, scale_of
from attnlab.figures.picture import LEGEND, STYLE, WIDEST, Picture, name_axes, new_figure, plot

CURVES, LEAST, MAP, GAP, LEFT, HEIGHT = 3.6, 2.5, 1.9, 0.75, 0.6, 2.9  # inches; LEAST: of curves beside many maps; HEIGHT: with one line of legend
KEY, ROW, LETTER, NAMES = 0.34, 0.38, 0.07, 1.05  # of single rows, one below the other: how wide a key is, how high a row, titles, names of keys


class Learned(Protocol):
    """What is drawn of one model: after which steps it was measured, which part was right then, and at the end."""

    steps: list[int]
    right: list[float]
    final: float


def training(
    runs: Mapping[str, Learned],
    steps: int,
    chance: float,
    maps: Mapping[str, np.ndarray],
    names: Sequence[str] | None = None,
    asked: int | None = None,
) -> Picture:
    """Draw how much each model answers right while it trains, and maps of weights as they are now.

    Args:
        runs: what was measured so far, by the names of the models. Models of one kind, "kind · 1" and "kind · 2", look alike.
        steps: how many steps there will be.
        chance: the part that guessing gets right, from 0 to 1.
        maps: arrays `(T query, T key)` by title; may be empty. Several with a single row, `(1, T key)`, stand one below the other.
        names: T names of the tokens in the maps; numbers by default.
        asked: whose row a map of a single row is; the last token's by default.
    """
    are_rows = len(maps) > 1 and all(len(weights) == 1 for weights in maps.values())
    beside = GAP / 2 + LETTER * max(map(len, maps), default=0)
    wide = max([MAP, *(KEY * np.shape(weights)[1] for weights in maps.values())])
    more = (beside + wide if are_rows else len(maps) * (GAP + MAP)) + 0.16
    curves = min(CURVES, max(LEAST, WIDEST - LEFT - more))
    width = LEFT + curves + more
    looks = dict(zip(dict.fromkeys(map(_kind, runs)), MODEL_LOOKS))
    high = HEIGHT + LEGEND * (max(1, math.ceil(len(looks) / 2)) - 1)
    with matplotlib.rc_context(STYLE):
        figure = new_figure(width, high)
        axes = figure.add_axes((LEFT / width, 0.5 / high, curves / width, 2.1 / high))
        axes.set(xlim=(0, steps), xlabel="step")
        in_percent(axes)
        axes.axhline(chance, color="0.6", linewidth=1)
        axes.text(steps, chance + 0.01, "guessing", color="0.4", fontsize=8, ha="right", va="bottom")
        for name, run in runs.items():
            colour, line = looks[_kind(name)]
            first = name == next(other for other in runs if _kind(other) == _kind(name))
            axes.plot(
                [0, *run.steps],
                [chance, *run.right],
                linestyle=line,
                color=colour,
                linewidth=1.8 if len(looks) == len(runs) else 1.2,
                label=_kind(name) if first else None,
            )
        axes.legend(frameon=False, fontsize=9, loc="lower left", bbox_to_anchor=(-0.02, 1.0), ncols=2, borderpad=0)
        if are_rows:
            height = min(ROW * len(maps), HEIGHT - 0.6 - NAMES)
            place = figure.add_axes(((LEFT + curves + beside) / width, (HEIGHT - 0.6 - height) / high, wide / width, height / high))
            _rows(place, maps, names, -1 if asked is None else asked)
        for index, (title, weights) in enumerate(() if are_rows else maps.items()):
            left = LEFT + curves + GAP + index * (GAP + MAP)
            place = figure.add_axes((left / width, 0.5 / high, MAP / width, MAP / high))
            _map(place, title, np.asarray(weights), names, -1 if asked is None else asked)
    return plot(figure, _describe(runs, steps, maps))


def in_percent(axes: matplotlib.axes.Axes) -> None:
    """Let the upright axis go from 0 to 100 %."""
    axes.set(ylim=(0, 1.04), yticks=[0, 0.25, 0.5, 0.75, 1])
    axes.set_yticklabels(["0 %", "25 %", "50 %", "75 %", "100 %"])


def without_frame(axes: matplotlib.axes.Axes) -> None:
    """Take the lines around a map away, and the marks at its numbers."""
    for side in axes.spines.values():
        side.set_visible(False)
    axes.tick_params(length=0)


def _kind(name: str) -> str:
    """What stands before the dot in a model's name."""
    return name.split(" · ")[0]


def _map(axes: matplotlib.axes.Axes, title: str, weights: np.ndarray, names: Sequence[str] | None, asked: int) -> None:
    """One matrix of weights, light for 0 and dark for 1."""
    axes.imshow(weights, cmap=MAPS["weights"], vmin=0, vmax=1)
    axes.set_title(title, fontsize=9.5)
    name_axes(axes)
    labels = names or [str(index) for index in range(max(weights.shape))]
    axes.set_xticks(range(weights.shape[1]), labels[: weights.shape[1]], fontsize=8, rotation=90 if max(map(len, labels)) > 2 else 0)
    axes.set_yticks(range(weights.shape[0]), [labels[asked]] if weights.shape[0] == 1 else labels[: weights.shape[0]], fontsize=8)
    without_frame(axes)


def _rows(axes: matplotlib.axes.Axes, maps: Mapping[str, np.ndarray], names: Sequence[str] | None, asked: int) -> None:
    """The row of one query in several maps, one below the other."""
    weights = np.concatenate(list(maps.values()))
    axes.imshow(weights, cmap=MAPS["weights"], vmin=0, vmax=1, aspect="auto")
    labels = names or [str(index) for index in range(weights.shape[1])]
    axes.set_title(f"where query “{labels[asked]}” looks", fontsize=9.5)
    name_axes(axes, query=False)
    axes.set_xticks(range(weights.shape[1]), labels[: weights.shape[1]], fontsize=8, rotation=90 if max(map(len, labels)) > 2 else 0)
    axes.set_yticks(range(len(maps)), list(maps), fontsize=8.5)
    for row in range(1, len(maps)):
        axes.axhline(row - 0.5, color="white", linewidth=2)
    shades = scale_of("weights", [weights]).shades(weights)
    for (row, column), weight in np.ndenumerate(weights):
        colour = ink(hexadecimal(shades[row, column]))
        axes.text(column, row, f"{weight:.2f}".removeprefix("0"), color=colour, fontsize=8, ha="center", va="center")
    without_frame(axes)


def _describe(runs: Mapping[str, Learned], steps: int, maps: Mapping[str, np.ndarray]) -> str:
    reached = max((run.steps[-1] for run in runs.values() if run.steps), default=0)
    by_kind: dict[str, list[str]] = {}
    for name, run in runs.items():
        by_kind.setdefault(_kind(name), []).append(f"{100 * _last(run):.0f} %")
    last = "; ".join(f"{kind} {', '.join(parts)}" for kind, parts in by_kind.items())
    who = "that query looks" if maps and all(len(weights) == 1 for weights in maps.values()) else "each query looks"
    beside = f" Beside the curves: where {who} now, dark for a large weight." if maps else ""
    return f"Answered right, on new sequences, after step {reached} of {steps}: {last}.{beside}"


def _last(run: Learned) -> float:
    """What is known of a model now: at the end, or at the last measurement; 0 before the first."""
    return run.final if not math.isnan(run.final) else run.right[-1] if run.right else 0.0
