"""The figures of an item analysis against SciPy's, against an example by hand, and where there is nothing to reckon with."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from nbjudge._report.item_statistics import BINS, FEWEST, Scores, complete_sums, histogram, items, together
from nbjudge._report.model import Item, Question

COUNT = 60


def question(name: str, most: float = 4, kind: str = "test") -> Question:
    return Question("1_first", "work", name, name, most, kind)


A, B, C, D = (question(name) for name in "abcd")


def table(columns: dict[Question, list[float | None]]) -> Scores:
    """Columns of points as each student's mapping."""
    return {f"s{row}": dict(zip(columns, values)) for row, values in enumerate(zip(*columns.values()))}


def found(columns: dict[Question, list[float | None]]) -> dict[str, Item]:
    return {item.question.name: item for item in items(list(columns), table(columns))}


def drawn(seed: int, count: int = COUNT) -> dict[Question, list[float | None]]:
    """Points of students with an ability, on four questions, the last of which goes the other way."""
    random = np.random.RandomState(seed)
    ability = random.normal(size=count)
    return {
        one: [float(points) for points in np.clip(np.round(2 * (2 + sign * ability + random.normal(size=count))) / 2, 0, one.most)]
        for one, sign in ((A, 1), (B, 1), (C, 0.3), (D, -1))
    }


@pytest.mark.parametrize("seed", range(5))
def test_figures_are_those_of_scipy_and_numpy(seed: int) -> None:
    columns = drawn(seed)
    for one, item in found(columns).items():
        own = np.array(columns[question(one)])
        rest = sum(np.array(values) for other, values in columns.items() if other.name != one)
        assert item.discrimination.value == pytest.approx(stats.pearsonr(own, rest).statistic, abs=1e-12)
        assert item.difficulty.value == pytest.approx(own.mean() / 4, abs=1e-12) and item.mean == pytest.approx(own.mean(), abs=1e-12)
        assert (item.none, item.full) == ((own == 0).sum(), (own == 4).sum())
        assert item.none + item.some + item.full == item.handed_in == COUNT and item.waiting == 0


def test_figures_by_hand() -> None:
    """Ten times the same four students.

    ============  ===  ===  ===  ===   ====   ==========
    student       1st  2nd  3rd  4th   mean   deviations
    ============  ===  ===  ===  ===   ====   ==========
    a (of 4)      0    1    3    4     2      -2 -1 1 2
    b (of 4)      1    0    3    0     1      0 -1 2 -1
    c (of 4)      0    1    2    1     1      -1 0 1 0
    rest of a     1    1    5    1     2      -1 -1 3 -1
    ============  ===  ===  ===  ===   ====   ==========

    p of a is 2 / 4. r of a: the products of the deviations are 2, 1, 3, -2, their sum is 4; the squares sum to 10 and to 12, so r = 4 / sqrt(120).
    """
    item = found({A: [0, 1, 3, 4] * 10, B: [1, 0, 3, 0] * 10, C: [0, 1, 2, 1] * 10})["a"]
    assert item == Item(A, 40, None, 0, 10, 20, 10, 2.0, item.difficulty, item.discrimination)
    assert (item.difficulty.value, item.difficulty.mark) == (0.5, "usual")
    assert item.discrimination.value == pytest.approx(4 / math.sqrt(120), abs=1e-15)
    assert item.discrimination.mark == "good"


def test_the_order_is_that_of_the_questions() -> None:
    columns = drawn(0)
    order = [C, A, D, B]
    assert [item.question for item in items(order, table(columns))] == order


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("factor", "added"), [(2.5, 0), (1e-4, 0), (1, 7), (1, -2), (1e6, 1e6)])
def test_another_scale_of_a_question_changes_no_correlation_of_it(seed: int, factor: float, added: float) -> None:
    columns = drawn(seed)
    before = found(columns)["a"].discrimination
    changed = question("a", 4 * factor)
    after = found({changed: [value * factor + added for value in columns.pop(A) if value is not None], **columns})["a"].discrimination
    assert after.value == pytest.approx(before.value, abs=1e-9) and after.mark == before.mark


@pytest.mark.parametrize("seed", range(20))
def test_bounds(seed: int) -> None:
    for item in found(drawn(seed, 30 + seed)).values():
        assert item.difficulty.value is not None and 0 <= item.difficulty.value <= 1
        assert item.discrimination.value is not None and -1 <= item.discrimination.value <= 1


