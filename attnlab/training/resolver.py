"""The trained model of lesson 2 that finds out which noun *it* means: lesson 1 shows its map, and a learner's two layers run on its matrices."""

from __future__ import annotations

import numpy as np
import torch

from attnlab.training.stored import read
from attnlab.training.tasks import Coreference

ROLES = ("toqueries", "tokeys", "tovalues")


class Resolver:
    """Two layers of attention that resolve the coreference of *it*, trained on sentences without *dog* beside *bone*.

    The second layer reads each word's vector and, beside it, what the first layer returned for it.

    Attributes:
        layers: `[w_query, w_key, w_value]` of each layer; tokens are rows and stand on the left of these matrices.
    """

    def __init__(self) -> None:
        self._task, self._stored = Coreference(), {name: value.astype(float) for name, value in read("coreference").items()}
        self.layers = [[self._stored[f"attention.{layer}.{role}.weight"].T for role in ROLES] for layer in ("first", "second")]

    def embed(self, sentence: str) -> np.ndarray:
        """The sentence as vectors `(9, 16)`, the sum of a row for each word and a row for its position.

        Raises:
            ValueError: the model does not know a word, or there are not nine of them.
        """
        return self._stored["embedding.weight"][self._task.numbers(sentence)].sum(axis=-2)

    def maps(self, sentence: str) -> tuple[np.ndarray, np.ndarray]:
        """The weights of the first layer and of the second, each `(9 queries, 9 keys)`; raises as `embed`."""
        x = self.embed(sentence)
        first, collected = _attention(x, *self.layers[0])
        return first, _attention(np.concatenate([x, collected], axis=1), *self.layers[1])[0]

    def answer(self, outputs: np.ndarray) -> str:
        """The letter with which the noun begins that *it* means, read off what the second layer returns, `(9, 16)`."""
        logits = self._stored["readout.weight"] @ outputs[self._task.asked] + self._stored["readout.bias"]
        return self._task.letters[int(logits.argmax())]


def _attention(x: np.ndarray, w_query: np.ndarray, w_key: np.ndarray, w_value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The weights of one layer, `(T, T)`, and what it returns."""
    scores = (x @ w_query) @ (x @ w_key).T
    weights = torch.softmax(torch.from_numpy(scores), dim=-1).numpy()  # torch's, because learners write a softmax themselves
    return weights, weights @ (x @ w_value)
