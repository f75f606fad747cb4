"""Students' classes and objects as a test sees them.

For each class of a student's a class of the same names is made here: it has the same bases and the same special methods, and each of
them asks the student's kernel. So `isinstance`, `issubclass`, `type(x).__name__` and `except` work as they do beside the student's
code. What the kernel says of its classes may be a lie, as what its methods return may be one.
"""

from __future__ import annotations

import builtins
import dataclasses
import enum
import sys
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from nbjudge._proxies import truth_values
from nbjudge._proxies.base import NOT_FROM, StandIn, StudentError, handle_of, owned
from nbjudge._wire import special_methods

LOCAL_OF_CLASSES = {"__class__", "__bases__", "__base__", "__mro__", "__name__", "__qualname__", "__subclasses__", "mro", "__copy__", "__deepcopy__"}


class StudentClass(type(StudentError)):  # type: ignore[misc]  # exceptions are StudentErrors, too
    """The class of all classes that stand for a student's."""

    stands_in: ClassVar = True

    def __new__(mcls, name: str, bases: tuple[Any, ...], body: dict[str, Any]) -> Any:
        """A class that a test derives from a student's is made where its base is, in the student's kernel."""
        mirrored = next((handle for base in bases if (handle := handle_of(base)) is not None), None)
        if mirrored is None:
            raise TypeError("a class cannot be derived from a student's class in this way")
        made = mirrored.calls.derive(name, bases, {key: value for key, value in body.items() if key != "__classcell__"})
        if isinstance(cell := body.get("__classcell__"), types.CellType):
            cell.cell_contents = made
        return made

    def __init__(cls, *_: Any): ...

    def __getattribute__(cls, name: str) -> Any:
        if name in LOCAL_OF_CLASSES or handle_of(cls) is None:
            return type.__getattribute__(cls, name)
        space = type.__getattribute__(cls, "__dict__")
        if name == "__dict__":
            return _Names(cls, space)
        if name == "__module__":
            return space["_module"]
        if name == "__signature__":
            return owned(cls).calls.function_about(cls).__signature__
        if name == "__dataclass_fields__":
            return fields_of(owned(cls).calls.attribute(cls, name))
        if name in special_methods.ALL:  # first those that guard what the student's answer may decide
            for local in truth_values.spaces(cls):
                if name in local:
                    return local[name]
        elif name.startswith("__") and name.endswith("__") and name not in special_methods.READABLE:
            return type.__getattribute__(cls, name)
        return owned(cls).calls.attribute(cls, name)

    def __setattr__(cls, name: str, value: Any) -> None:
        owned(cls).calls.set_attribute(cls, name, value)

    def __delattr__(cls, name: str) -> None:
        owned(cls).calls.delete_attribute(cls, name)

    def __call__(cls, *arguments: Any, **keywords: Any) -> Any:
        handle = owned(cls)
        return handle.calls.call(cls, handle.label, arguments, keywords)

    def __instancecheck__(cls, thing: Any) -> bool:
        if type.__instancecheck__(cls, thing):
            return True
        fields = type.__getattribute__(cls, "__dict__").get("_fields_of_tuple")
        return fields is not None and type(thing).__name__ == cls.__name__ and getattr(type(thing), "_fields", None) == fields

    @property
    def __bases__(cls) -> tuple[Any, ...]:
        shown = [_shown(base) for base in type.__dict__["__bases__"].__get__(cls) if base not in OURS]
        return tuple(base for place, base in enumerate(shown) if base not in shown[:place]) or (object,)

    @property
    def __base__(cls) -> type:
        return cls.__bases__[0]

    @property
    def __mro__(cls) -> tuple[Any, ...]:
        order = [_shown(base) for base in type.__dict__["__mro__"].__get__(cls) if base not in OURS]
        return tuple(base for place, base in enumerate(order) if base not in order[:place])

    def __dir__(cls) -> list[str]:
        return owned(cls).calls.special(cls, "__dir__", (), {})

    def __repr__(cls) -> str:
        return f"<class '{cls.__module__}.{cls.__qualname__}'>"

    def __bool__(cls) -> bool:
        return True

    def __hash__(cls) -> int:
        return type.__hash__(library_class(cls) or cls)

    def __eq__(cls, other: object) -> bool:
        if cls is other or other is None or isinstance(other, type) or handle_of(other) is not None:
            return cls is other or (other is not None and other is library_class(cls))
        raise owned(cls).not_plain()

    def __ne__(cls, other: object) -> bool:
        return not cls == other

    def __lt__(cls, _: object) -> Any:
        raise owned(cls).not_plain()

    __le__ = __gt__ = __ge__ = __lt__

    # What an enumeration's class can do, and a generic one's.
    def __iter__(cls) -> Iterator[Any]:
        return iter(owned(cls).calls.special(cls, "__iter__", (), {}))

    def __len__(cls) -> int:
        return owned(cls).calls.special(cls, "__len__", (), {})

    def __getitem__(cls, key: Any) -> Any:
        return owned(cls).calls.special(cls, "__getitem__", (key,), {})

    def __contains__(cls, item: Any) -> bool:
        return any(item is member or item == member for member in cls)


