"""`multi_head_columns(X, heads, omega_c)`: several heads."""

from __future__ import annotations

import numpy as np

from attnlab.diagnosis.drawn import edge_cases, numbers
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.columns import EXTREMES, Kinds, drawn, in_steps


def heads_example() -> list:
    """N = 6 tokens of dimension 8 and two heads of dimension 4, from the seeds that the card names."""
    inputs, parameters = np.random.RandomState(3), np.random.RandomState(0)
    drawn_heads = []
    for _ in range(2):
        omegas = {f"omega_{role}": parameters.normal(size=(4, 8)) for role in "qkv"}
        drawn_heads.append({**omegas, **{f"beta_{role}": parameters.normal(size=(4, 1)) for role in "qkv"}})
    return [inputs.normal(size=(8, 6)), drawn_heads, parameters.normal(size=(8, 8))]


def small_heads(N: int, factor: float = 1.0, size: int = 1) -> list:
    """Three heads for N tokens, of dimension 1 and 3 or, with another `size`, that many times as much."""
    heads = [
        {
            **{f"omega_{role}": drawn(seed + place, size, 3 * size) for place, role in enumerate("qkv")},
            **{f"beta_{role}": drawn(seed + 3 + place, size, 1) for place, role in enumerate("qkv")},
        }
        for seed in (10, 20, 30)
    ]
    return [factor * drawn(6, 3 * size, N), heads, drawn(7, 3 * size, 3 * size)]


def _heads(random: np.random.RandomState, D: int, count: int, steps: int = 8) -> list[dict[str, np.ndarray]]:
    """Heads of random numbers in steps of 1/steps."""
    names = [(kind, role) for kind in ("omega", "beta") for role in "qkv"]
    return [
        {f"{kind}_{role}": in_steps(numbers(random, D // count, D if kind == "omega" else 1), steps) for kind, role in names} for _ in range(count)
    ]


def _eighths(random: np.random.RandomState, *shape: int) -> np.ndarray:
    """Random numbers in steps that let float32 hold scores exactly."""
    return in_steps(numbers(random, *shape), 8)


def _kinds_of_heads(random: np.random.RandomState, words: str, sizes: tuple[tuple[int, int, int], ...]) -> Kinds:
    """Every kind beside large scores, with words for how many heads there are; sizes are D, the number of heads, N."""
    D, count, N = sizes[0]
    X, heads, omega_c = _eighths(random, D, N), _heads(random, D, count), _eighths(random, D, D)
    backwards = [dict(reversed(head.items())) for head in heads]
    return {
        words: [[_eighths(random, D, N), _heads(random, D, count), _eighths(random, D, D)] for D, count, N in sizes],
        f"{words}, dicts in another order": [[X, backwards, omega_c], [X, [dict(sorted(head.items())) for head in heads], omega_c]],
        f"{words}, the same tokens with other matrices": [
            [X, heads, omega_c],
            [X, _heads(random, D, count), omega_c],
            [X, heads, _eighths(random, D, D)],
            [_eighths(random, D, N), heads, omega_c],
            [X, heads, omega_c],
        ],
        f"{words}, a single token": [[X[:, :1], heads, omega_c]],
        f"{words}, small numbers": [[X, heads, omega_c / 2**12]],
        f"{words}, integer tokens": [
            [random.randint(-2, 3, size=(D, N)), _heads(random, D, count), _eighths(random, D, D)] for D, count, N in sizes[:3]
        ],
    }


def _kinds(random: np.random.RandomState) -> Kinds:
    large, beside, tables = [], [], []
    for D, count, N in ((6, 2, 5), (4, 1, 4), (6, 3, 2)):  # whole numbers and steps of 1/4, so that float32 holds the scores exactly
        large.append([np.round(60 * numbers(random, D, N)), _heads(random, D, count, steps=4), _eighths(random, D, D)])
        X = np.round(300 * numbers(random, D, N))
        X[:, 0] = np.round(X[:, 0] / 75) / 4
        beside.append([X, _heads(random, D, count, steps=4), _eighths(random, D, D)])
    for place in range(6):
        heads = _heads(random, 8, 2)
        for head, columns in zip(heads, (EXTREMES[place : place + 3], EXTREMES[5 - place : 8 - place])):
            query = np.zeros((4, 8))
            query[:3, :3] = 2 * np.array(columns).T  # 2 is the root of H_D
            head |= {"omega_q": query, "omega_k": np.eye(4, 8), "beta_q": np.zeros((4, 1)), "beta_k": np.zeros((4, 1))}
        tables.append([np.eye(8, 3), heads, _eighths(random, 8, 8)])
    same = _heads(random, 8, 4)[:2] * 2
    return {
        **_kinds_of_heads(random, "one head", ((3, 1, 3), (4, 1, 6), (5, 1, 2), (1, 1, 4), (4, 1, 30))),
        **_kinds_of_heads(random, "several heads", ((6, 3, 5), (6, 2, 3), (4, 4, 2), (12, 3, 12), (8, 2, 4), (10, 5, 1), (6, 2, 120))),
        "the same numbers in two heads": [[_eighths(random, 8, 5), same, _eighths(random, 8, 8)]],
        **{
            f"several heads, tokens {what}": [[in_steps(x.T, 8), _heads(random, 6, 3), _eighths(random, 6, 6)]]
            for what, [x] in edge_cases(random, 6).items()
        },
        "large tokens": large,
        "one small token beside large ones": beside,
        "columns of very different scores": tables,
    }


EXERCISE = Exercise(
    title="two heads, tokens in columns",
    shows=("vectors in columns",),
    inputs=[
        Input("the six tokens of the card", heads_example()),
        Input("four tokens, D = 3, three heads", small_heads(4)),
        Input("two tokens, D = 6, three heads", small_heads(2, size=2)),
        Input("a single token", small_heads(1)),
        Input("large tokens", small_heads(4, 60.0)),
    ],
    kinds=_kinds,
)
