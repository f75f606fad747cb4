"""`induction_scores(weights, tokens)`: how much each head looks at what followed the query's token before."""

from __future__ import annotations

import numpy as np
import torch

from attnlab.diagnosis.drawn import numbers
from attnlab.diagnosis.exercise import Exercise, Input

SIZES = ((1, 5, 2), (2, 6, 3), (4, 4, 1), (3, 9, 4), (2, 2, 1), (1, 30, 6), (6, 12, 3))  # heads, tokens, how many different ones


def causal(scores: torch.Tensor) -> torch.Tensor:
    """Weights `(heads, T, T)` under a causal mask, float32."""
    later = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
    return torch.softmax(scores.masked_fill(later, -torch.inf), dim=-1).float()


def one_key(heads: list[list[int]]) -> torch.Tensor:
    """Weights of heads whose queries each look at one key."""
    weights = torch.zeros(len(heads), len(heads[0]), len(heads[0]))
    for head, keys in enumerate(heads):
        weights[head, torch.arange(len(keys)), torch.tensor(keys)] = 1
    return weights


def _kinds(random: np.random.RandomState) -> dict[str, list[list[torch.Tensor]]]:
    def weights(heads: int, T: int) -> torch.Tensor:
        return causal(torch.from_numpy(numbers(random, heads, T, T)))

    def inputs(letters: bool) -> list[list[torch.Tensor]]:
        made = []
        for heads, T, different in SIZES:
            tokens = torch.from_numpy(random.randint(different, size=T))
            if not letters:
                tokens = torch.from_numpy(random.permutation(different))[torch.arange(T) % different]
            tokens[-1] = tokens[0]  # one token comes twice
            made.append([weights(heads, T), tokens])
        return made

    return {
        "tokens that repeat with a period": inputs(letters=False),
        "tokens in any order": inputs(letters=True),
        "the same token next to itself": [[weights(2, 5), torch.tensor([3, 3, 1, 1, 1])], [weights(3, 4), torch.tensor([7, 7, 7, 7])]],
        "one token that comes again": [
            [weights(2, 6), torch.tensor(tokens)] for tokens in ([5, 1, 2, 3, 4, 5], [0, 9, 0, 1, 2, 3], [4, 3, 2, 1, 0, 0])
        ],
        "heads that are equal": [
            [one_key([[0, 0, 1, 1, 2], [0, 1, 2, 3, 4], [0, 0, 1, 1, 2]]), torch.tensor([0, 5, 0, 5, 0])],
            [causal(torch.zeros(2, 5, 5)), torch.tensor([0, 1, 2, 0, 0])],
        ],
        "many tokens": [[weights(2, 60), torch.from_numpy(random.randint(26, size=60))]],
    }


EXERCISE = Exercise(
    title="how much each head looks at what came next before",
    inputs=[
        Input("the two heads of the card", [one_key([[0, 0, 1, 1, 2], [0, 0, 1, 2, 3]]), torch.tensor([4, 7, 2, 4, 7])]),
        Input("any weights, tokens in any order", [causal(torch.arange(50.0).reshape(2, 5, 5).sin() * 3), torch.tensor([1, 0, 1, 1, 0])]),
        Input("a token next to itself", [causal(torch.arange(32.0).reshape(2, 4, 4).cos() * 2), torch.tensor([6, 6, 2, 6])]),
        Input("as many heads as tokens", [causal(torch.arange(27.0).reshape(3, 3, 3).sin() * 2), torch.tensor([5, 5, 5])]),
        Input("heads that look elsewhere, too", [one_key([[0, 0, 1, 1, 2], [0, 1, 2, 3, 4]]), torch.tensor([0, 5, 0, 5, 0])]),
        Input("one token that comes again", [causal(torch.arange(36.0).reshape(1, 6, 6).cos() * 3), torch.tensor([8, 1, 2, 3, 4, 8])]),
    ],
    kinds=_kinds,
)
