"""What the terminal shows: tables that stay short for large classes, and nothing of a student's that a terminal would obey."""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from helpers.courses import ENVIRONMENT, make_course
from helpers.formulas import HOSTILE as FORMULAS
from nbjudge._commands import cli
from nbjudge._common.settings import Report
from nbjudge._common.terminal_text import LONGEST, say, shown
from nbjudge._course.outcomes import Outcome, Status
from nbjudge._execution.verdicts import Verdict
from nbjudge._report.csv_files import GradeRow, Grades
from nbjudge._report.terminal import MOST_STUDENTS, duration, print_report

pytestmark = pytest.mark.slow

HOSTILE = [
    "\x1b[31mred",
    "\x1b[2J\x1b[H",
    "\x1b]0;title\x07",
    "\x1b]8;;http://x.example\x1b\\link\x1b]8;;\x1b\\",
    "\x1bc",
    "\x9b31m",
    "\x9d0;t\x9c",
    "\x1bP+q\x1b\\",
    "bell\x07",
    "ada\x08\x08\x08bob",
    "ada\rbob",
    "two\nlines",
    "tab\tbed",
    "a\vb\fc",
    "\x85next",
    "\u2028line",
    "\u2029paragraph",
    "nul\0",
    "\x7f",
    "[red]x[/red]",
    "[/]",
    "[link=http://x.example]x[/link]",
    "[",
    "\\[bold]",
    ":smile:",
    "[bold",
    "[@click=app.quit]x[/]",
    "gp\u202egnp.exe",
    "\u202a\u202b\u202d\u202c",
    "\u2066\u2067\u2068\u2069",
    "\u200e\u200f\u061c",
    "ze\u200bro",
    "\u2060\ufeff\u00ad",
    "\u3164\u115f",
    "\U000e0041tag",
    "\ue000private",
    "\U0010ffff",
    "bad\udcffname",
    "\ud83d",
    "x" * 5000,
    "\x1b" * 5000,
    "é" * 5000,
    "",
    *FORMULAS[::10],
]
FORBIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
TO_THE_TERMINAL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")  # what rich itself sends
GRADED = ["\x1bc", "bell\x07", "gp\u202egnp", ":smile:", "=cmd", "back\x08\x08"]  # as names of folders
REFUSED = ["\x1b]8;;x\x07a\x1b\\", "two\nlines"]


def obeyed(said: str) -> list[str]:
    """What of it a terminal would do something with, but for line feeds."""
    return [letter for letter in said if letter != "\n" and (unicodedata.category(letter) in FORBIDDEN or letter in "\u3164\u115f")]


def printed(grades: list[Grades], outcomes: list[Outcome], is_terminal: bool = False, settings: Report | None = None, width: int = 200) -> str:
    """What `print_report` writes to a file in UTF-8, which takes no halves of characters."""
    file = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="strict")
    print_report(Console(file=file, width=width, highlight=False, force_terminal=is_terminal, color_system=None), grades, outcomes, settings)
    file.flush()
    return file.buffer.getvalue().decode("utf-8")


def report_on(text: str) -> tuple[list[Grades], list[Outcome]]:
    """A class in which one text stands wherever texts of students can come from, and at the names of questions and assignments."""
    row = GradeRow(text, text, 1.0, 2.0, 90.0, {text: 1.0, "q": None}, Outcome(text, Status.GRADED, text, text, notes=[text]))
    broken = Verdict(text, 0, 1, "error", text)
    lost = Outcome(f"submitted/{text}", Status.NOT_GRADED, text, text, text, text, broken_tests=[broken])
    small, large = Grades(text, {text: 2.0, "q": 1.0}, [row]), Grades(text, {text: 2.0, "q": 1.0}, [row] * 41)
    return [small, large], [row.outcome, lost, lost]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:30]))
@pytest.mark.parametrize("is_terminal", [True, False])
def test_a_terminal_obeys_nobody(text: str, is_terminal: bool) -> None:
    said = printed(*report_on(text), is_terminal)
    assert obeyed(said) == []
    assert all(len(line) < 6 * LONGEST for line in said.splitlines())
    notes = said[said.index("Graded, with a note") :]
    assert f"  {shown(text)}: {shown(text)}.\n" in notes, "as it is: no markup, no emoji"
    assert len(notes.splitlines()) == len(printed(*report_on("ada"), is_terminal).split("Graded, with a note")[1].splitlines()), "no line more"


@pytest.mark.parametrize("text", ["ada", "Zoë Müller-Lüdenscheidt", "李 小龙", "علي", "a [b] c", "😀", "O'Neill \\ Söhne", "नमस्ते"])
def test_what_is_harmless_is_shown_as_it_is(text: str) -> None:
    assert shown(text) == text
    assert text in printed(*report_on(text))


