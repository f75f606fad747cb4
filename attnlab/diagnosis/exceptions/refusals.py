"""Exceptions that a call or a condition raised: an argument by the wrong name, an axis that is not there, a function that calls itself."""

from __future__ import annotations

import ast
import inspect
import re
import sys
import types
from collections import Counter
from typing import Any

from attnlab.arrays import kind_of
from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.exceptions.values import known, shape_of
from attnlab.diagnosis.text.expressions import choices
from attnlab.diagnosis.text.source import Place, is_array, is_data, is_learners, listed

UNEXPECTED = re.compile(r"unexpected keyword argument '(\w+)'")
AXIS = re.compile(r"axis (-?\d+) is out of bounds for array of dimension (\d+)|expected to be in range of \[-(\d+), \d+\], but got (-?\d+)")
ELEMENTWISE = {"exp", "log", "sqrt", "sin", "cos", "abs", "isinf", "isnan", "tanh", "log2", "square"}
SPELT = {
    ("keepdim", "numpy"): "NumPy's argument is called `keepdims`, with an s; `keepdim` is torch's",
    ("dim", "numpy"): "NumPy's argument is called `axis`; `dim` is torch's",
    ("keepdims", "torch"): "torch's argument is called `keepdim`, without an s; `keepdims` is NumPy's",
}
DEEP = f"one call within the other, about {sys.getrecursionlimit():,} deep, where Python stops: either nothing ends it, or this input needs more"
OWN_RAISE = "refusals.own_raise"  # the id of what the learner raises


def explain_own_raise(place: Place) -> Cause:
    """A `raise` of the learner's: the condition that it stands under, and what the names in it held."""
    ask = "when does the card ask for an error, and for which one? Print the values that the line above it tests"
    for node in ast.walk(place.whole) if place.whole else ():
        if not isinstance(node, ast.If):
            continue
        for body, holds in ((node.body, "holds"), (node.orelse, "does not hold")):
            if any(isinstance(one, ast.Raise) and one.lineno == place.line for one in body):
                if always := [fact for fact in choices(place.whole) if fact.line <= node.lineno] if place.whole else []:
                    return Cause(OWN_RAISE, f"your own line raises it; in line {always[0].line}, {always[0].said}", always[0].next)
                held = [told for part in ast.walk(node.test) if (told := _held(part, place))]
                return Cause(
                    OWN_RAISE,
                    f"your own line raises it, because `{ast.unparse(node.test)}` {holds} in line {node.lineno}"
                    f"{': ' if held else ''}{', '.join(dict.fromkeys(held))}",
                    "should these values give an error? If not, which condition do you mean?",
                )
    return Cause(OWN_RAISE, "your own line raises it", ask)


def _held(part: ast.AST, place: Place) -> str:
    value = known(part, place.names) if isinstance(part, (ast.Name, ast.Attribute)) else None
    if not is_data(value) and not isinstance(value, (bool, str)):
        return ""
    if is_array(value):
        return f"`{ast.unparse(part)}` has shape {shape_of(value)}"
    text = repr(value)
    return f"`{ast.unparse(part)}` is {text}" if len(text) < 40 else ""


def explain_recursion(places: list[Place]) -> Cause | None:
    """A function that calls itself, alone or by way of another one."""
    often = [name for name, count in Counter(place.function for place in places).most_common(4) if count > 20 and not name.startswith("<")]
    if not often:
        return None
    name = often[0]
    calls = next((place for place in places if place.function in often and place.node), places[-1])
    if len(often) > 1:
        told = " and ".join(f"`{one}`" for one in often)
        return Cause("refusals.mutual_recursion", f"{told} call each other, {DEEP}", "which of them should compute the result itself?")
    if calls.names.get("self") is not None and f"self.{name}" in calls.text:
        layers = "; the method hides a layer or a value of that name" if _is_stored(calls, name) else ""
        return Cause(
            "refusals.method_calls_itself",
            f"the method `{name}` calls itself, as `self.{name}`, and nothing ends it{layers}",
            "give the method and the thing it uses two different names",
        )
    return Cause(
        "refusals.infinite_recursion",
        f"`{name}` calls itself, {DEEP}",
        "if you meant another function, use its name; else write a loop, which has no such limit",
    )


