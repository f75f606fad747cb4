"""A day with a class on the hub, in Chromium: everybody logs in as themselves, and everything goes through JupyterLab and nbgrader's panels."""

from __future__ import annotations

import json
import os
import pwd
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import nbformat
import pytest
from day import (
    FIRST,
    NOTEBOOK,
    answer_and_submit,
    collect_and_grade,
    fetch,
    fetch_feedback,
    grade_by_hand,
    release,
    release_feedback,
    set_due_date,
)
from playwright.sync_api import Browser, expect
from trial_hub import ROOT, HubPage, TrialHub

from attnlab import reference
from authoring.answer_files import answers_to
from authoring.answers import solution_sources
from nbjudge.testing.small_course import rows_by_question

pytestmark = [pytest.mark.root, pytest.mark.browser, pytest.mark.timeout(1800)]  # a first start of the hub installs everybody's packages
SCREENSHOTS = ROOT / "screenshots"
RIGHT = solution_sources(nbformat.read(FIRST.solution, as_version=4))
HALF = dict(list(RIGHT.items())[: len(RIGHT) // 2])
WRITTEN_CELL, WRITTEN = "why_equal", "Both words have one vector, so all their scores are equal."
WRONG = {"softmax": answers_to(FIRST, "softmax")["wrong/over_all_entries"].source}
COMMENT = "True, and well said."
POINTS_BY_HAND = "2.5"
STUDENTS = ("ada", "ben", "cem")
TRIES = Path(__file__).with_name("tries.py")
LISTENING = "0A"  # in /proc/net/tcp


class Class:
    """The people of a day, with what each of them has open."""

    def __init__(self, hub: TrialHub, browser: Browser):
        self.hub, self.browser, self.console = hub, browser, list[str]()
        self.labs: dict[str, HubPage] = {}
        self.table, self.feedback = dict[str, str](), dict[str, str]()  # what the formgrader and the feedback pages say of each student

    def enter(self, who: str) -> HubPage:
        self.labs[who] = HubPage.log_in(self.browser, self.hub, who, SCREENSHOTS, self.console)
        return self.labs[who]

    @property
    def inbound(self) -> Path:
        """Where students hand in."""
        return next(self.hub.folder.glob("exchange/*/inbound"))

    def ports_of(self, who: str) -> list[int]:
        """Where the processes of somebody listen."""
        rows = [line.split() for kind in ("tcp", "tcp6") for line in Path("/proc/net", kind).read_text(encoding="utf-8").splitlines()[1:]]
        return [int(row[1].rsplit(":", 1)[1], 16) for row in rows if row[3] == LISTENING and int(row[7]) == self.hub.people[who].uid]

    def home(self, who: str) -> Path:
        """The folder that somebody's JupyterLab shows."""
        return self.hub.people[who].course

    def keep_evidence(self) -> None:
        SCREENSHOTS.mkdir(exist_ok=True)
        (SCREENSHOTS / "failed-hub.log.txt").write_text(self.hub.log(), encoding="utf-8")
        (SCREENSHOTS / "failed-hub.console.txt").write_text("\n".join(self.console), encoding="utf-8")
        for who, lab in self.labs.items():
            lab.page.screenshot(path=SCREENSHOTS / f"failed-hub-{who}.png")


@pytest.fixture(scope="module")
def day(hub: TrialHub, browser: Browser) -> Iterator[Class]:
    """The whole day, from the release to the feedback that students have open. What goes wrong on the way fails here."""
    people = Class(hub, browser)
    try:
        formgrader = release(people.enter("teacher"))
        for who in STUDENTS:
            fetch(people.enter(who))
        answer_and_submit(people.labs["ada"], WRONG, "0 of", "hub-03-validate-wrong")
        answer_and_submit(people.labs["ben"], WRONG, "0 of", "")
        answer_and_submit(people.labs["ada"], RIGHT | {WRITTEN_CELL: WRITTEN}, "all", "hub-04-validate-right")
        set_due_date(people.labs["teacher"], formgrader, datetime.now(UTC) + timedelta(seconds=1))  # it has no fractions of seconds
        answer_and_submit(people.labs["cem"], HALF, "half", "")
        table = collect_and_grade(people.labs["teacher"], formgrader, [hub.people[who].name for who in STUDENTS])
        people.table = {who: table[hub.people[who].name] for who in STUDENTS}
        grade_by_hand(people.labs["teacher"], formgrader, WRITTEN_CELL, POINTS_BY_HAND, COMMENT)
        release_feedback(people.labs["teacher"], formgrader)
        people.feedback = {who: fetch_feedback(people.labs[who]) for who in STUDENTS}
        yield people
    except BaseException:
        people.keep_evidence()
        raise


def test_the_second_submission_takes_the_place_of_the_first(day: Class) -> None:
    ada = day.hub.people["ada"].name
    collected = nbformat.read(day.home("teacher") / "submitted" / ada / NOTEBOOK, as_version=4)
    assert RIGHT["softmax"] in {cell.source for cell in collected.cells}
    assert len([path for path in day.inbound.iterdir() if path.name.startswith(f"{ada}+")]) == 2


def test_the_formgrader_shows_what_the_grader_found(day: Class) -> None:
    assert "needs manual grading" in day.table["ada"] and "31 / 34" in day.table["ada"]
    points = {who: float(re.search(r"([\d.]+) / 34", day.table[who])[1]) for who in STUDENTS}
    assert 0 <= points["ben"] < points["cem"] < points["ada"]
    grading = (day.home("teacher") / "autograded" / day.hub.people["ben"].name / NOTEBOOK).read_text(encoding="utf-8")
    assert "the sum runs over all entries" in grading and "HIDDEN TESTS" not in grading


def test_who_handed_in_late_is_named(day: Class) -> None:
    lab, course = day.labs["teacher"], day.home("teacher")
    typed = "python -m nbjudge grade > log.txt 2>&1; python -m nbjudge report >> log.txt 2>&1; mv log.txt graded.txt"
    said = lab.in_terminal(typed, course / "graded.txt")
    rows = {row["student"]: row for row in rows_by_question(course)}
    assert {who: float(rows[day.hub.people[who].name]["seconds_late"]) > 0 for who in STUDENTS} == {"ada": False, "ben": False, "cem": True}, said
    assert "33.5" == rows[day.hub.people["ada"].name]["score"]  # the points by hand are still there
    page = day.browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto((course / "report/index.html").as_uri())
    page.get_by_role("link", name=re.compile("student", re.IGNORECASE)).first.click()
    expect(page.locator("tr", has_text=day.hub.people["cem"].name)).to_contain_text("late")
    page.screenshot(path=SCREENSHOTS / "hub-10-report.png")
    page.close()


def test_students_read_their_points_and_the_comment_in_jupyterlab(day: Class) -> None:
    points = sum(item.points for item in reference.graded("1_basic_attention"))
    assert f"{points - 0.5} of {points} points" in day.feedback["ada"] and COMMENT in day.feedback["ada"]
    assert "the sum runs over all entries" in day.feedback["ben"] and COMMENT not in day.feedback["ben"]
    for page in day.feedback.values():
        assert "HIDDEN TESTS" not in page and "marking scheme" not in page.lower()


def test_no_page_had_a_trouble(day: Class) -> None:
    assert [trouble for trouble in day.console if trouble != "teacher: MathJax is not defined"] == []  # nbgrader's page asks the web for it


@pytest.mark.parametrize("who", STUDENTS)
def test_no_student_reaches_what_is_not_the_students(day: Class, who: str) -> None:
    other = next(name for name in STUDENTS if name != who)
    forbidden, allowed = secrets_of_others(day, who, other), own_things(day, who)
    told = try_as(day, who, {kind: [*forbidden[kind], *allowed.get(kind, [])] for kind in forbidden})
    let_through = {kind: [path for path in forbidden[kind] if told[kind][path] == "yes"] for kind in forbidden}
    assert not any(let_through.values()), let_through
    assert {told[kind][path] for kind in allowed for path in allowed[kind]} == {"yes"}  # the tries themselves work
    assert len(told["environ"]) >= 5 and "yes" not in told["environ"].values()  # root's, the instructor's and two students' processes


def secrets_of_others(day: Class, who: str, other: str) -> dict[str, list[str]]:
    """What a student must not reach. Every file and folder is there, for root."""
    hub, teacher, exchange = day.hub, day.home("teacher"), day.inbound.parent
    theirs = [path for path in day.inbound.iterdir() if not path.name.startswith(f"{hub.people[who].name}+")]
    graded = Path(hub.people[other].name, FIRST.assignment)
    files = [
        day.home(other) / NOTEBOOK,
        teacher / "nbgrader_config.py",
        teacher / "gradebook.db",
        teacher / "source" / FIRST.assignment / f"{FIRST.name}.md",
        teacher / "solutions" / NOTEBOOK,
        teacher / "submitted" / graded / NOTEBOOK.name,
        teacher / "autograded" / graded / NOTEBOOK.name,
        teacher / "feedback" / graded / f"{FIRST.name}.html",
        teacher / "submitted" / graded / "submission_secret.txt",
        hub.folder / "state/hub.sqlite",
        hub.folder / "state/cookie_secret",
        hub.folder / "state/hub.log",
        hub.folder / "state/site.toml",
        Path("/etc/shadow"),
        *next(Path("/run/self-attention-hub", str(hub.people[other].uid)).glob("kernel-*.json")).parent.glob("kernel-*"),
    ]
    folders = [day.inbound, exchange / "feedback", hub.folder / "homes", day.home(other), teacher.parent, teacher, hub.folder / "state"]
    assert all(path.exists() for path in [*files, *folders, *theirs]) and len(theirs) >= 2
    names = {f"/user/{hub.people[one].name}/api/contents" for one in (other, "teacher")}
    return {
        "read": [*map(str, files), str(FIRST.solution), str(FIRST.text)],
        "list": [*map(str, folders), str(ROOT / "source")],
        "write": list(
            map(
                str,
                (
                    exchange,
                    exchange / "outbound",
                    exchange / "outbound" / FIRST.assignment,
                    exchange / "feedback",
                    day.home(other),
                    hub.folder,
                    hub.folder / "packages/attnlab",
                    hub.folder / "settings",
                ),
            )
        ),
        "rename": [*map(str, theirs), str(exchange), str(exchange / "outbound" / FIRST.assignment)],
        "get": [
            *(hub.address + name for name in names),
            *(f"http://127.0.0.1:{port}{name}" for port in day.ports_of(other) for name in names),
            f"{hub.address}/hub/api/users",
            f"{hub.address}/hub/api/users/{hub.people[other].name}",
        ],
    }


def own_things(day: Class, who: str) -> dict[str, list[str]]:
    """What a student has to reach: the same tries say yes to it."""
    name, lesson = day.hub.people[who].name, day.inbound.parent / "outbound" / NOTEBOOK
    return {
        "read": [str(day.home(who) / NOTEBOOK), str(lesson)],
        "list": [str(lesson.parent)],
        "write": [str(day.home(who))],
        "get": [f"{day.hub.address}/user/{name}/api/contents"],
    }


def try_as(day: Class, who: str, asked: dict[str, list[str]]) -> dict[str, dict[str, str]]:
    """Let a student type the tries into a terminal of the own JupyterLab."""
    person = day.hub.people[who]
    for name, text in (("tries.py", TRIES.read_text(encoding="utf-8")), ("asked.json", json.dumps(asked))):
        (person.course / name).write_text(text, encoding="utf-8")
        os.chown(person.course / name, person.uid, person.uid)
    return json.loads(day.labs[who].in_terminal("python tries.py asked.json answers.json", person.course / "answers.json"))


def test_nobody_else_can_listen_to_a_students_kernel(day: Class) -> None:
    """What a kernel says at a TCP port, every account of the machine could read; and through a debugger's port run code."""
    for who in STUDENTS:
        connections = list(Path("/run/self-attention-hub", str(day.hub.people[who].uid)).glob("kernel-*.json"))
        assert [json.loads(path.read_text(encoding="utf-8"))["transport"] for path in connections] == ["ipc"]
        assert len(day.ports_of(who)) <= 2  # the server, and ipykernel's port for the output of child processes, which tells nobody anything
    for lab in day.labs.values():
        expect(lab.page.get_by_role("tab", name="Debugger")).to_have_count(0)


def test_a_link_to_the_source_handed_in_by_hand_is_not_collected(day: Class) -> None:
    """A student who makes a submission without nbgrader, with a link to the hidden tests in it and in the name of another student."""
    ben, ada, course = day.hub.people["ben"], day.hub.people["ada"], day.home("teacher")
    source = course / "source" / FIRST.assignment / f"{FIRST.name}.md"
    late = f"{FIRST.assignment}+2030-01-01 00:00:00.000000 UTC+abcdefghijkl"
    by_hand = (
        f'for who in {ben.name} {ada.name}; do made="{day.inbound}/$who+{late}"; cp -r {FIRST.assignment} "$made"; '
        f'ln -s {source} "$made/notes.md"; done; touch handed_in'
    )
    day.labs["ben"].in_terminal(by_hand, ben.course / "handed_in")
    collect = f"nbgrader collect {FIRST.assignment} --update > log.txt 2>&1; mv log.txt collected.txt"
    day.labs["teacher"].in_terminal(collect, course / "collected.txt")
    collected = course / "submitted" / ben.name / FIRST.assignment
    assert "2030-01-01" in (collected / "timestamp.txt").read_text(encoding="utf-8") and not (collected / "notes.md").exists()
    assert RIGHT["softmax"] in {cell.source for cell in nbformat.read(course / "submitted" / ada.name / NOTEBOOK, as_version=4).cells}


def test_ctrl_c_ends_it_and_removes_what_it_made(day: Class) -> None:
    names, uids = [person.name for person in day.hub.people.values()], {person.uid for person in day.hub.people.values()}
    assert f"Removed: {', '.join(names)}, their files." in day.hub.end()
    assert not [entry.pw_name for entry in pwd.getpwall() if entry.pw_name in names]
    assert not [path for path in Path("/proc").glob("[0-9]*") if uid_of(path) in uids]
    assert [path.name for path in day.hub.folder.iterdir()] == ["lock"]


def uid_of(process: Path) -> int | None:
    try:
        return process.stat().st_uid
    except OSError:
        return None
