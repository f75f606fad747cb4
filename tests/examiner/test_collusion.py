"""Two students who are graded at the same time cannot tell each other anything."""

from __future__ import annotations

import pytest

from examiner.kernels.channel import Channel

SERVE = """
import socket, threading
server = {listen}
server.listen()
def serve():
    while True:
        server.accept()[0].sendall(b"the answer")
threading.Thread(target=serve, daemon=True).start()
"""
ASK = """
import socket
try:
    {connect}
    print("heard:", friend.recv(100))
except OSError as error:
    print("alone:", type(error).__name__)
"""
ROADS = {
    "abstract socket": ("socket.socket(socket.AF_UNIX); server.bind('\\0meet')", "friend = socket.socket(socket.AF_UNIX); friend.connect('\\0meet')"),
    "loopback": ("socket.create_server(('127.0.0.1', 47999))", "friend = socket.create_connection(('127.0.0.1', 47999), 2)"),
    "loopback, version 6": ("socket.create_server(('::1', 47999), family=socket.AF_INET6)", "friend = socket.create_connection(('::1', 47999), 2)"),
    "socket in a file": ("socket.socket(socket.AF_UNIX); server.bind('/tmp/meet')", "friend = socket.socket(socket.AF_UNIX); friend.connect('/tmp/meet')"),
    "socket in shared memory": ("socket.socket(socket.AF_UNIX); server.bind('/dev/shm/meet')",
                                "friend = socket.socket(socket.AF_UNIX); friend.connect('/dev/shm/meet')"),
}


@pytest.fixture
def two(warm, limits):
    kernels = [warm.start(limits) for _ in range(2)]
    yield [Channel(kernel, limits) for kernel in kernels]
    for kernel in kernels:
        kernel.close()


def said(outputs) -> str:
    return "".join(output.get("text", "") + output.get("evalue", "") for output in outputs)


@pytest.mark.parametrize("road", ROADS)
def test_a_classmate_is_not_heard(two, road: str) -> None:
    listen, connect = ROADS[road]
    assert "OSError" not in said(two[0].run(SERVE.format(listen=listen), 5)) or "version 6" in road
    assert said(two[1].run(ASK.format(connect=connect), 10)).startswith("alone:")


@pytest.mark.parametrize("road", ["abstract socket", "loopback", "socket in a file"])
def test_a_notebook_hears_itself(two, road: str) -> None:
    """What keeps two apart is the place, and not a network that does not work at all."""
    listen, connect = ROADS[road]
    two[0].run(SERVE.format(listen=listen), 5)
    assert said(two[0].run(ASK.format(connect=connect), 10)) == "heard: b'the answer'\n"
