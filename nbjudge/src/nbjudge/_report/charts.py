"""What a report's pages show, worked out: percentages, strips, bars, who stands out, who fails together."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from nbjudge._report.item_statistics import FEW_ANSWERS, FEW_STUDENTS, histogram
from nbjudge._report.model import FEWEST_SHARES, Cause, Item, Moved, NotJudged, Part, Question, ReportData, Stage, StudentLine, Together, Trend, share

NONE = "–"
FEW = 0.5  # a student stands out who has less of what the assignments give that were graded
WELL = 0.8  # a question with a mean above is not among the worst
SHADES, MOST_WORST, MOST_CAUSES, MOST_MOVED = 10, 8, 10, 6
TOLD_ONCE = (FEW_ANSWERS, FEW_STUDENTS)  # why there is no figure: a sentence says it for all questions
A_FEW = 10  # that part of the largest assignment's submissions
FEWEST_TOGETHER, FEWEST_LOST = 10, 3  # submissions of a class, and those that lost points at a question, for the map of who fails together
CLEARLY = 0.1  # how much more often than everybody; less is no example worth showing


def number(value: float | None, places: int = 2) -> str:
    """A number without needless zeros, or a dash."""
    if value is None or not math.isfinite(value):
        return NONE
    text = f"{value:.{places}f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text).replace("-", "−") if float(text) else "0"


def percent(value: float | None) -> str:
    """A share in per cent. What is not quite 0 or 1 is never shown as if it were."""
    if value is None or not math.isfinite(value):
        return NONE
    if 0 < value < 0.01:
        return "<1\u00a0%"
    if 0.99 < value < 1:
        return ">99\u00a0%"
    return f"{round(100 * value)}\u00a0%"


def of(part: int, whole: int) -> str:
    """A share in per cent, or as two numbers where there are too few for that."""
    if not whole:
        return NONE
    return percent(part / whole) if whole >= FEWEST_SHARES else f"{part} of {whole}"


@dataclass(frozen=True)
class ChartPiece:
    """A part of a bar: `start` and `width` in per cent of it."""

    kind: str
    words: str
    count: int
    start: float
    width: float


def strip(item: Item) -> tuple[ChartPiece, ...]:
    """Everybody's answers to a question as one bar. Who changed nothing is taken to be among those without points."""
    untouched = 0 if item.attempted is None else min(max(item.handed_in - item.attempted, 0), item.none)
    counts = [
        ("untouched", "not attempted", untouched),
        ("none", "no points", item.none - untouched),
        ("some", "some points", item.some),
        ("full", "full points", item.full),
        ("waiting", "not graded yet", item.waiting),
    ]
    most = sum(count for _, _, count in counts)
    pieces, start = [], 0.0
    for kind, words, count in counts:
        if count:
            pieces.append(ChartPiece(kind, words, count, start, 100 * count / most))
            start += 100 * count / most
    return tuple(pieces)


@dataclass(frozen=True)
class Bin:
    """How many students have a sum within `words`; `width` in per cent of the fullest."""

    words: str
    count: int
    width: float


def bins(sums: Sequence[float], most: float) -> tuple[Bin, ...]:
    """The sums of points in steps that are easy to read; none where there are no points to be had."""
    found = histogram([value for value in sums if math.isfinite(value)], most) if most > 0 else ()
    fullest = max([count for _, _, count in found], default=0) or 1
    return tuple(
        Bin(f"{number(low)} to {'under ' if place < len(found) else ''}{number(high)}", count, 100 * count / fullest)
        for place, (low, high, count) in enumerate(found, start=1)
    )


