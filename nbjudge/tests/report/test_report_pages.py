"""The pages of a report: of our own tags only, whatever a student writes; a sentence where there is nothing; a folder that is replaced as a whole."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from nbjudge._report import model
from nbjudge._report.charts import groups, standing, trace
from nbjudge._report.model import (
    AlikeAnswers,
    AlikePair,
    Figure,
    Moved,
    NotJudged,
    Part,
    Points,
    ReportData,
    SecondLooks,
    SecondLooksOf,
    Stage,
    StudentLine,
    Together,
    Trend,
)
from nbjudge._report.pages import INDEX, LIST, SCRIPTS, STUDENTS, TEMPLATES, cut, file_name, pages_of, render, visible, write
from nbjudge._wire.errors import CannotGrade
from nbjudge.testing.reports import MADE, hostile, ordinary

SHA256 = {
    "sortable.min.js": "a887cf42ad5b69673364c529afe8500b31dfbe3e78c2e623bee6430fc69b990f",
    "sortable.a11y.min.js": "f22f8df7644643acbeb79cd3518a9dffde198d77efa17aa3eb38154bae4eaa65",
    "sortable.LICENSE": "88d9b4eb60579c191ec391ca04c16130572d7eedc4a86daa58bf28c6e14c9bcd",
}
ATTEMPTS = (
    "<script>window.pwned=1</script>",
    '"><img src=x onerror=window.pwned=1>',
    "' onfocus='window.pwned=1",
    "{{7*7}}",
    "</pre><b>",
    "]]>",
    "<!--",
    "&lt;",
    "\u202egnp.exe",
    "a\x00b",
    "\x1b[31m",
    "\udcff",
    "javascript:alert(1)",
    "m" * 10_000,
)
CLOSED_BY_NOTHING = {"meta", "input", "col"}
OF_TEXTS = {"href", "title", "content", "aria-label", "data-sort"}  # attributes whose values may depend on a text
# Names that have to be the same wherever they stand.
GROUPS = {
    "Question.assignment": "Part.assignment",
    "StudentLine.points": "Part.assignment",
    "Stage.assignment": "Part.assignment",
    "ReportData.undated": "Part.assignment",
    "ReportData.most": "Part.assignment",
    "Cause.students": "StudentLine.student",
    "PointsChange.who": "StudentLine.student",
    "Moved.student": "StudentLine.student",
    "AlikePair.assignment": "Part.assignment",
    "AlikePair.first": "StudentLine.student",
    "AlikePair.second": "StudentLine.student",
}
UNSHOWN = {
    "Question.notebook",
    "Question.assignment",
    "StudentLine.points",
    "Stage.assignment",
    "ReportData.undated",
    "Moved.student",
    "ReportData.most",
    "Cause.students",
    "PointsChange.who",
    "AlikePair.assignment",
    "AlikePair.first",
    "AlikePair.second",
}
STAND_INS = {
    "Question.label": "Question.name",
    "Part.title": "Part.assignment",
    "StudentLine.name": "StudentLine.student",
}  # shown if the first is empty
FIELDS = sorted(
    f"{kind.__name__}.{field.name}"
    for kind in vars(model).values()
    if is_dataclass(kind) and isinstance(kind, type)
    for field in fields(kind)
    if "str" in str(field.type)
)


class Read(HTMLParser):
    """A page as a browser would take it apart."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.faults: list[str] = []
        self.words: list[str] = []
        self.raw: dict[str, list[str]] = {"style": [], "script": []}
        self.bodies: list[int] = []  # rows of each <tbody>
        self._open: list[str] = []
        self.feed(page)
        self.close()
        self.faults += self._open
        self.text = "".join(self.words)
        self.ids = [has["id"] for _, has in self.tags if "id" in has]
        # The tags without what a text may change in them.
        self.shape = [(tag, {name: "" if name in OF_TEXTS else value for name, value in has.items()}) for tag, has in self.tags]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        self.faults += [f"{tag} has {name} twice" for name, count in Counter(name for name, _ in attrs).items() if count > 1]
        if tag not in CLOSED_BY_NOTHING:
            self._open.append(tag)
        if tag == "tbody":
            self.bodies.append(0)
        elif tag == "tr" and "tbody" in self._open:
            self.bodies[-1] += 1

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open.pop() != tag:
            self.faults.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        (self.raw.get(self._open[-1], self.words) if self._open else self.words).append(data)

    def handle_comment(self, data: str) -> None:
        self.faults.append(f"<!--{data}")

    unknown_decl = handle_pi = handle_comment


