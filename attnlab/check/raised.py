"""What an exception in a learner's code says to its author. A cause is named where the exception and its place establish it."""

from __future__ import annotations

import difflib
import re
import types
from typing import Any

import numpy as np

from attnlab import reference
from attnlab.check.diagnosis import NOT_KNOWN, Cause, CheckFailed, Diagnosis
from attnlab.check.kinds import kind_of
from attnlab.check.places import Place, places_of
from attnlab.check.sentences import PRODUCT, SHAPES, sentence_for
from attnlab.check.sizes import codes_of

LOOK = "mend that line; in a cell of your own, call your function on the example above it and print what goes in"
NOT_WRITTEN = Diagnosis(
    "the cell above still holds the line that raises NotImplementedError",
    "your code in its place",
    "you have not started yet, and that is fine",
    "open *A nudge* in the card, write a first line, run the cell, then run this check again")
LONGEST = 220


def explain_error(error: Exception, answer: Any = None) -> Diagnosis:
    """What an exception inside the learner's code says to its author.

    A grader that makes the call from elsewhere may raise an exception of its own about it, with a text for the learner and the
    attribute `is_explained`, or `is_nobodys` when the learner has nothing to do with it; these are raised on as they are.

    Args:
        error: what was raised.
        answer: the function or class that was called, where the call itself may have been refused.
    """
    if getattr(error, "is_explained", False) or getattr(error, "is_nobodys", False):
        raise error
    if isinstance(error, CheckFailed):  # a step of the call has its own words
        return error.diagnosis
    places = places_of(error)
    if isinstance(error, NotImplementedError):
        return _explain_not_implemented(error, answer, places)
    place = places[-1] if places else None
    said = f"{type(error).__name__}: {_message(error)}"
    if place is None:
        return _explain_call(error, said, answer)
    observed = f"your code raised {said}, {place}"
    if len(places) > 1 and places[0].function != place.function:
        observed += f", in `{place.function}`, called {places[0]}"
    if place.told:
        observed += f"; there, {place.told}"
    likely, next_step = _cause(error, place)
    return Diagnosis(observed, "a result, without an error", likely, next_step)


def _message(error: BaseException) -> str:
    text = " ".join(re.sub(r", with gufunc signature \S+", "", str(error)).split())
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} …"


def _explain_not_implemented(error: NotImplementedError, answer: Any, places: list[Place]) -> Diagnosis:
    """The stub's own exception, that of another function's stub, or torch's for a module without `forward`."""
    if "forward" not in str(error):
        own = {code.co_name for code in codes_of(answer)}
        if not places or not own or places[-1].function in own:
            return NOT_WRITTEN
        other = places[-1].function
        return Diagnosis(f"your `{other}` raised NotImplementedError; it is called here, {places[0]}", f"your `{other}` is written first",
                         f"the cell of `{other}` still holds the line that raises it", f"write `{other}`, run its cell, then this one")
    own = own_methods(answer)
    return Diagnosis("torch finds no method called `forward` in your class", "a class with the methods `__init__` and `forward`",
                     f"the class has {own}" if own else "the method is missing, or it stands outside of the class",
                     "call it `forward`, and give it the same indentation as `__init__`")


def own_methods(answer: Any) -> str:
    """The methods that a class defines itself, for a message; "" where there are none, or where that cannot be seen."""
    return ", ".join(f"`{name}`" for name, value in vars(answer).items() if isinstance(value, types.FunctionType)) if isinstance(answer, type) else ""


def _explain_call(error: Exception, said: str, answer: Any) -> Diagnosis:
    """An exception that no line of the learner's raised: the call itself was refused, or a grader has no more to tell."""
    if isinstance(answer, type) and isinstance(error, TypeError) and "__init__" not in vars(answer) and own_methods(answer):
        return Diagnosis(f"calling the class as the card says raised {said}", "a class whose constructor takes what the card lists",
                         f"the class has no method `__init__`; it has {own_methods(answer)}",
                         "the constructor is called `__init__`, with two `_` on each side")
    if isinstance(error, TypeError) and ("positional argument" in str(error) or "keyword argument" in str(error)):
        return Diagnosis(f"calling it as the card says raised {said}", "a function or class that takes what the card lists, in that order",
                         "it has another number of parameters, or others, than the card", "compare its `def` with the row `takes` of the card")
    line = getattr(error, "line", None)
    return Diagnosis(f"your code raised {said}{f', in line {line}' if line else ''}", "a result, without an error",
                     *(sentence_for(error) or (NOT_KNOWN, LOOK)))