def test_points_that_agree_entirely_correlate_with_one_and_not_with_more() -> None:
    values: list[float | None] = [0.1 * row for row in range(33)]
    opposed: list[float | None] = [3.2 - 0.1 * row for row in range(33)]
    assert 1 - 1e-12 < found({A: values, B: values})["a"].discrimination.value <= 1
    assert -1 <= found({A: values, B: opposed})["a"].discrimination.value < -1 + 1e-12


@pytest.mark.parametrize(
    ("value", "mark"), [(0.0, "hard"), (1.16, "hard"), (1.2, "usual"), (3.2, "usual"), (3.24, "easy"), (4.0, "easy"), (4.4, "easy")]
)
def test_marks_of_difficulty(value: float, mark: str) -> None:
    assert found({A: [value] * 5, B: [0, 1, 2, 3, 4]})["a"].difficulty.mark == mark


@pytest.mark.parametrize(
    ("r", "mark"),
    [
        (0.5, "good"),
        (0.3, "good"),
        (0.29, "fair"),
        (0.2, "fair"),
        (0.19, "look at it"),
        (0.0, "look at it"),
        (-0.01, "check the key"),
        (-0.9, "check the key"),
    ],
)
def test_marks_of_discrimination(r: float, mark: str) -> None:
    """With x and y orthogonal and of one length, x and r x + sqrt(1 - r²) y correlate with r."""
    x, y = [1.0, -1.0, 1.0, -1.0] * 10, [1.0, 1.0, -1.0, -1.0] * 10
    figure = found({A: [2 + one for one in x], B: [2 + r * one + math.sqrt(1 - r * r) * other for one, other in zip(x, y)]})["a"].discrimination
    assert figure.value == pytest.approx(r, abs=1e-9) and figure.mark == mark


def test_a_small_class_has_no_correlation() -> None:
    columns = drawn(0, FEWEST)
    assert found(columns)["a"].discrimination.value is not None
    short = found({one: values[1:] for one, values in columns.items()})["a"]
    assert short.discrimination.value is None and short.discrimination.why_not == "fewer than 30 students"
    assert short.difficulty.value is not None


def test_of_fewer_than_five_answers_there_is_no_difficulty() -> None:
    columns = drawn(0, 5)
    assert found(columns)["a"].difficulty.value is not None
    item = found({one: values[1:] for one, values in columns.items()})["a"]
    assert (item.difficulty.value, item.difficulty.why_not, item.mean is None) == (None, "fewer than 5 answers", False)


def test_a_question_that_somebody_waits_for_is_in_nobodys_rest() -> None:
    columns = drawn(1)
    without = found({one: values for one, values in columns.items() if one is not C})
    columns[C] = [*columns[C][:-1], None]
    some_wait = found(columns)
    assert some_wait["a"] == without["a"] and some_wait["b"] == without["b"]
    own = np.array(columns[C][:-1])
    rest = sum(np.array(columns[other][:-1]) for other in (A, B, D))
    assert some_wait["c"].discrimination.value == pytest.approx(stats.pearsonr(own, rest).statistic, abs=1e-12)
    assert (some_wait["c"].handed_in, some_wait["c"].waiting) == (COUNT, 1)
    assert some_wait["c"].none + some_wait["c"].some + some_wait["c"].full == COUNT - 1


def test_without_points_there_are_no_figures() -> None:
    columns = drawn(1)
    columns[C] = [None] * COUNT
    item = found(columns)["c"]
    assert (item.handed_in, item.waiting, item.none, item.some, item.full, item.mean) == (COUNT, COUNT, 0, 0, 0, None)
    assert item.difficulty.value is None and item.difficulty.why_not == "nobody has points on it yet" == item.discrimination.why_not


def test_while_more_than_one_in_ten_wait_there_are_no_figures_either() -> None:
    columns = drawn(1)
    for waiting, told in ((6, True), (7, False)):
        item = found({**columns, C: [None] * waiting + columns[C][waiting:]})["c"]
        assert item.waiting == waiting and item.mean is not None and item.rated == (COUNT - waiting if told else 0)
        assert (item.difficulty.value is not None) is (item.discrimination.value is not None) is told
        assert told or item.difficulty.why_not == "too many wait for points" == item.discrimination.why_not


