"""What a torch module keeps from one call for the next: one that was called before has to give what a new one with the same parameters gives."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from typing import Any

from attnlab.arrays import copied, deep_copy
from attnlab.diagnosis import grading
from attnlab.diagnosis.cause import Cause, Diagnosis
from attnlab.diagnosis.evidence import Evidence, is_expected
from attnlab.diagnosis.results.form import is_same, same_value
from attnlab.diagnosis.text.source import cell_of
from attnlab.reference import Case

STEP, PRECISE = 1e-5, 1e-3  # by which an input is moved to measure a slope, and how exact that is
CUTS = ("detach", "data", "no_grad", "inference_mode", "item")  # attributes that cut a gradient off
OFTEN = 8  # calls in training mode: what drops a tenth of the numbers drops one by then


def explain_module_called_again(evidence: Evidence, case: Case, draw: Callable[[], list[Any]]) -> Diagnosis | None:
    """What goes wrong when one module is called again, as in training.

    Args:
        evidence: of a class that is called by `calls.Module`.
        case: what is asked first, and comes out right.
        draw: gives arguments of the same shapes, with other numbers.
    """
    settings, weights, x = case.arguments
    others, y = draw()[1:]
    built, another = _new(evidence, settings, weights), _new(evidence, settings, others)
    with_others, first = copied(another(x.clone())), copied(built(x.clone()))
    if not is_expected(first, case):
        return Diagnosis(
            f"for {case.label}: after a second module of the same sizes got parameters of its own, the first one gives something else",
            "modules that know nothing of each other",
            Cause(
                "modules.share_parameters",
                "two modules share their layers, or something that is computed from them",
                "make every layer anew in `__init__`, and keep nothing outside of `self`",
            ),
        )
    if found := _explain_changed_parameters(evidence, case, built):
        return found
    calls = [("the same input", x), ("another input of the same shape", y), ("fewer tokens", y[:1, :2]), ("the first input once more", x)]
    if kept := _explain_kept(evidence, case, built, calls, first):
        return kept
    _, *results = grading.in_turn(built, [("train", []), *[("__call__", [x.clone()]) for _ in range(OFTEN)]])
    if not all(same_value(result, first, case) for result in results):
        return Diagnosis(
            f"for {case.label}: after `train()`, the module gives a different result than after `eval()`",
            "the same after both",
            Cause(
                "modules.differs_in_training_mode",
                "something acts only in training mode, as `Dropout` does",
                "remove it: the card has nothing of the kind",
            ),
        )
    *_, result = grading.in_turn(built, [("eval", []), ("load_state_dict", [others]), ("__call__", [x.clone()])])
    if not same_value(result, with_others, case):
        return Diagnosis(
            f"for {case.label}: after other parameters are loaded, the module gives a different result than a new module with these parameters",
            "a result of the input and the parameters alone",
            Cause(
                "modules.keeps_parameters",
                "something that is computed from the parameters is kept, although training changes them with every step",
                "compute in `forward` whatever depends on the parameters",
            ),
        )
    return _explain_gradient(evidence, case, built, x) if grading.is_here(evidence.answer) else None  # a stand-in has no gradient


def explain_other_lengths(evidence: Evidence, label: str) -> Diagnosis | None:
    """What goes wrong when one module, of the input with this label, is called with fewer tokens, and with more.

    A module that is wrong for that input itself is not looked at: that is told elsewhere.
    """
    case = next(one for one in evidence.cases if one.label == label)
    settings, weights, x = case.arguments
    built = _new(evidence, settings, weights)
    first = copied(built(x.clone()))
    if not is_expected(first, case):
        return None
    longer = x.repeat(1, 2, *[1] * (x.dim() - 2))
    return _explain_kept(evidence, case, built, [("fewer tokens", x[:, :1]), ("more tokens", longer), ("the first input once more", x)], first)


def _explain_kept(evidence: Evidence, case: Case, built: Any, calls: list[tuple[str, Any]], first: Any) -> Diagnosis | None:
    """What a module that was called already gives for other inputs than a new one does; for the case's own, that is its first result."""
    settings, weights, x = case.arguments
    for what, given in calls:
        expected = first if given is x else evidence.ask_with(*deep_copy([settings, weights, given]))
        try:
            does = "" if same_value(built(given.clone()), expected, case) else f"gives another result for {what} than a new one does"
        except Exception as error:  # whatever a learner's code raises
            does = f"raises {type(error).__name__} for {what}, and a new one does not"
        if does:
            return Diagnosis(
                f"for {case.label}: a module that was called before {does}",
                "a result of the input and the parameters alone",
                Cause(
                    "modules.keeps_something",
                    "the module keeps something from an earlier call, such as a mask or a result, or a call uses something up",
                    "compute in `forward` whatever depends on `x`; set `self.…` in `__init__` alone",
                ),
            )
    return None