def changed(value: Any, change: Callable[[str, str], str], where: str = "") -> Any:
    """A model with other texts; `change` is asked with the field of each and what it holds."""
    if isinstance(value, str):
        return change(where, value)
    if is_dataclass(value):
        return replace(
            value, **{field.name: changed(getattr(value, field.name), change, f"{type(value).__name__}.{field.name}") for field in fields(value)}
        )
    if isinstance(value, dict):
        return {changed(name, change, where): number for name, number in value.items()}
    return type(value)(changed(each, change, where) for each in value) if isinstance(value, (tuple, frozenset)) else value


def sign(where: str) -> str:
    """Two letters for a field, the same for fields that have to agree."""
    return f"{FIELDS.index(GROUPS.get(where, where)):02}"


def full(text: str, without: tuple[str, ...] = ()) -> ReportData:
    """A report of which every text begins with the sign of its field and `text`; those of the fields `without` are empty."""
    whole = ordinary(9, 2)
    line = replace(whole.lines[0], missing=("one",), late=("one",), not_graded=("one",), unusual=("one",))
    trend = Trend(tuple(Stage(part.assignment, 9, 0.2, 0.5, 0.9) for part in whole.parts), (Moved(line.student, "fell", (1.0, 0.5), -0.5),))
    undated = tuple(part.assignment for part in whole.parts)
    first = replace(whole.parts[0], not_judged=(NotJudged(whole.parts[0].items[0].question, 2, "why"),))
    answers = (AlikeAnswers(whole.parts[0].items[0].question, 0.9, 0.002, (("one", True),), (("one", False),)),)
    pair = AlikePair(whole.parts[0].assignment, line.student, whole.lines[1].student, 1e-7, answers, True)
    looks = SecondLooks((SecondLooksOf(whole.parts[0].items[0].question, 3, 1, 2),), MADE)
    return changed(
        replace(
            whole, parts=(first, *whole.parts[1:]), lines=(line, *whole.lines[1:]), trend=trend, undated=undated, second_looks=looks, alike=(pair,)
        ),
        lambda where, old: "" if where in without else f"{sign(where)}{text}{old}",
    )


def pages(whole: ReportData) -> dict[str, Read]:
    return {name: Read(page) for name, page in render(whole).items()}


@pytest.mark.parametrize("attempt", ATTEMPTS, ids=lambda text: ascii(text[:20]))
def test_pages_have_the_same_tags_whatever_the_texts_are(attempt: str) -> None:
    told, plain = list(pages(full(attempt)).values()), list(pages(full("plain")).values())
    assert len(told) == len(plain) == 5
    for page, other in zip(told, plain):
        assert page.faults == []
        assert page.shape == other.shape and len(page.shape) > 40


@pytest.mark.parametrize("attempt", ATTEMPTS, ids=lambda text: ascii(text[:20]))
@pytest.mark.parametrize("without", [(), tuple(STAND_INS)], ids=["", "without labels"])
def test_every_text_is_there_to_read(attempt: str, without: tuple[str, ...]) -> None:
    seen: set[str] = set()
    whole = full(attempt, without)
    changed(whole, lambda where, text: seen.add(where) or text)
    assert sorted(seen) == FIELDS
    text = "".join(page.text for page in pages(whole).values())
    wanted = [
        where for where in FIELDS if where not in UNSHOWN and where not in without and (without or where not in ("Question.name", "Part.assignment"))
    ]
    assert [where for where in wanted if visible(f"{sign(where)}{attempt}"[:40]) not in text] == []
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\ud800-\udfff]", text)