def middle(sums: Sequence[float]) -> float | None:
    """The median."""
    order = sorted(sums)
    return (order[(len(order) - 1) // 2] + order[len(order) // 2]) / 2 if order else None


@dataclass(frozen=True)
class ChartCell:
    """A percentage of the map; `shade` from 0 to `SHADES`, or -1 for the question itself."""

    words: str
    shade: int


@dataclass(frozen=True)
class ChartRow:
    """Those who lost points at a question, and where else they did."""

    question: Question
    lost: int
    cells: tuple[ChartCell, ...]


@dataclass(frozen=True)
class Map:
    """Who fails together, as a table. `example` tells in words what stands out most."""

    rows: tuple[ChartRow, ...]
    overall: tuple[ChartCell, ...]
    left_out: tuple[Question, ...]
    example: tuple[Question, Question, int, str, str] | None


def together(those: Together) -> Map:
    """The map of those questions at which `FEWEST_LOST` or more lost points, in a class of `FEWEST_TOGETHER`; a row of fewer says nothing."""
    failed = those.failed
    kept = [place for place, lost in enumerate(failed) if lost >= FEWEST_LOST and those.students >= FEWEST_TOGETHER]
    rows, best, example = [], CLEARLY, None
    for place in kept:
        cells = []
        for other in kept:
            part = share(those.both[place][other], failed[place])
            cells.append(ChartCell(percent(part), -1 if place == other else _shade(part)))
            more = (part or 0) - (share(failed[other], those.students) or 0)
            if place != other and more > best:
                best = more
                everybody = percent(share(failed[other], those.students))
                example = (those.questions[place], those.questions[other], failed[place], percent(part), everybody)
        rows.append(ChartRow(those.questions[place], failed[place], tuple(cells)))
    overall = [share(failed[place], those.students) for place in kept]
    return Map(
        tuple(rows),
        tuple(ChartCell(percent(part), _shade(part)) for part in overall),
        tuple(question for place, question in enumerate(those.questions) if place not in kept),
        example,
    )


def _shade(part: float | None) -> int:
    return round(SHADES * min(part or 0, 1))


@dataclass(frozen=True)
class Numbered:
    """A cause with its place on the page of its assignment."""

    place: int
    cause: Cause
    page: Page

    @property
    def count(self) -> int:
        """How many it concerns."""
        return len(self.cause.students)


@dataclass(frozen=True)
class Page:
    """An assignment with the file that tells of it."""

    part: Part
    file: str

    @cached_property
    def numbers(self) -> dict[Question, int]:
        """A number for each question, from 1, for tables that have no room for its name."""
        asked = [item.question for item in self.part.items] + [cause.question for cause in self.part.causes]
        asked += [one.question for one in self.part.consequences] + list(self.part.together.questions)
        return {question: place for place, question in enumerate(dict.fromkeys(asked), start=1)}

    @cached_property
    def causes(self) -> tuple[Numbered, ...]:
        """Those that nobody has named first, the frequent ones before the others."""
        order = sorted(self.part.causes, key=lambda cause: (cause.is_named, -len(cause.students)))
        return tuple(Numbered(place, cause, self) for place, cause in enumerate(order, start=1))

    @property
    def unnamed(self) -> tuple[Numbered, ...]:
        """Causes without a name."""
        return tuple(each for each in self.causes if not each.cause.is_named)

    @property
    def named(self) -> tuple[Numbered, ...]:
        """Causes with one."""
        return tuple(each for each in self.causes if each.cause.is_named)

    def causes_of(self, question: Question) -> tuple[Numbered, ...]:
        """What went wrong at a question, the most frequent first."""
        return tuple(sorted((each for each in self.causes if each.cause.question == question), key=lambda each: -each.count))

    @property
    def failures(self) -> int:
        """Answers that lost points at a test."""
        return sum(each.count for each in self.causes)

    @property
    def failures_named(self) -> int:
        """Those of them whose cause has a name."""
        return sum(each.count for each in self.named)

    @property
    def mean(self) -> float | None:
        """Of the sums."""
        return math.fsum(self.part.sums) / len(self.part.sums) if self.part.sums else None

    @property
    def waiting(self) -> int:
        """Answers that nobody has graded yet."""
        return sum(item.waiting for item in self.part.items)

    @property
    def figures(self) -> tuple[str, ...]:
        """Which of "difficulty" and "discrimination" some question has."""
        return tuple(name for name in ("difficulty", "discrimination") if any(getattr(item, name).value is not None for item in self.part.items))

    def not_judged(self, question: Question) -> NotJudged | None:
        """What waits because the test of a question could not judge."""
        return next((one for one in self.part.not_judged if one.question == question), None)

    def consequences_of(self, question: Question) -> int:
        """Answers to a question that failed only because earlier ones had."""
        return sum(one.answers for one in self.part.consequences if one.question == question)


@dataclass(frozen=True)
class Standing:
    """A student with the sums of the points: what counts, what was earned before penalties, out of what, and what is not graded yet; and what there
    is to say."""

    line: StudentLine
    counted: float
    earned: float
    possible: float
    waiting: float
    remarks: tuple[tuple[str, str], ...]

    @property
    def share(self) -> float | None:
        """How much of what is graded was earned."""
        return share(self.earned, self.possible)

    @property
    def has_few(self) -> bool:
        """Whether that is little."""
        return self.share is not None and self.share < FEW

    @property
    def stands_out(self) -> bool:
        """Whether somebody should have a look."""
        return bool(self.has_few or self.line.missing or self.line.unusual)

    @property
    def order(self) -> tuple[bool, bool, int, float]:
        """What is odd first, then who has few points, then who misses most."""
        return (not self.line.unusual, not self.has_few, -len(self.line.missing), self.share if self.share is not None else 1)


def standing(line: StudentLine) -> Standing:
    """How a student does."""
    kinds = (("not graded", line.not_graded), ("unusual", line.unusual), ("missing", line.missing), ("late", line.late))
    counted, earned, possible, waiting = (
        math.fsum(getattr(points, name) for points in line.points.values()) for name in ("counted", "earned", "of", "waiting")
    )
    remarks = tuple((kind, text) for kind, texts in kinds for text in texts)
    return Standing(line, counted, earned, possible, waiting, remarks)


def worst(pages: Sequence[Page]) -> list[tuple[Page, Item, float]]:
    """The questions with the lowest means, of all assignments that more than a few have handed in. One that too many wait for has none."""
    counted = [page for page in pages if page.part.graded * A_FEW > max(other.part.graded for other in pages)]
    rated = [
        (page, item, of)
        for page in counted
        for item in page.part.items
        if item.rated and (of := share(item.mean, item.question.most)) is not None and of < WELL
    ]
    return sorted(rated, key=lambda each: each[2])[:MOST_WORST]


@dataclass(frozen=True)
class Group:
    """A group of the class list. `share` is the mean of its students' shares of what is graded, or None of fewer than `FEWEST_SHARES`."""

    name: str
    students: int
    handed_in: int
    share: float | None
    outstanding: int


def groups(standings: Sequence[Standing]) -> tuple[Group, ...]:
    """The groups, where there are two or more; who is in none is in the last."""
    found: dict[str, list[Standing]] = {}
    for each in standings:
        found.setdefault(each.line.group, []).append(each)
    if len(found) < 2:
        return ()
    return tuple(_group(name, found[name]) for name in sorted(found, key=lambda name: (not name, name.lower(), name)))


def _group(name: str, members: Sequence[Standing]) -> Group:
    shares = [each.share for each in members if each.share is not None]
    mean = math.fsum(shares) / len(shares) if len(shares) >= FEWEST_SHARES else None
    return Group(name, len(members), sum(bool(each.line.points) for each in members), mean, sum(each.stands_out for each in members))


@dataclass(frozen=True)
class Trace:
    """A line of shares as an SVG's path, in a box 10 high and as many wide as there are places but one; `dots` are places without neighbours."""

    path: str
    dots: tuple[tuple[int, float], ...]


def trace(shares: Sequence[float | None]) -> Trace:
    """Lines between neighbours, and dots where there are none. A share below 0 or above 1 is drawn at the edge."""
    heights = [None if share is None else _height(share) for share in shares]
    path, dots = [], []
    for place, height in enumerate(heights):
        if height is None:
            continue
        before = place > 0 and heights[place - 1] is not None
        after = place + 1 < len(heights) and heights[place + 1] is not None
        if before or after:
            path.append(f"{'L' if before else 'M'}{place} {number(height)}")
        else:
            dots.append((place, height))
    return Trace("".join(path), tuple(dots))


def _height(share: float) -> float:
    """From the top of the box."""
    return round(10 * (1 - min(max(share, 0.0), 1.0)), 2)


def dot(place: int, share: float) -> str:
    """A point of a `trace` as an SVG's path."""
    return f"M{place} {number(_height(share))}h0.001"


def shares(line: StudentLine, stages: Sequence[Stage]) -> list[float | None]:
    """A student's shares of what is graded, stage by stage."""
    held = [line.points.get(stage.assignment) for stage in stages]
    return [points.share if points is not None else None for points in held]


def moved(those: Trend) -> list[Moved]:
    """Who changed most: the first of each kind."""
    kinds = dict.fromkeys(one.kind for one in those.moved)
    return [one for kind in kinds for one in [each for each in those.moved if each.kind == kind][:MOST_MOVED]]


def band(stages: Sequence[Stage]) -> str:
    """The middle half of a class as an SVG's path, in the box of `trace`."""
    edges = [(place, stage.high) for place, stage in enumerate(stages)]
    edges += [(place, stage.low) for place, stage in reversed(list(enumerate(stages)))]
    return "M" + "L".join(f"{place} {number(_height(share))}" for place, share in edges) + "Z"


@dataclass(frozen=True)
class Frequent:
    """A cause at one question, or one with a name at several."""

    places: tuple[Numbered, ...]

    @property
    def count(self) -> int:
        """How many answers it spoiled."""
        return sum(each.count for each in self.places)


def frequent(pages: Iterable[Page]) -> list[Frequent]:
    """The causes of most failures, of all assignments. What has the same name counts as the same."""
    same: dict[object, list[Numbered]] = {}
    for each in (each for page in pages for each in page.causes):
        same.setdefault(each.cause.title if each.cause.is_named else (each.page.file, each.place), []).append(each)
    found = [Frequent(tuple(sorted(places, key=lambda each: -each.count))) for places in same.values()]
    return sorted(found, key=lambda each: -each.count)[:MOST_CAUSES]


def not_graded(lines: Iterable[StudentLine]) -> list[tuple[str, list[StudentLine]]]:
    """Each reason why something is not graded, with whom it concerns."""
    reasons: dict[str, list[StudentLine]] = {}
    for line in lines:
        for text in line.not_graded:
            reasons.setdefault(text, []).append(line)
    return sorted(reasons.items(), key=lambda each: -len(each[1]))


def points_of_all(whole: ReportData) -> dict[str, float]:
    """What each assignment gives, in the order of the course, whatever of it is graded."""
    return {**whole.most, **{part.assignment: part.most for part in whole.parts if part.assignment not in whole.most}}
