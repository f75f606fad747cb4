"""the class `Transformer(vocabulary, longest, k, blocks)` part by part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from attnlab.diagnosis.cause import Diagnosis, unknown
from attnlab.diagnosis.exceptions.raised import explain_error
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.diagnosis.probes import models
from attnlab.diagnosis.probes.errors_wanted import raises_value_error
from attnlab.exercises.transformer import model, shapes_of, some

NAMES = torch.tensor([[1, 3, 0], [4, 4, 2]])


LENGTHS = ((4, 5), (1, 2), (3, 50))  # longest, tokens


def _refuses_too_many(answer: Callable[..., Any]) -> Diagnosis | None:
    compare = "at the start of `forward`, compare `tokens.shape[1]` with `longest`, and raise ValueError"
    for longest, T in LENGTHS:
        try:
            logits = answer(5, longest, 3, [])(torch.zeros(1, longest, dtype=torch.int64))
        except Exception as error:  # whatever a learner's code raises is what has to be explained
            found = explain_error(error, answer)
            return replace(found, observed=f"a sequence of {longest} tokens in a model that reads up to {longest}: {found.observed}")
        if getattr(logits, "shape", None) != (1, longest, 5):
            return Diagnosis(
                f"for a sequence of {longest} tokens, the result is not of shape (1, {longest}, 5)",
                "logits for all sequences that are short enough",
                unknown("Transformer.no_logits", "begin with the parts above"),
            )
        found = raises_value_error(
            lambda longest=longest, T=T: answer(5, longest, 3, [])(torch.zeros(1, T, dtype=torch.int64)),
            f"a sequence of {T} tokens in a model that reads up to {longest}",
            compare,
            answer,
            counted="sequences",
        )
        if found:
            return found
    return None


Sizes = tuple[int, int, int, int, tuple[int, ...]]  # vocabulary, longest, k, blocks, shape


# Fewer tokens than the model reads: some equal, some of them token 0, and sequences that are equal; tokens in ascending order, and token 0 alone.
EDGE_CASES = ([[0, 3, 0, 0], [5, 5, 2, 5], [0, 3, 0, 0]], [[1, 2, 3], [4, 5, 6]], [[0, 0]])


def _kinds(random: np.random.RandomState) -> dict[str, list[list[Any]]]:
    def made(blocks: str, positions: bool, sizes: tuple[int, int, int, int], tokens: torch.Tensor) -> list[Any]:
        vocabulary, longest, k, layers = sizes
        shapes = shapes_of(vocabulary, longest, k, layers if blocks == "mix" else 0)
        weights = {name: some(random, *shape) * (positions or not name.startswith("positions")) for name, shape in shapes.items()}
        return [[*sizes, blocks], weights, tokens]

    def inputs(blocks: str, positions: bool, *sizes: Sizes) -> list[list[Any]]:
        return [made(blocks, positions, one[:4], torch.from_numpy(random.randint(one[0], size=one[4]))) for one in sizes]

    def edge_cases(positions: bool, layers: int) -> list[list[Any]]:
        return [made("mix", positions, (7, 6, 4, layers), torch.tensor(tokens)) for tokens in EDGE_CASES]

    return {
        # the first is called again: what is kept of positions that are zero would not be seen
        "blocks behind the positions": inputs("bend", True, *((6, 5, 4, layers, size) for layers in (1, 2) for size in ((3, 5), (2, 2)))),
        "positions of zero, no blocks": inputs(
            "mix", False, *((7, 5, 6, 0, size) for size in ((3, 5), (5, 3), (1, 1), (2, 4))), (3, 4, 4, 0, (4, 4))
        ),
        "positions": inputs(
            "mix",
            True,
            *((7, 5, 6, 0, size) for size in ((3, 5), (5, 5), (2, 3), (1, 1))),
            *((4, 9, 3, 0, size) for size in ((9, 4), (2, 9), (1, 6))),
        ),
        "positions of zero, blocks": inputs(
            "mix", False, *((7, 5, 6, layers, size) for layers in (1, 3) for size in ((3, 5), (2, 2))), (5, 4, 4, 2, (4, 4)), (5, 4, 3, 12, (2, 4))
        ),
        "positions, some tokens equal": edge_cases(positions=True, layers=0),
        "positions of zero, blocks, some tokens equal": edge_cases(positions=False, layers=2),
    }


EXERCISE = Exercise(
    title="logits for every position",
    inputs=[
        Input("the two sequences of the card", [[5, 3, 4, 2], model(5, 3, 4, 2), NAMES]),
        Input("no blocks, and positions of zero", [[5, 3, 4, 0], model(5, 3, 4, 0, positions=False), NAMES]),
        Input("no blocks", [[5, 3, 4, 0], model(5, 3, 4, 0), NAMES]),
        Input("no blocks, sequences that are shorter", [[5, 6, 4, 0], model(5, 6, 4, 0), torch.tensor([[1, 3], [4, 4], [0, 2]])]),
        Input("three blocks", [[6, 6, 3, 3, "mix"], model(6, 6, 3, 3), torch.tensor([[5, 0, 1, 1]])]),
    ],
    kinds=_kinds,
    call=models.TRANSFORMER,
    edges={"too many tokens": lambda evidence: _refuses_too_many(evidence.answer)},
    stages={
        "without blocks": ["no blocks, and positions of zero", "positions of zero, no blocks"],
        "positions": ["no blocks", "no blocks, sequences that are shorter", "positions"],
        "blocks in order": ["the two sequences of the card", "three blocks", "positions of zero, blocks", "blocks behind the positions"],
        "too long": ["too many tokens"],
    },
)
