"""What the lessons train, and what has to come of it, whatever the seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import nbformat
import numpy as np

from attnlab.training import Run
from authoring.answers import Namespace
from authoring.lessons import Lesson

Runs = Mapping[str, Run]


@dataclass(frozen=True)
class Training:
    """A function of a lesson that makes models, trains them, and returns how they learned; the models, too, where the lesson needs them.

    Args:
        assignment: the lesson.
        promised: what the lesson's text says of every run.
        holds: whether that is so, of one run.
        settings: the function's other arguments, where a lesson trains more than once.
        function: what the lesson calls it; its argument `seed` decides about everything that is drawn.
    """

    assignment: str
    promised: str
    holds: Callable[[Runs], bool]
    settings: Mapping[str, Any] = field(default_factory=dict)
    function: str = "learn"

    def learn(self, seed: int) -> Runs:
        """Train as the lesson does, with another seed."""
        learned = _defined(self.assignment)[self.function](seed=seed, **self.settings)
        return learned[1] if isinstance(learned, tuple) else learned


@cache
def _defined(assignment: str) -> dict[str, Any]:
    """What a lesson defines, with its answers in."""
    return Namespace(nbformat.read(Lesson(assignment).solution, as_version=4))


def _is_faster_and_more_even_with_scaling(runs: Runs) -> bool:
    """By how many steps each model needs until 95 % stays right; infinitely many where one does not get there."""
    plain, scaled = (
        np.array([run.reached(0.95) or np.inf for name, run in runs.items() if name.startswith(kind)]) for kind in ("as they are", "divided")
    )
    return bool(np.median(scaled) < np.median(plain) and np.ptp(scaled) < np.ptp(plain))


TRAININGS = [
    Training(
        "2_queries_keys_values",
        "one vector or one projection in both roles leaves a letter without its answer, two projections none",
        lambda runs: max(runs[name].by_question.min() for name in ("lesson 1", "one projection")) < 0.6 and runs["yours"].by_question.min() > 0.95,
    ),
    Training(
        "2_queries_keys_values",
        "who it is: about half of the sentences with one layer, nearly all with two",
        lambda runs: 0.4 < runs["one layer"].final < 0.6 and runs["two layers"].final > 0.95,
        function="learn_coreference",
    ),
    Training(
        "3_scaling",
        "with components of variance 1, starts need fewer steps with scaling, and lie closer together; without it, too, all learn",
        lambda runs: _is_faster_and_more_even_with_scaling(runs) and min(run.final for run in runs.values()) > 0.5,
    ),
    Training(
        "4_multi_head",
        "one head answers less than a quarter, with a larger reader more than 60 %, two heads more than 95 %",
        lambda runs: runs["1 head"].final < 0.25 and runs["1 head, larger reader"].final > 0.6 and runs["2 heads"].final > 0.95,
    ),
    Training(
        "5_permutation_test",
        "at most about half without positions, more than 95 % with them, fixed or learned",
        lambda runs: runs["without positions"].final < 0.6 and min(runs[f"{kind} positions"].final for kind in ("with", "learned")) > 0.95,
    ),
    Training(
        "5b_rotary_positions", "more than 95 % with rotary positions", lambda runs: runs["rotary positions"].final > 0.95, function="learn_rotary"
    ),
    Training(
        "6_transformer",
        "10 % without attention, 20 to 30 % without positions, more than 99 % with both",
        lambda runs: runs["no attention"].final < 0.13 and 0.2 < runs["no positions"].final < 0.3 and runs["both"].final > 0.99,
        function="learn_reversing",
    ),
    Training(
        "6_transformer",
        "reverse and add: above 95 % with 64 hidden components, not yet with 4, below 75 % without activation and without the part",
        lambda runs: runs["hidden 4"].final < 0.95 < runs["hidden 64"].final and max(runs[name].final for name in ("none", "no activation")) < 0.75,
        function="learn_adding",
    ),
    Training(
        "6_transformer",
        "eight blocks at a large rate: below 20 % without the stream and without norms, above 95 % with both",
        lambda runs: max(runs[name].final for name in ("without the stream", "without norms")) < 0.2 and runs["yours"].final > 0.95,
        function="learn_deep",
    ),
    Training(
        "6_transformer",
        "eight blocks at a small rate: above 95 % without norms and with the norm behind the sum, too",
        lambda runs: min(runs[name].final for name in ("without norms", "norm behind", "yours")) > 0.95,
        {"rate": 2e-3, "steps": 150},
        function="learn_deep",
    ),
    Training(
        "6_transformer",
        "sequences of different lengths: above 90 % with the padding in sight and with it hidden",
        lambda runs: min(run.final for run in runs.values()) > 0.9,
        function="learn_lengths",
    ),
    Training(
        "7_language_model",
        "one layer below 60 %, two above 95 %",
        lambda runs: runs["one layer"].final < 0.6 and runs["two layers"].final > 0.95,
        function="learn_repeating",
    ),
    Training(
        "7_language_model",
        "on names that are kept a loss of about 2.15 without attention, and of 1.9 to 2.1 with it, with and without positions",
        lambda runs: 2.1 < runs["no attention"].final < 2.2 and all(1.9 < runs[name].final < 2.1 for name in ("no positions", "both")),
        function="learn_names",
    ),
]
