"""What was said between the grader and a student's kernel, kept so that it need not be said again.

A notebook is judged again where only its tests have changed. As long as the grader asks for the same, word for word and in the same order,
the kernel would answer what it answered then: it knows nothing but what it has been asked. So a test that compares otherwise, or says
something else, is judged without running one of the student's cells. With the first question that is another one, everything is run.
"""

from __future__ import annotations

import hashlib
import json
import random
import secrets
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from nbformat import NotebookNode, from_dict

from nbjudge._proxies import pickling
from nbjudge._sandbox.channel import Channel, OnCallback
from nbjudge._sandbox.running import RunningKernel
from nbjudge._sandbox.starting import KernelStarter
from nbjudge._wire.errors import Malformed, OwnFailure
from nbjudge._wire.limits import MB, Limits
from nbjudge._wire.shared_page import SharedPage, new_page

MOST_BYTES = 32 * MB  # of one conversation; a longer one is not kept


class Kind(StrEnum):
    """Who says what."""

    ASKED, CALLED, GAVE, ANSWERED = "asked", "called", "gave", "answered"


class Differs(OwnFailure):
    """What is said now is not what was said then: it has to be said to a kernel."""


@dataclass
class Conversation:
    """What was said, in order.

    Args:
        said: of the grader's words a hash, of the kernel's all. `asked` and `answered` come in pairs; between them the kernel may have
            `called` functions of a test, which `gave` something.
        seed: of the generators that tests draw from unless they seed them: another one each time, and the same when it is held again.
        is_whole: whether one kernel said it all, nothing had to be stopped, and it is not too long.
    """

    said: list[tuple[Kind, list[bytes]]] = field(default_factory=list)
    seed: int = field(default_factory=lambda: secrets.randbits(32))
    is_whole: bool = True
    size: int = field(default=0, compare=False)

    def note(self, kind: Kind, words: Sequence[bytes]) -> None:
        """Add something, unless it is too much."""
        kept = [_digest(words)] if kind in (Kind.ASKED, Kind.GAVE) else [*words]
        self.size += sum(map(len, kept))
        self.is_whole = self.is_whole and self.size <= MOST_BYTES
        if self.is_whole:
            self.said.append((kind, kept))
        else:
            self.said.clear()

    def to_bytes(self, kept: Callable[[bytes], bytes] = bytes) -> bytes:
        """All of it, to be read by `from_bytes`. `kept`: what stands for a part of what the kernel said."""
        said = [(kind, [*map(kept, words)] if kind in (Kind.CALLED, Kind.ANSWERED) else words) for kind, words in self.said]
        index = json.dumps([self.seed, *([kind, [len(part) for part in words]] for kind, words in said)]).encode()
        return b"".join([len(index).to_bytes(8, "big"), index, *(part for _, words in said for part in words)])

    @classmethod
    def from_bytes(cls, written: bytes, part: Callable[[bytes], bytes] = bytes) -> Conversation:
        """A whole conversation; `part` takes back what `kept` did. Raises `Malformed`."""
        end = 8 + int.from_bytes(written[:8], "big")
        try:
            seed, *index = json.loads(written[8:end])
            found = cls(seed=int(seed))
            for kind, lengths in index:
                words = [written[begin : begin + length] for begin, length in zip(_places(end, lengths), lengths)]
                end += sum(lengths)
                found.said.append((Kind(kind), [*map(part, words)] if kind in (Kind.CALLED, Kind.ANSWERED) else words))
        except (ValueError, TypeError) as error:
            raise Malformed(f"what is kept of a conversation cannot be read ({error})") from error
        if end != len(written):
            raise Malformed("what is kept of a conversation is cut")
        return found


class Recording(Channel):
    """A channel that keeps what is said over it."""

    def __init__(self, kernel: RunningKernel, limits: Limits, conversation: Conversation):
        super().__init__(kernel, limits)
        self._conversation = conversation
        if conversation.said:  # another kernel's
            conversation.is_whole = False

    def run(self, source: str, seconds: float) -> list[NotebookNode]:
        """As `Channel.run`."""
        self._conversation.note(Kind.ASKED, [source.encode("utf-8", "surrogatepass")])
        outputs = self._unless_stopped(lambda: super(Recording, self).run(source, seconds))
        self._conversation.note(Kind.ANSWERED, [json.dumps(outputs).encode()])
        return outputs

    def ask(
        self,
        buffers: list[bytes],
        seconds: float,
        limit: float | None = None,
        on_callback: OnCallback | None = None,
        free: Sequence[int] = (),
    ) -> list[bytes]:
        """As `Channel.ask`. What is freed is not kept: it is another time's, and changes no answer."""

        def heard(call: list[bytes]) -> list[bytes]:
            assert on_callback is not None
            self._conversation.note(Kind.CALLED, call)
            given = on_callback(call)
            self._conversation.note(Kind.GAVE, given)
            return given

        self._conversation.note(Kind.ASKED, buffers)
        reply = self._unless_stopped(lambda: super(Recording, self).ask(buffers, seconds, limit, heard if on_callback else None, free))
        self._conversation.note(Kind.ANSWERED, reply)
        return reply

    def _unless_stopped(self, say: Callable[[], Any]) -> Any:
        try:
            return say()
        except BaseException:
            self._conversation.is_whole = False
            raise


