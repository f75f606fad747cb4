"""Imported first: leaves out what takes long to import and nobody needs, and starts the process that all others are forked from."""

from __future__ import annotations

import contextlib
import importlib
import multiprocessing
from collections.abc import Sequence
from multiprocessing import forkserver
from pathlib import Path

importlib.import_module("nbjudge._wire.without_checkers")

# The steps of nbgrader that the processes beside the writer need, and what test cells import besides: once for all processes.
FIRST = ["nbjudge._wire.single_threaded", "nbjudge._common.preload"]
BESIDE = [*FIRST, "nbjudge._course.tasks"]
EXECUTING = [*FIRST, "numpy", "nbjudge._course.result_cache", "nbjudge._course.tasks"]
TORCH = "torch"  # which takes as long as all of these
GRADES = "grades.csv"  # in a course's folder: the last thing that a grading writes
RECEIPT = ".graded.json"  # lies beside a graded notebook and says what it was made from; no student writes it


def begin(executes: bool = False, sources: Path | None = None) -> None:
    """Start it, unless it runs.

    Args:
        executes: whether notebooks will be executed.
        sources: where the instructor's are, if that is known.
    """
    needed = [TORCH] if executes and not (sources and never_mentioned(sources, [TORCH])) else []
    multiprocessing.get_context("forkserver").set_forkserver_preload([*(EXECUTING if executes else BESIDE), *needed])
    forkserver.ensure_running()


def never_mentioned(sources: Path, names: Sequence[str]) -> list[str]:
    """Those of these names that stand in no notebook of an assignment in this folder; none where there is no notebook."""
    left, notebooks = list(names), list(sources.glob("*/*.ipynb"))
    for path in notebooks:
        with contextlib.suppress(OSError):
            text = path.read_bytes()
            left = [name for name in left if name.encode() not in text]
    return left if notebooks else []


def is_all_graded(submitted: Path, autograded: Path) -> bool:
    """Whether each hand-in has been graded some time. As with `something_waits`, it decides what is started early."""
    return all((autograded / path.parent.name / path.name / RECEIPT).exists() for path in submitted.glob("*/*") if path.is_dir())


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
