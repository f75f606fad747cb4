"""Shapes that do not fit: which operands met, how each came to its shape, and what would fit."""

from __future__ import annotations

import ast
import itertools
import re
from dataclasses import dataclass
from typing import Any

from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.exceptions.values import is_layer_of_torch, known, shape_of
from attnlab.diagnosis.text.expressions import called
from attnlab.diagnosis.text.source import Place, is_array

PRODUCTS = ("matmul", "dot", "bmm", "mm", "mv")
REDUCTIONS = ("sum", "max", "min", "mean", "amax", "amin", "logsumexp", "norm")
INTO = re.compile(r"(?:input array from shape \(|Tensor sizes: \[)([\d, ]+)[)\]]")
KEEPS = {"numpy": "keepdims=True", "torch": "keepdim=True"}
PRODUCT_RULE = Cause(
    "operands.product_shapes_mismatch",
    "a product needs equal lengths in the last axis of the first factor and the second-to-last of the second",
    "write the shape of each factor beside it: which one needs a transpose, or is not the array you mean?",
)
EQUAL_RULE = Cause(
    "operands.broadcast_mismatch", "the shapes do not fit", "write the shape of each array beside it; lengths that meet must be equal, or 1"
)


@dataclass
class Operand:
    """One of the arrays that met: what stands in the line, and its value."""

    node: ast.expr
    value: Any

    @property
    def text(self) -> str:
        """What stands in the line."""
        return ast.unparse(self.node)

    @property
    def shape(self) -> tuple[int, ...]:
        """Its shape; `()` for a number."""
        return shape_of(self.value) if is_array(self.value) else ()


def operands_of(place: Place) -> list[Operand]:
    """The arrays and numbers that meet in a line, in their order, as far as their values can be worked out again."""
    node = place.node
    if isinstance(node, ast.BinOp):
        nodes = [node.left, node.right]
    elif isinstance(node, ast.AugAssign) or (isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Subscript)):
        nodes = [node.target if isinstance(node, ast.AugAssign) else node.targets[0], node.value]
    elif isinstance(node, ast.Call):
        owner = [node.func.value] if isinstance(node.func, ast.Attribute) and is_array(known(node.func.value, place.names)) else []
        nodes = [*owner, *node.args]
    else:
        return []
    found = [Operand(part, known(part, place.names)) for part in nodes]
    return [one for one in found if is_array(one.value) or (isinstance(one.value, (int, float)) and not isinstance(one.value, bool))]


def note_operands(place: Place) -> None:
    """Let a message tell the shapes of the operands that are more than a name."""
    made = {one.text: one.value for one in operands_of(place) if is_array(one.value) and one.text not in place.held}
    place.held = {**made, **place.held}


def explain_shapes(place: Place, is_product: bool, said: str = "") -> Cause | None:
    """Why the shapes of a line do not fit; None where no more is known than that.

    Args:
        place: the line.
        is_product: whether the library says that they met in a product.
        said: the library's own words.
    """
    found = operands_of(place)
    if cut := _cut_short(place):
        return cut
    if layer := _layer(place, found):
        return layer
    if given := _handed_to_argument(place, found):
        return given
    if len(found) == 1 and (fits := INTO.search(said)):
        return _into_slot(place, found[0], f"({fits[1]}) behind any axes of length 1")
    if len(found) != 2:
        return None
    first, second = found
    is_product = is_product or _is_product(place.node)
    for one in found:
        if cause := _transposed(one, is_product):
            return cause
    if is_product:
        return _product(place, first, second)
    return _lost_axis(place, first, second) or _slot(place, first, second) or _unequal(place, first, second)


def _is_product(node: ast.AST | None) -> bool:
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute) and node.func.attr in PRODUCTS
    return isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, ast.MatMult)


def _is_entry_by_entry(node: ast.AST | None) -> bool:
    return isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, ast.Mult)


def _fit_as_matrices(left: tuple[int, ...], right: tuple[int, ...]) -> bool:
    before = itertools.zip_longest(left[-3::-1], right[-3::-1], fillvalue=1)
    return left[-1] == right[-2 if len(right) > 1 else -1] and all(one == other or 1 in (one, other) for one, other in before)


