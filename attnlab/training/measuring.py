"""How good a model is while it trains, found out without changing anything of its training."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Protocol

import torch
from torch import Tensor, nn

from attnlab.training.loop import FINAL, FRESH, OWN, Run

NOT_ASKED = -100  # the target of a token that has nothing to say, as in torch's own losses
PART = 250  # sequences that go through a model at once when it is measured


class Sequences(Protocol):
    """What `Watch` needs to know of a task in which tokens answer by themselves.

    `vocabulary` is how many different tokens there are; an answer is one of them. `measure` is "right", the part of the asked targets that
    are answered right, or "loss", the mean of minus the logarithm of their probabilities. `lines` are values to compare with, by name.
    """

    @property
    def vocabulary(self) -> int: ...

    @property
    def measure(self) -> str: ...

    @property
    def lines(self) -> Mapping[str, float]: ...

    def batch(self, size: int, draw: torch.Generator) -> tuple[Tensor, Tensor]:
        """Random sequences `(size, T)` to train on, and the right answers `(size, T)`; -100 where nothing is asked."""
        ...

    def fresh(self, size: int, draw: torch.Generator) -> tuple[Tensor, Tensor]:
        """The same, of data that training never sees."""
        ...


@contextmanager
def unchanged(model: nn.Module) -> Iterator[None]:
    """In here a model is only looked at: no gradients, no dropout, and afterwards torch draws what it would have drawn."""
    modes = {module: module.training for module in model.modules()}
    model.eval()
    try:
        with torch.no_grad(), torch.random.fork_rng(devices=[]):
            yield
    finally:
        for module, mode in modes.items():
            module.training = mode


class Measurement:
    """Measures one model now and then, on new sequences each time; every model of a task and a seed on the same ones.

    Args:
        task: see `Sequences`.
        seed: of the sequences.
    """

    def __init__(self, model: nn.Module, task: Sequences, seed: int):
        if task.measure not in ("right", "loss"):
            raise ValueError(f'a task measures "right" or "loss", not {task.measure!r}')
        self._model, self._task = model, task
        self._fresh, self._last = torch.Generator().manual_seed(seed + OWN), torch.Generator().manual_seed(seed + 2 * OWN)

    def note(self, run: Run, step: int) -> None:
        """Add to a run how good the model is after so many steps."""
        run.steps.append(step)
        (run.right if self._task.measure == "right" else run.loss).append(self._value(FRESH, self._fresh))

    def finish(self, run: Run) -> None:
        """Add to a run how good the model is at the end, on more sequences."""
        run.final = self._value(FINAL, self._last)

    def _value(self, size: int, draw: torch.Generator) -> float:
        with unchanged(self._model):
            tokens, targets = self._task.fresh(size, draw)
            parts = [answers(self._model, *part, self._task.measure) for part in zip(tokens.split(PART), targets.split(PART))]
        return float(torch.cat(parts).double().mean())


def answers(model: nn.Module, tokens: Tensor, targets: Tensor, measure: str) -> Tensor:
    """For each target that is asked: whether it is answered right, or for "loss" minus the logarithm of its probability."""
    asked = targets != NOT_ASKED
    logits = model(tokens)
    if logits.shape[:2] != targets.shape:
        raise ValueError(
            f"the model returns {tuple(logits.shape)} for tokens {tuple(tokens.shape)}: "
            f"it has to begin with {tuple(targets.shape)}, numbers for each token"
        )
    if measure == "right":
        return logits.argmax(-1)[asked] == targets[asked]
    return -logits.log_softmax(-1)[asked].gather(-1, targets[asked][:, None])[:, 0]
