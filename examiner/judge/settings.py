"""Settings of Python's and of libraries' that belong to a whole process: how each is read and put back.

Of a library that is not loaded nothing is read. What is read is compared first where putting it back costs something.
"""

from __future__ import annotations

import contextlib
import gc
import logging
import os
import signal
import socket
import sys
import threading
import time
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any

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
