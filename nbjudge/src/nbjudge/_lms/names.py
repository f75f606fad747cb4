"""What names of files and their cells say: whose a hand-in is, for which notebook, and which names are safe to write."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from nbjudge._course.course import Course
from nbjudge._course.intake import LARGEST_MB, NOT_IN_NAMES
from nbjudge._course.outcomes import Assignment
from nbjudge._wire.limits import MB

MOODLE, CANVAS, PLAIN = "moodle", "canvas", "names"
MOODLE_PART = re.compile(r"(?P<who>.*?)(?:_(?P<number>\d+))?_assignsubmission_(?P<kind>[a-z0-9]+)(?:_(?P<rest>.*))?", re.DOTALL)
CANVAS_FILE = re.compile(r"(?P<prefix>(?P<who>.*?)(?P<late>_LATE)?_(?P<number>\d+))_(?P<file>\d+)_(?P<rest>.+)", re.DOTALL)
CANVAS_TYPED = re.compile(r"(?P<prefix>(?P<who>.*?)(?P<late>_LATE)?_(?P<number>\d+))_(?P<rest>(?:text|link)\.html)", re.DOTALL)
CANVAS_ANONYMOUS = re.compile(r"(?P<prefix>(?P<late>LATE_)?anon_(?P<who>[A-Za-z0-9]+))_(?P<file>\d+)_(?P<rest>.+)", re.DOTALL)
# What browsers, systems and JupyterLab make of a name that is there already.
AGAIN = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?P<name>.+?)\s*\(\d{1,3}\)",
        r"(?P<name>.+)-copy\d*",
        r"(?P<name>.+?)[ _-]+(?:copy|kopie)(?: ?\d+)?",
        r"(?P<name>.+)-\d{1,2}",
        r"(?:copy|kopie|copie)[ _](?:of|von|de)[ _](?P<name>.+)",
    )
]
NOTEBOOK = re.compile(r"(?P<stem>.+?)\.ipynb(?:\.json|\.txt)?", re.IGNORECASE | re.DOTALL)
UNSAFE = NOT_IN_NAMES | set('/\\:<>|"+')  # nbgrader's patterns, systems' paths, and what the exchange puts between the parts of a name
RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)  # devices of Windows
LONGEST_NAME = 100


@dataclass(frozen=True)
class Origin:
    """Whose file it is, as far as its name tells.

    Attributes:
        platform: `MOODLE`, `CANVAS` or `PLAIN`.
        slot: the part of FROM that holds hand-ins for one assignment: on the platforms, a zip.
        who: names that may be the student's: one on a platform, else folders.
        stem: what the file's own name may say of whose it is, where no folder does.
        number: the platform's number of the student.
        prefix: how names of files begin that the platform is to take for this student's.
        file: Canvas's number of the uploaded file.
        late: whether Canvas says so.
        typed: what it is was typed into the platform.
        rest: the path as the student named it.
    """

    platform: str
    slot: str
    who: tuple[str, ...]
    rest: PurePosixPath
    number: str = ""
    prefix: str = ""
    file: int = 0
    late: bool = False
    typed: bool = False
    stem: str = ""

    @property
    def shown_name(self) -> str:
        """The student's name as FROM writes it, for a list."""
        return self.prefix or next(iter(self.who), self.stem)


def origin(path: PurePosixPath, inside: PurePosixPath | None, words: Iterable[str]) -> Origin:
    """Whose file it is.

    Args:
        path: where it lay in FROM.
        inside: its path in an archive of the student's own, which tells nothing of whose it is.
        words: names of the course's assignments and notebooks, which are nobody's.
    """
    for place, part in enumerate(path.parts):
        slot, below = str(PurePosixPath(*path.parts[:place])), path.parts[place + 1 :]
        if match := MOODLE_PART.fullmatch(part):
            own = [match["rest"]] if match["rest"] and not below else []
            rest = inside or PurePosixPath(*below, *own)
            number = match["number"] or ""
            return Origin(MOODLE, slot, (match["who"],), rest, number, f"{match['who']}_{number}" if number else "", typed=match["kind"] != "file")
        if below:
            continue
        if match := CANVAS_ANONYMOUS.fullmatch(part):
            return Origin(
                CANVAS,
                slot,
                (match["who"],),
                inside or PurePosixPath(match["rest"]),
                f"anon_{match['who']}",
                match["prefix"],
                int(match["file"]),
                bool(match["late"]),
            )
        if match := CANVAS_TYPED.fullmatch(part):
            return Origin(CANVAS, slot, (match["who"],), PurePosixPath(match["rest"]), match["number"], match["prefix"], 0, bool(match["late"]), True)
        if match := CANVAS_FILE.fullmatch(part):
            return Origin(
                CANVAS,
                slot,
                (match["who"],),
                inside or PurePosixPath(match["rest"]),
                match["number"],
                match["prefix"],
                int(match["file"]),
                bool(match["late"]),
            )
    return _plain(path, inside, list(words))


def _plain(path: PurePosixPath, inside: PurePosixPath | None, words: list[str]) -> Origin:
    """Folders that are no assignment's, then what the file's own name says besides the notebook's."""
    known = {squeezed(word) for word in words}
    folders = [part for part in path.parts[:-1] if squeezed(part) not in known]
    stem = without_words(first_stem(path.name), words)
    below = path.parts[path.parts.index(folders[0]) + 1 :] if folders else path.parts
    while len(below) > 1 and squeezed(below[0]) in known:
        below = below[1:]
    return Origin(PLAIN, "", tuple(dict.fromkeys(folders)), inside or PurePosixPath(*below), stem=stem)


