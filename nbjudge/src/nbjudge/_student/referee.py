"""Judges tests in a kernel of the second road, on a thread of its own. `nbjudge._student.second_road` loads this text where no module is.

The test's own frames, names and expected values, and what seals its verdict, are on this thread only. What may run a student's code is handed
to the main thread, by `hand`, and what comes back is the student's word. A profile function on this thread sees each Python function before it
begins: where a student's would run here, the test is over, and the kernel with it. So nothing of a student's runs between a result and its
judgement. Everything here uses what was there before the student's code ran; nothing is looked up in a module that a student can reach.
"""

from __future__ import annotations

import _thread
import builtins as _builtins
import hashlib as _hashlib
import marshal as _marshal
import operator as _operator
import os as _os
import re as _re
import signal as _real_signal
import sys as _sys
import types as _types
from collections.abc import Callable
from typing import Any

if True:  # bound here, so that what a student changes of a module makes no difference
    new_lock, thread_of_caller, threads = _thread.allocate_lock, _thread.get_ident, _thread._count
    shake, keyed = _hashlib.shake_256, _hashlib.blake2b
    loads, dumps = _marshal.loads, _marshal.dumps
    is_same, modules, set_profile, get_profile = _operator.is_, _sys.modules, _sys.setprofile, _sys.getprofile
    Function, Method, Code, Module, Builtin, Generator = (
        _types.FunctionType,
        _types.MethodType,
        _types.CodeType,
        _types.ModuleType,
        _types.BuiltinFunctionType,
        _types.GeneratorType,
    )
    read_link, urandom = _os.readlink, _os.urandom
    frame_of, frames_now, set_interval = _sys._getframe, _sys._current_frames, _sys.setswitchinterval
    handler_of, usual_interval = __import__("_signal").getsignal, _sys.getswitchinterval()
    Frame, Trace = _types.FrameType, _types.TracebackType
    collect_off, collect_on = __import__("gc").disable, __import__("gc").enable
    OPERATORS = {
        **{name: getattr(_operator, name) for name in "add sub mul matmul truediv floordiv mod pow lshift rshift xor pos neg invert".split()},
        "or": _operator.or_,
        "and": _operator.and_,
        **{name: getattr(_operator, name) for name in "eq ne lt le gt ge".split()},
    }
    IN_PLACE = {name: getattr(_operator, f"i{name}", OPERATORS[name]) for name in OPERATORS if name not in ("pos", "neg", "invert", "or", "and")}
    IN_PLACE |= {"or": _operator.ior, "and": _operator.iand}
    any_error: Any = BaseException
    any_function: Any = Function
    ARGUMENTS, CODE, CLOSURE = any_error.args.__get__, any_function.__code__.__get__, any_function.__closure__.__get__
    SET_TRACE, SET_CONTEXT = any_error.__traceback__.__set__, any_error.__context__.__set__
    mro_of, space_of = type.__dict__["__mro__"].__get__, type.__dict__["__dict__"].__get__
    C_TYPES = (
        Builtin,
        _types.MethodWrapperType,
        _types.WrapperDescriptorType,
        _types.MethodDescriptorType,
        _types.ClassMethodDescriptorType,
        type(_types.FunctionType.__code__),
        type(_types.FunctionType.__closure__),
        property,
        staticmethod,
        classmethod,
    )