@pytest.mark.parametrize(
    ("text", "visible"),
    [
        ("\x1b[31m", r"\x1b[31m"),
        ("\u202e", r"\u202e"),
        ("\udcff", r"\udcff"),
        ("\U000e0041", r"\U000e0041"),
        ("a\nb\tc\r", r"a\nb\tc\r"),
        ("\0", r"\x00"),
        ("x" * (LONGEST + 1), "x" * (LONGEST - 1) + "…"),
    ],
)
def test_what_cannot_be_seen_is_written_out(text: str, visible: str) -> None:
    assert shown(text) == visible
    assert shown(visible) == visible


def test_a_sentence_of_ours_keeps_its_lines_and_is_harmless_all_the_same() -> None:
    console = Console(file=io.StringIO(), width=20)
    say(console, "one [b] :smile:\n  Next: \x1b[31m and a long line that nobody breaks")
    assert console.file.getvalue() == "one [b] :smile:\n  Next: \\x1b[31m and a long line that nobody breaks\n"


def classroom(students: int) -> tuple[list[Grades], list[Outcome]]:
    """`half_test` is lost by every second student, `why` waits at every fourth, nobody has `nothing_test`; some notebooks lack `other`."""
    grades = Grades("1_sums", {"half_test": 4.0, "why": 2.0, "nothing_test": 1.0, "other": 1.0, "free": 0.0})
    for number in range(students):
        outcome = Outcome(f"submitted/s{number}", Status.GRADED, f"s{number}", "1_sums", notes=["it is odd"] if number < 3 else [])
        points = {
            "half_test": 4.0 * (number % 2),
            "why": None if number % 4 == 0 else 1.0,
            "nothing_test": 0.0,
            "other": float(number >= 10),
            "free": 0.0,
        }
        grades.rows.append(
            GradeRow(f"s{number}", "1_sums", 3.0, 8.0, 60.0 * (number < 2), points, outcome, frozenset({"other"} if number < 10 else ()))
        )
    return [grades], [row.outcome for row in grades.rows]


def test_as_many_students_as_a_screen_holds_have_a_line_each() -> None:
    said = printed(*classroom(MOST_STUDENTS))
    assert MOST_STUDENTS == 40
    assert all(re.search(rf"│ s{number} +│", said) for number in range(40))
    assert "late by 1 min, see note" in said and "handed" not in said


@pytest.mark.parametrize("is_terminal", [True, False])
def test_of_one_more_there_is_a_line_for_each_question(is_terminal: bool) -> None:
    settings = Report(ending="_test", together={"half": "halves"})
    said = printed(*classroom(MOST_STUDENTS + 1), is_terminal, settings, width=80)
    assert not re.search(r"│ s\d+ +│", said)
    table = [[cell.strip() for cell in line.strip("│").split("│")] for line in said.splitlines() if line.startswith("│")]
    assert table == [
        # question, points, handed in, mean, none, some, full, by hand
        ["half", "4", "41", "49", "51", "0", "49", "0"],
        ["why", "2", "41", "–", "–", "–", "–", "11"],
        ["nothing", "1", "41", "0", "100", "0", "0", "0"],
        ["other", "1", "31", "100", "0", "0", "100", "0"],
        ["free", "0", "41", "–", "–", "–", "–", "0"],
    ]
    assert "1_sums: 41 students, mean 3.4 of 7.5 graded points" in said
    assert "late: 2 of 41, see note: 3 of 41" in said
    assert "submitted/s0, submitted/s1, submitted/s2: it is odd." in said
    assert "41 in submitted/: 41 graded" in said


def laid_out(said: str, title: str) -> list[list[str]]:
    """The cells of a table, a row of several lines as one."""
    found: list[list[str]] = []
    for line in said[said.index(title) :].splitlines()[1:]:
        if line.startswith(("└", "├")):
            break
        if line.startswith("│"):
            cells = [cell.strip() for cell in line.strip("│").split("│")]
            if found and not any(re.fullmatch(r"[\d.]+ of [\d.]+", cell) for cell in cells[:-1]):  # the sum is empty in what goes on
                found[-1] = [f"{before} {cell}".strip() for before, cell in zip(found[-1], cells)]
            else:
                found.append(cells)
    return found


LONG = "the_question_that_was_asked_in_the_longest_words_of_all"


