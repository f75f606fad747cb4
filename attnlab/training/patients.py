"""The patients of lesson 6's clinic: models that train, each with one fault. Whoever wants to find the faults should read on somewhere else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from attnlab.training.measuring import Sequences, answers
from attnlab.training.own import StandIn
from attnlab.training.sequences import Names, Reverse

STEPS, BATCH, RATE = 200, 64, 5e-3
LAST = 20  # batches, over which the loss in training is averaged
MADE = 5  # names
CHANGED = 6  # the place of a token that is replaced
Make = Callable[..., nn.Module]
Train = Callable[[nn.Module, Iterator[tuple[Tensor, Tensor]], float], list[float]]


class _Generous(StandIn):
    """The patient's attention: like torch's, and its mask leaves one key more."""

    first = 2


@dataclass
class Patient:
    """One model with its fault.

    Args:
        task: what it was trained on.
        model: after training.
        losses: what its training reported, for each batch.
    """

    task: Sequences
    model: nn.Module
    losses: list[float] = field(default_factory=list)

    def symptoms(self) -> dict[str, str]:
        """What it does, by what was tried."""
        tokens, targets = self.task.fresh(500, torch.Generator().manual_seed(1))
        with torch.no_grad():
            right, loss = (answers(self.model, tokens, targets, measure).double().mean() for measure in ("right", "loss"))
        found = {
            "trained on": type(self.task).__name__.lower(),
            "loss reported in training": f"{sum(self.losses[-LAST:]) / LAST:.2f}",
            "loss on new sequences, where asked": f"{loss:.2f}",
            "right on new sequences, where asked": f"{right:.0%}",
            "outputs after them, when tokens 1 and 2 are exchanged": self._after_an_exchange(tokens[:50]),
            f"outputs that move, when token {CHANGED} is another one": self._after_a_change(tokens[:50]),
        }
        return {**found, "goes on alone, from the beginning": self._alone(self.task) if isinstance(self.task, Names) else "(not asked to)"}

    def _after_an_exchange(self, tokens: Tensor) -> str:
        """Whether outputs behind two exchanged tokens move."""
        exchanged = tokens[:, [0, 2, 1, *range(3, tokens.shape[1])]]
        with torch.no_grad():
            moved = (self.model(exchanged) - self.model(tokens))[:, 3:].abs().amax()
        return "stay the same" if moved < 1e-4 else "change"

    def _after_a_change(self, tokens: Tensor) -> str:
        """Which outputs move with one token."""
        other = tokens.clone()
        other[:, CHANGED] = (tokens[:, CHANGED] + 1) % self.task.vocabulary
        with torch.no_grad():
            moved = (self.model(other) - self.model(tokens)).abs().amax((0, 2)) > 1e-4
        first = int(moved.int().argmax())
        return "those of all places" if moved.all() else f"those from place {first} on"

    def _alone(self, task: Names) -> str:
        """Names that the model makes up by itself."""
        draw, made = torch.Generator().manual_seed(2), []
        for _ in range(MADE):
            tokens = torch.zeros(1, 1, dtype=torch.int64)
            for _ in range(task.length - 1):
                with torch.no_grad():
                    chances = torch.softmax(self.model(tokens)[0, -1], dim=-1)
                tokens = torch.cat([tokens, torch.multinomial(chances, 1, generator=draw)[None]], dim=1)
            made.append(task.read(tokens[0]) or "(nothing)")
        return ", ".join(made)


def patients(make: Make, train: Train, seed: int = 0) -> dict[str, Patient]:
    """Train three models, each with one fault.

    Args:
        make: `small_transformer(task, layers, mask, k)` of the lesson.
        train: `train_model(model, batches, rate)` of the lesson.
        seed: of the models' start and of the batches.

    Returns:
        The patients under their letters.
    """
    torch.manual_seed(seed)
    names, reverse = Names(), Reverse()
    first, second = make(names, 2, mask=True, k=48), make(names, 2, mask=True, k=48)
    for block in second.blocks:
        block.attention = _Generous(48, 1, mask=True)
    third = make(reverse, 1, mask=False)
    nn.init.zeros_(third.positions.weight).requires_grad_(False)
    treated = {"A": Patient(names, first), "B": Patient(names, second), "C": Patient(reverse, third)}
    for letter, patient in treated.items():
        draw = torch.Generator().manual_seed(seed)
        batches = (patient.task.batch(BATCH, draw) for _ in range(STEPS))
        if letter == "A":
            batches = ((tokens, targets.clamp(min=0)) for tokens, targets in batches)
        patient.losses = train(patient.model, batches, RATE)
    return treated


def examine(treated: dict[str, Patient]) -> None:
    """Print what each patient does, one below the other."""
    for letter, patient in treated.items():
        print(f"{letter}")
        for tried, seen in patient.symptoms().items():
            print(f"   {tried:<60} {seen}")
