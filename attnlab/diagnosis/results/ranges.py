"""Numbers that leave the range of their type: those that are too small become 0, and whole numbers that are too large come out negative or 0.

What is told has been seen: with other numbers from that one operation, the call gives no nan and no inf.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from attnlab.arrays import as_decimals, as_numpy, copied
from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.text.operations import Cell, Operation, Operations
from attnlab.diagnosis.text.source import is_array

BOTH = {"power", "multiply", "divide"}  # of two numbers; the others are of one array
SHRINK = BOTH | {"exp", "exp2", "prod", "square", "sigmoid", "softmax", "softmax_rows", "softmax_cols"}
GROW: dict[str, Callable[..., Any]] = {
    "power": np.power,
    "multiply": np.multiply,
    "prod": np.prod,
    "square": np.square,
    "matmul": np.matmul,
    "dot": np.dot,
    "outer": np.outer,
}
OF_ONE = {"prod", "square"}


def made_zero(answer: Any, again: Callable[[Any], Any]) -> Operation | None:
    """The first operation whose numbers are too small for their type, and because of which a call gives nan; None where none is.

    Args:
        answer: whose text is looked at.
        again: makes the call, of an answer that it is given.
    """

    def replaced(operation: Operation) -> Callable[..., Any]:
        def instead(function: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
            owner = getattr(function, "__self__", None)
            before = copied((owner, *given) if is_array(owner) else given)  # an operation in place writes over it
            result = function(*given, **named)
            lost = _lost(operation.name, before, result)
            if lost is None:
                return result
            least = float(np.finfo(as_numpy(result).dtype).tiny)
            if not hasattr(result, "detach"):
                return np.where(lost, least, result).astype(result.dtype)
            return result.masked_fill(result.new_tensor(lost).bool(), least)

        return instead

    def is_too_small(operation: Operation) -> bool:
        return operation.name in SHRINK and _lost(operation.name, operation.given, operation.result) is not None

    return next(_causes(answer, again, is_too_small, replaced, is_finite), None)


def _lost(name: str, given: tuple[Any, ...], result: Any) -> np.ndarray | None:
    """Where a result is 0 though what went in is neither 0 nor infinite; None where that is nowhere."""
    try:
        array = as_numpy(result)
        numbers = [as_numpy(one).astype(float) for one in given[: 2 if name in BOTH else 1]]
        if array.dtype.kind != "f" or not numbers:
            return None
        lost = array == 0
        for one in numbers:
            usable = np.isfinite(one) & ((one != 0) | (name not in BOTH | OF_ONE))
            lost = lost & (usable.all() if name == "prod" else np.broadcast_to(usable, array.shape))
    except (TypeError, ValueError, IndexError):
        return None
    return lost if lost.any() else None


def explain_too_large(answer: Any, again: Callable[[Any], Any], is_right: Callable[[Any], bool] | None = None) -> Cause | None:
    """The operation that gives whole numbers too large for their type, because of which a call does not come out right; None where none does.

    Args:
        answer: whose text is looked at.
        again: makes the call, of an answer that it is given.
        is_right: whether a result is; None where it has to be finite alone.
    """

    def in_floats(_: Operation) -> Callable[..., Any]:
        def instead(function: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
            owner = getattr(function, "__self__", None)
            if is_array(owner):
                function = getattr(as_decimals(owner), function.__name__)
            return function(*map(as_decimals, given), **named)

        return instead

    operation = next(_causes(answer, again, _may_be_too_large, in_floats, is_right or is_finite), None)
    if operation is None:
        return None
    whole = as_numpy(operation.result)
    number = next((node.value for node in ast.walk(operation.node) if isinstance(node, ast.Constant) and type(node.value) is int), None)
    written = f"`{number}.0` for `{number}`" if number is not None and number > 1 else "`.astype(float)` before it"
    return Cause(
        "form.whole_numbers_too_large",
        f"`{operation.text}` in line {operation.node.lineno} gives whole numbers; some are too large for {8 * whole.dtype.itemsize} bits "
        f"and come out {'negative' if (whole < 0).any() else 'as 0' if (whole == 0).any() else 'as other numbers'}",
        f"compute that with floats: {written}",
    )


def _may_be_too_large(operation: Operation) -> bool:
    """Whether whole numbers above 0 give one that their type does not hold."""
    given = operation.given[: 1 if operation.name in OF_ONE else 2]
    if operation.name not in GROW or not all(is_array(one) or isinstance(one, int) for one in given):
        return False
    numbers, result = list(map(as_numpy, given)), as_numpy(operation.result)
    if result.dtype.kind not in "iu" or any(one.dtype.kind not in "iu" or (one < 0).any() for one in numbers):
        return False
    with np.errstate(all="ignore"):
        floats = np.asarray(GROW[operation.name](*(one.astype(float) for one in numbers)))
    most = np.iinfo(result.dtype).max
    return bool(floats.max(initial=0.0) > most) and (operation.name == "prod" or not np.allclose(floats, result, rtol=1e-6))


def _causes(
    answer: Any,
    again: Callable[[Any], Any],
    is_suspect: Callable[[Operation], bool],
    instead: Callable[[Operation], Callable[..., Any]],
    is_right: Callable[[Any], bool],
) -> Iterator[Operation]:
    """The operations of a call that would come out right if they gave something else.

    Args:
        answer: whose text is looked at.
        again: makes the call.
        is_suspect: which operations are tried.
        instead: what an operation gives in place of its result.
        is_right: whether the call's result is.
    """
    if (cell := Cell.of(answer)) is None:
        return
    tried: set[int] = set()
    for operation in Operations(cell, again).done:
        try:
            if operation.number in tried or not is_suspect(operation):
                continue
            tried.add(operation.number)
            other = Operations(cell, again, operation.number, instead(operation))
            is_mended = not other.has_raised and is_right(other.result)
        except (TypeError, ValueError):  # what goes in or comes out is nothing to compute with, such as a list of arrays
            continue
        if is_mended:
            yield operation


def is_finite(result: Any) -> bool:
    """Whether a result, or each part of it, holds finite numbers alone."""
    parts = result if isinstance(result, (tuple, list)) else (result,)
    return all(np.isfinite(as_numpy(part).astype(float)).all() for part in parts)
