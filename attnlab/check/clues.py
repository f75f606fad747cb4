"""What the place of an exception establishes beyond its words: which name is not what that line needs, and where it got its value."""

from __future__ import annotations

import ast
import re
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from attnlab.check.diagnosis import Cause
from attnlab.check.kinds import is_number, kind_of
from attnlab.check.origins import comes_from, function_at, origin, subscripts, told
from attnlab.check.places import Place, is_array, parsed
from attnlab.check.shape_clues import shapes

FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType)
TEXTS_OF = {str: "texts", list: "lists", dict: "dictionaries", set: "sets"}
COUNT = "`for i in range(len(x))` gives the numbers 0, 1, …; `for row in x` gives the rows themselves"


def clue(error: BaseException, places: list[Place]) -> Cause | None:
    """What is established, or None.

    Args:
        error: what was raised.
        places: the learner's lines on the way to it, the outermost first; at least one.
    """
    place, text = places[-1], str(error)
    if place.text.startswith("raise "):
        return _own_raise(place)
    if isinstance(error, KeyError):
        return _key(error, place)
    if isinstance(error, IndexError):
        return _index(text, place)
    if isinstance(error, AttributeError):
        return _attribute(error, place)
    if isinstance(error, TypeError) and (found := _type(text, places)):
        return found
    if any(word in text for word in ("dtype", "scalar type")) and (found := _module(place)):
        return found
    return shapes(text, place)


def _own_raise(place: Place) -> Cause | None:
    """The condition that a learner's own `raise` stands under takes the number 0 for nothing."""
    function = function_at(place)
    for node in ast.walk(function) if function else ():
        if not isinstance(node, ast.If) or not any(one.lineno == place.line for one in node.body):
            continue
        match node.test:
            case ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=name)) if _is_zero(place.names.get(name)):
                return (f"`{ast.unparse(node.test)}` is true there because `{name}` is 0: the number 0 counts as false",
                        f"ask for what you mean: `{name} is None`, or whether the key is there at all: `key not in ...`")
    return None


def _is_zero(value: Any) -> bool:
    return is_number(value) and value == 0


def _key(error: KeyError, place: Place) -> Cause | None:
    key = error.args[0] if error.args else None
    for base, index in subscripts(place):
        held = place.held.get(base)
        if not isinstance(held, dict) or not isinstance(index, ast.Name):
            continue
        loop = origin(place, index.id)
        walked = loop.iter.id if isinstance(loop, (ast.For, ast.comprehension)) and isinstance(loop.iter, ast.Name) else ""
        if walked and isinstance(place.names.get(walked), str) and isinstance(key, str):
            return (f"{told(loop)} goes through the letters of `{walked}`, which is one text", "look up the whole text, or loop over a list of texts")
        if walked and isinstance(loop, ast.For) and (line := _grows(loop, walked)):
            return (f"`{line}` makes the list longer that the loop runs over, so that the loop comes to what was put in",
                    "collect in another list, which is empty before the loop")
        kinds = {type(one).__name__ for one in held}
        if len(kinds) == 1 and not isinstance(key, type(next(iter(held)))):
            among = "; it is one of its values" if isinstance(key, (int, str)) and key in held.values() else ""
            return (f"what is looked up, {key!r}, is of type {type(key).__name__}, and all keys of `{base}` are of type {kinds.pop()}{among}",
                    "print the dictionary, and what is looked up: which is the key, and which the value?")
    return None


def _grows(loop: ast.For, walked: str) -> str:
    """The call in a loop that makes the list longer that it runs over."""
    return next((ast.unparse(node) for node in ast.walk(loop) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
                 and node.func.attr in ("append", "insert", "extend") and ast.unparse(node.func.value) == walked), "")


def _index(text: str, place: Place) -> Cause | None:
    words = [name for name, value in place.held.items() if isinstance(value, str)
             or (isinstance(value, (list, tuple)) and value and all(isinstance(one, str) for one in value))]
    arrays = {base for base, _ in subscripts(place) if is_array(place.held.get(base))}
    if "only integers" in text and words and arrays:
        return (f"`{words[0]}` holds text, and the array {_listed(arrays)} knows only row numbers",
                "which dictionary says the number that belongs to it? Look there first")
    decimals = [name for name, value in place.held.items() if name not in arrays and is_array(value) and "float" in str(value.dtype)]
    if "arrays used as indices" in text and decimals:
        return f"the index `{decimals[0]}` is an array of decimals{comes_from(place, decimals[0])}; an index is a whole number", COUNT
    if "too many indices" in text:
        tuples = [index.id for _, index in subscripts(place) if isinstance(index, ast.Name) and isinstance(place.held.get(index.id), tuple)]
        return (f"`{tuples[0]}` is a tuple, and in square brackets a tuple is one index for each axis", "make it a list: a list picks rows") \
            if tuples else None
    if "invalid index to scalar" in text:
        return _one_number(place)
    if match := re.search(r"index (-?\d+) is out of bounds for (?:axis|dimension) (\d+) with size (\d+)", text):
        return _out_of_bounds(place, *map(int, match.groups()))
    return None


def _one_number(place: Place) -> Cause | None:
    numbers = [base for base, _ in subscripts(place) if is_number(place.held.get(base))]
    return (f"`{numbers[0]}` is one number there, without entries{comes_from(place, numbers[0])}",
            "print it, and what it is made from: has an axis got lost, or did one row go in where all are needed?") if numbers else None