def many_questions() -> tuple[list[Grades], list[Outcome]]:
    """Sixteen questions, the last of which waits for two of three students, and a second assignment."""
    most = {f"question_{number}": 2.0 for number in range(14)} | {LONG: 4.0, "why": 3.0}
    grades = Grades("1_sums", most)
    for student, lost, waits in (("ada", (), True), ("Zoë " + "x" * 40, ("question_3", LONG), True), ("nobody", tuple(most), False)):
        points = {question: None if waits and question == "why" else 0.0 if question in lost else value for question, value in most.items()}
        if LONG in lost and waits:
            points[LONG] = 1.5
        outcome = Outcome(f"submitted/{student}", Status.GRADED, student, "1_sums")
        grades.rows.append(GradeRow(student, "1_sums", 0.0, 35.0, 0.0, points, outcome))
    second = Grades("2_more", {"one": 2.0}, [GradeRow("ada", "2_more", 0.5, 2.0, 0.0, {"one": 0.5}, Outcome("", Status.GRADED, "ada", "2_more"))])
    return [grades, second], [row.outcome for one in (grades, second) for row in one.rows]


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("is_terminal", [True, False])
def test_where_questions_do_not_fit_words_say_what_needs_a_look(width: int, is_terminal: bool) -> None:
    said = printed(*many_questions(), is_terminal, width=width)
    assert all(cell_len(line) <= width for line in said.splitlines() if line[:1] in "┏┃┡│├└")
    rows = [[cell.replace(" ", "") for cell in row] for row in laid_out(said, "1_sums")]  # names break where they have to
    assert rows == [
        ["ada", "32of32", "3", ""],
        ["Zoë" + "x" * 35 + "…", "27.5of32", "3", f"nopointsatquestion3;1.5of4at{LONG.replace('_', '')}"],
        ["nobody", "0of35", "", "nopointsatanyquestion"],
    ], "what waits is neither 0 nor among the points to be had"
    assert "mean" in said and "19.8 of 33" in said
    assert "not graded yet: 2 answers to why\n" in said


@pytest.mark.parametrize("width", [60, 80, 200])
def test_sums_of_several_assignments_stand_together(width: int) -> None:
    rows = laid_out(printed(*many_questions(), width=width), "all assignments")
    sums = {row[0].split("x")[0].strip(): row[-2] if width == 200 else row[2] for row in rows}
    assert sums == {"Zoë": "27.5 of 32", "ada": "32.5 of 34", "nobody": "0 of 35"}
    assert [row[-1] for row in rows if row[0] == "ada"] == (["3"] if width == 200 else ["2 more"]), "where less than half was earned"
    assert "all assignments" not in printed([many_questions()[0][0]], [], width=width), "of one there is nothing to add"


@pytest.mark.parametrize("name", ["李小龙" * 12, "علي" * 20, "é" * 60, "नमस्ते" * 9, "😀" * 30])
@pytest.mark.parametrize("width", [60, 80])
def test_names_of_any_writing_leave_the_table_straight(name: str, width: int) -> None:
    grades, outcomes = many_questions()
    for row in grades[0].rows:
        row.student = name
    said = printed(grades, outcomes, width=width)
    lines = [line for line in said[: said.index("not graded yet:")].splitlines() if line[:1] in "┏┃┡│├└"]
    assert {cell_len(line) for line in lines} == {cell_len(lines[0])} and cell_len(lines[0]) <= width


@pytest.mark.parametrize("width", [80, 200])
def test_what_counts_is_the_points_without_the_penalty(width: int) -> None:
    grades, outcomes = many_questions()
    grades[0].rows[0].penalty, grades[0].rows[0].seconds_late = 3.5, 60 * 60 * 24 * 3
    grades[0].rows[2].penalty, grades[0].rows[2].seconds_late = 1.0, 60
    said = printed([grades[0]], outcomes, width=width)
    rows = {row[0]: row for row in laid_out(said, "1_sums")}
    assert "28.5 of 32" in rows["ada"] and rows["ada"][-1] == "late by 3 days, 3.5 points taken off"
    assert "0 of 35" in rows["nobody"] and rows["nobody"][-1].endswith("late by 1 min, 1 point taken off")


def test_assignments_stand_in_the_order_in_which_people_count() -> None:
    grades = [Grades(name, {"q": 1.0}, classroom(1)[0][0].rows[:0]) for name in ("ps10", "ps2", "ps1")]
    said = printed(grades, [])
    assert sorted(("ps10", "ps2", "ps1"), key=lambda name: said.index(f"{name}\n")) == ["ps1", "ps2", "ps10"]


def test_what_waits_is_a_dash_where_questions_fit() -> None:
    grades, outcomes = classroom(5)
    rows = laid_out(printed(grades, outcomes), "1_sums")
    assert rows[0][:7] == ["s0", "0", "–", "0", "0", "0", "0 of 6"] and rows[0][7] == "2"
    assert rows[1][:7] == ["s1", "4", "1", "0", "0", "0", "5 of 8"] and rows[1][7] == ""


