"""Two students who are graded at the same time cannot tell each other anything.

Each file in cheats/together/ is two notebooks: a student who knows the answer and tells it, and one who only listens.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from hostile import TESTS, TOGETHER, cheat_source, pair
from nbjudge._execution.execute import execute
from nbjudge._sandbox.channel import Channel
from nbjudge._sandbox.starting import WarmKernels
from nbjudge._wire.limits import Limits

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
{connect}
print("heard:", friend.recv(100))
"""
ROADS = {
    "abstract socket": ("socket.socket(socket.AF_UNIX); server.bind('\\0meet')", "friend = socket.socket(socket.AF_UNIX); friend.connect('\\0meet')"),
    "loopback": ("socket.create_server(('127.0.0.1', 47999))", "friend = socket.create_connection(('127.0.0.1', 47999), 2)"),
    "loopback, version 6": ("socket.create_server(('::1', 47999), family=socket.AF_INET6)", "friend = socket.create_connection(('::1', 47999), 2)"),
    "socket in a file": (
        "socket.socket(socket.AF_UNIX); server.bind('/tmp/meet')",
        "friend = socket.socket(socket.AF_UNIX); friend.connect('/tmp/meet')",
    ),
}


@pytest.fixture(scope="module")
def exposed():
    """Kernels without a sandbox."""
    with WarmKernels(sandboxed=False) as kernels:
        yield kernels


def points(path: Path, warm: WarmKernels, limits: Limits) -> dict[str, float]:
    """What the second student gets for each test while the first one's kernel is there."""
    tells, hears = pair(path)
    friend = warm.start(limits)
    try:
        Channel(friend, limits).run(tells.cells[1].source, 10)
        return {verdict.grade_id: verdict.points for verdict in execute(hears, cheat_source(), warm, limits).verdicts}
    finally:
        friend.close()


def test_there_are_many_ways_to_meet() -> None:
    assert len(TOGETHER) >= 15


@pytest.mark.parametrize("path", TOGETHER, ids=lambda path: path.stem)
def test_two_together_earn_nothing(path: Path, warm, limits, clean_box) -> None:
    assert points(path, warm, limits) == dict.fromkeys(TESTS, 0)


@pytest.mark.parametrize("path", TOGETHER, ids=lambda path: path.stem)
def test_without_a_sandbox_they_would_meet(path: Path, exposed, limits) -> None:
    assert points(path, exposed, limits) == {**dict.fromkeys(TESTS, 0), "answer_test": 2}


@pytest.mark.parametrize("road", ROADS)
def test_a_notebook_hears_itself(warm, limits, road: str) -> None:
    """What keeps two apart is the place, and not a network that does not work at all."""
    listen, connect = ROADS[road]
    kernel = warm.start(limits)
    try:
        channel = Channel(kernel, limits)
        channel.run(SERVE.format(listen=listen), 5)
        [output] = channel.run(ASK.format(connect=connect), 10)
    finally:
        kernel.close()
    assert output.get("text") == "heard: b'the answer'\n"
