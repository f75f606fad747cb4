"""What runs in a worker's own process: it says what it is, and hands submissions to a host of its own. It reads no parcel itself.

A client names these functions; the worker imports them from its own nbjudge.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from distributed import Worker, get_worker

from nbjudge._cluster import DONE, FAILED, MISSING
from nbjudge._sandbox import bubblewrap
from nbjudge._serialization.folders import versions

SOURCE = Path(__file__).resolve().parents[2]
ENDING_SECONDS = 15


def describe(sandboxed: bool, installed: Sequence[str]) -> dict[str, Any]:
    """What decides whether this worker may grade: versions, and why there is no sandbox, if one is asked for and there is none."""
    return {"versions": versions(installed), "sandbox": bubblewrap.why_not() if sandboxed else None}


async def admit(resource: str, many: int, course: str, settings: bytes, dask_worker: Worker) -> None:
    """From now on this worker gets the tasks that ask for `resource`, as many at once; 0 for none. Their hosts begin to warm up."""
    for _ in range(many):
        threading.Thread(target=_keep_warm, args=(course, settings, str(dask_worker.local_directory)), daemon=True).start()
    await dask_worker.set_resources(**{resource: many})


def grade(course: str, settings: bytes | None, name: str, lesson: bytes | None, submission: bytes, seconds: float) -> tuple[str, str, bytes, str]:
    """Execute a submission: what became of it, why, the parcel of its execution, and this worker's address.

    Args:
        course, name: the checksums of the settings and of the instructor's notebook.
        settings, lesson: those parcels, for who does not have them. Without, the answer may be that one is missing.
        seconds: after which the host is taken to be stuck.
    """
    worker = get_worker()
    if (host := _take(course)) is None and settings is not None:
        host = _Host(settings, str(worker.local_directory))
    if host is None:
        return MISSING, "", b"", str(worker.address)
    kind, why, parcel = host.ask(name, lesson, submission, seconds)
    if kind in (DONE, MISSING):
        _give_back(course, host)
    else:
        host.end()
    return kind, why, parcel, str(worker.address)


class _Host:
    """A host and the line to it."""

    def __init__(self, settings: bytes, folder: str):
        ours, theirs = socket.socketpair()
        os.makedirs(folder, exist_ok=True)
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [str(SOURCE), os.environ.get("PYTHONPATH", "")]))}
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "nbjudge._cluster.host", str(theirs.fileno()), folder, str(os.getpid())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                env=environment,
            )
        self._line = Connection(ours.detach())
        with contextlib.suppress(OSError):  # it has ended; the first question tells
            self._line.send_bytes(settings)

    def ask(self, name: str, lesson: bytes | None, submission: bytes, seconds: float) -> tuple[str, str, bytes]:
        """What became of a submission, why, and a parcel."""
        try:
            with contextlib.suppress(BrokenPipeError):  # it may have said why before it ended
                self._line.send_bytes(json.dumps({"lesson": name, "brings": lesson is not None}).encode())
                for parcel in (lesson, submission):
                    if parcel is not None:
                        self._line.send_bytes(parcel)
            if not self._line.poll(seconds):
                return FAILED, "it did not come to an end", b""
            kind, why = json.loads(self._line.recv_bytes())
            return kind, why, self._line.recv_bytes()
        except (EOFError, OSError):
            return FAILED, f"its process ended with exit code {self._code()}", b""

    def end(self) -> None:
        """Let it finish, and kill it if it does not."""
        self._line.close()
        if self._code() is None:
            self._process.kill()
            self._process.wait()

    @property
    def is_running(self) -> bool:
        """Whether its process is there."""
        return self._process.poll() is None

    def _code(self) -> int | None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._process.wait(ENDING_SECONDS)
        return None


MOST_IDLE = 8
_idle: list[tuple[str, _Host]] = []  # each with the checksum of its settings, the one that was used last at the end; they leave with this process
_lock = threading.Lock()


def _take(course: str) -> _Host | None:
    """An idle host of a course's."""
    with _lock:
        _idle[:] = [(of, host) for of, host in _idle if host.is_running]
        found = next((host for of, host in reversed(_idle) if of == course), None)
        _idle[:] = [(of, host) for of, host in _idle if host is not found]
    return found


def _give_back(course: str, host: _Host) -> None:
    with _lock:
        _idle.append((course, host))
        ending = [host for _, host in _idle[:-MOST_IDLE]]
        del _idle[:-MOST_IDLE]
    for old in ending:
        threading.Thread(target=old.end, daemon=True).start()


def _keep_warm(course: str, settings: bytes, folder: str) -> None:
    with contextlib.suppress(OSError):  # the first submission says so
        _give_back(course, _Host(settings, folder))