def _layer(place: Place, found: list[Operand]) -> Cause | None:
    """A linear layer of torch that is given another length than it takes."""
    if not isinstance(place.node, ast.Call) or len(found) != 1 or not found[0].shape:
        return None
    layer, given = known(place.node.func, place.names), found[0]
    if not is_layer_of_torch(layer) or not hasattr(layer, "in_features") or given.shape[-1] == layer.in_features:
        return None
    name = ast.unparse(place.node.func)
    return Cause(
        "operands.layer_input_length",
        f"`{name}` is a layer for {layer.in_features} numbers, but the last axis of `{given.text}` has {given.shape[-1]}",
        "is it the right array, at the right step? If so, compare the sizes in the constructor with the card",
    )


def _transposed(one: Operand, is_product: bool) -> Cause | None:
    """A transpose of NumPy that moves nothing, or one that exchanges other axes than the last two."""
    node = one.node
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr not in ("transpose", "permute", "swapaxes"):
        return None
    turned = "swap only the last two axes: `.T` for a matrix, `np.swapaxes(x, -2, -1)` in NumPy, `x.transpose(-2, -1)` in torch"
    numbers = [number for part in node.args if isinstance(number := known(part, {}), int)]
    if len(numbers) != len(node.args) or len(numbers) < 2:
        return None
    axes = [number % len(one.shape) for number in numbers]
    is_list_of_axes = node.func.attr == "permute" or (node.func.attr == "transpose" and not hasattr(one.value, "detach"))
    if is_list_of_axes and axes == list(range(len(one.shape))):
        return Cause(
            "operands.transpose_moves_nothing",
            f"`{one.text}` moves nothing: NumPy's `transpose` takes the new order of all axes, and this is the old order",
            turned,
        )
    if is_product and not is_list_of_axes and len(one.shape) > 2 and sorted(axes) != [len(one.shape) - 2, len(one.shape) - 1]:
        return Cause(
            "operands.transpose_of_wrong_axes",
            f"`{one.text}` swaps axes {numbers[0]} and {numbers[1]} of {len(one.shape)}, counted from 0; in a product, the last two axes "
            f"are rows and columns, and the axes before them say which product",
            turned,
        )
    return None


REPEATS = ("repeat_interleave", "repeat", "tile", "expand")


def _repeated(place: Place, first: Operand, second: Operand) -> Cause | None:
    """One of two stacks of matrices is too long or too short because of how often a line repeats its parts."""
    for one, other in ((first, second), (second, first)):
        names = [part.id for part in ast.walk(one.node) if isinstance(part, ast.Name)]
        made = place.made(names[0]) if len(names) == 1 else None
        lengths = [(a, b) for a, b in zip(one.shape[-3::-1], other.shape[-3::-1]) if a != b]
        if made and called(made.value) in REPEATS and len(lengths) == 1:
            return Cause(
                "operands.repeated_wrongly",
                f"`{ast.unparse(made)}` in line {made.lineno} repeats its parts so that there are {lengths[0][0]}, and they meet {lengths[0][1]} "
                f"of `{other.text}`",
                "how often must each part come, so that both are equally many? Divide one number by the other",
            )
    return None


def counted_axis(place: Place) -> str:
    """Words for a `len` of the function that counts another axis than another one of the same array, which has another length; "" for none."""
    for node in ast.walk(place.whole) if place.whole else ():
        if isinstance(node, ast.Call) and called(node) == "len" and len(node.args) == 1:
            value = known(node.args[0], place.names)
            if is_array(value) and len(value.shape) == 2 and value.shape[0] != value.shape[1]:
                name = ast.unparse(node.args[0])
                return f"`len({name})` in line {node.lineno} is {value.shape[0]}, the length of axis 0 of `{name}`, and axis 1 has {value.shape[1]}"
    return ""


