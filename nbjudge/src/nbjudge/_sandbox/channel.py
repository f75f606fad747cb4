"""The grader's end of the line to one student kernel: sends a request, waits for its answer without polling.

Nothing that comes in is trusted: what is no answer to the request that runs now is dropped.
"""

from __future__ import annotations

import json
import math
import os
import select
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from nbformat import NotebookNode
from nbformat.v4 import output_from_msg

from nbjudge._sandbox.running import SILENT, RunningKernel
from nbjudge._student.processes import ThreadTimes, schedule
from nbjudge._wire.errors import KernelGone, KernelLost, KernelTimeout, Malformed, TestStopped
from nbjudge._wire.limits import MB, Limits
from nbjudge._wire.line import Line
from nbjudge._wire.messages import CLEAR, OUTPUTS, UPDATE, Ask, CallbackAnswered, Run
from nbjudge._wire.shared_page import SharedPage

MOST = 10  # times a limit, by the clock, however busy the machine is
ENOUGH = 0.9  # of a limit: what little is missing then is not what was missing


def own_thread() -> str:
    """The calling thread, for a `Stopwatch`."""
    return f"{os.getpid()}/task/{threading.get_native_id()}"


def waited_by(kernel: RunningKernel) -> float:
    """Seconds of waiting of a kernel since it began, as far as they are not its own doing."""
    _, waited = schedule(kernel.process) if kernel.process else (0.0, 0.0)
    return max(0.0, waited - kernel.gauge.computed)


class _Reading(NamedTuple):
    """What was counted until now, in seconds: `own` for the watched threads, `others` for the student's other processes and threads."""

    own: float
    own_waited: float
    others: float
    others_waited: float

    def __sub__(self, earlier: _Reading) -> _Reading:
        return _Reading(*(now - before for now, before in zip(self, earlier, strict=True)))


class Stopwatch:
    """Measures how long threads had the chance to run, from its making on.

    Args:
        threads: names below `/proc`: a process's number for its main thread, or `own_thread()`; or their times. Those that take turns, as
            one that asks and one that answers do, count as one. A thread that is gone, or that this system tells nothing of, did not wait.
        gauge: of the student's kernel, which tells what its other processes and threads do.
    """

    def __init__(self, threads: Iterable[str | ThreadTimes | None], gauge: SharedPage | None = None):
        self._threads = [ThreadTimes(thread) if isinstance(thread, str) else thread for thread in threads if thread]
        self._gauge = gauge
        self._began, self._first = time.monotonic(), self._read()

    def left(self, limit: float) -> float:
        """Seconds until this has measured `limit`, at least; zero or less when it has. By the clock, that is `MOST` times `limit` at most."""
        by_the_clock = time.monotonic() - self._began
        if by_the_clock < limit or by_the_clock >= MOST * limit:
            return limit - by_the_clock
        return limit - by_the_clock + self.waited

    @property
    def waited(self) -> float:
        """Seconds of waiting that do not count."""
        since = self._read() - self._first
        return max(0.0, since.own_waited - max(0.0, since.others))

    def was_hindered(self, limit: float) -> bool:
        """Whether what ran out of `limit` was kept from running by what others compute: it is to be tried again on a quiet machine.

        Either it had less time than the limit, because `MOST` was reached. Or programs did the work that this thread waited for, and
        they were ready to run for half of the limit and all together got less than half of it from the processors.
        """
        since = self._read() - self._first
        if time.monotonic() - self._began - self.waited < ENOUGH * limit:
            return True
        return since.own + since.others < limit / 2 <= since.own_waited + since.others_waited

    def _read(self) -> _Reading:
        own = own_waited = 0.0
        for thread in self._threads:
            computed, waited = thread.read()
            own, own_waited = own + computed, own_waited + waited
        return _Reading(own, own_waited, self._gauge.computed, self._gauge.waited) if self._gauge else _Reading(own, own_waited, 0.0, 0.0)


