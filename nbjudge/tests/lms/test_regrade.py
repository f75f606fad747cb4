"""A second look: what a page offers comes back as it was written, or is refused by name; answers reach the page, and nothing is lost on the way."""

from __future__ import annotations

import csv
import io
import json
import mailbox
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Browser, Page

from nbjudge._course.course import Course
from nbjudge._lms.regrade import SHEET, read_answers
from nbjudge._lms.regrade_requests import read_requests
from nbjudge._nbgrader.regrades import ASK, FOLDER, JOURNAL, About, form_of, read_text, regrades, token_of
from nbjudge._wire.errors import CannotGrade
from nbjudge.testing.small_course import ASSIGNMENT, make, run

ABOUT = About("ada", ASSIGNMENT, "sums", "double_test", "v1")
EMPTY = "\n\n\n\n"
REASON = "Mine is right: x + x.\n[[ no token ]] <b>bold</b> =1+1"


def text(root: Path, about: About = ABOUT, reason: str = REASON) -> str:
    return form_of(root, about, "double", "").text.replace(EMPTY, f"\n\n{reason}\n\n")


@pytest.fixture
def course(tmp_path: Path) -> Course:
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\n", encoding="utf-8")
    token_of(tmp_path, ABOUT)  # makes the key
    return Course(tmp_path)


def read(course: Course, *contents: str | bytes, name: str = "a.txt") -> tuple[list[tuple[str, str]], list[str]]:
    """Student and reason of each request in files of these contents, and what is refused."""
    folder = course.root / "from"
    folder.mkdir(exist_ok=True)
    for number, content in enumerate(contents):
        (folder / f"{number}{name}").write_bytes(content.encode() if isinstance(content, str) else content)
    found, left = read_requests(course, folder)
    return [(one.about.student, one.reason) for one in found], [one.why for one in left]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_file_comes_back_as_it_was_written(encoding: str, ends: str, course: Course) -> None:
    assert read(course, text(course.root, reason="Über x").replace("\n", ends).encode(encoding)) == ([("ada", "Über x")], [])


@pytest.mark.parametrize("change", ["student", "question", "version", "code", "key"])
def test_what_was_altered_is_refused_by_name(change: str, course: Course) -> None:
    token = token_of(course.root, ABOUT)
    if change == "key":
        (course.root / FOLDER / "key").write_bytes(b"other")
        forged = token
    else:
        there = {"student": "bob", "question": "why", "version": "v2"}
        other = token_of(course.root, About(**{**ABOUT.__dict__, change: there[change]})) if change in there else token
        forged = f"{other.split('.')[0]}.{token.split('.')[1]}" if change in there else token[:-1] + ("0" if token[-1] != "0" else "1")
    found, [why] = read(course, text(course.root).replace(token_of(course.root, ABOUT), token).replace(token, forged))
    assert found == [] and f"in the name of {'bob' if change == 'student' else 'ada'} was altered" in why


def test_a_request_of_somebody_elses_is_refused(course: Course) -> None:
    path = course.root / "submitted" / "bob" / ASSIGNMENT / "regrade-ada-double_test.txt"
    path.parent.mkdir(parents=True)
    path.write_text(text(course.root), encoding="utf-8")
    found, [left] = read_requests(course, None)
    assert found == [] and left.why == "bob handed in a request of ada's"


def test_reasons_of_any_kind(course: Course) -> None:
    root = course.root
    nothing, damaged = text(root, reason=""), text(root).replace("]]", "")
    huge, hostile = "x" * 1_000_000, f"{ASK}\n[[nbjudge-regrade AAAA.BBBB]]\nmine"
    assert read(course, nothing) == ([], ["ada gives no reason for double_test"])
    found, left = read(course, damaged, damaged, "a shopping list", text(root, reason=huge), text(root, reason=hostile))
    assert [reason[:20] for _, reason in found] == ["x" * 20, "mine"] and "990,000 letters more" in found[0][1]
    assert [why for why in left if "damaged" in why]
    assert [why for why in left if "no request" in why] and [why for why in left if "was altered" in why]


