"""What a report tells, before it becomes pages. Every text in it may have been written by a student."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime


@dataclass(frozen=True)
class Question:
    """One graded cell. `kind` is "test", "written answer", "code" (graded by hand) or "task"; `label` its name as a person would write it."""

    assignment: str
    notebook: str
    name: str
    label: str
    most: float
    kind: str = "test"

    @property
    def is_automatic(self) -> bool:
        """Whether a test gives the points."""
        return self.kind == "test"


@dataclass(frozen=True)
class Figure:
    """A number with its usual mark, or why there is none."""

    value: float | None
    mark: str = ""
    why_not: str = ""


@dataclass(frozen=True)
class Item:
    """How a class did on one question. Counts are of submissions; `none`, `some` and `full` are those that have points by now.

    `attempted` is how many changed what the released notebook holds there, or None where no notebook tells.
    """

    question: Question
    handed_in: int
    attempted: int | None
    waiting: int
    none: int
    some: int
    full: int
    mean: float | None
    difficulty: Figure
    discrimination: Figure

    @property
    def rated(self) -> int:
        """How many have points by now; 0 while more wait than have some, because those are texts left as released, to which nbgrader gives 0."""
        known = self.none + self.some + self.full
        return known if known >= self.waiting else 0


@dataclass(frozen=True)
class Cause:
    """Failures of one question that have the same cause, or, where nobody has named one, the same sign.

    `by` says where `title` is from: "check" or "test" (a message of the visible or of the hidden part of a test cell), "nbjudge",
    "value" (the same wrong value), "exception", "line" (the same line of the test), or "" for what has nothing in common.
    """

    question: Question
    title: str
    is_named: bool
    by: str
    students: tuple[str, ...]
    saying: str  # what one can say in class
    message: str  # one of the messages, as a student reads it
    example: str  # one answer's code, without comments and names
    returned: str = ""  # what it gave when the test stopped, where that is known
    place: str = ""  # where the test stopped, and what stands there: also of a hidden test, so nothing to show to a class

    def with_students(self, students: tuple[str, ...]) -> Cause:
        """The same for students under other names."""
        return replace(self, students=students)


@dataclass(frozen=True)
class Consequences:
    """Answers to one question that lost points, or would have, only because earlier answers were wrong: follow-through says so, and gave `points`."""

    question: Question
    answers: int
    points: float


@dataclass(frozen=True)
class Together:
    """Who fails together. `both[i][j]` counts those who lost points at questions i and j; `failed[i]` is `both[i][i]`."""

    questions: tuple[Question, ...]
    students: int
    both: tuple[tuple[int, ...], ...]

    @property
    def failed(self) -> tuple[int, ...]:
        """How many lost points at each question."""
        return tuple(row[place] for place, row in enumerate(self.both))


@dataclass(frozen=True)
class Part:
    """One assignment. `sums` has the points of every graded submission; `notes` what there is to know about the figures; `consequences` are none of
    `causes`."""

    assignment: str
    title: str
    most: float
    sums: tuple[float, ...]
    items: tuple[Item, ...]
    causes: tuple[Cause, ...]
    together: Together
    notes: tuple[str, ...] = ()
    consequences: tuple[Consequences, ...] = ()


@dataclass(frozen=True)
class StudentLine:
    """One student. `points` has the points of each assignment that is graded, penalties taken off; `waiting` those where some are still open.

    The other lists hold sentences, each with the assignment that it is about.
    """

    student: str
    name: str
    points: dict[str, float]
    waiting: frozenset[str] = frozenset()
    missing: tuple[str, ...] = ()
    late: tuple[str, ...] = ()
    not_graded: tuple[str, ...] = ()
    unusual: tuple[str, ...] = ()


@dataclass(frozen=True)
class PointsChange:
    """What became different at one question since the grading before, and why. `who` has each student with the points before and now."""

    question: Question
    why: str
    who: tuple[tuple[str, float, float], ...]

    @property
    def gained(self) -> int:
        """How many have more points than before."""
        return sum(now > before for _, before, now in self.who)

    @property
    def lost(self) -> int:
        """How many have fewer."""
        return sum(now < before for _, before, now in self.who)


@dataclass(frozen=True)
class AlikeAnswers:
    """Two answers to one question: how alike they are, from 0 to 1, and the share of pairs of the class that are as alike there.

    `first` and `second` are their lines, each with whether a part of it is in the other answer, too.
    """

    question: Question
    likeness: float
    share: float
    first: tuple[tuple[str, bool], ...]
    second: tuple[tuple[str, bool], ...]


@dataclass(frozen=True)
class AlikePair:
    """Two submissions that are unusually alike: a reason to look. `expected` is how many such pairs chance would give in this class."""

    assignment: str
    first: str
    second: str
    expected: float
    answers: tuple[AlikeAnswers, ...]
    shares_words: bool = False  # names and remarks are alike, too


@dataclass(frozen=True)
class SecondLooksOf:
    """Requests for a second look at one question: how many there were, at how many the points changed since, and how many are open."""

    question: Question
    asked: int
    changed: int
    open: int


@dataclass(frozen=True)
class SecondLooks:
    """All requests for a second look; `oldest` is when the oldest open one came in."""

    rows: tuple[SecondLooksOf, ...]
    oldest: datetime | None = None

    @property
    def asked(self) -> int:
        """How many there were."""
        return sum(row.asked for row in self.rows)

    @property
    def changed(self) -> int:
        """At how many the points are others since."""
        return sum(row.changed for row in self.rows)

    @property
    def open(self) -> int:
        """How many nobody has answered."""
        return sum(row.open for row in self.rows)


@dataclass(frozen=True)
class ReportData:
    """A report. `since` is when the grading before ended, or None where there was none; `elsewhere` are things in `submitted/` of no student."""

    course: str
    made: datetime
    parts: tuple[Part, ...]
    lines: tuple[StudentLine, ...]
    changes: tuple[PointsChange, ...] = ()
    news: tuple[str, ...] = ()  # other things that are different since then, in sentences
    since: datetime | None = None
    is_anonymous: bool = False
    elsewhere: tuple[str, ...] = ()
    most: dict[str, float] = field(default_factory=dict)  # of each assignment, in the order of the course
    second_looks: SecondLooks | None = None  # None where nobody has asked
    alike: tuple[AlikePair, ...] | None = None  # None where answers were not compared

    @property
    def failures(self) -> int:
        """Answers that lost points at a test."""
        return sum(len(cause.students) for part in self.parts for cause in part.causes)

    @property
    def named(self) -> int:
        """Those of them whose cause has a name."""
        return sum(len(cause.students) for part in self.parts for cause in part.causes if cause.is_named)
