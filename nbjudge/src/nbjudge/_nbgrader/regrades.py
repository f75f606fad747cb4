"""Requests for a second look: the token that ties one to its page, the text that a student fills in, and the journal of what came of each.

The journal is `regrades/journal.jsonl` in the course's folder, one event a line, only ever added to. A feedback page carries a token: what
it is about (student, assignment, notebook, question, version), in base64, and a keyed code of it (HMAC-SHA256; RFC 2104). The key never leaves
the course's folder. So whoever has no page of a student's cannot ask in the student's name, and nothing of a token can be changed.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import json
import os
import re
import secrets
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from filelock import FileLock
from nbformat import NotebookNode
from nbgrader.utils import is_solution

from nbjudge._common.atomic_write import write_atomically
from nbjudge._wire.errors import CannotGrade

FOLDER, KEY, JOURNAL = "regrades", "key", "journal.jsonl"
CODE_LETTERS = 32  # of the code: 128 bits, far more than anybody can try
LONGEST_REASON, LONGEST_TOKEN = 5000, 4000
ASK = "Write below this line what should be looked at, and why:"
KEEP = "Leave everything below this line as it is."
TOKEN = re.compile(r"\[\[nbjudge-regrade\s((?:[\s>]*[A-Za-z0-9_=.-]){1,%d})[\s>]*\]\]" % LONGEST_TOKEN)
QUOTED = re.compile(r"^(?:[ \t]*>)+ ?", re.MULTILINE)


@dataclass(frozen=True)
class About:
    """What a request is about. `version` is that of the graded notebook, see `version_of`."""

    student: str
    assignment: str
    notebook: str
    question: str
    version: str

    @property
    def place(self) -> tuple[str, str, str, str]:
        """The question of the student, whichever version."""
        return self.student, self.assignment, self.notebook, self.question


def version_of(nb: NotebookNode) -> str:
    """A digest of what a student wrote into a graded notebook: another one where a later hand-in was graded."""
    written = [[cell.metadata.nbgrader.get("grade_id", ""), cell.source] for cell in nb.cells if is_solution(cell)]
    return hashlib.sha256(json.dumps(written).encode(errors="replace")).hexdigest()[:16]


def token_of(root: Path, about: About) -> str:
    """The token of a request; makes the course's key where there is none.

    Raises:
        OSError: the key cannot be read or written.
    """
    text = base64.urlsafe_b64encode(json.dumps([*about.place, about.version], ensure_ascii=True, separators=(",", ":")).encode()).decode()
    return f"{text}.{_code(_key(root), text)}"


def about_token(root: Path, token: str) -> tuple[About | None, bool]:
    """What a token says it is about, None where it says nothing; and whether this course wrote it so."""
    text, _, code = token.partition(".")
    try:
        fields = json.loads(base64.b64decode(text, altchars=b"-_", validate=True))
        about = About(*fields) if all(isinstance(one, str) for one in fields) else None
    except (ValueError, TypeError, RecursionError):
        return None, False
    path = root / FOLDER / KEY
    return about, path.is_file() and hmac.compare_digest(_code(path.read_bytes(), text).encode(), code.encode())


def _code(key: bytes, text: str) -> str:
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()[:CODE_LETTERS]


def _key(root: Path) -> bytes:
    """The course's key, made once, whichever of several processes comes first."""
    path = root / FOLDER / KEY
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f".key-{secrets.token_hex(8)}")
        try:
            with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(secrets.token_bytes(32))
            with contextlib.suppress(FileExistsError):
                os.link(fresh, path)
        finally:
            fresh.unlink(missing_ok=True)
    return path.read_bytes()


@dataclass(frozen=True)
class Form:
    """What a page offers at one question: the text to fill in, its file's name, and the mail that has it."""

    text: str
    file: str
    address: str = ""

    @property
    def mail(self) -> str:
        """A `mailto:` address with subject and text."""
        subject, body = quote(f"Second look: {self.file}"), quote(self.text.replace("\n", "\r\n"))
        return f"mailto:{quote(self.address, safe='@')}?subject={subject}&body={body}"

    @property
    def data(self) -> str:
        """The file as a `data:` address, for a page whose script does not run."""
        return f"data:application/octet-stream;base64,{base64.b64encode(self.text.encode()).decode()}"


def form_of(root: Path, about: About, name: str, address: str) -> Form:
    """The form for a question.

    Args:
        name: the question's, as a person would write it.
        address: where mail goes; "" where there is none.
    """
    text = f"Second look at {name}\n\n{ASK}\n\n\n\n{KEEP}\n[[nbjudge-regrade {token_of(root, about)}]]\n"
    return Form(text, f"regrade-{_plain(about.student)}-{_plain(about.question)}.txt", address)


def _plain(name: str) -> str:
    return re.sub(r"[^\w-]+", "_", name, flags=re.ASCII)[:60]