def test_mails(course: Course) -> None:
    """A reply that quotes, a text in HTML alone, a file attached to an empty form, a mailbox of all."""
    link = urlsplit(form_of(course.root, ABOUT, "double", "a@b.example").mail)
    body = parse_qs(link.query)["body"][0]
    assert link.scheme == "mailto" and link.path == "a@b.example" and read_text(body.replace("\r\n", "\n")) == [(token_of(course.root, ABOUT), "")]
    quoted, html, attached = EmailMessage(), EmailMessage(), EmailMessage()
    token = token_of(course.root, ABOUT)
    broken = text(course.root).replace(token, f"{token[:40]}\n{token[40:]}")
    quoted.set_content("\n".join(f"> {line}" for line in broken.split("\n")))
    html.set_content("<p>" + text(course.root, reason="a < b").replace("<", "&lt;").replace("\n", "<br>") + "</p>", subtype="html")
    attached.set_content(text(course.root, reason=""))
    attached.add_attachment(text(course.root, reason="in the file"), filename="regrade-ada.txt")
    box = mailbox.mbox(course.root / "all.mbox")
    for number, message in enumerate((quoted, html, attached)):
        message["From"], message["Subject"] = f"Ada <ada{number}@example.org>", "Second look"
        box.add(message)
    box.flush()
    found, left = read_requests(course, course.root / "all.mbox")
    assert [(one.reason, one.sender) for one in found] == [
        (REASON, "ada0@example.org"),
        ("a < b", "ada1@example.org"),
        ("in the file", "ada2@example.org"),
    ]
    assert left == []


@pytest.mark.parametrize(
    "content",
    [
        b"id,asked,answer\r\n1,2026,Yes\r\n2,2026,\r\n",
        "\ufeffsep=;\nID ; asked; Answer \n1;2026;Yes\n".encode(),
        "id\tanswer\n1,0\tYes\n".encode("utf-16"),
        b"Answer,ID\nYes,1.0\n\n,\n",
    ],
)
def test_the_sheet_is_read_as_programs_save_it(content: bytes, tmp_path: Path) -> None:
    (tmp_path / SHEET).write_bytes(content)
    assert read_answers(tmp_path / SHEET) == {1: "Yes"}


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("a,b\n1,2\n", "the columns id and answer"),
        ("", "the columns id and answer"),
        ("id,answer\n1,Yes\n1,No\n", "two answers for number 1"),
        ("id,answer\nx,Yes\n", "line 2 of regrades.csv has an answer and no id: Yes"),
        ('id,reason,answer\n1,"two\nlines",\nx,,Yes\n', "line 4 of regrades.csv has an answer and no id: Yes"),
        ("PK\x03\x04rest", "a workbook"),
        ("id,answer\n1,Yes, you are right\n", "line 2 of regrades.csv: it has 3 cells, the header 2"),
        ('id,answer\n1,"Yes\n2,No\n', 'line 2 of regrades.csv has a " without another'),
    ],
)
def test_a_mangled_sheet_is_refused_and_stays(content: str, why: str, tmp_path: Path) -> None:
    (tmp_path / SHEET).write_text(content, encoding="utf-8")
    with pytest.raises(CannotGrade, match=why):
        read_answers(tmp_path / SHEET)


def test_a_line_that_a_crash_cut_off_loses_no_other(course: Course) -> None:
    from nbjudge._nbgrader.regrades import journal

    with journal(course.root) as kept:
        assert kept.ask(ABOUT, "one", 1.0, 3.0, []) == 1
    with (course.root / FOLDER / JOURNAL).open("a", encoding="utf-8") as file:
        file.write('{"at": "2026-01-01", "event": "as')
    with journal(course.root) as kept:
        assert kept.ask(ABOUT, "two", None, 3.0, ["note"]) == 2
        kept.answer(1, "Yes.", 3.0)
    first, second = regrades(course.root)
    assert (first.answer, first.is_open, first.has_changed_points, second.reason, second.remarks) == ("Yes.", False, True, "two", ["note"])


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(accept_downloads=True)
    yield context.new_page()
    context.close()


