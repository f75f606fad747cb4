"""The grader's hands inside a student kernel: finds names, calls what they name, and writes the results as plain values.

A student can replace any of this; then the grader gets other values, or none, and judges those.
"""

import builtins
import contextlib
import functools
import importlib
import io
import sys
import types
import warnings
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import cloudpickle
import numpy as np

from nbjudge._student import descriptions, files, lent_objects, second_road
from nbjudge._student.descriptions import describe_error
from nbjudge._student.overrides import without_an_error
from nbjudge._wire import arrays, special_methods
from nbjudge._wire.codec import ITERATORS, Decoder, Encoder, going_on
from nbjudge._wire.copied_values import FIXED, comparable, is_container, put_back, state_of
from nbjudge._wire.errors import Refused
from nbjudge._wire.limits import MB
from nbjudge._wire.requests import BeginTests, Call, Callback, CallbackReply, CallSpecial, Items, Judge, Name, Reply, Request
from nbjudge._wire.scalars import BROAD_ERRORS

AskBack = Callable[[list[bytes]], list[bytes]]
_handles: list[Any] = []  # objects that the grader has a number of; in the place of one that it has let go, a reference to it
_ask_back: AskBack | None = None  # while a test waits for an answer
_originals: dict[tuple[str, str], Any] = {}  # what tests have put mocks in the place of
_numbers: dict[int, int] = {}  # of each object by its id, which is another one's by now where the object is gone
_watched: dict[int, Any] = {}  # what the containers that the last request watched held when it was answered
_drawn: dict[str, bytes] = {}  # the states of random generators, by library, as the test knows them
_most_bytes = 64 * MB
MOST_PRINTED, MOST_NEXT = 1_000_000, 1024
MOST_WARNED = 1000
RANDOM_STATES = {
    "random": ("random", "getstate", "setstate"),
    "numpy": ("numpy.random", "get_state", "set_state"),
    "torch": ("torch", "get_rng_state", "set_rng_state"),
}
HELD_HERE = 2  # references to a result that nobody but `_call` has: its own and that of who counts
BUILTIN = (
    types.BuiltinFunctionType,
    types.MethodWrapperType,
    types.WrapperDescriptorType,
    types.MethodDescriptorType,
    types.ClassMethodDescriptorType,
)


def resolve(number: int) -> Any:
    """The object behind a handle. Pickled functions that use a proxy find the student's own object here."""
    return _handles[number]


def free(numbers: Sequence[int]) -> None:
    """Let go of objects, which lets them end where nothing else has them, as in a notebook's own kernel. Those that live on keep their numbers."""
    for number in numbers:
        with contextlib.suppress(TypeError, IndexError):  # what takes no weak references stays, or its number would be another one later
            if type(_handles[number]) is not _Freed:
                _handles[number] = _Freed(_handles[number])


class _Freed(weakref.ref[Any]):
    """In the place of an object that the grader has let go."""


def answer(buffers: list[bytes], names: dict[str, Any], ask_back: AskBack | None = None, freed: Sequence[int] = ()) -> list[bytes]:
    """Carry out one request; the reply is a document `{"value": ...}`, `{"error": ...}` or `{"refused": sentence}`.

    `ask_back` sends the buffers of a call to a function of the test's, and returns those of its answer. `freed`: see `free`.
    """
    global _ask_back
    free(freed)
    _ask_back, before = ask_back, _ask_back
    try:
        return _answer(buffers, names)
    finally:
        _ask_back = before


def _answer(buffers: list[bytes], names: dict[str, Any]) -> list[bytes]:
    encoder, visit = _encoder(), _Visit(names)
    lent_objects.forget_changes()
    try:
        return encoder.finish({**_carry_out(buffers, visit, encoder), **visit.extras(encoder)})
    except Refused as refusal:
        document: Reply = {"refused": str(refusal)}
    except BaseException as error:
        document = {"error": describe_error(error, _handle)}
    encoder = _encoder()
    try:
        return encoder.finish({**document, **visit.extras(encoder)})
    except Refused:
        return Encoder(_encode_object, _most_bytes, lazy=True).finish(document)


