"""Which differences a learner's test of functions sees: of which sign, size and place, in which orders, and nan."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from attnlab.diagnosis.cause import Cause, Diagnosis, unknown
from attnlab.diagnosis.probes.functions.trials import ABSOLUTE, EACH, LOOP, Trial, Trials

OTHERS = "in every order except that of x"
USE = "compare the largest absolute difference with `atol` alone, or pass it on to what compares"
RELATIVE = "the tolerance grows with the numbers, as with the `rtol` of `np.allclose`"
NAMELESS = "; near 0 it vanishes: `np.allclose(a, b, atol, 0)` takes its third argument as rtol"
NO_RTOL = "compare the largest absolute difference with `atol`; in `np.allclose`, set `rtol=0`"
IGNORED = "`atol` is not used"


def seen(trials: Trials) -> Diagnosis | None:
    """What differences escape a test, although they are large."""
    return trials.first(_anything(trials)) or _signs(trials) or _places(trials) or trials.first(_cancelling(trials)) or _single_orders(trials)


def _anything(trials: Trials) -> Iterator[Trial]:
    yield Trial(
        "a function that gives different numbers for every order",
        trials.changed(trials.unlike(1e9)),
        False,
        Cause(
            "differences.always_true",
            "your test says True for every result that was tried: it compares nothing, or something with itself, or the comparison has no effect",
            "print both sides for one order: which line computes each, and what happens to the verdict?",
        ),
    )
    yield Trial(
        "a function whose results differ by 0.5 to 1 in every order",
        trials.changed(trials.unlike(1)),
        False,
        Cause(
            "differences.tolerance_too_wide",
            "the tolerance is so wide that nearly everything counts as equal",
            "use `atol`, which is 0.000001 by default",
        ),
    )


def _signs(trials: Trials) -> Diagnosis | None:
    more, less = (trials.says(trials.changed(number)) for number in (1.0, -1.0))
    one_more, one_less = (trials.says(trials.changed(trials.at((1, 2, number)))) for number in (1e3, -1e3))
    if one_more != one_less and trials.says(trials.changed(_middle(trials))) and trials.says(trials.changed(-_middle(trials))):
        return Diagnosis(
            f"one number, neither the largest nor the smallest, that differs by 0.01 {OTHERS}: your test says True",
            "False",
            Cause("differences.only_few_numbers_compared", "only a few numbers of each result are compared, such as the largest", EACH),
        )
    late = "the sign matters: results that are {} go unnoticed, so the absolute value is missing or is taken too late"
    for larger, smaller, what, size in ((more, less, "in all numbers", 1), (one_more, one_less, "in only one number", 1000)):
        if larger is not None and smaller is not None and larger != smaller:
            hidden, found = ("smaller", "larger") if smaller else ("larger", "smaller")
            return Diagnosis(
                f"results that are {size} {hidden} {what}, {OTHERS}: your test says True; if they are {size} {found}: False",
                "False for both",
                Cause("differences.absolute_value_missing", late.format(hidden), ABSOLUTE),
            )
    if more and less:
        return Diagnosis(
            f"results that are 1 larger in all numbers, {OTHERS}: your test says True",
            "False",
            Cause("differences.common_shift_unseen", "your comparison does not notice when all numbers grow by the same amount", EACH),
        )
    return None


def _middle(trials: Trials) -> np.ndarray:
    """A change of 0.01 for the number in the middle of all: it stays between the same two."""
    return 0.01 * (trials.base == np.sort(trials.base, axis=None)[trials.base.size // 2])


def _cancelling(trials: Trials) -> Iterator[Trial]:
    keeps, own = trials.keeping(), trials.own

    def exchanged(order: tuple[int, ...]) -> np.ndarray:
        result = keeps(order)
        return result if order == own else np.concatenate([result[1::-1], result[2:]])

    each = "compare all numbers that f returns, not their sum or mean" if trials.pooled else ABSOLUTE
    added = "differences that cancel out go unnoticed: only sums or means are compared"
    numbers = "two numbers" if trials.pooled else "the numbers of one row"
    yield Trial(
        f"one number 1000 larger and another {'' if trials.pooled else 'of the same column '}1000 smaller, {OTHERS}",
        trials.changed(trials.at((0, 0, 1e3), (1, 0, -1e3))),
        False,
        Cause("differences.only_sums_compared", added, each),
    )
    yield Trial(
        f"{'two numbers' if trials.pooled else 'two rows'} swapped {OTHERS}",
        exchanged,
        False,
        Cause(
            "differences.places_ignored",
            "the same numbers in different places count as equal: both sides are sorted, or compared as sets",
            EACH,
        ),
    )
    yield Trial(
        f"one number 1000 larger and another of the same row 1000 smaller, {OTHERS}",
        trials.changed(trials.at((0, 0, 1e3), (0, 1, -1e3))),
        False,
        Cause("differences.only_sums_compared", added, each),
    )
    yield Trial(
        f"{numbers} with the opposite sign, {OTHERS}",
        trials.changed(lambda order: -2 * keeps(order)),
        False,
        Cause("differences.signs_ignored", "only the sizes of the numbers are compared, not their signs", EACH),
    )


def _places(trials: Trials) -> Diagnosis | None:
    """Rows and columns that are not compared: nothing that happens there is seen."""
    for axis, name in ((0, "row"), (1, "column")):
        if trials.pooled and axis == 1:
            break
        blind = []
        for place in range(trials.base.shape[axis]):
            change = np.zeros_like(trials.base)
            change[(place,) if axis == 0 else (slice(None), place)] = 1e3
            if trials.says(trials.changed(change)) and trials.says(trials.changed(-change)):
                blind.append(place)
        if len(blind) == trials.base.shape[axis] and trials.says(trials.changed(np.full_like(trials.base, 1e3))) is False:
            return Diagnosis(
                f"results that differ by 1000 in a single {'number' if trials.pooled else name}, whichever it is: your test says True",
                "False",
                Cause(
                    "differences.one_equal_number_is_enough",
                    f"a difference in a single {'number' if trials.pooled else name} goes unnoticed, one in all of them does not",
                    "all numbers have to agree: `.all()`, where `.any()` or a mean is content with less",
                ),
            )
        if blind:
            what = "number" if trials.pooled else name
            listed = f"{what} {blind[0]}" if len(blind) == 1 else f"{what}s {', '.join(map(str, blind))}"
            return Diagnosis(
                f"results that differ by 1000 in {listed}, {OTHERS}: your test says True",
                "False",
                Cause(
                    "differences.only_part_compared",
                    f"only part of each result is compared: differences in {listed} go unnoticed",
                    "compare all rows and all columns",
                ),
            )
    return None


def _single_orders(trials: Trials) -> Diagnosis | None:
    """What counts when a single order shows a difference."""
    others = trials.silent.others
    if trials.silent.says is not True or len(others) < 3:
        return None
    tried = [others[0], others[len(others) // 2], others[-1]]
    hidden = [bool(trials.says(trials.changed(trials.unlike(1e3), {order}))) for order in tried]
    if not any(hidden):
        return None
    what, expected = "a function that breaks the rule in only one order: your test says", "False: one order that disagrees is enough"
    stop = "return False at the first order that does not agree"
    if hidden == [True, True, False]:
        return Diagnosis(
            f"{what} False only if that is the last one",
            expected,
            Cause("differences.last_order_decides", "the last order decides: each round overwrites the verdict of the rounds before", stop),
        )
    if hidden == [False, True, True]:
        return Diagnosis(
            f"{what} False only if that is the first one",
            expected,
            Cause("differences.first_order_decides", "the first other order decides, whatever the rest give", f"{stop}, and True after the loop"),
        )
    if all(hidden):
        return Diagnosis(
            f"{what} True", expected, Cause("differences.one_disagreement_not_enough", "for your test, one order that disagrees is not enough", stop)
        )
    return Diagnosis(f"{what} True for some of these orders", expected, unknown("differences.some_orders_ignored", LOOP))


def too_narrow(trials: Trials) -> Iterator[Trial]:
    """Differences that atol allows."""
    what = "results that differ by"
    zeros = np.zeros_like(trials.base)
    yield Trial(
        f"{what} 0.000000000001",
        trials.changed(trials.unlike(1e-12)),
        True,
        Cause(
            "differences.exact_comparison",
            "the numbers are compared exactly, but a sum taken in another order may differ in its last digits",
            USE,
        ),
    )
    if trials.says(trials.changed(trials.unlike(1e-7), base=zeros)) is False:
        yield Trial(
            f"{what} 0.0000001, with atol=0.000001",
            trials.changed(trials.unlike(1e-7)),
            True,
            Cause("differences.tolerance_below_atol", "your tolerance is smaller than `atol`", USE),
        )
    is_used = bool(trials.says(trials.changed(trials.unlike(0.01)), atol=10.0))
    other = Cause("differences.compared_otherwise", "`atol` makes a difference, but what is compared with it is not the difference itself", USE)
    yield Trial(
        f"{what} 0.01, with atol=0.1",
        trials.changed(trials.unlike(0.01)),
        True,
        other if is_used else Cause("differences.atol_not_used", f"{IGNORED}: making it larger changes nothing", USE),
        {"atol": 0.1},
    )
    yield Trial(
        "results near 0 that differ by 0.01, with atol=0.1",
        trials.changed(trials.unlike(0.01), base=zeros),
        True,
        Cause("differences.atol_passed_as_rtol", RELATIVE + NAMELESS, "use their names: `rtol=0, atol=atol`"),
        {"atol": 0.1},
    )
    yield Trial(
        "24 numbers that each differ by 0.25, with atol=0.5" if not trials.pooled else "six numbers that each differ by 0.25, with atol=0.5",
        trials.changed(0.25),
        True,
        Cause("differences.differences_summed", "the differences of all numbers are added up, in a sum or a norm", EACH),
        {"atol": 0.5},
    )
    yield Trial(
        "results that differ by exactly 0.5, with atol=0.5",
        trials.changed(0.5),
        True,
        Cause(
            "differences.equal_to_atol_refused",
            "a difference of exactly `atol` counts as different",
            "`atol` is the largest difference that still counts as equal: use `<=`",
        ),
        {"atol": 0.5},
    )
    yield Trial(
        "results that are 0.375 larger than f(x) in some orders and smaller in others, with atol=0.5",
        trials.changed(lambda order: np.array(0.375 if order[0] % 2 else -0.375)),
        True,
        Cause(
            "differences.orders_compared_pairwise",
            "the results of all orders are compared with each other, but two of them may differ by twice `atol`",
            "compare each one with the result for x",
        ),
        {"atol": 0.5},
    )


def too_wide(trials: Trials) -> Iterator[Trial]:
    """Small differences that atol does not allow."""
    near_zero = np.zeros_like(trials.base)
    grows = trials.says(trials.changed(1e-5, base=near_zero)) is False
    yield Trial(
        "results that differ by 0.00001",
        trials.changed(1e-5),
        False,
        Cause(
            "differences.tolerance_above_atol",
            RELATIVE if grows else "the tolerance is wider than `atol`, here 0.000001: it is fixed, or the numbers are rounded",
            NO_RTOL if grows else USE,
        ),
    )
    thousand = trials.changed(1e-4, base=trials.base + 1000)
    alone = trials.says(thousand) and trials.says(trials.changed(0.01, base=near_zero), atol=0.1) is False
    yield Trial(
        "results near 1000 that differ by 0.0001",
        thousand,
        False,
        Cause("differences.relative_tolerance", f"{RELATIVE}{NAMELESS if alone else ''}", NO_RTOL),
    )
    yield Trial(
        "results that differ by 0.0000001, with atol=0.000000001",
        trials.changed(1e-7),
        False,
        Cause("differences.atol_not_used", f"{IGNORED}: making it smaller changes nothing", USE),
        {"atol": 1e-9},
    )
    yield Trial(
        f"results that differ by 1 {OTHERS}, with atol=0.5",
        trials.changed(1.0),
        False,
        Cause(
            "differences.compared_with_mean",
            "the results of all orders are averaged, or compared with their mean, in which x is only one of many",
            "compare each one with the result for x",
        ),
        {"atol": 0.5},
    )
    yield Trial(
        "only one number that differs by 1, with atol=0.5",
        trials.changed(trials.at((1, 2, 1))),
        False,
        Cause("differences.mean_difference_compared", "the mean of all differences is compared, which hides a single large one", EACH),
        {"atol": 0.5},
    )
    if len(trials.silent.others) > 2:
        yield Trial(
            "one order whose results differ by 1, with atol=0.5",
            trials.changed(1.0, {trials.silent.others[1]}),
            False,
            Cause(
                "differences.orders_averaged",
                "the differences of all orders are averaged, which hides a single one",
                "test each order separately: every one has to agree",
            ),
            {"atol": 0.5},
        )


def nan(trials: Trials) -> Iterator[Trial]:
    """Results that are nan."""
    above = "nan is neither above nor below any number: `difference > atol` is False for it, Python's `max` may drop it, and `np.nanmax` skips it"
    ask = "test whether all differences are `<= atol`: for nan, that is False"
    yield Trial(f"a function that returns nan for all numbers, {OTHERS}", trials.changed(np.nan), False, Cause("differences.nan_passes", above, ask))
    yield Trial(
        f"a function that returns nan for one number, {OTHERS}",
        trials.changed(trials.at((1, 2, np.nan))),
        False,
        Cause("differences.nan_passes", above, ask),
    )
    yield Trial(
        "a function that returns nan only for the order of x",
        trials.changed(np.nan, {trials.own}),
        False,
        Cause("differences.nan_passes", above, ask),
    )
    yield Trial(
        "a function that always returns nan",
        trials.keeping(np.full_like(trials.base, np.nan)),
        False,
        Cause(
            "differences.nan_equals_nan",
            "nan counts as equal to nan, as with `equal_nan=True`",
            "nan on either side should count as a difference: in `np.allclose` without `equal_nan`, in `assert_allclose` with `equal_nan=False`",
        ),
    )


def why(test: Trials, says_true: bool = True) -> Diagnosis | None:
    """What is established about a test that gives a wrong verdict: the first thing that it does in another way than its card says.

    Args:
        test: the learner's.
        says_true: whether it says True where it should not; what makes it miss a difference says nothing about a wrong False.
    """
    if not says_true:
        return test.given() or test.refusing() or test.rule() or test.orders(of_false=True) or test.first(too_narrow(test))
    return (
        test.given()
        or test.refusing()
        or test.orders()
        or test.rule()
        or seen(test)
        or test.first(too_narrow(test))
        or test.first(too_wide(test))
        or test.first(nan(test))
    )


def why_it_raises(test: Trials) -> Diagnosis | None:
    """What is established about a test that stops with an exception, by what it gave to f: these tokens, or some with less components."""
    if isinstance(test.silent.error, IndexError) and not test.silent.odd:
        fewer = Trials(test.test, test.pooled, test.x[:, :3]).silent
        if fewer.odd and fewer.odd.tokens == 3:
            return Diagnosis(
                f"f gets {fewer.odd}",
                "all tokens",
                Cause(
                    "differences.columns_for_tokens",
                    "the number of columns is used instead of the number of tokens: of four tokens with three components, f gets three",
                    "`x.shape` is (T, k): the tokens are the rows",
                ),
            )
    if found := test.given():
        return found
    if isinstance(test.silent.error, ValueError) and (square := Trials(test.test, test.pooled, test.x[:, :4]).given()):
        return square.with_cause(replace(square.cause, words=f"it does run with as many components as tokens, and there {square.cause.words}"))
    return test.rule() if isinstance(test.silent.error, (ValueError, IndexError)) else None
