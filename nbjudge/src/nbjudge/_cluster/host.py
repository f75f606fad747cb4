"""A process of a worker's own that executes submissions, kept warm: `python -m nbjudge._cluster.host DESCRIPTOR FOLDER PARENT`.

Dask's workers may be daemons, which may have no children through `multiprocessing`. This one is none, so it can have a pool. It hears
parcels over a line and answers with parcels; it ends with its worker.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import shutil
import signal
import sys
import tempfile
import threading
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from nbjudge._analysis.instructor import Instructor
from nbjudge._cluster import DONE, FAILED, MISSING, UNFIT
from nbjudge._course.process_pool import Job, Pool
from nbjudge._serialization.executions import pack_execution, unpack_instructor, unpack_settings, unpack_submission
from nbjudge._wire.errors import CannotJudge, Malformed, OwnFailure, SandboxMissing, WarmProcessGone

MOST_LESSONS = 32  # unpacked at once
LOOK_SECONDS = 0.5
IDLE_SECONDS = 300  # after which the memory of a host that nobody asks is better used otherwise
FULL = "its disk is full"


class Host:
    """Answers one question after the other: which lesson, and a submission."""

    def __init__(self, line: Connection, pool: Pool, folder: Path):
        self._line, self._pool, self._folder = line, pool, folder
        self._lessons: dict[str, Instructor] = {}

    def serve(self) -> None:
        """Until the line closes, or nobody has asked for a while."""
        while self._line.poll(IDLE_SECONDS):
            try:
                question = json.loads(self._line.recv_bytes())
                lesson = self._line.recv_bytes() if question["brings"] else None
                submission = self._line.recv_bytes()
            except (EOFError, OSError):
                return
            answer(self._line, *self._answer(str(question["lesson"]), lesson, submission))

    def _answer(self, name: str, lesson: bytes | None, submission: bytes) -> tuple[str, str, bytes]:
        place = self._folder / "submission"
        try:
            if name not in self._lessons:
                if lesson is None:
                    return MISSING, "", b""
                self._learn(name, lesson)
            instructor = self._lessons[name]
            notebook, files, before = unpack_submission(submission, place, instructor.given or ())
            [(_, result)] = self._pool.run([Job(None, notebook, instructor, files, before)])
        except Malformed as damaged:
            return FAILED, f"what was sent arrived otherwise: {damaged}", b""
        except OSError as error:
            return UNFIT, FULL if error.errno == errno.ENOSPC else f"it cannot write to its folder ({error.strerror})", b""
        except (SandboxMissing, WarmProcessGone) as missing:
            return UNFIT, str(missing), b""
        except OwnFailure as failure:
            return FAILED, str(failure), b""
        finally:
            shutil.rmtree(place, ignore_errors=True)
        if isinstance(result, CannotJudge):
            return (UNFIT, FULL, b"") if os.strerror(errno.ENOSPC) in str(result) else (FAILED, str(result), b"")
        return DONE, "", pack_execution(result)

    def _learn(self, name: str, lesson: bytes) -> None:
        while len(self._lessons) >= MOST_LESSONS:
            oldest = next(iter(self._lessons))
            del self._lessons[oldest]
            shutil.rmtree(self._folder / oldest, ignore_errors=True)
        try:
            self._lessons[name] = unpack_instructor(lesson, self._folder / name)
        except BaseException:
            shutil.rmtree(self._folder / name, ignore_errors=True)
            raise


def answer(line: Connection, kind: str, why: str, parcel: bytes) -> None:
    """Say what became of a submission; who does not listen any more has ended."""
    with contextlib.suppress(OSError):
        line.send_bytes(json.dumps([kind, why]).encode())
        line.send_bytes(parcel)


def leave_with(parent: int) -> None:
    """End, tidily, soon after the process `parent` has ended."""

    def leave(*_: Any) -> None:
        raise SystemExit(1)

    def look() -> None:
        while os.getppid() == parent:
            time.sleep(LOOK_SECONDS)
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(20)
        os._exit(1)

    signal.signal(signal.SIGTERM, leave)
    threading.Thread(target=look, daemon=True).start()


def main(descriptor: str, folder: str, parent: str) -> None:
    """Body of the process. The first parcel on the line is that of the settings."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in the worker's terminal is the worker's to handle
    leave_with(int(parent))
    line = Connection(int(descriptor))
    with contextlib.ExitStack() as stack:
        try:
            place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="nbjudge-", dir=folder, ignore_cleanup_errors=True)))
            settings = unpack_settings(line.recv_bytes(), place / "packages")
            sys.path.insert(0, str(place / "packages"))  # before another version that may be installed
            pool = stack.enter_context(Pool(1, settings.limits, settings.packages, settings.sandboxed, patient=False))
            pool.prepare()
        except EOFError:
            return
        except (OSError, Malformed, OwnFailure) as error:
            full = isinstance(error, OSError) and error.errno == errno.ENOSPC
            answer(line, UNFIT, FULL if full else str(error), b"")
            return
        Host(line, pool, place).serve()


if __name__ == "__main__":
    main(*sys.argv[1:])
