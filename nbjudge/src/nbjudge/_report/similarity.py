"""Which submissions are unusually alike, as a reason to look. Nothing here is a finding.

For each exercise, answers are compared by the parts of their normal forms (see `normal_forms`), weighed by how rare a part is in the class
(inverse document frequency: Spärck Jones 1972). The likeness of two answers is the weight that they share over the weight that they have
(weighted Jaccard), times how few in the class are as like either of them. How unusual that is for an exercise is the share `p` of all pairs of the
class that are at least as alike there: so two equal answers of a short exercise, which a third of the class has written, say nothing, and no
single exercise can say more than one over the number of pairs. The exercises of an assignment are then put together by Fisher's method (R. A. Fisher,
Statistical Methods for Research Workers, 1925): under independence the sum of -ln p has a gamma distribution. Shown are pairs of which by chance
fewer than `MOST_BY_CHANCE` are expected in a class of that size.

No library: copydetect and compare50 compare runs of tokens (winnowing: Schleimer, Wilkerson and Aiken 2003), which another order of lines breaks, and
give each pair a share without asking how common the shared text is.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nbjudge._report.normal_forms import Form, form_of

MOST_BY_CHANCE = 0.01  # pairs in an assignment
FEWEST_STUDENTS, FEWEST_EXERCISES = 8, 2
LEAST_ALIKE, RARE = 0.5, 0.05  # likeness, and p, of an exercise that is named; two such have to be there
MOST_PAIRS = 60  # of an assignment; a class of copies is no reason to write a book
BLOCK = 256  # rows of the table of pairs at a time
WRONG = 1.5  # how much more it says that two answers are alike which both lost points
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Alike:
    """Two students whose answers to an assignment are unusually alike.

    `expected` is how many such pairs chance would give in this class; `exercises` are those by which they are, each with its likeness, from 0 to 1,
    and the share of pairs of the class that are as alike there.
    """

    first: str
    second: str
    expected: float
    exercises: tuple[tuple[str, float, float], ...]


def alike(answers: Mapping[str, Mapping[str, Form]], lost: Mapping[str, frozenset[str]] | None = None) -> list[Alike]:
    """The pairs to look at, the least likely first.

    Args:
        answers: by exercise, each student's form; students who did not write it are left out.
        lost: by exercise, who lost points there.
    """
    students = sorted({student for forms in answers.values() for student in forms})
    if len(students) < FEWEST_STUDENTS:
        return []
    place = {student: number for number, student in enumerate(students)}
    hands = {student: _hand(answers, student) for student in students}
    made = [_channel(name, forms, place, (lost or {}).get(name, frozenset())) for name, forms in answers.items()]
    channels = [one for one in made if one is not None]
    if len(channels) < FEWEST_EXERCISES:
        return []
    own_words = _channel("", hands, place, frozenset())
    pairs = len(students) * (len(students) - 1) / 2
    found: dict[tuple[str, str], Alike] = {}
    for several in [channels, *([[*channels, own_words]] if own_words is not None else [])]:  # names and remarks can speak for, and never against
        for one in _candidates(several, students, pairs):
            if sum(p <= RARE and like >= LEAST_ALIKE for _, like, p in one.exercises) >= FEWEST_EXERCISES:
                key = one.first, one.second
                found[key] = min(one, found.get(key, one), key=lambda each: each.expected)
    return sorted(found.values(), key=lambda one: (one.expected, one.first, one.second))[:MOST_PAIRS]


def _hand(answers: Mapping[str, Mapping[str, Form]], student: str) -> Form:
    """A student's own words and names in all exercises."""
    own = [forms[student].hand for forms in answers.values() if student in forms]
    return Form(dict.fromkeys(frozenset[int]().union(*own), (0, 0)))


def similar_answers(
    answers: Mapping[str, Mapping[str, str]], given: Mapping[str, Sequence[str]] | None = None, lost: Mapping[str, frozenset[str]] | None = None
) -> list[Alike]:
    """Pairs of students whose code is unusually alike, the least likely first. A reason to look, not a finding.

    Args:
        answers: by exercise, the code of each student who wrote some.
        given: by exercise, the texts that everybody was given.
        lost: by exercise, who lost points there.
    """
    forms: dict[str, dict[str, Form]] = {}
    for name, texts in answers.items():
        read = {text: form_of(text, (given or {}).get(name, ()), is_code=True) for text in set(texts.values())}
        forms[name] = {student: read[text] for student, text in texts.items()}
    return alike(forms, lost)


@dataclass(frozen=True)
class _Channel:
    """One exercise: which of its distinct forms each student has (-1 is none), and the likeness and -ln p of each two forms."""

    name: str
    of: NDArray[np.int64]
    likeness: Floats
    evidence: NDArray[np.float32]


def _channel(name: str, forms: Mapping[str, Form], place: Mapping[str, int], lost: frozenset[str]) -> _Channel | None:
    keys: dict[tuple[frozenset[int], bool], int] = {}
    of = np.full(len(place), -1, dtype=np.int64)
    for student, form in sorted(forms.items()):
        if form.parts:
            of[place[student]] = keys.setdefault((frozenset(form.parts), student in lost), len(keys))
    counts = np.bincount(of[of >= 0], minlength=len(keys)).astype(float)
    if counts.sum() < FEWEST_STUDENTS:
        return None
    like = _likeness([parts for parts, _ in keys], counts)
    wrong = np.array([is_wrong for _, is_wrong in keys])
    score = like * _rarity(like, counts) * np.where(wrong[:, None] & wrong[None, :], WRONG, 1.0)
    return _Channel(name, of, like, _evidence(score, counts))