def _product(place: Place, first: Operand, second: Operand) -> Cause | None:
    for one in (first, second):
        if not one.shape:
            twice = _two_meanings(place)
            return Cause(
                "operands.matmul_of_number",
                f"`{one.text}` is one number, but `@` multiplies rows, columns and matrices{twice}",
                "print it; a loop over a matrix gives its rows, and a loop over a row gives numbers",
            )
    left, right = first.shape, second.shape
    if len(right) == 1 or len(left) == 1:
        meets = f"the second-to-last axis of `{second.text}`" if len(right) > 1 else f"the only axis of `{second.text}`"
        length = right[-2] if len(right) > 1 else right[-1]
        return Cause(
            "operands.vector_length_mismatch",
            f"the last axis of `{first.text}` meets {meets} in the product: {left[-1]} numbers and {length}",
            "which of the two needs a transpose, or is not the array you mean?",
        )
    if left[-1] == right[-2]:
        before, behind = left[:-2], right[:-2]
        if repeated := _repeated(place, first, second):
            return repeated
        return Cause(
            "operands.batch_axes_mismatch",
            f"the matrices fit, but the axes before them do not: {before} in `{first.text}` and {behind} in `{second.text}`",
            "these axes say how many products there are: they must be equal"
            + ("" if called(place.node) in ("bmm", "baddbmm") else ", or 1")
            + "; which line gives each of them its shape?",
        )
    lengths = f"{PRODUCT_RULE.words}: here they are {left[-1]} and {right[-2]}"
    fits = [
        text
        for fitting, text in (
            (left[-1] == right[-1], "with the last two axes of the second swapped, they would be equal"),
            (left[-2] == right[-2], "with the last two axes of the first swapped, they would be equal"),
            (right[-1] == left[-2], "the other way round, they would be equal"),
        )
        if fitting and left != right[::-1] and 1 not in (*left, *right)
    ]
    return Cause(
        "operands.inner_lengths_differ",
        lengths,
        f"which of the two is not what you mean? {fits[0][0].upper() + fits[0][1:]}" if fits else PRODUCT_RULE.next,
    )


def _two_meanings(place: Place) -> str:
    """A parameter whose name a loop takes, too."""
    if place.whole is None:
        return ""
    parameters = {argument.arg for argument in place.whole.args.args}
    loops = [node.target for node in ast.walk(place.whole) if isinstance(node, (ast.comprehension, ast.For))]
    taken = sorted({node.id for target in loops for node in ast.walk(target) if isinstance(node, ast.Name)} & parameters & set(place.held))
    return f"; a loop there uses the name of the argument `{taken[0]}` for something else" if taken else ""


def _lost_axis(place: Place, first: Operand, second: Operand) -> Cause | None:
    """A sum or maximum without the axis that it went along, or with it at another place."""
    for large, small in ((first, second), (second, first)):
        made = place.made(small.node.id) if isinstance(small.node, ast.Name) else None
        node, where = (made.value, f", line {made.lineno},") if made else (small.node, "")
        gone = [
            axis
            for axis in range(len(large.shape))
            if large.shape[:axis] + large.shape[axis + 1 :]
            == tuple(small.shape if len(small.shape) < len(large.shape) else _without_one(small.shape))
        ]
        if not gone:
            continue
        keep = KEEPS["torch" if hasattr(small.value, "detach") else "numpy"]
        if len(small.shape) == len(large.shape) - 1 and _reduces(node):
            return Cause(
                "operands.keepdims_missing",
                f"`{ast.unparse(node)}`{where} removes the axis that it runs along: {small.shape} beside {large.shape}",
                f"keep the axis, with length 1: `{keep}`",
            )
        if len(small.shape) == len(large.shape) and (placed := _new_axis(made or node)):
            if not _is_reduced(place, made or node):
                return Cause(
                    "operands.new_axis_elsewhere",
                    f"`{placed}`{where} puts the new axis where the other one has another length: {small.shape} beside {large.shape}",
                    "which axis of the other array do its numbers belong to? The new axis of length 1 stands beside the others",
                )
            return Cause(
                "operands.new_axis_misplaced",
                f"`{placed}`{where} puts the lost axis back in the wrong place for this input: {small.shape} beside {large.shape}",
                f"keep the axis where it was: `{keep}`",
            )
    return None


def _is_reduced(place: Place, node: ast.AST) -> bool:
    """Whether something in an expression, or in the line that makes one of its names, runs along an axis that is gone behind it."""
    lines = [made.value for part in ast.walk(node) if isinstance(part, ast.Name) and (made := place.made(part.id))]
    return any(_reduces(part) for one in (node, *lines) for part in ast.walk(one))


def _without_one(shape: tuple[int, ...]) -> tuple[int, ...]:
    """A shape without its first axis of length 1."""
    at = shape.index(1) if 1 in shape else len(shape)
    return shape[:at] + shape[at + 1 :]


def _reduces(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in REDUCTIONS
        and not any(keyword.arg in ("keepdims", "keepdim") for keyword in node.keywords)
    )


def _new_axis(node: ast.AST) -> str:
    """The part of a line that puts an axis of length 1 somewhere: `total[..., None]`."""
    for part in ast.walk(node):
        if isinstance(part, ast.Subscript) and any(
            (isinstance(index, ast.Constant) and index.value is None) or (isinstance(index, ast.Attribute) and index.attr == "newaxis")
            for index in ast.walk(part.slice)
        ):
            return ast.unparse(part)
    return ""


