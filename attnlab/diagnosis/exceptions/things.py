"""Things of a type that cannot be used as a line uses them: what each part of the line is."""

from __future__ import annotations

import ast
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from attnlab.arrays import kind_of
from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.exceptions.indexing import origin_of
from attnlab.diagnosis.exceptions.values import known, shape_of
from attnlab.diagnosis.results.form import KINDS
from attnlab.diagnosis.text.source import Place, is_array

FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.MethodWrapperType, np.ufunc)
NOT_CALLED = ("'function'", "'builtin_function_or_method'", "'method'", "builtin_function_or_method object", "method object", "function object")


def is_none(place: Place, text: str) -> Cause:
    """What to say of a part of a line that is None: which call gave it, where that can be seen."""
    made = place.made(text) if text.isidentifier() else None
    call = made.value if made else ast.parse(text, mode="eval").body if text.endswith(")") else None
    if isinstance(call, ast.Call):
        where = f", line {made.lineno}," if made else ""
        return Cause(
            "things.call_gives_none",
            f"`{ast.unparse(call)}`{where} gives None: its function reaches no `return` with a value, or it only changes its object",
            f"look at the end of `{ast.unparse(call.func)}`",
        )
    if place.whole and not made and text in {one.arg for one in place.whole.args.args}:
        own = f"give that case a line of its own, before this one: `if {text} is not None:`"
        return Cause("things.argument_is_none", f"`{text}` is None in this call", own)
    return Cause(
        "things.value_is_none",
        f"`{text}` is None" if text else "something in that line is None, as after a function without `return`",
        "print it right after the line that makes it; a function without `return` gives None",
    )


def one_of(value: Any) -> str:
    names = {
        list: "a list",
        tuple: "a tuple",
        dict: "a dictionary",
        str: "a string",
        bool: "True or False",
        int: "one whole number",
        float: "one number",
        type(None): "None",
        range: "a range",
    }
    if kind_of(value) in KINDS:
        return f"{KINDS[kind_of(value)]} of shape {shape_of(value)}"
    return names.get(type(value), f"a {type(value).__name__}")


def parts_of(place: Place) -> Iterator[tuple[str, Any]]:
    """The parts of a line that have a value which can be worked out: the operands and arguments first, the names last."""
    node = place.node
    seen = set()
    missing = object()
    for part in [*_direct(node), *(ast.walk(node) if node else ())]:
        if isinstance(part, (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.BinOp, ast.List, ast.Tuple)) and ast.unparse(part) not in seen:
            seen.add(ast.unparse(part))
            value = known(part, place.names, missing)
            if value is not missing and not isinstance(value, types.ModuleType):
                yield ast.unparse(part), value


def _direct(node: ast.AST | None) -> list[ast.expr]:
    match node:
        case ast.BinOp():
            return [node.left, node.right]
        case ast.UnaryOp():
            return [node.operand]
        case ast.Call():
            return [*node.args, *(keyword.value for keyword in node.keywords), node.func]
        case ast.AugAssign():
            return [node.target, node.value]
        case ast.Assign() | ast.Return():
            return [node.value] if node.value else []
    return []


def explain_type_error(error: Exception, place: Place) -> Cause | None:
    """What in a line is of a type that cannot be used like that."""
    text, node = str(error), place.node
    parts = list(parts_of(place))
    direct = {ast.unparse(one) for one in _direct(node)}
    if "not callable" in text:
        return _not_callable(node, parts, place)
    if isinstance(node, ast.Call):
        parts = [(one, value) for one, value in parts if one != ast.unparse(node.func)]
    functions = [one for one, value in parts if isinstance(value, FUNCTIONS) and _stands_alone(node, one)]
    if functions and (any(kind in text for kind in NOT_CALLED) or "must be Tensor" in text or "must be real number" in text):
        return Cause(
            "things.function_not_called",
            f"`{functions[0]}` is a function, used here without its parentheses",
            f"call it: `{functions[0]}(...)`",
        )
    if "'torch.return_types" in text:
        return Cause(
            "things.max_returns_pair",
            "torch's `max` and `min` along one axis give a pair: the values and their indices",
            "take the values: `.values`, or use `torch.amax`",
        )
    for one, value in parts:
        if one in direct and _is_layer(value) and "unsupported operand" in text:
            made = place.made(one)
            call = f"; line {made.lineno} makes it: `{ast.unparse(made.value)}`" if made else ""
            return Cause(
                "things.layer_used_as_tensor",
                f"`{one}` is a layer, `nn.{type(value).__name__}`, not a tensor{call}",
                "make the layer first, then call it with the tensor: `nn.Softmax(dim=-1)(x)`; or use the function: `torch.softmax(x, dim=-1)`",
            )
    if "not subscriptable" in text and isinstance(node, ast.Subscript):
        return _no_entries(node, place)
    if "Cannot interpret" in text and isinstance(node, ast.Call):
        return _type_by_position(node, place)
    if "'NoneType'" in text or "got NoneType" in text:
        return next((is_none(place, one) for one, value in parts if value is None), None)
    return _numbers(text, place, parts) or _lists(text, place, parts, direct)


