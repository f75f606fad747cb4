"""class.csv and dates.csv as people write them: what is read, and what is refused whole, with its line."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from traitlets.config import Config

from nbjudge._common.due_dates import Dates, moment, read_dates
from nbjudge._common.late_rules import parse_rule
from nbjudge._common.roster import Roster, read_roster
from nbjudge._wire.errors import CannotGrade

PEOPLE = 'name,id,mail,group\n"Lovelace, Ada",ada,ada@x.org,A\nJosé Müller,jose,j.m@x.org,B\nZoë Zed,zoe,,B\n'
CANVAS = (
    'Student,ID,SIS User ID,SIS Login ID,Section,hw1 (12)\n    Points Possible,,,,,10\n"Lovelace, Ada",4711,1,ada,S1,9\n"Student, Test",99,,x1,S1,\n'
)


def roster_of(folder: Path, content: str | bytes) -> Roster:
    (folder / "class.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    found = read_roster(folder)
    assert found is not None
    return found


@pytest.mark.parametrize(
    "content",
    [
        PEOPLE.encode(),
        b"\xef\xbb\xbf" + PEOPLE.replace(",", ";").replace("Lovelace;", "Lovelace,").replace("\n", "\r\n").encode(),
        PEOPLE.replace("ë", "e").replace("é", "é").encode("cp1252").replace(b"Zoe", b"Zo\xeb"),
        PEOPLE.replace("Lovelace, Ada", "Ada Lovelace").replace(",", "\t").encode("utf-16"),
        ("sep=,\r\n" + PEOPLE.replace("name,id,mail", " NAME ,Student ID,E-Mail Address")).encode(),
        PEOPLE.replace("\n", "\n,,,\n\n").encode(),
    ],
    ids=["plain", "BOM, semicolons, CRLF", "Latin-1", "UTF-16, tabs", "sep=, other headings", "empty rows"],
)
def test_a_class_is_read_as_spreadsheet_programs_write_it(tmp_path: Path, content: bytes) -> None:
    found = roster_of(tmp_path, content)
    assert [(one.student, one.first_name, one.last_name, one.mail) for one in found] == [
        ("ada", "Ada", "Lovelace", "ada@x.org"),
        ("jose", "José", "Müller", "j.m@x.org"),
        ("zoe", "Zoë", "Zed", ""),
    ]
    assert found.groups == {"A": ("ada",), "B": ("jose", "zoe")}


def test_a_canvas_gradebook_and_a_moodle_list_are_a_class(tmp_path: Path) -> None:
    [ada] = roster_of(tmp_path, CANVAS)
    assert (ada.student, ada.number, ada.group, ada.name) == ("ada", "4711", "S1", "Ada Lovelace")
    [ada] = roster_of(tmp_path, "First name,Last name,ID number,Email address,Groups\nAda,Lovelace,s17,ada@x.org,A\n")
    assert (ada.student, ada.number, ada.name, ada.mail) == ("s17", "s17", "Ada Lovelace", "ada@x.org")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("name,id\nA,ada\nB,ada\n", "line 3: id ada stands in line 2, too"),
        ("name,id\nA,ada\nB,Ada\n", "line 3: id Ada stands in line 2, too"),
        ("name,id\nA,a/b\n", "line 2: a/b cannot be the name of a folder"),
        ("name,id\nA,..\n", "line 2: .. cannot be"),
        ("name,id\nA,*\n", "line 2: * cannot be"),
        ("name,id\nA,\n", "line 2: the id is empty"),
        ("name,id\nA,=1+1\n", "line 2: id is a formula"),
        ("name,id\n=HYPERLINK(1),a\n", "line 2: name is a formula"),
        ("name,id\nA,#REF!\n", "line 2: id is a formula or a spreadsheet's mistake"),
        ('name,id\nA,"1,23E+11"\n', "line 2: 1,23E+11 is a number that a spreadsheet program has shortened"),
        ("name,id,mail\nA,a,nowhere\n", "line 2: nowhere is no mail address"),
        ("name,id\nA,a,b,c\n", "line 2: it has 4 cells, the header 2"),
        ('name,id\n"two\nlines",a\nB,a\n', "line 4: id a stands in line 2, too"),
        ('sep=,\nid,name\na,A\nb,"B\nc,C\nd,D\n', 'line 4 of class.csv has a " without another'),
        ("name,mail\nA,a@x.org\n", "class.csv has no column id"),
        ("ada,ada@x.org\n", "is no header"),
        ("name,id\n", "has a header and nobody below it"),
        ("", "class.csv is empty"),
        ("id,ID\na,b\n", "has two columns ID"),
        (b"PK\x03\x04rest", "is a workbook"),
        (b"id\n\x00a\n", "is no text"),
        ("id,number\na,1\nb,1\n", "line 3: number 1 stands in line 2, too"),
    ],
)
def test_a_wrong_class_is_refused_with_its_line(tmp_path: Path, content: str | bytes, told: str) -> None:
    with pytest.raises(CannotGrade) as refused:
        roster_of(tmp_path, content)
    assert told in str(refused.value) and "Next: " in str(refused.value)


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(CannotGrade) as refused:
        roster_of(tmp_path, "name,id\nA,*\nB,b\nC,b\nD,\n")
    assert all(f"line {number}:" in str(refused.value) for number in (2, 4, 5))


def dates_of(folder: Path, content: str, roster: Roster | None = None, zone: str = "Europe/Berlin") -> Dates:
    (folder / "dates.csv").write_text(content, encoding="utf-8")
    found = read_dates(folder, Config({"Exchange": {"timezone": zone}}), ["hw1", "hw2"], roster)
    assert found is not None
    return found


def test_due_dates_rules_and_extensions(tmp_path: Path) -> None:
    roster = roster_of(tmp_path, PEOPLE)
    found = dates_of(
        tmp_path,
        "Assignment;Due date;Late rule;Student;Group\nHW1;2026-05-01;10% a day, at most 50%;;\nhw2;08.05.2026 12:00;;;\n"
        "hw1;2026-05-04;;;B\nhw1;2026-05-06 10:00;;J.M@x.org;\n",
        roster,
    )
    assert found.due_at("hw1") == datetime(2026, 5, 1, 21, 59, 59, tzinfo=UTC)
    assert found.due_at("hw2") == datetime(2026, 5, 8, 10, tzinfo=UTC)
    assert found.due_at("hw1", "zoe") == datetime(2026, 5, 4, 21, 59, 59, tzinfo=UTC), "the group's"
    assert found.due_at("hw1", "jose") == datetime(2026, 5, 6, 8, tzinfo=UTC), "the own one counts more"
    assert found.due_at("hw1", "ada") == found.due_at("hw1")
    assert found.rule("hw2") is None and found.rule("hw1") is not None
    assert not found.is_due("hw1", "zoe", datetime(2026, 5, 4, 12, tzinfo=UTC)) and found.is_due("hw1", "ada", datetime(2026, 5, 4, 12, tzinfo=UTC))


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ("hw3,2026-05-01,,\n", "line 2: the course has no assignment hw3"),
        ("hw1,31.02.2026,,\n", "line 2: there is no day 31.02.2026"),
        ("hw1,03/04/2026,,\n", "03/04/2026 may be 2026-03-04 or 2026-04-03"),
        ("hw1,46143,,\n", "46143 is no date"),
        ("hw1,soon,,\n", "soon is no date"),
        ("hw1,2026-05-01 24:00,,\n", "there is no time 2026-05-01 24:00"),
        ("hw1,2026-03-29 02:30,,\n", "clocks were put forward"),
        ("hw1,26-05-01,,\n", "is no date"),
        ("hw1,0026-05-01,,\n", "cannot be"),
        ("hw1,2026-05-01,,\nhw1,2026-05-02,,\n", "line 3: hw1 has a due date in line 2"),
        ("hw1,,10% a day,\n", "line 2: hw1 has a late rule, and no due date"),
        ("hw1,2026-05-01,be nice,\n", "line 2: late rule: `be nice` is no late rule that is known here"),
        ('hw1,2026-05-01,"10% a day, at most 3 days",\n', "may mean two things"),
        ("hw1,2026-05-01,10% a day, at most 50%,\n", "a late rule with a comma needs quotes"),
        ("hw1,2026-05-01,,\nhw1,2026-05-02,,nobody\n", "line 3: nobody in class.csv has the id or the address nobody"),
        ("hw1,2026-05-01,,\nhw1,2026-05-02,,adaa\n", "Did you mean ada?"),
        ("hw1,2026-05-02,,\nhw1,2026-05-01,,ada\n", "line 3: this is not later than hw1 is due for all (line 2)"),
        ("hw1,2026-05-02,,ada\n", "line 2: hw1 has no due date for all"),
        ("hw1,2026-05-01,,\nhw1,2026-05-02,,ada\nhw1,2026-05-03,,ada\n", "line 4: ada has another due date for hw1 in line 3"),
        ("hw1,2026-05-01,,\nhw1,2026-05-02,none,ada\n", "a late rule is for all"),
        (",2026-05-01,,\n", "no assignment is named"),
        ("hw1,=TODAY(),,\n", "due is a formula"),
    ],
)
def test_wrong_dates_are_refused_with_their_line(tmp_path: Path, rows: str, told: str) -> None:
    roster = roster_of(tmp_path, PEOPLE)
    with pytest.raises(CannotGrade) as refused:
        dates_of(tmp_path, "assignment,due,late,student\n" + rows, roster)
    assert told in str(refused.value) and "Next: " in str(refused.value)


def test_a_zone_that_is_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(CannotGrade, match=r"Mars/Olympus"):
        dates_of(tmp_path, "assignment,due\nhw1,2026-05-01\n", zone="Mars/Olympus")


@pytest.mark.parametrize(
    ("text", "utc"),
    [
        ("2026-12-24", "2026-12-24 22:59:59"),
        ("24.12.2026", "2026-12-24 22:59:59"),
        ("2026-12-24T18:00", "2026-12-24 17:00:00"),
        ("12/24/2026 6:00 PM", "2026-12-24 17:00:00"),
        ("24/12/2026 12:00 am", "2026-12-23 23:00:00"),
        ("2026-12-24 18:00Z", "2026-12-24 18:00:00"),
        ("2026-12-24 18:00 +05:30", "2026-12-24 12:30:00"),
        ("05/05/2026 10:00", "2026-05-05 08:00:00"),
    ],
)
def test_dates_are_moments_of_the_courses_zone(text: str, utc: str) -> None:
    assert f"{moment(text, ZoneInfo('Europe/Berlin')):%Y-%m-%d %H:%M:%S}" == utc


HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.mark.parametrize(
    ("rule", "late", "penalty"),
    [
        ("none", 9 * DAY, 0),
        ("10% a day", timedelta(0), 0),
        ("10% a day", timedelta(seconds=1), 2),
        ("10% a day", DAY, 2),
        ("10% a day", DAY + timedelta(seconds=1), 4),
        ("10% per day", 30 * DAY, 8),
        ("10% of earned a day", 2 * DAY, 1.6),
        ("10%/day, at most 30%", 9 * DAY, 6),
        ("2 points a day", 3 * DAY, 6),
        ("2.5 pts an hour", 2 * HOUR, 5),
        ("25%", 9 * DAY, 5),
        ("3 points", HOUR, 3),
        ("not accepted", timedelta(seconds=1), 8),
        ("zero, grace 15 minutes", timedelta(minutes=15), 0),
        ("zero, 15 min grace", timedelta(minutes=16), 8),
        ("10% a day, grace 1 hour", DAY + HOUR, 2),
        ("10% a day, closed after 3 days", 3 * DAY, 6),
        ("10% a day and closed after 3 days", 3 * DAY + HOUR, 8),
        ("none, not accepted after 1 week", 8 * DAY, 8),
    ],
)
def test_what_a_late_rule_takes_off(rule: str, late: timedelta, penalty: float) -> None:
    """Of 8 points that were earned, where 20 are possible."""
    assert parse_rule(rule).penalty(8, 20, late) == pytest.approx(penalty)


def test_no_rule_takes_off_more_than_was_earned() -> None:
    for rule in ("10% a day", "5 points", "zero", "99% of earned a day"):
        for earned in (-3.0, 0.0, 0.5):
            taken = parse_rule(rule).penalty(earned, 20, 30 * DAY)
            assert 0 <= taken <= max(0.0, earned), rule


@pytest.mark.parametrize(
    "text", ["", "at most 50%", "10% a day, 5% a day", "110% a day", "2 points of earned a day", "half", "10 a day", "grace 5 minutes"]
)
def test_other_rules_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_rule(text)
