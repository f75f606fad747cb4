"""Inputs of the visible checks of lesson 6, and the wrong results that they know by value."""

import numpy as np
import torch

from attnlab.diagnosis import calls
from attnlab.diagnosis.probes import models
from authoring.references import Case, Exercise


def drawn(seed: int, *shape: int) -> torch.Tensor:
    """Random numbers with one decimal."""
    return torch.from_numpy(np.random.RandomState(seed).normal(size=shape).round(1).astype(np.float32))


def feed_forward(k: int, hidden: int) -> dict[str, torch.Tensor]:
    """Parameters of a feed-forward part."""
    return {"expand.weight": drawn(1, hidden, k), "expand.bias": drawn(2, hidden), "contract.weight": drawn(3, k, hidden), "contract.bias": drawn(4, k)}


def block(k: int, silent: str = "") -> dict[str, torch.Tensor]:
    """Parameters of a block whose modules are linear layers; the one that is silent returns zeros."""
    norms = {f"{norm}.{part}": drawn(seed, k) for seed, (norm, part) in enumerate(
        ((norm, part) for norm in ("norm_1", "norm_2") for part in ("weight", "bias")), start=11)}
    modules = {f"{name}.{part}": drawn(seed, *(k, k)[:axes]) * (name != silent) for seed, (name, part, axes) in enumerate(
        ((name, part, axes) for name in ("attention", "feed_forward") for part, axes in (("weight", 2), ("bias", 1))), start=15)}
    return {**norms, **modules}


def model(vocabulary: int, longest: int, k: int, layers: int, places: bool = True) -> dict[str, torch.Tensor]:
    """Parameters of a transformer whose blocks are linear layers."""
    state = {"tokens.weight": drawn(21, vocabulary, k), "positions.weight": drawn(22, longest, k) * places, "norm.weight": drawn(23, k),
             "norm.bias": drawn(24, k), "readout.weight": drawn(25, vocabulary, k), "readout.bias": drawn(26, vocabulary)}
    for layer in range(layers):
        state |= {f"blocks.{layer}.weight": drawn(27 + 2 * layer, k, k), f"blocks.{layer}.bias": drawn(28 + 2 * layer, k)}
    return state


X = torch.tensor([[[1.0, 2, 3, 6], [-1, 0, 4, 1], [2, 2, 0, -4]]])
GAIN, BIAS = torch.tensor([1.0, 2, 0.5, -1]), torch.tensor([0.0, 0, 1, 2])
ONES, ZEROS = torch.ones(4), torch.zeros(4)
NAMES = torch.tensor([[1, 3, 0], [4, 4, 2]])
SCORES = torch.tensor([[[[0.0, 1, 2], [3, 0, -1], [1, 1, 1]]], [[[2.0, 0, 4], [0, 1, 5], [-1, 1, 0]]]])
LOGITS = torch.tensor([[[2.0, 0, 1, -1], [0, 0, 0, 3], [1, 1, 1, 1]], [[-1.0, 2, 0, 0], [4, 0, 0, 1], [0, 5, 0, 0]]])
TARGETS = torch.tensor([[0, 3, -100], [1, 2, -100]])
TABLE = {"0.weight": drawn(31, 5, 3).double(), "1.weight": drawn(32, 5, 3).double(), "1.bias": drawn(33, 5).double()}


def batches(count: int, seed: int = 34, asked: float = 0.8) -> list[list[torch.Tensor]]:
    """Tokens of which each asks for the next number, and some for nothing."""
    draw, made = np.random.RandomState(seed), []
    for _ in range(count):
        tokens = draw.randint(5, size=(2, 4))
        made.append([torch.from_numpy(tokens), torch.from_numpy(np.where(draw.uniform(size=(2, 4)) < asked, (tokens + 1) % 5, -100))])
    return made


