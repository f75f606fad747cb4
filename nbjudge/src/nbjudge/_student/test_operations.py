"""What the operations of a test do on the thread that judges it: see `nbjudge._student.test_thread`, which is loaded first."""

from __future__ import annotations

from typing import Any

from nbjudge._student.test_thread import (
    ASKING,
    ATOMS,
    BACKWARD,
    BUILTINS,
    C_TYPES,
    CHANGES,
    CHECKER,
    DOUBTFUL,
    EXTENSIONS,
    HASHING,
    IN_PLACE,
    ITERATING,
    LOOKS_AROUND,
    MAIN_ONLY,
    MOST_BYTES,
    MOST_WATCHED,
    NEVER,
    OF_THESE,
    OPERATORS,
    ORDERING,
    RUNS_TEXT,
    SEES,
    SET_CONTEXT,
    SET_TRACE,
    Builtin,
    Code,
    Function,
    Generator,
    Method,
    Module,
    Refused,
    Stop,
    TestThread,
    _builtins,
    _operator,
    _sys,
    _thread,
    modules,
    mro_of,
    set_interval,
    space_of,
    urandom,
    usual_interval,
)


def start(box: list[Any], to_judge: Any, to_main: Any, public: dict[str, Any], about: dict[str, Any]) -> str:
    """Begin, before anything of the student's has run. Returns what the verdicts are sealed with."""
    secret = urandom(32)
    _thread.start_new_thread(TestRunner(box, to_judge, to_main, public, about, secret).serve, ())
    to_main.acquire()  # until it is there
    return secret.hex()


