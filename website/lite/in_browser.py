"""What lessons need where they run in a browser, and what stands there for torch, which has no build for browsers.

`import torch` works, classes can be made of `nn.Module`, and given code that only takes a softmax goes on. Whatever else torch would compute
raises `NeedsTorch`. A notebook shows that as a sentence, whole in the first cell and in a few words in others; the next cell then runs. The stand-in
computes nothing else, so that no lesson shows numbers that are not torch's.

This module goes into the wheel of `attnlab` that the site has, beside the names that torch has, so that a misspelt one is told as such. The
wheel also works where torch is installed, so that tests can try every lesson.
"""

from __future__ import annotations

import importlib
import json
import linecache
import math
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from symtable import symtable
from types import ModuleType, TracebackType
from typing import Any

from attnlab.elsewhere import NeedsTorch

FROM_HERE = ("anywidget",)  # with what it needs; the site has them
FROM_PYODIDE = ("numpy", "matplotlib")
NAMES: dict[str, dict[str, bool | None]] = json.loads(
    Path(__file__).with_name("torch_names.json").read_text(encoding="utf-8")
)  # of modules: is it a class? None: a module
TENSOR = "torch.Tensor"
CONSTANTS = {"pi": math.pi, "e": math.e, "inf": math.inf, "nan": math.nan}
_told_whole: set[str] = set()  # the text of the cell that said what needs torch, where one has
OPERATORS = """
    abs add and array bool call complex contains eq float floordiv ge getitem gt iadd imatmul imul index int invert isub iter itruediv le
    len lt matmul mod mul ne neg next or pos pow radd rand reversed rfloordiv rmatmul rmod rmul ror rpow rsub rtruediv rxor setitem sub
    truediv xor
""".split()


async def get_ready() -> None:
    """Install what lessons import, with pip for browsers, put the stand-in where torch would be, and let "Run All" go on where JupyterLab does."""
    import piplite  # JupyterLite's; there is no other place for this function

    stand_in_for_torch()
    go_on_where_tagged(sys.modules["IPython"].get_ipython())
    why = ""
    for names in (FROM_HERE, FROM_PYODIDE):
        try:
            await piplite.install(list(names))
        except Exception as error:  # a fetch that fails comes as one of many kinds
            why = f"\npip said: {error}"
    importlib.invalidate_caches()
    if missing := [name for name in (*FROM_HERE, *FROM_PYODIDE) if find_spec(name) is None]:  # what Pyodide cannot load it only logs
        print(
            f"Not here: {', '.join(missing)}. The lesson imports {'it' if len(missing) == 1 else 'them'}, and cannot go on without.{why}\n"
            f"{'They come' if len(missing) > 1 else 'It comes'} from the address that the text above this cell names. "
            "Next: see whether your network reaches it, and run this cell again."
        )
        return
    print("Ready. Cells that need torch say so; all others work. What you write stays in this browser.")


def stand_in_for_torch() -> None:
    """From now on `import torch` gets the stand-in, and notebooks show `NeedsTorch` as a sentence, whole the first time."""
    _told_whole.clear()
    for name in NAMES:
        if name != TENSOR:
            sys.modules[name] = _StandIn(name)
    sys.meta_path[:] = [_Rest(), *(finder for finder in sys.meta_path if not isinstance(finder, _Rest))]
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is not None:
        shell.set_custom_exc((NeedsTorch, *(kind for kind in shell.custom_exceptions if kind is not NeedsTorch)), _explain(shell.CustomTB))


def go_on_where_tagged(shell: Any) -> None:
    """Let a cell with the tag `raises-exception` show its error and count as run, as in JupyterLab. JupyterLite leaves out what stands behind it."""
    theirs = type(shell)._showtraceback

    def show(kind: type[BaseException], error: BaseException, lines: list[str]) -> None:
        if shell.kernel._parent_header["content"].get("stop_on_error", True):
            theirs(shell, kind, error, lines)
        else:
            print("\n".join(lines), file=sys.stderr)

    shell._showtraceback = show


def _explain(others: Callable[..., Any]) -> Callable[..., Any]:
    def show(shell: Any, kind: type[BaseException], error: BaseException, trace: TracebackType, tb_offset: int | None = None) -> Any:
        if not isinstance(error, NeedsTorch):
            return others(kind, error, trace, tb_offset)
        for name in _not_reached(trace, shell.user_ns):
            shell.user_ns[name] = _Missing(f"{name}, of a cell above that needs torch")
        cell = shell.user_ns.get("In", [""])[-1]
        if not _told_whole:
            _told_whole.add(cell)
        print(error if cell in _told_whole else error.in_short)  # no traceback: the cell counts as run, and "Run All" goes on
        return None

    return show


def _not_reached(trace: TracebackType | None, names: dict[str, Any]) -> set[str]:
    """What the cell would have named, had it gone on, as far as nothing is called so yet."""
    while trace and trace.tb_frame.f_globals is not names:
        trace = trace.tb_next
    if trace is None:
        return set()
    text = "".join(linecache.getlines(trace.tb_frame.f_code.co_filename))
    bound: set[str] = set()
    with suppress(SyntaxError):
        bound = {symbol.get_name() for symbol in symtable(text, "cell", "exec").get_symbols() if symbol.is_assigned() or symbol.is_imported()}
    return bound - set(names)


