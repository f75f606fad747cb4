"""Open the model, and say what was opened."""

from __future__ import annotations

import time
from functools import cache
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from attnlab.real_model import weights

if TYPE_CHECKING:
    from tokenizers import Tokenizer


class Words:
    """Text to tokens and back.

    Attributes:
        count: how many different tokens there are.
    """

    def __init__(self, tokenizer: Tokenizer):
        self._tokenizer = tokenizer
        self.count = tokenizer.get_vocab_size()

    def encode(self, text: str) -> Tensor:
        """The tokens of a text: whole numbers `(T,)`."""
        return torch.tensor(self._tokenizer.encode(text).ids)

    def decode(self, tokens: Tensor | int) -> str:
        """The text of one token, or of several."""
        return self._tokenizer.decode(torch.as_tensor(tokens).reshape(-1).tolist(), skip_special_tokens=False)

    def split(self, text: str) -> list[str]:
        """The text of each token of a text."""
        return [self.decode(token) for token in self.encode(text)]


def load() -> tuple[dict[str, Any], Words]:
    """The model and its words; prints what was opened.

    Returns:
        The model: `embedding` `(V, k)`, `layers`, a dictionary of matrices for each, `norm` `(k,)`, and `s`, the components of a head. And what
        turns text into tokens.

    Raises:
        ModelMissing: it is not installed; the text says what to type.
    """
    torch.empty(0)  # where there is no torch, as in a browser, that is what is said
    began = time.monotonic()
    if not weights.folder().is_dir():
        print("Unpacking SmolLM2-135M: once, some seconds.")
    model, words = opened()
    numbers = sum(tensor.numel() for part in ({"": model["embedding"], "norm": model["norm"]}, *model["layers"]) for tensor in part.values())
    print(f"SmolLM2-135M by Hugging Face: {numbers:,} parameters in {len(model['layers'])} layers, opened in {time.monotonic() - began:.1f} s.")
    return model, words


@cache
def opened() -> tuple[dict[str, Any], Words]:
    """The same, without a word, and once in a process."""
    return weights.parameters(), Words(weights.tokenizer())
