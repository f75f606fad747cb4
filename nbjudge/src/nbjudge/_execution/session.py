"""One submission's conversation with its student kernels: runs cells, makes calls, survives what students write.

A call or cell that hangs is interrupted, then killed. A kernel that died is started again and the student's cells are
run again, so a fault costs the cell or the test it happened in and nothing else.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode
from nbformat.v4 import new_output

from nbjudge._execution.transcript import Kernels
from nbjudge._proxies.doubtful_values import Doubt
from nbjudge._proxies.remote_calls import RemoteCalls
from nbjudge._sandbox.channel import SENTENCE_TIME, Channel, OnCallback, Stopwatch, own_thread, waited_by
from nbjudge._wire.errors import (
    KernelGone,
    KernelTimeout,
    OwnFailure,
    TestStopped,
)
from nbjudge._wire.limits import Limits

LEAST = 0.01  # seconds that are given to whatever is begun
WAITED = 0.1  # of a notebook's time, from which on waiting for a processor may be why the time was up
TIME_IS_UP = "The time for the whole notebook is up. Look for cells and functions that are slow or never end."


@dataclass(frozen=True)
class _Cell:
    """A student's cell that ran, and for how long it may run again. One that hung is interrupted again."""

    source: str
    seconds: float
    hangs: bool = False
    again: Callable[[Channel, float], object] | None = None  # of a test that changes the kernel, too: what runs it again


