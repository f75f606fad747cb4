"""A transformer as blocks, with the names of lesson 6."""

from __future__ import annotations

from attnlab.figures.blocks import Arrow, Block, Line, diagram
from attnlab.figures.colours import NEUTRAL
from attnlab.figures.picture import Picture

DARK, LIGHT = "#4D4D4D", "#DDDDDD"  # the two parts


def transformer_blocks(says: str | None = None) -> Picture:
    """Draw a transformer with one of its blocks: two parts, each in a branch beside the residual stream, which passes them unchanged.

    Pre-norm: Xiong et al., On layer normalization in the transformer architecture, 2020, figure 1 (b).

    Args:
        says: what to see; by default the steps in words.
    """
    stream = "(B, T, k)"
    rows: list[list[Block | Arrow | Line]] = [
        [Block("tokens", "whole numbers", span=3)],
        [Arrow("(B, T)", span=3)],
        [Block("tokens.weight + positions.weight", "a vector for each token, and one for its position", span=3)],
        *_branch("norm_1", Block("attention", "tokens learn of each other", DARK, span=2), stream),
        *_branch("norm_2", Block("feed_forward", "each token by itself: expand, activation, contract", LIGHT, span=2), stream),
        [Arrow(f"{stream}, and on through the next block", span=3)],
        [Block("norm", "LayerNorm", span=3)],
        [Arrow(stream, span=3)],
        [Block("readout", "Linear(k, vocabulary)", span=3)],
        [Arrow("logits (B, T, vocabulary)", span=3)],
        [Block("softmax", "how likely each token is, at each position", span=3)],
    ]
    default = (
        "A transformer from top to bottom, with one of its blocks. At the right the residual stream passes each part unchanged. In the branch "
        "beside it a token is normalised, goes through the part (dark: attention, light: feed-forward), and what comes out is added."
    )
    return Picture(diagram("a transformer with one block", 3, rows), says or default)


def _branch(norm: str, part: Block, shape: str) -> list[list[Block | Arrow | Line]]:
    """One part in its branch, with the stream at its side."""
    return [
        [Arrow(shape, span=2), Line(NEUTRAL, 5)],
        [Block(norm, "LayerNorm: each token by itself", span=2)],
        [Arrow(shape, span=2)],
        [part],
        [Arrow(shape, span=2)],
        [Block("+", "what the part returns is added to the stream", span=3)],
    ]
