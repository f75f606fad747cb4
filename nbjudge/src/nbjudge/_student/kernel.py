"""The student kernel: IPython's kernel, talked to over the grader's line instead of Jupyter's sockets.

With one socket and no threads to hand messages on, a cell costs 0.4 ms besides its own work, instead of 3. What a cell finds
is the same: the shell, its display hooks, streams, interrupts, and an event loop that runs.
"""

import asyncio
import contextlib
import functools
import io
import json
import os
import select
import sys
import threading
from types import SimpleNamespace
from typing import Any, Literal

from ipykernel.ipkernel import IPythonKernel
from ipykernel.kernelapp import IPKernelApp
from ipykernel.zmqshell import ZMQInteractiveShell
from tornado.ioloop import IOLoop

from nbjudge._student import agent
from nbjudge._student.output import LineSession, NoThread, Stream
from nbjudge._wire.line import Line
from nbjudge._wire.messages import Answered, Ask, CallbackAnswered, Run

NEEDED = {"sys", "builtins", "IPython"}
NEXT_SECONDS = 0.02  # in which the next question of a test comes mostly
BROKEN = 70  # exit status of a kernel that cannot go on; a new one can
QUIET = ["--quiet", "--HistoryManager.enabled=False", "--log-level=50"]


class LineKernel(IPythonKernel):
    """Runs cells and carries out the grader's requests. Nothing it says is trusted; see `nbjudge._wire.codec`."""

    shell: ZMQInteractiveShell
    session: LineSession
    streams: tuple[Stream, Stream]  # where prints go unless a cell says otherwise

    async def serve(self, line: Line) -> None:
        """Answer one request after the other, until the process is ended."""
        self.io_loop = IOLoop.current()
        while True:
            request = line.receive()
            if request is None:
                await _arrival(line)
                continue
            self.pre_handler_hook()  # from here on an interrupt ends what the student wrote, not the kernel
            try:
                await self._answer(request, line)
            except KeyboardInterrupt:  # too late for the student's code
                pass
            finally:
                self.post_handler_hook()
            if not NEEDED <= sys.modules.keys():  # the student's code took them away, and no cell would run from here on
                os._exit(BROKEN)
            await asyncio.sleep(0)  # tasks that a cell began go on between the cells

    async def _answer(self, request: list[bytes], line: Line) -> None:
        head, *buffers = request
        about: Run | Ask | CallbackAnswered = json.loads(head)
        if about["do"] == "callback":  # for what does not wait for it any more
            return
        parent = {"header": {"msg_id": about["id"], "msg_type": about["do"]}, "metadata": {}, "content": {}}
        self.set_parent([], parent)
        if about["do"] == "run":
            sys.stdout, sys.stderr = sys.stdout or self.streams[0], sys.stderr or self.streams[1]  # IPython runs no cell without
            await self.do_execute(about["source"], silent=False, store_history=True)
            for stream in (sys.stdout, sys.stderr):
                with contextlib.suppress(Exception):  # the student may have put anything in its place, or closed what it reads
                    if isinstance(stream, Stream):
                        stream.take_from_others()
                    stream.flush()
            buffers = []
        else:
            self._forward_input(allow_stdin=False)
            try:
                buffers = agent.answer(buffers, self.shell.user_ns, functools.partial(self._ask_back, line, about["id"]), about["free"])
            finally:
                self._restore_input()
        if not self.session.is_own:  # a copy that the student's code forked and did not end; one kernel answers
            os._exit(0)
        line.send([_head("reply", about["id"]), *buffers])

    def _ask_back(self, line: Line, request: str, call: list[bytes]) -> list[bytes]:
        """Have the test that made this request call a function of its own; returns its answer. That function may ask in turn."""
        line.send([_head("callback", request), *call])
        while True:
            select.select([line], [], [])
            message = line.receive()
            if message is None:
                continue
            about: Run | Ask | CallbackAnswered = json.loads(message[0])
            if about["do"] == "callback":
                return message[1:]
            if about["do"] == "ask":
                reply = agent.answer(message[1:], self.shell.user_ns, functools.partial(self._ask_back, line, about["id"]), about["free"])
                line.send([_head("reply", about["id"]), *reply])


def _head(kind: Literal["reply", "callback"], request: str) -> bytes:
    head: Answered = {"kind": kind, "to": request}
    return json.dumps(head).encode()