def _encoder() -> Encoder:
    encoder = Encoder(_encode_object, _most_bytes, lazy=True)
    encoder.number_of, encoder.spare = lent_objects.number_of, lambda _, number: lent_objects.is_changed(number)
    return encoder


class _Visit:
    """What goes back to the grader besides the answer to its request."""

    def __init__(self, names: dict[str, Any]):
        self.names = names
        self.heard: dict[str, io.StringIO] = {}
        self.warned: list[warnings.WarningMessage] | None = None
        self.wanted: list[str] = []
        self.watched: dict[int, Any] = {}  # contents before, of what the test has copies of
        self.files: dict[str, Any] | None = None
        self.drawn: list[str] = []

    def extras(self, encoder: Encoder) -> Reply:
        """What was printed, and names, copied values and files that the student's functions may have changed, as they are now."""
        found: Reply = {}
        if self.heard:
            found["printed"] = {name: text.getvalue()[:MOST_PRINTED] for name, text in self.heard.items()}
        if self.warned is not None:
            found["warned"] = [[_category(one.category), str(one.message)[:MOST_PRINTED], int(one.lineno)] for one in self.warned[:MOST_WARNED]]
        if self.wanted:
            found["names"] = {name: _one_name(name, self.names, encoder) for name in self.wanted}
        found.update(lent_objects.news(encoder))
        global _watched
        _watched = {number: _content(resolve(number)) for number in self.watched}
        if changed := [number for number, content in _watched.items() if content is not None and content != self.watched[number]]:
            found["watched"] = [[number, encoder.encode(resolve(number))] for number in changed]
        for name in self.drawn:
            with contextlib.suppress(Exception):  # whatever a student has put in the place of what is asked there
                state = _generator(name)
                if (content := comparable(state)) != _drawn.get(name):
                    _drawn[name] = content
                    found.setdefault("drawn", []).append([name, encoder.encode(state)])
        if self.files is not None:
            found.update(files.news(self.files, encoder))
        return found


def _take_over(request: Request, names: dict[str, Any], decoder: Decoder) -> None:
    """Set what the test has set since the last request: names, and the state of random generators."""
    for name, value in request.get("assign", ()):
        names[name] = decoder.decode(value)
    for name in request.get("delete", ()):
        names.pop(name, None)
    for module, attribute, nodes in request.get("patch", ()):
        place = importlib.import_module(module)
        original = _originals.setdefault((module, attribute), getattr(place, attribute))
        setattr(place, attribute, decoder.decode(nodes[0]) if nodes else original)
    for number, value in request.get("write", ()):
        put_back(resolve(number), decoder.decode(value))
    for name, state in request.get("random", ()):
        module, _, setter = RANDOM_STATES[name]
        getattr(importlib.import_module(module), setter)(decoder.decode(state))
        _drawn[name] = comparable(_generator(name))


def _generator(name: str) -> Any:
    """The state of the generator that functions of this library draw from."""
    module, getter, _ = RANDOM_STATES[name]
    return getattr(importlib.import_module(module), getter)()


@contextlib.contextmanager
def _listening(request: Request, visit: _Visit) -> Iterator[None]:
    """Hear what is printed, and ask the test what is asked for, as far as the request wants it."""
    with contextlib.ExitStack() as stack:
        for name, redirect in (("stdout", contextlib.redirect_stdout), ("stderr", contextlib.redirect_stderr)):
            if name in request.get("hear", ()):
                stack.enter_context(redirect(visit.heard.setdefault(name, io.StringIO())))
        if "warnings" in request.get("hear", ()):
            visit.warned = stack.enter_context(warnings.catch_warnings(record=True))
            warnings.simplefilter("always")  # those of the test decide
        if request.get("input") is not None:
            stack.callback(setattr, builtins, "input", builtins.input)
            builtins.input = _callback(request["input"])
        yield