@pytest.mark.parametrize("chosen", [{}, {"NO_COLOR": "1"}, {"NO_COLOR": "1", "FORCE_COLOR": "1"}, {"TERM": "dumb", "FORCE_COLOR": "1"}])
def test_a_file_gets_no_escapes_and_a_terminal_without_colour_no_colours(chosen: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    for name, value in chosen.items():
        monkeypatch.setenv(name, value)
    file = io.StringIO()
    print_report(Console(file=file, width=80, highlight=False), *many_questions())
    escapes = set(re.findall(r"\x1b\[[0-9;]*m", file.getvalue()))
    assert escapes <= ({"\x1b[0m", "\x1b[1m", "\x1b[3m"} if "FORCE_COLOR" in chosen else set()), "bold and italic are no colours"


def test_one_of_a_thousand_is_not_rounded_away() -> None:
    grades, outcomes = classroom(1000)
    for number, row in enumerate(grades[0].rows):
        row.points["nothing_test"] = float(number == 7)
    [line] = [line for line in printed(grades, outcomes).splitlines() if "nothing_test" in line]
    assert [cell.strip() for cell in line.strip("│").split("│")][3:7] == ["<1", ">99", "0", "<1"]


def test_before_anybody_has_points_there_are_no_shares() -> None:
    grades, outcomes = classroom(41)
    for row in grades[0].rows:
        row.points["why"] = None
    [line] = [line for line in printed(grades, outcomes).splitlines() if "why" in line]
    assert [cell.strip() for cell in line.strip("│").split("│")] == ["why", "2", "41", "–", "–", "–", "–", "41"]


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class whose folders have such names; one is no text at all, and empty."""
    root = make_course(tmp_path_factory.mktemp("course"), students=len(GRADED + REFUSED), first_cell="import math")
    for number, name in enumerate(GRADED + REFUSED):
        (root / f"submitted/s{number}").rename(root / "submitted" / name)
    (root / "submitted" / os.fsdecode(b"bad\xffname")).mkdir()
    return root


@pytest.fixture(scope="module")
def on_a_terminal(course: Path) -> str:
    """What `nbjudge grade` sends to a terminal, without what rich means to send."""
    ours, theirs = pty.openpty()
    run = subprocess.Popen(
        [sys.executable, "-m", "nbjudge", "grade"],
        cwd=course,
        env={**ENVIRONMENT, "TERM": "xterm", "COLUMNS": "150"},
        stdout=theirs,
        stderr=theirs,
        stdin=subprocess.DEVNULL,
    )
    os.close(theirs)
    said = b""
    try:
        while chunk := os.read(ours, 4096):
            said += chunk
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    assert run.wait(60) == 0, said
    return TO_THE_TERMINAL.sub("", said.decode("utf-8"))


def test_a_run_on_a_terminal_sends_it_nothing_of_a_students(on_a_terminal: str) -> None:
    assert obeyed(on_a_terminal) == []
    assert all(shown(name) in on_a_terminal for name in GRADED + REFUSED)
    assert r"submitted/bad\udcffname: the folder's name is not text (UTF-8)." in on_a_terminal
    assert f"{len(GRADED + REFUSED) + 1} in submitted/: {len(GRADED)} graded" in on_a_terminal


def test_a_run_into_a_file_has_a_line_for_each_outcome(course: Path, on_a_terminal: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "nbjudge", "grade"], cwd=course, env=ENVIRONMENT, text=True, capture_output=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    assert obeyed(done.stdout) == []
    lines = done.stdout.splitlines()
    assert all(f"graded before  submitted/{shown(name)}/first/work.ipynb" in lines for name in GRADED)
    assert r"   not graded  submitted/bad\udcffname" in lines and r"   not graded  submitted/two\nlines" in lines
    assert r"bad\udcffname" in (course / "grades" / "elsewhere.csv").read_text(encoding="utf-8")


def test_feedback_that_cannot_be_written_is_told_harmlessly(course: Path, on_a_terminal: str, capfd: pytest.CaptureFixture[str]) -> None:
    (course / "feedback").rename(course / "elsewhere")
    (course / "feedback").write_text("", encoding="utf-8")
    assert cli.main(["feedback", "--course", str(course)]) == 1
    said = capfd.readouterr().out
    assert obeyed(said) == []
    assert all(f"{shown(name)}/first: " in said for name in GRADED)


def test_an_error_that_ends_a_command_is_told_harmlessly(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder := tmp_path / "\x1b]0;title\x07\u202e").mkdir()
    assert cli.main(["export", "--course", str(folder)]) == 1
    said = capsys.readouterr().err
    assert obeyed(said) == [] and r"\x1b]0;title\x07\u202e" in said


@pytest.mark.parametrize(("seconds", "words"), [(0.2, "1 s"), (7, "7 s"), (90.1, "2 min"), (3600, "1 h"), (144_000, "40 h"), (100 * 3600, "4 days")])
def test_how_late_somebody_is(seconds: float, words: str) -> None:
    assert duration(seconds) == words