def _cause(error: Exception, place: Place) -> Cause:
    """The most telling of what is established."""
    if place.text.startswith("raise "):
        return "your own line raises it", "when does the card ask for an error, and for which one? Print what the line above it looks at"
    for kind, explain in ((NameError, _name), (AttributeError, _attribute), (TypeError, _type)):
        if isinstance(error, kind) and (found := explain(error, place)):
            return found
    dicts = [name for name, value in place.held.items() if isinstance(value, dict) and f"{name}[" in place.text]
    if isinstance(error, KeyError) and dicts:
        keys = ", ".join(f"`{key}`" for key in list(place.held[dicts[0]])[:8])
        return f"`{dicts[0]}` has no such key; it has {keys}", "look how the key is spelt"
    if "ambiguous" in str(error) and (builtin := re.match(r"(max|min|sorted)\(", place.text)):
        return (f"Python's own `{builtin[1]}` compares the rows of an array as wholes, which cannot be done",
                "use NumPy's or torch's, with the axis: `np.max(scores, axis=axis, keepdims=True)`")
    if any(words in str(error) for words in SHAPES):
        return _shapes(place, any(word in str(error) for word in PRODUCT))
    return sentence_for(error) or (_from_the_notebook(place) if place.outside else (NOT_KNOWN, LOOK))


def _from_the_notebook(place: Place) -> Cause:
    names = ", ".join(f"`{name}`" for name in sorted(place.outside))
    return (f"{names} there is no argument and is not made in the function: it is a variable of the notebook",
            "use nothing in the function but its arguments, and what it makes of them")


def _name(error: Any, place: Place) -> Cause:
    name = error.name or ""
    if isinstance(error, UnboundLocalError):
        name = str(error).partition("'")[2].partition("'")[0]
        return (f"`{name}` gets its value only further down, or in a branch that did not run: a name that is assigned anywhere in a function "
                "belongs to the function", "give it a value before the line that reads it, or take another name for what you assign")
    if reference.asking_for(name):
        return (f"`{name}` is another exercise of the course; its cell was not run in this session, or its function has another name",
                f"run the cell that defines `{name}`, then this one")
    near = difflib.get_close_matches(name, set(_names_near(error)) - {place.function}, n=1) if len(name) > 2 else []
    return (f"no line that ran has made `{name}`" + (f"; there is a `{near[0]}`" if near else ""),
            "look how it is spelt; a function needs nothing but its arguments, what it makes of them, and functions")


