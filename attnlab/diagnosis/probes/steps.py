"""Which steps optimizers make in a learner's training: of which kind, how many, with which rate, and of which parameters."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from attnlab.diagnosis import grading
from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.evidence import Evidence
from attnlab.diagnosis.text.expressions import called, head_of, loops_of, names_in
from attnlab.diagnosis.text.facts import parameters_of
from attnlab.diagnosis.text.source import cell_of
from attnlab.reference import Case

TAKE = ("next", "list", "tuple", "set", "sorted", "sum", "any", "all")  # each takes something out of an iterator that it is given
WRAP = ("enumerate", "iter", "zip", "tqdm")  # each is part of a loop over it


@dataclass(frozen=True)
class Step:
    """One step of an optimizer of torch.

    Attributes:
        kind: the name of its class.
        rate: the learning rate of its first group of parameters.
        of: the parameters that it may change, by their ids.
    """

    kind: str
    rate: float
    of: frozenset[int]


@contextmanager
def noted_steps() -> Iterator[list[Step]]:
    """Every step that an optimizer of torch makes meanwhile."""
    from torch.optim.optimizer import register_optimizer_step_post_hook  # here, so that lessons without tensors do not wait for it

    made: list[Step] = []

    def note(optimizer: Any, *_: Any) -> None:
        groups = optimizer.param_groups
        made.append(Step(type(optimizer).__name__, float(groups[0]["lr"]), frozenset(id(one) for group in groups for one in group["params"])))

    handle = register_optimizer_step_post_hook(note)
    try:
        yield made
    finally:
        handle.remove()


@contextmanager
def steps_with_rate(rate: float) -> Iterator[None]:
    """Every step that an optimizer of torch makes meanwhile is made with this learning rate."""
    from torch.optim.optimizer import register_optimizer_step_pre_hook

    def change(optimizer: Any, *_: Any) -> None:
        for group in optimizer.param_groups:
            group["lr"] = rate

    handle = register_optimizer_step_pre_hook(change)
    try:
        yield
    finally:
        handle.remove()


def explain_steps(made: list[Step], batches: int, rate: float | None = None, parameters: frozenset[int] | None = None) -> Cause | None:
    """What the steps of a training show to be wrong; None where they are as they should be.

    Args:
        made: the steps.
        batches: how many there were to be trained on.
        rate: the learning rate that was asked for; None where any will do.
        parameters: of the model that was trained, by their ids; None where they are not known.
    """
    if not made:
        return Cause(
            "steps.none",
            "no optimizer makes a step: nothing changes the parameters",
            "is `optimizer.step()` called in each round, and is there a batch left for that loop? One loop over `batches` may use them up",
        )
    if parameters is not None and not any(step.of & parameters for step in made):
        return Cause(
            "steps.of_another_model",
            f"{_times(len(made), 'step')} changed another model, and none the one that you return",
            "make one model, train it, and return that one",
        )
    if kinds := sorted({step.kind for step in made} - {"Adam"}):
        return Cause("steps.of_another_kind", f"the steps are made by {', '.join(kinds)}; the card asks for Adam", "use `torch.optim.Adam`")
    if len(made) != batches:
        return Cause(
            "steps.wrong_number",
            f"the optimizer makes {_times(len(made), 'step')} for {_times(batches, 'batch', 'batches')}",
            "make one step for each batch, on the loss of that whole batch",
        )
    other = next((number for number, step in enumerate(made, start=1) if rate is not None and step.rate != rate), 0)
    if other:
        told = f"step {other} is made with the rate {made[other - 1].rate:.4g}, not {rate:.4g}"
        return Cause("steps.other_rate", told, "give the optimizer `lr=rate`, and do not change it")
    return None


def explain_steps_of(evidence: Evidence, case: Case) -> Cause | None:
    """The same for `train_model`, where the answer itself is here: a stand-in makes no steps that could be seen."""
    if not grading.is_here(evidence.answer):
        return None
    return explain_steps(_made(evidence, case), len(case.arguments[2]), case.arguments[3])


def explain_batches_of(evidence: Evidence, case: Case) -> Cause | None:
    """What `train_model` takes out of its batches before it trains on the rest."""
    if not grading.is_here(evidence.answer) or not (taken := explain_taken(evidence.answer, 1)):
        return None
    return taken if len(_made(evidence, case)) < len(case.arguments[2]) else None


def _made(evidence: Evidence, case: Case) -> list[Step]:
    with noted_steps() as made:
        evidence.ask(case)
    return made


def explain_taken(answer: Any, place: int) -> Cause | None:
    """What an answer's text takes out of an iterator before the loop over it, which gets the rest; for one that makes too few steps.

    Args:
        answer: the learner's function.
        place: which of its parameters is the iterator, counted from 0.
    """
    tree = next((node for node in cell_of(answer).body if getattr(node, "name", "") == answer.__name__), None)
    name = next(iter(parameters_of(answer)[place : place + 1]), "")
    if not tree or not name or name in names_in(tree, ast.Store):
        return None
    loops = [loop for loop in loops_of(tree) if isinstance(loop, ast.For) and name in names_in(loop.iter)]
    calls = [part for part in ast.walk(tree) if isinstance(part, ast.Call) and any(name in names_in(given) for given in part.args)]
    uses = [
        *((loop.lineno, f"loop `{head_of(loop)}`", head_of(loop)) for loop in loops),
        *((call.lineno, f"call `{ast.unparse(call)}`", ast.unparse(call)) for call in calls if called(call) not in WRAP),
    ]
    takers = [use for use in uses if use[1].startswith("loop") or any(use[2].startswith(f"{take}(") for take in TAKE)]
    if len(uses) < 2 or not takers or (first := min(takers))[0] >= (last := max(uses))[0]:
        return None
    return Cause(
        "steps.batches_taken_before",
        f"`{first[2]}` in line {first[0]} takes from `{name}` before the {last[1]}, which gets only what is left: `{name}` can be looped over once",
        f"take that line out, or do what it does inside the loop over `{name}`",
    )


def _times(count: int, one: str, several: str = "") -> str:
    return f"{count} {one if count == 1 else several or f'{one}s'}"
