"""Where the instructor's code runs: a copy of the instructor's folder, and a process whose settings are put back when a notebook is done."""

from __future__ import annotations

import builtins
import contextlib
import gc
import importlib
import logging
import os
import shutil
import signal
import socket
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any

from nbjudge._wire.limits import MB

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)
PutBack = Callable[[], object]


def _python(_: ModuleType) -> PutBack:
    tracing, profiling, in_threads = sys.gettrace(), sys.getprofile(), (threading.gettrace(), threading.getprofile())
    deepest, digits, interval = sys.getrecursionlimit(), sys.get_int_max_str_digits(), sys.getswitchinterval()
    collecting, waiting = gc.isenabled(), socket.getdefaulttimeout()
    os.umask(mask := os.umask(0o077))
    answers = {one: signal.getsignal(one) for one in SIGNALS}

    def put_back() -> None:
        if sys.gettrace() is not tracing:
            sys.settrace(tracing)
        if sys.getprofile() is not profiling:
            sys.setprofile(profiling)
        threading.settrace(in_threads[0])
        threading.setprofile(in_threads[1])
        sys.setrecursionlimit(deepest)
        sys.set_int_max_str_digits(digits)
        sys.setswitchinterval(interval)
        (gc.enable if collecting else gc.disable)()
        socket.setdefaulttimeout(waiting)
        os.umask(mask)
        time.tzset()  # the environment is what it was
        for one, answer in answers.items():
            if answer is not None and signal.getsignal(one) is not answer:
                with contextlib.suppress(ValueError):  # only the main thread may
                    signal.signal(one, answer)

    return put_back


def _loggers(_: ModuleType) -> PutBack:
    manager = logging.root.manager

    def loggers() -> dict[str, logging.Logger]:
        return {"": logging.root, **{name: one for name, one in manager.loggerDict.items() if isinstance(one, logging.Logger)}}

    before = {name: (one.level, list(one.handlers), list(one.filters), one.propagate, one.disabled) for name, one in loggers().items()}
    least = manager.disable

    def put_back() -> None:
        if manager.disable != least:
            logging.disable(least)
        for name, one in loggers().items():
            if name not in before and name.partition(".")[0] in sys.modules:
                continue  # the one of a library that was imported meanwhile, as that made it
            level, handlers, filters, one.propagate, one.disabled = before.get(name, (logging.NOTSET, [], [], True, False))
            if one.level != level:  # each call empties what all loggers remember
                one.setLevel(level)
            one.handlers[:], one.filters[:] = handlers, filters

    return put_back


def _numpy(numpy: Any) -> PutBack:
    errors, printing, drawn = numpy.geterr(), numpy.get_printoptions(), numpy.random.get_state()
    return lambda: (numpy.seterr(**errors), numpy.set_printoptions(**printing), numpy.random.set_state(drawn))


def _matplotlib(matplotlib: Any) -> PutBack:
    drawing = dict(matplotlib.rcParams)
    return lambda: dict.update(matplotlib.rcParams, drawing)


def _pandas(pandas: Any) -> PutBack:
    def options(part: Any, name: str = "") -> dict[str, Any]:
        if not isinstance(part, type(pandas.options)):
            return {name: part}
        return {key: value for inner in dir(part) for key, value in options(getattr(part, inner), f"{name}.{inner}".lstrip(".")).items()}

    def quietly() -> dict[str, Any]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of options that pandas gives up
            return options(pandas.options)

    before = quietly()

    def put_back() -> None:
        for name, value in quietly().items():
            if name in before and before[name] != value:
                pandas.set_option(name, before[name])

    return put_back


def _torch(torch: Any) -> PutBack:
    kind, threads, drawn, device = torch.get_default_dtype(), torch.get_num_threads(), torch.get_rng_state(), torch.get_default_device()
    strict, warns = torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()
    slopes, anomalies, precision = torch.is_grad_enabled(), torch.is_anomaly_enabled(), torch.get_float32_matmul_precision()

    def put_back() -> None:
        torch.set_default_dtype(kind)
        if torch.get_num_threads() != threads:
            torch.set_num_threads(threads)
        if torch.get_default_device() != device:
            torch.set_default_device(device)
        torch.set_rng_state(drawn)
        if (torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()) != (strict, warns):
            torch.use_deterministic_algorithms(strict, warn_only=warns)  # imports much
        torch.set_grad_enabled(slopes)
        torch.autograd.set_detect_anomaly(anomalies)
        if torch.get_float32_matmul_precision() != precision:
            torch.set_float32_matmul_precision(precision)
        torch.set_printoptions(profile="default")  # torch does not tell what they are

    return put_back


def _random(random: Any) -> PutBack:
    drawn = random.getstate()
    return lambda: random.setstate(drawn)


def _decimal(decimal: Any) -> PutBack:
    context = decimal.getcontext().copy()
    return lambda: decimal.setcontext(context)


def _locale(locale: Any) -> PutBack:
    place = locale.setlocale(locale.LC_ALL)
    return lambda: locale.setlocale(locale.LC_ALL, place)


SETTINGS: dict[str, Callable[[Any], PutBack]] = {
    "sys": _python,
    "logging": _loggers,
    "numpy": _numpy,
    "matplotlib": _matplotlib,
    "pandas": _pandas,
    "torch": _torch,
    "random": _random,
    "decimal": _decimal,
    "locale": _locale,
}


NOT_OURS = ("stdout", "stderr", "modules", "path", "meta_path", "path_hooks", "path_importer_cache")  # whoever set them puts them back


