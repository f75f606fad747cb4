"""What a student kernel shows, on its way over the grader's line: its session and its streams."""

from __future__ import annotations

import contextlib
import os
import select
import threading
import time
from collections.abc import Callable
from typing import Any

from ipykernel.iostream import IOPubThread, OutStream
from jupyter_client.session import Session

from nbjudge._wire.line import Line
from nbjudge._wire.messages import SHOWN, Shown

PIPE_HOLDS = 65536  # bytes
MOST_TEXT = 2_000_000  # letters that one message takes of a stream: the other side keeps far less


class LineSession(Session):
    """Sends what a cell shows over the grader's line. Nothing else of what a kernel publishes has a reader here."""

    line: Line  # from `attach` on
    _owner = 0

    def attach(self, line: Line) -> None:
        """Send over `line` from now on, and from this process only."""
        self.line, self._owner = line, os.getpid()

    @property
    def is_own(self) -> bool:
        """Whether this is the kernel's process, and no other that was forked from it."""
        return os.getpid() == self._owner

    def send(
        self,
        stream: Any,
        msg_or_type: dict[str, Any] | str,
        content: dict[str, Any] | None = None,
        parent: dict[str, Any] | None = None,
        ident: bytes | list[bytes] | None = None,
        buffers: list[bytes | memoryview[bytes]] | None = None,
        track: bool = False,
        header: dict[str, Any] | None = None,
        metadata: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        """As in jupyter_client; returns the message."""
        message = msg_or_type if isinstance(msg_or_type, dict) else self.msg(msg_or_type, content, parent, header, metadata)
        kind, content = message["header"]["msg_type"], message["content"]
        if kind == "stream":
            content = {**content, "text": content["text"][:MOST_TEXT]}
        if kind in SHOWN and self.is_own:
            shown: Shown = {"kind": kind, "to": message["parent_header"].get("msg_id"), "content": content}
            self.line.send([self.pack(shown)])
        elif kind == "stream" and self._owner:  # of a process that a cell forked: this one hears what comes to the real stream
            os.write(2 if content["name"] == "stderr" else 1, content["text"].encode(errors="replace"))
        return message


class NoThread(IOPubThread):
    """Where ipykernel expects the thread that publishes: publishes at once."""

    thread: Any
    io_loop: Any
    socket: Any

    def __init__(self) -> None:
        self.thread = self.io_loop = self.socket = None

    def schedule(self, f: Callable[[], Any]) -> None:
        """Do it now."""
        f()


class Stream(OutStream):
    """What a student prints: sent at once, or, where that would be more often than in ipykernel, a moment later."""

    _sent = 0.0
    _held = 0  # bytes of other programs since then

    def __init__(self, *arguments: Any, **settings: Any):
        self._one_by_one = threading.RLock()  # whoever flushes is done only when everything is on its way
        self._reading = threading.RLock()  # and whoever has read from another program's output, when it is written
        self._later: threading.Event | None = None
        super().__init__(*arguments, **settings)

    def _schedule_flush(self) -> None:
        if time.monotonic() - self._sent >= self.flush_interval:
            self._flush()
            return
        if self._later is None:
            self._later = threading.Event()
            threading.Thread(target=self._flush_later, args=(self._later,), daemon=True).start()
        self._later.set()

    def _watch_pipe_fd(self) -> None:
        with contextlib.suppress(OSError, ValueError):  # the student closed it
            while self._fid is not None:
                select.select([self._fid], [], [])
                self.take_from_others()

    def take_from_others(self) -> None:
        """Write what other programs have printed by now to the same stream: what they inherit is a pipe."""
        with self._reading:
            if self._fid is not None and select.select([self._fid], [], [], 0)[0]:
                if text := os.read(self._fid, PIPE_HOLDS):
                    if self._held < MOST_TEXT:
                        self.write(text.decode(errors="replace"))
                    self._held += len(text)
                else:  # nobody holds its other end any more
                    self._fid = None

    def _flush_later(self, wanted: threading.Event) -> None:
        while wanted.wait():
            wanted.clear()
            time.sleep(self.flush_interval)
            self._flush()

    def flush(self) -> None:
        """Send what was printed since the last time."""
        self._flush()

    def _flush(self) -> None:
        if not self._is_master_process():  # its threads, and what they hold, are in the parent
            super()._flush()
            return
        with self._one_by_one:
            self._held = 0
            if self._buffers:
                self._sent = time.monotonic()
                super()._flush()