def test_why_there_is_no_correlation() -> None:
    columns = drawn(2)
    waits: list[float | None] = [None, *[1.0] * (COUNT - 1)]
    assert found({A: columns[A]})["a"].discrimination.why_not == "there is no other question"
    assert found({A: columns[A], B: waits})["a"].discrimination.why_not == "all other questions still wait for somebody's points"
    assert found({A: [3] * COUNT, B: columns[B]})["a"].discrimination.why_not == "everyone has the same points on it"
    assert found({A: columns[A], B: [3] * COUNT, C: [1] * COUNT})["a"].discrimination.why_not == "everyone has the same points on the rest"


def test_rounding_is_no_difference() -> None:
    noisy: list[float | None] = [0.3, 0.1 + 0.2, 1.1 - 0.8] * 20
    assert len(set(noisy)) > 1
    columns = drawn(3)
    of_noise = question("noise", 0.3)
    assert found({of_noise: noisy, **columns})["noise"].discrimination.why_not == "everyone has the same points on it"
    assert found({A: columns[A], of_noise: noisy})["a"].discrimination.why_not == "everyone has the same points on the rest"
    assert (found({of_noise: noisy, A: columns[A]})["noise"].full, together([of_noise], table({of_noise: noisy})).failed) == (60, (0,))
    tenths: list[float | None] = [row % 11 / 10 for row in range(COUNT)]
    twice = {A: tenths, B: [4.0 - value for value in tenths if value is not None], C: columns[C]}
    without = {A: twice[A], C: twice[C]}
    rest_of_c = found({**twice})["c"].discrimination
    assert rest_of_c.why_not == "everyone has the same points on the rest" and found(without)["c"].discrimination.value is not None


def test_a_question_worth_nothing() -> None:
    columns = drawn(4)
    free = question("free", 0)
    item = found({free: [0.0] * COUNT, **columns})["free"]
    assert (item.none, item.some, item.full) == (0, 0, COUNT)
    assert item.difficulty.value is None and item.difficulty.why_not == "it is worth no points"
    assert item.discrimination.why_not == "everyone has the same points on it"
    assert found({free: [0.0] * COUNT, **columns})["a"] == found(columns)["a"]
    extra = found({free: [1.0, *[0.0] * (COUNT - 1)], **columns})["free"]
    assert extra.full == COUNT and extra.discrimination.value is not None
    assert together([free], table({free: [0.0, 1.0]})).failed == (0,)


def test_extra_credit_is_full_and_may_make_p_more_than_one() -> None:
    item = found({A: [5, 4.5, 4, 4.5, 4.5], B: [0, 1, 2, 3, 4]})["a"]
    assert (item.none, item.some, item.full) == (0, 0, 5)
    assert item.difficulty.value == pytest.approx(4.5 / 4) and item.difficulty.mark == "easy"


def test_points_below_zero_are_none() -> None:
    item = found({A: [-1, 0, 4], B: [0, 1, 2]})["a"]
    assert (item.none, item.some, item.full) == (2, 0, 1)


@pytest.mark.parametrize("broken", [math.nan, math.inf, -math.inf, 1e300])
def test_what_is_no_number_of_points_counts_as_waiting(broken: float) -> None:
    columns = drawn(5)
    columns[B] = [broken, *columns[B][1:]]
    waiting = {**columns, B: [None, *columns[B][1:]]}
    assert found(columns) == found(waiting)
    assert together(list(columns), table(columns)) == together(list(columns), table(waiting))
    endless = question("endless", broken)  # nor of points at most
    assert found({endless: [1.0] * COUNT, **columns})["endless"].difficulty.why_not == "it is worth no points"


def test_attempts_are_counted_where_they_are_known() -> None:
    scores = table({A: [1, 2, 3], B: [1, 2, 3]})
    first, second = items([A, B], scores, {"s0": {A: True, B: None}, "s1": {A: False}, "s2": {A: True}})
    assert (first.attempted, second.attempted) == (2, None)
    assert [item.attempted for item in items([A, B], scores)] == [None, None]


def test_what_was_not_handed_in_counts_nothing_in_the_sum() -> None:
    columns = drawn(6)
    scores = {
        student: {one: points for one, points in held.items() if not (one == C and student in ("s3", "s9"))}
        for student, held in table(columns).items()
    }
    columns[C] = [0.0 if row in (3, 9) else value for row, value in enumerate(columns[C])]
    whole = found(columns)
    apart = {item.question.name: item for item in items([A, B, C, D], scores)}
    assert apart["a"] == whole["a"] and apart["c"].handed_in == COUNT - 2 and apart["c"].waiting == 0