class TestRunner(TestThread):
    # What a student's code is asked.

    def hand(self, function: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """What the main thread gets when it calls `function`."""
        self.dirty = True
        self.push()
        self.drop_traces()
        watched = self.watched_by(function, (*arguments, *keywords.values()), len(arguments))
        for one in (*arguments, *keywords.values()):
            self.mine.pop(id(one), None)
        arguments = tuple(self.lent(one) for one in arguments)
        keywords = {name: self.lent(one) for name, one in keywords.items()}
        set_interval(usual_interval)
        self.tell(("call", function, arguments, keywords))
        while True:
            kind, *rest = self.heard()
            set_interval(NEVER)
            if kind in ("gave", "raised"):
                self.pull()
                for thing, content in watched:
                    if self.content(thing) != content:
                        self.stopped = CHANGES.format(name=function.__name__)
                        raise Refused(self.stopped)
            if kind == "gave":
                self.doubt(rest[0], by_library=self.is_clean(function) or type(function) in C_TYPES)
                return rest[0]
            if kind == "raised":
                error, lines = rest
                if not isinstance(error, BaseException):
                    raise Stop
                self.raised.append((error, lines))
                raise error
            answer = self.called_back(*rest)
            set_interval(usual_interval)
            self.tell(answer)

    def doubt(self, thing: Any, depth: int = 0, by_library: bool = False) -> None:
        """Raises where something can pass for what it is not, and the solution gives no such."""
        kind, what = type(thing), ""
        if kind in ATOMS:
            return
        if kind in (list, tuple, set, frozenset, dict):
            for one in [*thing.keys(), *thing.values()] if kind is dict else thing:
                if type(one) in (Function, Method) or type(one) in C_TYPES or isinstance(one, type):
                    what = "" if by_library else "functions among its items"
                elif depth < 5 and type(one) not in ATOMS:
                    self.doubt(one, depth + 1, by_library)
        else:
            bases = mro_of(kind)
            names = {f"{base.__module__}.{base.__name__}" for base in bases}
            if names & {"numpy.ma.core.MaskedArray", "numpy.ma.MaskedArray", "numpy.ma.core.MaskedConstant"}:
                what = "a masked array"
            elif names & {"numpy.matrix", "numpy.matrixlib.defmatrix.matrix"}:
                what = "a matrix"
            elif kind.__module__.startswith("scipy.sparse"):
                what = "a sparse matrix"
            elif kind.__module__.split(".")[0] == "pandas":
                what = "a table with an order or missing values of its own" if self.is_own_table(thing) else ""
            elif tuple in bases and any("_fields" in space_of(base) for base in bases) and not self.is_trusted_class(kind):
                what = "a named tuple"
            elif kind.__module__ == "numpy" and kind.__name__ == "ndarray" and thing.dtype.hasobject and thing.size < 1000:
                self.doubt(thing.ravel().tolist(), depth + 1)
        if what and not any(word == one or (len(word) > 3 and word in one) for word in DOUBTFUL[what] for one in self.words):
            self.stopped = f"it is {what}" if what.startswith("a ") else f"it has {what}"
            raise Refused(self.stopped)

    def is_own_table(self, thing: Any) -> bool:
        """Whether a value of pandas compares otherwise than numbers and texts do."""
        kinds = [getattr(thing, "dtype", None), *(dict(getattr(thing, "dtypes", {})).values() if type(thing).__name__ == "DataFrame" else ())]
        if type(thing).__name__ in ("NAType", "NaTType"):
            return True
        index = getattr(thing, "index", None)
        if index is not None and type(index).__name__.endswith("Index") and self.is_own_table(index):
            return True
        if any(type(one).__name__ == "StringDtype" for one in kinds):
            found = vars(self.modules["pandas"])["isna"](thing)
            if (found.to_numpy() if hasattr(found, "to_numpy") else found).any():
                return True
        return any(type(one).__name__ in EXTENSIONS or "Int" in str(one) or "Float" in str(one) for one in kinds)

    def watched_by(self, function: Any, arguments: tuple[Any, ...], positional: int) -> list[tuple[Any, Any]]:
        """What a function of the student's has got by now and may not change, as the solution's of that name does not; with what it holds."""
        if type(function) is not Function:
            return []
        for one in arguments:
            if (content := self.content(one)) is not None:
                self.lent_out[id(one)] = one
        while len(self.lent_out) > MOST_WATCHED:
            del self.lent_out[next(iter(self.lent_out))]
        name = function.__name__
        if f"{name}()" in self.trusted:
            changed = {id(one) for place, one in enumerate(arguments, 1) if f"{name}({place})" in self.trusted or place > positional}
            if not any(one.startswith(f"{name}(") and one != f"{name}()" for one in self.trusted):
                return []
            return [(one, content) for one in arguments if id(one) not in changed and (content := self.content(one)) is not None]
        return [(one, content) for one in self.lent_out.values() if (content := self.content(one)) is not None]

    def content(self, thing: Any, depth: int = 0) -> Any:
        """What a plain value holds, to compare; None for what cannot change, or is no plain value, or large."""
        kind = type(thing)
        if kind in ATOMS and kind is not bytearray:
            return None if depth == 0 else thing if thing == thing else "nan"
        if kind in (list, tuple, set, dict) and len(thing) <= 10_000 and depth < 5:
            items = [part for pair in thing.items() for part in pair] if kind is dict else list(thing)
            return kind, [self.content(one, depth + 1) if self.is_clean(one) else id(one) for one in items]
        name = f"{kind.__module__}.{kind.__name__}"
        if name == "numpy.ndarray" and self.is_clean(thing) and thing.nbytes < MOST_BYTES and not thing.dtype.hasobject:
            return thing.shape, str(thing.dtype), thing.tobytes()
        if name in ("torch.Tensor", "torch.nn.parameter.Parameter") and self.is_clean(thing) and thing.numel() < MOST_BYTES // 8:
            try:
                return tuple(thing.shape), thing.detach().numpy().tobytes()
            except (RuntimeError, TypeError):
                return None
        return None if depth == 0 else id(thing)

    def called_back(self, token: int, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[Any, ...]:
        try:
            return "answer", self.lent(self.tokens[token](*arguments, **keywords))
        except Stop:
            raise
        except BaseException as error:
            self.raised.append((error, None))
            self.drop_traces()
            return "error", error

    def lent(self, thing: Any) -> Any:
        """What a student's code gets for a generator of the test's."""
        if type(thing) is Generator and id(thing.gi_code) in self.tests_codes:
            lent = object.__new__(self.items)
            object.__setattr__(lent, "_token", self.token(thing.__next__))
            return lent
        return thing

    def token(self, function: Any) -> int:
        self.tokens.append(function)
        return len(self.tokens) - 1

    def push(self) -> None:
        """What the test has set of the names that the solution reads."""
        for name in self.mirrored:
            if name in self.world:
                if self.pushed.get(name, self) is not self.world[name]:
                    self.pushed[name] = self.world.students[name] = self.world[name]
            elif name in self.pushed:
                del self.pushed[name]
                self.world.students.pop(name, None)

    def pull(self) -> None:
        for name in self.volatile:
            if name in self.world and name in self.world.students:
                self.pushed[name] = self.world[name] = self.world.students[name]

    def drop_traces(self) -> None:
        for error, _ in self.raised:
            SET_TRACE(error, None)
            SET_CONTEXT(error, None)
        if len(self.raised) > 100:
            del self.raised[:-100]

    # What a test does.

    def here(self, function: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        self.look()
        return self.kept(function(*(self.inner.get(id(one), one) for one in arguments), **{n: self.inner.get(id(o), o) for n, o in keywords.items()}))

    def do_call(self, function: Any, /, *arguments: Any, **keywords: Any) -> Any:
        if (own := self.inner.get(id(function))) is not None:
            return own(*arguments, **keywords)
        kind = type(function)
        if kind is Method and id(function.__func__) in self.inner:
            return self.inner[id(function.__func__)](function.__self__, *arguments, **keywords)
        if (
            kind is Builtin
            and function.__self__ is _builtins
            and function.__name__ in LOOKS_AROUND
            and (len(arguments) == 0 or function.__name__ != "vars")
        ):
            if function.__name__ in ("eval", "exec") and len(arguments) == 1:
                arguments = (*arguments, self.world.students)
            if function.__name__ != "dir" or not arguments:
                return self.hand(function, arguments, keywords)
        if kind is Bridge or (kind is Method and type(function.__self__) is TestRunner):
            return function(*arguments, **keywords)
        name = getattr(function, "__name__", "") if kind in (Function, Method) or self.is_trusted(kind) else ""
        if not self.is_clean(function):
            owner = getattr(function, "__self__", None) if kind is Method or kind in C_TYPES else None
            if name in self.judging and arguments and f".{name}" not in self.trusted and self.is_students(owner):
                if (plain := self.listed(owner)) is owner:
                    raise self.refuse()
                return self.do_call(getattr(plain, name), *arguments, **keywords)
            return self.hand(function, arguments, keywords)
        module = str(getattr(function, "__module__", "") or "").split(".")[0]
        if name in BACKWARD or module in MAIN_ONLY or (name in RUNS_TEXT and module in OF_THESE):
            return self.hand(function, arguments, keywords)
        if function is isinstance and len(arguments) == 2:
            return self.is_a(*arguments)
        if function is bool and len(arguments) == 1:
            return self.do_true(*arguments)
        if self.is_clean(arguments) and self.is_clean(keywords):
            return self.here(function, arguments, keywords)
        if function is BUILTINS["str"] or function is BUILTINS["repr"]:
            return self.word(self.hand(function, arguments, keywords), str)
        if function is print:
            return self.show(*(self.do_format(one, "", "") for one in arguments), **keywords)
        if function is iter and len(arguments) == 1:
            return self.hand(function, arguments, keywords)
        lone = len(arguments) == 1 and type(arguments[0]) not in (list, tuple, set, frozenset)
        if (function in ORDERING and not lone) or (function in HASHING and self.has_students_keys(arguments)):
            if function in ORDERING and function is not sum and "key" not in keywords:
                for one in arguments[0] if len(arguments) == 1 and type(arguments[0]) in (list, tuple, set) else arguments:
                    if self.is_students(one) and not self.allows(one, "__lt__", "__gt__", "__iter__", "__getitem__") and self.plain(one) is one:
                        raise self.refuse()
            return self.hand(function, arguments, keywords)
        if (function is any or function is all) and len(arguments) == 1:
            return function(self.do_true(one) for one in self.do_iter(arguments[0]))
        if function in ITERATING if isinstance(function, type) or kind is Builtin else False:
            if function in (map, filter) and arguments and self.is_clean(arguments[0]) and arguments[0] is not None:
                mapped = arguments[0]
                arguments = (lambda *given: self.do_call(mapped, *given), *arguments[1:])
                return self.keep(function(arguments[0], *map(self.bridge, arguments[1:])))
            return self.here(function, tuple(map(self.bridge, arguments)), {name: self.bridge(one) for name, one in keywords.items()})
        if CHECKER(name):
            return self.checked(function, arguments, keywords)
        found = self.hand(function, arguments, keywords)
        if name not in ASKING and (found is True or found is False or type(found).__name__ in ("bool_", "bool")):
            if any(self.is_students(one) for one in (*arguments, *keywords.values(), getattr(function, "__self__", None))):
                raise self.refuse()
        return found

    def has_students_keys(self, arguments: tuple[Any, ...]) -> bool:
        """Whether one of these would be asked for its hash."""
        items = arguments[0] if arguments and type(arguments[0]) in (list, tuple) else ()
        keys = [one[0] if type(one) is tuple and len(one) == 2 else one for one in items]
        return any(self.is_students(one) for one in (*keys, *items))

    def is_students(self, thing: Any) -> bool:
        """Whether it is an object of a class of the student's, and neither function nor class."""
        return type(thing) not in (Function, Method) and not isinstance(thing, type) and not self.is_trusted(type(thing))

    def checked(self, function: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """A library judges what a student's code gave: on this thread."""
        name = function.__name__
        if name in ("assertEqual", "assertEquals", "assertNotEqual") and len(arguments) >= 2:
            holds = self.do_compare("ne" if "Not" in name else "eq", *arguments[:2])
            return self.here(function.__self__.assertTrue, (bool(holds), *arguments[2:]), keywords)
        return self.here(
            function,
            tuple(self.bridge(self.listed(one)) for one in arguments),
            {name: self.bridge(self.listed(one)) for name, one in keywords.items()},
        )

    def listed(self, thing: Any) -> Any:
        """What a library judges of a student's object: its plain part, or the array or list that it gives."""
        if (plain := self.plain(thing)) is not thing or not self.is_students(thing):
            return plain
        names = {name for base in mro_of(type(thing))[:-1] for name in space_of(base)}
        if "__array__" in names and "numpy" in modules:
            found = self.hand(vars(self.modules["numpy"])["asarray"], (thing,), {})
        elif names & {"__iter__", "__getitem__"} and "__len__" in names:
            found = self.hand(list, (thing,), {})
        else:
            return thing
        return found if self.is_clean(found) else thing

    def bridge(self, thing: Any) -> Any:
        """What a library on this thread gets in place of a student's function or iterator."""
        if self.is_clean(thing) or type(thing) in (list, tuple, dict, set, frozenset):
            return thing
        if type(thing) is Function or type(thing) is Method:
            return lambda *arguments, **keywords: self.without_an_end(thing, arguments, keywords)
        if isinstance(thing, type) and not any("__iter__" in space_of(one) for one in mro_of(type(thing))):
            return thing if BaseException in mro_of(thing) else lambda *arguments, **keywords: self.without_an_end(thing, arguments, keywords)
        if any("__iter__" in space_of(one) or "__next__" in space_of(one) for one in mro_of(type(thing))):
            return self.do_iter(thing)
        return thing

    def without_an_end(self, function: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """A call that does not end the loop of a library."""
        try:
            return self.hand(function, arguments, keywords)
        except StopIteration as error:
            raise RuntimeError("StopIteration") from error

    def word(self, thing: Any, kind: type) -> Any:
        if type(thing) is not kind:
            raise Refused(f"it is no {kind.__name__}")
        return thing

    def is_a(self, thing: Any, kinds: Any) -> bool:
        kinds = kinds if type(kinds) is tuple else (kinds,)
        bases = mro_of(type(thing))
        for kind in kinds:
            if type(kind) is tuple:
                if self.is_a(thing, kind):
                    return True
            elif any(one is kind for one in bases):
                return True
            elif not isinstance(kind, type) or (type(kind) is not type and self.is_trusted(type(kind))):
                if (
                    type(thing) not in (Generator,)
                    and not self.is_trusted(type(thing))
                    and "__class__" in {n for b in bases[:-1] for n in space_of(b)}
                ):
                    continue
                self.look()
                if isinstance(thing, kind):
                    return True
        return False

    def do_get(self, thing: Any, name: str) -> Any:
        if type(thing) is Module:
            self.look()
            return getattr(thing, name) if self.is_trusted(thing) else self.hand(getattr, (thing, name), {})
        if type(thing) is str or self.is_clean(thing) or type(thing) in (list, dict, tuple, set, Bridge, Within):
            return getattr(thing, name)
        if isinstance(thing, BaseException) and self.is_trusted(type(thing)):
            return getattr(thing, name)
        if name in self.judging and f".{name}" not in self.trusted:
            if self.is_students(thing) and (plain := self.listed(thing)) is not thing:
                return getattr(plain, name)
            if not self.is_trusted(type(thing)) or isinstance(thing, type) or type(thing) is Function:
                raise self.refuse()
        return self.hand(getattr, (thing, name), {})

    def do_item(self, thing: Any, index: Any) -> Any:
        if self.is_clean(index) and (type(thing) in (list, tuple, dict) or self.is_clean(thing)):
            return thing[index]
        return self.hand(_operator.getitem, (thing, index), {})

    def do_slice(self, *parts: Any) -> Any:
        return slice(*parts)

    def do_set(self, is_attribute: bool, thing: Any, place: Any, value: Any) -> None:
        if is_attribute:
            if type(thing) is Module or isinstance(thing, type):
                self.changed_by_tests.add((id(vars(thing)), place))
            if self.is_clean(thing) or type(thing) is Module:
                setattr(thing, place, value)
                if id(thing) in self.mine and not self.is_clean(value) and not isinstance(thing, type):
                    self.mine.pop(id(thing))
            else:
                self.hand(setattr, (thing, place, value), {})
        elif self.is_clean(place) and (type(thing) in (list, dict) or (self.is_clean(thing) and self.is_clean(value))):
            thing[place] = value
        else:
            self.hand(_operator.setitem, (thing, place, value), {})

    def do_delete(self, is_attribute: bool, thing: Any, place: Any) -> None:
        self.hand(delattr if is_attribute else _operator.delitem, (thing, place), {})

    def do_binary(self, name: str, one: Any, other: Any) -> Any:
        return self.operated(OPERATORS[name], name, one, other)

    def do_change(self, name: str, one: Any, other: Any) -> Any:
        return self.operated(IN_PLACE[name], name, one, other)

    def do_change_in(self, name: str, is_attribute: bool, thing: Any, place: Any, value: Any) -> None:
        before = self.do_get(thing, place) if is_attribute else self.do_item(thing, place)
        self.do_set(is_attribute, thing, place, self.do_change(name, before, value))

    def operated(self, function: Any, name: str, one: Any, other: Any) -> Any:
        if self.is_clean(one) and self.is_clean(other):
            return self.here(function, (one, other), {})
        if type(one) in (list, tuple) and type(other) is type(one):
            return function(one, other)
        self.may_answer(one, other, name)
        return self.hand(function, (one, other), {})

    def refuse(self) -> Refused:
        """Why the test cannot pass any more, whatever its cell catches."""
        self.stopped = SEES
        return Refused(SEES)

    def may_answer(self, one: Any, other: Any, name: str) -> None:
        """Raises where a student's object would see a plain operand, and the solution has no such."""
        if self.is_clean(one) == self.is_clean(other):
            return
        thing = other if self.is_clean(one) else one
        if self.is_trusted(type(thing)):
            return
        if not self.allows(thing, *(f"__{sign}{name}__" for sign in ("", "r", "i"))) and type(self.plain(thing)) is type(thing):
            raise self.refuse()

    def do_unary(self, name: str, one: Any) -> Any:
        return self.here(OPERATORS[name], (one,), {}) if self.is_clean(one) else self.hand(OPERATORS[name], (one,), {})

    def do_chain(self, names: tuple[str, ...], *operands: Any) -> Any:
        for name, one, other in zip(names, operands, operands[1:]):
            if not self.do_true(found := self.do_compare(name, one, other)):
                return found
        return found

    def allows(self, thing: Any, *names: str) -> bool:
        return any(f"{base.__name__}.{name}" in self.trusted for base in mro_of(type(thing)) for name in names)

    def do_compare(self, name: str, one: Any, other: Any) -> Any:
        if name in ("is", "is not"):
            return (one is other) is (name == "is")
        if name in ("in", "not in"):
            return self.holds(other, one) is (name == "in")
        if self.is_clean(one) and self.is_clean(other):
            return self.here(OPERATORS[name], (one, other), {})
        if name in ("eq", "ne"):
            return self.equal(name, one, other)
        answers = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}
        if self.decides(one, other, f"__{name}__", f"__{answers[name]}__"):
            return self.hand(OPERATORS[name], (one, other), {})
        first, second = self.plain(one), self.plain(other)
        if self.is_clean(first) and self.is_clean(second):
            return self.here(OPERATORS[name], (first, second), {})
        if self.is_trusted(type(one)) and self.is_trusted(type(other)):
            return self.here(OPERATORS[name], (one, other), {})
        raise self.refuse()

    def decides(self, one: Any, other: Any, *names: str) -> bool:
        for thing, against in ((one, other), (other, one)):
            if not self.is_trusted(type(thing)):
                suffix = " plain" if self.is_trusted(type(against)) else ""
                if self.allows(thing, *(f"{name}{suffix}" for name in names)):
                    return True
        return False

    def equal(self, name: str, one: Any, other: Any) -> Any:
        if self.decides(one, other, "__eq__", *(["__ne__"] if name == "ne" else [])):
            found = self.hand(OPERATORS[name], (one, other), {})
            if name == "eq" and type(found) is bool and found and self.is_trusted(type(one)) != self.is_trusted(type(other)):
                thing, against = (one, other) if not self.is_trusted(type(one)) else (other, one)
                number = int.from_bytes(urandom(5), "big") + 10**9
                strange: Any = str(number) if type(against) is str else number if type(against) is int else number / 7
                try:
                    if self.hand(OPERATORS["eq"], (thing, strange), {}) is True:
                        raise self.refuse()
                except Exception:
                    if self.stopped:
                        raise
            return found if type(found) is bool or found is NotImplemented or self.is_clean(found) else self.do_true(found)
        if one is other:
            return name == "eq"
        if type(one) is type(other) and type(one) in (list, tuple):
            same = len(one) == len(other) and all(x is y or self.do_true(self.do_compare("eq", x, y)) for x, y in zip(one, other))
            return same is (name == "eq")
        if type(one) is dict and type(other) is dict:
            if not all(self.is_clean(key) for both in (one, other) for key in both):
                raise self.refuse()
            same = one.keys() == other.keys() and all(
                one[key] is other[key] or self.do_true(self.do_compare("eq", one[key], other[key])) for key in one
            )
            return same is (name == "eq")
        if one is None or other is None:
            return name == "ne"
        for thing, against in ((one, other), (other, one)):  # the solution's class compares its objects, with objects only
            if self.is_students(thing) and not self.is_students(against) and self.allows(thing, "__eq__") and self.plain(thing) is thing:
                return name == "ne"
        first, second = self.plain(one), self.plain(other)
        if self.is_clean(first) and self.is_clean(second):
            return self.here(OPERATORS[name], (first, second), {})
        if self.is_trusted(type(first)) and self.is_trusted(type(second)):
            return self.here(OPERATORS[name], (first, second), {})
        defines = any("__eq__" in space_of(base) for base in mro_of(type(one))[:-1] + mro_of(type(other))[:-1] if not self.is_trusted_class(base))
        if defines:
            raise self.refuse()
        return name == "ne"

    def holds(self, thing: Any, item: Any) -> bool:
        if self.is_clean(thing) and self.is_clean(item):
            self.look()
            return item in thing
        if not self.is_trusted(type(thing)):
            if self.allows(thing, "__contains__"):
                return bool(self.word(self.hand(_operator.contains, (thing, item), {}), bool))
            plain = self.plain(thing)
            if plain is not thing:
                return self.holds(plain, item)
        return any(item is one or self.do_true(self.do_compare("eq", item, one)) for one in self.do_iter(thing))

    def do_true(self, thing: Any) -> bool:
        if thing is True or thing is False or thing is None:
            return thing is True
        if self.is_clean(thing) or type(thing) in (list, tuple, dict, set, frozenset):
            self.look()
            return bool(thing)
        kind = type(thing)
        if self.is_trusted(kind):
            self.look()
            return bool(thing)
        asks = next((name for name in ("__bool__", "__len__") if any(name in space_of(base) for base in mro_of(kind))), None)
        if asks is None:
            return True
        if self.allows(thing, asks):
            return self.word(self.hand(bool, (thing,), {}), bool)
        plain = self.plain(thing)
        if plain is thing:
            raise self.refuse()
        return self.do_true(plain)

    def do_and(self, first: Any, *others: Any) -> Any:
        for other in others:
            if not self.do_true(first):
                return first
            first = other()
        return first

    def do_or(self, first: Any, *others: Any) -> Any:
        for other in others:
            if self.do_true(first):
                return first
            first = other()
        return first

    def do_iter(self, thing: Any) -> Any:
        if self.is_clean(thing) or type(thing) in (list, tuple, dict, set, frozenset, Bridge):
            return thing
        if type(thing) in (type({}.items()), type({}.values()), type({}.keys())) or type(thing) in LISTS_ITERATORS:
            return thing
        if type(thing) is Generator and id(thing.gi_code) in self.tests_codes:
            return thing
        return Bridge(self, self.hand(iter, (thing,), {}))

    def do_format(self, thing: Any, kind: str, spec: str) -> str:
        if self.is_clean(thing):
            return format(repr(thing) if kind == "r" else ascii(thing) if kind == "a" else str(thing) if kind == "s" else thing, spec)
        if kind or not spec:
            return format(self.word(self.hand(repr if kind == "r" else str, (thing,), {}), str), spec)
        return self.word(self.hand(format, (thing, spec), {}), str)

    def do_within(self, thing: Any) -> Any:
        return thing if self.is_trusted(type(thing)) and (self.is_clean(thing) or not is_students_generator(self, thing)) else Within(self, thing)

    def do_globals(self) -> dict[str, Any]:
        return {**self.world.students, **{name: value for name, value in self.world.items() if not name.startswith("_nb_")}}

    def do_decorator(self, decorator: Any) -> Any:
        return lambda function: self.do_call(decorator, function)

    def do_own(self, function: Any) -> Any:
        """A function of the test's as others get it: called on the main thread, it runs here."""
        if type(function) is not Function:
            return function
        token = self.token(function)
        code = replaced(MADE, {"SEND": self.lookup.send, "TOKEN": token, "MAIN": self.call_back})
        self.note_code(code)
        made = Function(code, {}, function.__name__)
        made.__doc__, made.__qualname__, made.__module__ = function.__doc__, function.__qualname__, "__main__"
        made.__dict__.update(function.__dict__)
        made.__annotations__ = function.__annotations__
        self.inner[id(made)] = function
        self.tokens.append(made)
        return made

    def show(self, *things: Any, **keywords: Any) -> None:
        """`print` in a test."""
        out = _sys.stdout if keywords.get("file") is None else keywords["file"]
        if out is not self.stdout and self.is_trusted(type(out)):
            return print(*(self.do_format(one, "s", "") for one in things), **keywords)
        separator, end = keywords.get("sep"), keywords.get("end")
        self.printed.append((" " if separator is None else separator).join(self.do_format(one, "s", "") for one in things))
        self.printed.append("\n" if end is None else end)
        return None

    def built(self, body: Any, name: str, *bases: Any, **keywords: Any) -> Any:
        """`class` in a test."""
        return self.keep(BUILTINS["__build_class__"](body, name, *bases, **keywords))

    def imported(self, name: str, names: Any = None, local: Any = None, wanted: Any = (), level: int = 0) -> Any:
        root = name.split(".")[0]
        if root in self.helpers and not level:
            return self.helper(root)
        self.look()
        module = BUILTINS["__import__"](name, names, local, wanted, level)
        for one in [one for one in list(modules) if one not in self.modules]:
            file = getattr(modules[one], "__file__", None) if type(modules[one]) is Module else None
            if type(file) is str and file.startswith(self.prefixes):
                self.modules[one] = modules[one]
                self.known[id(modules[one])] = self.later[id(modules[one])] = modules[one]
        return module

    def helper(self, name: str) -> Any:
        """A module of the instructor's, from the instructor's text."""
        module = self.helpers[name]
        if type(module) is Code:
            code, module = module, Module(name)
            self.helpers[name] = module
            self.mine[id(module)] = module
            space = vars(module)
            for hook, value in self.world.items():
                if hook.startswith("_nb_") or hook == "__builtins__":
                    space[hook] = value
            self.note_code(code, True)
            exec(code, space)
        return module


class Bridge:
    """Goes through a student's iterator, which lives on the main thread."""

    def __init__(self, runner: TestRunner, theirs: Any):
        self.runner, self.theirs = runner, theirs

    def __iter__(self) -> Bridge:
        return self

    def __next__(self) -> Any:
        return self.runner.hand(next, (self.theirs,), {})


class Within:
    """A student's context manager. It says yes to an error only where the solution's does, and never to a failed check."""

    def __init__(self, runner: TestRunner, theirs: Any):
        self.runner, self.theirs = runner, theirs

    def __enter__(self) -> Any:
        return self.runner.hand(_operator.methodcaller("__enter__"), (self.theirs,), {})

    def __exit__(self, kind: Any, error: Any, _: Any) -> bool:
        is_check = error is not None and (isinstance(error, (AssertionError, Refused)) or not isinstance(error, Exception))
        given = (None, None, None) if error is None or is_check else (kind, error, None)
        found = self.runner.hand(_operator.methodcaller("__exit__", *given), (self.theirs,), {})
        return found is True and error is not None and not is_check and self.runner.allows(self.theirs, "__exit__")


def is_students_generator(runner: TestRunner, thing: Any) -> bool:
    """Whether a context manager that a library made is made of a student's generator."""
    inner = getattr(thing, "gen", None) if type(thing).__module__ == "contextlib" else None
    return inner is not None and type(inner) is Generator and id(inner.gi_code) not in runner.tests_codes


LISTS_ITERATORS: tuple[type, ...] = (
    type(iter([])),
    type(iter(())),
    type(iter({})),
    type(iter({}.items())),
    type(iter({}.values())),
    type(iter(range(0))),
    type(iter("")),
)


def made(*arguments: Any, **keywords: Any) -> Any:
    token = "TOKEN"
    send: Any = "SEND"
    found = send(token)
    main: Any = "MAIN"
    return found(*arguments, **keywords) if found is not None else main(token, arguments, keywords)


MADE = made.__code__


def replaced(code: Any, values: dict[str, Any]) -> Any:
    """A function's code with other constants."""
    return code.replace(co_consts=tuple(values.get(one, one) if type(one) is str else one for one in code.co_consts))