def _no_entries(node: ast.Subscript, place: Place) -> Cause | None:
    """Square brackets behind something without entries."""
    value, name = known(node.value, place.names, ...), ast.unparse(node.value)
    if isinstance(value, FUNCTIONS):
        return Cause(
            "things.function_indexed",
            f"`{name}` is a function, but square brackets take an entry of a list or an array",
            f"call it with round brackets: `{name}(...)`",
        )
    if value is ... or value is None:
        return None if value is ... else is_none(place, name)
    return Cause(
        "things.not_subscriptable",
        f"`{name}` is {one_of(value)}, {value!r}, and has no entries{origin_of(place, node.value)}"
        if isinstance(value, (int, float))
        else f"`{name}` is {one_of(value)}, and has no entries{origin_of(place, node.value)}",
        "is it what you expected? A loop over `range(...)` gives numbers",
    )


def _is_layer(value: Any) -> bool:
    return type(value).__module__.startswith("torch.nn.modules")


def _stands_alone(node: ast.AST | None, text: str) -> bool:
    """Whether a function's name stands somewhere in a line where it is not called."""
    called = {id(one.func) for one in ast.walk(node) if isinstance(one, ast.Call)} if node else set()
    return (
        any(isinstance(one, (ast.Name, ast.Attribute)) and ast.unparse(one) == text and id(one) not in called for one in ast.walk(node))
        if node
        else False
    )


def _not_callable(node: ast.AST | None, parts: list[tuple[str, Any]], place: Place) -> Cause | None:
    if not isinstance(node, ast.Call):
        return None
    name = ast.unparse(node.func)
    found = [value for one, value in parts if one == name]
    if not found or callable(found[0]):
        return None
    what = repr(found[0]) if isinstance(found[0], (bool, int, float, str)) else one_of(found[0])
    if name.endswith((".shape", ".T", ".mT", ".ndim", ".dtype")) or (name.endswith(".size") and isinstance(found[0], int)):
        return Cause(
            "things.attribute_called",
            f"`{name}` is not a function but {what}, without round brackets",
            f"write `{name}`" + (", with an index in square brackets" if node.args else ""),
        )
    method = name.removeprefix("self.")
    if name != method and callable(vars(type(place.names.get("self"))).get(method)):
        return Cause(
            "things.method_hidden_by_attribute",
            f"`{name}` is {what}: the class has a method `{method}`, but the value stored in `{name}` hides it",
            "give the two different names",
        )
    made = place.made(name)
    origin = f", made in line {made.lineno}: `{ast.unparse(made)}`" if made else ""
    if is_array(found[0]) or isinstance(found[0], (list, tuple, dict)):
        return Cause(
            "things.array_called",
            f"round brackets call a function, but `{name}` is not a function: it is {what}{origin}",
            "for an entry, use square brackets; if you mean a function, some line gave its name a new value",
        )
    return Cause(
        "things.not_callable",
        f"round brackets call a function, but `{name}` is not a function: it is {what}{origin}",
        "if you mean a function, some line gave its name a new value; if you mean a product, write `*`",
    )


def _type_by_position(node: ast.Call, place: Place) -> Cause | None:
    name = ast.unparse(node.func)
    if name.rpartition(".")[2] in ("ones", "zeros", "empty") and len(node.args) > 1:
        lengths = ", ".join(map(ast.unparse, node.args))
        return Cause(
            "things.length_as_dtype",
            f"the second argument of `{name}` is the number type; a shape with several lengths is one tuple",
            f"write a second pair of brackets: `{name}(({lengths}))`",
        )
    if len(node.args) > 1 and any(known(argument, place.names) is True for argument in node.args):
        return Cause(
            "things.true_as_dtype",
            f"without its name, `True` counts as a different argument of `{name}`: the number type",
            "give it its name: `keepdims=True`",
        )
    return None


