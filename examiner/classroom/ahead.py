"""The process that all others here are forked from. It imports what they need, for seconds, while the command imports what it needs itself."""

from __future__ import annotations

import multiprocessing
from multiprocessing import forkserver

# What test cells import, and the steps of nbgrader that the writers of feedback need: once for all processes.
PRELOAD = ["examiner.wire.lean", "numpy", "torch", "examiner.judge.execute", "examiner.classroom.course"]


def begin() -> None:
    """Start it, unless it runs."""
    multiprocessing.get_context("forkserver").set_forkserver_preload(PRELOAD)
    forkserver.ensure_running()
