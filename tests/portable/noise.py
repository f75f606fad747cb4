"""A processor that nobody has: results of sums and functions are off in their last digits, by chance.

Adding and multiplying two numbers gives the same everywhere. What differs between processors is the order of a long sum and the
last digit of a function. So what is disturbed is each result of a sum (products of matrices included), by what another order may
give, and of a function such as exp, by one unit in the last place. Sums that every order gives exactly, such as those of small
whole numbers, stay.

NumPy is disturbed in what cells write (`a @ b`, `np.exp(...)`, `x.sum()`), torch below all of its functions.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

SUMS = {"sum", "mean", "var", "std", "dot", "matmul", "einsum", "inner", "norm", "average", "trace", "vdot", "tensordot", "cumsum"}
FUNCTIONS = {
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sin",
    "cos",
    "tan",
    "tanh",
    "power",
    "logaddexp",
    "normal",
    "randn",
    "standard_normal",
}  # draw with logarithms and cosines
TORCH_SUMS = {
    "mm",
    "bmm",
    "addmm",
    "baddbmm",
    "sum",
    "mean",
    "var",
    "std",
    "_softmax",
    "_log_softmax",
    "logsumexp",
    "dot",
    "mv",
    "_scaled_dot_product_flash_attention_for_cpu",
    "linalg_vector_norm",
}
TORCH_FUNCTIONS = {"exp", "log", "sin", "cos", "tanh", "pow", "sigmoid", "rsqrt", "normal_", "randn"}
PRODUCT, CALL = "_product_on_another_processor", "_call_on_another_processor"
FINEST = 10  # powers of two: sums of multiples of 1/512 are exact in any order while they are small


class Noise:
    """A source of disturbances, the same for the same seed."""

    def __init__(self, seed: int):
        self._random = np.random.RandomState(seed)

    def product(self, left: Any, right: Any) -> Any:
        """`left @ right`."""
        return self.sum_of(left @ right, [left, right])

    def call(self, function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
        """A call of a function or method that is known by its name."""
        result = function(*arguments, **keywords)
        if getattr(function, "__name__", "") in SUMS:
            return self.sum_of(result, [getattr(function, "__self__", None), *arguments])
        return self.function_of(result)

    def sum_of(self, result: Any, inputs: list[Any]) -> Any:
        """A sum over `inputs`, or over their products, as another order of its terms may give it."""
        arrays = [value for value in inputs if isinstance(value, (np.ndarray, np.floating)) and value.dtype.kind == "f"]
        with np.errstate(all="ignore"):
            return result if _is_exact(arrays, result) else self._moved(result, _size_of_terms(arrays, result))

    def function_of(self, result: Any) -> Any:
        """The value of a function, as another library may give it. 0 and 1 stay: exp(0) and log(1) are exact everywhere."""
        return self._moved(result, np.where(np.isin(result, (0, 1)), 0, np.abs(result))) if _is_real(result) else result

    def _moved(self, result: Any, size: Any) -> Any:
        """`result` moved by at most one unit in the last place of a number of that `size`. Nan, infinities and zeros stay."""
        if not _is_real(result):
            return result
        array = np.asarray(result)
        with np.errstate(all="ignore"):
            moved = array + self._random.uniform(-1, 1, array.shape) * _unit(array) * size
        moved = np.where(np.isfinite(array) & (array != 0), moved, array).astype(array.dtype)
        return moved if isinstance(result, np.ndarray) else moved[()] if isinstance(result, np.generic) else float(moved)


def _is_real(value: Any) -> bool:
    return type(value) is float or (type(value) is np.ndarray and value.dtype.kind == "f" and value.size > 0) or isinstance(value, np.floating)


def _is_exact(inputs: list[np.ndarray], result: Any) -> bool:
    """Whether every order of the sum gives the same: no more than one term, or terms that are small multiples of one step."""
    if not _is_real(result) or not inputs:
        return not _is_real(result)
    if len(inputs) == 2 and np.max(_product([array != 0 for array in inputs]), initial=0) <= 1:
        return True
    largest = np.max(_product([np.abs(array) for array in inputs]), initial=0)
    return bool(largest * np.prod([_steps(array) for array in inputs]) < 1 / _unit(np.asarray(result)))


def _unit(array: np.ndarray) -> float:
    """The last place of a number near 1, as sums are added up: those of float16 in float32."""
    return float(np.finfo(np.float32 if array.dtype == np.float16 else array.dtype).eps)


def _steps(array: np.ndarray) -> float:
    """The smallest power of two that makes all numbers whole when multiplied with it; infinite where none of the small ones does."""
    return next((2.0**power for power in range(FINEST) if (array * 2.0**power % 1 == 0).all()), np.inf)


def _product(inputs: list[np.ndarray]) -> np.ndarray:
    """An upper bound of a sum over one array, or over the products of two; exact for products of matrices."""
    numbers = [np.asarray(array, dtype=np.float64) for array in inputs]
    try:
        return numbers[0] @ numbers[1] if len(numbers) == 2 else np.abs(numbers[0]).sum()
    except ValueError:
        return np.prod([np.abs(array).sum() for array in numbers])


def _size_of_terms(inputs: list[np.ndarray], result: Any) -> Any:
    """How large the terms of a sum are, which may cancel; the size of the result where that is not known."""
    terms = _product([np.abs(array) for array in inputs]) if inputs else np.abs(result)
    return terms if np.shape(terms) == np.shape(result) else np.abs(result)


class Cells(ast.NodeTransformer):
    """Sends the products, sums and functions of a cell through the noise that `install` gave to all cells."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.MatMult):
            return node
        return ast.copy_location(ast.Call(ast.Name(PRODUCT, ast.Load()), [node.left, node.right], []), node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.func, ast.Attribute) or node.func.attr not in SUMS | FUNCTIONS:
            return node
        return ast.copy_location(ast.Call(ast.Name(CALL, ast.Load()), [node.func, *node.args], node.keywords), node)


def transform(tree: ast.Module) -> ast.Module:
    """The tree of a cell, disturbed."""
    return ast.fix_missing_locations(Cells().visit(tree))


def install(seed: int, namespace: dict[str, Any]) -> None:
    """Disturb torch in this thread from now on, and NumPy in transformed cells that see `namespace`, for example `builtins`."""
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode

    noise = Noise(seed)
    namespace.update({PRODUCT: noise.product, CALL: noise.call})

    class OtherProcessor(TorchDispatchMode):
        def __torch_dispatch__(self, operation: Any, types: Any, arguments: tuple = (), keywords: dict | None = None) -> Any:
            result = operation(*arguments, **(keywords or {}))
            name = operation.overloadpacket.__name__
            if name not in TORCH_SUMS | TORCH_FUNCTIONS:
                return result
            first = result[0] if isinstance(result, tuple) else result
            if first.is_floating_point() and not first.requires_grad:
                numbers = first.detach().numpy()
                given = [value.detach().numpy() for value in arguments if isinstance(value, torch.Tensor)][-2:]
                moved = noise.sum_of(numbers, given) if name in TORCH_SUMS else noise.function_of(numbers)
                first.copy_(torch.from_numpy(np.asarray(moved)))
            return result

    OtherProcessor().__enter__()
