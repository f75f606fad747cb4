"""The thread that judges tests in a kernel of the second road, and what protects it. `nbjudge._student.second_road` loads this text, and that of
`test_operations`, where no module is.

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

MOST_FRAMES = 50
REFUSED = {"types": ["Refused"], "line": 0, "frames": [], "at": 0, "students": False, "library": False, "refused": True, "name": ""}


class Stop(BaseException):
    """The test cannot be judged further."""


class Refused(Exception):
    """A value that cannot be checked."""


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


class TestThread:
    __test__ = False  # not a test of pytest's

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
        self.note_own(type(self).serve.__globals__)
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
        last, frames = "", list[Any]()
        while trace is not None:
            last = trace.tb_frame.f_code.co_filename
            line = line or (trace.tb_lineno if last == name else 0)  # the outermost, as a visible helper may be called from a hidden line
            frames.append([last, trace.tb_lineno])
            trace = trace.tb_next
        library = not students and last.startswith(self.prefixes) and last != self.own_file
        text = self.text_of(error)
        names = [one.__name__ for one in mro_of(kind)]
        return {
            "kind": "raised",
            "types": names,
            "message": text[:5000],
            "line": line,
            "frames": frames[-MOST_FRAMES:],
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
        if kind is dict and thing.get("TestRunner") is type(self):
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

    # What a test does: see `nbjudge._student.test_operations`.

    def hand(self, function: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        raise NotImplementedError

    def push(self) -> None:
        raise NotImplementedError

    def drop_traces(self) -> None:
        raise NotImplementedError

    def refuse(self) -> Refused:
        raise NotImplementedError

    def show(self, *things: Any, **keywords: Any) -> None:
        raise NotImplementedError

    def imported(self, name: str, names: Any = None, local: Any = None, wanted: Any = (), level: int = 0) -> Any:
        raise NotImplementedError

    def built(self, body: Any, name: str, *bases: Any, **keywords: Any) -> Any:
        raise NotImplementedError


def capsule(tests: TestThread) -> Any:
    """Knows the functions of tests, and gives them out on their thread only."""
    found = None
    while True:
        token = yield found
        found = tests.tokens[token] if thread_of_caller() == tests.thread and type(token) is int else None
