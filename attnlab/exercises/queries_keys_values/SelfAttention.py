"""the torch module `SelfAttention(d_in, d_k, d_v)` with known weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from attnlab import reference
from attnlab.diagnosis import calls
from attnlab.diagnosis.cause import Cause, Diagnosis
from attnlab.diagnosis.drawn import edge_batches, numbers
from attnlab.diagnosis.evidence import Evidence
from attnlab.diagnosis.exceptions.raised import explain_error
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.queries_keys_values import CUBE, EXTREMES, THIN, TOKENS, W_KEY, W_QUERY, W_VALUE, rows, small_rows


def module_input(label: str, x: np.ndarray, w_query: np.ndarray, w_key: np.ndarray, w_value: np.ndarray) -> Input:
    """A case for a torch module: sizes, weights by name, tokens `(B, T, d_in)`."""
    sizes = [w_query.shape[0], w_query.shape[1], w_value.shape[1]]
    names = ("toqueries.weight", "tokeys.weight", "tovalues.weight")
    weights = {name: torch.tensor(w.T.copy(), dtype=torch.float32) for name, w in zip(names, (w_query, w_key, w_value))}
    return Input(label, [sizes, weights, torch.tensor(x, dtype=torch.float32)])


BATCH = np.stack([TOKENS, [[0.0, 1, 0, -1], [1, 0, -1, 0], [0.5, 0.5, 0, 1]]])

CUBES = np.stack([small_rows(3, 3, 3, 3, seed)[0] for seed in (7, 8, 9)])

MODULES = (
    (2, 5, 7, 3, 2),
    (3, 3, 3, 3, 3),
    (4, 1, 2, 5, 3),
    (1, 4, 6, 2, 6),
    (2, 6, 3, 1, 1),
    (1, 1, 1, 1, 1),
    (3, 30, 4, 16, 5),
)  # B, T, d_in, d_k, d_v

Answer = Callable[..., Any]


def other_in_training(evidence: Evidence) -> Diagnosis | None:
    """What is wrong with a module that gives something else while it is in training mode, where every module begins."""
    answer = evidence.answer
    settings, weights, x = reference.cases(evidence.name)[0].arguments
    many = x.repeat(50, 1, 1)  # so many weights that some are dropped
    try:
        built = answer(*settings)
        built.load_state_dict(weights)
        built.eval()
        steady = built(many.clone()).detach().numpy()
        built.train()
        differs = float(np.abs(built(many.clone()).detach().numpy() - steady).max())
    except Exception as error:  # whatever a learner's code raises is what has to be explained
        return explain_error(error, answer)
    if differs < 1e-4 * max(np.abs(steady).max(), 1):
        return None
    return Diagnosis(
        f"the result after `train()` differs from the one after `eval()` by up to {differs:.3g}",
        "the same after both",
        Cause(
            "SelfAttention.differs_in_training_mode",
            "something in your module acts only in training mode, as `Dropout` does",
            "remove it: the card has nothing of the kind",
        ),
    )


def _has_linear_layers(answer: Answer) -> Diagnosis | None:
    built, sizes = answer(3, 4, 5), {"toqueries": (3, 4), "tokeys": (3, 4), "tovalues": (3, 5)}
    for name, wanted in sizes.items():
        layer = getattr(built, name)
        if (getattr(layer, "in_features", None), getattr(layer, "out_features", None)) != wanted:
            return Diagnosis(
                f"for SelfAttention(3, 4, 5), `{name}` is no torch.nn.Linear({wanted[0]}, {wanted[1]})",
                f"torch.nn.Linear({wanted[0]}, {wanted[1]}, bias=False)",
                Cause(
                    "SelfAttention.no_linear_layer",
                    "the layer is of another class than the card says, or does not have these sizes yet, as a `LazyLinear`",
                    "use `torch.nn.Linear(..., bias=False)`",
                ),
            )
    return None


def _kinds(random: np.random.RandomState) -> dict[str, list[list[Any]]]:
    def drawn(batch: int, tokens: int, *sizes: int) -> list[np.ndarray]:
        x, *matrices = rows(random, batch * tokens, *sizes)
        return [x.reshape(batch, tokens, -1), *matrices]

    uneven = drawn(2, 5, 4, 3, 2)
    uneven[0][1] *= 100
    tables = [np.array(EXTREMES[place : place + 3]) / 100 for place in range(6)]
    scales = np.array([1.0, 3, 4, 4])[:, None, None]
    return {
        kind: [module_input("", *arrays).arguments for arrays in inputs]
        for kind, inputs in {
            "tokens": [drawn(*sizes) for sizes in MODULES],
            "long vectors": [[64 * x, *matrices] for x, *matrices in (drawn(2, 5, 7, 3, 2), drawn(3, 4, 4, 4, 4))] + [uneven],
            "sequences whose scores are of very different size": [
                [np.eye(3) * scales[order], table, np.eye(3), numbers(random, 3, 2)]
                for table in tables
                for order in (slice(None), slice(None, None, -1))
            ],
            **{f"tokens, {what}": [[x, *drawn(1, 1, 4, 3, 2)[1:]]] for what, [x] in edge_batches(random, 4).items()},
        }.items()
    }


EXERCISE = Exercise(
    title="the same as a torch module",
    shows=("vectors",),
    inputs=[
        module_input("the two sequences of the card", BATCH, W_QUERY, W_KEY, W_VALUE),
        module_input("a batch of one, d_in = 3, d_k = 4, d_v = 5", THIN[0][None], *THIN[1:]),
        module_input(
            "two sequences of five tokens, d_v = 2",
            np.stack([small_rows(5, 3, 4, 2, seed)[0] for seed in (4, 6)]),
            *small_rows(5, 3, 4, 2, seed=4)[1:],
        ),
        module_input("three sequences of three tokens, all sizes three", CUBES, *CUBE[1:]),
        module_input("sequences of one token", BATCH[:, :1], W_QUERY, W_KEY, W_VALUE),
        module_input("long vectors", 8 * BATCH, W_QUERY, W_KEY, W_VALUE),
    ],
    kinds=_kinds,
    call=calls.module,
    edges={
        "three nn.Linear": lambda evidence: _has_linear_layers(evidence.answer),
        "the same after train()": other_in_training,
    },
)