class _Names(Mapping[str, Any]):
    """The `__dict__` of a student's class: the names that it says it has, and the special methods made for it here."""

    def __init__(self, kind: type, space: Mapping[str, Any]):
        self._kind, self._space = kind, space

    def _local(self, name: str) -> bool:
        return name in special_methods.ALL and name in self._space

    def __getitem__(self, name: str) -> Any:
        if name not in self._space["_names"]:
            raise KeyError(name)
        return self._space[name] if self._local(name) else owned(self._kind).calls.attribute(self._kind, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._space["_names"])

    def __len__(self) -> int:
        return len(self._space["_names"])


class StudentObject(StandIn):
    """Base of all objects that stand for a student's. Only classes made by `nbjudge._proxies.factories` have instances."""

    __slots__ = ("__weakref__", "_own")
    __array_ufunc__ = None

    def __init_subclass__(cls) -> None:
        """Nothing: library classes that the student's derive from have no say in what is made here."""

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__") and name not in special_methods.READABLE:
            if name == "__signature__" and callable(self):
                return owned(self).calls.function_about(self).__signature__
            if name == "__class__" and (known := library_class(type(self)) or _plain_class(type(self))) is not None:
                return known  # what isinstance asks
            return object.__getattribute__(self, name)
        if name == "__dataclass_fields__":
            return fields_of(owned(self).calls.attribute(self, name))
        return owned(self).calls.attribute(self, name)

    def __getattr__(self, name: str) -> Any:
        """What is missing is missing, whatever a library's class above this one would give in its place."""
        if name.startswith("__"):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        return owned(self).calls.attribute(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        owned(self).calls.set_attribute(self, name, value)

    def __delattr__(self, name: str) -> None:
        owned(self).calls.delete_attribute(self, name)

    def __call_methods__(self, each: Sequence[tuple[str, Sequence[Any]]]) -> list[Any]:
        """What its methods give, one after the other, in one message, up to the first call that fails: see docs/writing_tests.md."""
        return owned(self).calls.call_methods(self, each)

    def __reduce_ex__(self, _: Any) -> Any:
        raise TypeError("a student's object is pickled by the grader only")

    def __array__(self, *arguments: Any, **_: Any) -> Any:
        """As numpy reads a sequence; any other object is no array."""
        kind = type(self)
        if truth_values.has_plain(kind):
            return np.asarray(owned(self).calls.plain(self), *arguments)
        if not (truth_values.claims(kind, "__len__") and truth_values.claims(kind, "__getitem__")):
            raise owned(self).not_plain()
        return np.asarray([self[place] for place in range(len(self))], *arguments)  # type: ignore[index]  # that it has been asked for

    def __eq__(self, other: object) -> Any:
        return truth_values.equal(self, other)

    def __ne__(self, other: object) -> Any:
        return truth_values.unequal(self, other)

    def __bool__(self) -> bool:
        return truth_values.true(self)

    def __hash__(self) -> int:
        kind = type(self)
        if truth_values.claims(kind, "__hash__") or truth_values.claims(kind, "__eq__"):
            return owned(self).calls.special(self, "__hash__", (), {})
        return hash(owned(self).number)

    __lt__, __le__, __gt__, __ge__ = (truth_values.ordering(name) for name in ("__lt__", "__le__", "__gt__", "__ge__"))


def fields_of(described: Any) -> Any:
    """The fields of a student's data class as `dataclasses.fields` knows them; class variables are none. Raises `TypeError`."""
    if type(described) is not dict:
        raise TypeError("a student's class has impossible fields")
    listed: list[Any] = []
    make: Any = dataclasses.field
    for name, field in described.items():
        if field._field_type.name == "_FIELD":
            given = {key: value for key in ("default", "default_factory") if type(value := getattr(field, key)).__name__ != "_MISSING_TYPE"}
            options = {key: getattr(field, key) is not False for key in ("init", "repr")}
            listed.append((name, field.type, make(**given, **options, kw_only=True)))
    made: Any = dataclasses.make_dataclass("fields", listed, eq=False, repr=False)
    return made.__dataclass_fields__


def _shown(base: type) -> type:
    """A library's class instead of the one that stands for it."""
    return (type.__dict__["__dict__"].__get__(base).get("_known") if isinstance(base, StudentClass) else None) or base


def _delegated(name: str) -> Callable[..., Any]:
    def method(self: Any, /, *arguments: Any, **keywords: Any) -> Any:
        return owned(self).calls.special(self, name, arguments, keywords)

    method.__name__ = name
    return method


def _call(self: Any, /, *arguments: Any, **keywords: Any) -> Any:
    return owned(self).calls.call(self, owned(self).label, arguments, keywords)


def _next(self: Any) -> Any:
    [items, then] = owned(self).calls.next_items(self, 1)
    if items:
        return items[0]
    if then is not None:
        then()
    raise StopIteration


def _copied(name: str) -> Callable[..., Any]:
    return lambda self, *_: owned(self).calls.special(self, name, (), {})


for _name in special_methods.ALWAYS:
    setattr(StudentObject, _name, (_copied if "copy" in _name else _delegated)(_name))
_MAKERS = {name: truth_values.operated if name in special_methods.OPERATORS else _delegated for name in special_methods.VALUES if name != "__hash__"}
DELEGATED = {name: make(name) for name, make in _MAKERS.items()} | {"__next__": _next, "__call__": _call}
ON_REQUEST = {"__contains__": truth_values.contains, "__exit__": truth_values.leave}  # the classes that do not define them must not have them
# Whose objects are plain values, or judge: what is said to be one of them is none.
NOT_CLAIMED = {"numbers", "decimal", "fractions", "datetime", "collections", "uuid", "zoneinfo", "pandas", "enum", "abc", "types", "typing"}


class _PlainClass(type):
    """Of classes that stand for one of the student's that is derived from one of Python's own: `isinstance(x, list)` holds of its objects."""

    stands_for: Any

    def __eq__(cls, other: object) -> bool:
        return cls is other or other is cls.stands_for

    def __hash__(cls) -> int:
        return hash(cls.stands_for)

    def __repr__(cls) -> str:
        return repr(cls.stands_for)

    def __call__(cls, *arguments: Any, **keywords: Any) -> Any:
        return cls.stands_for(*arguments, **keywords)


def _plain_class(kind: Any) -> type | None:
    space = type.__getattribute__(kind, "__dict__")
    name = next((plain for one in truth_values.spaces(kind) if (plain := one.get("_plain"))), None)
    if name is None or issubclass(kind, enum.Enum):
        return None
    if "_plain_class" not in space:
        made = _PlainClass(kind.__name__, (getattr(builtins, name),), {"stands_for": kind, "__module__": space.get("_module")})
        type.__setattr__(kind, "_plain_class", made)
    return space["_plain_class"]


def library_class(kind: type) -> type | None:
    """The library's or course module's own class that a student's class says it is; None for a class of the notebook's, and for one of plain values.

    Only where the test's process has imported it: what a test asks for with isinstance, it has imported itself.
    """
    module, name = type.__getattribute__(kind, "__dict__").get("_module"), kind.__name__
    if (module, name) == ("builtins", "property"):
        return property
    top = str(module).partition(".")[0]
    if top in NOT_FROM or (top in NOT_CLAIMED and not str(module).startswith("pandas.core.groupby")) or module not in sys.modules:
        return None
    found = vars(sys.modules[module]).get(name)
    if not isinstance(found, type) or handle_of(found) is not None or found.__module__ != module or issubclass(found, (type, BaseException)):
        return None
    return (
        None
        if any(
            base.__module__ == "builtins" or (base.__name__ in ("ndarray", "generic", "Tensor") and base.__module__ in ("numpy", "torch"))
            for base in found.__mro__[:-1]
        )
        else found
    )


OURS = {StudentObject, StandIn, StudentError}