def test_sums_are_of_the_points_that_can_be_compared() -> None:
    """B waits for all but those whose text is as released, to which nbgrader gives 0 at once; one answer to C waits for its own reasons."""
    columns: dict[Question, list[float | None]] = {A: [4, 3, 2, 1] * 5, B: [None] * 15 + [0] * 5, C: [None] + [1] * 19}
    assert complete_sums(list(columns), table(columns)) == (8, (*[4, 3, 2], *[5, 4, 3, 2] * 4))
    assert complete_sums([B], table({B: columns[B]})) == (0, ())
    assert complete_sums([A, C], {"s0": {A: 4.0}, "s1": {A: 1.0, C: 2.0}}) == (8, (4, 3)), "what was not handed in counts 0"
    assert complete_sums([], {"s0": {}}) == complete_sums([], {}) == (0, ())


def test_a_text_as_released_does_not_make_a_question_the_worst_while_the_others_wait() -> None:
    item = found({A: [4, 3, 2, 1] * 6, B: [0] * 12 + [None] * 12})["b"]
    assert (item.difficulty.value, item.rated, item.none, item.waiting) == (None, 0, 12, 12)


def test_an_empty_class_and_an_empty_assignment() -> None:
    (item,) = items([A], {})
    assert (item.handed_in, item.attempted, item.mean, item.difficulty.value, item.discrimination.value) == (0, None, None, None, None)
    assert items([], {"s0": {}}) == ()
    assert together([], {}).both == () and together([A], {}).both == ((0,),)


def test_who_fails_together() -> None:
    by_hand = replace(D, kind="written answer")
    scores = table({A: [4, 0, 3, None, 0], B: [4, 0, 4, 0, 1], C: [4, 4, 4, 4, 0.1 + 3.9], by_hand: [0, 0, 0, 0, 0]})
    result = together([A, B, C, by_hand], scores)
    assert result.questions == (A, B, C) and result.students == 5
    assert result.both == ((3, 2, 0), (2, 3, 0), (0, 0, 0))
    assert result.failed == (3, 3, 0)


@pytest.mark.parametrize(
    ("most", "edges"),
    [
        (3, [0, 1, 2, 3]),
        (12, list(range(13))),
        (13, [0, 2, 4, 6, 8, 10, 12, 13]),
        (34, [0, 5, 10, 15, 20, 25, 30, 34]),
        (31, [0, 5, 10, 15, 20, 25, 31]),
        (100, list(range(0, 101, 10))),
        (1000, list(range(0, 1001, 100))),
        (2.5, [0, 1, 2, 2.5]),
        (0.5, [0, 1]),
        (0, [0, 1]),
        (math.nan, [0, 1]),
    ],
)
def test_bins(most: float, edges: list[float]) -> None:
    bins = histogram([], most)
    assert [bins[0][0], *(high for _, high, _ in bins)] == edges
    assert [low for low, _, _ in bins[1:]] == [high for _, high, _ in bins[:-1]]


@pytest.mark.parametrize("most", [0, 0.1, 1, 1.5, 2, 7, 12.4, 12.6, 24, 25, 59, 61, 119, 1e4, 123456.5, 1e12])
def test_every_sum_is_in_one_bin(most: float) -> None:
    random = np.random.RandomState(0)
    sums = [-3.0, most, most + 1, math.inf, -math.inf, *(random.uniform(0, 1, 200) * most)]
    bins = histogram([*sums, math.nan], most)
    assert len(bins) <= BINS and sum(count for _, _, count in bins) == len(sums)
    assert all(high - low >= 1 for low, high, _ in bins[:-1]) and bins[-1][1] == max(most, 1)
    inner = [sum(low <= value < high for value in sums) for low, high, _ in bins[1:-1]]
    assert inner == [count for _, _, count in bins[1:-1]]


def test_a_sum_on_an_edge_is_in_the_bin_that_begins_there_and_the_most_in_the_last() -> None:
    assert [count for _, _, count in histogram([0, 1, 1, 2, 3], 3)] == [1, 2, 2]
    assert [count for _, _, count in histogram([0.7 + 0.1 + 0.2, 0.1 * 3 + 1.7, 2.999999], 4)] == [0, 1, 2, 0]