def _names_near(error: BaseException) -> list[str]:
    """The names that can be read where an exception was raised."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    return [*trace.tb_frame.f_locals, *trace.tb_frame.f_globals] if trace else []


def _attribute(error: Any, place: Place) -> Cause | None:
    import torch  # here, so that lessons without tensors do not wait for it
    name, owner = error.name or "", error.obj
    if isinstance(owner, (np.ndarray, torch.Tensor)) and hasattr(list, name):
        return f"`{name}` is a method of lists, and this is an array", "look for the function of NumPy or torch that does the same"
    if isinstance(owner, np.ndarray) and hasattr(torch.Tensor, name):
        return f"a NumPy array has no `{name}`; torch tensors have", "use NumPy's function for it"
    if isinstance(owner, torch.Tensor) and hasattr(np.ndarray, name):
        return f"a torch tensor has no `{name}`; NumPy arrays have", "use torch's function for it"
    if any(owner is module for module in (np, torch)):
        other = torch if owner is np else np
        has = f"; {other.__name__} has" if hasattr(other, name) else ""
        return f"{owner.__name__} has no `{name}`{has}", "look how it is called there, or write it yourself"
    if isinstance(owner, torch.nn.Module) and "before Module" not in str(error):
        stored = [key for key in vars(owner) if not key.startswith("_") and key != "training"]
        made = ", ".join([*owner._modules, *owner._parameters, *owner._buffers, *stored])
        return f"the constructor makes no `self.{name}`; it makes {made or 'nothing'}", "use one name in the constructor and in `forward`"
    return None


def _type(error: Exception, place: Place) -> Cause | None:
    text = str(error)
    functions = [name for name, value in place.held.items() if isinstance(value, (types.FunctionType, types.BuiltinFunctionType, types.MethodType))]
    tensors = [name for name, value in place.held.items() if kind_of(value) == "torch"]
    lists = [name for name, value in place.held.items() if isinstance(value, (list, tuple))]
    if "only 0-dimensional arrays" in text or "only length-1 arrays" in text or "only one element tensors" in text:
        if "math." in place.text:
            return "functions of `math` take one number, and this is an array", "use NumPy's function of that name, such as `np.exp`"
        return ("`float(...)` and `int(...)` take one number, and this is an array with axes",
                "take the number out with `.item()` or an index such as `[0, 0]`")
    if functions and any(kind in text for kind in ("'function'", "'builtin_function_or_method'", "'method'")):
        return f"`{functions[0]}` is a function, used here without its parentheses", f"call it: `{functions[0]}(...)`"
    layers = [name for name, value in place.held.items() if type(value).__module__.startswith("torch.nn.modules") and "self" not in name]
    if layers and "unsupported operand" in text:
        kind = type(place.held[layers[0]]).__name__
        return (f"`{layers[0]}` is a layer: `{kind}(...)` makes one, and does not apply it",
                f"apply it to a tensor: `{kind}(...)(x)`, or use the function")
    indexed = [name for name, value in place.held.items() if isinstance(value, (int, float)) and f"{name}[" in place.text]
    if indexed and "not subscriptable" in text:
        return (f"`{indexed[0]}` is one number, and square brackets want an array, a list or a dictionary",
                "`for i in range(...)` counts: index with `i`, or loop over the list itself")
    if "has no len()" in text and any(kind in text for kind in ("'int'", "'float'")):
        return "`len` wants something with entries, and this is one number already", "a number needs no `len`; a length comes from an array or a list"
    if "np." in place.text and tensors:
        return f"`{tensors[0]}` is a torch tensor, and the function is NumPy's", "use torch's function, or its method"
    if lists and any(words in text for words in ("unsupported operand", "can only concatenate", "can't multiply", "must be real number")):
        return (f"`{lists[0]}` is a {type(place.held[lists[0]]).__name__}, not an array",
                "make it one number, or an array, before you compute with it")
    return None


def _shapes(place: Place, is_product: bool) -> Cause:
    for name, value in place.held.items():
        base = name.removesuffix(".T")
        if base != name and len(value.shape) > 2:
            return (f"`.T` reverses all axes, also that of the batch: {tuple(reversed(value.shape))} becomes {tuple(value.shape)}",
                    f"swap the last two alone: `{base}.transpose(-2, -1)` in torch, `np.swapaxes({base}, -2, -1)` in NumPy")
    if place.outside:
        return _from_the_notebook(place)
    if is_product and (found := _stacked_otherwise(place)):
        return found
    if is_product:
        return ("the two shapes do not line up: in a product, the last axis of the first and the last but one of the second have one length",
                "write the shape of each factor beside it; which one needs a transpose, or is another array than you meant?")
    return "the shapes do not line up", "write the shape of each array beside it; axes have to be equal, or 1"


def _stacked_otherwise(place: Place) -> Cause | None:
    """A product that would fit if a list of arrays were put together along the other axis."""
    match = re.fullmatch(r"(\w+) @ (?:np|torch)\.([hv]stack)\((\w+)\)", place.text)
    left, parts = (place.held.get(match[1]), place.held.get(match[3])) if match else (None, None)
    if not match or np.ndim(left) != 2 or not isinstance(parts, (list, tuple)) or len({np.shape(part) for part in parts}) != 1:
        return None
    shapes = {"hstack": (0, "side by side"), "vstack": (sum(map(len, parts)), "one under the other")}
    call, other = match[2], "vstack" if match[2] == "hstack" else "hstack"
    rows = shapes[other][0] or len(parts[0])
    if left.shape[1] != rows:
        return None
    return (f"`{call}` puts the arrays of `{match[3]}` {shapes[call][1]}; {shapes[other][1]}, they would fit into that product",
            f"write the shape of what `{call}` gives beside it; `{other}` joins along the other axis")
