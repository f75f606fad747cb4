"""One student kernel that runs, as the grader holds it: its folder ("box"), its connection and its hang-up line."""

from __future__ import annotations

import json
import select
import shutil
import socket
import struct
import time
from pathlib import Path
from typing import Any, Literal

from nbjudge._sandbox import memory_groups
from nbjudge._wire.errors import KernelStartFailed, WarmProcessGone
from nbjudge._wire.messages import END, INTERRUPT, LOOK, KernelStatus
from nbjudge._wire.shared_page import SharedPage

CREDENTIALS = struct.Struct("3i")  # process, user and group of a sender, written by the system and not by the sender
SILENT = "gone"  # why a kernel ended, where its supervisor did not say that, nor does any more
WARM_LATE = "The warm process did not begin within {seconds:g} s; perhaps the machine is busy. Grade again."
TURN_SECONDS = 1.0  # for a supervisor to look
WARM_GONE = "The warm process is gone, perhaps ended by someone or for want of memory. Grade again."


class RunningKernel:
    """One student kernel. Closing it ends every process it started and removes its box."""

    def __init__(
        self, box: Path, lifeline: socket.socket, line: socket.socket, gauge: SharedPage, connection: dict[str, Any] | None, group: Path | None = None
    ):
        self.box, self.line, self.gauge, self.connection, self._group = box, line, gauge, connection, group
        self._lifeline, self._said = lifeline, b""
        self._told: KernelStatus = {}
        self.ended: str | None = None
        self.process: str | None = None  # the number of the kernel's process as it is known here, where the system tells
        if hasattr(socket, "SO_PASSCRED"):
            lifeline.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)

    def interrupt(self) -> None:
        """Send an interrupt, as Ctrl-C would."""
        self._order(INTERRUPT)

    def look(self) -> None:
        """Have its supervisor look at once whether a limit is passed, not only at the next of its turns."""
        self._told.pop("looked", None)
        self._order(LOOK)
        self._wait_for("looked", TURN_SECONDS)

    def poll(self) -> str | None:
        """Why the kernel ended (`exit 0`, `signal SIGSEGV`, `memory`, `processes`), or None while it runs."""
        while self.ended is None and select.select([self._lifeline], [], [], 0)[0]:
            self._hear()
        return self.ended

    def fileno(self) -> int:
        """Becomes readable when there is news for `poll`."""
        return self._lifeline.fileno()

    def close(self) -> None:
        """End it. Safe to call twice."""
        if self._lifeline.fileno() >= 0:
            self._order(END)
            self._wait_for_hangup(5)
            self._lifeline.close()
        self.line.close()
        self.ended = self.ended or "closed"
        shutil.rmtree(self.box, ignore_errors=True)
        if self._group is not None:
            memory_groups.remove(self._group)

    def wait_until_ready(self, warm_seconds: float, seconds: float) -> None:
        """Return when the kernel's sockets are bound.

        `warm_seconds`: for a warm process that still imports; `seconds`: for the kernel, once that one has begun with it.
        Raises `WarmProcessGone`, `KernelStartFailed`.
        """
        if not self._wait_for("accepted", warm_seconds):
            raise WarmProcessGone(WARM_GONE if self.ended else WARM_LATE.format(seconds=warm_seconds))
        if not self._wait_for("ready", seconds):
            why = self._told.get("failed") or self.ended or f"There was no answer within {seconds:g} s."
            raise KernelStartFailed(f"A student kernel did not come up. {why}")

    def _wait_for(self, word: Literal["accepted", "ready", "looked"], seconds: float) -> bool:
        """Whether the other end says `word` within `seconds`."""
        deadline = time.monotonic() + seconds
        while word not in self._told and self.ended is None:
            if not select.select([self._lifeline], [], [], max(0, deadline - time.monotonic()))[0]:
                break
            self._hear()
        return word in self._told

    def _hear(self) -> None:
        said, sender = self._receive()
        *lines, self._said = (self._said + said).split(b"\n")
        for line in lines:
            self._told.update(json.loads(line))
        if "ready" in self._told and self.process is None:  # the kernel itself says this, and nobody else does
            self.process = sender
        self.ended = self._told.get("ended", self.ended)
        if not said:
            self.ended = self.ended or SILENT

    def _order(self, order: bytes) -> None:
        try:
            self._lifeline.sendall(order)
        except OSError:
            pass

    def _wait_for_hangup(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while select.select([self._lifeline], [], [], max(0, deadline - time.monotonic()))[0]:
            if not self._receive()[0]:
                return

    def _receive(self) -> tuple[bytes, str | None]:
        """What arrived, and the number of the process that sent it."""
        try:
            said, about, _, _ = self._lifeline.recvmsg(65536, socket.CMSG_SPACE(CREDENTIALS.size))
        except ConnectionResetError:  # it left with an order unread
            return b"", None
        senders = [CREDENTIALS.unpack(data)[0] for _, kind, data in about if kind == getattr(socket, "SCM_CREDENTIALS", None)]
        return said, str(senders[0]) if senders and senders[0] > 0 else None
