"""Numbers that are nan or inf: where the first of them comes from."""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from attnlab.arrays import as_numpy
from attnlab.diagnosis.cause import Cause, Certainty, Diagnosis
from attnlab.diagnosis.text.expressions import given_once
from attnlab.diagnosis.text.places import is_learners, line_of, place_now
from attnlab.diagnosis.text.sizes import cell_of
from attnlab.reference import Case

NOT_COMPUTED = {"full", "masked_fill", "masked_fill_", "tensor", "where", "__setitem__", "fill_", "empty", "empty_like", "new_empty"}  # any memory
NEXT = {
    "exp": "subtract the largest of the scores that share one sum, before `exp`; the softmax is the same without the overflow",
    "softmax": "are all scores of one row -inf, or is one of them nan? Print them",
    "log": "log(0) is -inf, and 0 · (-inf) is nan: leave out what is zero before you take the logarithm",
    "divide": "print what it is divided by: which of these numbers is 0, and which are inf?",
}
LOOPS = (ast.For, ast.While, ast.comprehension, ast.ListComp, ast.GeneratorExp, ast.Lambda)
ALSO = {
    "true_divide": "divide",
    "div": "divide",
    "__truediv__": "divide",
    "__div__": "divide",
    "__rtruediv__": "divide",
    "exp_": "exp",
    "exp2": "exp",
    "log2": "log",
}


def explain_not_finite(result: Any, case: Case, again: Callable[[], Any], answer: Any = None) -> Diagnosis | None:
    """None when every entry is a finite number, or is as infinite as the expected one.

    Args:
        again: makes the same call once more, to see which operation gives the first nan or inf.
        answer: its text, where it can be seen, may say more.
    """
    array = as_numpy(result)
    if array.dtype.kind != "f" or np.isfinite(array).all() or np.array_equal(np.isfinite(array), np.isfinite(as_numpy(case.expected))):
        return None
    bad = int((~np.isfinite(array)).sum())
    observed = f"{bad} of {array.size} entries are nan or inf{f' for {case.label}' if case.label else ''}"
    return Diagnosis(observed, "finite numbers", _source(again, answer))


def _source(again: Callable[[], Any], answer: Any) -> Cause:
    operation, where = _watch(again)
    if not operation:
        return Cause(
            "finite.operation_not_known",
            "this check does not know which operation gives the first of them",
            "print every intermediate array; where does the first nan or inf appear?",
            Certainty.HINT,
        )
    if ALSO.get(operation, operation) == "divide" and (one := _one_for_all(answer)):
        return Cause(
            "finite.number_whole_table_scores",
            f"{one} is one number for the whole table: where all scores that share a sum lie far below it, every power becomes 0, and 0 / 0 "
            f"is nan{where}",
            "subtract the largest of those scores that share a sum: name the axis, and keep it with `keepdims=True` (`keepdim=True` in torch)",
        )
    return Cause(
        "finite.comes_out_of_an_operation",
        f"the first of them comes out of `{operation}`{where}",
        NEXT.get(ALSO.get(operation, operation), "print what goes into it"),
    )


def _one_for_all(answer: Any) -> str:
    """Where one largest number of an array with several axes is subtracted from all of it; "" where none is."""
    tree = cell_of(answer)
    made = given_once(tree)
    # A row of a loop has one largest number by right, and what is masked with -inf may be a whole row.
    repeated = {id(part) for node in ast.walk(tree) if isinstance(node, LOOPS) for part in ast.walk(node)}
    if any("inf" in (getattr(node, "attr", ""), getattr(node, "value", "")) for node in ast.walk(tree)):
        return ""
    for node in ast.walk(tree):
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Sub) or id(node) in repeated:
            continue
        right = made.get(node.right.id) if isinstance(node.right, ast.Name) else node.right
        match right:
            case (
                ast.Call(func=ast.Attribute(value=ast.Name(id="np" | "torch"), attr="max" | "amax"), args=[of], keywords=named)
                | ast.Call(func=ast.Attribute(value=of, attr="max" | "amax"), args=[], keywords=named)
            ):
                if ast.unparse(of) != ast.unparse(node.left):
                    continue
                axes = [one.value for one in named if one.arg in ("axis", "dim")]
                if not axes or (isinstance(axes[0], ast.Tuple) and len(axes[0].elts) > 1):
                    return f"`{ast.unparse(right)}`, in line {right.lineno},"
    return ""


def _watch(again: Callable[[], Any]) -> tuple[str, str]:
    """The name of the operation that gives the first number that is not finite, and its place: ", in line 3: `…`"."""
    from torch.overrides import TorchFunctionMode  # here, so that lessons without tensors do not wait for it

    found: list[tuple[str, str]] = []

    class Watching(TorchFunctionMode):
        def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            result = function(*args, **(kwargs or {}))
            name = getattr(function, "__name__", "")
            if not found and _is_new(result, args) and name not in NOT_COMPUTED:
                place = place_now(sys._getframe(1))
                found.append((name.strip("_") if name not in ALSO else ALSO[name], f", {place}" if place else ""))
            return result

    with warnings.catch_warnings(record=True) as warned, np.errstate(over="warn", divide="warn", invalid="warn"):
        warnings.simplefilter("always")
        try:
            with Watching():
                again()
        except Exception:  # the call itself is explained elsewhere
            return "", ""
    for warning in warned:
        name = str(warning.message).rpartition(" in ")[2] if "encountered in" in str(warning.message) else ""
        if name:
            where = f", in line {warning.lineno}: `{line_of(warning.filename, warning.lineno)}`" if is_learners(warning.filename) else ""
            return ("the product" if name == "matmul" else ALSO.get(name, name)), where
    return found[0] if found else ("", "")


def _is_new(result: Any, args: Any) -> bool:
    """Whether a tensor holds nan or +inf and none that went in does. -inf is what masks are made of."""

    def bad(value: Any) -> bool:
        return (
            hasattr(value, "isnan")
            and hasattr(value, "detach")
            and value.is_floating_point()
            and bool(value.detach().isnan().any() or value.detach().isposinf().any())
        )

    return bad(result) and not any(map(bad, args))
