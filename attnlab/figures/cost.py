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

ENOUGH = 3.0  # seconds of measuring
LEAST_ROUNDS = 3
SHORTEST = 0.016  # seconds that a measurement takes at least: some clocks of processor time go no finer
MARKERS = "os^Dv"


def cost_against_length(ways: Mapping[str, Callable[[Any], Any]], inputs: Sequence[Any], rounds: int = 12) -> Picture:
    """Measure the processor time of each way on each input, with one thread, and draw it against T, with a line that grows as T².

    Processor time does not count what else runs on the machine, and several threads would count their waiting for each other.

    Args:
        ways: a name for each function of one input.
        inputs: tensors `(B, T, k)`, short sequences first.
        rounds: each time is the shortest of at most so many, taken in turns so that a busy moment spoils no single curve. After
            `ENOUGH` seconds no new round begins, but there are at least `LEAST_ROUNDS`.
    """
    from attnlab.training.loop import one_thread  # here, because trainings draw pictures

    lengths = [item.shape[1] for item in inputs]
    with one_thread():
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
        axes.set(xlabel="T, tokens per sequence", ylabel="milliseconds of processor time")
        axes.legend(frameon=False, fontsize=9, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return plot(figure, _describe(lengths, measured))


def _describe(lengths: Sequence[int], measured: Mapping[str, np.ndarray]) -> str:
    """Each curve by its ends, in milliseconds."""
    ends = [
        f"{name}: {_short(times[0])} and {_short(times[1])} for T = {lengths[0]} and {lengths[1]}, "
        f"{_short(times[-2])} and {_short(times[-1])} for T = {lengths[-2]} and {lengths[-1]}"
        for name, times in measured.items()
    ]
    return f"Processor time of one call, in milliseconds. {'; '.join(ends)}."


def _short(milliseconds: float) -> str:
    return f"{milliseconds:.2f}" if milliseconds < 1 else f"{milliseconds:.1f}" if milliseconds < 100 else f"{milliseconds:.0f}"


def _shortest_times(ways: Mapping[str, Callable[[Any], Any]], inputs: Sequence[Any], rounds: int) -> dict[str, np.ndarray]:
    """Milliseconds of each way for each input."""
    shortest = {name: np.full(len(inputs), np.inf) for name in ways}
    began = time.perf_counter()
    for finished in range(rounds):
        if finished >= LEAST_ROUNDS and time.perf_counter() - began > ENOUGH:
            break
        for place, item in enumerate(inputs):
            for name, way in ways.items():
                shortest[name][place] = min(shortest[name][place], 1000 * _processor_time(way, item))
    return shortest


def _processor_time(way: Callable[[Any], Any], item: Any) -> float:
    """Seconds of one call: the mean of as many as take `SHORTEST` together."""
    start, calls, taken = time.process_time(), 0, 0.0
    while taken < SHORTEST:
        way(item)
        calls += 1
        taken = time.process_time() - start
    return taken / calls
