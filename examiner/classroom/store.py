"""Where is kept what came of submissions: files by the hash of what decides them, which may be deleted at any time."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
import zlib
from pathlib import Path

from examiner.classroom.whole import write_whole
from examiner.judge.conversation import Conversation
from examiner.judge.execute import Execution
from examiner.parcels.execution import pack_execution, unpack_execution
from examiner.parcels.folders import checksum
from examiner.wire.errors import Malformed
from examiner.wire.limits import MB

OLD_SECONDS = 180 * 24 * 3600.0  # for which nobody has asked for it
MOST_MB = 4096  # beyond which those that nobody has asked for longest go
SPARED_MB = 512  # of a disk, for what must be written
LARGE = 4096  # bytes from which on a part of a conversation is a file of its own: many right answers give the same array
LEVEL = 1  # of compression: the fastest
SAMPLE, WORTH_IT = 4096, 0.7  # bytes of a part by which it is told whether to compress it
HERE, ELSEWHERE = b"-", b"+"


class Store:
    """Parcels by name, in a folder that may be deleted at any time. What is damaged is not there."""

    def __init__(self, folder: Path):
        self.folder = folder

    def execution(self, name: str) -> Execution | None:
        """An execution that is kept, whole."""
        try:
            return unpack_execution(self._read(name))
        except (OSError, zlib.error, Malformed):
            return None

    def conversation(self, name: str) -> Conversation | None:
        """A conversation that is kept, whole."""
        try:
            return Conversation.from_bytes(self._read(name), self._part)
        except (OSError, zlib.error, Malformed):
            return None

    def keep_execution(self, name: str, execution: Execution) -> None:
        """Keep one, whole or not at all."""
        self._write(name, pack_execution(execution))

    def keep_conversation(self, name: str, conversation: Conversation) -> None:
        """The same of one, with its large parts apart."""
        self._write(name, conversation.to_bytes(self._apart))

    def tidy(self) -> None:
        """Remove what nobody has asked for in a long time, and what is too much."""
        found = []
        for path in self.folder.glob("*/*"):
            with contextlib.suppress(OSError):
                about = path.stat()
                found.append((about.st_mtime, about.st_size, path))
        room = MOST_MB * MB
        for asked, size, path in sorted(found, reverse=True):
            room -= size
            if room < 0 or asked < time.time() - OLD_SECONDS:
                with contextlib.suppress(OSError):
                    path.unlink()

    def forget(self) -> None:
        """Remove everything."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _read(self, name: str) -> bytes:
        path = self._path(name)
        content = zlib.decompress(path.read_bytes())
        with contextlib.suppress(OSError):
            os.utime(path)  # it was asked for
        return content

    def _write(self, name: str, content: bytes, level: int = LEVEL) -> None:
        """Nothing where the disk is needed for more than this."""
        path = self._path(name)
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            if shutil.disk_usage(path.parent).free > SPARED_MB * MB:
                write_whole(path, zlib.compress(content, level))

    def _apart(self, part: bytes) -> bytes:
        """What stands for a part of a conversation: itself, or its checksum, under which it is kept."""
        if len(part) < LARGE:
            return HERE + part
        name = checksum(part)
        try:
            os.utime(self._path(name))
        except OSError:
            self._write(name, part, _level_for(part))
        return ELSEWHERE + name.encode()

    def _part(self, kept: bytes) -> bytes:
        if kept[:1] == HERE:
            return kept[1:]
        part = self._read(kept[1:].decode())
        if checksum(part) != kept[1:].decode():
            raise Malformed("a part of a conversation is another one")
        return part

    def _path(self, name: str) -> Path:
        return self.folder / name[:2] / name[2:]


def _level_for(part: bytes) -> int:
    """How much to compress something large. Of the numbers of most arrays nothing is gained, and it takes longer than to record a submission."""
    sample = part[:SAMPLE]
    return LEVEL if len(zlib.compress(sample, LEVEL)) < WORTH_IT * len(sample) else 0
