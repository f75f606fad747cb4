"""Requests for a second look in what people hand over: the files that feedback pages make, mails with their text, archives and mailboxes of both."""

from __future__ import annotations

import email
import email.policy
import email.utils
import mailbox
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import EmailMessage
from html import unescape
from pathlib import Path
from typing import TypeAlias

import nh3

from nbjudge._common.csv_tables import decoded
from nbjudge._course.course import Course
from nbjudge._lms.archives import Found, Left, unpack
from nbjudge._nbgrader.regrades import LONGEST_REASON, About, about_token, read_text, require_key
from nbjudge._wire.errors import CannotGrade
from nbjudge._wire.limits import MB

LARGEST = 4 * MB  # of a text or a mail with what is attached to it
LARGEST_BOX = 1024 * MB
TEXTS, MAILS, BOXES = (".txt", ".text", ".md", ".json", ".html", ".htm"), (".eml",), (".mbox", ".mbx")
PATTERN = "regrade-*.txt"  # what a feedback page calls its file
Asked: TypeAlias = tuple[str, str, Path]  # where it lay, whose it is or "", its content
ASK_AGAIN = "ask {} to make the request again from the feedback page"


@dataclass(frozen=True)
class Request:
    """One request whose token is this course's. `sender` is the address of the mail that it came in; `where` the file."""

    about: About
    reason: str
    where: str
    sender: str = ""


@dataclass(frozen=True)
class _Text:
    where: str
    text: str
    sender: str = ""
    whose: str = ""


def read_requests(course: Course, source: Path | None) -> tuple[list[Request], list[Left]]:
    """The requests in FROM, or, where there is none, those that lie beside hand-ins in `submitted/`; and what is none to be taken in.

    Raises:
        CannotGrade: there is nothing of that name, or nothing of it can be read.
    """
    if source is None:
        files = sorted(course.folder("submitted").glob(f"*/*/{PATTERN}"))
        own = [_Text(str(path.relative_to(course.root)), text, whose=path.parts[-3]) for path in files if (text := _plain(path)) is not None]
        return sort_out(course, own)
    require_key(course.root)
    with tempfile.TemporaryDirectory(prefix="regrades-") as scratch:
        unpacked = unpack(source, Path(scratch))
        texts: list[_Text] = []
        left = list(unpacked.left)
        for found in unpacked.found:
            try:
                texts += _texts(found)
            except (OSError, ValueError, LookupError, CannotGrade) as error:
                left.append(Left(_where(found), f"it cannot be read ({error})", "look at it, and save its text as a .txt file"))
        requests, refused = sort_out(course, texts)
        return requests, left + refused


def from_beside(course: Course, files: list[Asked]) -> tuple[list[Request], list[Left]]:
    """Those in files that `collect` found beside hand-ins.

    Args:
        files: those files; one whose student is not known counts by its token alone.
    """
    return sort_out(course, [_Text(where, text, whose=student) for where, student, path in files if (text := _plain(path)) is not None])


def sort_out(course: Course, texts: list[_Text]) -> tuple[list[Request], list[Left]]:
    """The requests in texts, each with a token of this course's and a reason; and what is wrong with the others, by name."""
    requests: list[Request] = []
    left: list[Left] = []
    without: list[tuple[About, Left]] = []
    for one in texts:
        found = read_text(one.text)
        if not found and one.whose == "" and "nbjudge-regrade" not in one.text:
            left.append(Left(one.where, "it holds no request for a second look", "nothing, if it is something else"))
        elif not found:
            left.append(Left(one.where, "its last lines, which tell what it is about, are damaged", ASK_AGAIN.format(one.whose or "the student")))
        for token, reason in found:
            about, is_ours = about_token(course.root, token)
            if about is None or not is_ours:
                who = f" in the name of {about.student}" if about else ""
                left.append(
                    Left(
                        one.where,
                        f"a request{who} was altered, or is none of this course's pages: its code does not fit",
                        ASK_AGAIN.format(about.student if about else "the student"),
                    )
                )
            elif one.whose and one.whose != about.student:
                left.append(Left(one.where, f"{one.whose} handed in a request of {about.student}'s", f"ask {one.whose}, and {about.student}"))
            elif not reason:
                without.append((about, Left(one.where, f"{about.student} gives no reason for {about.question}", ASK_AGAIN.format(about.student))))
            else:
                requests.append(Request(about, _bounded(reason), one.where, one.sender))
    told = {request.about for request in requests}  # a mail quotes the empty text, too
    return requests, left + [why for about, why in without if about not in told]


def _bounded(reason: str) -> str:
    most = 2 * LONGEST_REASON
    return reason if len(reason) <= most else f"{reason[:most]}… (and {len(reason) - most:,} letters more, in the file)"


def _where(found: Found) -> str:
    return str(found.path if found.inside is None else found.path / found.inside)


def _texts(found: Found) -> Iterator[_Text]:
    """The texts in one file: itself, a mail's parts, or those of each mail in a mailbox."""
    name, where = (found.inside or found.path).name.lower(), _where(found)
    if name.endswith(MAILS):
        yield from _of_mail(email.message_from_bytes(_bytes(found.file), policy=email.policy.default), where)
    elif name.endswith(BOXES) or ("." not in name and found.file.open("rb").read(5) == b"From "):
        if found.file.stat().st_size > LARGEST_BOX:
            raise CannotGrade(f"it is larger than {LARGEST_BOX // MB} MB", "save the requests alone")
        box = mailbox.mbox(found.file, create=False)
        for number, key in enumerate(box.iterkeys(), start=1):
            yield from _of_mail(email.message_from_bytes(box.get_bytes(key), policy=email.policy.default), f"{where}, mail {number}")
    elif name.endswith(TEXTS) and (text := _plain(found.file)) is not None:
        yield _Text(where, text)


def _of_mail(message: EmailMessage, where: str) -> Iterator[_Text]:
    """A mail's texts, attached ones too; its HTML where it has no other."""
    _, sender = email.utils.parseaddr(str(message.get("From", "")))
    parts = [part for part in message.walk() if part.get_content_maintype() == "text" or (part.get_filename() or "").lower().endswith(".txt")]
    plain = [part for part in parts if part.get_content_subtype() != "html"]
    texts = []
    for part in plain or parts:
        payload = part.get_payload(decode=True)
        text = _decoded(payload if isinstance(payload, bytes) else b"", part.get_content_charset())
        texts.append(text if part in plain else unescape(nh3.clean(text.replace("<br", "\n<br").replace("</", "\n</"), tags=set())))
    if not any(read_text(text) for text in texts):
        yield _Text(where, "".join(texts)[:LARGEST], sender)
        return
    yield from (_Text(where, text, sender) for text in texts if read_text(text))


def _plain(path: Path) -> str | None:
    if path.is_symlink() or not path.is_file():
        return None
    return _decoded(_bytes(path))


def _bytes(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(LARGEST)


def _decoded(content: bytes, charset: str | None = None) -> str:
    """A text in whatever an editor made of it; letters that are none are signs."""
    return decoded(content, charset or "utf-8-sig", errors="replace").replace("\u00a0", " ")
