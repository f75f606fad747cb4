"""Measured time against the length of the sequence."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, Callable

import matplotlib
import matplotlib.ticker
import numpy as np

from attnlab.figures.picture import STYLE, Picture, new_figure

LOOKS = (("#D55E00", "o"), ("#E69F00", "s"), ("#0072B2", "^"), ("#009E73", "D"), ("#CC79A7", "v"))


def cost_against_length(ways: Mapping[str, Callable[[Any], Any]], inputs: Sequence[Any], says: str, repeats: int = 5) -> Picture:
    """Measure each way on each input and draw the times against T, with a line that grows as T².

    Args:
        ways: a name for each function of one input.
        inputs: tensors `(B, T, k)`, short sequences first.
        says: what to see; the numbers differ from machine to machine, so it names none.
        repeats: each time is the shortest of so many.
    """
    lengths = [item.shape[1] for item in inputs]
    with matplotlib.rc_context(STYLE):
        figure = new_figure(7.2, 3.9)
        axes = figure.subplots()
        slowest = 0.0
        for (name, way), (colour, marker) in zip(ways.items(), LOOKS):
            milliseconds = [1000 * _shortest(way, item, repeats) for item in inputs]
            slowest = max(slowest, milliseconds[-1])
            axes.plot(lengths, milliseconds, marker=marker, markersize=5, linewidth=1.6, color=colour, label=name)
        guide = 1.6 * slowest * (np.array(lengths) / lengths[-1]) ** 2
        axes.plot(lengths, guide, color="0.5", linestyle="--", linewidth=1.2, label="grows as T²")
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.set_xticks(lengths, [str(length) for length in lengths])
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.yaxis.set_minor_formatter(matplotlib.ticker.NullFormatter())
        axes.set(xlabel="T, tokens per sequence", ylabel="milliseconds")
        axes.legend(frameon=False, fontsize=9, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return Picture(figure, says)


def _shortest(way: Callable[[Any], Any], item: Any, repeats: int) -> float:
    way(item)  # the first call prepares things
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        way(item)
        times.append(time.perf_counter() - start)
    return min(times)
