"""Limits for what reads students' text: parsers have inputs on which they take for ever, so such work is done where it can be ended."""

from __future__ import annotations

import contextlib
import multiprocessing
import resource
import signal
import warnings
from collections.abc import Callable
from concurrent.futures import TimeoutError
from functools import lru_cache
from typing import Any

from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from pebble import ProcessExpired, ProcessPool

from nbjudge._nbgrader.pages import FeedbackExporter
from nbjudge._nbgrader.sanitize import harmless, harmless_and_plain
from nbjudge._wire.errors import CannotGrade
from nbjudge._wire.limits import MB

CPU_SECONDS = 20  # of one task; the largest of the lessons' pages takes 0.3 s
CLOCK = 10  # times that by the clock, on a machine that has other things to do
DATA_MB = 2048
TOO_LONG = f"to read it took more than {CPU_SECONDS} s or {DATA_MB} MB"
NEXT = "look for a cell that is very long or oddly built, and ask the student to hand in again without it"
ENDED = (TimeoutError, ProcessExpired, MemoryError)  # what is raised for a task that was ended; the first two are OSErrors, too


def open_process() -> None:
    """In a process that does such tasks, before the first: Ctrl-C is for whoever started it, and memory has a limit."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warnings.simplefilter("ignore")  # the process that asks has said what there is to say
    resource.setrlimit(resource.RLIMIT_DATA, (DATA_MB * MB, resource.getrlimit(resource.RLIMIT_DATA)[1]))


def limited(seconds: int, task: Callable[..., Any], *arguments: Any) -> Any:
    """`task(*arguments)`; the system ends this process when it takes more processor time, also within a regular expression.

    Raises:
        CannotGrade: the text is nested too deeply.
    """
    used = resource.getrusage(resource.RUSAGE_SELF)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + seconds, hard))
    try:
        return task(*arguments)
    except RecursionError as error:
        raise CannotGrade("it is nested too deeply", "ask the student to hand in again without that") from error


def harmless_in_time(nb: NotebookNode, seconds: int | None = None) -> NotebookNode:
    """`harmless(nb)`; where that, or making a page of it, does not end, `harmless_and_plain(nb)`. For nbgrader's own commands.

    Args:
        seconds: of processor time for each of the two, `CPU_SECONDS` by default.

    Raises:
        CannotGrade: neither ends.
    """
    for way in (_shown, harmless_and_plain):
        with contextlib.suppress(CannotGrade):
            return in_time(seconds or CPU_SECONDS, way, nb)
    raise CannotGrade(TOO_LONG, NEXT)


def in_time(seconds: int, task: Callable[..., Any], *arguments: Any) -> Any:
    """`task(*arguments)` in the process beside this one.

    Args:
        seconds: of processor time.

    Raises:
        CannotGrade: it does not end.
    """
    try:
        return _pool().schedule(limited, args=(seconds, task, *arguments), timeout=seconds * CLOCK).result()
    except ENDED as error:
        raise CannotGrade(TOO_LONG, NEXT) from error


class MakeHarmless(NbGraderPreprocessor):
    """Last of `c.Autograde.autograde_preprocessors`: what lies in `autograded/` is safe to show, whatever program shows it."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Clean a graded notebook: its outputs, its metadata, its text."""
        return harmless_in_time(nb), resources


def _shown(nb: NotebookNode) -> NotebookNode:
    """`harmless(nb)`, of which a page was made: the formgrader and nbgrader's feedback will come to an end on it."""
    FeedbackExporter(template_name="classic").from_notebook_node(harmless(nb))
    return nb


@lru_cache(maxsize=1)
def _pool() -> ProcessPool:
    """One process beside this one, for as long as this one runs: it takes a second to start."""
    return ProcessPool(1, context=multiprocessing.get_context("forkserver"), initializer=open_process)
