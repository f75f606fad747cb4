"""Who fell, who rose and who stopped handing in, measured against the class."""

from __future__ import annotations

import pytest

from nbjudge._report.model import Trend
from nbjudge._report.trend import MUCH, trend

CLASS = {f"s{place}": share for place, share in enumerate((0.5, 0.6, 0.7, 0.8, 0.9))}
NAMES = ("a", "b", "c", "d")
EVERYBODY = {name: {*CLASS, "one"} for name in NAMES}


def found(*own: float | None, by_class: tuple[float, ...] = (0, 0, 0, 0), expected: dict[str, set[str]] | None = None) -> Trend:
    """The trend of a class of five who stay as they are, but for what a whole assignment adds to each, and of `one` with these shares."""
    shares = {name: {student: share + added for student, share in CLASS.items()} for name, added in zip(NAMES, by_class)}
    for name, share in zip(NAMES, own):
        if share is not None:
            shares[name]["one"] = share
    return trend(shares, EVERYBODY if expected is None else expected)


def told(*own: float | None, **about: object) -> list[tuple[str, str]]:
    return [(one.student, one.kind) for one in found(*own, **about).moved]


@pytest.mark.parametrize(
    ("own", "kind"),
    [
        ((0.9, 0.9, 0.6, 0.6), "fell"),
        ((0.6, 0.6, 0.9, 0.9), "rose"),
        ((0.9, 0.9, 0.9, 0.7), ""),
        ((0.7, 0.7, 0.7, 0.7), ""),
        ((0.0, 0.0, 0.0, 0.0), ""),
        ((0.9, None, 0.4, 0.4), "fell"),
        ((0.9, 0.9, None, None), "stopped"),
        ((0.9, 0.9, 0.9, None), ""),
        ((None, None, None, None), ""),
        ((None, None, None, 0.1), ""),
        ((0.9, None, None, 0.9), ""),
        ((0.9, None, 0.1, None), ""),
    ],
)
def test_who_changed(own: tuple[float | None, ...], kind: str) -> None:
    assert told(*own) == ([("one", kind)] if kind else [])


def test_a_hard_assignment_is_no_fall_and_an_easy_one_hides_none() -> None:
    assert told(0.9, 0.9, 0.5, 0.5, by_class=(0, 0, -0.4, -0.4)) == []
    assert told(0.5, 0.5, 0.5, 0.5, by_class=(0, 0, 0.1, 0.4)) == [("one", "fell")]


def test_the_limit_itself_counts() -> None:
    """Without `one` among them the medians are 0.7; with `one` at its own shares they move, so this class has five more at 0.7."""
    shares = {name: {**{f"m{place}": 0.7 for place in range(9)}, "one": own} for name, own in zip(NAMES, (0.9, 0.9, 0.9 - MUCH, 0.9 - MUCH))}
    [one] = trend(shares, {}).moved
    assert (one.kind, one.shares) == ("fell", (0.9, 0.9, 0.9 - MUCH, 0.9 - MUCH)) and one.by == pytest.approx(-MUCH)
    shares["d"]["one"] += 0.02
    assert trend(shares, {}).moved == ()


def test_nobody_stopped_who_was_not_asked() -> None:
    not_due = {name: set(CLASS) | ({"one"} if name != "d" else set()) for name in NAMES}
    assert told(0.9, 0.9, None, None, expected=not_due) == [], "only c was missed: d is not due for them"
    assert told(0.9, None, None, None, expected=not_due) == [("one", "stopped")]
    assert told(0.9, None, None, None, expected={}) == []


def test_stages_are_quartiles_and_need_five_shares_and_three_assignments() -> None:
    [stage, *_] = found().stages
    assert (stage.assignment, stage.handed_in) == ("a", 5) and (stage.low, stage.middle, stage.high) == pytest.approx((0.6, 0.7, 0.8))
    few = {"a": CLASS, "b": CLASS, "c": dict(list(CLASS.items())[:4])}
    assert trend(few, {}) == Trend() == trend({}, {})
    assert len(trend({**few, "d": CLASS}, {}).stages) == 3, "the one with few is no stage"


def test_who_changed_most_comes_first() -> None:
    shares = {name: {**CLASS, "x": 0.9, "y": 0.9, "z": 0.2} for name in NAMES}
    shares["c"] |= {"x": 0.3, "y": 0.6, "z": 0.9}
    shares["d"] |= {"x": 0.3, "y": 0.6, "z": 0.9}
    assert [(one.student, one.kind) for one in trend(shares, EVERYBODY).moved] == [("x", "fell"), ("y", "fell"), ("z", "rose")]
