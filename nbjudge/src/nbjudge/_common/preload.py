"""Imported first: leaves out what takes long to import and nobody needs, and starts the process that all others are forked from."""

from __future__ import annotations

import contextlib
import gc
import importlib
import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from multiprocessing import forkserver, util
from pathlib import Path
from typing import Any

importlib.import_module("nbjudge._wire.without_checkers")

# The steps of nbgrader that the processes beside the writer need, and what test cells import besides: once for all processes.
FIRST = ["nbjudge._wire.single_threaded", "nbjudge._common.preload"]
BESIDE = [*FIRST, "nbjudge._course.tasks"]
EXECUTING = [*FIRST, "numpy", "nbjudge._course.result_cache", "nbjudge._course.tasks"]
TORCH = "torch"  # which takes as long as all of these
GRADES = "grades.csv"  # in a course's folder: the last thing that a grading writes


def begin(executes: bool = False, sources: Path | None = None, is_copy: bool = False) -> None:
    """Start it, unless it runs.

    Args:
        executes: whether notebooks will be executed.
        sources: where the instructor's are, if that is known.
        is_copy: whether it begins as a copy of this process, which has imported all but torch, and has neither threads nor an open gradebook.
    """
    needed = [TORCH] if executes and not (sources and never_mentioned(sources, [TORCH])) else []
    multiprocessing.get_context("forkserver").set_forkserver_preload([*(EXECUTING if executes else BESIDE), *needed])
    with _copied() if is_copy and sys.platform == "linux" else contextlib.nullcontext():
        forkserver.ensure_running()


@contextlib.contextmanager
def _copied() -> Iterator[None]:
    """Let what `multiprocessing` starts begin as a copy of this process: Python, started anew, would import everything once more."""
    started = util.spawnv_passfds
    vars(util)["spawnv_passfds"] = _fork
    try:
        yield
    finally:
        util.spawnv_passfds = started


def _fork(_: object, arguments: Sequence[Any], kept: Sequence[int]) -> int:
    """As `multiprocessing.util.spawnv_passfds`, for arguments that end with code to run: start it, with these descriptors and the first three."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()  # what waits there would be written twice
    if (number := os.fork()) > 0:
        return number
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the command's
        gc.freeze()  # a collection would copy every page that both processes share
        open_ones = sorted({2, *kept})  # `close_all_fds_except` closes all where the first of them is 0 (Python 3.11)
        for low, high in zip(open_ones, [*open_ones[1:], util.MAXFD]):
            os.closerange(low + 1, high)
        forkserver.ForkServer.__init__(forkserver._forkserver)  # the lock of this copy is held by nobody who could let go of it
        with contextlib.suppress(SystemExit):  # its way to end when nobody is there any more who could ask it
            exec(arguments[-1], {})
        code = 0
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(code)


def never_mentioned(sources: Path, names: Sequence[str]) -> list[str]:
    """Those of these names that stand in no notebook of an assignment in this folder; none where there is no notebook."""
    left, notebooks = list(names), list(sources.glob("*/*.ipynb"))
    for path in notebooks:
        with contextlib.suppress(OSError):
            text = path.read_bytes()
            left = [name for name in left if name.encode() not in text]
    return left if notebooks else []


def something_waits(root: Path, *folders: Path) -> bool:
    """Whether something in a course has changed since the last grading has ended. It decides what is started early, and nothing else.

    Args:
        folders: those in which hand-ins and lessons lie.
    """
    try:
        graded = (root / GRADES).stat().st_mtime_ns
        inside = (path for folder in folders for pattern in ("*", "*/*", "*/*/*") for path in folder.glob(pattern))
        return any(path.lstat().st_ctime_ns > graded for path in (*root.glob("*.py"), *inside))
    except OSError:
        return True
