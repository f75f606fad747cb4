"""Which files of a student's folder go on: looked at, by their apparent sizes, before any of them is copied."""

from __future__ import annotations

import mimetypes
import os
import shutil
import stat
import sys
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from nbgrader.coursedir import CourseDirectory

from nbjudge._analysis.instructor import BESIDE
from nbjudge._common.terminal_text import shown

MOST_FILES, DEEPEST, LONGEST_PATH = 10_000, 20, 1000  # files and folders; folders within each other; bytes of a path within the folder
MB = 1_000_000  # nbgrader's own settings are in thousands of bytes
MOST_NAMED, LONGEST_NAME = 3, 60  # in a sentence

Reason = tuple[str, str]  # why, and what to do
LINK = "no link is followed", "put the file itself in its place"
NOT_PLAIN = "no plain file", "ask the student for a file, if it matters"
CLOSED = "it cannot be read", "mend its permissions"
TOO_DEEP = f"a file may lie in {DEEPEST} folders, and its path may have {LONGEST_PATH} bytes", "ask for it nearer to the notebook"
TOO_MANY = f"a submission may have {MOST_FILES:,} files and folders, and what comes after those is not taken", "ask for fewer"
IN_THE_WAY = "the assignment or nbgrader has a file or a folder of its own there", "ask the student to rename it, if it matters"
PAGE = (
    "what a student made as a page (HTML, SVG, XML) goes neither to autograded/ nor to feedback/",
    "look at it in submitted/, with an editor and not with a browser",
)

# Endings that some program opens as a page, besides those of which the system knows that they are HTML or XML.
PAGES = (".htm", ".html", ".shtml", ".xht", ".xhtml", ".hta", ".mht", ".mhtml", ".eml", ".svg", ".svgz", ".xml", ".xsl", ".xslt")
SNIFFED = 256  # bytes in which markup begins, after blanks
BLANKS = b"\xef\xbb\xbf\xfe\xff\0 \t\r\n\f"  # and marks of how a text is written
PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp")
PICTURES_BEGIN = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"RIFF", b"BM")


@dataclass(frozen=True)
class FileLimits:
    """How many bytes one file of a submission may have, and all together, and how many files and folders there may be."""

    file: int
    total: int
    count: int = MOST_FILES

    @classmethod
    def of(cls, folders: CourseDirectory) -> FileLimits:
        """What the course allows in nbgrader's exchange; 0 is no limit for one file, as there."""
        return cls(1000 * folders.max_file_size or sys.maxsize, 1000 * folders.max_dir_size)


class LeftOut:
    """What does not go on, by the reason."""

    def __init__(self) -> None:
        self._names: dict[Reason, dict[str, str]] = defaultdict(dict)

    def add(self, name: str, reason: Reason, size: int | None = None) -> None:
        """Note a file or a folder, with its size where that is the reason."""
        self._names[reason][name] = f"`{shown(name, LONGEST_NAME)}`" + ("" if size is None else f" ({_size(size)})")

    def told(self, but: Collection[Reason] = ()) -> list[str]:
        """One sentence for each reason: which ones, why, and what to do."""
        return [_sentence(list(names.values()), reason) for reason, names in self._names.items() if reason not in but]

    def because(self, *reasons: Reason) -> list[str]:
        """The names of what does not go on for one of these reasons."""
        return [name for reason in reasons for name in self._names.get(reason, ())]

    def why(self, name: str) -> str:
        """Why this one does not go on; "" where it does."""
        return next((reason[0] for reason, names in self._names.items() if name in names), "")


def _sentence(names: list[str], reason: Reason) -> str:
    listed = ", ".join(names[:MOST_NAMED]) + (f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else "")
    return f"{listed} {'is' if len(names) == 1 else 'are'} left out: {reason[0]}. Next: {reason[1]}"


def _size(count: int) -> str:
    return f"{count / MB:,.0f} MB" if count >= MB else f"{count / 1000:,.1f} kB"


@dataclass
class StudentFiles:
    """What was found in a student's folder.

    Attributes:
        files: what goes on, by the paths in the folder; pages for the student's cells alone.
        folders: those that go on, empty ones, too.
        replaced: what the instructor's file of the same path is put in the place of.
        left_out: what does not, and pages.
        links: those that have no name of a page.
        closed: what was raised by folders that cannot be read.
        is_whole: everything else goes on, but for notebooks.
    """

    folder: Path
    files: list[str] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)
    left_out: LeftOut = field(default_factory=LeftOut)
    links: list[str] = field(default_factory=list)
    closed: list[OSError] = field(default_factory=list)
    is_whole: bool = True

    def copy(self, target: Path, wanted: Callable[[str], bool] = lambda name: True) -> None:
        """Copy the files that are wanted into a folder, in the place of what lies there. Raises `OSError`."""
        for name in filter(wanted, self.files):
            place = target / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.unlink(missing_ok=True)  # nbgrader makes its files read-only
            shutil.copy(self.folder / name, place)


