"""What people call multi-head attention: three variants, drawn to scale."""

from __future__ import annotations

import matplotlib
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from attnlab.figures.colours import TOKEN_COLOURS
from attnlab.figures.picture import STYLE, Picture, new_figure, plot


def head_variants(k: int, heads: int) -> Picture:
    """Draw the query matrix of each variant to scale, with its cost: rows make the query, columns read the token.

    Args:
        k: numbers per token.
        heads: number of heads; has to divide k.
    """
    small = k // heads
    variants = [
        ("one head", 1, k, k, k, "for comparison"),
        ("narrow: project,\nthen split", heads, small, k, k, "exercise 4; torch's too"),
        ("sliced: split,\nthen project", heads, small, small, small, "a head sees one slice"),
        ("wide: every head\nof full width", heads, k, k, k, "the bonus"),
    ]
    with matplotlib.rc_context(STYLE):
        figure = new_figure(8.4, 4.4, bottom=1.0, top=0.75)
        for axes, (title, number, rows, columns, _, remark) in zip(figure.subplots(1, len(variants)), variants):
            _draw_matrix_of_heads(axes, number, rows, columns, step=small if columns == small and number > 1 else 0, k=k, heads=heads)
            learned, scores = 3 * number * rows * columns, number * rows
            axes.set_title(f"{title}\n({remark})", fontsize=9.5)
            axes.set_xlabel(
                f"{number} × ({rows} × {columns}) per role\nqueries, keys, values:\n{_grouped(learned)} numbers\n"
                f"scores: {_grouped(scores)} · T² products",
                fontsize=9,
            )
    return plot(
        figure,
        f"The matrix that makes the queries, one colour per head, k = {k}, h = {heads}. Narrow has as many "
        f"parameters as one head, cut into {heads} groups of rows, and takes as many "
        f"products. Sliced has 1/{heads} of the parameters, wide {heads} times as many.",
    )


def _grouped(number: int) -> str:
    return f"{number:,}".replace(",", " ")


def _draw_matrix_of_heads(axes: Axes, number: int, rows: int, columns: int, step: int, k: int, heads: int) -> None:
    """Stack the heads' matrices; `step` moves each one to the right, onto the slice that it reads."""
    for head in range(number):
        axes.add_patch(
            Rectangle(
                (head * step, head * rows),
                columns,
                rows,
                edgecolor="white",
                linewidth=1.5,
                facecolor=TOKEN_COLOURS[head % len(TOKEN_COLOURS)] if number > 1 else "0.7",
            )
        )
    axes.add_patch(Rectangle((0, 0), k, number * rows, fill=False, edgecolor="0.5", linewidth=0.8))
    axes.set(xlim=(-2, k + 2), ylim=(heads * k + 4, -4), aspect="equal", xticks=[], yticks=[])
    for side in axes.spines.values():
        side.set_visible(False)