def _category(kind: type[Warning]) -> str:
    """The name of a category that both sides have: of a student's own, that of the first of Python's that it is derived from."""
    return next((base.__name__ for base in kind.__mro__ if base.__module__ == "builtins"), "UserWarning")


def _callback(number: int, name: str = "ask", doc: str | None = None) -> Callable[..., Any]:
    """A function of the test's, which runs there."""

    def ask(*arguments: Any, **keywords: Any) -> Any:
        if _ask_back is None:
            raise RuntimeError("a function of a test is called when no test runs")
        encoder = Encoder(_encode_object, _most_bytes, lazy=True)
        call: Callback = {"number": number, "arguments": encoder.encode(list(arguments)), "keywords": encoder.encode(keywords)}
        decoder = _decoder(_ask_back(encoder.finish(call)))
        reply: CallbackReply = decoder.document()
        if "error" in reply:
            raise getattr(builtins, reply["error"], RuntimeError)(reply["text"])
        try:
            return decoder.decode(reply["value"])
        finally:
            decoder.forget()

    ask.__name__ = ask.__qualname__ = name
    ask.__doc__ = doc
    return ask


def _decoder(buffers: list[bytes]) -> Decoder:
    return (
        decoder := Decoder(
            buffers,
            {
                "ref": resolve,
                "pickle": lambda number: cloudpickle.loads(buffers[number]),
                "callback": _callback,
                "lent": lambda number, node, learns: _adopt_tensor(number, decoder.read(node, 0), learns),
                "long": lambda first, number: going_on(decoder.items(first, 0), _callback(number)),
            },
        )
    )


def _adopt_tensor(number: int, value: Any, learns: bool) -> Any:
    return lent_objects.adopt_tensor(number, value.detach(), value.grad, learns, type(value).__name__ == "Parameter")


def _carry_out(buffers: list[bytes], visit: _Visit, encoder: Encoder) -> Reply:
    global _most_bytes
    decoder = _decoder(buffers)
    request: Request | BeginTests | Judge = decoder.document()
    if request["do"] == "begin_tests":
        return {"value": second_road.begin(request, visit.names)}
    if request["do"] == "judge":
        return {"value": second_road.carry(request["words"])}
    _most_bytes = request.get("most_bytes", _most_bytes)
    encoder.allow(_most_bytes)
    _take_over(request, visit.names, decoder)
    visit.wanted = request.get("names", []) if request["do"] != "get" else []
    for number in request.get("lend", ()):
        cloudpickle.loads(buffers[number])
    visit.drawn = [name for name in request.get("drawn", ()) if RANDOM_STATES[name][0].partition(".")[0] in sys.modules]
    if "files" in request:
        files.take_over(request["files"], decoder)
    known = _watched.keys() - {number for number, _ in request.get("write", ())}
    visit.watched = {number: _watched[number] if number in known else _content(resolve(number)) for number in request.get("watch", ())}
    visit.files = request.get("files")
    try:
        with _listening(request, visit):
            return _do(request, visit.names, decoder, encoder)
    finally:
        decoder.forget()