def _out_of_bounds(place: Place, index: int, axis: int, length: int) -> Cause | None:
    for base, inside in subscripts(place):
        shape = tuple(getattr(place.held.get(base), "shape", ()))
        if len(shape) <= axis or shape[axis] != length:
            continue
        part = inside.elts[axis] if isinstance(inside, ast.Tuple) and axis < len(inside.elts) else inside
        loop = origin(place, part.id) if isinstance(part, ast.Name) else None
        if isinstance(part, ast.Name) and isinstance(loop, (ast.For, ast.comprehension)) and told(loop):
            return (f"`{part.id}` comes from {told(loop)}, and it is used on axis {axis} of `{base}`, which has length {length}",
                    f"what does the loop count, and what does axis {axis} of `{base}` count? They have to be the same things")
        if isinstance(part, ast.BinOp):
            return (f"the index `{ast.unparse(part)}` gives {index}, and axis {axis} of `{base}` ends at {length - 1}",
                    "an index counts from 0: is it one too many?")
        room = [other for other, one in enumerate(shape) if one > index >= 0]
        if room and axis:
            return (f"the index stands at axis {axis} of `{base}`, which has length {length}; axis {room[0]} has length {shape[room[0]]}",
                    "the first place in the square brackets is axis 0, the rows; which axis do your numbers count?")
    return None


def _attribute(error: AttributeError, place: Place) -> Cause | None:
    """Something of a plain type has no such attribute, and another type has."""
    owner, name = error.obj, error.name or ""
    if type(owner) not in (list, str, dict, set, tuple, int, float):
        return None
    of = " and ".join(word for kind, word in TEXTS_OF.items() if hasattr(kind, name)) or ("arrays" if hasattr(np.ndarray, name) else "")
    who = next((f"`{held}`" for held, value in place.held.items() if value is owner), "what stands before the dot")
    if not of:
        return None
    return f"{who} is a {type(owner).__name__}, and `{name}` belongs to {of}", "print it, and its `type(...)`: is it what you think?"


def _type(text: str, places: list[Place]) -> Cause | None:
    place = places[-1]
    if any(kind in text for kind in ("'function'", "'builtin_function_or_method'", "'method'")) and "callable" not in text:
        for one, inner in zip(places, [*[later.function for later in places[1:]], ""]):
            for spelt in _uncalled(one, inner):
                made = comes_from(one, spelt)
                return (f"`{spelt}` is a function, used here without its parentheses{made}",
                        "call it, with round brackets" + (" and what goes in" if made else f": `{spelt}(...)`"))
    if match := re.search(r"torch\.return_types\.(\w+)", text):
        other = ", or use `amax`" if match[1] == "max" else ", or use `amin`" if match[1] == "min" else ""
        return f"torch's `{match[1]}` along an axis gives two things: the values and their places", f"take `.values` of it{other}"
    if "invalid combination of arguments" in text and "out=NoneType" in text:
        tensors = [name for name, value in place.held.items() if kind_of(value) == "torch"]
        return (f"`{tensors[0]}` is a torch tensor, and the function is NumPy's" if tensors else "a function of NumPy was given a torch tensor",
                "use torch's function, or its method")
    if "as a data type" in text and "Cannot interpret" in text:
        return ("NumPy takes what stands at that place in the call for the type of the numbers, `dtype`", "say what it is: `keepdims=True`")
    if (match := re.search(r"unexpected keyword argument '(keepdim|dim)'", text)) and not any(
            isinstance(value, types.FunctionType) for value in place.held.values()):
        word = {"keepdim": "keepdims", "dim": "axis"}[match[1]]
        return f"`{match[1]}` is torch's word, and this is NumPy, which says `{word}`", f"write `{word}=...`"
    refused = "invalid combination" in text or "missing 1 required" in text
    if refused and any(_softmax_without_axis(node) for node in ast.walk(parsed(place.text))):
        return "torch's `softmax` wants to be told its axis", "write `dim=...`: which axis indexes the keys?"
    if "not subscriptable" in text:
        return _one_number(place)
    return None


def _softmax_without_axis(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="torch"), attr="softmax"), args=args, keywords=[]):
            return len(args) == 1
        case ast.Call(func=ast.Attribute(attr="softmax"), args=[], keywords=[]):
            return True
    return False


def _uncalled(place: Place, inner: str) -> Iterator[str]:
    """Functions in a line that are not called there; where an inner function of the learner's was called, only what that was given."""
    nodes = list(ast.walk(parsed(place.text)))
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    called = {id(node.func) for node in calls}
    given = [argument for node in calls if isinstance(node.func, ast.Name) and node.func.id == inner for argument in node.args]
    for node in given if inner else nodes:
        match node:
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if id(node) not in called and owner in place.held:
                if isinstance(getattr(place.held[owner], name, None), FUNCTIONS):
                    yield f"{owner}.{name}"
            case ast.Name(id=name) if id(node) not in called and isinstance(place.held.get(name), FUNCTIONS):
                yield name


def _module(place: Place) -> Cause | None:
    """A module with parameters meets a tensor of another type."""
    import torch  # here, so that lessons without tensors do not wait for it
    inputs = {value.dtype for value in place.held.values() if isinstance(value, torch.Tensor)}
    for name, value in place.held.items():
        kinds = {one.dtype for one in value.parameters()} if isinstance(value, torch.nn.Module) else set()
        if len(kinds) == len(inputs) == 1 and kinds != inputs:
            return (f"`{name}` has parameters of its own, of {kinds.pop()}, and what comes in is {inputs.pop()}",
                    "does the card have parameters there? If it does not, take them away; if it does, make them of the input's type")
    tensors = {name: value.dtype for name, value in place.held.items() if isinstance(value, torch.Tensor) and "." not in name}
    if len(tensors) == 2 and len(set(tensors.values())) == 2:
        said = " and ".join(f"`{name}` holds {kind}{comes_from(place, name, ', from ')}" for name, kind in tensors.items())
        return said, "use one number type all the way: that of the input, `x.dtype`"
    return None


def _listed(names: set[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names))
