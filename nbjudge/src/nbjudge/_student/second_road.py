"""The second road in a student kernel: tests are judged on a thread of their own; see `nbjudge._student.test_thread`.

What is here runs on the kernel's main thread, as the student's code does, and that may change all of it. It carries words that it cannot read to
that thread, and calls what it has called here.
"""

from __future__ import annotations

import _thread
import base64
import gc
import importlib
import marshal
import os
import sys
import time
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nbjudge._wire.requests import BeginTests

THREAD = "nbjudge._student.test_thread"  # what the other text imports, of what was loaded beside it
MAGICS = ("run_line_magic", "run_cell_magic")
CALL = "_nbjudge_call[0](*_nbjudge_call[1], **_nbjudge_call[2])"
_names: dict[str, Any] = {}
_box: list[Any] = []
_to_judge, _to_main = _thread.allocate_lock(), _thread.allocate_lock()
_codes: dict[int, Any] = {}
_prefixes: tuple[str, ...] = ()
_texts: list[types.CodeType] = []


def prepare() -> None:
    """In the warm process: what a kernel needs that it could not find out later."""
    global _prefixes
    own = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    found = {sys.prefix, sys.base_prefix, own, *(path for path in sys.path if path and os.path.isabs(path))}
    _prefixes = tuple(sorted(f"{path.rstrip('/')}/" for path in found if path != "/"))
    note_codes()
    for name in ("test_thread.py", "test_operations.py"):
        text = Path(__file__).with_name(name)
        _texts.append(compile(text.read_bytes(), str(text), "exec", dont_inherit=True))


def note_codes() -> None:
    """Know the functions of libraries whose code stands in no file, as those of named tuples. Objects that are frozen are not looked at."""
    for thing in gc.get_objects():
        if type(thing) is types.FunctionType and not thing.__code__.co_filename.startswith(_prefixes):
            _codes[id(thing.__code__)] = thing.__code__


def begin(request: BeginTests, names: dict[str, Any]) -> str:
    """Before a cell has run: start the thread of the tests. Returns what its verdicts are sealed with."""
    global _names
    _names = names
    for module in request["modules"]:
        try:
            importlib.import_module(module)
        except Exception:  # whoever needs it says so
            continue
    note_codes()
    _to_judge.acquire()
    _to_main.acquire()
    about: dict[str, Any] = {
        "judging": frozenset(request["judging"]),
        "words": frozenset(request["words"]),
        "trusted": frozenset(request["trusted"]),
        "rebuilt": request["rebuilt"],
        "helpers": {name: marshal.loads(bytes.fromhex(code)) for name, code in request["helpers"].items()},
        "prefixes": _prefixes,
        "own_file": __file__,
        "students": names,
    }
    streams: Any = sys.stdout, sys.stderr
    for stream in streams:  # so that how many threads there are is known
        stream._sent = time.monotonic()
        stream._schedule_flush()
    code = _forget_ways_out()
    about["codes"] = {**_codes, id(code): code}
    usual = __import__

    def import_there(name: str, *about: Any) -> Any:
        return types.SimpleNamespace(**space) if name == THREAD else usual(name, *about)

    builtins = {**vars(usual("builtins")), "__import__": import_there}
    space: dict[str, Any] = {"__name__": "nbjudge tests", "__builtins__": builtins}
    for text in _texts:
        exec(text, space)
    builtins["__import__"] = usual
    public = {"items": Items, "call_back": call_back, "stdout": sys.stdout, "serving": _serve.__code__, "main": _thread.get_ident()}
    return str(space["start"](_box, _to_judge, _to_main, public, about))


def _forget_ways_out() -> types.CodeType:
    """Have Python's import system not make code look like somebody else's. Returns the code of what stands there now."""
    imp: Any = sys.modules["_imp"]
    create = imp.create_builtin

    def create_builtin(spec: Any) -> Any:
        if spec.name in ("_imp", "gc", "_signal", "marshal", "_thread") and spec.name in sys.modules:
            return sys.modules[spec.name]
        return create(spec)

    imp.create_builtin = create_builtin
    imp._fix_co_filename = {}.get
    return create_builtin.__code__


def carry(words: str) -> str:
    """Have the thread of the tests read `words`. Returns what it says."""
    _box.append(("words", base64.b64decode(words)))
    _to_judge.release()
    found = _serve()
    return base64.b64encode(found).decode() if isinstance(found, bytes) else ""


def _serve() -> Any:
    """Call what the thread of the tests has called here, until it says what comes of it all."""
    while True:
        _to_main.acquire()
        kind, *rest = _box.pop()
        if kind == "call":
            function, arguments, keywords = rest
            result: tuple[Any, ...]
            try:
                if getattr(function, "__name__", "") in MAGICS:  # looks at the names of the frame that calls it
                    result = "gave", eval(CALL, {"_nbjudge_call": (function, arguments, keywords)}, _names)
                else:
                    result = "gave", function(*arguments, **keywords)
            except BaseException as error:
                result = "raised", error, list(_lines(error))
            _box.append(result)
            _to_judge.release()
            del function, arguments, keywords, result
        elif kind == "error":
            raise rest[0]
        else:
            return rest[0]


def call_back(token: int, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """Call a function of a test's, where the tests run."""
    _box.append(("callback", token, arguments, keywords))
    _to_judge.release()
    return _serve()


def _lines(error: BaseException) -> Iterator[int]:
    """The lines of the notebook's cells by which an error came."""
    trace = error.__traceback__
    while trace is not None:
        if not trace.tb_frame.f_code.co_filename.startswith(_prefixes):
            yield trace.tb_lineno
        trace = trace.tb_next


class Items:
    """A generator of a test's, for a student's code."""

    _token: int

    def __iter__(self) -> Items:
        return self

    def __next__(self) -> Any:
        return call_back(self._token, (), {})