EXERCISES = {
    "layer_norm": Exercise(
        "every token with mean 0 and variance 1, then gain and bias",
        [Case("the sequence of the card", [X, GAIN, BIAS]),
         Case("gain 1 and bias 0", [drawn(5, 2, 3, 4), ONES, ZEROS]),
         Case("as many tokens as components", [drawn(6, 4, 4, 4), GAIN, BIAS]),
         Case("another epsilon", [X, GAIN, BIAS, 5.0]),
         Case("a token whose components are all equal", [torch.tensor([[[2.0, 2, 2, 2], [1, 2, 3, 4]]]), GAIN, BIAS]),
         Case("tokens of six components", [drawn(45, 2, 2, 6), drawn(46, 6), drawn(47, 6)]),
         Case("tokens a thousand times as long", [1000 * X, GAIN, BIAS]),
         Case("tokens far from 0", [2 ** 18 + drawn(7, 2, 3, 4).double(), GAIN.double(), BIAS.double()])]),
    "FeedForward": Exercise(
        "a matrix, a bend, a matrix",
        [Case("the sequence of the card", [[4, 6], feed_forward(4, 6), X]),
         Case("hidden smaller than k", [[4, 3], feed_forward(4, 3), drawn(8, 2, 2, 4)]),
         Case("hidden as large as k", [[3, 3], feed_forward(3, 3), drawn(9, 2, 3, 3)])],
        call=calls.module),
    "Block": Exercise(
        "two parts beside a stream",
        [Case("the sequence of the card", [4, block(4), X]),
         Case("the feed-forward part returns zeros", [4, block(4, "feed_forward"), X]),
         Case("the attention returns zeros", [4, block(4, "attention"), X]),
         Case("tokens of six components", [6, block(6), drawn(48, 2, 2, 6)])],
        call=models.block),
    "Transformer": Exercise(
        "logits for every place",
        [Case("the two sequences of the card", [[5, 3, 4, 2], model(5, 3, 4, 2), NAMES]),
         Case("no blocks, and positions of zero", [[5, 3, 4, 0], model(5, 3, 4, 0, places=False), NAMES]),
         Case("no blocks", [[5, 3, 4, 0], model(5, 3, 4, 0), NAMES]),
         Case("no blocks, sequences that are shorter", [[5, 6, 4, 0], model(5, 6, 4, 0), torch.tensor([[1, 3], [4, 4], [0, 2]])]),
         Case("three blocks", [[6, 4, 3, 3], model(6, 4, 3, 3), torch.tensor([[5, 0, 1, 1]])])],
        call=models.transformer),
    "padded_weights": Exercise(
        "weights for the tokens that are there",
        [Case("the two sequences of the card", [SCORES, torch.tensor([3, 2])]),
         Case("three sequences, two heads", [drawn(41, 3, 2, 4, 4), torch.tensor([1, 3, 2])]),
         Case("as many sequences as heads and tokens", [drawn(42, 2, 2, 2, 2), torch.tensor([2, 1])]),
         Case("scores of ten thousand", [1e4 * SCORES, torch.tensor([3, 2])]),
         Case("a single token", [drawn(43, 1, 1, 1, 1), torch.tensor([1])])]),
    "masked_loss": Exercise(
        "the mean surprise where something is asked",
        [Case("the two sequences of the card", [LOGITS, TARGETS]),
         Case("every place asked", [LOGITS[:1], torch.tensor([[2, 0, 1]])]),
         Case("a single place asked", [LOGITS, torch.tensor([[-100, -100, -100], [-100, 1, -100]])]),
         Case("logits of ten thousand", [1e4 * LOGITS, TARGETS]),
         Case("a square batch", [drawn(44, 3, 3, 3), torch.tensor([[0, -100, -100], [1, 1, 2], [-100, 0, 0]])])]),
    "train_model": Exercise(
        "one step of Adam for each batch",
        [Case("the losses of six batches", ["losses", TABLE, batches(6), 0.1]),
         Case("the model after one batch", ["model", TABLE, batches(1, asked=1), 0.1]),
         Case("the model after two batches", ["model", TABLE, batches(2), 0.1]),
         Case("the model after six batches", ["model", TABLE, batches(6), 0.02])],
        call=models.trained),
    "learn_to_rearrange": Exercise("a model that passes", [Case("150 batches", [6])], call=models.rearranges),
    "next_probabilities": Exercise(
        "the distribution of the next token",
        [Case("the logits of the card", [torch.tensor([2.0, 1, 0, -1]), 0.5, 2]),
         Case("as the model was trained", [torch.tensor([0.0, 1, 2, -1, 0.5])]),
         Case("temperature 2", [torch.tensor([0.0, 1, 2, -1, 0.5]), 2.0]),
         Case("large logits", [torch.tensor([1e4, 9999, -1e4]), 1.0]),
         Case("temperature 0", [torch.tensor([0.0, 1, 2, -1, 0.5]), 0]),
         Case("temperature 0, two largest", [torch.tensor([0.0, 3, 3, -1]), 0.0]),
         Case("the three most likely of six", [torch.tensor([-5.0, -2, -7, -3, -9, -2.5]), 1.0, 3]),
         Case("one token kept", [torch.tensor([0.5, 0.2, 0.9]), 2.0, 1]),
         Case("equal logits, one token kept", [torch.tensor([1.0, 1.0, 4.0, -1.0]), 1.0, 1])]),
    "generate": Exercise(
        "a sequence, continued",
        [Case("the three tokens of the card", [torch.tensor([3, 1, 4]), 4, 4]),
         Case("a model that reads one token", [torch.tensor([2, 6]), 3, 1]),
         Case("a model that reads more than there is", [torch.tensor([5]), 6, 30]),
         Case("a longer start", [torch.tensor([1, 5, 2, 2, 6, 0]), 5, 9]),
         Case("no step", [torch.tensor([5, 0, 2]), 0, 4])],
        call=models.continued),
}
