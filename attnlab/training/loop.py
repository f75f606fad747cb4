"""The loop that trains, and what it tells while it does."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor, nn

from attnlab.figures.training import training
from attnlab.training.live import Live
from attnlab.training.tasks import Task

MEASUREMENTS = 30  # for each curve, spread evenly
FRESH = 256  # new sequences for each measurement
FINAL = 2000  # and for the last
BATCH = 64
OWN = 1_000_003  # added to a seed, for sequences of another kind

Maps = Callable[[], Mapping[str, np.ndarray]]


@dataclass
class Run:
    """How one model learned.

    Args:
        steps: after how many steps it was measured.
        right: which part of the sequences was answered right then, new sequences each time; all questions of a sequence count as one where
            one token answers them, else each answer counts. Empty where the loss was measured.
        final: the same at the end, on `FINAL` new sequences.
        by_question: the same for each question by itself, `(questions,)`.
        loss: instead of `right`, how large the loss was then, in nats, new sequences each time; `final` is the loss, too.
    """

    steps: list[int] = field(default_factory=list)
    right: list[float] = field(default_factory=list)
    final: float = float("nan")
    by_question: np.ndarray = field(default_factory=lambda: np.empty(0))
    loss: list[float] = field(default_factory=list)

    @property
    def values(self) -> list[float]:
        """What was measured, step by step: `right`, or `loss`."""
        return self.loss or self.right

    def reached(self, goal: float) -> int | None:
        """The first measured step from which on at least `goal` was right, or the loss at most `goal`, until the end; or None."""
        below = [index for index, value in enumerate(self.values) if not (value <= goal if self.loss else value >= goal)]
        after = below[-1] + 1 if below else 0
        return self.steps[after] if after < len(self.steps) else None


def step(model: nn.Module, optimizer: torch.optim.Optimizer, tokens: Tensor, answers: Tensor) -> float:
    """One step of training: how wrong is the model, in which direction is it less wrong, go a little that way.

    Args:
        tokens: a batch of sequences.
        answers: the right answers `(B, questions)`: for each sequence one, or one for each token.

    Returns:
        The loss before the step: minus the logarithm of the probability that the model gave the right answer, on average.
    """
    logits = model(tokens)  # (B, questions, classes)
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), answers.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return float(loss.detach())


def train(
    models: Mapping[str, nn.Module],
    task: Task,
    steps: int,
    rate: float = 1e-2,
    seed: int = 0,
    maps: Maps | None = None,
    names: list[str] | None = None,
    seconds: float = 60.0,
    sgd: bool = False,
    decay: float = 0.0,
) -> dict[str, Run]:
    """Train models side by side, on the same batches, and draw how much each has learned.

    Args:
        models: the models under the names that the picture shows; several of one kind are called "kind · 1", "kind · 2" and so on.
        task: makes the batches: see `attnlab.training.tasks`.
        steps: how many batches of 64 sequences, each used once.
        rate: the learning rate.
        seed: of the batches. The models' own start is drawn when you make them.
        maps: returns matrices of weights `(query, key)` to draw beside the curves, by title; it is called while training goes on.
        names: of the tokens in these maps.
        seconds: the longest that it may take. Then it stops, says so, and keeps what was learned.
        sgd: plain gradient descent instead of Adam.
        decay: the weight decay: each step takes the part rate · decay off every parameter (AdamW). It keeps scores small, and a softmax that
            is saturated early learns no more.

    Returns:
        A `Run` for each model.
    """
    draw, fresh = torch.Generator().manual_seed(seed), torch.Generator().manual_seed(seed + OWN)
    kind = torch.optim.SGD if sgd else torch.optim.AdamW  # which is Adam where nothing decays
    optimizers = {name: kind(model.parameters(), lr=rate, weight_decay=decay) for name, model in models.items()}
    runs = {name: Run() for name in models}
    live = Live(lambda: training(runs, steps, _chance(task), maps() if maps else {}, names, task.asked))
    began, taken = time.monotonic(), 0
    with one_thread():
        for taken in range(1, steps + 1):
            tokens, answers = task.batch(BATCH, draw)
            for name, model in models.items():
                step(model, optimizers[name], tokens, answers)
            if taken % max(1, steps // MEASUREMENTS) == 0 or taken == steps:
                sequences = task.batch(FRESH, fresh)
                for name, model in models.items():
                    runs[name].steps.append(taken)
                    runs[name].right.append(share_right(model, task, *sequences)[0])
                live.redraw()
            if time.monotonic() - began > seconds:
                break
        sequences = task.batch(FINAL, fresh)
        for name, model in models.items():
            runs[name].final, runs[name].by_question = share_right(model, task, *sequences)
    live.redraw(last=True)
    if taken < steps:
        print(f"Stopped after {seconds:g} s, at step {taken} of {steps}. What was learned so far is kept; give `seconds` more to go on longer.")
    return runs


def share_right(model: nn.Module, task: Task, tokens: Tensor, answers: Tensor) -> tuple[float, np.ndarray]:
    """Which part of the sequences is answered right, and the same for each question."""
    with torch.no_grad():
        hits = model(tokens).argmax(-1) == answers  # (B, questions)
    if task.asked is not None:
        return float(hits.all(-1).float().mean()), hits.float().mean(0).numpy()
    return float(hits.float().mean()), _by_letter(hits, tokens[..., 0])


def _by_letter(hits: Tensor, who: Tensor) -> np.ndarray:
    """For each token's own question: which part of the answers of each token `who` is right."""
    return np.array([float(hits[who == one].float().mean()) for one in range(int(who.max()) + 1)])


def _chance(task: Task) -> float:
    """What guessing gets."""
    return (1 / task.classes) ** (1 if task.asked is None else task.questions)


@contextmanager
def one_thread() -> Iterator[None]:
    """Models as small as these are faster on one thread than on several."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
