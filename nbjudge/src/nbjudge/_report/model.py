"""What a report tells, before it becomes pages. Every text in it may have been written by a student."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, replace
from datetime import datetime

DIGITS = re.compile(r"(\d+)")
FEWEST_SHARES = 5  # answers that shares and marks are told of: below, each one moves them by a quarter or more
MOST_WAITING = 0.1  # the share of a question's answers that may wait for points while the others stand for all


def is_rated(handed_in: int, waiting: int) -> bool:
    """Whether so few answers wait for points that the others stand for all."""
    return waiting <= MOST_WAITING * handed_in


def in_order(name: str) -> list[tuple[int, str]]:
    """What sorts names of assignments as people count: "ps2" before "ps10"."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in DIGITS.split(name) if part]


def share(part: float | None, whole: float) -> float | None:
    """How much `part` is of `whole`, or None where that says nothing."""
    return part / whole if part is not None and whole > 0 and math.isfinite(part / whole) else None


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
        """How many have points by now; 0 while they say nothing of the others: too many wait, as `difficulty` says."""
        return self.none + self.some + self.full if is_rated(self.handed_in, self.waiting) else 0


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
    """Answers to one question that failed because earlier answers were wrong: follow-through says so, and gave `points`.

    `answers` failed only for that. `partly` lost points by themselves as well, and are among the causes.
    """

    question: Question
    answers: int
    points: float
    partly: int = 0


@dataclass(frozen=True)
class NotJudged:
    """A test that could not judge so many answers, which wait for points, and why, as far as that is known: the most common reason."""

    question: Question
    answers: int
    why: str


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
    """One assignment. `sums` are out of `of` points, and of those submissions that have all of these points by now: nothing that waits is counted as
    0. `graded` is how many submissions there are, `most` all points that there are to be had. No penalty is taken off. `notes` has what there is to
    know about the figures; `consequences` are none of `causes`."""

    assignment: str
    title: str
    most: float
    of: float
    graded: int
    sums: tuple[float, ...]
    items: tuple[Item, ...]
    causes: tuple[Cause, ...]
    together: Together
    notes: tuple[str, ...] = ()
    consequences: tuple[Consequences, ...] = ()
    not_judged: tuple[NotJudged, ...] = ()


@dataclass(frozen=True)
class Points:
    """A student's points in one assignment: `earned` out of `of`, and the points of what nobody has graded yet, which are in neither.

    `penalty` is what is taken off for being late.
    """

    earned: float
    of: float
    waiting: float = 0.0
    penalty: float = 0.0

    @property
    def counted(self) -> float:
        """What counts: the penalty taken off, and never below 0."""
        return max(0.0, self.earned - self.penalty)

    @property
    def share(self) -> float | None:
        """How much of what is graded was earned; None where that says nothing, because less than half is graded."""
        return share(self.earned, self.of) if self.of >= self.waiting else None


@dataclass(frozen=True)
class StudentLine:
    """One student, with the points of each assignment that is in the gradebook.

    The other lists hold sentences, each with the assignment that it is about. `group` is the one in the class list, or "".
    """

    student: str
    name: str
    points: dict[str, Points]
    missing: tuple[str, ...] = ()
    late: tuple[str, ...] = ()
    not_graded: tuple[str, ...] = ()
    unusual: tuple[str, ...] = ()
    group: str = ""


@dataclass(frozen=True)
class Stage:
    """How a class did on one assignment: shares of the points that a quarter, half and three quarters of the submissions do not exceed."""

    assignment: str
    handed_in: int
    low: float
    middle: float
    high: float


@dataclass(frozen=True)
class Moved:
    """A student whose points went another way than the class's: `kind` is "fell", "rose" or "stopped".

    `shares` are of the points of each stage, None where there are none; `by` is how far, or None for who stopped.
    """

    student: str
    kind: str
    shares: tuple[float | None, ...]
    by: float | None = None


@dataclass(frozen=True)
class Trend:
    """How points went from assignment to assignment. Without stages there is nothing to tell yet."""

    stages: tuple[Stage, ...] = ()
    moved: tuple[Moved, ...] = ()


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
    trend: Trend = Trend()
    undated: tuple[str, ...] = ()  # assignments without a due date, which nobody is said to miss
    second_looks: SecondLooks | None = None  # None where nobody has asked
    alike: tuple[AlikePair, ...] | None = None  # None where answers were not compared

    @property
    def failures(self) -> int:
        """Answers that lost points at a test."""
        return sum(len(cause.students) for part in self.parts for cause in part.causes)

    @property
    def consequences(self) -> int:
        """Answers that failed a test only because earlier answers were wrong. They are none of the failures."""
        return sum(one.answers for part in self.parts for one in part.consequences)

    @property
    def named(self) -> int:
        """Those of them whose cause has a name."""
        return sum(len(cause.students) for part in self.parts for cause in part.causes if cause.is_named)
