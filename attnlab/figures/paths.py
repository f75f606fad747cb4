"""How far it is from word to word: in a chain of states, and in attention."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from attnlab.figures.colours import KEY, QUERY
from attnlab.figures.picture import STYLE, Picture, new_figure, plot

WORDS = tuple("the dog dropped the bone because it was heavy".split())
QUIET, FAINT = "0.35", "0.85"
HIGH, LOW = 0.0, -1.6  # the heights of two lines of boxes


def chain_and_attention(words: Sequence[str] = WORDS, query: str | int = "it", key: str | int = "dog", says: str | None = None) -> Picture:
    """Draw how one word hears of an earlier one: from state to state in a recurrent network, in one step in attention.

    Args:
        words: T words of a sentence.
        query: the word that wants to hear of another: its place, or the word itself, which then means the first of its kind.
        key: the word that it wants to hear of, which stands before it.
        says: what to see; by default both numbers of steps, and T − 1 for the first and the last word.

    Raises:
        ValueError: no such word, or `key` does not stand before `query`, so that a chain from left to right has no path.
    """
    asks, about = _place(words, query), _place(words, key)
    if not 0 <= about < asks < len(words):
        raise ValueError(f"the word at place {about} does not stand before the word at place {asks}: choose a key before the query")
    steps = asks - about
    with matplotlib.rc_context(STYLE):
        figure = new_figure(8.6, 5.0)
        chain, attention = figure.subplots(2, 1, gridspec_kw={"height_ratios": [1, 1.15], "hspace": 0.08})
        for axes, low in ((chain, -2.0), (attention, -2.35)):
            axes.set(xlim=(-0.6, len(words) - 0.4), ylim=(low, 1.15))
            axes.set_axis_off()
        _draw_chain(chain, words, asks, about)
        _draw_attention(attention, words, asks, about)
    default = (
        f"Recurrent network: one state is handed from word to word, so “{words[asks]}” hears of “{words[about]}” after {_steps(steps)}, "
        f"and the last word of the first one after {len(words) - 1}. "
        f"Attention: every word looks at every word in one step; “{words[asks]}” is as near to “{words[about]}” as to its neighbour."
    )
    return plot(figure, says or default)


def _draw_chain(axes: Axes, words: Sequence[str], asks: int, about: int) -> None:
    axes.text(-0.55, 0.95, f"Recurrent network: {_steps(asks - about)} from “{words[about]}” to “{words[asks]}”", fontweight="bold")
    for place, word in enumerate(words):
        on_path = about <= place <= asks
        axes.annotate("", (place, HIGH - 0.3), (place, LOW + 0.3), arrowprops={"arrowstyle": "->", "color": QUIET, "linewidth": 1})
        _box(axes, place, HIGH, "state", KEY if on_path else QUIET, dashed=True)
        _box(axes, place, LOW, word, _colour(place, asks, about))
        if place + 1 < len(words):
            handed = about <= place < asks
            axes.annotate(
                "",
                (place + 0.6, HIGH),
                (place + 0.4, HIGH),
                arrowprops={"arrowstyle": "-|>", "color": KEY if handed else QUIET, "linewidth": 2.6 if handed else 1, "shrinkA": 0, "shrinkB": 0},
            )
            if handed:
                axes.text(place + 0.5, HIGH + 0.4, str(place - about + 1), ha="center", color=KEY, fontweight="bold")


def _draw_attention(axes: Axes, words: Sequence[str], asks: int, about: int) -> None:
    axes.text(-0.55, 0.95, f"Attention: 1 step from “{words[about]}” to “{words[asks]}”, and between any two words", fontweight="bold")
    ends = [((place, HIGH - 0.3), (other, LOW + 0.3)) for place in range(len(words)) for other in range(len(words))]
    looks = [(FAINT, 0.7)] * len(ends)
    looks[asks * len(words) : (asks + 1) * len(words)] = [(KEY, 3.0) if other == about else (QUERY, 1.3) for other in range(len(words))]
    order = sorted(range(len(ends)), key=lambda line: looks[line][1])  # thick lines lie on thin ones
    axes.add_collection(
        LineCollection(
            [ends[line] for line in order], colors=[looks[line][0] for line in order], linewidths=[looks[line][1] for line in order], zorder=1
        )
    )
    for place, word in enumerate(words):
        _box(axes, place, HIGH, word, QUERY if place == asks else QUIET)
        _box(axes, place, LOW, word, _colour(place, asks, about))
    for height, text in ((HIGH + 0.42, "queries: each looks at all"), (LOW - 0.62, "keys: each is looked at by all")):
        axes.text(-0.5, height, text, color=QUIET, fontsize=9.5)


def _colour(place: int, asks: int, about: int) -> str:
    return {asks: QUERY, about: KEY}.get(place, QUIET)


def _box(axes: Axes, place: float, height: float, text: str, colour: str, dashed: bool = False) -> None:
    strong = colour != QUIET
    axes.text(
        place,
        height,
        text,
        ha="center",
        va="center",
        fontsize=11,
        fontweight="bold" if strong and not dashed else "normal",
        zorder=5,
        bbox={
            "boxstyle": "round,pad=0.32",
            "facecolor": "white",
            "edgecolor": colour,
            "linewidth": 2 if strong else 1,
            "linestyle": "--" if dashed else "-",
        },
    )


def _place(words: Sequence[str], word: str | int) -> int:
    if isinstance(word, int):
        return word
    if word not in words:
        raise ValueError(f"“{word}” is none of the words: {' '.join(words)}")
    return list(words).index(word)


def _steps(number: int) -> str:
    return f"{number} step{'s' * (number > 1)}"