def read_text(text: str) -> list[tuple[str, str]]:
    """Each request in a text, as token and reason. A mail's signs of quotation and broken lines are taken out of both."""
    found, begin = [], 0
    for match in TOKEN.finditer(text):
        before, begin = QUOTED.sub("", text[begin : match.start()]), match.end()
        before = before[before.rfind(ASK) + len(ASK) :] if ASK in before else before
        reason = before[: before.rfind(KEEP)] if KEEP in before else before
        found.append((re.sub(r"[\s>]", "", match[1]), reason.strip()))
    return found


@dataclass
class Regrade:
    """One request. `before` and `after` are the points when it came in and when it was answered; None is not graded."""

    number: int
    about: About
    reason: str
    asked: datetime
    before: float | None = None
    most: float = 0.0
    remarks: list[str] = field(default_factory=list)
    answer: str = ""
    answered: datetime | None = None
    after: float | None = None

    @property
    def is_open(self) -> bool:
        """Whether nobody has answered it."""
        return self.answered is None

    @property
    def has_changed_points(self) -> bool:
        """Whether the points are others since it came in, as far as that is known by its answer."""
        return self.answered is not None and self.before != self.after


def regrades(root: Path) -> list[Regrade]:
    """All requests in the order in which they came in, with their answers; a line of the journal that cannot be read tells nothing."""
    path = root / FOLDER / JOURNAL
    try:
        seen = path.stat()
    except OSError:
        return []
    return list(_read(path, seen.st_mtime_ns, seen.st_size))


@lru_cache(maxsize=4)
def _read(path: Path, *_: int) -> tuple[Regrade, ...]:
    found: dict[int, Regrade] = {}
    for event in _events(path):
        with contextlib.suppress(KeyError, TypeError, ValueError, AttributeError):
            number, at = int(event["id"]), datetime.fromisoformat(event["at"])
            if event["event"] == "asked":
                about = About(*map(str, event["about"]))
                found[number] = Regrade(
                    number, about, str(event["reason"]), at, event["points"], float(event["most"]), list(map(str, event["remarks"]))
                )
            elif event["event"] == "answered":
                one = found[number]
                one.answer, one.answered, one.after = str(event["answer"]), at, event["points"]
    return tuple(found.values())


def _events(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        with contextlib.suppress(ValueError):
            if isinstance(event := json.loads(line), dict):
                yield event


@contextlib.contextmanager
def journal(root: Path) -> Iterator[Journal]:
    """The journal, to add to; no other process does at that time.

    Raises:
        OSError: it cannot be written.
    """
    (root / FOLDER).mkdir(parents=True, exist_ok=True)
    with FileLock(root / FOLDER / ".lock", timeout=60):
        yield Journal(root)


class Journal:
    """Adds events to the journal, each as a whole or not at all."""

    def __init__(self, root: Path):
        self._path = root / FOLDER / JOURNAL
        self._last = max((one.number for one in regrades(root)), default=0)

    def ask(self, about: About, reason: str, points: float | None, most: float, remarks: Collection[str]) -> int:
        """A request has come in; returns its number."""
        self._last += 1
        told = [about.student, about.assignment, about.notebook, about.question, about.version]
        self._add({"event": "asked", "id": self._last, "about": told, "reason": reason, "points": points, "most": most, "remarks": list(remarks)})
        return self._last

    def answer(self, number: int, answer: str, points: float | None) -> None:
        """A request is answered, perhaps once more."""
        self._add({"event": "answered", "id": number, "answer": answer, "points": points})

    def _add(self, event: dict[str, Any]) -> None:
        line = json.dumps({"at": datetime.now(UTC).isoformat(timespec="seconds"), **event}, ensure_ascii=True) + "\n"
        with self._path.open("a+b") as file:
            size = file.tell()
            file.seek(max(0, size - 1))
            if file.read() not in (b"", b"\n"):  # a line that a crash cut off stays a line of its own
                line = "\n" + line
            try:
                file.write(line.encode())
                file.flush()
                os.fsync(file.fileno())
            except OSError:
                os.truncate(self._path, size)
                raise


def forget(root: Path, students: Collection[str]) -> None:
    """Take students out of the journal.

    Raises:
        OSError: it cannot be written.
    """
    path = root / FOLDER / JOURNAL
    if not any(one.about.student in students for one in regrades(root)):
        return
    with FileLock(root / FOLDER / ".lock", timeout=60):
        gone = {one.number for one in regrades(root) if one.about.student in students}
        kept = [event for event in _events(path) if event.get("id") not in gone]
        write_atomically(path, "".join(json.dumps(event, ensure_ascii=True) + "\n" for event in kept).encode())


def require_key(root: Path) -> None:
    """Raise `CannotGrade` where no page of this course can have carried a token yet."""
    if not (root / FOLDER / KEY).is_file():
        raise CannotGrade("no feedback page of this course offers a second look yet", "make feedback, then give the pages back")
