"""What a notebook has changed of Python's or a library's own, as far as an error of the student's code met it: names for a sentence."""

from __future__ import annotations

import ast
import builtins
import linecache
import sys
import warnings
from itertools import islice
from types import TracebackType
from typing import Any

USUAL_DEPTH = 1000  # of calls, as Python has it
TYPES_DIFFER = ("dtype", "scalar type")
NO_GRADIENT = "does not require grad"


def overrides(error: BaseException, cell: TracebackType | None) -> list[list[str]]:
    """Lists of what it is, of its name, and of what it is now. `cell` is where the error left a student's cell last."""
    found = _builtins(cell) if cell is not None else []
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


def _asked(module: str, function: str, otherwise: Any) -> Any:
    """What a library says of itself, where the student's code has imported it."""
    return getattr(sys.modules[module], function)() if module in sys.modules else otherwise


def _builtins(cell: TracebackType) -> list[list[str]]:
    """The names of Python's own that the failing expression begins with, and that mean something else in the notebook."""
    frame, found = cell.tb_frame, []
    for name in _heads(cell):
        now = frame.f_globals.get(name, getattr(builtins, name, None))
        if hasattr(builtins, name) and name in frame.f_code.co_names and now is not getattr(builtins, name):
            kind, what = _kind(name, now)
            found.append([kind, name, what])
    return found


def _heads(cell: TracebackType) -> list[str]:
    """The names that the failing instruction's own expression is about: what it calls or looks into."""
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
    return [about.id] if isinstance(about, ast.Name) else []


def _kind(name: str, value: Any) -> tuple[str, str]:
    """Whether it is a library's thing of that name, and which library's; or a function of the notebook's own, or a value of some type."""
    module = getattr(value, "__module__", None)
    library = module.partition(".")[0] if isinstance(module, str) else ""
    if library != "__main__" and getattr(sys.modules.get(library), name, None) is value:
        return "library", {"posix": "os"}.get(library, library)
    return ("own", "") if callable(value) else ("value", type(value).__name__)
