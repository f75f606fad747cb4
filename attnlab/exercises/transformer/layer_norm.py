"""`layer_norm(x, gain, bias, epsilon=1e-5)`."""

from __future__ import annotations

import torch

from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.transformer import X, drawn

GAIN, BIAS = torch.tensor([1.0, 2, 0.5, -1]), torch.tensor([0.0, 0, 1, 2])

ONES, ZEROS = torch.ones(4), torch.zeros(4)


EXERCISE = Exercise(
    title="every token with mean 0 and variance 1, then gain and bias",
    inputs=[
        Input("the sequence of the card", [X, GAIN, BIAS]),
        Input("gain 1 and bias 0", [drawn(5, 2, 3, 4), ONES, ZEROS]),
        Input("as many tokens as components", [drawn(6, 4, 4, 4), GAIN, BIAS]),
        Input("another epsilon", [X, GAIN, BIAS, 5.0]),
        Input("a token whose components are all equal", [torch.tensor([[[2.0, 2, 2, 2], [1, 2, 3, 4]]]), GAIN, BIAS]),
        Input("tokens of six components", [drawn(45, 2, 2, 6), drawn(46, 6), drawn(47, 6)]),
        Input("tokens a thousand times as long", [1000 * X, GAIN, BIAS]),
        Input("tokens far from 0", [2**18 + drawn(7, 2, 3, 4).double(), GAIN.double(), BIAS.double()]),
    ],
)
