"""A small client for one student kernel: sends a request, waits for its answer without polling, reads nothing else.

jupyter_client's own blocking client polls at fixed intervals, which costs more than the cells of a small notebook.
"""

import time

import zmq
from jupyter_client.session import Session
from nbformat import NotebookNode
from nbformat.v4 import output_from_msg

from examiner.errors import KernelStartFailed, TestStopped
from examiner.limits import MB, Limits
from examiner.running import RunningKernel

OUTPUT_TYPES = ("stream", "display_data", "execute_result", "error")
SENTENCE_TIME = "No answer within {seconds:.0f} s. Look for a loop that never ends, or for something that waits."
SENTENCE_GONE = "The program ended while this ran ({reason}). {advice}"
ADVICE = {
    "memory": "It took more memory than is allowed: look for arrays that grow, or recursion that never stops.",
    "processes": "It started more processes than are allowed: remove what starts them.",
    "exit 0": "Remove what leaves Python, such as exit() in a thread or os._exit().",
    "signal SIGXCPU": "It used more computing time than is allowed.",
}


class KernelTimeout(TestStopped):
    """The kernel did not answer in time."""


class KernelGone(TestStopped):
    """The kernel's process ended."""


class Channel:
    """Talks to one kernel. `outputs` of a cell are bounded by `limits`."""

    def __init__(self, kernel: RunningKernel, limits: Limits):
        self._kernel, self._limits = kernel, limits
        self._session = Session(key=kernel.connection["key"].encode(), username="examiner")
        self._context = zmq.Context()
        self._shell = self._connect(zmq.DEALER, "shell_port")
        self._iopub = self._connect(zmq.SUB, "iopub_port")
        self._iopub.subscribe(b"")
        self._poller = zmq.Poller()
        for source in (self._shell, self._iopub, kernel.fileno()):
            self._poller.register(source, zmq.POLLIN)
        self._await_welcome()

    def close(self) -> None:
        """Drop the connection; the kernel is not touched."""
        self._context.destroy(linger=0)

    def run(self, source: str, seconds: float) -> list[NotebookNode]:
        """Run code and return its outputs. Raises `KernelTimeout` or `KernelGone`, with `outputs` so far as attribute."""
        request = self._session.send(self._shell, "execute_request", {
            "code": source, "silent": False, "store_history": True, "user_expressions": {},
            "allow_stdin": False, "stop_on_error": False})  # fmt: skip
        collector = Collector(self._limits.output_kb * 1024)
        try:
            self._wait(request["header"]["msg_id"], "execute_reply", seconds, collector)
        except TestStopped as stopped:
            stopped.outputs = collector.outputs
            raise
        return collector.outputs

    def ask(self, buffers: list[bytes], seconds: float) -> list[bytes]:
        """Send one examiner request and return the buffers of the reply. Raises `KernelTimeout`, `KernelGone`."""
        request = self._session.send(self._shell, "examiner_request", {}, buffers=buffers)
        reply = self._wait(request["header"]["msg_id"], "examiner_reply", seconds, None)
        return [bytes(part) for part in reply["buffers"]]

    def _connect(self, kind: int, port: str) -> zmq.Socket:
        found = self._context.socket(kind)
        found.setsockopt(zmq.LINGER, 0)
        found.setsockopt(zmq.MAXMSGSIZE, (self._limits.message_mb + 16) * MB)
        found.connect(f"ipc://{self._kernel.connection['ip']}-{self._kernel.connection[port]}")
        return found

    def _await_welcome(self) -> None:
        """Outputs sent before the kernel knows of this subscription would be lost; it says hello when it does."""
        deadline = time.monotonic() + self._limits.start_seconds
        while time.monotonic() < deadline:
            if self._iopub.poll(max(0, deadline - time.monotonic()) * 1000):
                message = self._read(self._iopub)
                if message and message["header"].get("msg_type") == "iopub_welcome":
                    return
        raise KernelStartFailed("A student kernel came up but did not answer.")

    def _wait(self, identity: str, wanted: str, seconds: float, collector: "Collector | None") -> dict:
        """The reply to request `identity`; with a collector, waits for the end of its outputs, too."""
        deadline, reply, idle = time.monotonic() + seconds, None, collector is None
        while reply is None or not idle:
            left = deadline - time.monotonic()
            ready = dict(self._poller.poll(left * 1000)) if left > 0 else {}
            if not ready:
                raise KernelTimeout(SENTENCE_TIME.format(seconds=seconds))
            if self._iopub in ready:
                if collector is None:
                    self._iopub.recv_multipart()  # dropped unread: what a call prints is nobody's, and several come with each call
                else:
                    idle = self._take_output(identity, collector) or idle
            if self._shell in ready:
                message = self._read(self._shell)
                if message and _belongs(message, identity) and message["header"].get("msg_type") == wanted:
                    reply = message
            # Only when the sockets are silent: a kernel's last words arrive before the news of its end.
            elif self._iopub not in ready and (reason := self._kernel.poll()):
                raise KernelGone(SENTENCE_GONE.format(reason=reason, advice=ADVICE.get(reason, "")).strip())
        return reply

    def _take_output(self, identity: str, collector: "Collector") -> bool:
        """Read one broadcast message; True when it says that the request is done."""
        message = self._read(self._iopub)
        if message is None or not _belongs(message, identity):
            return False
        kind, content = message["header"].get("msg_type"), message["content"]
        if kind == "status":
            return content.get("execution_state") == "idle"
        collector.take(kind, message)
        if collector.flooded:
            raise KernelTimeout("It prints without end. Look for a print inside a loop that never ends.")
        return False

    def _read(self, source: zmq.Socket) -> dict | None:
        """One message, or None when it is not a message that Jupyter knows."""
        try:
            _, parts = self._session.feed_identities(source.recv_multipart())
            message = self._session.deserialize(parts)
        except Exception:  # whatever a student's process wrote there, it is not an answer
            return None
        return message if isinstance(message.get("content"), dict) else None


class Collector:
    """The outputs of one cell, as a notebook keeps them, up to a number of bytes."""

    FLOOD = 40  # times the allowed amount, after which a cell is stopped rather than cut

    def __init__(self, most_bytes: int):
        self.outputs: list[NotebookNode] = []
        self._most, self._seen, self._clear = most_bytes, 0, False

    @property
    def flooded(self) -> bool:
        """Whether the cell prints so much that it has to be stopped."""
        return self._seen > self.FLOOD * self._most

    def take(self, kind: str, message: dict) -> None:
        """Add one message's output; anything that is not an output is ignored."""
        if kind == "clear_output":
            self.outputs.clear()
            return
        if kind not in OUTPUT_TYPES:
            return
        before, self._seen = self._seen, self._seen + _size(message["content"])
        if self._seen <= self._most:
            self._add(message)
        elif before <= self._most:
            self.outputs.append(NotebookNode(output_type="stream", name="stdout", text="\n… output cut here: too long\n"))

    def _add(self, message: dict) -> None:
        try:
            output = output_from_msg(message)
            output = NotebookNode(output)
        except Exception:  # malformed by a student's process; it is theirs to lose
            return
        last = self.outputs[-1] if self.outputs else None
        if last and output.output_type == "stream" == last.output_type and last.name == output.name:
            last.text += output.text
        else:
            self.outputs.append(output)


def _size(content: dict) -> int:
    return len(str(content.get("text", ""))) + len(str(content.get("data", ""))) + len(str(content.get("traceback", "")))


def _belongs(message: dict, identity: str) -> bool:
    parent = message.get("parent_header")
    return isinstance(parent, dict) and parent.get("msg_id") == identity


