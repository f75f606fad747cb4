"""How a class did on each question of an assignment, who failed with whom, and how the points are spread: from numbers alone, to numbers alone.

Points are those of the gradebook. None says that nobody has graded it yet; nan, an infinite number and one beyond `LARGEST` are no points either.
A question that a student's mapping lacks was not handed in, and counts 0 where points are added up.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from nbjudge._report.model import FEWEST_SHARES, Figure, Item, Question, Together, is_rated

Scores = Mapping[str, Mapping[Question, float | None]]  # by student
Attempts = Mapping[str, Mapping[Question, bool | None]]

FEWEST = 30  # students that a correlation is told of: with 30 its standard error is still near 0.2
FEW_ANSWERS, FEW_STUDENTS = f"fewer than {FEWEST_SHARES} answers", f"fewer than {FEWEST} students"
HARD, EASY = 0.3, 0.8  # shares of the points; the usual is between
GOOD, FAIR = 0.3, 0.2  # correlations
BINS = 12  # the most that a histogram has
WIDTHS = (1, 2, 5)  # of a histogram's bins, in points, times a power of ten
LARGEST = 1e12  # points: numbers beyond are mistakes in the gradebook, and would swallow all others in a sum
CLOSE = 1e-9  # points that differ by less, relative to the larger and to 1, are the same: 0.1 + 0.2 and 0.3


def items(questions: Sequence[Question], scores: Scores, attempts: Attempts | None = None) -> tuple[Item, ...]:
    """The items of one assignment, in the order of its questions.

    `difficulty` is the mean share of a question's points, p; the larger, the easier (Crocker and Algina, Introduction to Classical and Modern
    Test Theory, 1986, chapter 14). It lies between 0 and 1, except with extra credit or points below 0. Where the usual ends is a convention.

    `discrimination` is Pearson's correlation of the points on a question with the sum of the points on the others, over the students who have
    points on it. The question itself is left out of the sum because it would correlate with itself (Henrysson, Correction of item-total
    correlations in item analysis, Psychometrika 28, 1963). A question that still waits for anybody's points is left out of everybody's sum. The
    limits 0.2 and 0.3 are those of Ebel and Frisbie, Essentials of Educational Measurement, 1991, who give them for the difference between the
    upper and the lower group.

    Neither is told while more than `MOST_WAITING` of the answers to a question wait for points: nbgrader gives 0 to texts that are as released, at
    once, so the first points on a written answer are those of students who wrote nothing. Nor is either told of fewer than `FEWEST_SHARES` answers.
    Marks go by the figure with two digits, as it is shown.

    Args:
        questions: all of the assignment.
        scores: by student, for everybody who handed in.
        attempts: whether a student changed anything at a question; None, or nothing, where that is not known.
    """
    points = {student: {question: _points(value) for question, value in held.items()} for student, held in scores.items()}
    whole = {question for question in questions if all(held.get(question, 0.0) is not None for held in points.values())}
    totals = {student: math.fsum(held.get(question) or 0.0 for question in questions if question in whole) for student, held in points.items()}
    found = []
    for question in questions:
        own = {student: value for student, held in points.items() if (value := held.get(question)) is not None}
        rest = {student: totals[student] - (own[student] if question in whole else 0.0) for student in own}
        told = [answer for held in (attempts or {}).values() if (answer := held.get(question)) is not None]
        full = sum(_reaches(value, question.most) for value in own.values())
        none = sum(_reaches(0.0, value) and not _reaches(value, question.most) for value in own.values())
        handed_in = sum(question in held for held in points.values())
        found.append(
            Item(
                question,
                handed_in,
                sum(told) if told else None,
                handed_in - len(own),
                none,
                len(own) - none - full,
                full,
                math.fsum(own.values()) / len(own) if own else None,
                *(
                    (_difficulty(question, own), _discrimination(own, rest, len(questions) - 1, len(whole - {question})))
                    if own and is_rated(handed_in, handed_in - len(own))
                    else (_none_yet(own),) * 2
                ),
            )
        )
    return tuple(found)


def complete_sums(questions: Sequence[Question], scores: Scores) -> tuple[float, tuple[float, ...]]:
    """The points that can be compared by now: how many there are to be had, and the sum of each student who has all of them.

    Questions with too many waiting answers (see `is_rated`) are left out of everybody's sum; then students are left out who still wait for points.
    Nothing that waits counts as 0 in this way, and all sums are of the same points.
    """
    held = list(scores.values())
    rated = [
        question
        for question in questions
        if is_rated(sum(question in one for one in held), sum(question in one and _points(one[question]) is None for one in held))
    ]
    rows = [[_points(one.get(question, 0.0)) for question in rated] for one in held]
    return math.fsum(question.most for question in rated), tuple(
        math.fsum(known) for row in rows if rated and len(known := [value for value in row if value is not None]) == len(row)
    )


def together(questions: Sequence[Question], scores: Scores) -> Together:
    """Who lost points with whom, at the questions that a test grades. Where there are no points, none are lost."""
    automatic = tuple(question for question in questions if question.is_automatic)
    lost = [[_loses(held.get(question), question) for question in automatic] for held in scores.values()]
    places = range(len(automatic))
    return Together(automatic, len(lost), tuple(tuple(sum(row[i] and row[j] for row in lost) for j in places) for i in places))


def histogram(sums: Iterable[float], most: float) -> tuple[tuple[float, float, int], ...]:
    """How many sums of points there are in each bin, as (low, high, count): from low to below high, in the last bin to high itself.

    Bins are 1, 2, 5, 10, ... points wide, as narrow as `BINS` of them allow; the last one ends at `most` and may be up to half as wide again, or half
    as wide. Sums below 0 are in the first bin, those beyond `most` in the last; what is no number is in none.
    """
    most = most if 1 <= most <= LARGEST else 1.0
    widths = (width * 10.0**power for power in range(13) for width in WIDTHS)
    width = next(width for width in widths if _rounded(most / width) <= BINS)
    counts = [0] * max(1, _rounded(most / width))
    for value in sums:
        if not math.isnan(value):
            place = (min(max(value, 0.0), most) + CLOSE * max(1.0, most)) / width
            counts[min(int(place), len(counts) - 1)] += 1
    edges = [place * width for place in range(len(counts))] + [most]
    return tuple((low, high, count) for low, high, count in zip(edges, edges[1:], counts))


def _none_yet(own: Mapping[str, float]) -> Figure:
    return Figure(None, why_not="too many wait for points" if own else "nobody has points on it yet")


def _difficulty(question: Question, own: Mapping[str, float]) -> Figure:
    if not 0 < question.most <= LARGEST:
        return Figure(None, why_not="it is worth no points")
    if len(own) < FEWEST_SHARES:
        return Figure(None, why_not=FEW_ANSWERS)
    value = math.fsum(own.values()) / len(own) / question.most
    shown = round(value, 2)
    return Figure(value, "hard" if shown < HARD else "easy" if shown > EASY else "usual")


def _discrimination(own: Mapping[str, float], rest: Mapping[str, float], others: int, compared: int) -> Figure:
    """`others` is how many other questions there are, `compared` how many of them everybody has points on."""
    if not others:
        return Figure(None, why_not="there is no other question")
    if not compared:
        return Figure(None, why_not="all other questions still wait for somebody's points")
    if len(own) < FEWEST:
        return Figure(None, why_not=FEW_STUDENTS)
    if _is_constant(own.values()):
        return Figure(None, why_not="everyone has the same points on it")
    if _is_constant(rest.values()):
        return Figure(None, why_not="everyone has the same points on the rest")
    value = _correlation([(own[student], rest[student]) for student in own])
    shown = round(value, 2)
    return Figure(value, "good" if shown >= GOOD else "fair" if shown >= FAIR else "look at it" if shown >= 0 else "check the key")


def _correlation(pairs: Sequence[tuple[float, float]]) -> float:
    """Pearson's, of pairs that are constant in neither place."""
    first, second = (_deviations([pair[place] for pair in pairs]) for place in (0, 1))
    return max(-1.0, min(1.0, math.fsum(x * y for x, y in zip(first, second))))


def _deviations(values: Sequence[float]) -> list[float]:
    """Those from the mean, with length 1."""
    mean = math.fsum(values) / len(values)
    length = math.hypot(*(value - mean for value in values))
    return [(value - mean) / length for value in values]


def _is_constant(values: Iterable[float]) -> bool:
    """Whether values differ by rounding at most."""
    held = list(values)
    return max(held) - min(held) <= CLOSE * max(1.0, *map(abs, held))


def _points(value: float | None) -> float | None:
    """Points that can be reckoned with, or None."""
    return float(value) if value is not None and abs(value) <= LARGEST else None


def _loses(value: float | None, question: Question) -> bool:
    points = None if value is None else _points(value)
    return points is not None and not _reaches(points, question.most)


def _reaches(value: float, most: float) -> bool:
    """Whether a value is as large as another, but for rounding."""
    return value >= most or math.isclose(value, most, rel_tol=CLOSE, abs_tol=CLOSE)


def _rounded(value: float) -> int:
    """To the next whole number; halves go up."""
    return int(value + 0.5)