def _do(request: Request, names: dict[str, Any], decoder: Decoder, encoder: Encoder) -> Reply:
    if request["do"] == "get":
        encoder.same_as([])
        return {"value": {name: _one_name(name, names, encoder) for name in request["names"]}}
    if request["do"] == "pyplot":
        function = getattr(importlib.import_module("matplotlib.pyplot"), request["name"])
        return {"value": encoder.encode(function(*decoder.decode(request["arguments"])))}
    if request["do"] == "calls":
        return {"value": list(_replies(request["calls"], decoder, encoder))}
    own = resolve(request["handle"])
    match request["do"]:
        case "attribute":
            found = getattr(own, request["name"])
            return {"value": encoder.encode(found), **({"own": _handle(found)} if is_container(found) else {})}
        case "set":
            setattr(own, request["name"], decoder.decode(request["value"]))
            return {"value": None}
        case "delete":
            delattr(own, request["name"])
            return {"value": None}
        case "call":
            return _call(own, request, decoder, encoder)
        case "special":
            return _call(functools.partial(special_methods.ALL[request["name"]], own), request, decoder, encoder)
        case "next":
            owns: list[Any] = []
            lent_objects.begin()
            items = _next(own, min(request["count"], MOST_NEXT), encoder, owns)
            lent_objects.end()
            return {"value": items, "owns": owns}
        case "class":
            return {"value": descriptions.describe_class(own, encoder.encode)}
        case "function":
            return {"value": descriptions.describe_function(own, encoder.encode)}
        case "derive":
            return {"value": encoder.encode(_derive(*decoder.decode(request["arguments"])))}
        case "plain":
            return {"value": encoder.encode(descriptions.plain(own))}
    raise ValueError("unknown request")


def _call(function: Callable[..., Any], request: Call | CallSpecial, decoder: Decoder, encoder: Encoder) -> Reply:
    decoder.places, decoder.alike = [], lambda *_: True  # what a test passes twice is one thing here, too
    arguments, keywords = decoder.decode(request["arguments"]), decoder.decode(request["keywords"])
    containers = decoder.places
    own = dict(zip([*range(1, len(arguments) + 1), *keywords], [*arguments, *keywords.values()], strict=True))
    lent_objects.begin()  # before references are counted: it holds some itself
    before, holders = _photograph([*own.values()]), {label: sys.getrefcount(value) for label, value in own.items()}
    try:
        result = function(*arguments, **keywords)
    finally:
        lent_objects.end()
    met = []
    with contextlib.suppress(Exception):  # whatever a student has put in the place of what is asked there
        met = without_an_error(function)
    about: Reply = (
        {"kept": kept}
        if (
            kept := [
                [label, _handle(value)]
                for label, value in own.items()
                if is_container(value) and value is not result and sys.getrefcount(value) > holders[label]
            ]
        )
        else {}
    )
    if (view := _view(result, own)) is not None:
        about["view"] = view
    if is_container(result) and sys.getrefcount(result) > HELD_HERE and not any(value is result for value in own.values()):
        about["own"] = _handle(result)
    if met:
        about["overrides"] = met
    if not request.get("is_last") and (
        states := [[label, encoder.encode(state)] for label, value in own.items() if (state := state_of(value)) is not None]
    ):
        about["states"] = states
    # Encoded first: what is read of a result that is an argument may change it only now.
    encoder.same_as(containers)
    value = encoder.encode(result)
    encoder.known = None
    after = _photograph([*own.values()])
    changed = [label for label, x, y in zip(own, before, after, strict=True) if x != y]
    if request.get("may_change"):
        about["value"] = [value, changed, [encoder.encode(own[label]) for label in changed]]
    else:
        about["value"], about["changed"] = value, changed
    return about


def _view(result: Any, own: dict[Any, Any]) -> list[Any] | None:
    """Of which argument an array shows a part, and which."""
    if type(result) is not np.ndarray or result.base is None or result.dtype.hasobject:
        return None
    for label, value in own.items():
        if type(value) is np.ndarray and value is not result and np.may_share_memory(value, result):
            where, start = (array.__array_interface__["data"][0] for array in (result, value))
            return [label, where - start, list(result.strides)]
    return None


def _replies(calls: list[Call], decoder: Decoder, encoder: Encoder) -> Iterator[Reply]:
    """The reply of each call, up to the first that fails, which is made again alone and tells then."""
    for call in calls:
        try:
            own = resolve(call["handle"])
            yield _call(getattr(own, call["method"]) if "method" in call else own, call, decoder, encoder)
        except KeyboardInterrupt:
            raise
        except BaseException:
            return


