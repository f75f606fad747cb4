"""The trained model of lesson 2 that finds out which noun *it* means, to look into without that lesson's classes."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from attnlab.training.stored import read
from attnlab.training.tasks import Coreference


class Resolver:
    """Two layers of attention that resolve the coreference of *it*, trained on sentences without *dog* beside *bone*.

    In the second layer each word has its own vector and, beside it, what the first layer returned for it.
    """

    def __init__(self) -> None:
        self.task = Coreference()
        self._parameters = read("coreference")

    def maps(self, sentence: str) -> tuple[np.ndarray, np.ndarray]:
        """The weights of the first layer and of the second, each `(9 queries, 9 keys)`.

        Raises:
            ValueError: the model does not know a word, or there are not nine of them.
        """
        first, second, _ = self._computed(sentence)
        return first.numpy(), second.numpy()

    def letter(self, sentence: str) -> str:
        """The letter with which the noun begins that *it* means, as the model says.

        Raises:
            ValueError: as `maps`.
        """
        output = self._computed(sentence)[2]
        logits = self._parameters["readout.weight"] @ output[self.task.asked] + self._parameters["readout.bias"]
        return self.task.letters[int(logits.argmax())]

    def _computed(self, sentence: str) -> tuple[Tensor, Tensor, Tensor]:
        """The weights of both layers, and what the second one returns, `(9, d)`."""
        x = self._parameters["embedding.weight"][self.task.tokens(sentence)[0]].sum(-2)
        first, collected = self._layer("first", x)
        return first, *self._layer("second", torch.cat([x, collected], dim=-1))

    def _layer(self, name: str, x: Tensor) -> tuple[Tensor, Tensor]:
        """The weights `(T, T)` of one layer, and what it returns."""
        queries, keys, values = (x @ self._parameters[f"attention.{name}.to{role}.weight"].T for role in ("queries", "keys", "values"))
        weights = torch.softmax(queries @ keys.T, dim=-1)
        return weights, weights @ values
