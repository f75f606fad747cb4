"""No spreadsheet program executes what a student wrote, however it splits the lines; numbers stay numbers; no file is left half written."""

from __future__ import annotations

import csv
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from helpers.formulas import HOSTILE
from nbjudge._course.outcomes import Outcome, Status
from nbjudge._report.csv_files import GradeRow, Grades, safe_cell, write_csv, write_sheet

HONEST = [
    "",
    "ada",
    'Müller, jr., Zoë "Z"',
    "O'Neill",
    "ada@example.org",
    "a - b",
    "x=1",
    "3 + 4 = 7",
    "1_basic/softmax",
    "    Points Possible",
    "submitted/s/a: it is not JSON; ask the student",
    "two\nlines",
    "with\ttab",
    "4711",
    "a;b|c",
    "李 小龙",
    "علی‌رضا",
    "¿Qué? −",
    "'='",
]
BLIND = {"Cc", "Cf", "Cs", "Zs", "Zl", "Zp"}


def cells(text: str) -> Iterator[str]:
    """What programs of several countries take for cells."""
    yield from (cell for line in csv.reader(text.splitlines(keepends=True)) for cell in line)
    for splitter, quoting in product(";|\t", [csv.QUOTE_MINIMAL, csv.QUOTE_NONE]):
        csv.field_size_limit(10**6)
        yield from (cell for line in csv.reader(text.splitlines(), delimiter=splitter, quoting=quoting) for cell in line)


def is_formula(cell: str) -> bool:
    """Whether a program that passes over spaces, quotes and whatever cannot be seen finds a sign first."""
    first = next((letter for letter in cell if unicodedata.category(letter) not in BLIND and letter not in '"“”„«»'), "")
    return unicodedata.normalize("NFKC", first) in {"=", "+", "-", "@", "−"}


def test_no_cell_of_a_students_is_a_formula(tmp_path: Path) -> None:
    """In the first column, in another, and as a heading."""
    for text in HOSTILE:
        write_sheet(tmp_path / "x.csv", [["name", text], [text, "x"], ["x", text]])
        content = (tmp_path / "x.csv").read_text(encoding="utf-8")
        assert [cell for cell in cells(content) if is_formula(cell)] == [], ascii(text)
        assert "\0" not in content, ascii(text)
        assert safe_cell(text).startswith("'") or not text.startswith(("\t", "\r", "\n")), ascii(text)
        with (tmp_path / "x.csv").open(newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        assert [len(row) for row in rows] == [2, 2, 2], ascii(text)
        assert rows[1][0] == rows[2][1] == safe_cell(text), ascii(text)


def test_what_is_safe_stays_as_it_is() -> None:
    for text in HOSTILE:
        assert safe_cell(safe_cell(text)) == safe_cell(text), ascii(text)


@pytest.mark.parametrize("text", HONEST)
def test_what_is_harmless_is_written_as_it_is(text: str) -> None:
    assert safe_cell(text) == text


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("=1", "'=1"),
        (" =1", " '=1"),
        ('"=1', "\"'=1"),
        ("a;=1+1", "a;'=1+1"),
        ("\t=1", "'\t'=1"),
        ("\r=1", "'\r'=1"),
        ("＝1+1", "'＝1+1"),
        ("a|@x", "a|'@x"),
        ("a\n-x", "a\n'-x"),
        ("\0=1", "\\x00'=1"),
        ("\udcff=1", "\\udcff'=1"),
        ("x\0y", "x\\x00y"),
        ("==", "'=="),
    ],
)
def test_the_sign_itself_is_marked(text: str, safe: str) -> None:
    assert safe_cell(text) == safe


def test_numbers_stay_numbers_and_texts_that_look_like_them_do_not(tmp_path: Path) -> None:
    write_sheet(tmp_path / "x.csv", [[-2.5, 3, 0.0, None, "-2.5", "3"]])
    assert (tmp_path / "x.csv").read_text(encoding="utf-8") == "-2.5,3,0.0,,'-2.5,3\n"


def test_the_table_of_a_class_holds_no_formula(tmp_path: Path) -> None:
    """Folder names, notes, reasons, next steps, and the instructor's own names in the header."""
    grades = Grades("=a", {"-q": 1.0, "+r": 2.0})
    outcomes = [Outcome(f"submitted/{text}", Status.GRADED, text, "=a", notes=[text, text]) for text in HOSTILE]
    grades.rows = [GradeRow(outcome.student, "=a", -0.5, 3.0, 0.0, {"-q": -0.5, "+r": None}, outcome) for outcome in outcomes]
    lost = [Outcome(text, Status.NOT_GRADED, text, text, text, text) for text in HOSTILE]
    write_csv(tmp_path / "grades.csv", [grades], outcomes + lost)
    with (tmp_path / "grades.csv").open(newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == 2 * len(HOSTILE)
    assert lines[0]["score"] == lines[0]["'=a/-q"] == "-0.5" and lines[0]["to_grade_by_hand"] == "1" and lines[0]["'=a/+r"] == ""
    content = (tmp_path / "grades.csv").read_text(encoding="utf-8")
    assert [cell for cell in cells(content) if is_formula(cell) and cell != "-0.5"] == []


TOO_LITTLE_ROOM = """
import resource, sys
from pathlib import Path
from nbjudge._report.csv_files import write_sheet
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
write_sheet(Path(sys.argv[1]), [["x" * 1000]] * 1000)
"""


@pytest.mark.slow
@pytest.mark.parametrize("older", [True, False])
def test_what_cannot_be_written_to_its_end_leaves_what_was_there(tmp_path: Path, older: bool) -> None:
    path = tmp_path / "x.csv"
    if older:
        path.write_text("old", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", TOO_LITTLE_ROOM, str(path)],
        text=True,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert "File too large" in done.stderr
    assert {file.name: file.read_text(encoding="utf-8") for file in tmp_path.iterdir()} == ({"x.csv": "old"} if older else {})


def test_a_new_file_has_the_rights_of_the_older_and_a_link_goes_on_leading_there(tmp_path: Path) -> None:
    (tmp_path / "real.csv").write_text("old", encoding="utf-8")
    (tmp_path / "real.csv").chmod(0o640)
    (tmp_path / "x.csv").symlink_to("real.csv")
    write_sheet(tmp_path / "x.csv", [["new"]])
    assert (tmp_path / "x.csv").is_symlink() and (tmp_path / "real.csv").read_text(encoding="utf-8") == "new\n"
    assert (tmp_path / "real.csv").stat().st_mode & 0o777 == 0o640


def test_a_pipe_gets_the_text() -> None:
    code = "from pathlib import Path\nfrom nbjudge._report.csv_files import write_sheet\nwrite_sheet(Path('/dev/stdout'), [['=1', 2]])"
    done = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True, timeout=60, check=True)
    assert done.stdout == "'=1,2\n"
