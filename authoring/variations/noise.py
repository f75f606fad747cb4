"""A processor that nobody has: results of sums and functions are off in their last digits, by chance.

Adding and multiplying two numbers gives the same everywhere. What differs between processors is the order of a long sum and the
last digit of a function. So what is disturbed is each result of a sum (products of matrices included), by what another order may
give, and of a function such as exp, by one unit in the last place. Sums that every order gives exactly, such as those of small
whole numbers, stay.

NumPy is disturbed in what texts write (`a @ b`, `np.exp(...)`, `x.sum()`), torch below all of its functions. The build asks with it which
results are rounding noise (`making.py`), and `tests/portable` whether everything else is the same on other processors.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from contextlib import AbstractContextManager
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
    "cumsum",
    "dot",
    "mv",
    "_scaled_dot_product_flash_attention_for_cpu",
    "linalg_vector_norm",
}
TORCH_FUNCTIONS = {
    "exp",
    "exp2",
    "expm1",
    "log",
    "sin",
    "cos",
    "tanh",
    "pow",
    "sigmoid",
    "rsqrt",
    "_softmax",
    "_log_softmax",
    "logsumexp",
    "native_layer_norm",
    "normal_",
    "randn",
}
# The same of absolute values says how large the terms are that may cancel. The others hide squares and roots.
MATRIX_PRODUCTS = {"mm", "bmm", "addmm", "baddbmm", "mv"}
LINEAR = {"sum", "mean", "dot", "matmul", "einsum", "inner", "trace", "vdot", "tensordot", "cumsum", *MATRIX_PRODUCTS}
PRODUCT, CALL = "_product_on_another_processor", "_call_on_another_processor"
FINEST = 10  # powers of two: sums of multiples of 1/512 are exact in any order while they are small

Again = Callable[[Callable[[Any], Any]], Any]  # makes a sum once more, of what a function gives for each of its arrays


class Noise:
    """A source of disturbances, the same for the same seed.

    Args:
        seed: of the disturbances.
        places: how many units in the last place a result moves at most. Below 0, each moves as far, and the other way.
    """

    def __init__(self, seed: int, places: float = 1):
        self.begin(seed, places)

    def begin(self, seed: int, places: float = 1) -> None:
        """Begin anew, as with these arguments."""
        self._random = np.random.RandomState(seed)
        self._seed, self._places = seed, places

    def product(self, left: Any, right: Any) -> Any:
        """`left @ right`."""
        return self.sum_of(left @ right, [left, right], lambda change: change(left) @ change(right))

    def call(self, function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
        """A call of a function or method that is known by its name."""
        result = function(*arguments, **keywords)
        name = getattr(function, "__name__", "")
        if name not in SUMS:
            return self.function_of(result)
        owner = getattr(function, "__self__", None)

        def again(change: Callable[[Any], Any]) -> Any:
            changed = [change(value) if _has_numbers(value) else value for value in (owner, *arguments)]
            return (getattr(changed[0], name) if _has_numbers(owner) else function)(*changed[1:], **keywords)

        return self.sum_of(result, [owner, *arguments], again if name in LINEAR and "out" not in keywords else None, name == "mean")

    def sum_of(self, result: Any, inputs: list[Any], again: Again | None = None, is_mean: bool = False) -> Any:
        """A sum over `inputs`, or over their products, as another order of its terms may give it."""
        if not _is_real(result):
            return result
        arrays = [value for value in inputs if _has_numbers(value)]
        with np.errstate(all="ignore"):
            sizes = np.abs(result)
            if arrays and again:
                sizes = np.asarray(again(abs))
                largest = np.abs(arrays[0]).sum(dtype=float) if len(arrays) == 1 else np.max(sizes, initial=0)
                if _are_exact(arrays, largest, result):
                    return result
                counts = np.asarray(again(lambda array: (array != 0) / 1))
                if is_mean:
                    counts = counts * (arrays[0].size / np.size(result))
                alike = 2 if len(arrays) == 1 else 1  # terms of which there is one order: of two products one may be added before it is rounded
                sizes = np.where(counts > alike, sizes, 0)
        return self._moved(result, sizes, self._random.uniform(-1, 1, np.shape(result)))

    def function_of(self, result: Any) -> Any:
        """The value of a function, as another library may give it: for the same number always the same.

        0 and 1 stay: exp(0) and log(1) are exact everywhere.
        """
        if not _is_real(result):
            return result
        sizes = np.abs(result)
        return self._moved(result, np.where(sizes == 1, result != 1, sizes), _by_value(result, self._seed))

    def _moved(self, result: Any, sizes: Any, moves: Any) -> Any:
        """`result` moved by some units in the last place of numbers of these `sizes`. Nan, infinities and what has the size 0 stay."""
        array = np.asarray(result)
        with np.errstate(all="ignore"):
            moved = array + self._places * _unit(array) * moves * sizes
        moved = np.where(np.isfinite(array) & (sizes != 0), moved, array).astype(array.dtype)
        return moved if isinstance(result, np.ndarray) else moved[()] if isinstance(result, np.generic) else float(moved)


def _is_real(value: Any) -> bool:
    return type(value) is float or (type(value) is np.ndarray and value.dtype.kind == "f" and value.size > 0) or isinstance(value, np.floating)


def _has_numbers(value: Any) -> bool:
    return isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "fiub"


def _are_exact(arrays: list[Any], largest: float, result: Any) -> bool:
    """Whether a sum over products of these arrays is exact in any order: its terms are small multiples of one step."""
    steps = 1.0
    for array in arrays:
        steps *= _steps(array)
        if not largest * steps < 1 / _unit(np.asarray(result)):
            return False
    return True


def _unit(array: np.ndarray) -> float:
    """The last place of a number near 1, as sums are added up: those of float16 in float32."""
    return float(np.finfo(np.float32 if array.dtype == np.float16 else array.dtype).eps)


def _steps(array: Any) -> float:
    """The smallest power of two that makes all numbers whole when multiplied with it; infinite where none of the small ones does."""
    if array.dtype.kind != "f":
        return 1.0
    powers = (2.0**power for power in range(FINEST))
    return next((power for power in powers if _are_whole(array * power)), np.inf) if _are_whole(array * 2.0 ** (FINEST - 1)) else np.inf


def _are_whole(array: Any) -> bool:
    return bool((np.floor(array) == array).all())


def _by_value(result: Any, seed: int) -> np.ndarray:
    """Numbers between -1 and 1 by chance, where the numbers of `result` are the same, the same."""
    bits = np.array(result, dtype=np.float64).view(np.uint64)
    with np.errstate(over="ignore"):
        bits = (bits ^ np.uint64(seed)) * np.uint64(0x9E3779B97F4A7C15)
        bits = (bits ^ (bits >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return (bits >> np.uint64(11)) * 2.0**-52 - 1


class Cells(ast.NodeTransformer):
    """Sends the products, sums and functions of a text through the noise."""

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


def names_of(noise: Noise) -> dict[str, Callable[..., Any]]:
    """The names that a disturbed text needs."""
    return {PRODUCT: noise.product, CALL: noise.call}


def torch_with(noise: Noise) -> AbstractContextManager[Any]:
    """What disturbs torch in this thread while it is entered."""
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode

    class OtherProcessor(TorchDispatchMode):
        @classmethod
        def _should_skip_dynamo(cls) -> bool:
            return False  # nothing here is compiled, and to skip the compiler torch would load it, for seconds

        def __torch_dispatch__(self, operation: Any, types: Any, arguments: tuple = (), keywords: dict | None = None) -> Any:
            keywords = keywords or {}
            result = operation(*arguments, **keywords)
            name = operation.overloadpacket.__name__
            if name not in TORCH_SUMS | TORCH_FUNCTIONS:
                return result
            first = result[0] if isinstance(result, tuple) else result
            if first.is_floating_point() and not first.requires_grad:
                numbers = first.detach().numpy()
                if name in TORCH_SUMS:
                    inputs = [value.detach().numpy() for value in arguments if isinstance(value, torch.Tensor)]

                    def again(change: Callable[[Any], Any]) -> Any:
                        if name in MATRIX_PRODUCTS:  # faster than torch
                            *added, left, right = map(change, inputs)
                            return sum(added, left @ right)
                        changed = [change(value) if isinstance(value, torch.Tensor) else value for value in arguments]
                        return operation(*changed, **keywords).detach().numpy()

                    moved = noise.sum_of(numbers, inputs, again if name in LINEAR else None, name == "mean")
                else:
                    moved = noise.function_of(numbers)
                first.copy_(torch.from_numpy(np.asarray(moved)))
            return result

    return OtherProcessor()


def install(seed: int, namespace: dict[str, Any]) -> None:
    """Disturb torch in this thread from now on, and NumPy in transformed texts that see `namespace`, for example `builtins`."""
    noise = Noise(seed)
    namespace.update(names_of(noise))
    torch_with(noise).__enter__()
