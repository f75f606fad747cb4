"""Attributes that are not there: what stands before the dot, and what has such an attribute."""

from __future__ import annotations

import ast
import difflib
import types
from typing import Any

import numpy as np

from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.exceptions.things import FUNCTIONS, is_none, one_of
from attnlab.diagnosis.text.source import Place, is_array

GONE = {
    "ptp": "np.ptp(x)",
    "float": "float",
    "int": "int",
    "bool": "bool",
    "product": "np.prod",
    "alltrue": "np.all",
    "sometrue": "np.any",
    "cumproduct": "np.cumprod",
    "in1d": "np.isin",
    "trapz": "np.trapezoid",
    "float_": "np.float64",
    "infty": "np.inf",
    "Inf": "np.inf",
    "NaN": "np.nan",
    "NAN": "np.nan",
    "row_stack": "np.vstack",
    "mat": "np.array",
    "itemset": "x[index] = value",
    "newbyteorder": "x.view(...)",
}
HIDDEN = {
    "split": "a string",
    "strip": "a string",
    "lower": "a string",
    "items": "a dictionary",
    "keys": "a dictionary",
    "values": "a dictionary",
    "get": "a dictionary",
    "shape": "an array",
    "T": "an array",
    "sum": "an array",
    "max": "an array",
    "dtype": "an array",
    "ndim": "an array",
}


def explain_attribute(error: Any, place: Place) -> Cause | None:
    """What has no such attribute, and what has."""
    import torch  # here, so that lessons without tensors do not wait for it

    name, owner = error.name or "", error.obj
    text = _owner_text(place, name)
    if "before Module" in str(error):
        return _no_super(place)
    if owner is None and "'NoneType'" in str(error):
        return is_none(place, text)
    if isinstance(owner, FUNCTIONS):
        return Cause(
            "things.function_not_called",
            f"`{text or 'the part before the dot'}` is a function, used here without its parentheses",
            f"call it: `{text}(...)`",
        )
    if isinstance(owner, np.ndarray) and name in GONE:
        return Cause(
            "attributes.removed_from_arrays",
            f"NumPy arrays had `{name}` up to version 1, and no longer have it",
            f"write `{GONE[name]}` instead",
        )
    if isinstance(owner, (np.ndarray, torch.Tensor)) and hasattr(list, name) and not hasattr(np.ndarray, name):
        return Cause(
            "attributes.list_method_on_array",
            f"`{name}` is a method of lists, but this is an array",
            "find the function of NumPy or torch that does the same",
        )
    if is_array(owner):
        module, other, theirs = (
            (np, torch.Tensor, "torch tensors") if isinstance(owner, (np.ndarray, np.generic)) else (torch, np.ndarray, "NumPy arrays")
        )
        one = "a NumPy array" if module is np else "a torch tensor"
        if hasattr(module, name) and callable(getattr(module, name)):
            word = "np" if module is np else "torch"
            return Cause(
                "attributes.function_not_method",
                f"{one} has no method `{name}`; there is the function `{word}.{name}`",
                f"write `{word}.{name}(...)`, with the array in the brackets",
            )
        if hasattr(other, name):
            return Cause(
                "attributes.other_array_librarys_method",
                f"{one} has no `{name}`; {theirs} have",
                f"use {'NumPy' if module is np else 'torch'}'s function for it",
            )
        return _near(f"{one} has no `{name}`", dir(owner), name)
    if isinstance(owner, types.ModuleType):
        return _of_module(owner, name, torch)
    if isinstance(owner, torch.nn.Module):
        return _of_layer(owner, name, text)
    if type(owner).__module__.startswith("torch.return_types"):
        return Cause(
            "things.max_returns_pair",
            f"torch's `max` and `min` along one axis give a pair, the values and their indices; the pair has no `{name}`",
            "take the values: `.values`, or use `torch.amax`",
        )
    if isinstance(owner, (list, tuple, dict, str, int, float)):
        needs = f"; {HIDDEN[name]} has" if name in HIDDEN and HIDDEN[name] != one_of(owner) else ""
        return Cause(
            "attributes.missing_on_builtin",
            f"`{text}` is {one_of(owner)}, which has no `{name}`{needs}" if text else f"{one_of(owner)} has no `{name}`{needs}",
            "print it: is it what you expected?" if not needs else "is it already what you need, or must it become an array first?",
        )
    return None


def _of_module(owner: Any, name: str, torch: Any) -> Cause:
    if owner is np and name in GONE:
        return Cause(
            "attributes.removed_from_numpy", f"`np.{name}` was part of NumPy up to version 1, and no longer exists", f"write `{GONE[name]}` instead"
        )
    for other, word in ((np, "np"), (torch, "torch"), (torch.nn.functional, "torch.nn.functional")):
        if other is not owner and owner in (np, torch) and hasattr(other, name):
            return Cause(
                "attributes.other_librarys_function",
                f"{owner.__name__} has no `{name}`; {other.__name__} has",
                f"`{word}.{name}` takes {'arrays' if word == 'np' else 'tensors'}; or write it yourself with the functions that exist",
            )
    return _near(f"{owner.__name__} has no `{name}`", [one for one in dir(owner) if not one.startswith("_")], name)


def _near(fact: str, names: list[str], name: str) -> Cause:
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.75)
    return Cause(
        "attributes.no_such_attribute",
        fact + (f"; it has `{near[0]}`" if near else ""),
        f"do you mean `{near[0]}`?" if near else "find its name there, or write it yourself",
    )


def _of_layer(owner: Any, name: str, text: str) -> Cause:
    if type(owner).__module__.startswith("torch.nn"):
        return Cause(
            "things.layer_used_as_tensor",
            f"`{text or type(owner).__name__}` is a layer, `nn.{type(owner).__name__}`, not a tensor; it has no `{name}`",
            "call the layer with a tensor; the result is a tensor",
        )
    stored = [key for key in vars(owner) if not key.startswith("_") and key != "training"]
    made = ", ".join([*owner._modules, *owner._parameters, *owner._buffers, *stored])
    return Cause(
        "attributes.not_set_in_constructor",
        f"the constructor makes no `self.{name}`; it makes {made or 'nothing'}",
        "use the same name in the constructor and in `forward`",
    )


def _no_super(place: Place) -> Cause:
    """A module that stores a layer before torch's own constructor has run."""
    next_step = "make `super().__init__()` the first line of the constructor"
    calls = [node for node in ast.walk(place.whole) if isinstance(node, ast.Attribute) and node.attr == "__init__"] if place.whole else []
    called = [node for node in ast.walk(place.whole) if isinstance(node, ast.Call) and node.func in calls] if place.whole else []
    if place.whole is None or called:
        return Cause("attributes.super_init_too_late", "the constructor stores something before it calls `super().__init__()`", next_step)
    if calls:
        return Cause(
            "attributes.super_init_not_called",
            f"`{ast.unparse(calls[0])}` has no `()` at the end, so it is not called, and torch's own constructor never runs",
            next_step,
        )
    return Cause(
        "attributes.super_init_missing",
        "the constructor never calls `super().__init__()`; torch needs that before the first layer is stored",
        next_step,
    )


def _owner_text(place: Place, name: str) -> str:
    """What stands before the dot of an attribute."""
    found = [node for node in ast.walk(place.node) if isinstance(node, ast.Attribute) and node.attr == name] if place.node else []
    return ast.unparse(found[0].value) if found else ""