class LineApp(IPKernelApp):
    """Puts a kernel together that has a line and no sockets.

    `initialize` makes everything but the line and the streams, once, in the warm process; `attach` and `start` turn a process
    that was forked from it into a kernel.
    """

    kernel_class = LineKernel
    outstream_class = f"{Stream.__module__}.{Stream.__name__}"

    def _nothing(self, **_: Any) -> None:
        """A step of Jupyter's kernels that is not needed here, or comes later."""

    init_connection_file = init_heartbeat = write_connection_file = log_connection_info = init_io = _nothing

    def init_sockets(self) -> None:
        """What publishes, without a socket."""
        self.session = LineSession(parent=self)
        self.iopub_thread = self.iopub_socket = NoThread()

    def init_kernel(self) -> None:
        """The kernel and its shell."""
        self.kernel = self.kernel_class.instance(
            parent=self,
            session=self.session,
            iopub_thread=self.iopub_thread,
            iopub_socket=self.iopub_socket,
            log=self.log,
            profile_dir=self.profile_dir,
            user_ns=self.user_ns,
            shell_channel_thread=SimpleNamespace(parent_thread=threading.current_thread()),
        )

    def attach(self, line: Line) -> None:
        """Talk over `line`, and send there what is printed."""
        self.session.attach(line)
        super().init_io()
        self.kernel.streams = sys.stdout, sys.stderr
        self.displayhook.get_execution_count = lambda: self.kernel.execution_count

    def start(self) -> None:
        """Serve until the process is ended. A student's code may stop the event loop or interrupt it; it goes on."""
        loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)
        serving = loop.create_task(self.kernel.serve(self.session.line))
        serving.add_done_callback(lambda _: loop.stop())
        while not serving.done():
            with contextlib.suppress(KeyboardInterrupt):
                loop.run_forever()
        serving.result()


def prepare() -> LineApp:
    """A kernel application that is ready but for its line. What a kernel does for the first time has been done once."""
    os.environ["IPYTHONDIR"] = os.path.join(os.environ["MPLCONFIGDIR"], "ipython")
    application = LineApp.instance()
    application.initialize(QUIET)
    _hook_matplotlib(application.kernel.shell)
    _do_once(application.kernel.shell)
    return application


def on_sockets(connection_file: str, folder: str) -> IPKernelApp:
    """An application that listens on the sockets of `connection_file`, in a process that was forked from a prepared one."""
    for kind in (LineApp, LineKernel, ZMQInteractiveShell):
        kind.clear_instance()
    application = IPKernelApp.instance(connection_dir=folder)
    application.initialize(["-f", connection_file, *QUIET])
    _hook_matplotlib(application.kernel.shell)
    return application


def _do_once(shell: ZMQInteractiveShell) -> None:
    """What takes long the first time only: running a cell, showing an error, drawing, computing. Leaves nothing in the shell."""
    shell.run_cell("pass", store_history=False, silent=True)
    try:
        raise NotImplementedError
    except NotImplementedError as error:
        shell.InteractiveTB.structured_traceback(type(error), error, error.__traceback__)
    if "matplotlib" in sys.modules:
        from matplotlib.figure import Figure

        figure = Figure()
        axes = figure.subplots()
        axes.plot([1, 10], [1, 10], label="$10^0$")
        axes.set(xscale="log", title="title")
        axes.legend()
        for kind in ("png", "svg"):
            figure.savefig(io.BytesIO(), format=kind)
    if "torch" in sys.modules:
        from torch import ones
        from torch.nn import functional

        functional.softmax(functional.linear(ones(2, 2), ones(2, 2)) @ ones(2, 2), dim=-1)  # draws nothing from torch's generator


def _hook_matplotlib(shell: ZMQInteractiveShell) -> None:
    if "matplotlib" in sys.modules:  # it was imported before there was a shell, so it has not hooked itself in
        shell.enable_matplotlib("inline")


async def _arrival(line: Line) -> None:
    """Return when there is something to receive.

    A test asks one question after the other; the event loop, which takes longer than many an answer, waits for what comes later only.
    """
    if select.select([line], [], [], NEXT_SECONDS)[0]:
        return
    loop = asyncio.get_running_loop()
    arrived = loop.create_future()

    def arrive() -> None:
        if not arrived.done():
            arrived.set_result(None)

    loop.add_reader(line, arrive)
    try:
        await arrived
    finally:
        loop.remove_reader(line)
