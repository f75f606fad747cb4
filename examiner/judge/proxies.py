"""What a test cell sees of a student's function, class or object: something to call and to read attributes of.

A proxy has no truth value, no length, no equality and no array form: only plain values, which are copies, can be compared.
"""

import builtins
import importlib
from typing import Any

from examiner.wire.errors import Malformed, WorkFault

ROLES = ("function", "class", "module instance", "object")
NEVER_RAISED = (StopIteration, StopAsyncIteration)  # raised from a call, they would end a test's loop, not its test
SHORT_NAMES = {"np": "numpy", "pd": "pandas", "plt": "matplotlib.pyplot", "mpl": "matplotlib", "nn": "torch.nn",
               "F": "torch.nn.functional", "sns": "seaborn", "sp": "scipy"}  # fmt: skip
READABLE_DUNDERS = ("__name__", "__doc__", "__qualname__")


class StudentError(Exception):
    """An exception from the student's own code. `line` is the line of the cell that it came from, if known."""

    line: int | None = None


class Proxy:
    """A student's object. Reading an attribute or calling asks the student kernel."""

    def __init__(self, session: Any, number: int, kind: str, label: str):
        self.__dict__.update(_session=session, _number=number, _kind=kind, _label=label, _generation=session.generation)

    def __getattr__(self, name: str) -> Any:
        # Libraries look for such names to convert or compare an object; a student's object takes no part in that.
        if name.startswith("__") and name not in READABLE_DUNDERS:
            raise AttributeError(name)
        return self._session.attribute(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        raise TypeError(f"a test cannot set `{name}` on the student's object; call a method such as load_state_dict instead")

    def __reduce__(self):
        from examiner.inside.agent import resolve

        return resolve, (self._number,)

    def __repr__(self) -> str:
        return f"<the student's {self._kind}>"

    def _not_plain(self, *_: Any) -> Any:
        raise WorkFault(f"{self._label} is a {self._kind}, where a plain value was expected: a number, text, list or array.")

    __hash__ = object.__hash__
    __bool__ = __len__ = __iter__ = __contains__ = __getitem__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _not_plain
    __array__ = __float__ = __int__ = __index__ = __complex__ = _not_plain
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __matmul__ = __rmatmul__ = _not_plain
    __truediv__ = __rtruediv__ = __pow__ = __neg__ = __abs__ = _not_plain


class CallableProxy(Proxy):
    """A student's function, class or module instance."""

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        return self._session.call(self, self._label, arguments, keywords)


def make_proxy(session: Any, number: Any, role: Any, kind: str, what: str) -> Proxy:
    """A proxy for what the student kernel describes; raises `Malformed` when the description makes no sense."""
    if type(number) is not int or number < 0 or role not in ROLES:
        raise Malformed("an impossible description of an object")
    label = what.removesuffix(" returned something that")
    article = kind if kind and role != "function" else role
    return (Proxy if role == "object" else CallableProxy)(session, number, article, label)


def module_named(name: Any, alias: str) -> Any:
    """The examiner's own module for a student's name `alias`, only when the two names go together."""
    if not alias or name != SHORT_NAMES.get(alias, alias):
        raise WorkFault(f"`{alias or 'a value'}` is a module, where the exercise asks for something of your own.")
    try:
        return importlib.import_module(name)
    except ImportError:
        raise WorkFault(f"`{alias}` is the module {name}, which this test cannot use.") from None


def rebuild_error(description: Any) -> Exception:
    """The exception that the student's code raised, as the nearest built-in type of the same name, with its message."""
    if not isinstance(description, dict):
        return StudentError("Your code raised an exception that cannot be read.")
    names = [name for name in description.get("types") or [] if isinstance(name, str)]
    message = str(description.get("message", ""))[:2000]
    base = next((kind for name in names if (kind := _builtin_error(name))), None)
    if base is None:
        error = StudentError(f"{names[0][:80] if names else 'An error'}: {message}")
    else:
        error = type(base.__name__, (StudentError, base), {"__module__": "builtins"})(message)
    line = description.get("line")
    error.line = line if type(line) is int and 0 < line < 100_000 else None
    return error


def _builtin_error(name: str) -> type[Exception] | None:
    kind = getattr(builtins, name, None)
    if not isinstance(kind, type) or not issubclass(kind, Exception) or issubclass(kind, (*NEVER_RAISED, BaseExceptionGroup)):
        return None
    return kind if kind not in (Exception, UnicodeDecodeError, UnicodeEncodeError, UnicodeTranslateError) else None