SPARE_MB = 16  # above one value on the wire, for what goes with it
HANG_UP_SECONDS = 0.5
SENTENCE_TIME = "No answer within {seconds:.0f} s. Look for a loop that never ends, or for something that waits."
SENTENCE_GONE = "The program ended while this ran ({reason}). {advice}"
LOST = "What watches a student kernel was ended from outside, perhaps by someone or for want of memory."
ADVICE = {
    "memory": "It took more memory than is allowed: look for arrays that grow, or recursion that never stops.",
    "processes": "It started more processes than are allowed: remove what starts them.",
    "exit 0": "Remove what leaves Python, such as exit() in a thread or os._exit().",
    "signal SIGXCPU": "It used more computing time than is allowed.",
    "computing time": "It used more computing time than is allowed, all its programs together.",
}

OnCallback = Callable[[list[bytes]], list[bytes]]


class Channel:
    """Talks to one kernel that has a line. `outputs` of a cell are bounded by `limits`."""

    def __init__(self, kernel: RunningKernel, limits: Limits):
        self.kernel, self._limits = kernel, limits
        kernel.gauge.resting = True
        self._line = Line(kernel.line, (limits.message_mb + SPARE_MB) * MB)
        self._on_callback: OnCallback | None = None
        self._times = ThreadTimes(kernel.process) if kernel.process else None
        self._requests = 0  # the last one, by its number, is the one that waits for its reply
        self._poller = select.poll()
        self._poller.register(self._line, select.POLLIN)
        self._poller.register(kernel, select.POLLIN)

    def run(self, source: str, seconds: float) -> list[NotebookNode]:
        """Run code and return its outputs. What has passed a limit meanwhile is noticed here, and not while something else runs.

        Raises `KernelTimeout` or `KernelGone`, with `outputs` so far as attribute.
        """
        collector = Collector(self._limits.output_kb * 1024)
        try:
            self._exchange(lambda number: {"do": "run", "id": number, "source": source}, [], seconds, collector)
            self.kernel.look()
            if reason := self.kernel.poll():
                raise _gone(reason)
        except TestStopped as stopped:
            stopped.outputs = collector.outputs
            raise
        return collector.outputs

    def ask(
        self,
        buffers: list[bytes],
        seconds: float,
        limit: float | None = None,
        on_callback: OnCallback | None = None,
        free: Sequence[int] = (),
    ) -> list[bytes]:
        """Send one request and return the buffers of the reply. Raises `KernelTimeout`, `KernelGone`.

        `limit`: the whole of which `seconds` are what is left. `on_callback`: what answers when the student's
        code calls a function of the test's. `free`: see `nbjudge._wire.messages.Ask`.
        """
        self._on_callback = on_callback
        return self._exchange(lambda number: {"do": "ask", "id": number, "free": free}, buffers, seconds, None, limit)

    def _exchange(
        self, head: Callable[[str], Run | Ask], buffers: list[bytes], seconds: float, collector: Collector | None, limit: float | None = None
    ) -> list[bytes]:
        """Send a request, whose head `head` makes, and return its reply's buffers. What is shown meanwhile goes to `collector`, if any."""
        watch = Stopwatch([self._times], self.kernel.gauge)
        self._requests += 1
        number = str(self._requests)  # a function of the test's that is called meanwhile may make requests of its own
        waiting = deque(self._line.packets([json.dumps(head(number)).encode(), *buffers]))
        self.kernel.gauge.resting = False
        try:
            while True:
                self._push(waiting)
                if (left := watch.left(seconds)) <= 0:
                    raise KernelTimeout(SENTENCE_TIME.format(seconds=limit or seconds), watch.was_hindered(seconds))
                ready = {descriptor for descriptor, _ in self._poller.poll(math.ceil(left * 1000))}
                if self._line.fileno() in ready:
                    if (reply := self._take(collector, waiting, number)) is not None:
                        return reply
                # Only when the line is silent: a kernel's last words arrive before the news of its end.
                elif self.kernel.fileno() in ready and (reason := self.kernel.poll()):
                    raise _gone(reason)
        finally:
            self.kernel.gauge.resting = True

    def _push(self, waiting: deque[bytes]) -> None:
        """Send what there is room for."""
        try:
            while waiting and self._line.push(waiting[0]):
                waiting.popleft()
        except OSError:  # nobody is there to read; the end of it is noticed by whoever waits
            waiting.clear()
        self._poller.modify(self._line, select.POLLIN | (select.POLLOUT if waiting else 0))

    def _take(self, collector: Collector | None, waiting: deque[bytes], number: str) -> list[bytes] | None:
        """Take what has arrived: the reply's buffers, if that was it."""
        try:
            message = self._line.receive()
        except EOFError:
            raise self._hung_up() from None
        except Malformed as malformed:
            raise _gone(f"it sent {malformed}") from None
        if message is None:
            return None
        head, *buffers = message or [b""]
        try:
            about = json.loads(head)
            kind, mine, content = about["kind"], about["to"] == number, about.get("content")
        except Exception:  # whatever a student's process wrote there, it is not an answer
            return None
        if not mine:
            return None
        if kind == "reply":
            return buffers
        if kind == "callback" and self._on_callback is not None:
            answered: CallbackAnswered = {"do": "callback", "id": number}
            waiting.extend(self._line.packets([json.dumps(answered).encode(), *self._on_callback(buffers)]))
            return None
        if collector is not None and isinstance(content, dict):
            collector.take(kind, content)
            if collector.flooded:
                raise KernelTimeout("It prints without end. Look for a print inside a loop that never ends.")
        return None

    def _hung_up(self) -> KernelGone | KernelLost:
        """Why nothing more will come."""
        select.select([self.kernel], [], [], HANG_UP_SECONDS)  # the reason, if there is one, comes just after
        return _gone(self.kernel.poll() or "it closed its connection to the grader")


