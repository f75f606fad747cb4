"""What a part of a line is worth, worked out again from the names of its frame: only what changes nothing and takes no time."""

from __future__ import annotations

import ast
import builtins
import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from attnlab.arrays import kind_of
from attnlab.diagnosis.results.form import KINDS

LARGEST = 20_000  # entries of an array that is worked with
PLAIN = (bool, int, float, str, bytes, slice, type(None), type(Ellipsis), range)
_METHODS = {
    "transpose",
    "swapaxes",
    "permute",
    "reshape",
    "view",
    "squeeze",
    "unsqueeze",
    "flatten",
    "ravel",
    "copy",
    "clone",
    "contiguous",
    "float",
    "double",
    "long",
    "astype",
    "sum",
    "mean",
    "max",
    "min",
    "amax",
    "amin",
    "argmax",
    "any",
    "all",
    "exp",
    "log",
    "sqrt",
    "t",
    "matmul",
    "dot",
    "softmax",
    "size",
    "dim",
    "tolist",
    "numpy",
    "detach",
    "to",
    "tril",
    "triu",
    "unflatten",
    "std",
    "var",
    "abs",
    "get",
    "keys",
    "values",
    "index",
    "split",
    "count",
    "movedim",
    "expand",
    "repeat",
}
_FUNCTIONS = _METHODS | {
    "array",
    "asarray",
    "zeros",
    "ones",
    "eye",
    "empty",
    "full",
    "zeros_like",
    "ones_like",
    "arange",
    "tensor",
    "stack",
    "concatenate",
    "cat",
    "expand_dims",
    "outer",
    "einsum",
    "diag",
    "where",
    "isinf",
    "sin",
    "cos",
    "argsort",
    "broadcast_to",
    "tile",
    "hstack",
    "vstack",
    "column_stack",
    "bmm",
}
_BUILTINS = {"len", "range", "list", "tuple", "int", "float", "abs", "sum", "max", "min", "enumerate", "zip", "sorted", "bool", "str", "set"}
_OPERATIONS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.MatMult: operator.matmul,
}
_SIGNS: dict[type, Callable[[Any], Any]] = {ast.USub: operator.neg, ast.Not: operator.not_, ast.UAdd: operator.pos, ast.Invert: operator.invert}
_COMPARISONS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda one, two: one in two,
    ast.NotIn: lambda one, two: one not in two,
}


class Unknown(Exception):
    """Something whose value cannot be worked out without running the learner's code."""


def value_of(node: ast.AST | None, names: Mapping[str, Any]) -> Any:
    """The value of an expression.

    Args:
        node: the expression.
        names: what the names in it stand for.

    Raises:
        Unknown: it calls something of the learner's, is too large, or has no value.
    """
    try:
        value = _value(node, names)
    except Unknown:
        raise
    except Exception as error:  # what raises has no value
        raise Unknown from error
    return _small(value)


def known(node: ast.AST | None, names: Mapping[str, Any], otherwise: Any = None) -> Any:
    """The value of an expression, or something else where it cannot be worked out."""
    try:
        return value_of(node, names)
    except Unknown:
        return otherwise


def is_tensor(value: Any) -> bool:
    """Whether a value is a NumPy array or a torch tensor."""
    return kind_of(value) in KINDS


def shape_of(value: Any) -> tuple[int, ...]:
    """The shape of an array as a plain tuple."""
    return tuple(int(length) for length in value.shape)


def _small(value: Any) -> Any:
    if is_tensor(value) and int(np.prod(value.shape, dtype=float)) > LARGEST:
        raise Unknown
    if isinstance(value, (list, tuple, dict, str)) and len(value) > LARGEST:
        raise Unknown
    return value


