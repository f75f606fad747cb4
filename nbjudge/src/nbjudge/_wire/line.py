"""Messages over a local socket: both ends of the grader's connection to a student kernel.

A message is a list of byte strings. It travels in packets, each of which the system delivers whole, so a sender that is
interrupted in the middle of a message spoils that message and no other.
"""

import itertools
import socket
import struct
import sys
import threading
from collections.abc import Iterator

from nbjudge._wire.errors import Malformed

# macOS has no sockets that keep packets whole and also tell when the other end is gone.
KIND = socket.SOCK_SEQPACKET if sys.platform == "linux" else socket.SOCK_DGRAM
HEAD = struct.Struct("!QQ")  # number of the message, its length in bytes
SIZE = struct.Struct("!Q")  # how many parts, then the length of each
CHUNK = 64 * 1024


class Line:
    """One end of a connection. Messages above `most_bytes` are not taken."""

    def __init__(self, end: socket.socket, most_bytes: int):
        self._end, self._most = end, most_bytes
        self._numbers = itertools.count(1)
        self._sending = threading.RLock()
        self._packet = bytearray(HEAD.size + CHUNK)
        self._number, self._length, self._content = 0, 0, bytearray()  # of the message that arrives now

    def fileno(self) -> int:
        """Becomes readable when there is something to `receive`."""
        return self._end.fileno()

    def packets(self, parts: list[bytes]) -> Iterator[bytes]:
        """The packets of one message, for `push`."""
        content = b"".join([SIZE.pack(len(parts)), *(SIZE.pack(len(part)) for part in parts), *parts])
        head = HEAD.pack(next(self._numbers), len(content))
        return (head + content[start : start + CHUNK] for start in range(0, len(content), CHUNK))

    def push(self, packet: bytes) -> bool:
        """Send one packet if there is room for it at once. Raises `OSError` when the other end is gone."""
        try:
            self._end.send(packet, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return False
        return True

    def send(self, parts: list[bytes]) -> None:
        """Send one message, waiting for as long as it takes. Safe from several threads."""
        with self._sending:
            for packet in self.packets(parts):
                self._end.send(packet)

    def receive(self) -> list[bytes] | None:
        """Take one packet if there is one; the message when that completes it, else None. Never waits.

        Raises:
            EOFError: the other end has hung up.
            Malformed: what arrived is no message, or too long for one.
        """
        try:
            size = self._end.recv_into(self._packet, 0, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return None
        except OSError as error:
            raise EOFError(str(error)) from error
        if size == 0:
            raise EOFError("the other end has hung up")
        if size < HEAD.size:
            raise Malformed("a packet without a head")
        number, length = HEAD.unpack_from(self._packet)
        if number != self._number:  # whatever was missing of the message before will not come
            self._number, self._length, self._content = number, length, bytearray()
        self._content += memoryview(self._packet)[HEAD.size : size]
        if length != self._length or max(length, len(self._content)) > self._most:
            raise Malformed(f"a message of {length} bytes, of at most {self._most}")
        if len(self._content) < length:
            return None
        content, self._content = self._content, bytearray()
        return _parts(content)


def _parts(content: bytearray) -> list[bytes]:
    """The byte strings of which a message consists. Raises `Malformed`."""
    try:
        [count] = SIZE.unpack_from(content)
        if count > len(content) // SIZE.size:
            raise Malformed(f"a message of {count} parts in {len(content)} bytes")
        sizes = struct.unpack_from(f"!{count}Q", content, SIZE.size)
    except struct.error as error:
        raise Malformed(f"a message without a table of its parts: {error}") from error
    start = SIZE.size * (count + 1)
    if start + sum(sizes) != len(content):
        raise Malformed("a message whose parts do not add up")
    found, view = [], memoryview(content)
    for size in sizes:
        found.append(bytes(view[start : start + size]))
        start += size
    return found
