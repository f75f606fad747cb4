"""The way of one query through scaled dot-product attention, with its numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from attnlab.arrays import as_numpy
from attnlab.figures.colours import KEY, QUERY, SHUT, scale_of
from attnlab.figures.layout import layout
from attnlab.figures.mixture import printed, sum_of, written
from attnlab.figures.picture import Picture
from attnlab.figures.tables import Cell, Table, plain, shaded, short, where_largest

MASKED = Cell("−∞", SHUT)


def data_flow(
    queries: Any,
    keys: Any,
    values: Any,
    query: int = 0,
    scale: bool = True,
    mask: Any = None,
    tokens: Sequence[str] | None = None,
    says: str | None = None,
) -> Picture:
    """Show one query's way, number by number: scores with every key, scaled, masked, through the softmax, and the weighted sum of values.

    Args:
        queries: array or tensor `(T, d_k)`.
        keys: array or tensor `(S, d_k)`.
        values: array or tensor `(S, d_v)`.
        query: the row of `queries` to follow.
        scale: divide the scores by √d_k.
        mask: truth values `(T, S)`, True where query i may look at key j; none by default.
        tokens: S names of the keys, and of the queries when T = S; numbers by default.
        says: what to see; by default the largest score, the largest weight and the sum.

    Raises:
        ValueError: shapes that do not fit each other, or no such query.
    """
    import torch  # here, so that lessons without this picture do not wait for it

    q, k, v = (np.asarray(as_numpy(array), dtype=float) for array in (queries, keys, values))
    allowed = np.ones((len(q), len(k)), dtype=bool) if mask is None else np.asarray(as_numpy(mask)).astype(bool)
    _fit(q, k, v, allowed, query)
    names = list(tokens) if tokens is not None and len(tokens) == len(k) else [str(key) for key in range(len(k))]
    asking = f"“{names[query]}”" if tokens is not None and len(tokens) == len(q) == len(k) else str(query)
    root = f"√{k.shape[1]}"
    scores = k @ q[query]
    steps = {"score": scores}
    if scale:
        steps[f"÷ {root}"] = scores = scores / np.sqrt(k.shape[1])
    open_keys = allowed[query]
    if mask is not None:
        steps["masked"] = scores = np.where(open_keys, scores, -np.inf)
    weights = torch.softmax(torch.from_numpy(scores), dim=-1).numpy()  # torch's, because learners write a softmax themselves
    across = "component"  # a line above queries and keys, as high as that above the scores, which have no names of their own
    above = [
        Table(f"1 query {asking}", [printed(q[query], QUERY)], column_axis=across),
        "·",
        Table("2 keys", [printed(key, KEY) for key in k], names, column_axis=across),
        "→",
        _scores(steps),
    ]
    total = plain(weights.sum().reshape(1, 1))[0]
    below = [
        "→",
        Table("4 weights (softmax)", shaded(weights[:, None], scale_of("weights", [weights])), names, below=("sum", total)),
        "×",
        *sum_of(weights, v, names, number=5),
    ]
    return Picture(layout(above, below), says or _describe(asking, steps, weights, open_keys, names))


def _fit(q: np.ndarray, k: np.ndarray, v: np.ndarray, allowed: np.ndarray, query: int) -> None:
    if [q.ndim, k.ndim, v.ndim] != [2, 2, 2] or q.shape[1] != k.shape[1] or len(k) != len(v):
        raise ValueError(
            f"queries {q.shape}, keys {k.shape} and values {v.shape} do not fit: they are (T, d_k), (S, d_k) and (S, d_v), "
            "one sequence without a batch"
        )
    if allowed.shape != (len(q), len(k)):
        raise ValueError(f"a mask of shape {allowed.shape} does not fit {len(q)} queries and {len(k)} keys: it is ({len(q)}, {len(k)})")
    if not 0 <= query < len(q):
        raise ValueError(f"there is no query {query}: choose one from 0 to {len(q) - 1}")


def _scores(steps: dict[str, np.ndarray]) -> Table:
    """One column for each thing that happens to the scores, all on one scale of colours."""
    matrix = np.stack(list(steps.values()), axis=1)
    cells = [
        [MASKED if value == -np.inf else cell for cell, value in zip(line, values)]
        for line, values in zip(shaded(matrix, scale_of("scores", [matrix])), matrix.tolist())
    ]
    return Table("3 scores", cells, columns=list(steps))


def _describe(asking: str, steps: dict[str, np.ndarray], weights: np.ndarray, open_keys: np.ndarray, names: Sequence[str]) -> str:
    if not open_keys.any():
        return f"Query {asking} may look at no key: its weights are 0/0, which is nan."
    raw, last = steps["score"], list(steps.values())[-1]
    best, strongest = int(raw.argmax()), int(weights.argmax())
    quoted = [f"“{name}”" for name in names]
    scaled = next((name for name in steps if name.startswith("÷")), "")
    shut = int((~open_keys).sum())
    parts = [
        f"Query {asking} has its largest score, {short(raw[best])}, with key {where_largest(raw, quoted)}",
        f"scaled ({scaled}) it is {short(steps[scaled][best])}" if scaled else "",
        f"{shut} key{'s' * (shut != 1)} masked" if "masked" in steps else "",
        f"after the softmax the largest weight, {short(weights[strongest])}, is on {where_largest(weights, quoted)} (score {short(last[strongest])})",
    ]
    return f"{'; '.join(filter(None, parts))}. Output = {written(weights, names)}."