def _numbers(text: str, place: Place, parts: list[tuple[str, Any]]) -> Cause | None:
    """Where one number stands and an array is wanted, or the other way round."""
    if any(words in text for words in ("only 0-dimensional arrays", "only length-1 arrays", "only one element tensors")):
        if "math." in place.text:
            used = next((word for word in place.text.replace("(", " ").split() if word.startswith("math.")), "math.exp")
            return Cause(
                "things.math_function_of_array",
                "functions of `math` take one number, but this is an array",
                f"use NumPy's function of that name: `np.{used[5:]}`",
            )
        return Cause(
            "things.array_as_number",
            "`float(...)` and `int(...)` take one number, but this is an array with axes",
            "take the number out with `.item()` or an index such as `[0, 0]`",
        )
    if "'tuple' object cannot be interpreted as an integer" in text:
        tuples = [one for one, value in parts if isinstance(value, tuple)]
        return (
            Cause(
                "things.tuple_for_lengths",
                f"`{tuples[0]}` is a tuple, but that function takes each length as a separate argument",
                "remove one pair of brackets",
            )
            if tuples
            else None
        )
    if "has no len()" in text and isinstance(place.node, ast.Call) and place.node.args:
        value = known(place.node.args[0], place.names)
        if isinstance(value, (int, float)):
            one = ast.unparse(place.node.args[0])
            return Cause(
                "things.len_of_number",
                f"`{one}` is the number {value}, but `len(...)` counts the entries of a list or an array",
                f"use the number itself: `{one}`",
            )
    floats = [one for one, value in parts if isinstance(value, float)]
    if floats and any(
        words in text
        for words in (
            "'float' object cannot be interpreted",
            "but got float",
            "must be int, not float",
            "tuple of ints",
            "type must be tuple of ints",
        )
    ):
        made = place.made(floats[0])
        line = f", from line {made.lineno}: `{ast.unparse(made)}`" if made else ""
        return Cause(
            "things.float_for_count",
            f"`{floats[0]}` is a number with decimals{line}, but a length or a count is a whole number",
            "`/` gives decimals, `//` divides whole numbers",
        )
    return None


def _lists(text: str, place: Place, parts: list[tuple[str, Any]], direct: set[str]) -> Cause | None:
    tensors = [one for one, value in parts if kind_of(value) == "torch"]
    lists = [(one, value) for one, value in parts if isinstance(value, (list, tuple)) and not hasattr(value, "numel")]
    texts = [(one, value) for one, value in parts if isinstance(value, str) and one in direct]
    if isinstance(place.node, ast.Call) and ast.unparse(place.node.func).startswith("np.") and tensors:
        return Cause(
            "things.tensor_to_numpy_function",
            f"`{tensors[0]}` is a torch tensor, but the function is NumPy's",
            "use torch's function, or the tensor's method",
        )
    if not any(
        words in text
        for words in (
            "unsupported operand",
            "can only concatenate",
            "can't multiply",
            "must be real number",
            "must be Tensor, not list",
            "must be Tensor, not tuple",
            "bad operand type",
            "not supported between",
            "list indices",
        )
    ):
        return None
    if "list indices" in text and isinstance(place.node, ast.Subscript) and isinstance(known(place.node.value, place.names), list):
        return Cause(
            "things.list_indexed_like_array",
            f"`{ast.unparse(place.node.value)}` is a list, and in square brackets a list takes one whole number or a slice",
            "make it an array for `[i, j]` and for lists of indices: `np.array(...)`",
        )
    if texts and not lists:
        return Cause(
            "things.text_in_arithmetic",
            f"`{texts[0][0]}` is a string, {texts[0][1]!r}: you cannot compute with it",
            "which number or array belongs to it?",
        )
    named = [pair for pair in lists if type(pair[1]).__name__ in text or "sequence" in text]  # an exception names the types that met
    first = [pair for pair in named if pair[0] in direct] or named
    if first:
        return Cause(
            "things.list_not_array",
            f"`{first[0][0]}` is a {type(first[0][1]).__name__}, not an array",
            "make it one number, or an array, before you compute with it",
        )
    return None
