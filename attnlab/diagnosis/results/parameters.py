"""The parameters of a torch module: their names and shapes, and by what rule a layer was made that has other sizes than the card's."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from attnlab.diagnosis import grading
from attnlab.diagnosis.cause import Cause, CheckFailed, Diagnosis
from attnlab.wording import few_of

SIZES = [(4, 2), (6, 3), (6, 2)]  # of k and heads; small, so that a power does no harm
RULES: dict[str, Callable[[int, int], int]] = {
    "k": lambda k, h: k,
    "heads·k": lambda k, h: h * k,
    "k // heads": lambda k, h: k // h,
    "heads": lambda k, h: h,
    "heads to the power of k": lambda k, h: h**k,
    "k to the power of heads": lambda k, h: k**h,
    "k + heads": lambda k, h: k + h,
    "k²": lambda k, h: k * k,
    "2·k": lambda k, h: 2 * k,
    "3·k": lambda k, h: 3 * k,
    "4·k": lambda k, h: 4 * k,
    "3·heads·k": lambda k, h: 3 * h * k,
    "heads²·k": lambda k, h: h * h * k,
    "heads²": lambda k, h: h * h,
}
LINEAR = "`nn.Linear(inputs, outputs)` has a weight of shape (outputs, inputs); both numbers come from the constructor's arguments"

TABLE = "`nn.Embedding(rows, components)` has a weight of shape (rows, components); both numbers come from the constructor's arguments"

MOST_NAMES = 6


def explain_parameters(answer: Callable[..., Any], settings: list[Any], weights: dict[str, Any], built: Any) -> Diagnosis | None:
    """What is wrong with the parameters of a module that was just constructed; None when names and shapes agree, in any order.

    Args:
        answer: the class.
        settings: what its constructor got.
        weights: the tensors that its `state_dict()` has to hold, by name.
        built: the module.
    """
    got, wanted = _shapes(built.state_dict()), _shapes(weights)
    if got.keys() != wanted.keys():
        return _explain_names(got, wanted, built)
    for name, shape in wanted.items():
        if got[name] != shape:
            return Diagnosis(
                f"{name} has shape {got[name]}",
                f"shape {shape}",
                Cause("parameters.wrong_shape", _why(answer, settings, name, got[name], shape), TABLE if _is_table(built, name) else LINEAR),
            )
    return None


def _is_table(built: Any, name: str) -> bool:
    """Whether a parameter is that of an `nn.Embedding`."""
    layer = getattr(built, name.partition(".")[0], None)
    return type(layer).__name__ == "Embedding"


def loaded(answer: Callable[..., Any], settings: list[Any], weights: dict[str, Any], built: Any) -> Any:
    """A module that was just constructed, with the reference's weights in it.

    Raises:
        CheckFailed: its parameters have other names or shapes.
    """
    try:
        grading.in_turn(built, [("load_state_dict", [weights]), ("eval", [])])  # torch refuses other names and shapes
    except Exception:
        if diagnosis := explain_parameters(answer, settings, weights, built):
            raise CheckFailed("parameters", diagnosis) from None
        raise
    return built


def _shapes(state: dict[str, Any]) -> dict[str, tuple[int, ...]]:
    return {name: tuple(tensor.shape) for name, tensor in state.items()}


def _explain_names(got: dict[str, tuple], wanted: dict[str, tuple], built: Any) -> Diagnosis:
    missing, extra = sorted(wanted.keys() - got.keys()), sorted(got.keys() - wanted.keys())
    observed = "; ".join(f"{what}: {few_of(names, MOST_NAMES)}" for what, names in (("missing", missing), ("not on the card", extra)) if names)
    likely, next_step = (
        "names in the constructor are different from those on the card",
        "compare the names in your constructor with those on the card",
    )
    bare = [name for name in extra if any(one.startswith(f"{name}.") for one in missing)]
    if bare:
        likely = f"`{bare[0]}` is a parameter by itself; on the card, it is a layer, `nn.Linear`, which holds one called `weight`"
    elif inside := next(((name, one) for name in missing for one in extra if _is_inside(name, one)), None):
        name, one = inside
        likely = f"`{name}` is called `{one}` here: the layer is inside another module, such as `nn.Sequential`, which adds a name of its own"
        next_step = "store the layer itself under the name on the card, and do the rest in `forward`"
    elif missing and (hidden := _hidden(built)):
        likely = f"there are layers in `self.{hidden}`, a plain list or dictionary: torch does not look into those"
    elif not got:
        likely = "the constructor stores no layer in `self`, or stores layers in a plain list or dictionary, where torch does not see them"
    elif extra and not missing and all(name.endswith(".bias") for name in extra):
        likely = "`nn.Linear` has a bias unless you say `bias=False`"
    elif missing and not extra and all(name.endswith(".bias") for name in missing):
        likely = "a layer was made with `bias=False`, but it has a bias on the card"
    elif extra and not missing:
        likely = "there is a layer, parameter or buffer that is not on the card"
    elif missing and not extra:
        likely = "a layer on the card is missing"
    return Diagnosis(
        observed,
        f"the module's state_dict() holds {few_of(sorted(wanted), MOST_NAMES)} and nothing else",
        Cause("parameters.wrong_names", likely, next_step),
    )


def _is_inside(name: str, other: str) -> bool:
    """Whether a name is another one without one of its parts: `expand.weight` and `expand.0.weight`."""
    parts = other.split(".")
    return any(name.split(".") == parts[:at] + parts[at + 1 :] for at in range(len(parts) - 1))


def _hidden(built: Any) -> str:
    """The attribute in which layers stand that torch does not see; "" where there is none, or where that cannot be seen."""
    try:
        held = [(name, value) for name, value in vars(built).items() if not name.startswith("_") and isinstance(value, (list, tuple, dict))]
    except Exception:  # what stands for a module in a grader has a say of its own
        return ""
    return next((name for name, value in held for one in (value.values() if isinstance(value, dict) else value) if hasattr(one, "state_dict")), "")


def _why(answer: Callable[..., Any], settings: list[Any], name: str, got: tuple[int, ...], wanted: tuple[int, ...]) -> str:
    """How the sizes of a layer follow from what the constructor was given, where that is established."""
    if got == wanted[::-1]:
        return "the layer's sizes are those on the card, the other way round"
    sizes = [one for one in settings if type(one) is int]
    if len(sizes) == 2:  # k and heads
        try:
            others = [((k, heads), tuple(answer(k, heads, *settings[2:]).state_dict()[name].shape)) for k, heads in SIZES]
        except Exception:  # such sizes may be refused
            others = []
        shapes = [(tuple(settings[:2]), got), *others]
        told = [_rule([(pair, shape[place]) for pair, shape in shapes]) for place in range(len(got))] if others else []
        if told and all(told):
            second = _second_argument(answer)
            words = f"the layer has {told[0]} outputs" + (f" and {told[1]} inputs" if len(told) > 1 else "") + ", whatever k and heads are"
            return words.replace("heads", second)
    other = [pair for pair in zip(got, wanted) if pair[0] != pair[1]] if len(got) == len(wanted) else []
    if len(other) == 1 and set(other[0]) <= set(sizes):
        return f"the layer has {other[0][0]} where {other[0][1]} belongs: the constructor was given both, and this is the wrong one"
    return "the layer's sizes are not those on the card"


def _second_argument(answer: Callable[..., Any]) -> str:
    """What the constructor calls the second number that it gets; "heads" where that cannot be told."""
    try:
        return list(inspect.signature(answer).parameters)[1]
    except (ValueError, TypeError, IndexError):
        return "heads"


def _rule(lengths: list[tuple[tuple[int, ...], int]]) -> str:
    """The one rule that gives these lengths; "" where there is none, or several."""
    found = [rule for rule, length in RULES.items() if all(length(*pair) == is_there for pair, is_there in lengths)]
    if len({is_there for _, is_there in lengths}) == 1:
        found.append(str(lengths[0][1]))
    return found[0] if len(found) == 1 else ""
