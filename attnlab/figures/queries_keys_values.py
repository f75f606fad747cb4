"""Pictures of lesson 2: who asks, who is asked, what is passed on; shapes to scale."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch, Rectangle

from attnlab.figures.colours import KEY, NEUTRAL, QUERY, VALUE, WEIGHT
from attnlab.figures.picture import STYLE, Picture, new_figure, plot
from attnlab.figures.tables import short


def roles(weights: Sequence[float], query: int, tokens: Sequence[str]) -> Picture:
    """Draw one output: the token that asks, the tokens that are asked, what they pass on.

    Args:
        weights: `(T,)`, the weights of the token that asks over all keys.
        query: the token that asks.
        tokens: T names.
    """
    of_query = [float(weight) for weight in weights]
    height = len(of_query)
    middle = (height - 1) / 2
    with matplotlib.rc_context(STYLE):
        figure = new_figure(8.2, 0.9 + 0.75 * height)
        axes = figure.subplots()
        axes.set(xlim=(-0.2, 8.6), ylim=(height - 0.35, -0.95))
        axes.set_axis_off()
        _box(axes, 0.0, middle, f"query of\n{tokens[query]}", QUERY)
        for token, (name, weight) in enumerate(zip(tokens, of_query)):
            axes.plot([1.3, 2.7], [middle, token], color=QUERY, linewidth=1.2, zorder=1)
            _box(axes, 2.7, token, f"key of\n{name}", KEY)
            axes.annotate("", (4.65, token), (4.0, token), arrowprops={"arrowstyle": "->", "color": WEIGHT})
            _box(axes, 4.65, token, f"value of\n{name}", VALUE)
            axes.plot([5.95, 7.1], [token, middle], color=VALUE, linewidth=0.6 + 9 * weight, alpha=0.55, zorder=1)
            axes.text(4.31, token - 0.1, short(weight), ha="center", fontsize=9.5)
        _box(axes, 7.1, middle, f"output\nof {tokens[query]}", NEUTRAL)
        for place, text, colour in ((0.65, "asks", QUERY), (3.35, "are asked", KEY), (4.31, "weight", WEIGHT), (5.3, "are passed on", VALUE)):
            axes.text(place, -0.72, text, ha="center", color=colour, fontweight="bold")
    listed = ", ".join(f"{short(weight)} times the value of “{name}”" for name, weight in zip(tokens, of_query))
    return plot(figure, f"“{tokens[query]}” asks every key, also its own; its output is {listed}, added up. Thicker lines carry more.")


def shapes(T: int, d_in: int, d_k: int, d_v: int) -> Picture:
    """Draw the arrays of self-attention in rows, to scale: which lengths meet, and which one the output has."""
    blocks = [
        ("x", T, d_in, NEUTRAL, "T", "d_in"),
        ("queries", T, d_k, QUERY, "T", "d_k"),
        ("keys, transposed", d_k, T, KEY, "d_k", "T"),
        ("weights", T, T, WEIGHT, "T", "T"),
        ("values", T, d_v, VALUE, "T", "d_v"),
        ("output", T, d_v, NEUTRAL, "T", "d_v"),
    ]
    signs = ["→", "·", "→", "·", "="]
    place, gap, tallest = 0.0, 3.7, max(T, d_k)
    with matplotlib.rc_context(STYLE):
        figure = new_figure(8.4, 1.9)
        axes = figure.subplots()
        axes.set_axis_off()
        for index, (name, high, wide, colour, left, under) in enumerate(blocks):
            bottom = (tallest - high) / 2
            axes.add_patch(Rectangle((place, bottom), wide, high, facecolor=colour, alpha=0.35, edgecolor=colour))
            for line in range(1, wide):
                axes.plot([place + line] * 2, [bottom, bottom + high], color=colour, linewidth=0.5)
            for line in range(1, high):
                axes.plot([place, place + wide], [bottom + line] * 2, color=colour, linewidth=0.5)
            axes.text(place + wide / 2, tallest + 0.55, name, ha="center")
            axes.text(place - 0.25, bottom + high / 2, left, ha="right", va="center", fontsize=9)
            axes.text(place + wide / 2, bottom - 0.85, under, ha="center", fontsize=9)
            if index < len(signs):
                axes.text(place + wide + 1.3, tallest / 2, signs[index], ha="center", va="center", fontsize=13)
            place += wide + gap
        axes.set(xlim=(-1.4, place - gap + 0.6), ylim=(-1.3, tallest + 1.3), aspect="equal")
    return plot(
        figure,
        f"Arrays to scale for T={T}, d_in={d_in}, d_k={d_k}, d_v={d_v}. Queries and keys meet in d_k, which disappears; "
        f"the output is as wide as the values.",
    )


def _box(axes: Axes, left: float, row: float, text: str, colour: str) -> None:
    axes.add_patch(
        FancyBboxPatch(
            (left, row - 0.27), 1.3, 0.54, boxstyle="round,pad=0,rounding_size=0.1", facecolor="white", edgecolor=colour, linewidth=1.6, zorder=2
        )
    )
    axes.text(left + 0.65, row, text, ha="center", va="center", fontsize=9.5, zorder=3)