class _Named:
    """Something of torch's that may be named, and not used: a module, as long as nothing of it is called."""

    def __init__(self, name: str):
        object.__setattr__(self, "_named", name)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # Python and IPython ask for these; no learner does
            raise AttributeError(name)
        return _Raises(f"{self._named}.{name}")

    def __repr__(self) -> str:
        return self._named


class _Raises(_Named):
    """The same of what could be called."""

    def __call__(self, *_: Any, **__: Any) -> Any:
        raise NeedsTorch(self._named)


class _Class(type):
    """Makes the classes of the stand-in: they can be inherited from and asked in `isinstance`, and have no objects."""

    def __call__(cls, *_: Any, **__: Any) -> Any:
        raise NeedsTorch(next(one for one in cls.__mro__ if one.__module__ == "torch").__qualname__)

    def __getattr__(cls, name: str) -> Any:
        if name not in NAMES.get(cls.__qualname__, {}):
            raise AttributeError(f"type object {cls.__name__!r} has no attribute {name!r}")
        return _Raises(f"{cls.__qualname__}.{name}")


class _Refusing:
    """Whatever one does with it needs torch."""

    __array_ufunc__ = None  # NumPy leaves operators to this class
    _named = "a tensor"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise NeedsTorch(f"{self._named}.{name}" if " " not in self._named else self._named)

    def __mro_entries__(self, _: Any) -> Any:
        raise NeedsTorch(self._named)

    def __repr__(self) -> str:
        return f"<{self._named}; torch does not run in a browser>"

    __hash__ = object.__hash__


def _refuse(thing: _Refusing, *_: Any, **__: Any) -> Any:
    raise NeedsTorch(thing._named)


for _operator in OPERATORS:
    setattr(_Refusing, f"__{_operator}__", _refuse)


class _Missing(_Refusing):
    """What stands in a notebook for a name that its cell could not reach."""

    def __init__(self, named: str):
        self._named = named


class _Tensor(_Refusing, metaclass=_Class):
    """An array on its way through a softmax. Everything else that one does with a tensor needs torch."""

    _named = TENSOR

    def numpy(self) -> Any:
        """The array."""
        return self._array

    def tolist(self) -> Any:
        """Its numbers."""
        return self._array.tolist()


_Tensor.__module__, _Tensor.__qualname__ = "torch", TENSOR


def _holding(array: Any) -> _Tensor:
    tensor = object.__new__(_Tensor)
    tensor.__dict__["_array"] = array
    return tensor


def _tensor(data: Any, dtype: Any = None, **_: Any) -> _Tensor:
    import numpy as np  # here, so that this module can be imported before there is NumPy

    kind = str(dtype).removeprefix("torch.") if dtype is not None else None
    if kind not in (None, "float64", "float32", "int64", "bool"):
        raise NeedsTorch(str(dtype))
    array = np.array(data, dtype=kind)
    own = kind is None and array.dtype == np.float64 and not isinstance(data, (np.ndarray, np.generic))
    return _holding(array.astype(np.float32) if own else array)  # as torch does with Python's numbers


def _softmax(scores: Any, dim: int = -1, **_: Any) -> _Tensor:
    import numpy as np

    if not isinstance(scores, _Tensor):
        raise TypeError(f"softmax(): argument 'input' must be Tensor, not {type(scores).__name__}")
    if scores.numpy().dtype.kind != "f":
        raise NeedsTorch("torch.softmax")
    with np.errstate(invalid="ignore"):
        return _holding(np.exp(scores.numpy() - np.logaddexp.reduce(scores.numpy(), axis=dim, keepdims=True)))


class _FunctionMode:
    """Sees every call of torch's; here there are none."""

    def __enter__(self) -> _FunctionMode:
        return self

    def __exit__(self, *_: Any) -> None:
        return None


GIVEN = {
    "torch": {
        "tensor": _tensor,
        "as_tensor": _tensor,
        "from_numpy": _holding,
        "softmax": _softmax,
        "Tensor": _Tensor,
        "get_num_threads": lambda: 1,  # each check asks
        "set_num_threads": lambda _: None,
        **CONSTANTS,
    },
    "torch.overrides": {"TorchFunctionMode": _FunctionMode},
}


class _Rest:
    """Meets an `import` of a module of torch's for which nothing stands."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        """Raises `NeedsTorch` for such a module; all others are somebody else's."""
        first, *rest = name.split(".")
        if first == "torch" and rest and rest[0] in NAMES["torch"] and isinstance(sys.modules.get("torch"), _StandIn):
            raise NeedsTorch(name)


class _StandIn(ModuleType):
    """`torch`, or one of its modules."""

    def __init__(self, name: str):
        super().__init__(name, "Stands for torch where notebooks run in a browser.")
        self.__path__: list[str] = []
        self.__version__ = "not in a browser"
        vars(self).update(GIVEN.get(name, {}))

    def __getattr__(self, name: str) -> Any:
        whole = f"{self.__name__}.{name}"
        if name not in NAMES[self.__name__]:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}", name=name, obj=self)
        if whole in NAMES and whole in sys.modules:
            return sys.modules[whole]
        is_class = NAMES[self.__name__][name]  # None for a module
        made = _Class(whole, (), {"__module__": "torch", "__qualname__": whole}) if is_class else (_Named if is_class is None else _Raises)(whole)
        setattr(self, name, made)
        return made

    def __dir__(self) -> list[str]:
        return sorted(NAMES[self.__name__])