def first_stem(name: str) -> str:
    """A file's name without its ending, `.tar.gz` and `.ipynb.txt` being one."""
    if match := NOTEBOOK.fullmatch(name):
        return match["stem"]
    return re.sub(r"(?:\.tar)?\.[^.]*$", "", name) or name


def is_notebook(name: str) -> bool:
    """Whether it is a notebook by its name; `.ipynb.txt` and `.ipynb.json` are what some browsers make of one."""
    return bool(NOTEBOOK.fullmatch(name))


def without_again(stem: str) -> str:
    """A name without what programs add where there is one already: `sums (1)`, `sums-2`, `Copy of sums`, `sums-Copy1` are all `sums`."""
    for pattern in AGAIN:
        if match := pattern.fullmatch(stem):
            return without_again(match["name"].strip())
    return stem


def without_words(stem: str, words: Iterable[str]) -> str:
    """What a name says besides a notebook's or an assignment's: `ada` of `sums_ada (1)`. Nothing where it is one of them alone."""
    words = sorted(words, key=len, reverse=True)
    stem = unicodedata.normalize("NFC", stem)
    if any(squeezed(stem) == squeezed(word) for word in words):
        return ""
    stem = without_again(stem)
    for word in words:
        pattern = r"[\W_]*".join(re.escape(part) for part in re.findall(r"[^\W_]+", unicodedata.normalize("NFC", word)))
        if pattern and (match := re.search(rf"(?<![^\W_]){pattern}(?![^\W_])", stem, re.IGNORECASE)):
            stem = f"{stem[: match.start()]} {stem[match.end() :]}"
    return stem.strip(" _-.,+")


def squeezed(text: str) -> str:
    """A text as names are compared: its letters, marks and digits, in one form and small. `O'Brien` and `o brien` are one."""
    return "".join(letter for letter in unicodedata.normalize("NFKC", text).casefold() if unicodedata.category(letter)[0] in "LMN")


def safe_folder(name: str) -> str:
    """A name as a student's folder, which nbgrader, the grader and every system can work with; "" where nothing is left of it."""
    text = unicodedata.normalize("NFC", name)
    text = "".join("_" if letter in UNSAFE or letter.isspace() else letter for letter in text if unicodedata.category(letter)[0] != "C")
    text = re.sub("_{2,}", "_", text)[:LONGEST_NAME].strip("._- ")
    while len(text.encode()) > 2 * LONGEST_NAME:
        text = text[:-1]
    return f"{text}_" if RESERVED.fullmatch(text) else text


def safe_file(name: str, most: int = LONGEST_NAME) -> str:
    """A name that a zip for other people's machines may have: what Windows does not write is `_`."""
    letters = unicodedata.normalize("NFC", name)
    text = "".join("_" if letter in '<>:"/\\|?*' or unicodedata.category(letter)[0] == "C" else letter for letter in letters)
    return text[:most].strip(" .~") or "_"


Assignments = Mapping[str, Assignment]


@dataclass(frozen=True)
class NotebookFacts:
    """Which notebook a file may be: pairs of assignment and notebook, several where its cells or its name are those of several."""

    may_be: frozenset[tuple[str, str]]
    by_cells: bool = False

    def within(self, assignment: str) -> str:
        """The notebook of an assignment that it is; "" where it is none of it, or may be several."""
        notebooks = [notebook for name, notebook in self.may_be if name == assignment]
        return notebooks[0] if len(notebooks) == 1 else ""

    @property
    def assignments(self) -> frozenset[str]:
        """The assignments that it may belong to."""
        return frozenset(assignment for assignment, _ in self.may_be)


def grade_ids(_: Course, file: Path) -> frozenset[str]:
    """The grade ids of a notebook's cells; none where it is no notebook. A large one is to be read beside (see `aside`)."""
    try:
        if file.stat().st_size > LARGEST_MB * MB:
            return frozenset()
        cells = json.loads(file.read_bytes()).get("cells", [])
        about = [cell.get("metadata", {}).get("nbgrader", {}) for cell in cells]
        return frozenset(one["grade_id"] for one in about if isinstance(one.get("grade_id"), str))
    except (ValueError, AttributeError, TypeError, RecursionError, KeyError):
        return frozenset()


def tell(name: str, ids: frozenset[str], assignments: Assignments) -> NotebookFacts:
    """Which notebook a file is, by the most cells in common, else by its name; a name decides between equals, too."""
    common = {(assignment.name, notebook): len(ids & own) for assignment in assignments.values() for notebook, own in assignment.notebooks.items()}
    most = max(common.values(), default=0)
    by_name = _by_name(name, assignments)
    if not most:
        return NotebookFacts(by_name)
    likeliest = frozenset(pair for pair, count in common.items() if count == most)
    return NotebookFacts(likeliest & by_name or likeliest, by_cells=True)


def _by_name(name: str, assignments: Assignments) -> frozenset[tuple[str, str]]:
    """The notebooks whose name a file's name is, or holds besides a student's."""
    stem = first_stem(name)
    every = [(assignment.name, notebook) for assignment in assignments.values() for notebook in assignment.notebooks]
    for asked in (stem, without_again(stem)):
        if same := frozenset(pair for pair in every if squeezed(pair[1]) == squeezed(asked)):
            return same
    held = [pair for pair in every if squeezed(pair[1]) in squeezed(stem)]
    longest = max((len(squeezed(notebook)) for _, notebook in held), default=0)
    return frozenset(pair for pair in held if len(squeezed(pair[1])) == longest)
