"""Grades the training of lesson 6 with 60 seeds: every right answer, and what is left of the lesson's own without one of its parts.

    python benchmarks/fair_training.py > benchmarks/fair_training.txt

Each run is what the hidden test does: new batches with an order and a translation of their own, a model that starts anew, and 500 sequences that
nobody has seen. 60 runs without a failure mean, with 95 % confidence, at most one failure in twenty.
"""

from __future__ import annotations

import contextlib
import io
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parents[1]))

from attnlab import training
from attnlab.diagnosis.probes.models import BATCHES, DIGITS, ENOUGH, LENGTH, rearranged
from authoring.answer_files import answers_to
from authoring.answers import Namespace
from authoring.lessons import Lesson, read_text

SEEDS, FRESH = 60, 500
LESSON, EXERCISE = Lesson("6_transformer"), "learn_to_rearrange"


def once(learn: Callable[..., Any], seed: int) -> tuple[float, float]:
    """Which part of new sequences is right after one training, and its processor seconds."""
    _, sequences = rearranged(10_000 + seed)
    batches = [sequences(64) for _ in range(BATCHES)]
    torch.manual_seed(seed)
    began = time.process_time()
    with contextlib.redirect_stdout(io.StringIO()):
        model = learn(iter(batches), DIGITS, LENGTH)
    seconds = time.process_time() - began
    tokens, targets = sequences(FRESH)
    with torch.no_grad():
        return float((model(tokens).argmax(-1) == targets).double().mean()), seconds


def without(part: str, lesson: Namespace) -> Callable[..., Any]:
    """The lesson's own answer with a part left out."""

    def learn(batches: Any, vocabulary: int, length: int) -> Any:
        task = training.Reverse(length=length, vocabulary=vocabulary)
        model = getattr(training, f"without_{part}")(lesson["small_transformer"](task, 1))
        lesson["train_model"](model, batches, 5e-3)
        return model

    return learn


def main() -> None:
    """One line for each answer and for each part that is left out."""
    torch.set_num_threads(1)
    source = read_text(LESSON)
    solved = Namespace(source)
    tried = {f"right: {answer.name}": Namespace(source, answer)[EXERCISE] for answer in answers_to(LESSON, EXERCISE).values() if answer.right}
    tried |= {f"without {part}": without(part, solved) for part in ("positions", "attention")}
    print(f"{SEEDS} seeds each; it takes {ENOUGH:.0%} to pass\n{'':<34} failures   lowest  median  highest   seconds: median, longest")
    for name, learn in tried.items():
        parts, seconds = zip(*(once(learn, seed) for seed in range(1, SEEDS + 1)))
        print(
            f"{name:<34} {sum(part < ENOUGH for part in parts):>8}   {min(parts):>6.1%}  {np.median(parts):>6.1%}  {max(parts):>7.1%}   "
            f"{np.median(seconds):.2f}, {max(seconds):.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