def _gone(reason: str) -> KernelGone | KernelLost:
    if reason == SILENT:
        return KernelLost(LOST)
    return KernelGone(SENTENCE_GONE.format(reason=reason, advice=ADVICE.get(reason, "")).strip())


class Collector:
    """The outputs of one cell, as a notebook keeps them, up to a number of bytes."""

    FLOOD = 40  # times the allowed amount, after which a cell is stopped rather than cut

    def __init__(self, most_bytes: int):
        self.outputs: list[NotebookNode] = []
        self._displays: dict[str, list[NotebookNode]] = {}  # outputs that may be updated, by their display id
        self._most, self._seen, self._clear = most_bytes, 0, False

    @property
    def flooded(self) -> bool:
        """Whether the cell prints so much that it has to be stopped."""
        return self._seen > self.FLOOD * self._most

    def take(self, kind: Any, content: dict[str, Any]) -> None:
        """Add one output; anything that is not an output is ignored."""
        if kind == CLEAR:
            self.outputs.clear()
            return
        if kind not in (*OUTPUTS, UPDATE):
            return
        before, self._seen = self._seen, self._seen + _size(content)
        if self._seen <= self._most:
            self._add(kind, content)
        elif before <= self._most:
            self.outputs.append(NotebookNode(output_type="stream", name="stdout", text="\n… output cut here: too long\n"))

    def _add(self, kind: str, content: dict[str, Any]) -> None:
        try:
            output = output_from_msg({"header": {"msg_type": "display_data" if kind == UPDATE else kind}, "content": content})
            known = self._displays.setdefault(content.get("transient", {}).get("display_id"), [])
        except Exception:  # malformed by a student's process; it is theirs to lose
            return
        if kind == UPDATE:
            for shown in known:
                shown.data, shown.metadata = output.data, output.metadata
            return
        known.append(output)
        last = self.outputs[-1] if self.outputs else None
        if last and output.output_type == "stream" == last.output_type and last.name == output.name:
            last.text += output.text
        else:
            self.outputs.append(output)


def _size(content: dict[str, Any]) -> int:
    return len(str(content.get("text", ""))) + len(str(content.get("data", ""))) + len(str(content.get("traceback", "")))
