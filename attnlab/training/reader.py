"""The model around an attention: an embedding before it, a linear layer after it."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from attnlab.training.tasks import Task

SPREAD = 0.3  # the standard deviation of the embedding's components at the start


class Reader(nn.Module):
    """Embeds a sequence, lets an attention mix its tokens, and reads the answers off the result.

    Nothing but the attention lets tokens learn of each other, so what the model can do, the attention can do.

    Args:
        attention: a module, or a function, from `(B, T, d_model)` to `(B, T, d_out)`.
        task: what is to be learned: see `attnlab.training.tasks`.
        d_model: the dimension of the embedded tokens.
        d_out: the dimension of what the attention returns; `d_model` by default.
        positions: `(T, d_model)`, added to the embedded tokens; None for none.
        spread: the standard deviation of the embedding's components before training.
    """

    def __init__(
        self, attention: nn.Module, task: Task, d_model: int, d_out: int | None = None, positions: Tensor | None = None, spread: float = SPREAD
    ):
        super().__init__()
        self.embedding = nn.Embedding(task.vocabulary, d_model)
        nn.init.normal_(self.embedding.weight, std=spread)
        self.attention = attention
        self.task = task
        self.readout = nn.Linear(d_out or d_model, task.classes * (1 if task.asked is None else task.questions))
        self.register_buffer("positions", torch.zeros(1, d_model) if positions is None else positions.float(), persistent=False)

    def embed(self, tokens: Tensor) -> Tensor:
        """The tokens `(B, T, n)` as vectors `(B, T, d_model)`: a row of the table for each of the n entries, summed, and the positions."""
        return self.embedding(tokens).sum(-2) + self.positions

    def forward(self, tokens: Tensor) -> Tensor:
        """A number for each possible answer, before the softmax: `(B, questions, classes)`."""
        mixed = self.attention(self.embed(tokens))  # (B, T, d_out)
        if self.task.asked is not None:
            mixed = mixed[:, self.task.asked]  # (B, d_out)
        return self.readout(mixed).reshape(len(tokens), self.task.questions, self.task.classes)