ATOMS = frozenset({int, float, complex, bool, str, bytes, type(None), type(...), type(NotImplemented), range, bytearray, memoryview})
BUILTINS = dict(vars(_builtins))
ITERATING = {BUILTINS[name] for name in "zip enumerate map filter list tuple set frozenset sorted sum any all min max iter dict reversed".split()}
CHECKER = _re.compile(r"assert|raises|warns|^fail|allclose|isclose|equal|approx|^eq$|^ne$|compare|close_to", _re.IGNORECASE).search
ORDERING = {BUILTINS[name] for name in "sorted min max sum".split()}
HASHING = {set, frozenset, dict}
MAIN_ONLY = frozenset(
    "sqlite3 _sqlite3 signal _signal asyncio pickle _pickle cloudpickle dill joblib yaml marshal shelve runpy doctest timeit subprocess".split()
)
RUNS_TEXT = {"load", "read_pickle", "eval", "query", "sympify", "parse_expr", "S", "lambdify", "system", "popen"}  # in libraries that are named next
OF_THESE = frozenset("torch numpy pandas scipy sympy os posix nt numexpr".split())
MAKES_CODE = ("/collections/__init__.py", "/dataclasses.py", "/typing.py", "/enum.py", "/attr/_make.py")
# What can pass for another value: allowed where the solution's cells have such a word.
DOUBTFUL = {
    "a masked array": ("mask", "log", "sqrt", "divide", "invalid"),
    "a matrix": ("matrix", "mat"),
    "a sparse matrix": ("sparse", "csr", "csc", "coo", "tfidf", "vectorizer"),
    "a table with an order or missing values of its own": ("categor", "cut", "int64", "boolean", "convert_dtypes", "na", "nat", "dtype_backend"),
    "a named tuple": ("namedtuple", "return_types"),
    "functions among its items": ("functions among items",),
}
BACKWARD = ("backward", "grad")
QUICK = (
    "builtins math cmath operator _operator functools itertools collections random json re string statistics decimal fractions unittest numbers copy "
    "types typing inspect io contextlib warnings datetime os.path posixpath numpy pandas pytest _pytest scipy sklearn"
).split()
TORCH = ("torch", "torch._tensor", "torch.functional", "torch.nn.functional", "torch.linalg", "torch.testing", "torch.testing._comparison")
REFUSED_EVENTS = frozenset(
    {"gc.get_objects", "gc.get_referrers", "gc.get_referents", "sys._current_frames", "sys._current_exceptions", "sys.addaudithook"}
    | {"sys.monitoring.register_callback", "cpython.run_interactivehook", "code.__new__", "marshal.loads", "marshal.load"}
)
FRAMES = frozenset({"gi_frame", "cr_frame", "ag_frame", "tb_frame"})
SEES = "a check would ask an object of the student's own class, which could answer anything"
HEAP = 1 << 9  # of a class that Python code has made
EXTENSIONS = ("CategoricalDtype", "BooleanDtype", "ArrowDtype", "SparseDtype")
ASKING = ("hasattr", "callable", "issubclass", "iscoroutinefunction", "isgeneratorfunction")
CHANGES = "`{name}` changed its argument, which the exercise leaves as it is: work on a copy of it"
MOST_WATCHED, MOST_BYTES = 16, 1 << 22  # values that a function may not change, and the size of one
STILL = "threads, or handlers of signals, that the notebook has started are still there"
LOOKS_AROUND = frozenset("globals locals vars dir eval exec compile __import__ input breakpoint".split())
SIGNALS = tuple(range(1, 65))
NEVER = 1e6  # seconds until another thread has its turn, while something is judged
SAYS_NO = "not in a kernel of the second road"


REFUSED = {"types": ["Refused"], "line": 0, "at": 0, "students": False, "library": False, "refused": True, "name": ""}


class Stop(BaseException):
    """The test cannot be judged further."""


class Refused(Exception):
    """A value that cannot be checked."""


def start(box: list[Any], to_judge: Any, to_main: Any, public: dict[str, Any], about: dict[str, Any]) -> str:
    """Begin, before anything of the student's has run. Returns what the verdicts are sealed with."""
    secret = urandom(32)
    _thread.start_new_thread(Referee(box, to_judge, to_main, public, about, secret).serve, ())
    to_main.acquire()  # until it is there
    return secret.hex()


def sealed(secret: bytes, label: bytes, plain: bytes) -> bytes:
    """`plain`, to be read and written by whoever has the secret."""
    stream = int.from_bytes(shake(secret + label).digest(len(plain)), "big")
    hidden = (int.from_bytes(plain, "big") ^ stream).to_bytes(len(plain), "big")
    return keyed(label + hidden, key=secret, digest_size=32).digest() + hidden