@pytest.mark.parametrize("whole", [hostile(), full(ATTEMPTS[1]), ordinary(30)], ids=["hostile", "full", "ordinary"])
def test_nothing_on_a_page_does_or_fetches_anything(whole: ReportData, tmp_path: Path) -> None:
    assert write(tmp_path / "report", whole) == tmp_path / "report" / INDEX
    made = {path.name: Read(path.read_bytes().decode()) for path in (tmp_path / "report").glob("*.html")}
    assert set(made) == set(render(whole))
    own = {tag for template in TEMPLATES.glob("*.j2") for tag in re.findall(r"<([a-z][a-z0-9]*)", template.read_text(encoding="utf-8"))}
    for page in made.values():
        assert page.faults == [] and len(set(page.ids)) == len(page.ids)
        assert {tag for tag, _ in page.tags} <= own - {"img", "iframe", "object", "embed", "base", "link"}
        names = {name for _, has in page.tags for name in has}
        assert not [name for name in names if name.startswith("on")] and not names & {"style", "src", "srcset", "action", "formaction", "xlink:href"}
        assert {tag for tag, has in page.tags if "href" in has} == {"a"}
        for link in (has["href"] for tag, has in page.tags if tag == "a"):
            file, _, place = link.partition("#")
            assert file in {"", *made} and place in {"", *(made[file] if file else page).ids}
        assert {fill for _, has in page.tags if (fill := has.get("fill"))} <= {f"url(#{one})" for one in page.ids}
        assert {has["http-equiv"] for _, has in page.tags if "http-equiv" in has} == {"Content-Security-Policy"}
        assert len(page.raw["style"]) == 1 and len(page.raw["script"]) == len(SCRIPTS)


def test_only_the_style_and_the_scripts_of_the_page_are_allowed() -> None:
    for page in pages(full("plain")).values():
        [policy] = [has["content"] for tag, has in page.tags if has.get("http-equiv") == "Content-Security-Policy"]
        rules = {name: words for name, *words in (rule.split() for rule in policy.split(";"))}
        hashed = {
            kind: [f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in texts]
            for kind, texts in page.raw.items()
        }
        assert rules == {
            "default-src": ["'none'"],
            "style-src": hashed["style"],
            "script-src": hashed["script"],
            "form-action": ["'none'"],
            "base-uri": ["'none'"],
        }
        assert page.raw["script"] == [(TEMPLATES / name).read_bytes().decode() for name in SCRIPTS]


def test_what_others_wrote_is_shipped_as_they_wrote_it() -> None:
    assert {name: hashlib.sha256((TEMPLATES / name).read_bytes()).hexdigest() for name in SHA256} == SHA256
    assert "released into the public domain" in (TEMPLATES / "sortable.LICENSE").read_text(encoding="utf-8")


def test_names_of_pages_are_safe_and_no_two_the_same() -> None:
    names = ["../x", "con", "a/b", "", "A", "a", "a" * 300, "a" * 301, "index", "students", "\u202e", "ÄÖ", "\x00", ".", "x" * 40 + "/", "nul.html"]
    part = ordinary(2, 1).parts[0]
    whole = ReportData("", MADE, tuple(replace(part, assignment=name) for name in names), ())
    files = list(render(whole))
    assert len(files) == len({name.lower() for name in files}) == len(names) + 2
    assert files[1:-1] == [file_name(place, name) for place, name in enumerate(names, start=1)]
    assert all(re.fullmatch(r"assignment-\d\d(-[a-z0-9]+)*\.html", name) and len(name) <= 64 for name in files[1:-1])


def emptied(part: Part, **more: Any) -> Part:
    return replace(part, **{"items": (), "causes": (), "sums": (), "notes": (), "together": Together((), 0, ()), **more})