def _likeness(distinct: Sequence[frozenset[int]], counts: Floats) -> Floats:
    """Weighted Jaccard of each two forms, with the rarity of parts in the class as weights."""
    frequency: Counter[int] = Counter()
    for parts, count in zip(distinct, counts):
        frequency.update(dict.fromkeys(parts, int(count)))
    shared = [part for part, count in frequency.items() if count > 1]
    column, total = {part: number for number, part in enumerate(shared)}, counts.sum()
    weight = {part: math.log2((total + 1) / count) for part, count in frequency.items()}
    has = np.zeros((len(distinct), len(shared)), dtype=np.float32)
    for row, parts in enumerate(distinct):
        has[row, [column[part] for part in parts if part in column]] = 1
    weights = np.array([weight[part] for part in shared], dtype=np.float32)
    both = (has * weights) @ has.T
    own = np.array([sum(weight[part] for part in parts) for parts in distinct])
    return np.asarray(np.clip(both / np.maximum(own[:, None] + own[None, :] - both, 1e-9), 0, 1), dtype=float)


def _rarity(like: Floats, counts: Floats) -> Floats:
    """-log2 of the share of the class that is at least as like to either of two answers, the less rare of the two."""
    others = np.empty_like(like)
    for row, own in enumerate(like):
        order = np.argsort(-own, kind="stable")
        reached, values = np.cumsum(counts[order]), own[order]
        last = np.searchsorted(-values, -values, side="right") - 1  # of equal ones
        others[row, order] = reached[last] - 1  # without the answer itself
    share = np.maximum(others, others.T) / max(counts.sum() - 1, 1)
    return np.asarray(-np.log2(np.clip(share, 1e-9, 1)))


def _evidence(score: Floats, counts: Floats) -> NDArray[np.float32]:
    """-ln of the share of the class's pairs that have this score or more."""
    weight = np.outer(counts, counts)
    np.fill_diagonal(weight, counts * (counts - 1))
    flat = np.round(score.ravel(), 6)
    order = np.argsort(-flat, kind="stable")
    reached, values = np.cumsum(weight.ravel()[order]), flat[order]
    last = np.searchsorted(-values, -values, side="right") - 1
    share = np.empty_like(flat)
    share[order] = reached[last] / reached[-1]
    share[flat <= 0] = 1.0
    return np.asarray(-np.log(np.clip(share, 1e-300, 1)), dtype=np.float32).reshape(score.shape)


def _candidates(channels: list[_Channel], students: list[str], pairs: float) -> Iterator[Alike]:
    """Pairs whose evidence, over all exercises that both wrote, is beyond chance. Memory is for `BLOCK` rows of the table of pairs at a time."""
    count = len(students)
    least = [math.inf, *(_beyond(both, MOST_BY_CHANCE / 2 / pairs) for both in range(1, len(channels) + 1))]
    limits = np.array(least)
    for begin in range(0, count, BLOCK):
        rows = np.arange(begin, min(begin + BLOCK, count))
        total, known = np.zeros((len(rows), count)), np.zeros((len(rows), count), dtype=np.int64)
        for one in channels:
            both = (one.of[rows] >= 0)[:, None] & (one.of >= 0)[None, :]
            total += np.where(both, one.evidence[one.of[rows]][:, one.of], 0)
            known += both
        for row, other in zip(*np.nonzero(total > limits[known])):
            if begin + row < other:
                first, second = begin + int(row), int(other)
                expected = 2 * pairs * tail(float(total[row, other]), int(known[row, other]))
                yield Alike(students[first], students[second], expected, tuple(_named(channels, first, second)))


def _named(channels: list[_Channel], first: int, second: int) -> Iterator[tuple[str, float, float]]:
    for one in channels:
        a, b = one.of[first], one.of[second]
        if a >= 0 and b >= 0 and (p := math.exp(-float(one.evidence[a, b]))) <= RARE and one.likeness[a, b] > 0:
            yield one.name, float(one.likeness[a, b]), p


def tail(total: float, count: int) -> float:
    """How likely a sum of `count` independent -ln p is at least `total`: the gamma distribution, in closed form for whole numbers (Erlang)."""
    return math.exp(-total) * sum(total**power / math.factorial(power) for power in range(count))


def _beyond(count: int, chance: float) -> float:
    """The least total with `tail(total, count) <= chance`, by bisection."""
    low, high = 0.0, 700.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if tail(middle, count) > chance else (low, middle)
    return high


def groups(pairs: Sequence[Alike]) -> list[list[str]]:
    """Students who hang together by pairs, larger groups first."""
    beside: dict[str, set[str]] = defaultdict(set)
    for one in pairs:
        beside[one.first].add(one.second)
        beside[one.second].add(one.first)
    seen: set[str] = set()
    found = []
    for student in sorted(beside):
        if student not in seen:
            group, rest = set[str](), [student]
            while rest:
                if (other := rest.pop()) not in group:
                    group.add(other)
                    rest += beside[other]
            seen |= group
            found.append(sorted(group))
    return sorted(found, key=lambda group: (-len(group), group))
