"""`generate(model, start, steps, longest, choose)`."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from attnlab.arrays import deep_copy
from attnlab.diagnosis import grading
from attnlab.diagnosis.cause import Cause, CheckFailed
from attnlab.diagnosis.evidence import Evidence
from attnlab.diagnosis.exercise import Exercise, Input, Probes
from attnlab.diagnosis.probes import models
from attnlab.reference import Case

SIZES = ((3, 9, 5), (3, 9, 5), (1, 12, 30), (6, 4, 3), (2, 0, 4), (1, 6, 1), (4, 1, 4), (5, 3, 8))  # tokens to begin with, steps, longest


def _kinds(random: np.random.RandomState) -> dict[str, list[list[Any]]]:
    one = int(random.randint(1, 7))
    starts = ([one, 0, one, one], [0], [0, 0, 0])  # tokens that come again, and token 0
    return {
        f"{what} token chosen": [
            *([torch.from_numpy(random.randint(7, size=n)), steps, longest, rank] for n, steps, longest in SIZES),
            *([torch.tensor(start), 6, 5, rank] for start in starts),
        ]
        for rank, what in enumerate(("the most likely", "the second"))
    }


WINDOW = "print all tokens, and what the model is shown, in each round: it gets `tokens[-longest:]`, and nothing else"
END = "return `start`, and behind it what was chosen"
MANY = 8  # tokens that a message lists


def explain_calls(evidence: Evidence, case: Case) -> Cause | None:
    """The first call of the model or of `choose` that is not as the card says; else what is wrong with the result."""
    if grading.is_elsewhere(evidence.answer):
        return None
    start, steps, longest = case.arguments[:3]
    found: list[Cause] = []
    chosen: list[int] = []
    said: list[torch.Tensor] = []  # by the model, since the last call of `choose`

    def continued(model: Any, *given: Any) -> Any:
        def shown(tokens: torch.Tensor) -> torch.Tensor:
            mine, before = tokens[0].tolist(), [*start.tolist(), *chosen]
            if mine != before[-longest:]:
                found.append(_not_due(mine, before, longest, len(chosen) + 1))
            said.append(model(tokens))
            return said[-1].clone()

        def asked(logits: torch.Tensor) -> int:
            if odd := _not_last(logits, said, len(chosen) + 1):
                found.append(odd)
            said.clear()
            chosen.append(given[-1](logits))
            return chosen[-1]

        return evidence.answer(shown, *given[:-1], asked)

    try:
        result = models.continued(continued, *deep_copy(case.arguments))
    except CheckFailed as error:
        return found[0] if found and not error.diagnosis.cause.is_established else None
    return found[0] if found else _not_the_result(result.tolist(), start.tolist(), chosen, steps)


def _not_due(shown: list[int], before: list[int], longest: int, number: int) -> Cause:
    """What the model is shown in the place of the last tokens of a sequence.

    Args:
        shown: the tokens that it gets.
        before: all tokens so far.
        longest: how many the model reads.
        number: of the round.
    """
    due = before[-longest:]
    more, least = len(shown) - len(due), min(len(shown), len(due))
    why, next_step = "", WINDOW
    if more > 0 and shown[more:] == due:
        why = ": what you put in front are tokens, too, and they move the others to later positions"
        next_step = "`longest` is a limit, and no length that has to be filled: show `tokens[-longest:]` as it is"
    elif more > 0 and shown[: len(due)] == due:
        why, next_step = ": what stands behind are tokens, too, and the last position is one of theirs", "show only the tokens that are there already"
    elif more < 0 and shown == due[more * -1 :]:
        why = f": {_counted(len(shown))} in the place of {len(due)}"
    elif shown == before[-least - 1 : -1]:
        why = ": the newest is not shown"
    elif shown == due[::-1]:
        why, next_step = ": they are in reverse order", "keep the order of the sequence, the oldest token first"
    elif not more and shown[:-1] == due[:-1] and number > 1:
        why, next_step = f": `choose` returned {due[-1]} in the round before", "append what `choose` returns, and nothing else"
    return Cause("generate.model_shown", f"in round {number}, the model is shown {_listed(shown)}, where {_listed(due)} is due{why}", next_step)


def _not_last(logits: torch.Tensor, said: list[torch.Tensor], number: int) -> Cause | None:
    """What `choose` gets in the place of the last position's logits, as the model gave them in this round."""
    if not said:
        return Cause(
            "generate.choose_given",
            f"in round {number}, `choose` is called without a new call of the model",
            "in each round, call the model, and then `choose` with what it gives",
        )
    if torch.allclose(logits.double(), said[-1][0, -1]):
        return None
    rows = [row for row, one in enumerate(said[-1][0]) if torch.allclose(logits.double(), one)]
    gets = f"the logits of position {rows[0]}" if rows else "numbers that are the logits of no position"
    return Cause(
        "generate.choose_given",
        f"in round {number}, `choose` gets {gets}; the last position is {len(said[-1][0]) - 1}",
        "take the logits of the last position, `logits[0, -1]`, as they are",
    )


def _not_the_result(result: list[int], start: list[int], chosen: list[int], steps: int) -> Cause | None:
    """What an answer returns, where all its calls are as they should be."""
    if len(chosen) != steps:
        rounds = f"`choose` is called {'once' if len(chosen) == 1 else f'{len(chosen)} times'}, where {_counted(steps)} should be added"
        return Cause("generate.result", rounds, "how many rounds does your loop have?")
    due = [*start, *chosen]
    if len(result) < len(due) and result == due[-len(result) :]:
        return Cause(
            "generate.result_cropped",
            f"the result is the last {len(result)} of the {len(due)} tokens: every call is right, but the beginning is missing",
            f"{END}; cut only what the model is shown, and give that a name of its own",
        )
    if len(result) == len(due):
        place = next(at for at, pair in enumerate(zip(result, due)) if len(set(pair)) > 1)
        what = f"`choose` returned {due[place]}" if place >= len(start) else f"`start` has {due[place]}"
        return Cause("generate.result", f"at [{place}], the result has {result[place]}, but {what}", END)
    return None


def _counted(count: int) -> str:
    return "one token" if count == 1 else f"{count} tokens"


def _listed(tokens: list[int]) -> str:
    return str(tokens) if len(tokens) <= MANY else f"{len(tokens)} tokens that end with {tokens[-MANY:]}"


EXERCISE = Exercise(
    title="a sequence, continued",
    inputs=[
        Input("the three tokens of the card", [torch.tensor([3, 1, 4]), 4, 4]),
        Input("a model that reads one token", [torch.tensor([2, 6]), 3, 1]),
        Input("a model that reads more than there is", [torch.tensor([5]), 6, 30]),
        Input("a longer start", [torch.tensor([1, 5, 2, 2, 6, 0]), 5, 9]),
        Input("no step", [torch.tensor([5, 0, 2]), 0, 4]),
    ],
    kinds=_kinds,
    call=models.continued,
    probes=Probes(
        first=lambda evidence, case: explain_calls(evidence, case) if evidence.result(case) is None else None,
        early=explain_calls,
    ),
)
