"""`next_probabilities(logits, temperature=1.0, top_k=None)` part by part."""

from __future__ import annotations

import torch

from attnlab.diagnosis.exercise import Exercise, Input

EXERCISE = Exercise(
    title="the distribution of the next token",
    inputs=[
        Input("the logits of the card", [torch.tensor([2.0, 1, 0, -1]), 0.5, 2]),
        Input("as the model was trained", [torch.tensor([0.0, 1, 2, -1, 0.5])]),
        Input("temperature 2", [torch.tensor([0.0, 1, 2, -1, 0.5]), 2.0]),
        Input("large logits", [torch.tensor([1e4, 9999, -1e4]), 1.0]),
        Input("temperature 0", [torch.tensor([0.0, 1, 2, -1, 0.5]), 0]),
        Input("temperature 0, two largest", [torch.tensor([0.0, 3, 3, -1]), 0.0]),
        Input("the three most likely of six", [torch.tensor([-5.0, -2, -7, -3, -9, -2.5]), 1.0, 3]),
        Input("one token kept", [torch.tensor([0.5, 0.2, 0.9]), 2.0, 1]),
        Input("equal logits, one token kept", [torch.tensor([1.0, 1.0, 4.0, -1.0]), 1.0, 1]),
    ],
    stages={
        "temperature": ["as the model was trained", "temperature 2", "large logits"],
        "greedy": ["temperature 0", "temperature 0, two largest"],
        "top-k": ["the logits of the card", "the three most likely of six", "one token kept", "equal logits, one token kept"],
    },
)
