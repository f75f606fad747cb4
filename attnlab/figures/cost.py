"""Measured time against the length of the sequence."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import matplotlib
import matplotlib.ticker
import numpy as np

from attnlab.figures.colours import MODEL_LOOKS
from attnlab.figures.picture import STYLE, Picture, new_figure, plot

ENOUGH = 0.3  # seconds of measuring
LEAST_ROUNDS = 2
MARKERS = "os^Dv"


def cost_against_length(ways: Mapping[str, Callable[[Any], Any]], inputs: Sequence[Any], says: str, rounds: int = 12) -> Picture:
    """Measure each way on each input and draw the times against T, with a line that grows as T².

    Args:
        ways: a name for each function of one input.
        inputs: tensors `(B, T, k)`, short sequences first.
        says: what to see; the numbers differ from machine to machine, so it names none.
        rounds: each time is the shortest of at most so many, taken in turns so that a busy moment spoils no single curve. After
            `ENOUGH` seconds no new round begins, but there are at least `LEAST_ROUNDS`.
    """
    lengths = [item.shape[1] for item in inputs]
    measured = _shortest_times(ways, inputs, rounds)
    with matplotlib.rc_context(STYLE):
        figure = new_figure(7.4, 3.9, left=0.65, bottom=0.5, right=2.6, top=0.1)
        axes = figure.subplots()
        slowest = 0.0
        for (name, milliseconds), (colour, line), marker in zip(measured.items(), MODEL_LOOKS, MARKERS):
            slowest = max(slowest, milliseconds[-1])
            axes.plot(lengths, milliseconds, marker=marker, markersize=5, linewidth=1.6, linestyle=line, color=colour, label=name)
        guide = 1.6 * slowest * (np.array(lengths) / lengths[-1]) ** 2
        axes.plot(lengths, guide, color="0.7", linewidth=1.2, label="grows as T²")
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.set_xticks(lengths, [str(length) for length in lengths])
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.yaxis.set_minor_formatter(matplotlib.ticker.NullFormatter())
        axes.set(xlabel="T, tokens per sequence", ylabel="milliseconds")
        axes.legend(frameon=False, fontsize=9, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return plot(figure, says)


def _shortest_times(ways: Mapping[str, Callable[[Any], Any]], inputs: Sequence[Any], rounds: int) -> dict[str, np.ndarray]:
    """Milliseconds of each way for each input."""
    shortest = {name: np.full(len(inputs), np.inf) for name in ways}
    began = time.perf_counter()
    for finished in range(rounds):
        if finished >= LEAST_ROUNDS and time.perf_counter() - began > ENOUGH:
            break
        for place, item in enumerate(inputs):
            for name, way in ways.items():
                start = time.perf_counter()
                way(item)
                shortest[name][place] = min(shortest[name][place], 1000 * (time.perf_counter() - start))
    return shortest
