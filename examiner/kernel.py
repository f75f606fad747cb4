"""The student kernel: IPython's kernel with one more request, through which the examiner asks for names and calls."""

import os
import sys

from ipykernel.iostream import OutStream
from ipykernel.ipkernel import IPythonKernel
from ipykernel.kernelapp import IPKernelApp

from examiner import agent


class Stream(OutStream):
    """What a student prints. ipykernel flushes after every request, which waits for another thread: only when there is something."""

    _written = False

    def write(self, string: str) -> int | None:
        """As in ipykernel."""
        self._written = True
        return super().write(string)

    def flush(self) -> None:
        """As in ipykernel, when something was written since the last time."""
        if self._written:
            self._written = False
            super().flush()


class StudentKernel(IPythonKernel):
    """Answers `examiner_request` on the shell channel. Nothing it says is trusted; see `examiner.codec`."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.shell_handlers["examiner_request"] = self.examiner_request

    def _publish_status(self, status, channel, parent=None) -> None:
        """Say "busy" and "idle" to whoever listens, except about an examiner's request: its reply says it all."""
        if self.get_parent(channel).get("header", {}).get("msg_type") != "examiner_request":
            super()._publish_status(status, channel, parent)

    async def examiner_request(self, stream, ident, parent) -> None:
        """Carry one request out and reply with one buffer of JSON and the raw bytes of arrays."""
        self._forward_input(allow_stdin=False)
        try:
            buffers = agent.answer([bytes(part) for part in parent["buffers"]], self.shell.user_ns)
        finally:
            self._restore_input()
        self.session.send(stream, "examiner_reply", {}, parent, ident=ident, buffers=buffers)


def prepare(connection_file: str, folder: str) -> IPKernelApp:
    """An initialised kernel application whose sockets are bound. Call `start()` on it to listen."""
    os.environ.pop("JPY_PARENT_PID", None)
    application = IPKernelApp.instance(kernel_class=StudentKernel, connection_dir=folder)
    application.initialize(["-f", connection_file, "--quiet", "--HistoryManager.enabled=False", "--log-level=50",
                            f"--IPKernelApp.outstream_class={Stream.__module__}.{Stream.__name__}"])  # fmt: skip
    if "matplotlib" in sys.modules:
        # Imported before there was a shell, so it has not hooked itself in.
        application.shell.enable_matplotlib("inline")
    return application
