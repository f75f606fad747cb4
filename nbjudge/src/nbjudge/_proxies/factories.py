"""Makes the classes and objects that stand for a student's, from what the kernel says of them."""

from __future__ import annotations

import abc
import enum
import importlib
import sys
import sysconfig
from pathlib import Path
from typing import Any

from nbjudge._proxies import functions, truth_values
from nbjudge._proxies.base import NOT_FROM, Handle, StudentError, handle_of, owned, rebuild_error
from nbjudge._proxies.objects import DELEGATED, ON_REQUEST, OURS, StudentClass, StudentObject
from nbjudge._wire import special_methods
from nbjudge._wire.errors import Malformed, WorkFault

__all__ = ["FUNCTIONS", "StudentError", "module_named", "rebuild_error"]

FUNCTIONS = {
    "function": functions.StudentFunction,
    "method": functions.StudentMethod,
    "builtin": functions.StudentBuiltin,
    "iterator": functions.StudentIterator,
    "generator": functions.StudentGenerator,
}
SHORT_NAMES = {
    "np": "numpy",
    "pd": "pandas",
    "plt": "matplotlib.pyplot",
    "mpl": "matplotlib",
    "nn": "torch.nn",
    "F": "torch.nn.functional",
    "sns": "seaborn",
    "sp": "scipy",
}


def module_named(name: Any, alias: str) -> Any:
    """The grader's own module for a student's name `alias`, only when the two names go together."""
    if not alias or name != SHORT_NAMES.get(alias, alias):
        raise WorkFault(f"`{alias or 'a value'}` is a module, where the exercise asks for something of your own.")
    try:
        return importlib.import_module(name)
    except ImportError:
        raise WorkFault(f"`{alias}` is the module {name}, which this test cannot use.") from None


INSTALLED = tuple({Path(sysconfig.get_path(kind)) for kind in ("purelib", "platlib", "stdlib", "platstdlib")})
# Library classes that a test may ask for with isinstance and that are written in Python, by the start of their module's name.
LONGEST = {"name": 200, "qualname": 400, "module": 200}
KNOWN_ROOMS = ("torch.nn.modules.", "torch.optim.", "torch.utils.data.", "sklearn.", "matplotlib.", "networkx.classes.")


class MirroredError:
    """What classes of a student's exceptions have besides: attributes come from the student's kernel."""

    def __init_subclass__(cls) -> None: ...

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or handle_of(self) is None:
            raise AttributeError(name)
        return owned(self).calls.attribute(self, name)

    def __str__(self) -> str:
        message = self.__dict__.get("_message")
        return owned(self).calls.special(self, "__str__", (), {}) if message is None and handle_of(self) else str(message or "")

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


OURS.add(MirroredError)


def make_class(handle: Handle, about: Any, bases: list[type]) -> type:
    """The class that stands for the one that the kernel describes by `about`. Raises `Malformed`, or `TypeError` for impossible bases."""
    if not isinstance(about, dict) or any(not _is_name(about.get(key), most) for key, most in LONGEST.items()):
        raise Malformed("an impossible description of a class")
    claimed = about.get("specials")
    if not isinstance(claimed, list) or len(claimed) > len(special_methods.ALL):
        raise Malformed("an impossible description of a class")
    space: dict[str, Any] = {
        "_handle": handle,
        "_module": about["module"],
        "__slots__": (),
        "__qualname__": about["qualname"],
        "_known": None,
        "_claims": frozenset(name for name in claimed if isinstance(name, str)),
        "_names": dict.fromkeys(name for name in about.get("names") or () if isinstance(name, str)),
    }
    if isinstance(fields := about.get("fields"), list):
        space["_fields_of_tuple"] = tuple(fields)
    if any(issubclass(base, Exception) for base in bases):
        made: list[type] = [base for base in bases if issubclass(base, Exception)]
        if not any(issubclass(base, MirroredError) for base in made):
            made = [MirroredError, StudentError, *(base for base in made if base is not StudentError)]
        del space["__slots__"]
        kind = type.__new__(StudentClass, about["name"], tuple(made), space)
    else:
        space["_plain"] = about.get("plain") if about.get("plain") in truth_values.PLAIN_KINDS else None
        space["_known"] = known = _known(about["module"], about["name"])
        space |= {name: method for name, method in DELEGATED.items() if name in space["_claims"]}
        space |= {name: method for name, method in ON_REQUEST.items() if name in space["_claims"]}
        made = [*(bases or (StudentObject,)), *([known] if known and not any(issubclass(base, known) for base in bases) else [])]
        metaclass = StudentEnumClass if any(issubclass(base, enum.Enum) for base in made) else StudentClass
        kind = type.__new__(metaclass, about["name"], tuple(made), space)
        if (about["module"], about["name"]) == ("abc", "ABC"):
            type.__setattr__(kind, "_known", abc.ABC)
            abc.ABC.register(kind)
    return kind


def make_object(kind: type, handle: Handle) -> Any:
    """An object that stands for a student's, of a class made by `make_class`."""
    if not isinstance(kind, StudentClass):
        raise Malformed("an object of no class")
    if issubclass(kind, BaseException):
        error = type.__getattribute__(kind, "__new__")(kind)
        error.__dict__["_own"] = handle
        return error
    thing = object.__new__(kind)
    object.__setattr__(thing, "_own", handle)
    return thing


class StudentEnumClass(StudentClass, enum.EnumType):  # type: ignore[misc, override]
    """The class of classes that stand for a student's enumerations. All that `EnumType` does, the student's kernel does."""


def _known(module: str, name: str) -> type | None:
    """The library's own class of this name, when it can be a base beside ours: its class is `type`, and its objects are made in Python."""
    if (module, name) == ("enum", "Enum"):  # not Flag, which has yes and no of its own
        return enum.Enum
    if not module.startswith(KNOWN_ROOMS) and not _is_the_courses(module):
        return None
    # Never imported for this: what a test asks for with isinstance, it has imported itself.
    kind = vars(sys.modules[module]).get(name) if module in sys.modules else None
    return kind if type(kind) is type and not any(base.__module__ == "builtins" for base in kind.__mro__[:-1]) else None


def _is_the_courses(module: str) -> bool:
    """Whether a module lies beside the notebook, or is one of the course's, and not where libraries are installed."""
    file = getattr(sys.modules.get(module), "__file__", None)
    if not isinstance(file, str) or module.partition(".")[0] in (*NOT_FROM, *sys.stdlib_module_names):
        return False
    return not any(Path(file).is_relative_to(place) for place in INSTALLED)


def _is_name(text: Any, longest: int) -> bool:
    return isinstance(text, str) and 0 < len(text) <= longest and "\0" not in text and text.isprintable()
