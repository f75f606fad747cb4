"""CSV files that people write in a spreadsheet program: any of its encodings and separators, a header in any case, each row with its line."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nbjudge._wire.errors import CannotGrade

SEPARATORS = ",;\t|"
LARGEST = 5_000_000  # bytes
MOST_TOLD = 10  # mistakes that one message tells
WORKBOOK = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # how the files of Excel and LibreOffice begin
FORMULA = re.compile(r"[=@+-].+|#(?:REF!|NAME\?|N/A|VALUE!|DIV/0!|NULL!|NUM!)")
SAVE = "save it as CSV (in Excel: CSV UTF-8), then type the same command again"


@dataclass(frozen=True)
class TableRow:
    """One row. `line` is its first line in the file; a column that the file does not have is empty."""

    line: int
    cells: Mapping[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells.get(column, "")


@dataclass
class Table:
    """What a file says. `columns` are those that it has of the ones that were asked for, `others` the headings of the rest."""

    name: str
    columns: tuple[str, ...]
    others: tuple[str, ...]
    rows: list[TableRow]
    headings: frozenset[str] = frozenset()  # all, as `heading` has them
    mistakes: list[tuple[int, str]] = field(default_factory=list)

    def refuse(self, row: TableRow | int, why: str) -> None:
        """Note a mistake; `require_right` tells all of them."""
        self.mistakes.append((row if isinstance(row, int) else row.line, why))

    def require_right(self) -> None:
        """Raise `CannotGrade` with every mistake and its line, if there is one."""
        if not self.mistakes:
            return
        told = [f"line {line}: {why}" for line, why in sorted(set(self.mistakes))]
        if len(told) > MOST_TOLD:
            told = [*told[:MOST_TOLD], f"and {len(told) - MOST_TOLD} more"]
        lines = "".join(f"\n  {one}" for one in told)
        raise CannotGrade(
            f"{self.name} is not used, nothing of it:{lines}\n{self.name} has to be mended first",
            "mend these lines, then type the same command again",
        )


def heading(text: str) -> str:
    """A heading for comparing: letters and digits, in small letters."""
    return "".join(letter for letter in unicodedata.normalize("NFKC", text).casefold() if letter.isalnum())


def read_rows(path: Path, headings: Iterable[str], largest: int = LARGEST) -> list[tuple[int, list[str]]]:
    """The rows of a file as they are written, each with its first line in the file; empty ones are left out.

    Args:
        headings: what the columns may be called, which tells the separator; it is a comma where the file begins with none of them.
        largest: how many bytes the file may have.

    Raises:
        CannotGrade: it cannot be read.
    """
    text = _text(path, largest)
    separator = _separator(text, {heading(name) for name in headings})
    lines = text.split("\n", 1)
    skipped = 0
    if re.fullmatch(r'"?sep=.?"?\s*', lines[0], re.IGNORECASE) and len(lines) > 1:
        text, skipped = lines[1], 1
    found: list[tuple[int, list[str]]] = []
    reader = csv.reader(io.StringIO(f"{text}\n\n", newline=""), delimiter=separator)
    cells: list[str] = []
    try:
        line, begins = 0, 1 + skipped
        for cells in reader:
            line, begins = begins, reader.line_num + 1 + skipped
            if any(cell.strip() for cell in cells):
                found.append((line, cells))
    except csv.Error as error:
        raise CannotGrade(f"{path.name} is no CSV file ({error})", SAVE) from error
    if cells:  # not the empty line at the end: all lines below are part of a cell
        raise CannotGrade(f'line {line} of {path.name} has a " without another at the end of its cell', "mend it, then type the same command again")
    return found


def read_table(path: Path, aliases: Mapping[str, Sequence[str]]) -> Table:
    """Read a file with a header. Empty rows are left out; cells lose the spaces around them; no cell may be a formula.

    Args:
        aliases: what each column may be called in the file, the best first.

    Raises:
        CannotGrade: it cannot be read, or has no header with one of these columns.
    """
    found = [(line, [_clean(cell) for cell in cells]) for line, cells in read_rows(path, [alias for names in aliases.values() for alias in names])]
    if not found:
        raise CannotGrade(f"{path.name} is empty", f"write {', '.join(aliases)} into its first line, or delete it")
    (first, header), *rest = found
    places = _places(path.name, first, header, aliases)
    others = tuple(text for place, text in enumerate(header) if text and place not in places.values())
    table = Table(path.name, tuple(places), others, [], frozenset(map(heading, header)))
    for line, cells in rest:
        if why := too_many(cells, header):
            table.refuse(line, f'{why}: "10% a day, at most 50%"')
            continue
        row = TableRow(line, {column: cells[place] for column, place in places.items() if place < len(cells)})
        for column, cell in row.cells.items():
            if FORMULA.fullmatch(cell):
                table.refuse(row, f"{column} is a formula or a spreadsheet's mistake ({cell[:40]}). Write the value itself")
        table.rows.append(row)
    return table


def too_many(cells: Sequence[str], header: Sequence[str]) -> str:
    """Why a row has something that belongs to no column; "" where it has not."""
    if not any(cell.strip() for cell in cells[len(header) :]):
        return ""
    return f"it has {len(cells)} cells, the header {len(header)}. A cell with the separator in it needs quotes"


def decoded(content: bytes, charset: str = "utf-8-sig", errors: str = "strict") -> str:
    """A text as people's programs save it; each of its lines ends in a line feed alone.

    Args:
        charset: what it should be in. Where it is not, it is taken for what Windows writes in the west of Europe.
        errors: what becomes of what is neither, as in `bytes.decode`.

    Raises:
        UnicodeError: it is neither.
    """
    try:
        text = content.decode("utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else charset)
    except (LookupError, UnicodeError):
        text = content.decode("cp1252", errors=errors)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _text(path: Path, largest: int) -> str:
    try:
        if path.stat().st_size > largest:
            raise CannotGrade(f"{path.name} is larger than {largest // 1_000_000} MB", "look whether it is the right file")
        content = path.read_bytes()
    except OSError as error:
        raise CannotGrade(f"{path.name} cannot be read ({error.strerror})", "mend that, then type the same command again") from error
    if content.startswith(WORKBOOK):
        raise CannotGrade(f"{path.name} is a workbook of a spreadsheet program, and no CSV file", SAVE)
    try:
        text = decoded(content)
    except UnicodeError as error:
        raise CannotGrade(f"{path.name} is in no encoding that is known here", SAVE) from error
    if "\0" in text:
        raise CannotGrade(f"{path.name} is no text", SAVE)
    return text


def _separator(text: str, known: Collection[str]) -> str:
    """The one that finds most columns in the header."""
    lines = [line for line in text.split("\n") if line.strip() and not line.lower().lstrip('"').startswith("sep=")]
    header = lines[0] if lines else ""
    return max(SEPARATORS, key=lambda separator: sum(heading(cell) in known for cell in header.split(separator)))


def _places(name: str, line: int, header: list[str], aliases: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Where each column stands. One column of the file serves one column; the best alias wins."""
    headings = [heading(text) for text in header]
    if twice := next(
        (text for place, text in enumerate(header) if text and headings.index(headings[place]) != place and _is_known(text, aliases)), ""
    ):
        raise CannotGrade(f"line {line} of {name} has two columns {twice}", "delete or rename one of them")
    places: dict[str, int] = {}
    for column, names in aliases.items():
        for alias in names:
            if heading(alias) in headings and (place := headings.index(heading(alias))) not in places.values():
                places[column] = place
                break
    if not places:
        raise CannotGrade(
            f"line {line} of {name} is no header: none of {', '.join(aliases)} stands there", f"write them into the first line of {name}"
        )
    return places


def _is_known(text: str, aliases: Mapping[str, Sequence[str]]) -> bool:
    return any(heading(text) == heading(alias) for names in aliases.values() for alias in names)


def _clean(cell: str) -> str:
    """A cell as one line without spaces around it; what no eye sees goes."""
    text = unicodedata.normalize("NFC", cell.replace("\u00a0", " "))
    return " ".join("".join(letter for letter in text if letter.isspace() or unicodedata.category(letter) not in {"Cc", "Cf", "Cs"}).split())