NOTHING = object()


class ProcessState:
    """The state of this process now. `put_back` makes it what it was."""

    def __init__(self) -> None:
        self._environment = dict(os.environ)
        self._builtins, self._filters = dict(vars(builtins)), list(warnings.filters)
        self._places: dict[tuple[int, str], tuple[Any, Any]] = {}  # by place and name: the place, and what was there
        self._settings: dict[str, PutBack] = {}
        self.look()

    def look(self) -> None:
        """Remember the settings of libraries that have been imported since; before anything is run that could change them."""
        for name, read in SETTINGS.items():
            if name not in self._settings and name in sys.modules:
                with contextlib.suppress(AttributeError):  # it is imported right now, or is another thing of that name
                    self._settings[name] = read(sys.modules[name])

    def note(self, module: str, name: str) -> None:
        """Remember what is at this place of a module, or of a class in one, which a test or a set-up cell may put something else into."""
        place: Any = sys.modules.get(module)
        if place is None:
            outer, _, inner = module.rpartition(".")
            place = getattr(sys.modules.get(outer), inner, None)
        if isinstance(place, (ModuleType, type)) and (id(place), name) not in self._places and not (module == "sys" and name in NOT_OURS):
            self._places[id(place), name] = place, vars(place).get(name, NOTHING)

    def put_back(self) -> None:
        """Undo every change. Raises nothing that a change could bring about."""
        for (_, name), (place, value) in self._places.items():
            with contextlib.suppress(AttributeError, TypeError):
                if value is NOTHING and name in vars(place):
                    delattr(place, name)
                elif value is not NOTHING and vars(place).get(name, NOTHING) is not value:
                    setattr(place, name, value)
        for name in vars(builtins).keys() - self._builtins.keys():
            delattr(builtins, name)
        vars(builtins).update(self._builtins)
        if dict(os.environ) != self._environment:
            os.environ.clear()
            os.environ.update(self._environment)
        warnings.filters[:] = self._filters  # type: ignore[index]
        for put_back in self._settings.values():
            with contextlib.suppress(Exception):  # the others are put back whatever becomes of one
                put_back()


MOST_COPIED = 16 * MB  # of one file; a larger one is linked to, which is quick, and is data
LEFT_OUT = (".ipynb_checkpoints", "__pycache__", ".git")


class Workspace:
    """A working folder for the instructor's code of one notebook. Use as a context manager, and `entered` to run code there.

    The working directory, `sys.path` and the loaded modules belong to the whole process: one notebook at a time.
    """

    def __init__(self, source: Path | None):
        self._source = source
        self.folder = Path()
        self._loaded: dict[str, ModuleType] = {}  # before
        self._path: list[str] = []  # what the instructor's code made of `sys.path`
        self._here: str | None = None  # the folder below this one that the instructor's code has gone to

    def __enter__(self) -> Workspace:
        # Wherever TMPDIR leads: files of tests have the same paths in a student kernel, which has a /tmp of its own and nothing in it.
        self.folder = Path(tempfile.mkdtemp(prefix="nbjudge-tests-", dir="/tmp")).resolve()
        if self._source is not None and self._source.is_dir():
            _copy(self._source, self.folder)
        self._loaded = dict(sys.modules)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for name, module in [(name, module) for name, module in sys.modules.items() if self._loaded.get(name) is not module]:
            places = [getattr(module, "__file__", None), *_places(module)]
            if any(isinstance(place, str) and place.startswith(f"{self.folder}{os.sep}") for place in places):
                del sys.modules[name]
        for place in [place for place in sys.path_importer_cache if place.startswith(str(self.folder))]:
            del sys.path_importer_cache[place]
        self._loaded = {}
        shutil.rmtree(self.folder, ignore_errors=True)
        if "matplotlib.pyplot" in sys.modules:
            sys.modules["matplotlib.pyplot"].close("all")

    @contextlib.contextmanager
    def entered(self) -> Iterator[None]:
        """Work in the folder, or where the instructor's code went from there, with its modules before all others, and leave no trace of that."""
        before, path, bytecode = os.getcwd(), list(sys.path), sys.dont_write_bytecode
        os.environ.setdefault("MPLBACKEND", "agg")  # nobody looks at what a test draws
        sys.path[:] = self._path or ["", str(self.folder), *(place or before for place in path)]
        sys.dont_write_bytecode = True
        os.chdir(self._here or self.folder)
        try:
            yield
        finally:
            self._path, sys.path[:] = list(sys.path), path
            self._here = _below(self.folder)
            sys.dont_write_bytecode = bytecode
            os.chdir(before)


def _below(folder: Path) -> str | None:
    """The working directory, where it lies in a folder."""
    try:
        here = os.getcwd()
    except OSError:  # deleted
        return None
    return here if here.startswith(f"{folder}{os.sep}") else None


def _places(module: object) -> list[str]:
    try:
        return list(getattr(module, "__path__", None) or [])
    except Exception:  # a module may be anything
        return []


def _copy(source: Path, target: Path) -> None:
    """What a folder holds besides notebooks; large files as links."""

    def copy(one: str, other: str) -> None:
        if os.path.getsize(one) > MOST_COPIED:
            os.symlink(os.path.abspath(one), other)
        else:
            shutil.copyfile(one, other)

    with contextlib.suppress(shutil.Error, OSError):  # pipes and the like are left out
        shutil.copytree(source, target, copy_function=copy, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.ipynb", *LEFT_OUT))
    importlib.invalidate_caches()
