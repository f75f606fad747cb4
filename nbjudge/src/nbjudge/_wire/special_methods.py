"""Special methods of students' objects that a test may use, and how the student's kernel carries each of them out.

`TRUTHS` are those that answer yes or no: they decide what an `assert` finds, so they are asked only of classes for which the
instructor's own solution defines them (see `nbjudge._analysis.answering_classes`). The others give values, like any method.
"""

from __future__ import annotations

import copy
import math
import operator
from collections.abc import Callable
from typing import Any


def _reflected(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda own, other: operation(other, own)


_BINARY: dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "truediv": operator.truediv,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "pow": pow,
    "matmul": operator.matmul,
    "divmod": divmod,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "lshift": operator.lshift,
    "rshift": operator.rshift,
}
OPERATORS: dict[str, Callable[..., Any]] = {
    **{f"__{name}__": operation for name, operation in _BINARY.items()},
    **{f"__r{name}__": _reflected(operation) for name, operation in _BINARY.items()},
    **{f"__i{name}__": getattr(operator, f"__i{name}__") for name in _BINARY if name != "divmod"},
}
VALUES: dict[str, Callable[..., Any]] = {
    **OPERATORS,
    "__len__": len,
    "__getitem__": operator.getitem,
    "__setitem__": operator.setitem,
    "__delitem__": operator.delitem,
    "__iter__": iter,
    "__reversed__": reversed,
    "__hash__": hash,
    "__str__": str,
    "__repr__": repr,
    "__format__": format,
    "__bytes__": bytes,
    "__int__": int,
    "__float__": float,
    "__complex__": complex,
    "__index__": operator.index,
    "__neg__": operator.neg,
    "__pos__": operator.pos,
    "__invert__": operator.invert,
    "__abs__": abs,
    "__round__": round,
    "__trunc__": math.trunc,
    "__floor__": math.floor,
    "__ceil__": math.ceil,
    "__enter__": lambda own: type(own).__enter__(own),
    "__call__": lambda own, *arguments, **keywords: own(*arguments, **keywords),
    "__next__": next,
}
TRUTHS: dict[str, Callable[..., Any]] = {
    "__eq__": operator.eq,
    "__ne__": operator.ne,
    "__lt__": operator.lt,
    "__le__": operator.le,
    "__gt__": operator.gt,
    "__ge__": operator.ge,
    "__contains__": operator.contains,
    "__bool__": bool,
    "__exit__": lambda own, *arguments: type(own).__exit__(own, *arguments),
}
# Of every object.
ALWAYS: dict[str, Callable[..., Any]] = {
    "__str__": str,
    "__repr__": repr,
    "__format__": format,
    "__dir__": dir,
    "__copy__": copy.copy,
    "__deepcopy__": copy.deepcopy,
}
ALL = {**VALUES, **TRUTHS, **ALWAYS}

# Other names with two underscores that a test may read; conversion and comparison hooks of libraries are none of them.
READABLE = frozenset(
    {
        "__name__",
        "__qualname__",
        "__doc__",
        "__module__",
        "__annotations__",
        "__dict__",
        "__slots__",
        "__wrapped__",
        "__func__",
        "__self__",
        "__init__",
        "__new__",
        "__init_subclass__",
        "__match_args__",
        "__dataclass_fields__",
        "__dataclass_params__",
        "__members__",
        "__abstractmethods__",
        "__isabstractmethod__",
        "__post_init__",
        "__notes__",
        "__cause__",
        "__context__",
        "__version__",
        "__missing__",
        "__length_hint__",
        "__getattr__",
        "__setattr__",
        "__delattr__",
        "__del__",
        "__getattribute__",
        "__class_getitem__",
        "__set_name__",
        "__get__",
        "__set__",
        "__delete__",
        "__sizeof__",
        "__kwdefaults__",
        "__defaults__",
        "__await__",
        "__aiter__",
        "__anext__",
        "__aenter__",
        "__aexit__",
        "__fspath__",
    }
)