def _derive(name: str, bases: tuple[Any, ...], body: dict[str, Any]) -> type:
    """A class that the test derives from a student's: it lives here, beside its bases."""
    kind = types.new_class(name, bases, exec_body=lambda space: space.update(body))
    for value in body.values():  # what `super()` without arguments looks into
        function = getattr(value, "__func__", getattr(value, "fget", value))
        if isinstance(function, types.FunctionType) and "__class__" in function.__code__.co_freevars:
            (function.__closure__ or ())[function.__code__.co_freevars.index("__class__")].cell_contents = kind
    return kind


def _next(iterator: Any, count: int, encoder: Encoder, owns: list[Any]) -> Items:
    """Up to `count` items. What ends them comes after those that there are. `owns` gets the parameters of networks among them."""
    items: list[Any] = []
    while len(items) < count:
        try:
            items.append(encoder.encode(item := next(iterator)))
            owns += [
                [len(items) - 1, part, _handle(one)]
                for part, one in enumerate(item if type(item) is tuple else (item,))
                if type(one).__name__ == "Parameter"
            ]
        except StopIteration:
            return {"items": items, "end": True}
        except (Refused, Exception) as error:
            if not items:
                raise
            return {"items": items, **({"refused": str(error)} if isinstance(error, Refused) else {"error": describe_error(error, _handle)})}
    return {"items": items}


def _one_name(name: str, names: dict[str, Any], encoder: Encoder) -> Name:
    """One name as `{"value": ...}`, `{"missing": true}` or `{"refused": sentence}`; one bad name must not hide others."""
    if name not in names:
        return {"missing": True}
    try:
        return {"value": encoder.encode(names[name])}
    except Refused as refusal:
        encoder.known = None  # the other end knows less containers than were written
        return {"refused": str(refusal)}


def _photograph(values: list[Any]) -> list[Any]:
    """The content of each argument now, to compare with later. Objects that are not plain values do not count."""
    return [_content(value) for value in values]


def _content(value: Any) -> Any:
    if isinstance(value, FIXED):
        return None
    if (quick := arrays.content(value, slopes=False)) is not None:
        return quick
    encoder = Encoder(lambda *_: ["object"], _most_bytes, lazy=True)
    encoder.slopes = False
    with contextlib.suppress(Refused):
        return encoder.finish(encoder.encode(value))
    return None


def _encode_object(value: Any, _buffers: list[Any]) -> list[Any]:
    kind = type(value)
    if kind is types.ModuleType:
        return ["module", str(value.__name__)]
    if isinstance(value, type) and value in (*BROAD_ERRORS, BaseException):
        return ["any_error"]
    name = f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.").removeprefix("__main__.")
    for base in kind.__mro__[1:]:
        if base.__module__ in ("numpy", "torch", "pandas") and base.__name__ in ("ndarray", "Tensor", "DataFrame", "Series"):
            raise Refused(f"it is a {name}: use a plain {base.__module__}.{base.__name__}")
    if isinstance(value, type):
        return ["handle", _handle(value), "class", str(value.__name__)[:80]]
    if kind in (types.FunctionType, types.MethodType) or kind in BUILTIN:
        role = {types.FunctionType: "function", types.MethodType: "method"}.get(kind, "builtin")
        return ["handle", _handle(value), role, str(getattr(value, "__name__", ""))[:80]]
    if kind in ITERATORS:
        return ["handle", _handle(value), "generator" if kind is types.GeneratorType else "iterator", name[:80]]
    return ["object", _handle(value), _handle(kind), name[:80]]


def _handle(value: Any) -> int:
    number = _numbers.get(id(value))
    known = None if number is None else _handles[number]
    if number is None or (known() if type(known) is _Freed else known) is not value:
        number = _numbers[id(value)] = len(_handles)
        _handles.append(value)
    _handles[number] = value
    return number
