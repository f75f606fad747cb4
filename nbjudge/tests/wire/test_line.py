"""Messages over a line arrive whole, in order, or not at all; the channel on top of it takes no wrong answer."""

import json
import random
import socket
import threading

import pytest

from nbjudge._sandbox.channel import Channel
from nbjudge._sandbox.running import RunningKernel
from nbjudge._wire.errors import KernelGone, Malformed
from nbjudge._wire.line import CHUNK, HEAD, KIND, SIZE, Line
from nbjudge._wire.shared_page import SharedPage, new_page

MB = 1024 * 1024


@pytest.fixture
def ends():
    """Two ends of a connection, as sockets."""
    pair = socket.socketpair(type=KIND)
    yield pair
    for end in pair:
        end.close()


def received(line: Line) -> list[bytes]:
    """The next message that is complete."""
    while (parts := line.receive()) is None:
        pass
    return parts


@pytest.mark.parametrize("parts", [[], [b""], [b"a"], [b"a", b"", b"bc"], [bytes(CHUNK)], [bytes(CHUNK + 1), b"end"]], ids=len)
def test_a_message_arrives_as_it_was(ends, parts):
    Line(ends[0], MB).send(parts)
    assert received(Line(ends[1], MB)) == parts


def test_large_messages_arrive_in_order(ends):
    first, second = Line(ends[0], 10 * MB), Line(ends[1], 10 * MB)
    messages = [[random.Random(number).randbytes(3 * MB), b"%d" % number] for number in range(3)]
    threading.Thread(target=lambda: [first.send(parts) for parts in messages], daemon=True).start()
    assert [received(second) for _ in messages] == messages


def test_a_message_that_was_broken_off_spoils_no_other(ends):
    first, second = Line(ends[0], MB), Line(ends[1], MB)
    first.push(next(first.packets([bytes(2 * CHUNK)])))
    first.send([b"whole"])
    assert received(second) == [b"whole"]


def test_messages_of_several_threads_do_not_mix(ends):
    first, second = Line(ends[0], MB), Line(ends[1], MB)
    texts = [bytes([number]) * (3 * CHUNK) for number in range(4)]
    for text in texts:
        threading.Thread(target=first.send, args=([text],), daemon=True).start()
    assert sorted(received(second) for _ in texts) == [[text] for text in texts]


def test_nothing_to_receive_is_no_wait(ends):
    assert Line(ends[0], MB).receive() is None


def test_a_full_socket_is_told(ends):
    line = Line(ends[0], MB)
    packet = next(line.packets([bytes(CHUNK - 100)]))
    assert [line.push(packet) for _ in range(100)][-1] is False


def test_an_end_that_hung_up_is_told(ends):
    ends[0].close()
    with pytest.raises(EOFError):
        Line(ends[1], MB).receive()


@pytest.mark.parametrize(
    "packet",
    [
        b"short",
        HEAD.pack(1, 2 * MB) + b"x",
        HEAD.pack(1, 2**63) + b"x",
        HEAD.pack(1, 3) + b"abc",
        HEAD.pack(1, 3) + b"more than three",
        HEAD.pack(1, 8) + SIZE.pack(2**63),
        HEAD.pack(1, 8) + SIZE.pack(1),
        HEAD.pack(1, 16) + SIZE.pack(1) + SIZE.pack(9),
        HEAD.pack(1, 17) + SIZE.pack(1) + SIZE.pack(0) + b"x",
    ],
    ids=str,
)
def test_what_is_no_message_is_refused(ends, packet):
    ends[0].send(packet)
    with pytest.raises(Malformed):
        received(Line(ends[1], MB))


@pytest.fixture
def other_end(limits, tmp_path):
    """A channel, and a line on which a test plays the kernel."""
    lifeline, watched = socket.socketpair()
    line, its_line = socket.socketpair(type=KIND)
    kernel = RunningKernel(tmp_path / "box", lifeline, line, SharedPage(new_page()), None)
    yield Channel(kernel, limits), Line(its_line, MB), watched, its_line
    for end in (watched, its_line):
        end.close()
    kernel.close()


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"[",
        b"7",
        b"[]",
        b"{}",
        b'{"kind": "reply"}',
        b'{"kind": "reply", "to": "0"}',
        b'{"kind": "reply", "to": "2"}',
        b'{"kind": "reply", "to": 1}',
        b'{"kind": [], "to": "1", "content": {}}',
        b"[" * 100_000,
        b"\xff\xfe",
        b'{"kind": "stream", "to": "1", "content": 3}',
        b'{"kind": "stream", "to": "1", "content": {"name": 7}}',
    ],
    ids=lambda head: head[:50],
)
def test_what_answers_no_question_is_dropped(other_end, head):
    channel, kernel, *_ = other_end
    kernel.send([head, b"wrong"])
    kernel.send([])
    kernel.send([json.dumps({"kind": "reply", "to": "1"}).encode(), b"right"])
    assert channel.ask([b"question"], 1) == [b"right"]


def test_last_words_come_before_the_news_of_the_end(other_end):
    channel, kernel, watched, its_line = other_end
    kernel.send([json.dumps({"kind": "stream", "to": "1", "content": {"name": "stdout", "text": "so far"}}).encode()])
    watched.sendall(b'{"ended": "exit 3"}\n')
    its_line.close()
    with pytest.raises(KernelGone, match="exit 3") as caught:
        channel.run("work()", 1)
    assert caught.value.outputs[0].text == "so far"


def test_a_closed_connection_is_told_at_once(other_end):
    channel, _, _, its_line = other_end
    its_line.close()
    with pytest.raises(KernelGone, match="closed its connection"):
        channel.ask([], 30)


def test_a_large_question_and_much_talk_at_once(warm, limits):
    """Neither end may wait for the other to read while it writes."""
    kernel = warm.start(limits)
    try:
        channel = Channel(kernel, limits)
        channel.run(
            "import threading\n\ndef talk():\n    while True:\n        print('x' * 1000, flush=True)\n"
            "threading.Thread(target=talk, daemon=True).start()",
            2,
        )
        assert channel.ask([json.dumps({"do": "get", "names": []}).encode(), bytes(20 * MB)], 10)
    finally:
        kernel.close()
