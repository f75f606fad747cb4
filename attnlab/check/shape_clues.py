"""What the place of an exception establishes about shapes that do not line up."""

from __future__ import annotations

import ast
import re

from attnlab.check.diagnosis import Cause
from attnlab.check.kinds import is_number, kind_of
from attnlab.check.origins import comes_from, subscripts
from attnlab.check.places import Place, is_array, parsed

REDUCING = {"sum", "max", "min", "mean", "amax", "amin", "std", "var", "prod", "logsumexp"}


def shapes(text: str, place: Place) -> Cause | None:
    """What is established about an exception that complains of shapes; None for another one."""
    if match := re.search(r"input array from shape (\(.*?\)) into shape (\(.*?\))", text):
        made = next((comes_from(place, base, "; the array on the left is made by ") for base, _ in subscripts(place) if comes_from(place, base)), "")
        return (f"what stands on the right has shape {match[1]}, and its place on the left has shape {match[2]}{made}",
                "which of the two has another length than the card's?")
    if not any(word in text for word in ("shape", "dimension", "matmul", "size of tensor", "batch", "broadcast", "1D")):
        return None
    for node in ast.walk(parsed(place.text)):
        if isinstance(node, ast.Call) and (found := _turned(node, place)):
            return found
        if isinstance(node, ast.BinOp):
            explain = _number_in_a_product if isinstance(node.op, ast.MatMult) else _lost_axis
            if found := explain(node, place) or _two_shapes(node, place):
                return found
    return None


def _two_shapes(node: ast.BinOp, place: Place) -> Cause | None:
    """The shapes of the two sides, where they cannot be joined by what stands between them."""
    left, right = (_shape_of(side, place) for side in (node.left, node.right))
    reverses = any(name.endswith(".T") and len(getattr(value, "shape", ())) > 2 for name, value in place.held.items())  # `raised.py` says more
    if not left or not right or place.outside or reverses:
        return None
    one, other = ast.unparse(node.left), ast.unparse(node.right)
    if isinstance(node.op, ast.MatMult):
        inner = right[-2] if len(right) > 1 else right[-1]
        return (f"`@` sums over the last axis of `{one}`, of length {left[-1]}, and over {'the last but one' if len(right) > 1 else 'the axis'} of "
                f"`{other}`, of length {inner}; these are not equal", "which of the two needs a transpose, or is another array than you meant?") \
            if left[-1] != inner else None
    for first, second in zip(reversed(left), reversed(right)):
        if first != second and 1 not in (first, second):
            return (f"`{one}` has shape {left} and `{other}` has shape {right}; shapes are compared from the end, and there {first} meets {second}",
                    "which axis should meet which? A new axis of length 1, as in `[:, None]`, puts the others where they belong; `@` sums over one")
    return None


def _shape_of(node: ast.expr, place: Place) -> tuple[int, ...]:
    """The shape of a name, its transpose, or a row of it; () where that is not sure."""
    match node:
        case ast.Name(id=name):
            return tuple(getattr(place.held.get(name), "shape", ()))
        case ast.Attribute(value=ast.Name(id=name), attr="T" | "mT" as how):
            return tuple(getattr(place.held.get(f"{name}.{how}"), "shape", ()))
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Name(id=index)) if type(place.held.get(index)) is int:
            return tuple(getattr(place.held.get(name), "shape", ()))[1:]
    return ()


def _turned(node: ast.Call, place: Place) -> Cause | None:
    """A transpose that moves nothing, or the batch, too."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="transpose" | "swapaxes" as how)):
            array = place.held.get(name)
        case _:
            return None
    axes = [axis for argument in node.args if isinstance(axis := _whole(argument), int)]
    if not is_array(array) or len(axes) < len(node.args) or len(axes) < 2:
        return None
    rank = len(array.shape)
    order = [axis % rank for axis in axes]
    spelt = ast.unparse(node)
    if kind_of(array) == "numpy" and how == "transpose":
        return (f"in NumPy, `{spelt}` names all axes in their new order, and that is the old one: nothing changes places",
                f"`{name}.T`, or `np.swapaxes({name}, -2, -1)`") if order == list(range(rank)) else None
    if rank > 2 and 0 in order and len(order) == 2:
        moved = list(array.shape)
        moved[order[0]], moved[order[1]] = moved[order[1]], moved[order[0]]
        return (f"`{spelt}` makes {tuple(moved)} of {tuple(array.shape)}: axis 0, that of the batch, changes places, too",
                "exchange the last two axes, and leave the batch where it is: count them from the end, -2 and -1")
    return None


def _whole(node: ast.expr) -> int | None:
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return None
    return value if type(value) is int else None


def _number_in_a_product(node: ast.BinOp, place: Place) -> Cause | None:
    for side in (node.left, node.right):
        if isinstance(side, ast.Name) and is_number(place.held.get(side.id)):
            return (f"`{side.id}` is one number there{comes_from(place, side.id)}, and `@` multiplies arrays",
                    "print what every name of that line holds: a row, or one component of a row?")
    return None


def _lost_axis(node: ast.BinOp, place: Place) -> Cause | None:
    """One side is the other without one of its axes, or a sum or maximum that does not keep its axis."""
    keep = "keep the axis: `keepdims=True`, in torch `keepdim=True`"
    for side, other in ((node.left, node.right), (node.right, node.left)):
        match side:
            case ast.Call(func=ast.Attribute(attr=how), keywords=keywords) if how in REDUCING and _names_an_axis(side):
                if not any(keyword.arg in ("keepdims", "keepdim") for keyword in keywords):
                    return f"`{ast.unparse(side)}` loses the axis that it runs along, so that the two sides do not line up", keep
            case ast.Name(id=name) if isinstance(other, ast.Name):
                small, large = (tuple(getattr(place.held.get(one), "shape", ())) for one in (name, other.id))
                lost = [axis for axis in range(len(large)) if large[:axis] + large[axis + 1:] == small]
                if small and lost:
                    return (f"`{name}` has the shape of `{other.id}` without its axis {lost[-1]}, which a sum or a maximum takes away"
                            f"{comes_from(place, name)}", keep)
    return None


def _names_an_axis(call: ast.Call) -> bool:
    """Whether a sum or maximum says its axis, as `e.sum(axis=1)`, `e.sum(1)` or `np.sum(e, 1)`."""
    module = isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name) and call.func.value.id in ("np", "torch")
    return any(keyword.arg in ("axis", "dim") for keyword in call.keywords) or len(call.args) == 1 + module
