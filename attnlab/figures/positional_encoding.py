"""Positional encodings: one vector for each position, and how much the positions agree."""

from __future__ import annotations

import html
import io
from typing import Any

import matplotlib
import matplotlib.image
import numpy as np

from attnlab.arrays import as_numpy
from attnlab.figures.colours import SCORE, Scale
from attnlab.figures.picture import STYLE, Picture, data_address, new_figure, plot
from attnlab.figures.tables import PLAIN, TITLE, short

HEIGHT, WIDTH = 320, 320  # pixels of the heatmap, about
MOST_NUMBERED = 12  # rows or columns, one by one


def positions(encoding: Any, position: int | None = None, says: str | None = None) -> Picture:
    """Show encodings as a heatmap and, beside it, the dot product of every position with one of them.

    Args:
        encoding: array or tensor `(T, k)`, row t for position t; 64 positions and 32 components show the pattern well.
        position: the position whose dot products are drawn; 20 by default, or the middle of fewer than 40.
        says: what to see; by default the dot product of the position with itself, with its neighbours, and with the others.

    Raises:
        ValueError: no two axes, or no such position.
    """
    matrix = np.asarray(as_numpy(encoding), dtype=float)
    if matrix.ndim != 2 or not matrix.size:
        raise ValueError(f"an encoding of shape {matrix.shape} cannot be drawn: it is (T, k), one row for each position")
    position = (20 if len(matrix) >= 40 else len(matrix) // 2) if position is None else position
    if not 0 <= position < len(matrix):
        raise ValueError(f"there is no position {position}: choose one from 0 to {len(matrix) - 1}")
    products = matrix @ matrix[position]
    words = says or _describe(matrix, products, position)
    curve = _curve(products, position, f"dot products of position {position} with every position")
    return Picture(
        f'<div style="display:flex;flex-wrap:wrap;align-items:flex-start;gap:8px 24px;margin:0 0 8px">{_heatmap(matrix)}'
        f'<div><div style="{TITLE}">dot products with position {position}</div>{curve}</div></div>',
        words,
    )


def _heatmap(matrix: np.ndarray) -> str:
    """The matrix as one image in a table with its axes: a table, so that the numbers of the positions stand beside their rows."""
    down, across = max(1, HEIGHT // matrix.shape[0]), max(1, WIDTH // matrix.shape[1])
    scale = Scale(float(matrix.min()), float(matrix.max()), "numbers")
    buffer = io.BytesIO()
    pixels = scale.shades(matrix).repeat(down, axis=0).repeat(across, axis=1)
    matplotlib.image.imsave(buffer, pixels, format="png", metadata={"Software": None})
    high, wide = pixels.shape[:2]
    words = f"{matrix.shape[0]} positions (rows), {matrix.shape[1]} components (columns), from {short(matrix.min())} to {short(matrix.max())}"
    cell = "border:none;background:none;padding:0 4px;color:inherit;white-space:nowrap;text-align:left"
    empty = f'<td colspan="2" style="{cell}"></td>'
    return (
        f'<table style="border-collapse:separate;border-spacing:0;border:none;margin:0;width:auto;table-layout:auto;color:inherit;'
        f'font-size:0.93em">'
        f'<caption style="{TITLE}">positional encodings</caption><tbody style="{PLAIN}">'
        f'<tr style="{PLAIN}"><td style="{cell};text-align:right;vertical-align:middle">position (row)</td>'
        f'<td style="{cell};vertical-align:top;padding:0 4px 0 0">{_numbers(matrix.shape[0], down, "height")}</td>'
        f'<td style="{cell};vertical-align:top;padding:0;min-width:{wide}px"><img alt="{html.escape(words)}" width="{wide}" height="{high}" '
        f'src="{data_address(buffer.getvalue(), "image/png")}"></td></tr>'
        f'<tr style="{PLAIN}">{empty}<td style="{cell};padding:2px 0">{_numbers(matrix.shape[1], across, "width")}</td></tr>'
        f'<tr style="{PLAIN}">{empty}<td style="{cell};text-align:center">component (column): '
        f"light is {short(scale.low)}, dark is {short(scale.high)}</td></tr></tbody></table>"
    )


def _numbers(length: int, pixels: int, side: str) -> str:
    """Numbers of rows or columns, each where its row or column begins, or in its middle when all are numbered."""
    step = 1 if length <= MOST_NUMBERED else max(1, length // 4)
    look = f"{side}:{step * pixels}px;line-height:1;flex:none"
    look += ";display:flex;align-items:center;justify-content:flex-end" if step == 1 and side == "height" else ""
    look += ";text-align:center" if step == 1 and side == "width" else ""
    boxes = "".join(f'<div style="{look}">{number}</div>' for number in range(0, length, step))
    way = ";flex-direction:column;text-align:right" if side == "height" else ""
    return f'<div style="display:flex{way};{side}:{length * pixels}px">{boxes}</div>'


def _curve(products: np.ndarray, position: int, alternative: str) -> str:
    with matplotlib.rc_context(STYLE):
        figure = new_figure(4.2, 3.6, left=0.75, bottom=0.5, top=0.15)
        axes = figure.subplots()
        axes.axhline(0, color="0.7", linewidth=1)
        axes.plot(
            range(len(products)), products, color=SCORE, linewidth=1.8, marker=".", markersize=5, markeredgecolor="0.25", markerfacecolor="0.25"
        )
        axes.plot([position], [products[position]], "o", color="0.25", markersize=8)
        axes.annotate(f"position {position} itself", (position, products[position]), xytext=(9, 0), textcoords="offset points", va="center")
        axes.set(xlabel="position", ylabel="dot product")
    return plot(figure, alternative).body


def _describe(matrix: np.ndarray, products: np.ndarray, position: int) -> str:
    """What is true of these products: how large they are at the position, beside it, and elsewhere."""
    distances = np.abs(np.arange(len(products)) - position)
    near, far = products[distances == 1], products[distances >= min(10, distances.max())]
    words = (
        f"Each row is the encoding of one position ({matrix.shape[0]} positions, {matrix.shape[1]} components). "
        f"The dot product of position {position} with itself is {short(products[position])}"
    )
    if not np.isfinite(products).all() or not len(near):
        return f"{words}."
    words += f", with its neighbours {' and '.join(map(short, near.tolist()))}"
    if distances.max() >= 10:
        words += f", with positions ten or more away at most {short(far.max())}"
        agree = products[position] >= near.max() and near.min() > far.max()
        return f"{words}: the neighbours {'agree' if agree else 'do not agree'} more than positions far away."
    return f"{words}."