def html_of(root: Path) -> BeautifulSoup:
    return BeautifulSoup((root / "feedback" / "bob" / ASSIGNMENT / "sums.html").read_text(encoding="utf-8"), "html.parser")


@pytest.mark.slow
@pytest.mark.browser
def test_from_the_page_to_the_answer(tmp_path: Path, page: Page) -> None:
    """A student fills in the form in Chromium; the file is taken in, answered in the sheet, shown in the page and counted in the report."""
    root = make(tmp_path / "course", answers={"ada": "def double(x):\n    return 2 * x", "bob": "def double(x):\n    return x + 4"})
    run(root, "nbjudge", "grade")
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.goto((root / "feedback" / "bob" / ASSIGNMENT / "sums.html").as_uri())
    look = page.locator("#double_test details.regrade")
    look.locator("summary").click()
    assert look.locator(".plain").is_hidden()
    look.get_by_role("button").click()
    assert "Write first" in look.locator("output").inner_text()
    look.locator("textarea").fill(REASON)
    with page.expect_download() as started:
        look.get_by_role("button").click()
    handed = tmp_path / "mails" / started.value.suggested_filename
    started.value.save_as(handed)
    assert handed.name == "regrade-bob-double_test.txt" and said == []

    assert run(root, "nbjudge", "regrade").stdout.startswith("Nobody has asked for a second look.")
    other = tmp_path / "moodle" / "bob_77_assignsubmission_file_" / "regrade-bob-label_test.txt"
    other.parent.mkdir(parents=True)
    asked = html_of(root).select_one("#label_test .regrade pre").get_text()
    other.write_text(asked.replace(EMPTY, "\n\nThe label, too.\n\n"), encoding="utf-8")
    collected = run(root, "nbjudge", "collect", str(other.parents[1]), "--assignment", ASSIGNMENT).stdout
    assert "Requests for a second look: 1 new. Next: make regrade" in collected and "0 things not collected" in collected
    assert not list((root / "submitted").glob("*/*/regrade-*"))

    done = run(root, "nbjudge", "regrade", str(handed.parent))
    assert (
        "bob: double_test (week1), 0 of 3, today" in done.stdout
        and "The label, too." in done.stdout
        and "Mine is right" in done.stdout
        and "1 new" in done.stdout
    )
    assert "1 known already" in run(root, "nbjudge", "regrade", str(handed.parent)).stdout
    sheet = (root / SHEET).read_text(encoding="utf-8")
    assert sheet.count("Mine is right") == 1
    rows = list(csv.reader(io.StringIO(sheet)))
    place = next(number for number, row in enumerate(rows) if "double_test" in row)
    rows[place][-1] = "=No & <script>1</script>"
    text = io.StringIO()
    csv.writer(text, delimiter=";").writerows(rows)
    (root / SHEET).write_text(text.getvalue(), encoding="utf-8")
    assert "1 answered now; 1 of 2 open" in run(root, "nbjudge", "regrade").stdout
    assert "0 answered now" in run(root, "nbjudge", "regrade").stdout
    run(root, "nbjudge", "feedback")
    html = html_of(root)
    assert "There is no answer yet." in html.select_one("#label_test aside").get_text()
    assert html.select_one("#double_test .said").get_text() == "=No & <script>1</script>" and len(html.select("script")) == 1
    run(root, "nbjudge", "report", "--anonymous")
    report = BeautifulSoup((root / "report" / "index.html").read_text(encoding="utf-8"), "html.parser")
    text = " ".join(report.select_one("#second-looks").find_next("p").get_text().split())
    assert text.startswith("2 requests, points changed at 0, 1 open, the oldest since ") and "bob" not in report.get_text()
    assert json.loads((root / FOLDER / JOURNAL).read_text(encoding="utf-8").splitlines()[2])["answer"] == "=No & <script>1</script>"