class Replay(Channel):
    """A channel to nobody, which answers as the kernel did."""

    def __init__(self, kernel: RunningKernel, conversation: Conversation):
        self.kernel, self._rest = kernel, iter(conversation.said)

    def run(self, source: str, seconds: float) -> list[NotebookNode]:
        """What the cell showed. Raises `Differs` where it was not this cell's turn."""
        self._expect(Kind.ASKED, [source.encode("utf-8", "surrogatepass")])
        [shown] = self._next(Kind.ANSWERED)
        return [from_dict(output) for output in json.loads(shown)]

    def ask(
        self,
        buffers: list[bytes],
        seconds: float,
        limit: float | None = None,
        on_callback: OnCallback | None = None,
        free: Sequence[int] = (),
    ) -> list[bytes]:
        """The reply. Raises `Differs` where something else was asked then."""
        self._expect(Kind.ASKED, buffers)
        while True:
            kind, words = next(self._rest, (None, []))
            if kind == Kind.ANSWERED:
                return words
            if kind != Kind.CALLED or on_callback is None:
                raise Differs("something else was asked")
            self._expect(Kind.GAVE, on_callback(words))

    def _expect(self, kind: Kind, words: Sequence[bytes]) -> None:
        if self._next(kind) != [_digest(words)]:
            raise Differs("something else was asked")

    def _next(self, wanted: Kind) -> list[bytes]:
        kind, words = next(self._rest, (None, []))
        if kind != wanted:
            raise Differs("something else was asked")
        return words


class ReplayedKernel(RunningKernel):
    """In the place of a kernel that need not run."""

    def __init__(self) -> None:
        self.process, self.ended, self.gauge = None, None, SharedPage(new_page())

    def interrupt(self) -> None:
        """Nothing is there to be interrupted."""

    def look(self) -> None:
        """Nothing is there to be looked at."""

    def poll(self) -> str | None:
        """It does not end."""
        return None

    def close(self) -> None:
        """Nothing is there to be closed."""


class Kernels:
    """Where a session gets its kernels from, and what it says to them.

    Args:
        warm: what starts them.
        before: a conversation that is held again, with nobody.
        libraries: modules that each kernel will need.
    """

    def __init__(self, warm: KernelStarter, before: Conversation | None = None, libraries: Sequence[str] = ()):
        self._warm, self._before, self._conversation, self._libraries = warm, before, Conversation(), libraries

    def others(self) -> Kernels:
        """More kernels, in which something else is said."""
        return Kernels(self._warm, libraries=self._libraries)

    def seed(self) -> None:
        """Seed the generators of this process, of the libraries that are loaded, and what names are drawn from."""
        seed = (self._before or self._conversation).seed
        pickling.seed(seed)
        random.seed(seed)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(seed)
        if "torch" in sys.modules:
            sys.modules["torch"].manual_seed(seed)

    @property
    def whole(self) -> Conversation | None:
        """What was said, where it can be held again; of one that was held again nothing, as it is kept already."""
        return self._conversation if self._before is None and self._conversation.is_whole else None

    def connect(self, limits: Limits, files: Path | Sequence[Path] | None) -> Channel:
        """A line to another kernel. Raises as `KernelStarter.start`, and `Differs`."""
        if self._before is None:
            return Recording(self._warm.start(limits, files, libraries=self._libraries), limits, self._conversation)
        return Replay(ReplayedKernel(), self._before)


def _digest(words: Sequence[bytes]) -> bytes:
    found = hashlib.sha256()
    for part in words:
        found.update(len(part).to_bytes(8, "big"))
        found.update(part)
    return found.digest()[:16]


def _places(begin: int, lengths: list[int]) -> Iterator[int]:
    for length in lengths:
        yield begin
        begin += length