class StudentSession:
    """Owns the student kernel of one submission, which `calls` asks. Use as a context manager.

    A kernel that does not start is the grader's own fault, whenever that is: `KernelStartFailed` goes through everything here.
    """

    def __init__(
        self,
        kernels: Kernels,
        limits: Limits,
        files: Path | Sequence[Path] | None = None,
        trusted_comparisons: frozenset[str] = frozenset(),
        given: frozenset[Doubt] | None = frozenset(),
    ):
        self._kernels, self._limits, self._files = kernels, limits, files
        self._end = time.monotonic() + limits.submission_seconds
        self._channel: Channel | None = None
        self._done: list[_Cell] = []  # what a new kernel has to run again
        self._watch = Stopwatch([])  # of the test that runs now
        self.generation = 0  # grows with each new kernel; an older proxy is dead
        self._is_used = False  # whether a cell or a test that is over has asked this kernel
        self.judges_again = False  # whether what that one began may have ended the kernel: then the test that runs now is judged again
        self.stopped: TestStopped | None = None  # why the test that runs now cannot pass any more
        self.hindered = False  # whether time ran out for something because the machine did something else
        self._all = Stopwatch([own_thread()])  # of the whole notebook
        self._waited = 0.0  # by kernels that are gone
        self.calls = RemoteCalls(self, limits.message_mb, trusted_comparisons, given)
        self.failure: OwnFailure | None = None  # of the grader's own; nothing that is judged after it counts
        self.begins: Callable[[Channel], None] | None = None  # what is said to each kernel before anything of the student's runs there

    def __enter__(self) -> "StudentSession":
        self._connected()
        return self

    def __exit__(self, *_: object) -> None:
        self._drop()

    def run_cell(self, source: str) -> list[NotebookNode]:
        """Run one student cell and return its outputs; a hang or the end of the process becomes an error output."""
        if time.monotonic() >= self._end:
            self._note(KernelTimeout(TIME_IS_UP))
            return [_error_output("TimeIsUp", TIME_IS_UP)]
        try:
            outputs = self._connected().run(source, self._seconds(self._limits.cell_seconds, self._end))
        except TestStopped as stopped:
            self._note(stopped)
            name = "CellTimeout" if isinstance(stopped, KernelTimeout) else "ProgramEnded"
            if self._recover(stopped):  # what the cell defined before it hung is there
                self._done.append(_Cell(source, self._limits.grace_seconds, hangs=True))
            elif self._may_be_an_earlier_fault():
                return self.run_cell(source)
            return [*stopped.outputs, _error_output(name, str(stopped))]
        self._done.append(_Cell(source, self._limits.cell_seconds))
        self._is_used = True
        return outputs

    def also_again(self, run: Callable[[Channel, float], object]) -> None:
        """Have a test that is over run again in a kernel that is started anew, as the student's cells do."""
        self._done.append(_Cell("", self._limits.test_seconds, again=run))

    def start_anew(self) -> None:
        """End the kernel. What comes next gets another one."""
        self._drop()

    def begin_test(self) -> None:
        """Start the clock of one test cell, once there is a kernel to talk to. Raises `TestStopped` if there is none."""
        self.stopped, self.calls.traffic = None, self.calls.traffic.of_next_test()
        if time.monotonic() >= self._end:
            self._note(stopped := KernelTimeout(TIME_IS_UP))
            raise stopped
        kernel = self._connected().kernel
        self._watch = Stopwatch([own_thread(), kernel.process], kernel.gauge)

    def end_test(self) -> None:
        """The test is over; what it began in the kernel may go on."""
        self._is_used, self.judges_again = self._channel is not None, False

    @property
    def test_seconds_left(self) -> float:
        """Seconds that the test that runs now may still take, below zero when it has to be stopped."""
        return min(self._watch.left(self._limits.test_seconds), self._end - time.monotonic())

    def stop(self, reason: TestStopped) -> TestStopped:
        """End the test that runs now: it cannot pass any more, whatever its cell catches. Returns why, which may be an earlier reason."""
        self._note(reason, self._watch.was_hindered(self._limits.test_seconds))
        self.stopped = self.stopped or reason
        return self.stopped

    def keep_out(self, reason: TestStopped, is_authors: bool) -> None:
        """End the test that runs now, as something of the student's would have run here; `is_authors`: by what the test itself does."""
        self.stopped = self.stopped or reason
        if is_authors:
            self.calls.traffic.not_judged = str(reason)

    def check_test(self) -> None:
        """Raises why the test that runs now cannot pass any more, if it cannot."""
        if self.test_seconds_left <= 0:
            self.stop(KernelTimeout(SENTENCE_TIME.format(seconds=self._limits.test_seconds)))
        if self.stopped:
            raise self.stopped

    def send(self, message: list[bytes], on_call: OnCallback, free: Sequence[int] = ()) -> list[bytes]:
        """What the kernel answers within the time of the test. Raises `TestStopped` where there is no answer; the test is over then."""
        try:
            channel = self._channel or self._connected()  # one that has ended meanwhile says so
            return channel.ask(message, max(LEAST, self.test_seconds_left), self._limits.test_seconds, on_call, free)
        except TestStopped as stopped:
            self._note(stopped, self._watch.was_hindered(self._limits.test_seconds))
            self.stopped = stopped
            self.judges_again = not self._recover(stopped) and self._may_be_an_earlier_fault()
            raise
        except OwnFailure as failure:
            self.failure = failure  # a test cell may catch it
            raise

    def _seconds(self, wanted: float, end: float) -> float:
        """Seconds left, at most `wanted`."""
        return max(LEAST, min(wanted, end - time.monotonic()))

    def _connected(self) -> Channel:
        """The channel to a kernel in which all the student's cells so far have run."""
        if self._channel is not None and self._channel.kernel.poll() is None:
            return self._channel
        self._drop()
        try:
            self._channel = self._kernels.connect(self._limits, self._files)
        except OwnFailure as failure:
            self.failure = failure  # a test cell may catch it
            raise
        self.generation, self._is_used = self.generation + 1, False
        if self.begins is not None:
            self.begins(self._channel)
        for cell in list(self._done):
            try:
                seconds = self._seconds(cell.seconds, self._end)
                cell.again(self._channel, seconds) if cell.again else self._channel.run(cell.source, seconds)
            except TestStopped as stopped:
                if cell.hangs and self._recover(stopped):
                    continue
                self._note(stopped)
                # What went well once and not again would cost its time at every restart.
                self._done.remove(cell)
                self._drop()
                raise KernelGone(f"A cell that ran before does not run again. {stopped}") from None
        return self._channel

    def _recover(self, stopped: TestStopped) -> bool:
        """Bring a kernel that hangs back, or end it. True when it is still there."""
        if isinstance(stopped, KernelTimeout) and self._channel is not None:
            self._channel.kernel.interrupt()
            try:
                # A kernel that obeys answers this at once; whatever the interrupted code does next, it is not waited for.
                self._channel.ask(self.calls.empty_request(), self._limits.grace_seconds)
                return True
            except TestStopped:
                pass
        self._drop()
        return False

    def _note(self, stopped: TestStopped, hindered: bool = False) -> None:
        """Remember when time ran out because the machine did something else."""
        if not isinstance(stopped, KernelTimeout):
            return
        waited = self._all.waited + self._waited + (waited_by(self._channel.kernel) if self._channel else 0.0)
        is_up = time.monotonic() >= self._end and waited > WAITED * self._limits.submission_seconds
        self.hindered = self.hindered or hindered or stopped.hindered or is_up

    def _may_be_an_earlier_fault(self) -> bool:
        """Whether the kernel was lost because of what an earlier cell or test began, perhaps, and there is time to find out in a new one."""
        return self._is_used and self._end - time.monotonic() > self._limits.submission_seconds / 2

    def _drop(self) -> None:
        kernel = self._channel.kernel if self._channel is not None else None
        if kernel is not None:
            self._waited += waited_by(kernel)
        self._channel = None  # first, so that an alarm in between leaves nothing half closed in use
        if kernel is not None:
            kernel.close()


def _error_output(name: str, message: str) -> NotebookNode:
    return new_output("error", ename=name, evalue=message, traceback=[f"{name}: {message}"])
