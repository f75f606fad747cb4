"""Parameters of a torch module that its result does not depend on."""

from __future__ import annotations

import re
from typing import Any

from attnlab.arrays import deep_copy
from attnlab.diagnosis import grading
from attnlab.diagnosis.calls import Module
from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.evidence import Evidence
from attnlab.diagnosis.text.source import listed
from attnlab.reference import Case

MOST = 4  # names that are told
READ_BY = {"norm_1": "attention", "norm_2": "feed_forward"}  # in a block


def explain_unused(evidence: Evidence, case: Case) -> Cause | None:
    """The parameters that no step to the result uses, for any input; the right result depends on all that are not zero.

    What another fault hides, as weights that are all 1 hide the queries, is used all the same: its gradient is there, if zero.
    """
    if not isinstance(evidence.exercise.call, Module) or not grading.is_here(evidence.answer):
        return None
    weights = case.arguments[1]
    used = _used(evidence, case)
    for other in evidence.cases:
        try:
            used |= _used(evidence, other)
        except Exception:  # a part that is not written, or another fault
            continue
    told = [name for name in weights if name not in used and not _is_silent(name, weights)]
    if not told or not used & {*weights}:
        return None
    return Cause(
        "unused.parameters",
        f"{_named(told)} nothing in the result: no step that leads to it uses {'it' if len(told) == 1 else 'them'}",
        _next(told, used, weights),
    )


def _is_silent(name: str, weights: dict[str, Any]) -> bool:
    """Whether the right result may not depend on a parameter: it is zero, or the part that reads its layer is, and may not be written yet."""
    behind = READ_BY.get(name.partition(".")[0])
    return not weights[name].any() or bool(behind and not any(value.any() for one, value in weights.items() if one.startswith(f"{behind}.")))


def _named(told: list[str]) -> str:
    """The names, and how many more there are, in front of what they do."""
    if len(told) > MOST:
        return f"{listed(told[:MOST])} and {len(told) - MOST} more change"
    *before, last = told
    return f"{listed(before)} and `{last}` change" if before else f"`{last}` changes"


def _used(evidence: Evidence, case: Case) -> set[str]:
    """The parameters of a new module that its result for a case depends on: they have a gradient, or change it."""
    import torch  # here, so that lessons without tensors do not wait for it

    settings, weights, x = deep_copy(case.arguments)
    built = evidence.exercise.call.built(evidence.answer, settings, weights)
    result = built(x.clone())
    parameters = dict(built.named_parameters())
    gradients = torch.autograd.grad(result.sum(), list(parameters.values()), allow_unused=True)
    used = {*weights} - {name for name, gradient in zip(parameters, gradients) if gradient is None}
    draw = torch.Generator().manual_seed(1)
    for name in [name for name in weights if name not in used]:  # in this order, as each draws
        changed = {**weights, name: weights[name] + 2 * torch.randn(weights[name].shape, generator=draw)}
        if not torch.equal(evidence.ask_with(settings, changed, x.clone()), result):
            used.add(name)
    return used


def _next(told: list[str], used: set[str], weights: dict[str, Any]) -> str:
    """What to do, by what of its layer is used."""
    layers = dict.fromkeys(name.rpartition(".")[0] for name in told)
    layer = next(iter(layers))
    path = re.sub(r"\.(\d+)", r"[\1]", f"self.{layer}")
    if all(name.endswith(".bias") for name in told) and all(f"{one}.weight" in used for one in layers):
        if len(layers) > 1:
            return f"call each layer, such as `{path}(...)`: the call adds its bias, too"
        return f"call the layer, `{path}(...)`, which adds its bias, or add `{path}.bias` yourself"
    if not any(name.rpartition(".")[0] == layer for name in used & {*weights}):
        return f"which step of the card needs `{path}`, and which of your lines is that step?"
    return f"which step of the card needs `{told[0]}`, and which of your lines is that step?"