def _is_stored(place: Place, name: str) -> bool:
    owner = place.names["self"]
    return any(name in (vars(owner).get(kind) or {}) for kind in ("_modules", "_parameters", "_buffers"))


def explain_axis(error: Exception, places: list[Place]) -> Cause | None:
    """An axis that an array does not have: which one was asked for, and where that number comes from."""
    match = AXIS.search(str(error))
    if not match:
        return None
    axis, axes = (int(match[1]), int(match[2])) if match[1] else (int(match[4]), int(match[3]))
    fact = f"the array has no axis {axis}: it has " + (
        "a single axis, 0 or -1" if axes == 1 else f"{axes} axes, 0 to {axes - 1}, or from the end -1 to -{axes}"
    )
    for place in places:
        for node in ast.walk(place.node) if place.node else ():
            if not isinstance(node, ast.Call):
                continue
            given = [*node.args[1:], *(keyword.value for keyword in node.keywords if keyword.arg in ("axis", "dim"))]
            for part in given:
                if not isinstance(part, ast.Name) or known(part, place.names) != axis:
                    continue
                if loop := place.loop_of([part.id]):
                    return Cause(
                        "refusals.loop_index_as_axis",
                        f"{fact}; `{part.id}`, the axis in line {place.line}, counts in `for {ast.unparse(loop.target)} in {ast.unparse(loop.iter)}`",
                        "an axis says in which direction, not for which token: one row has only the axis -1",
                    )
                if made := place.made(part.id, if_added_to=True):
                    return Cause(
                        "refusals.axis_out_of_range",
                        f"{fact}; `{part.id}` is made in line {made.lineno}: `{ast.unparse(made)}`",
                        "for how many axes does that line give the right one? A single row has one, a matrix two, a batch of matrices three",
                    )
    return Cause(
        "refusals.axis_out_of_range", fact, "print the `.shape` of the array: a single row has one axis, a matrix two, a batch of matrices three"
    )


def explain_call(error: Exception, place: Place) -> Cause | None:
    """A call with arguments that do not fit what is called."""
    text, node = str(error), place.node
    if not isinstance(node, ast.Call):
        node = next((part for part in ast.walk(place.node) if isinstance(part, ast.Call)), None) if place.node else None
    if node is None:
        return None
    if "super(type, obj)" in text and node.args:
        return Cause(
            "refusals.super_of_other_class",
            f"`{ast.unparse(node)}` names the class `{ast.unparse(node.args[0])}`, but this object is of a different class",
            "write `super().__init__()`, without a name",
        )
    name = ast.unparse(node.func)
    called = _called(node.func, place)
    if isinstance(called, type) and _is_layer_class(called) and any(is_array(known(one, place.names)) for one in node.args):
        return Cause(
            "refusals.tensor_to_layer_class",
            f"`{name}` is a class of layers: its brackets take settings, but here they contain a tensor",
            f"make the layer first, then call it with the tensor: `{name}(...)(x)`; or use a function, such as `torch.softmax(x, dim=-1)`",
        )
    if match := UNEXPECTED.search(text):
        return _keyword(match[1], node, called, place)
    if (lacking := re.search(r'missing 1 required positional arguments?: "(\w+)"', text)) and name.rpartition(".")[2] in text:
        return Cause(
            "refusals.required_argument_missing",
            f"`{name}` needs `{lacking[1]}`, but the call does not give it",
            f"write `{lacking[1]}=...`" + (": which axis do you mean?" if lacking[1] == "dim" else ""),
        )
    if re.search(r"takes \d+ positional arguments? but|missing \d+ required positional", text):
        return _count(text, name, called)
    if "transpose()" in text and "must be int, not tuple" in text:
        return Cause(
            "refusals.transpose_given_full_order",
            "torch's `transpose` takes two axes to swap, not the order of all axes",
            "use `.permute(0, 2, 1, 3)` for an order of all axes",
        )
    if "permute()" in text or ("permute(" in text and "dims" in text):
        return None
    if "invalid combination of arguments" in text and any(keyword.arg == "keepdims" for keyword in node.keywords) and not name.startswith("np."):
        return Cause("refusals.other_librarys_keyword", SPELT["keepdims", "torch"], "write `keepdim=True`")
    return None