PART = ordinary(7, 1).parts[0]
NO_FIGURE = Figure(None, "", "nobody has points on it yet")
WAITING = tuple(
    replace(item, none=0, some=0, full=0, waiting=item.handed_in, mean=None, difficulty=NO_FIGURE, discrimination=NO_FIGURE) for item in PART.items
)
CASES = {
    "nothing": (
        ReportData("", MADE, (), ()),
        "No assignment is graded yet|There are no students in the gradebook|Nobody: everything handed in is graded|"
        "No question is graded yet|No test has failed, so there is nothing to explain|There is no grading before this one",
    ),
    "a part without items": (
        ReportData("c", MADE, (emptied(PART),), ()),
        "no question that gives points|No submission is graded yet|Nobody lost points at a test|nothing graded",
    ),
    "no causes": (replace(ordinary(6, 1), parts=(replace(PART, causes=()),)), "No test has failed, so there is nothing to explain"),
    "no failures": (
        ReportData("c", MADE, (emptied(PART, sums=(8.0, 8.0)),), ()),
        "No test has failed, so there is nothing to explain|no test has failed|No question has a mean under 80",
    ),
    "one student": (
        ordinary(1, 1),
        "With fewer than 5 submissions, shares and difficulties say little|With fewer than 10 submissions, who fails together|1submission",
    ),
    "nobody handed in": (
        ReportData("c", MADE, (emptied(PART, items=tuple(replace(item, handed_in=0, attempted=0, waiting=0) for item in WAITING)),), ()),
        "nobody has points on it yet|nothing handed in|No submission is graded yet",
    ),
    "everything waiting": (
        ReportData("c", MADE, (emptied(PART, items=WAITING),), ()),
        f"Waiting to be graded by hand|{len(PART.sums)} answers to|nobody has points on it yet|No submission is graded yet",
    ),
    "no points to be had": (ReportData("c", MADE, (emptied(PART, sums=(0.0,), most=0.0, of=0.0),), ()), "No question here is worth points"),
    "nothing changed": (replace(ordinary(3, 1), changes=(), news=()), "Nothing is different from the grading of"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_sentence_stands_where_there_is_nothing(case: str) -> None:
    whole, sentences = CASES[case]
    made = pages(whole)
    text = " ".join(page.text for page in made.values())
    assert [sentence for sentence in sentences.split("|") if sentence not in text] == []
    assert len(made) == len(whole.parts) + 2 and [page.faults for page in made.values()] == [[]] * len(made)
    assert all(rows for page in made.values() for rows in page.bodies)


def test_long_texts_say_how_much_is_left_out() -> None:
    assert cut("m" * 10_000, 10) == "m" * 10 + "… (and 9,990 letters more)" and cut("m" * 10, 10) == "m" * 10
    assert visible("a\r\nb\tc\rd\u2028e\udcff\x00") == "a\nb\tc\\rd\\u2028e\\udcff\\x00"


def held(folder: Path) -> dict[str, bytes | str | None]:
    """Everything in a folder, to see whether anything changes."""
    return {
        str(path.relative_to(folder)): os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


def test_an_older_report_is_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "report"
    write(folder, ordinary(3, 3))
    assert len(held(folder)) == 6
    write(folder, ordinary(4, 1))
    assert held(folder).keys() == {*render(ordinary(4, 1)), LIST} == {INDEX, STUDENTS, "assignment-01-1-basic.html", LIST}
    assert (folder / INDEX).read_text(encoding="utf-8") == render(ordinary(4, 1))[INDEX]
    (tmp_path / "empty").mkdir()
    write(tmp_path / "empty", ordinary(4, 1))
    assert held(tmp_path / "empty") == held(folder)
    assert {path.name for path in tmp_path.rglob("*") if path.is_dir()} == {"new", "report", "empty"}  # nothing aside is left


INTRUDERS: dict[str, Callable[[Path], object]] = {
    "a file": lambda folder: (folder / "grades.csv").write_text("mine"),
    "a hidden file": lambda folder: (folder / ".keep").touch(),
    "a folder": lambda folder: (folder / "more").mkdir(),
    "a link": lambda folder: (folder / "link").symlink_to("index.html"),
    "a page that is a link": lambda folder: ((folder / INDEX).unlink(missing_ok=True), (folder / INDEX).symlink_to("/etc/passwd")),
    "a page that is a folder": lambda folder: ((folder / INDEX).unlink(missing_ok=True), (folder / INDEX).mkdir()),
    "a list that is a link": lambda folder: ((folder / LIST).unlink(missing_ok=True), (folder / LIST).symlink_to("/etc/passwd")),
}


@pytest.mark.parametrize("older", [True, False], ids=["a report", "no report"])
@pytest.mark.parametrize("intruder", INTRUDERS)
def test_a_folder_with_anything_else_is_left_as_it_is(intruder: str, older: bool, tmp_path: Path) -> None:
    folder = tmp_path / "report"
    folder.mkdir()
    if older:
        write(folder, ordinary(3, 2))
    INTRUDERS[intruder](folder)
    before = held(tmp_path)
    with pytest.raises(CannotGrade, match="something else than a report"):
        write(folder, ordinary(4, 1))
    assert held(tmp_path) == before


@pytest.mark.parametrize(
    "make",
    [
        lambda path: path.write_text("mine"),
        lambda path: path.symlink_to("away"),
        lambda path: (path.with_name("away").mkdir(), path.symlink_to("away")),
    ],
    ids=["file", "dangling link", "link"],
)
def test_what_is_no_folder_is_left_as_it_is(make: Callable[[Path], object], tmp_path: Path) -> None:
    make(tmp_path / "report")
    before = held(tmp_path)
    with pytest.raises(CannotGrade, match="not a folder"):
        write(tmp_path / "report", ordinary(3, 1))
    assert held(tmp_path) == before


@pytest.mark.parametrize("folder", ["file/report", "/proc/nowhere/report"])
def test_a_place_where_nothing_can_be_written_is_told(folder: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(CannotGrade, match="cannot be written to"):
        write(tmp_path / folder, ordinary(3, 1))
    assert held(tmp_path) == {"file": b"mine"}


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()], ids=["full", "stopped"])
@pytest.mark.parametrize("calls", ["write_text", "replace"])
def test_a_reader_never_sees_half_of_a_report(calls: str, error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "report"
    write(folder, ordinary(3, 3))
    before, owner, kept = held(tmp_path), (os if calls == "replace" else Path), getattr(os if calls == "replace" else Path, calls)
    for allowed in range(2 if owner is os else 5):
        left = iter([True] * allowed + [False])

        def one(*args: Any, left: Any = left, **named: Any) -> Any:
            if next(left, True):
                return kept(*args, **named)
            raise error

        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt if isinstance(error, KeyboardInterrupt) else CannotGrade):
            patch.setattr(owner, calls, one)
            write(folder, ordinary(4, 2))
        assert held(tmp_path) == before


NUMBERLESS = re.compile(r"\b(?:nan|inf|None|Undefined|-0)\b|\d e-\d")


@pytest.mark.parametrize("students", [1, 2, 3, 5, 12])
@pytest.mark.parametrize("assignments", [1, 7])
@pytest.mark.parametrize("is_anonymous", [False, True])
def test_pages_of_small_classes_say_once_what_they_leave_out(students: int, assignments: int, is_anonymous: bool) -> None:
    whole = replace(ordinary(students, assignments), is_anonymous=is_anonymous)
    for name, page in pages(whole).items():
        assert page.faults == [] and all(page.bodies) and not NUMBERLESS.search(page.text), name
        assert not [has["d"] for tag, has in page.tags if tag == "path" and "nan" in has.get("d", "")]
        assert len(re.findall("[Ff]ewer than 30", page.text)) <= 1 and len(re.findall("[Ff]ewer than 5 answers", page.text)) == 0
        if name.startswith("assignment"):
            [part] = [page.part for page in pages_of(whole) if page.file == name]
            figures = page.text[page.text.index("Click on a heading") : page.text.index("Who fails together")]
            assert ("%" in figures) is (part.graded >= 5), "shares of fewer say little"
            assert ("map" in [has.get("class") for _, has in page.tags]) <= (part.graded >= 10)
            assert ("would be chance" in page.text) == (0 < part.graded < 10 and sum(part.together.failed) > 0)
        assert ("who knows them will recognize them" in page.text) == (is_anonymous and students < 5)


def test_what_waits_is_told_apart_and_is_no_zero() -> None:
    [question] = [item for item in PART.items if item.question.kind == "written answer"]
    waiting = replace(question, none=3, some=0, full=0, waiting=4, handed_in=7, mean=0.0, difficulty=Figure(None, "", "too many wait for points"))
    items = tuple(waiting if item is question else item for item in PART.items)
    part = replace(PART, items=items, most=9.0, of=8.0, graded=7, sums=(8.0, 8.0, 8.0, 8.0, 4.0))
    line = StudentLine("ada", "ada", {part.assignment: Points(8.0, 8.0, 1.0)})
    late = StudentLine("bob", "bob", {part.assignment: Points(6.0, 9.0, 0.0, 2.5)})
    whole = ReportData("c", MADE, (part,), (line, late), most={part.assignment: 9.0})
    made = {name: " ".join(page.text.split()) for name, page in pages(whole).items()}
    index, here, students = made[INDEX], made["assignment-01-1-basic.html"], made[STUDENTS]
    worst = index[index.index("Which questions went worst") : index.index("Why")]
    assert question.question.label not in worst and "more than one answer in ten" in worst
    assert "7.2 of 81 point not graded yet" in index and "90 %" in index
    assert "Mean7.2of 8 graded points; 1 point not graded yet" in here and "2 submissions with an answer that is not graded yet are not in" in here
    assert "8 of 8" in students and "8of 8 graded points; 1 point not graded yet" in students
    assert "3.56 − 2.5 late" in students and "3.5of 9 points6 before penalties" in students


def test_means_say_that_they_are_before_penalties_where_there_are_some() -> None:
    told = "Means are before penalties for being late."
    whole = ordinary()
    on_time = tuple(replace(line, points={name: replace(points, penalty=0.0) for name, points in line.points.items()}) for line in whole.lines)
    assert told not in pages(replace(whole, lines=on_time))["index.html"].text
    first, *others = on_time
    late = replace(first, points={name: replace(points, earned=2.0, penalty=1.0) for name, points in first.points.items()})
    assert told in pages(replace(whole, lines=(late, *others)))["index.html"].text


def test_a_question_that_nobody_tried_who_lost_points_has_that_for_a_cause() -> None:
    whole = ordinary(assignments=1)
    [part] = whole.parts
    item = replace(part.items[0], handed_in=10, attempted=8, waiting=0, none=2, some=0, full=8, mean=part.items[0].question.most * 0.3)
    only = replace(part, items=(item,), causes=())
    assert "not attempted" in pages(replace(whole, parts=(only,)))["index.html"].text
    tried = replace(only, items=(replace(item, attempted=10),))
    assert "none is known" in pages(replace(whole, parts=(tried,)))["index.html"].text


def test_consequences_are_counted_apart() -> None:
    whole = replace(ordinary(24, 1), changes=(), news=())
    [one] = whole.parts[0].consequences
    made = {name: " ".join(page.text.split()) for name, page in pages(whole).items()}
    assert "3 answers more failed only as a consequence of an earlier failure" in made[INDEX]
    here = made["assignment-01-1-basic.html"]
    assert "3 answers failed only as a consequence; 1 answer lost less than it seemed, and is among the causes; 4.5 points given back" in here
    assert "3 consequences" in here[: here.index("Who fails together")]
    part = replace(whole.parts[0], consequences=(), causes=())
    assert "consequence" not in "".join(page.text for page in pages(replace(whole, parts=(part,))).values())
    only = replace(whole, parts=(replace(part, consequences=(one,)),))
    assert "No test has failed for a reason of its own" in pages(only)[INDEX].text


def test_groups_are_counted_and_those_without_one_come_last() -> None:
    assert [(group.name, group.students) for group in groups([standing(line) for line in ordinary(24, 2).lines])] == [
        ("Monday", 8),
        ("Tuesday", 8),
        ("", 8),
    ]
    alone = replace(ordinary(3, 1), lines=tuple(replace(line, group="Monday") for line in ordinary(3, 1).lines))
    assert "Groups" not in pages(alone)[INDEX].text and "Monday" in pages(alone)[STUDENTS].text
    assert "Group" not in pages(replace(alone, lines=tuple(replace(line, group="") for line in alone.lines)))[STUDENTS].text


@pytest.mark.parametrize(
    ("shares", "path", "dots"),
    [
        ([0.0, 0.5, 1.0], "M0 10L1 5L2 0", ()),
        ([None, 0.5, None, 1.5, -2.0], "M3 0L4 10", ((1, 5.0),)),
        ([], "", ()),
        ([None], "", ()),
        ([1 / 3], "", ((0, 6.67),)),
    ],
)
def test_a_trace_joins_neighbours_and_dots_those_without(shares: list[float | None], path: str, dots: tuple[tuple[int, float], ...]) -> None:
    drawn = trace(shares)
    assert (drawn.path, drawn.dots) == (path, dots)


@pytest.mark.slow
def test_ten_thousand_students_have_pages_that_a_browser_opens() -> None:
    made = render(ordinary(10_000, 7))
    sizes = {name: len(page.encode()) / 1e6 for name, page in made.items()}
    assert sizes[INDEX] < 0.2 and sizes[STUDENTS] < 10 and max(sizes.values()) == sizes[STUDENTS]
