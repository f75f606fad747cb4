"""What a notebook has changed of Python's or a library's own, as far as an error of the student's code met it: names for a sentence."""

from __future__ import annotations

import ast
import builtins
import linecache
import sys
import warnings
from itertools import islice
from types import CodeType, FunctionType, TracebackType
from typing import Any

USUAL_DEPTH = 1000  # of calls, as Python has it
TYPES_DIFFER = ("dtype", "scalar type")
NO_GRADIENT = "does not require grad"
LOOK_AT_ITEMS = ("all", "any", "max", "min")  # numpy's take a generator for one thing


def overrides(error: BaseException, cell: TracebackType | None) -> list[list[str]]:
    """Lists of what it is, of its name, and of what it is now. `cell` is where the error left a student's cell last."""
    found = [*_builtins(cell), *_of_generators(cell.tb_frame.f_code, cell.tb_frame.f_globals)] if cell is not None else []
    kind, text = type(error), str(error)
    if isinstance(error, Warning) and any(action == "error" and issubclass(kind, category) for action, _, category, *_ in warnings.filters):
        found.append(["warnings", kind.__name__, ""])
    if isinstance(error, FloatingPointError) and "raise" in _asked("numpy", "geterr", {}).values():
        found.append(["numpy", "", ""])
    if isinstance(error, RecursionError) and sys.getrecursionlimit() < USUAL_DEPTH:
        found.append(["recursion", str(sys.getrecursionlimit()), ""])
    usual = str(_asked("torch", "get_default_dtype", "torch.float32"))
    if any(words in text for words in TYPES_DIFFER) and usual != "torch.float32":
        found.append(["torch_type", usual.removeprefix("torch."), ""])
    if NO_GRADIENT in text and not _asked("torch", "is_grad_enabled", True):
        found.append(["torch_gradients", "", ""])
    return found


def without_an_error(function: Any) -> list[list[str]]:
    """The same of a call that came to its end: what is not Python's own there, and gives something wrong without a word."""
    function = getattr(function, "__func__", function)
    return _of_generators(function.__code__, function.__globals__) if type(function) is FunctionType else []


def _of_generators(code: CodeType, names: dict[str, Any]) -> list[list[str]]:
    """Names of numpy's that the code, or a function of the notebook's that it names, may give a generator to."""
    changed = [name for name in LOOK_AT_ITEMS if name in names and _kind(name, names[name]) == ("library", "numpy")]
    seen, left = {code}, [code] if changed else []
    for one in left:
        inner = [part for part in one.co_consts if isinstance(part, CodeType)]
        called = [value.__code__ for name in one.co_names if type(value := names.get(name)) is FunctionType and value.__globals__ is names]
        left += [part for part in (*inner, *called) if part not in seen]
        seen.update(left)
    makers = [one for one in left if any(isinstance(part, CodeType) and part.co_name == "<genexpr>" for part in one.co_consts)]
    return [["generator", name, "numpy"] for name in changed if any(name in one.co_names for one in makers)]


def _asked(module: str, function: str, otherwise: Any) -> Any:
    """What a library says of itself, where the student's code has imported it."""
    return getattr(sys.modules[module], function)() if module in sys.modules else otherwise


def _builtins(cell: TracebackType) -> list[list[str]]:
    """The names of Python's own that the failing expression begins with, and that mean something else in the notebook."""
    frame, found = cell.tb_frame, []
    begins_with = getattr(_asked("IPython", "get_ipython", None), "user_ns_hidden", {})  # such as IPython's `open`
    for name in _heads(cell):
        own = getattr(builtins, name, None)
        now = frame.f_globals.get(name, own)
        if hasattr(builtins, name) and name in frame.f_code.co_names and now is not own and now is not begins_with.get(name, own):
            kind, what = _kind(name, now)
            found.append([kind, name, what])
    return found


def _heads(cell: TracebackType) -> list[str]:
    """The names that the failing instruction's own expression is about: what it calls or looks into, and types that it passes on."""
    code = cell.tb_frame.f_code
    first, last, begin, end = next(islice(code.co_positions(), cell.tb_lasti // 2, None), (None,) * 4)
    if first is None or first != last or begin is None or end is None:
        return []
    text = linecache.getline(code.co_filename, first).encode()[begin:end].decode(errors="replace")
    try:
        node: Any = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        return []
    about = node.func if isinstance(node, ast.Call) else getattr(node, "value", node)
    given = [*node.args, *(keyword.value for keyword in node.keywords)] if isinstance(node, ast.Call) else []
    types = [one.id for one in given if isinstance(one, ast.Name) and isinstance(getattr(builtins, one.id, None), type)]  # such as `dtype=bool`
    return [*([about.id] if isinstance(about, ast.Name) else []), *types]


def _kind(name: str, value: Any) -> tuple[str, str]:
    """Whether it is a library's thing of that name, and which library's; or a function of the notebook's own, or a value of some type."""
    module = getattr(value, "__module__", None)
    library = module.partition(".")[0] if isinstance(module, str) else ""
    if library not in ("", "__main__") and getattr(sys.modules.get(library), name, None) is value:
        return "library", {"posix": "os"}.get(library, library)
    return ("own", "") if callable(value) else ("value", type(value).__name__)
