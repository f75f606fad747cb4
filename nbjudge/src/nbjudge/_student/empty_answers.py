"""Answers of which nothing is right, in the place of a solution's functions and values: `nbjudge check` tries its tests on them.

Runs in a kernel with the instructor's own solution, and in none with a student's.
"""

from __future__ import annotations

import functools
import json
import math
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

KINDS = ("none", "kind", "nans", "zeros", "list", "nan", "zero", "true", "argument", "array", "text", "tuple", "error")
MOST_KEPT = 2000  # results of one function in one test
PLAIN = (type(None), bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset)
CALLED = ("__call__", "__len__", "__getitem__", "__iter__", "__contains__")  # special methods that answer with a value


class NotThere(Exception):
    """There is no such answer for a result of this kind."""


class _Raised:
    """In the place of a result: the solution raised an exception there."""


class EmptyAnswers:
    """Puts something else in the place of names of a kernel, for one test at a time, and puts them back."""

    def __init__(self, names: dict[str, Any]):
        self._names = names
        self._before: list[Callable[[], None]] = []
        self._right: dict[str, list[Any]] = {}
        self._calls: dict[str, int] = {}
        self._differs: dict[str, bool] = {}  # for what was asked for, whether the solution gives something else somewhere
        self._kind = ""
        self._depth = 0

    def listen(self, wanted: list[str]) -> None:
        """Keep what the solution's functions give in the test that comes next."""
        self._right = {}
        self._put(wanted, "")

    def put(self, wanted: list[str], kind: str) -> None:
        """Let the functions of these names give an answer of this kind, and the values be one."""
        self._calls, self._differs, self._kind = {}, {}, kind
        self._put(wanted, kind)

    def put_back(self) -> str:
        """Everything as it was; JSON of what the test has asked for, each with whether the solution gives something else there.

        None stands for a function of which nothing is known by what it returns, since that is None.
        """
        while self._before:
            self._before.pop()()
        silent = {label for label, kept in self._right.items() if kept and all(one is None for one in kept)}
        return json.dumps({label: None if label in silent and self._kind != "error" else differs for label, differs in self._differs.items()})

    def _put(self, wanted: list[str], kind: str) -> None:
        for name in wanted:
            if name in self._names and not isinstance(value := self._names[name], types.ModuleType):
                self._replace(name, value, kind)

    def _replace(self, name: str, value: Any, kind: str) -> None:
        own = value if isinstance(value, type) else type(value)
        if own.__module__ == "__main__":
            for one in own.__mro__:
                if one.__module__ == "__main__":
                    self._replace_methods(one, kind)
        elif isinstance(value, type):
            return
        elif callable(value):
            self._set(lambda new: self._names.__setitem__(name, new), value, self._answering(name, value, kind, 0))
        elif kind and (isinstance(value, PLAIN) or _is_array(value)):
            try:
                wrong = _wrong(kind, value, ())
            except NotThere:
                return
            self._differs[f"={name}"] = not _alike(value, wrong)
            self._set(lambda new: self._names.__setitem__(name, new), value, wrong)

    def _replace_methods(self, owner: type, kind: str) -> None:
        for name, method in list(vars(owner).items()):
            if name.startswith("__") and name not in CALLED:
                continue
            label = f"{owner.__name__}.{name}"
            if isinstance(method, types.FunctionType):
                new: Any = self._answering(label, method, kind, 1)
            elif isinstance(method, (staticmethod, classmethod)):
                new = type(method)(self._answering(label, method.__func__, kind, int(isinstance(method, classmethod))))
            elif isinstance(method, property) and method.fget:
                new = property(self._answering(label, method.fget, kind, 1), method.fset, method.fdel, method.__doc__)
            else:
                continue
            self._set(functools.partial(setattr, owner, name), method, new)

    def _set(self, put: Callable[[Any], None], old: Any, new: Any) -> None:
        self._before.append(lambda: put(old))
        put(new)

    def _answering(self, label: str, function: Callable[..., Any], kind: str, own: int) -> Callable[..., Any]:
        """What is called in the place of a function. `own`: how many of its first arguments are the object's."""

        def answering(*arguments: Any, **named: Any) -> Any:
            if self._depth:  # the solution's own functions call each other
                return function(*arguments, **named)
            return self._listened(label, function, arguments, named) if not kind else self._answered(label, kind, arguments[own:], named)

        try:
            return functools.wraps(function)(answering)
        except Exception:  # an object that refuses to be looked at
            return answering

    def _listened(self, label: str, function: Callable[..., Any], arguments: Any, named: Any) -> Any:
        kept = self._right.setdefault(label, [])
        self._depth += 1
        try:
            result = function(*arguments, **named)
        except BaseException:
            kept.append(_Raised())
            raise
        finally:
            self._depth -= 1
        if len(kept) < MOST_KEPT:
            kept.append(result)
        return result

    def _answered(self, label: str, kind: str, arguments: Any, named: Any) -> Any:
        kept, number = self._right.get(label, []), self._calls.get(label, 0)
        self._calls[label] = number + 1
        right = kept[min(number, len(kept) - 1)] if kept else None
        self._differs.setdefault(label, False)
        if kind == "error":
            self._differs[label] |= bool(kept) and not isinstance(right, _Raised)
            raise NotImplementedError
        try:
            wrong = _wrong(kind, None if isinstance(right, _Raised) else right, (*arguments, *named.values()))
        except NotThere:
            return right
        self._differs[label] |= bool(kept) and not _alike(right, wrong)
        return wrong


