"""The patients of the clinics in lessons 6 and 7: models with one fault each. Whoever wants to find it should not read on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from attnlab.training.looking import without_positions
from attnlab.training.measuring import NOT_ASKED, Sequences, answers, unchanged
from attnlab.training.sequences import Names, ReverseLengths
from attnlab.training.stand_ins import TorchTransformer

BATCH, RATE = 64, 5e-3
LAST = 20  # batches, over which the loss in training is averaged
MADE = 5  # names
CHANGED = 6  # the position of a token that is replaced
MORE = 4  # tokens of padding
Batches = Iterator[tuple[Tensor, Tensor]]
Train = Callable[[nn.Module, Batches, float], list[float]]
Asked = Callable[[Tensor, Tensor], Tensor]  # what a training asks for, instead of the targets


@dataclass(frozen=True)
class Patient:
    """One model with its fault, after training, and what is seen of it, by what was tried."""

    model: nn.Module
    symptoms: Mapping[str, str]


def _targets(_: Tensor, targets: Tensor) -> Tensor:
    """What is asked where the training is not at fault."""
    return targets


def patients_of_lesson_6(train: Train, seed: int = 0, steps: int = 150) -> dict[str, Patient]:
    """Train three models that reverse sequences of different lengths, each with one fault.

    Args:
        train: `train_model(model, batches, rate)` of the lesson.
        seed: of the models' start and of the batches.
        steps: how many batches each model gets.

    Returns:
        The patients under their letters.
    """
    task = ReverseLengths()

    def treated(asked: Asked = _targets, padding: int | None = task.padding, positions: bool = True) -> Patient:
        torch.manual_seed(seed)
        model = TorchTransformer(task.vocabulary, task.length, 32, 2, 2, mask=False, padding=padding)
        if not positions:
            without_positions(model)
        losses = train(model, _batches(task, asked, seed, steps), RATE)
        tokens, targets = task.fresh(500, torch.Generator().manual_seed(1))
        wider = nn.functional.pad(tokens, (0, MORE), value=task.padding), nn.functional.pad(targets, (0, MORE), value=NOT_ASKED)
        return Patient(
            model,
            {
                **_losses(losses, model, tokens, targets),
                "right on new sequences": f"{_mean(model, tokens, targets, 'right'):.0%}",
                f"right on the same ones, with {MORE} more tokens of padding": f"{_mean(model, *wider, 'right'):.0%}",
                "answers 0 at positions of padding": f"{_answers_0(model, tokens, targets):.0%}",
                "outputs after them, when tokens 1 and 2 change places": _after_an_exchange(model, tokens[:50]),
            },
        )

    return {"A": treated(asked=lambda _, targets: targets.clamp(min=0)), "B": treated(padding=None), "C": treated(positions=False)}


def patients_of_lesson_7(train: Train, seed: int = 0, steps: int = 200) -> dict[str, Patient]:
    """Train three models of names, each with one fault; arguments and result as for lesson 6."""
    names = Names()

    def treated(asked: Asked = _targets, first: int = 1, dropout: float = 0.0) -> Patient:
        torch.manual_seed(seed)
        model = TorchTransformer(names.vocabulary, names.length, 48, 2, 4, first=first, dropout=dropout)
        losses = train(model, _batches(names, asked, seed, steps), RATE)
        tokens, targets = names.fresh(500, torch.Generator().manual_seed(1))
        with torch.no_grad():
            twice = (model(tokens) - model(tokens)).abs().max()
        return Patient(
            model,
            {
                **_losses(losses, model, tokens, targets),
                f"outputs that move, when token {CHANGED} is different": _after_a_change(model, tokens[:50], names.vocabulary),
                "the same names twice, largest difference": f"{twice:.2f}",
                "goes on alone, from the beginning": _alone(model, names),
            },
        )

    def unshifted(tokens: Tensor, targets: Tensor) -> Tensor:
        return tokens.masked_fill(targets == NOT_ASKED, NOT_ASKED)

    return {"A": treated(first=2), "B": treated(dropout=0.3), "C": treated(asked=unshifted)}


def examine(treated: Mapping[str, Patient]) -> None:
    """Print what each patient does, one below the other."""
    for letter, patient in treated.items():
        print(f"{letter}")
        for tried, seen in patient.symptoms.items():
            print(f"   {tried:<60} {seen}")


def _batches(task: Sequences, asked: Asked, seed: int, steps: int) -> Batches:
    """What a training gets: the tokens of a task, and what it asks for."""
    draw = torch.Generator().manual_seed(seed)
    for _ in range(steps):
        tokens, targets = task.batch(BATCH, draw)
        yield tokens, asked(tokens, targets)


def _losses(losses: list[float], model: nn.Module, tokens: Tensor, targets: Tensor) -> dict[str, str]:
    """What training reported, and what is so."""
    return {
        "loss reported in training": f"{sum(losses[-LAST:]) / LAST:.2f}",
        "loss on new sequences, with the right targets": f"{_mean(model, tokens, targets, 'loss'):.2f}",
    }


def _mean(model: nn.Module, tokens: Tensor, targets: Tensor, measure: str) -> float:
    with torch.no_grad():
        return float(answers(model, tokens, targets, measure).double().mean())


def _answers_0(model: nn.Module, tokens: Tensor, targets: Tensor) -> float:
    """How often, where nothing is asked."""
    with torch.no_grad():
        return float((model(tokens).argmax(-1) == 0)[targets == NOT_ASKED].double().mean())


def _after_an_exchange(model: nn.Module, tokens: Tensor) -> str:
    """Whether outputs behind two exchanged tokens move."""
    exchanged = tokens[:, [0, 2, 1, *range(3, tokens.shape[1])]]
    with unchanged(model):
        moved = (model(exchanged) - model(tokens))[:, 3:].abs().amax()
    return "stay the same" if moved < 1e-4 else "change"


def _after_a_change(model: nn.Module, tokens: Tensor, vocabulary: int) -> str:
    """Which outputs move with one token."""
    other = tokens.clone()
    other[:, CHANGED] = (tokens[:, CHANGED] + 1) % vocabulary
    with unchanged(model):
        moved = (model(other) - model(tokens)).abs().amax((0, 2)) > 1e-4
    return f"those from position {int(moved.int().argmax())} on"


def _alone(model: nn.Module, task: Names) -> str:
    """Names that the model makes up by itself."""
    draw, made = torch.Generator().manual_seed(2), []
    for _ in range(MADE):
        tokens = torch.zeros(1, 1, dtype=torch.int64)
        for _ in range(task.length - 1):
            with torch.no_grad():
                chances = torch.softmax(model(tokens)[0, -1], dim=-1)
            tokens = torch.cat([tokens, torch.multinomial(chances, 1, generator=draw)[None]], dim=1)
        made.append(task.read(tokens[0]) or "(nothing)")
    return ", ".join(made)