def look(folder: Path, limits: FileLimits, taken: Collection[str] = (), is_hand_in: bool = False) -> StudentFiles:
    """Look at a student's folder, level by level, and follow no link.

    Args:
        taken: paths of the instructor's files, which no folder of the student's displaces, and their folders no file.
        is_hand_in: it is on its way to `submitted/`: notebooks go with the rest, and pages, which are shown nowhere yet.
    """
    found, sizes, count = StudentFiles(folder), dict[str, int](), 0
    files_taken = {*taken, *BESIDE}
    folders_taken = {str(parent) for name in taken for parent in PurePosixPath(name).parents}
    waiting = deque([""])
    while waiting:
        place = waiting.popleft()
        try:
            entries = _entries(folder, place, limits.count - count)
        except OSError as error:
            found.closed.append(error)
            found.left_out.add(place or ".", CLOSED)
            found.is_whole = False
            continue
        for entry in entries:
            name = f"{place}/{entry.name}" if place else entry.name
            if entry.name.endswith(".ipynb") and not is_hand_in:
                continue
            count += 1
            if count > limits.count:
                found.left_out.add(name, TOO_MANY)
                found.is_whole = False
                waiting.clear()
                break
            reason, size = _look_at(entry, name)
            is_folder = entry.is_dir(follow_symlinks=False)
            if name in (files_taken if is_folder else folders_taken):
                reason = IN_THE_WAY
            elif name in taken and reason is None:
                found.replaced.append(name)
                found.is_whole = False
                continue
            if page := "" if is_hand_in else page_in(name, None if is_folder or reason else Path(entry.path)):
                found.left_out.add(page, PAGE)
            if reason is not None:
                found.is_whole = False
                if not page:
                    found.left_out.add(name, reason)
                    found.links += [name] if reason == LINK else []
            elif is_folder:
                found.folders.append(name)
                waiting.append(name)
            else:
                sizes[name] = size
    found.files = within(sizes, limits, found.left_out)
    found.is_whole = found.is_whole and len(found.files) == len(sizes)
    return found


def within(sizes: Mapping[str, int], limits: FileLimits, left_out: LeftOut) -> list[str]:
    """Those files that are no larger than they may be, also together: notebooks before all others, then the smallest first."""
    kept, total = [], 0
    for name in sorted(sizes, key=lambda name: (not _goes_first(name), sizes[name], name)):
        if sizes[name] > limits.file:
            limit = f"one file may have {_size(limits.file)}"
            left_out.add(name, (limit, "ask for a smaller one, or raise c.CourseDirectory.max_file_size"), sizes[name])
        elif total + sizes[name] > limits.total:
            limit = f"all files of a submission together may have {_size(limits.total)}"
            left_out.add(name, (limit, "ask for less, or raise c.CourseDirectory.max_dir_size"), sizes[name])
        else:
            kept.append(name)
            total += sizes[name]
    return kept


def _entries(folder: Path, place: str, room: int) -> list[os.DirEntry[str]]:
    """What lies in a folder, by name, as far as there is room for it and one more; in the student's own folder what goes first."""
    first, others = list[os.DirEntry[str]](), list[os.DirEntry[str]]()
    with os.scandir(folder / place) as entries:
        for entry in entries:
            some = first if not place and _goes_first(entry.name) else others
            if len(some) <= room:
                some.append(entry)
            elif place:
                break
    return [*sorted(first, key=lambda entry: entry.name), *sorted(others, key=lambda entry: entry.name)]


def _goes_first(name: str) -> bool:
    return "/" not in name and (name.endswith(".ipynb") or name in BESIDE)


def _look_at(entry: os.DirEntry[str], name: str) -> tuple[Reason | None, int]:
    """Why a file or a folder does not go on by itself, None where it does, and its size."""
    if entry.is_symlink():
        return LINK, 0
    if is_too_deep(name):
        return TOO_DEEP, 0
    try:
        about = entry.stat(follow_symlinks=False)
    except OSError:
        return CLOSED, 0
    if stat.S_ISDIR(about.st_mode):
        return None, 0
    if not stat.S_ISREG(about.st_mode):
        return NOT_PLAIN, 0
    return (None if os.access(entry.path, os.R_OK) else CLOSED), about.st_size


def is_too_deep(name: str) -> bool:
    """Whether a path in a student's folder has too many folders, or too many bytes."""
    return name.count("/") > DEEPEST or len(os.fsencode(name)) > LONGEST_PATH


def page_in(name: str, path: Path | None = None) -> str:
    """The part of a path, from its beginning on, that some program would open as a page: a folder, or the file itself; "" if none.

    Args:
        path: where the file lies, of which the content tells what its name does not.
    """
    parts = name.split("/")
    for number, part in enumerate(parts, 1):
        if _is_named_as_page(part):
            return "/".join(parts[:number])
    return name if path is not None and _kind(parts[-1]) is None and _head(path).lstrip(BLANKS)[:1] == b"<" else ""


def is_picture(path: Path) -> bool:
    """Whether a file is a picture that cannot hold a program, by its name and by how it begins."""
    return path.suffix.lower() in PICTURES and _head(path).startswith(PICTURES_BEGIN)


def _is_named_as_page(name: str) -> bool:
    kind = _kind(name) or ""
    ending = os.path.splitext(name.rstrip(". \t\r\n"))[1].lower()  # some systems do not see what stands behind
    return ending in PAGES or kind.endswith(("/html", "/xml", "+xml"))


def _kind(name: str) -> str | None:
    return mimetypes.guess_type(f"/{name}")[0]  # not a URL


def _head(path: Path) -> bytes:
    """How a file begins; nothing of one that cannot be read."""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            return file.read(SNIFFED)
    except OSError:
        return b""