def explain_classes(error: Exception, place: Place) -> Cause | None:
    """What `cross_entropy` does not take: classes on another axis, and targets that are none of the classes."""
    text, node = str(error), place.node
    call = next((part for part in ast.walk(node) if isinstance(part, ast.Call) and "cross_entropy" in ast.unparse(part.func)), None) if node else None
    if call is None or not call.args:
        return None
    logits = known(call.args[0], place.names)
    if is_array(logits) and len(logits.shape) > 2 and "Expected target size" in text:
        return Cause(
            "refusals.classes_on_other_axis",
            f"`cross_entropy` looks for the classes on axis 1; `{ast.unparse(call.args[0])}` has shape {shape_of(logits)}, so it counts "
            f"{logits.shape[1]} classes",
            "put all positions into one axis, `logits.flatten(0, 1)` and `targets.flatten()`, or swap the last two axes of the logits with `.mT`",
        )
    if match := re.search(r"Target (-?\d+) is out of bounds", text):
        ignored = next((ast.unparse(keyword.value) for keyword in call.keywords if keyword.arg == "ignore_index"), "-100")
        return Cause(
            "refusals.target_is_no_class",
            f"the target {match[1]} is none of the classes, which count from 0, and is not what "
            f"`cross_entropy` leaves out (`ignore_index` is {ignored})",
            "which number marks the places where nothing is asked? −100 is left out by default",
        )
    return None


def _called(function: ast.expr, place: Place) -> Any:
    """What is called: a function of the learner's, of the notebook's, or a library's."""
    if isinstance(function, ast.Name):
        return place.names.get(function.id)
    if isinstance(function, ast.Attribute):
        owner = place.names.get(function.value.id) if isinstance(function.value, ast.Name) else known(function.value, place.names)
        return getattr(owner, function.attr, None) if isinstance(owner, types.ModuleType) or is_array(owner) else None
    return None


def _is_layer_class(called: type) -> bool:
    return called.__module__.startswith("torch.nn.modules")


def _keyword(word: str, node: ast.Call, called: Any, place: Place) -> Cause | None:
    name, own = ast.unparse(node.func), _parameters(called)
    if isinstance(called, types.FunctionType) and own:
        takes = listed(own)
        around = next((ast.unparse(one.func) for one in _calls_around(node, place) if word in _parameters(_called(one.func, place))), "")
        also = f"; `{around}`, around it, has that argument" if around else ""
        return Cause(
            "refusals.unknown_keyword",
            f"`{name}` takes {takes}, but no `{word}`{also}",
            "is a closing bracket in the wrong place?" if around else "use the names of its `def`",
        )
    short = name.rpartition(".")[2]
    if word in ("axis", "dim") and short in ELEMENTWISE:
        return Cause(
            "refusals.axis_for_elementwise",
            f"`{name}` works on each number separately, so it has no `{word}`",
            f"remove `{word}`; it belongs to the sum or to the maximum",
        )
    owner = known(node.func.value, place.names) if isinstance(node.func, ast.Attribute) else None
    library = kind_of(owner) if is_array(owner) else getattr(owner, "__name__", "").partition(".")[0]
    if told := SPELT.get((word, library)):
        return Cause("refusals.other_librarys_keyword", told, f"write `{told.partition('`')[2].partition('`')[0]}=...`")
    return None


def _calls_around(node: ast.Call, place: Place) -> list[ast.Call]:
    """The calls of the function's text that have this one among their arguments."""
    text = ast.unparse(node)
    return (
        [one for one in ast.walk(place.whole) if isinstance(one, ast.Call) and any(ast.unparse(part) == text for part in one.args)]
        if place.whole
        else []
    )


def _parameters(called: Any) -> list[str]:
    try:
        return list(inspect.signature(called).parameters) if isinstance(called, types.FunctionType) else []
    except (TypeError, ValueError):
        return []


def _count(text: str, name: str, called: Any) -> Cause | None:
    own = _parameters(called)
    if not isinstance(called, types.FunctionType) or not own or not is_learners(called.__code__.co_filename):
        return None
    return Cause(
        "refusals.wrong_argument_count",
        f"`{name}` is defined with {listed(own)}, but this call gives it a different number of arguments",
        f"compare this line with `def {called.__name__}`",
    )
