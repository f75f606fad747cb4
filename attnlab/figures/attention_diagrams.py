"""Attention as blocks, with the names and shapes of the lessons."""

from __future__ import annotations

from attnlab.figures.blocks import Arrow, Block, Line, diagram
from attnlab.figures.colours import KEY, NEUTRAL, QUERY, SCORE, VALUE, WEIGHT
from attnlab.figures.picture import Picture

Length = int | str
MOST_HEADS = 4  # are drawn one by one


def attention_blocks(
    T: Length = "T", S: Length = "S", d_k: Length = "d_k", d_v: Length = "d_v", scale: bool = True, mask: bool = True, says: str | None = None
) -> Picture:
    """Draw scaled dot-product attention as blocks, with the shape of every array.

    softmax(Q Kᵀ / √d_k) V: Vaswani et al., Attention Is All You Need, 2017, equation 1 and the left part of figure 2.

    Args:
        T: queries; a number or a letter, as for the others.
        S: keys and values; the same as T in self-attention.
        d_k: components of a query and of a key.
        d_v: components of a value.
        scale: with the division by √d_k.
        mask: with the mask, which is drawn as optional.
        says: what to see; by default the steps in words.
    """
    scores = _shape(T, S)
    steps = [Block("scores = queries · keysᵀ", "every query with every key", SCORE, span=2)]
    words = [f"queries {_shape(T, d_k)} times transposed keys {_shape(S, d_k)} give scores {scores}"]
    if scale:
        steps.append(Block(f"÷ √{d_k}", "scale", SCORE, span=2))
        words.append(f"divided by √{d_k}")
    if mask:
        steps.append(Block("mask (optional)", "−∞ where a query may not look", span=2, optional=True))
        words.append("masked with −∞ where a query may not look (optional)")
    steps.append(Block("softmax along the keys", "every row sums to 1", WEIGHT, span=2))
    rows: list[list[Block | Arrow | Line]] = [
        [Block("queries", colour=QUERY), Block("keys", colour=KEY), Block("values", colour=VALUE)],
        [Arrow(_shape(T, d_k)), Arrow(_shape(S, d_k)), Line(VALUE, 2 * len(steps))],
    ]
    for step in steps[:-1]:
        rows += [[step], [Arrow(scores, span=2)]]
    rows += [
        [steps[-1]],
        [Arrow(f"weights {scores}", span=2), Arrow(_shape(S, d_v))],
        [Block("weights · values", "for every query the weighted sum of all values", span=3)],
        [Arrow(_shape(T, d_v), span=3)],
        [Block("output", colour=NEUTRAL, span=3)],
    ]
    default = (
        f"{'Scaled dot' if scale else 'Dot'}-product attention from top to bottom: {', '.join(words)}; a softmax along the keys makes "
        f"weights {scores} of them; weights times values {_shape(S, d_v)} is the output {_shape(T, d_v)}."
    )
    return Picture(diagram(f"{'scaled dot' if scale else 'dot'}-product attention", 3, rows), says or default)


def multi_head_blocks(B: int = 2, T: int = 4, k: int = 6, heads: int = 2, fold: bool = False, says: str | None = None) -> Picture:
    """Draw multi-head self-attention as blocks, with the learner's names and the shape of every array.

    Args:
        B: sequences of the batch.
        T: tokens of a sequence.
        k: components of a token.
        heads: number of heads h; every head has s = k / h components.
        fold: also say the shape of the arrays where heads are folded into the batch: (B·h, T, s).
        says: what to see; by default the steps in words.

    Raises:
        ValueError: `heads` does not divide `k`.
    """
    if heads < 1 or k % heads:
        raise ValueError(f"{k} components cannot be cut into {heads} equal heads: choose a number of heads that divides k")
    s = k // heads
    whole, cut = f"(B, T, k) = {_shape(B, T, k)}", f"(B, h, T, s) = {_shape(B, heads, T, s)}"
    cut += f", folded (B·h, T, s) = {_shape(B * heads, T, s)}" if fold else ""
    weights = f"(B·h, T, T) = {_shape(B * heads, T, T)}" if fold else f"(B, h, T, T) = {_shape(B, heads, T, T)}"
    roles = (("toqueries", QUERY), ("tokeys", KEY), ("tovalues", VALUE))
    chips = [f"head {head}" for head in range(heads)] if heads <= MOST_HEADS else ["head 0", "head 1", "…", f"head {heads - 1}"]
    rows: list[list[Block | Arrow | Line]] = [
        [Block("x", "B sequences of T tokens", span=3)],
        [Arrow(whole) for _ in roles],
        [Block(name, f"Linear({k}, {k})", colour) for name, colour in roles],
        [Arrow(whole) for _ in roles],
        [Block("split_heads") for _ in roles],
        [Arrow(cut) for _ in roles],
        [Block("attention in every head by itself", f"softmax(queries · keysᵀ / √{s}) · values, weights {weights}", span=3, chips=chips)],
        [Arrow(cut, span=3)],
        [Block("merge_heads", "the heads side by side", span=3)],
        [Arrow(whole, span=3)],
        [Block("unifyheads", f"Linear({k}, {k}) mixes the heads", span=3)],
        [Arrow(whole, span=3)],
        [Block("output", span=3)],
    ]
    default = (
        f"Multi-head self-attention from top to bottom, B = {B}, T = {T}, k = {k}, h = {heads}, s = k / h = {s}: x {_shape(B, T, k)} goes "
        f"through toqueries, tokeys and tovalues; split_heads makes {_shape(B, heads, T, s)} of each; every head attends by itself; "
        f"merge_heads puts the heads side by side, {_shape(B, T, k)}; unifyheads mixes them."
    )
    folded = f" Folded into the batch, {B} × {heads} heads are {B * heads} sequences of one head." if fold else ""
    return Picture(diagram("multi-head self-attention", 3, rows), says or default + folded)


def _shape(*lengths: Length) -> str:
    return f"({', '.join(map(str, lengths))})"
