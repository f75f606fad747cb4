"""Pictures of lessons 3 and 3b: overflow and saturation, temperature, dimension, variance and gradients."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib
import numpy as np

from attnlab.figures.bars import Bars
from attnlab.figures.colours import MODEL_LOOKS, SCORE, WEIGHT
from attnlab.figures.layout import layout
from attnlab.figures.picture import STYLE, Picture, new_figure, plot
from attnlab.figures.tables import short

POWERS = (1, 10, 100, 1000, 10_000)
LEAST_GRADIENT = 1e-3  # the lower edge of a picture
QUIET = "0.35"
KEYS_DRAWN = 12  # in the pictures of single queries


def two_troubles(rows: Sequence[Sequence[float]]) -> Picture:
    """Draw where rows of scores overflow, by their largest score, and where they saturate, by the gap between that and the next.

    Args:
        rows: scores of one query each, all for T keys; the largest is above 0 and below 10 000.
    """
    tables = [-np.sort(-np.asarray(row, dtype=float)) for row in rows]
    saturated = float(np.log(9 * (len(tables[0]) - 1)))  # from this gap on, 0.9 goes to one key, even where all others are level
    with matplotlib.rc_context(STYLE):
        figure = new_figure(7.6, 3.6, left=0.75, bottom=0.5, right=0.3)
        axes = figure.subplots()
        axes.set(xscale="log", xlim=(1, 1e4), ylim=(-0.3, 1e4), xlabel="largest score", ylabel="gap to the second score")
        axes.set_yscale("symlog", linthresh=1, linscale=0.6)
        axes.set_xticks(POWERS, [f"{power:,g}".replace(",", " ") for power in POWERS])
        axes.set_yticks((0, *POWERS), ["0", *(f"{power:,g}".replace(",", " ") for power in POWERS)])
        axes.minorticks_off()
        axes.axhspan(saturated, 1e4, color=WEIGHT, alpha=0.15, linewidth=0)
        axes.text(1.1, 2500, f"saturated: a gap above {saturated:.1f}\nwith {len(tables[0])} keys", color=WEIGHT, fontsize=9, va="center")
        for name in ("float32", "float64"):
            edge = float(np.log(np.finfo(name).max))
            axes.axvline(edge, color=QUIET, linestyle="--", linewidth=1.2)
            axes.axvspan(edge, 1e4, color=QUIET, alpha=0.12, linewidth=0)
            axes.text(edge * 1.06, 2500, f"exp is inf\nin {name}", color=QUIET, fontsize=9, va="center")
        for row, scores in zip(rows, tables):
            axes.plot(scores[0], scores[0] - scores[1], "o", color=SCORE, markeredgecolor=QUIET)
            place, left = (scores[0], scores[0] - scores[1]), scores[0] > 500
            away = (-8 if left else 8, -12 if place[1] > 500 else 6)
            axes.annotate(str(list(row)), place, away, textcoords="offset points", fontsize=9, ha="right" if left else "left")
    largest = ", ".join(f"{short(max(_shares(scores)))} for {list(row)}" for row, scores in zip(rows, tables))
    return plot(
        figure,
        "Two troubles. Overflow (grey) is a matter of the largest score, and goes when that is subtracted. "
        f"Saturation (purple) is a matter of the gap. Largest weight: {largest}.",
    )


def temperature(scores: np.ndarray, temperature: float, names: Sequence[str] | None = None) -> Picture:
    """Show the weights of one query for scores that are divided by a temperature.

    Args:
        scores: array `(T,)`.
        temperature: what the scores are divided by; above 1 flattens, below 1 sharpens.
        names: T names of the keys; numbers by default.
    """
    return temperatures(scores, [temperature], names)


def temperatures(scores: np.ndarray, values: Sequence[float], names: Sequence[str] | None = None) -> Picture:
    """Show the weights of one query for several temperatures, side by side."""
    scores = np.asarray(scores, dtype=float)
    labels = list(names) if names is not None else [str(index) for index in range(len(scores))]
    panels = [Bars(f"temperature {value:.3g}", labels, _shares(scores / value), WEIGHT, most=1.0, axis="key", length=8) for value in values]
    largest = ", ".join(f"{short(max(_shares(scores / value)))} at {value:.3g}" for value in values)
    return Picture(layout(panels), f"Scores divided by a temperature, then the softmax. Largest weight: {largest}.")


def dimension(d: int, seed: int = 0) -> Picture:
    """Show the weights of one random query over random keys of d numbers each, largest first, without and with scaling."""
    draw = np.random.RandomState(seed)
    query, keys = draw.normal(size=d), draw.normal(size=(KEYS_DRAWN, d))
    scores = keys @ query
    pairs = (("without scaling", _shares(scores)), (f"divided by √{d}", _shares(scores / np.sqrt(d))))
    order = np.argsort(-scores).tolist()
    panels = [
        Bars(f"{name}: largest {short(max(weights))}", [str(key) for key in order], [weights[key] for key in order], WEIGHT, most=1.0, axis="key")
        for name, weights in pairs
    ]
    return Picture(
        layout(panels),
        f"One random query and {KEYS_DRAWN} random keys with d = {d}. Largest weight: "
        f"{short(max(pairs[0][1]))} without scaling, {short(max(pairs[1][1]))} with it.",
    )


def variances(dimensions: Sequence[int], estimates: Sequence[float], errors: Sequence[float]) -> Picture:
    """Draw simulated variances of scores with their sampling errors, and the line that theory says.

    Args:
        dimensions: the values of d.
        estimates: one simulated variance for each.
        errors: one standard error for each.
    """
    with matplotlib.rc_context(STYLE):
        figure = new_figure(8.2, 3.1, left=0.65, bottom=0.5, top=0.3, between=0.25)
        left, right = figure.subplots(1, 2)
        names, sizes = [str(d) for d in dimensions], np.asarray(dimensions, dtype=float)
        left.plot(sizes, sizes, color="0.5", linewidth=1.2, label="theory: d")
        left.plot(sizes, estimates, "o", color=SCORE, markeredgecolor=QUIET, label="simulation")
        left.set(xscale="log", yscale="log", ylabel="variance of the scores")
        left.set_yticks(sizes, names)
        left.legend(frameon=False)
        right.axhline(1, color="0.5", linewidth=1.2)
        right.errorbar(
            sizes,
            np.asarray(estimates) / sizes,
            yerr=2 * np.asarray(errors) / sizes,
            fmt="o",
            color=SCORE,
            markeredgecolor=QUIET,
            ecolor=QUIET,
            capsize=4,
        )
        right.set(xscale="log", ylim=(0.85, 1.15), ylabel="simulation / theory", title="± 2 standard errors")
        for axes in (left, right):
            axes.set_xlabel("d, numbers per query and key")
            axes.set_xticks(sizes, names)
            axes.minorticks_off()
    ratios = ", ".join(f"{estimate / d:.2f}" for d, estimate in zip(dimensions, estimates))
    return plot(figure, f"The variance of a score grows in step with d. Estimate divided by d: {ratios}.")


def gradient_bands(dimensions: Sequence[int], plain: Sequence[np.ndarray], scaled: Sequence[np.ndarray]) -> Picture:
    """Draw how much gradient arrives at random queries, against d, without and with scaling: the median, and the middle eighty percent.

    Args:
        dimensions: the values of d.
        plain, scaled: for each d the lengths of the gradients, one number per query, without and with division by sqrt(d).
    """
    with matplotlib.rc_context(STYLE):
        figure = new_figure(6.8, 3.6, left=0.85, bottom=0.5, top=0.1)
        axes = figure.subplots()
        pairs = ((plain, "scores as they are", "s"), (scaled, "scores divided by √d", "o"))
        for (lengths, name, marker), (colour, line) in zip(pairs, MODEL_LOOKS):
            low, middle, high = np.quantile(np.asarray(lengths), [0.1, 0.5, 0.9], axis=1)
            axes.fill_between(dimensions, np.maximum(low, LEAST_GRADIENT), high, color=colour, alpha=0.18, linewidth=0)
            axes.plot(dimensions, np.maximum(middle, LEAST_GRADIENT), color=colour, linestyle=line, marker=marker, label=name)
        axes.set(xscale="log", yscale="log", ylim=(LEAST_GRADIENT, 10), xlabel="d, components per query and key", ylabel="length of the gradient")
        axes.set_xticks(dimensions, [str(d) for d in dimensions])
        axes.set_yticks([0.001, 0.01, 0.1, 1, 10], ["≤ 0.001", "0.01", "0.1", "1", "10"])
        axes.minorticks_off()
        axes.legend(frameon=False, loc="lower left")
    medians = [[_at_least(float(np.median(lengths))) for lengths in (lists[0], lists[-1])] for lists in (plain, scaled)]
    return plot(
        figure,
        f"What arrives at a query: the line is the median, the band holds eight of ten queries. From d = {dimensions[0]} to "
        f"{dimensions[-1]} the median goes from {' to '.join(medians[0])} without scaling, from {' to '.join(medians[1])} with it.",
    )


def _at_least(length: float) -> str:
    return short(length) if length >= LEAST_GRADIENT else f"less than {LEAST_GRADIENT}"


def _shares(scores: np.ndarray) -> list[float]:
    """The weights of one query, to be drawn. By torch, because learners write a softmax themselves."""
    import torch  # here, so that lessons without this picture do not wait for it

    return torch.softmax(torch.tensor(scores, dtype=torch.float64), dim=-1).tolist()