def _explain_gradient(evidence: Evidence, case: Case, built: Any, x: Any) -> Diagnosis | None:
    """A gradient that is cut off: that of a parameter is missing, or that at the input is not the slope of the result."""
    import torch  # here, so that lessons without tensors do not wait for it

    is_number = x.is_floating_point()
    result = built(x.clone().requires_grad_() if is_number else x)
    cut = "" if result.requires_grad else "the result"
    if not cut:
        parameters = dict(built.named_parameters())
        gradients = torch.autograd.grad(result.sum(), list(parameters.values()), allow_unused=True)
        missing = (name for name, gradient in zip(parameters, gradients) if gradient is None)
        cut = next((f"`{name}`" for name in missing if _is_used(built, name, x, result)), "")
    if not cut and is_number and not _is_slope(evidence, case.arguments[0], built, x):
        cut = "the input"
    if not cut and any(getattr(layer, "padding_idx", None) is not None for layer in built.modules()):
        cut = "one token"
    if not cut:
        return None
    return Diagnosis(
        f"for {case.label}: {cut} gets no gradient, or a part of it",
        "a gradient for every parameter and for the input",
        Cause(
            "modules.gradient_cut",
            _cutting(cell_of(evidence.answer))
            or "something on the way cuts it off, as `detach`, `.data`, `torch.no_grad()`, `padding_idx` or a new tensor made from numbers does",
            "keep every step an operation of torch on tensors",
        ),
    )


def _cutting(tree: ast.AST) -> str:
    """The one place that cuts a gradient off, with its line; "" where there is none, or several."""
    found = [
        node
        for node in ast.walk(tree)
        if (isinstance(node, ast.Attribute) and (node.attr in CUTS or ast.unparse(node) == "torch.tensor"))
        or (isinstance(node, ast.keyword) and node.arg == "padding_idx")
    ]
    return f"`{ast.unparse(found[0])}` in line {found[0].lineno} cuts it off" if len(found) == 1 else ""


def _is_used(built: Any, name: str, x: Any, result: Any) -> bool:
    """Whether the result depends on a parameter; where it does not, something else is wrong."""
    import torch

    parameter = built.get_parameter(name)
    before = parameter.detach().clone()
    with torch.no_grad():
        parameter.mul_(2).add_(1)
        try:
            return not torch.allclose(built(x), result)
        finally:
            parameter.copy_(before)


def _is_slope(evidence: Evidence, settings: list[Any], built: Any, x: Any) -> bool:
    """Whether the gradient at an input is what the result changes by, in one direction; also where that cannot be measured."""
    import torch

    given = (x / x.abs().max().clamp(min=1)).double().requires_grad_()
    draw = torch.Generator().manual_seed(1)
    try:
        precise = _new(evidence, settings, built.state_dict()).double()  # no copy: torch does not copy tensors that a module keeps from its calls
        result = precise(given)
        way, shares = (torch.rand(size, generator=draw).double() for size in (given.shape, result.shape))
        [gradient] = torch.autograd.grad((result * shares).sum(), [given], allow_unused=True)
        with torch.no_grad():
            measured, coarse = (
                float(((precise(given + step * way) - precise(given - step * way)) * shares).sum()) / (2 * step) for step in (STEP, 10 * STEP)
            )
    except Exception:  # code that is made for one number type
        return True
    told = 0.0 if gradient is None else float((gradient * way).sum())
    allowed = PRECISE * (1 + abs(measured))
    return abs(measured - told) <= allowed or abs(measured - coarse) > allowed / 10  # where rounding decides, nothing is measured


def explain_beside_others(evidence: Evidence, others: list[list[Any]]) -> Diagnosis | None:
    """What goes wrong when other modules are made between the constructor and the call, or when the call changes the parameters.

    Args:
        evidence: of a class that is called by `calls.Module`. A case that comes out wrong without others is not looked at: that is told elsewhere.
        others: the settings of the other modules.
    """
    for case in evidence.cases:
        settings, weights, x = deep_copy(case.arguments)
        try:
            built = _new(evidence, settings, weights)
            for other in others:
                evidence.answer(*other)
            is_right = is_expected(built(x), case)
        except Exception:  # whatever a learner's code raises
            if _is_right_alone(evidence, case):
                raise
            continue
        if not is_right and not _is_right_alone(evidence, case):
            continue
        if not is_right:
            return Diagnosis(
                f"{case.label}: after modules with other settings were made, the module gives something else",
                "modules that know nothing of each other",
                Cause(
                    "modules.share_settings",
                    "the settings of the module that was made last hold for all, as those do that are kept on the class or in a global variable",
                    "keep each setting on the module itself, `self.… =` in `__init__`",
                ),
            )
        if found := _explain_changed_parameters(evidence, case, built):
            return found
    return None


def _is_right_alone(evidence: Evidence, case: Case) -> bool:
    try:
        return is_expected(evidence.ask(case), case)
    except Exception:  # whatever a learner's code raises; it is told elsewhere, too
        return False


def _new(evidence: Evidence, settings: list[Any], weights: dict[str, Any]) -> Any:
    return evidence.exercise.call.built(evidence.answer, settings, weights)


def _explain_changed_parameters(evidence: Evidence, case: Case, called: Any) -> Diagnosis | None:
    """What is wrong with a module that was called, when it holds other parameters than before."""
    settings, weights, x = case.arguments
    if is_same(weights, *grading.in_turn(called, [("state_dict", [])])):
        return None
    built = _new(evidence, settings, weights)
    before = copy.deepcopy(built.state_dict())  # two names of one parameter hold what was loaded last
    built(x.clone())
    if is_same(before, built.state_dict()):
        return None
    return Diagnosis(
        f"{case.label}: after the call, the module has other parameters",
        "the parameters as they were loaded",
        Cause(
            "modules.changes_parameters",
            "the call writes into the parameters",
            "make new tensors in `forward`, and only read from the layers",
        ),
    )