def _slot(place: Place, first: Operand, second: Operand) -> Cause | None:
    """What is put into a part of an array: the two shapes, and the line that made the array."""
    return _into_slot(place, first, str(second.shape)) if isinstance(place.node, (ast.Assign, ast.AugAssign)) else None


def _into_slot(place: Place, slot: Operand, shape: str) -> Cause | None:
    """The same for a right side of this shape."""
    if not isinstance(slot.node, ast.Subscript):
        return None
    owner = slot.node.value
    made = place.made(owner.id) if isinstance(owner, ast.Name) else None
    origin = f"; `{ast.unparse(owner)}` is made in line {made.lineno}: `{ast.unparse(made.value)}`" if made else ""
    return Cause(
        "operands.assigned_shape_mismatch",
        f"the left side `{slot.text}` has shape {slot.shape}, but the right side has shape {shape}{origin}",
        "which of the two has the wrong length? Write down what each axis counts",
    )


def _cut_short(place: Place) -> Cause | None:
    """A slice that is asked for more than its array has: it ends where the array does, without a word."""
    for part in ast.walk(place.node) if place.node else ():
        if not isinstance(part, ast.Subscript):
            continue
        owner = place.held.get(ast.unparse(part.value), known(part.value, place.names))  # of what is large, only names have a value
        if not is_array(owner):
            continue
        indices = part.slice.elts if isinstance(part.slice, ast.Tuple) else [part.slice]
        for axis, index in enumerate(indices):
            if not isinstance(index, ast.Slice) or index.upper is None or axis >= len(shape_of(owner)):
                continue
            end, length = known(index.upper, place.names), shape_of(owner)[axis]
            if isinstance(end, int) and end > length and all(isinstance(one, ast.Slice) for one in indices):
                return Cause(
                    "operands.slice_cut_short",
                    f"`{ast.unparse(part)}` is asked for {end} entries along axis {axis}, and `{ast.unparse(part.value)}` has {length}: "
                    "a slice ends where its array does",
                    f"make `{ast.unparse(part.value)}` as long as this input needs, from the input's own shape",
                )
    return None


def _unequal(place: Place, first: Operand, second: Operand) -> Cause | None:
    """Which axes of two arrays have neither one length nor the length 1."""
    pairs = list(zip(first.shape[::-1], second.shape[::-1]))
    bad = next((place for place, (one, two) in enumerate(pairs, start=1) if one != two and 1 not in (one, two)), 0)
    if not bad:
        return None
    if _is_entry_by_entry(place.node) and _fit_as_matrices(first.shape, second.shape):
        return Cause(
            "operands.star_for_matmul",
            "`*` multiplies entry by entry; these shapes do not fit for that, but for the matrix product `@`",
            "do you mean the matrix product? Then write `@`. For `*`, lengths that meet must be equal, or 1",
        )
    which = {1: "last axis", 2: "second-to-last axis"}.get(bad, f"axis -{bad}")
    return Cause(
        "operands.axis_lengths_differ",
        f"the shapes do not fit: the {which} of `{first.text}` has length {first.shape[-bad]}, that of `{second.text}` {second.shape[-bad]}",
        f"lengths that meet must be equal, or 1; which of the two is not what you mean?{_origins(place, first, second)}",
    )


def _origins(place: Place, *operands: Operand) -> str:
    """Where operands that have a name come from: " `y` is made in line 9: `np.zeros((D, 1))`"."""
    lines = [(one.text, made) for one in operands if isinstance(one.node, ast.Name) and (made := place.made(one.node.id, if_added_to=True))]
    return "".join(f" `{name}` is made in line {made.lineno}: `{ast.unparse(made.value)}`." for name, made in lines)


def _handed_to_argument(place: Place, found: list[Operand]) -> Cause | None:
    """A function that came in as an argument, and refuses what it was given."""
    node = place.node
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or place.whole is None or len(found) != 1 or not found[0].shape:
        return None
    parameters = [argument.arg for argument in place.whole.args.args]
    if node.func.id not in parameters:
        return None
    others = [name for name in parameters if is_array(place.names.get(name)) and len(shape_of(place.names[name])) != len(found[0].shape)]
    if not others:
        return None
    return Cause(
        "operands.function_given_other_shape",
        f"you call `{node.func.id}`, the argument, with an array of shape {found[0].shape}; the argument `{others[0]}` has shape "
        f"{shape_of(place.names[others[0]])}",
        f"call `{node.func.id}` with one array at a time, with the axes of `{others[0]}`",
    )