def _wrong(kind: str, right: Any, arguments: tuple[Any, ...]) -> Any:
    if kind == "argument":
        if not arguments:
            raise NotThere
        return arguments[0]
    if kind == "kind":
        return emptied(right)
    if kind == "nans":
        return filled(right, math.nan)
    if kind == "zeros":
        return filled(right, 0)
    if kind == "array":
        import numpy as np

        return np.empty(0)
    if kind == "error":
        raise NotThere
    return {"none": None, "list": [], "tuple": (), "text": "", "nan": math.nan, "zero": 0, "true": True}[kind]


def emptied(value: Any) -> Any:
    """A value of the same kind without anything in it; of a tuple of arrays, each one emptied.

    Raises:
        NotThere: a value of this kind is never empty.
    """
    if _is_array(value):
        return value[:0] if value.ndim else _raise()
    if isinstance(value, tuple) and any(map(_is_array, value)):
        return tuple(emptied(one) if _is_array(one) and one.ndim else one for one in value)
    if isinstance(value, (list, tuple, dict, set, frozenset, str, bytes)):
        try:
            return type(value)()
        except Exception:  # a class of the solution's own that wants to be made with something
            return _raise()
    if isinstance(value, (types.GeneratorType, Iterator)):
        return iter(())
    table = sys.modules.get("pandas")
    if table is not None and isinstance(value, (table.Series, table.DataFrame, table.Index)):
        return value[:0]
    return _raise()


def shortened(value: Any) -> Any:
    """A value without its last item.

    Raises:
        NotThere: it has none.
    """
    if (_is_array(value) and value.ndim and len(value)) or (isinstance(value, (list, tuple, str, bytes)) and value):
        return value[:-1]
    if isinstance(value, dict) and value:
        return dict(list(value.items())[:-1])
    return _raise()


def filled(value: Any, number: float) -> Any:
    """A value of the same shape, in which each number is this one.

    Raises:
        NotThere: it holds no number, or nan cannot stand where one is.
    """
    if _is_array(value):
        return _filled_array(value, number)
    if isinstance(value, bool):
        return False if number == 0 else _raise()
    if isinstance(value, (int, float, complex)):
        return type(value)(number) if number == 0 else number
    if isinstance(value, (list, tuple)) and value and type(value) in (list, tuple):
        return type(value)(filled(one, number) for one in value)
    if type(value) is dict and value:
        return {key: filled(one, number) for key, one in value.items()}
    return _raise()


def _filled_array(value: Any, number: float) -> Any:
    import numpy as np

    if not isinstance(value, (np.ndarray, np.generic)):  # a tensor
        return value.detach() * 0 + number if value.is_floating_point() or number == 0 else _raise()
    if value.dtype.kind not in "biufc":
        return _raise()
    new = np.full(value.shape, number, value.dtype if value.dtype.kind in "fc" or number == 0 else float)
    return new if isinstance(value, np.ndarray) else new[()]


def _alike(right: Any, wrong: Any) -> bool:
    """Whether the solution's result is this answer: then there is nothing wrong with it."""
    if right is wrong:
        return True
    try:
        if _is_array(right) or _is_array(wrong):
            return _alike_arrays(right, wrong)
        if _is_empty(right) and _is_empty(wrong):
            return True
        if isinstance(right, (int, float, complex)) and isinstance(wrong, (int, float, complex)):
            return bool(right == wrong) or (right != right and wrong != wrong)
        return type(right) is type(wrong) and bool(right == wrong)
    except Exception:  # what cannot be compared is not the same
        return False


def _alike_arrays(right: Any, wrong: Any) -> bool:
    import numpy as np

    if _is_empty(right) and _is_empty(wrong):
        return True
    one, other = (np.asarray(value.detach().cpu() if hasattr(value, "detach") else value) for value in (right, wrong))
    if one.shape != other.shape:
        return False
    return bool(np.array_equal(one, other, equal_nan=one.dtype.kind in "fc" and other.dtype.kind in "fc"))


def _is_empty(value: Any) -> bool:
    try:
        return len(value) == 0
    except TypeError:  # a number, or an array without an axis
        return False


def _is_array(value: Any) -> bool:
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    return (numpy is not None and isinstance(value, (numpy.ndarray, numpy.generic))) or (torch is not None and isinstance(value, torch.Tensor))


def _raise() -> Any:
    raise NotThere