def opened(secret: bytes, label: bytes, words: bytes) -> bytes | None:
    """What was sealed; None where somebody else has written it."""
    plain = sealed(secret, label, words[32:])
    return plain[32:] if sealed(secret, label, plain[32:]) == words else None


class World(dict[str, Any]):
    """The names of the tests; what these and the instructor have not made is the notebook's."""

    def __init__(self, students: dict[str, Any], own: dict[str, Any]):
        super().__init__(own)
        self.students, self.rebound = students, frozenset[str]()

    def __missing__(self, name: str) -> Any:
        if name in BUILTINS and name not in self.rebound:
            raise KeyError(name)
        return self.students[name]


class Referee:
    def __init__(self, box: list[Any], to_judge: Any, to_main: Any, public: dict[str, Any], about: dict[str, Any], secret: bytes):
        self.box, self.to_judge, self.to_main, self.secret = box, to_judge, to_main, secret
        self.items, self.call_back, self.stdout = public["items"], public["call_back"], public["stdout"]
        self.serving, self.main, self.looks = public["serving"], public["main"], False
        self.handlers = {one: handler_of(one) for one in SIGNALS if one not in (_real_signal.SIGINT, 32, 33)}
        self.trusted: frozenset[str] = about["trusted"]
        self.judging: frozenset[str] = about["judging"]
        self.words: frozenset[str] = about["words"]
        self.prefixes, self.own_file = about["prefixes"], about["own_file"]
        self.codes: dict[int, Any] = dict(about["codes"])  # of functions that are nobody's in particular, by their ids
        self.tests_codes: dict[int, Any] = {}
        self.rebuilt = frozenset(about["rebuilt"])
        self.helpers: dict[str, Any] = about["helpers"]
        self.changed_by_tests: set[tuple[int, str]] = set()
        self.count, self.thread = 0, 0
        self.mine: dict[int, Any] = {}
        self.inner: dict[int, Any] = {}  # of each function that the student's code is given: the test's own
        self.tokens: list[Any] = []
        self.dirty, self.printed = True, list[str]()
        self.lent_out: dict[int, Any] = {}
        self.raised: list[tuple[BaseException, Any]] = []
        builtins = {**BUILTINS, "__import__": self.imported, "print": self.show}
        hooks = {f"_nb_{name.removeprefix('do_')}": getattr(self, name) for name in dir(self) if name.startswith("do_")}
        self.world = World(about["students"], {"__builtins__": builtins, "__name__": "__main__", **hooks})
        self.world["display"] = self.show
        builtins["__build_class__"] = self.built
        self.known: dict[int, Any] = {}
        self.clock = 0

    # The thread.

    def serve(self) -> None:
        self.thread = thread_of_caller()
        self.note_own(Referee.serve.__globals__)
        self.photograph()
        _sys.addaudithook(self.audit)
        self.lookup = capsule(self)
        next(self.lookup)
        self.threads = threads()
        self.watching = self.watch
        self.looks = True
        set_profile(self.watching)
        self.looks = False
        self.to_main.release()
        while True:
            _, words = self.heard()
            self.tell(("done", self.answer(words)))

    def tell(self, words: tuple[Any, ...]) -> None:
        self.box.append(words)
        self.to_main.release()

    def heard(self) -> Any:
        self.to_judge.acquire()
        return self.box.pop()

    def answer(self, words: bytes) -> bytes:
        label = b"%d to judge" % self.count
        text = opened(self.secret, label, words)
        if text is None:
            return b""
        about = loads(text)
        self.count += 1
        self.printed, self.stopped = [], ""
        self.lent_out.clear()
        collect_off()
        set_interval(NEVER)
        try:
            result = self.judge(about)
        finally:
            set_interval(usual_interval)
            collect_on()
        if threads() > self.threads:
            result = {"kind": "ended", "message": STILL}
        elif self.stopped:
            result = {"kind": "raised", **REFUSED, "message": self.stopped, "broken": []}
        self.drop_traces()
        return self.seal(result)

    def seal(self, result: dict[str, Any]) -> bytes:
        result["printed"] = "".join(self.printed)[:20_000]
        return sealed(self.secret, b"%d judged" % self.count, dumps(result))

    def judge(self, about: dict[str, Any]) -> dict[str, Any]:
        """Run what the instructor gave above a test, and the test."""
        self.restore(self.everything)
        self.mirrored, self.volatile, self.pushed = about["mirrors"], about["volatile"], dict[str, Any]()
        for module, name in about["patches"]:
            if module in modules:
                self.changed_by_tests.add((id(vars(modules[module])), name))
        broken = []
        for names, code in about["steps"]:
            self.note_code(code, True)
            try:
                exec(code, self.world)
            except Exception as error:
                broken += [[name, f"{type(error).__name__}: {error}"] for name in names]
        for name in about["students"]:
            self.world.pop(name, None)
        self.world.rebound = frozenset(about["students"])
        self.note_code(about["body"], True)
        try:
            exec(about["body"], self.world)
            value = None
            if about["last"] is not None:
                self.note_code(about["last"], True)
                value = eval(about["last"], self.world)
        except Stop:
            return {"kind": "ended", "message": STILL, "broken": broken}
        except BaseException as error:
            return {**self.told(error, about["name"]), "broken": broken}
        finally:
            self.push()
        return {"kind": "end", "value": self.number(value), "broken": broken}

    def number(self, value: Any) -> Any:
        """The number that a test's last line gives, or None where it gives none."""
        if type(value) in (int, float):
            return float(value)
        kind = type(value)
        if kind.__module__ == "numpy" and self.is_clean(value) and kind.__name__.startswith(("float", "int", "uint")):
            return float(value)
        return None

    def told(self, error: BaseException, name: str) -> dict[str, Any]:
        """What is said of what a test raised."""
        kind, students, line, at, library = type(error), False, 0, 0, False
        trace: Any = error.__traceback__
        for raised, theirs in self.raised:
            students = students or raised is error
            if raised is error and theirs:
                at = theirs[-1]
        last = ""
        while trace is not None:
            last = trace.tb_frame.f_code.co_filename
            line, trace = trace.tb_lineno if last == name else line, trace.tb_next
        library = not students and last.startswith(self.prefixes) and last != self.own_file
        text = self.text_of(error)
        names = [one.__name__ for one in mro_of(kind)]
        return {
            "kind": "raised",
            "types": names,
            "message": text[:5000],
            "line": line,
            "at": at,
            "students": students,
            "library": library,
            "refused": kind is Refused,
            "name": error.name if isinstance(error, NameError) and type(error.name) is str else "",
        }

    def text_of(self, error: BaseException) -> str:
        if self.is_trusted(type(error)):
            arguments = ARGUMENTS(error)
            if all(self.is_clean(one) for one in arguments):
                return str(error)
            [text] = [one for one in arguments if type(one) is str][:1] or [""]
            return text
        try:
            text = self.hand(str, (error,), {})
        except Exception:
            return ""
        return text if type(text) is str else ""

    # What a student's code could do to it.

    def watch(self, frame: Any, event: str, _: Any) -> None:
        """The profile function of this thread: nothing of a student's begins here."""
        if event == "call" and not self.knows(frame.f_code):
            self.end(f"`{frame.f_code.co_name}` of the notebook would run while a check is made")

    def end(self, why: str) -> None:
        """A verdict, and the end of this thread's work."""
        self.tell(("done", self.seal({"kind": "refused", "message": why})))
        nobody = new_lock()
        nobody.acquire()
        nobody.acquire()

    def knows(self, code: Any) -> bool:
        if id(code) in self.codes:
            return True
        file = code.co_filename
        if (file.startswith(self.prefixes) and file != self.own_file) or file.startswith("<frozen "):
            self.codes[id(code)] = code
            return True
        return False

    def note_code(self, code: Any, is_tests: bool = False) -> None:
        self.codes[id(code)] = code
        if is_tests:
            self.tests_codes[id(code)] = code
        for one in code.co_consts:
            if type(one) is Code:
                self.note_code(one, is_tests)

    def note_own(self, names: dict[str, Any]) -> None:
        for thing in names.values():
            if type(thing) is Function:
                self.note_code(thing.__code__)
            elif type(thing) is type and thing.__module__ == names["__name__"]:
                for one in space_of(thing).values():
                    if type(one) is Function:
                        self.note_code(one.__code__)

    def audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if thread_of_caller() == self.thread:
            if event == "exec" and type(arguments[0]) is Code:
                maker = frame_of(1).f_code.co_filename
                if maker.startswith(self.prefixes) and (maker.endswith(MAKES_CODE) or self.imports()):
                    self.note_code(arguments[0])
            elif ((event in REFUSED_EVENTS and event.startswith(("gc.", "sys."))) or event in ("sys.setprofile", "sys.settrace")) and not self.looks:
                raise RuntimeError(SAYS_NO)
            return
        if event in REFUSED_EVENTS:
            if event == "code.__new__" and not arguments[1].startswith(self.prefixes):
                return
            if event.startswith("marshal.") and self.reads_a_library():
                return
            raise ImportError(f"{event}: {SAYS_NO}") if event.startswith("marshal") else RuntimeError(f"{event}: {SAYS_NO}")
        if event == "object.__getattr__":
            own = id(arguments[0]) in self.inner if arguments[1] == "__code__" else type(arguments[0]) is Generator and arguments[1] in FRAMES
            if own and (arguments[1] == "__code__" or id(arguments[0].gi_code) in self.tests_codes):
                raise RuntimeError(SAYS_NO)
        elif event in ("object.__setattr__", "object.__delattr__"):
            if type(arguments[0]) is Function and arguments[1] in ("__code__", "__defaults__", "__kwdefaults__"):
                if id(arguments[0]) in self.inner or self.knows(CODE(arguments[0])):
                    raise RuntimeError(SAYS_NO)
        elif event == "compile":
            name = arguments[1]
            if type(name) is bytes:
                name = name.decode(errors="replace")
            if type(name) is str and name.startswith(self.prefixes) and not self.is_text_of(name, arguments[0]):
                raise RuntimeError(SAYS_NO)
        elif event == "open":
            self.look_at_path(arguments[0])
        elif event.startswith("ctypes.") and not self.from_a_library("ctypes"):
            raise RuntimeError(f"{event}: {SAYS_NO}")

    def imports(self) -> bool:
        """Whether a library's module is being made."""
        frame: Any = frame_of(2)
        while frame is not None:
            if frame.f_code.co_name == "exec_module" and frame.f_code.co_filename == "<frozen importlib._bootstrap_external>":
                return True
            frame = frame.f_back
        return False

    def look_at_path(self, path: Any) -> None:
        for _ in range(9):
            if type(path) is bytes:
                path = path.decode(errors="replace")
            if type(path) is not str:
                return
            if path.split("/")[-1] == "mem":
                raise PermissionError(f"{path}: {SAYS_NO}")
            try:
                path = read_link(path)
            except (OSError, ValueError):
                return

    def reads_a_library(self) -> bool:
        frame: Any = frame_of(2)
        if frame.f_code.co_filename != "<frozen importlib._bootstrap_external>":
            return False
        path = frame.f_locals.get("bytecode_path")
        return type(path) is str and path.startswith(self.prefixes)

    def from_a_library(self, but: str) -> bool:
        frame: Any = frame_of(2)
        while frame is not None and f"/{but}/" in frame.f_code.co_filename:
            frame = frame.f_back
        return frame is not None and self.knows(frame.f_code)

    def is_text_of(self, path: str, text: Any) -> bool:
        try:
            with open(path, "rb") as file:
                return type(text) is bytes and file.read() == text
        except OSError:
            return False

    # What libraries were.

    def photograph(self) -> None:
        """Remember what modules hold, and classes of those that judge."""

        def is_quick(name: str) -> bool:
            return name.split(".")[0] in QUICK or name in QUICK or name in TORCH

        self.modules = dict(modules)
        self.known, self.later = {id(module): module for module in self.modules.values()}, dict[int, Any]()
        self.kinds, left = {id(object): object}, [object]
        while left:
            new = [one for one in type.__subclasses__(left.pop()) if id(one) not in self.kinds]
            self.kinds.update((id(one), one) for one in new)
            left += new
        spaces = {name: vars(module) for name, module in self.modules.items() if type(module) is Module}
        skipped = ("sys", "__main__", "os", "threading", "_thread", "logging", "linecache", "weakref", "gc")
        every = {name: space for name, space in spaces.items() if name not in skipped and not name.startswith(("nbjudge", "IPython", "ipykernel"))}
        self.everything = [(space, list(space), list(space.values())) for space in every.values()]
        quick = {id(space): space for name, space in every.items() if is_quick(name)}
        self.quick = [one for one in self.everything if id(one[0]) in quick]
        self.classes = []
        self.contents: list[tuple[Any, Any]] = []
        seen = set()
        for space in quick.values():
            for thing in space.values():
                if isinstance(thing, type) and id(thing) not in seen and thing.__flags__ & HEAP:
                    seen.add(id(thing))
                    own = space_of(thing)
                    self.classes.append((thing, own, list(own), list(own.values())))
                elif type(thing) in (dict, list, set) and id(thing) not in seen and 0 < len(thing) < 1000 and space.get("__builtins__") is not thing:
                    seen.add(id(thing))
                    self.contents.append((thing, type(thing)(thing)))

    def restore(self, spaces: list[Any]) -> None:
        """Put back what is not as it was."""
        self.dirty = False
        for name, module in self.modules.items():
            if modules.get(name) is not module:
                modules[name] = module
        for space, names, values in spaces:
            if len(space) < len(names) or not all(map(is_same, space.values(), values)):
                self.put_back(space, names, values, space.__setitem__, space.pop)
        for thing, space, names, values in self.classes:
            if len(space) != len(names) or not all(map(is_same, space.values(), values)):
                self.put_back(
                    space,
                    names,
                    values,
                    lambda name, value, of=thing: type.__setattr__(of, name, value),
                    lambda name, of=thing: type.__delattr__(of, name),
                )
        for content, before in self.contents:
            if type(content) is dict:
                if len(content) != len(before) or not all(map(is_same, content.values(), before.values())):
                    content.clear()
                    content.update(before)
            elif type(content) is list and (len(content) != len(before) or not all(map(is_same, content, before))):
                content[:] = before

    def put_back(self, space: Any, names: list[str], values: list[Any], write: Callable[..., Any], remove: Callable[..., Any]) -> None:
        for name, value in zip(names, values):
            if space.get(name, self) is not value and (id(space), name) not in self.changed_by_tests and name not in self.rebuilt:
                write(name, value)
        if not isinstance(space, dict):
            known = set(names)
            for name in [one for one in space if one not in known and one not in self.rebuilt]:
                if name.startswith("__") and name.endswith("__") and name not in ("__doc__", "__module__"):
                    remove(name)

    def look(self) -> None:
        """Before something is judged: libraries are as they were, and nothing of the student's goes on."""
        self.looks = True
        top = frames_now().get(self.main)
        self.looks = False
        if threads() > self.threads or top is None or top.f_code is not self.serving or get_profile() is not self.watching:
            raise Stop
        if any(handler_of(one) is not self.handlers[one] for one in SIGNALS if one in self.handlers):
            raise Stop
        if self.dirty:
            self.clock += 1
            if self.clock < 300 or int.from_bytes(urandom(2), "big") % (self.clock // 100) == 0:
                self.restore(self.quick)
            self.dirty = False

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

    # What is whose.

    def is_trusted(self, thing: Any) -> bool:
        """Whether a function, class or module is the library's or the test's, and no student's."""
        kind = type(thing)
        if kind is Function:
            return id(thing) in self.inner or (self.knows(CODE(thing)) and self.closes_over_nothing(thing))
        if kind in C_TYPES or kind is Module:
            return kind is not Module or id(thing) in self.known or id(thing) in self.mine
        if isinstance(thing, type):
            return all(self.is_trusted_class(one) for one in mro_of(thing))
        return False

    def closes_over_nothing(self, function: Any, depth: int = 0) -> bool:
        """Whether a library's function has no function of the student's in it, as those have that decorators make."""
        for cell in CLOSURE(function) or ():
            try:
                inner = cell.cell_contents
            except ValueError:
                continue
            if type(inner) in (Function, Method) or isinstance(inner, type):
                if depth > 5 or not self.is_trusted(inner):
                    return False
        return True

    def is_trusted_class(self, kind: type) -> bool:
        if id(kind) in self.kinds or id(kind) in self.mine or not kind.__flags__ & HEAP:
            return True
        module = self.known.get(id(modules.get(kind.__module__)))  # of a library that was imported later
        found: Any = module
        for word in kind.__qualname__.split(".") if module is not None else ():
            found = (space_of(found) if isinstance(found, type) else vars(found)).get(word)
            if found is None:
                return False
        functions = [one for one in space_of(kind).values() if type(one) is Function]
        return found is kind and id(module) in self.later and all(self.knows(CODE(one)) for one in functions)

    def is_clean(self, thing: Any, depth: int = 0) -> bool:
        """Whether no code of a student's runs by what is done with it."""
        kind = type(thing)
        if kind in ATOMS or (id(thing) in self.mine and (not isinstance(thing, type) or self.is_trusted(thing))):
            return True
        if id(kind) in self.mine and self.is_trusted(kind):
            return True
        if kind in (tuple, list, set, frozenset):
            return depth < 20 and all(self.is_clean(one, depth + 1) for one in thing)
        if kind is dict:
            return depth < 20 and all(self.is_clean(one, depth + 1) for pair in thing.items() for one in pair)
        if kind is slice:
            return self.is_clean((thing.start, thing.stop, thing.step))
        if kind in (Function, Module) or kind in C_TYPES or isinstance(thing, type):
            if kind in C_TYPES and type(owner := getattr(thing, "__self__", None)) is not Module and owner is not None:
                return self.is_clean(owner, depth + 1)
            return self.is_trusted(thing)
        if kind is Generator:
            return id(thing.gi_code) in self.tests_codes
        if kind is Method:
            return self.is_trusted(thing.__func__) and self.is_clean(thing.__self__, depth + 1)
        name = f"{kind.__module__}.{kind.__name__}"
        if not self.is_trusted(kind):
            return False
        if name == "numpy.ndarray":
            return not thing.dtype.hasobject or (depth < 3 and all(self.is_clean(one, depth + 1) for one in thing.ravel().tolist()))
        if name in ("torch.Tensor", "torch.nn.parameter.Parameter"):
            return not vars(thing)
        if name.startswith("pandas.") and kind.__name__ in ("DataFrame", "Series"):
            return self.is_clean(thing.to_numpy(), depth + 1) if depth < 3 else False
        root = kind.__module__.split(".")[0]
        if isinstance(thing, BaseException):
            return depth < 5 and root == "builtins" and self.is_clean(ARGUMENTS(thing), depth + 1)
        if root in ("numpy", "datetime", "decimal", "fractions", "pandas", "pathlib", "re", "uuid"):
            return not isinstance(getattr(thing, "__dict__", None), dict) or root in ("pandas", "pathlib", "numpy")
        return name in ("torch.Size", "torch.dtype", "torch.device", "torch.Generator", "builtins.mappingproxy", "builtins.dict_keys")

    def kept(self, thing: Any) -> Any:
        """What was made here. Raises where it leads to this thread, as a student's name for a function of a library may."""
        if self.leads_here(thing):
            raise self.refuse()
        return self.keep(thing)

    def leads_here(self, thing: Any, depth: int = 0) -> bool:
        kind = type(thing)
        if kind in (Frame, Trace) or thing is self or thing is self.world or (kind is Method and thing.__self__ is self):
            return True
        if kind is dict and thing.get("Referee") is Referee:
            return True
        inner = thing[:50] if kind in (list, tuple) or kind.__name__ == "FrameInfo" else ()
        return depth < 3 and any(self.leads_here(one, depth + 1) for one in inner)

    def keep(self, thing: Any) -> Any:
        """What the test itself has made."""
        kind = type(thing)
        if kind not in ATOMS and kind not in (list, tuple, dict, set, frozenset) and kind.__name__ not in ("ndarray", "Tensor"):
            self.mine[id(thing)] = thing
        return thing

    def plain(self, thing: Any) -> Any:
        """The plain part of an object whose class is derived from a plain one; the thing itself otherwise."""
        if self.is_clean(thing):
            return thing
        bases = mro_of(type(thing))
        for base in bases[1:] if not self.is_trusted(type(thing)) else bases:
            name = f"{base.__module__}.{base.__name__}"
            if base in (int, float, complex, str, bytes):
                return base.__getnewargs__(thing)[0] if base is not int and hasattr(base, "__getnewargs__") else int.__add__(thing, 0)
            if base in (list, tuple):
                return base([base.__getitem__(thing, number) for number in range(base.__len__(thing))])
            if base is dict:
                return dict(zip(dict.keys(thing), dict.values(thing)))
            if name == "numpy.ndarray":
                return base.view(thing, base)
            if name == "torch.Tensor":
                with modules["torch"]._C.DisableTorchFunctionSubclass():
                    return base.detach(base.as_subclass(thing, base))
        return thing

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
        if kind is Bridge or (kind is Method and type(function.__self__) is Referee):
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

    def __init__(self, referee: Referee, theirs: Any):
        self.referee, self.theirs = referee, theirs

    def __iter__(self) -> Bridge:
        return self

    def __next__(self) -> Any:
        return self.referee.hand(next, (self.theirs,), {})


class Within:
    """A student's context manager. It says yes to an error only where the solution's does, and never to a failed check."""

    def __init__(self, referee: Referee, theirs: Any):
        self.referee, self.theirs = referee, theirs

    def __enter__(self) -> Any:
        return self.referee.hand(_operator.methodcaller("__enter__"), (self.theirs,), {})

    def __exit__(self, kind: Any, error: Any, _: Any) -> bool:
        is_check = error is not None and (isinstance(error, (AssertionError, Refused)) or not isinstance(error, Exception))
        given = (None, None, None) if error is None or is_check else (kind, error, None)
        found = self.referee.hand(_operator.methodcaller("__exit__", *given), (self.theirs,), {})
        return found is True and error is not None and not is_check and self.referee.allows(self.theirs, "__exit__")


def is_students_generator(referee: Referee, thing: Any) -> bool:
    """Whether a context manager that a library made is made of a student's generator."""
    inner = getattr(thing, "gen", None) if type(thing).__module__ == "contextlib" else None
    return inner is not None and type(inner) is Generator and id(inner.gi_code) not in referee.tests_codes


LISTS_ITERATORS: tuple[type, ...] = (
    type(iter([])),
    type(iter(())),
    type(iter({})),
    type(iter({}.items())),
    type(iter({}.values())),
    type(iter(range(0))),
    type(iter("")),
)


def capsule(referee: Referee) -> Any:
    """Knows the functions of tests, and gives them out on the referee's thread only."""
    found = None
    while True:
        token = yield found
        found = referee.tokens[token] if thread_of_caller() == referee.thread and type(token) is int else None


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