def _value(node: ast.AST | None, names: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            if name not in names:
                raise Unknown
            return names[name]
        case ast.Attribute():
            return _attribute(value_of(node.value, names), node.attr)
        case ast.Subscript():
            owner = value_of(node.value, names)
            if not (is_tensor(owner) or type(owner).__name__ in ("list", "tuple", "dict", "str", "Size")):
                raise Unknown
            return owner[value_of(node.slice, names)]
        case ast.Slice():
            return slice(*(None if part is None else value_of(part, names) for part in (node.lower, node.upper, node.step)))
        case ast.Tuple() | ast.List():
            values = [value_of(part, names) for part in node.elts]
            return tuple(values) if isinstance(node, ast.Tuple) else values
        case ast.UnaryOp():
            return _unary(node, value_of(node.operand, names))
        case ast.BinOp():
            return _binary(node, value_of(node.left, names), value_of(node.right, names))
        case ast.Compare(ops=[one], comparators=[right]):
            return _COMPARISONS[type(one)](value_of(node.left, names), value_of(right, names))
        case ast.Call():
            return _call(node, names)
    raise Unknown


def _plain(value: Any) -> bool:
    return is_tensor(value) or isinstance(value, (bool, int, float, str, list, tuple))


def _unary(node: ast.UnaryOp, value: Any) -> Any:
    if not _plain(value):
        raise Unknown
    return _SIGNS[type(node.op)](value)


def _binary(node: ast.BinOp, left: Any, right: Any) -> Any:
    if not (_plain(left) and _plain(right)):
        raise Unknown
    if isinstance(node.op, ast.Pow):
        if isinstance(right, int) and not -64 <= right <= 64:
            raise Unknown
        return left**right
    if isinstance(node.op, ast.Mult) and not all(is_tensor(value) or isinstance(value, (bool, int, float)) for value in (left, right)):
        raise Unknown  # a list times a large number
    if not isinstance(node.op, ast.MatMult) and is_tensor(left) and is_tensor(right):
        _small(np.broadcast_to(0, np.broadcast_shapes(shape_of(left), shape_of(right))))
    return _OPERATIONS[type(node.op)](left, right)


def _attribute(owner: Any, name: str) -> Any:
    if is_tensor(owner) and name in ("T", "mT", "shape", "ndim", "size", "dtype", "device"):
        return getattr(owner, name)
    if is_tensor(owner) and name in _METHODS:
        return getattr(owner, name)
    if is_module(owner):
        return getattr(owner, name)
    if type(owner).__module__ == "__main__" or _is_layer(owner):
        for held in (vars(owner), *(vars(owner).get(kind) or {} for kind in ("_parameters", "_buffers", "_modules"))):
            if name in held:
                return held[name]
    raise Unknown


def is_module(value: Any) -> bool:
    """Whether a value is NumPy, torch, a part of one, or `math`."""
    return type(value).__name__ == "module" and value.__name__.partition(".")[0] in ("numpy", "torch", "math")


def _is_layer(value: Any) -> bool:
    return any(kind.__module__ == "torch.nn.modules.module" and kind.__name__ == "Module" for kind in type(value).__mro__)


def is_layer_of_torch(value: Any) -> bool:
    """Whether a value is one of torch's own layers, such as `nn.Linear`, and not one that a learner wrote."""
    return _is_layer(value) and type(value).__module__.startswith("torch.nn.modules")


def _call(node: ast.Call, names: Mapping[str, Any]) -> Any:
    if any(isinstance(argument, ast.Starred) for argument in node.args) or any(keyword.arg is None for keyword in node.keywords):
        raise Unknown
    call = _callable(node.func, names)
    arguments = [value_of(argument, names) for argument in node.args]
    options = {str(keyword.arg): value_of(keyword.value, names) for keyword in node.keywords}
    if "out" in options or any(callable(value) and not isinstance(value, type) for value in arguments):
        raise Unknown
    if any(isinstance(value, int) and abs(value) > LARGEST for value in arguments):
        raise Unknown
    return call(*arguments, **options)


def _callable(function: ast.expr, names: Mapping[str, Any]) -> Any:
    if isinstance(function, ast.Name):
        if function.id in _BUILTINS and function.id not in names:
            return getattr(builtins, function.id)
        raise Unknown
    if isinstance(function, ast.Attribute):
        owner = value_of(function.value, names)
        if is_module(owner) and (function.attr in _FUNCTIONS or owner.__name__ == "math"):
            return getattr(owner, function.attr)
        if (is_tensor(owner) or isinstance(owner, (list, tuple, dict, str))) and function.attr in _METHODS:
            return getattr(owner, function.attr)
        layer = _attribute(owner, function.attr)
        if is_layer_of_torch(layer) and type(layer).__name__ == "Linear":
            return layer
    raise Unknown
