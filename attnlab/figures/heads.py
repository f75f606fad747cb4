"""All heads of a model at a glance."""

from __future__ import annotations

from typing import Any

import numpy as np

from attnlab.arrays import as_numpy
from attnlab.figures.colours import Scale
from attnlab.figures.picture import Picture, new_figure, plot

SIDE, GAP = 0.255, 1  # inches of a map; cells between two maps
MARGINS = {"left": 0.62, "bottom": 0.55, "right": 0.05, "top": 0.1}


def heads_at_a_glance(maps: Any, says: str, without_first: bool = False) -> Picture:
    """Show the weights of every head as a small map: a column for each layer, a row for each head.

    Args:
        maps: array or tensor `(layers, heads, T query, T key)`.
        says: what to see.
        without_first: leave key 0 out, and let each row that has other keys sum to 1 again.
    """
    weights = np.array(as_numpy(maps), dtype=float)
    if without_first:
        weights[..., 1:, 0] = 0
        weights[..., 1:, :] /= weights[..., 1:, :].sum(-1, keepdims=True)
    layers, heads, T, _ = weights.shape
    wide = T + GAP
    sheet = np.full((heads * wide - GAP, layers * wide - GAP, 3), 255, dtype=np.uint8)
    scale = Scale(0.0, 1.0, "weights")
    for layer in range(layers):
        for head in range(heads):
            sheet[head * wide : head * wide + T, layer * wide : layer * wide + T] = scale.shades(weights[layer, head])
    width, height = layers * SIDE, heads * SIDE
    figure = new_figure(width + MARGINS["left"] + MARGINS["right"], height + MARGINS["bottom"] + MARGINS["top"], **MARGINS)
    axes = figure.add_subplot()
    axes.imshow(sheet, interpolation="nearest", aspect="auto")
    axes.set_xticks([layer * wide + T / 2 for layer in range(layers)], [str(layer) for layer in range(layers)], fontsize=7)
    axes.set_yticks([head * wide + T / 2 for head in range(heads)], [str(head) for head in range(heads)], fontsize=8)
    axes.set_xlabel("layer")
    axes.set_ylabel("head")
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    return plot(figure, says)
