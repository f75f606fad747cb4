"""What a rubric's items come to, and how they are read from what people type and from a marking scheme."""

from __future__ import annotations

import pytest

from nbjudge._by_question.rubric import Item, Rubric, proposed, read_comment, read_label, read_points
from nbjudge._wire.errors import CannotGrade

ITEMS = (Item("a", "the reason", 1.0), Item("b", "the order", 1.5), Item("c", "no example", -0.5))


@pytest.mark.parametrize(
    ("from_most", "chosen", "adjustment", "total"),
    [
        (False, [], 0, 0),
        (False, ["a"], 0, 1),
        (False, ["a", "c"], 0, 0.5),
        (False, ["a", "b"], 0, 2),  # 2.5, and there are 2
        (False, ["c"], 0, 0),  # -0.5
        (True, [], 0, 2),
        (True, ["c"], -0.25, 1.25),
        (False, ["a", "gone"], 0.1 + 0.2, 1.3),
    ],
)
def test_a_total_stays_between_nothing_and_all(from_most: bool, chosen: list[str], adjustment: float, total: float) -> None:
    assert Rubric("r", from_most, ITEMS).total(chosen, adjustment, 2) == total


def test_a_student_reads_the_items_in_the_rubrics_order() -> None:
    assert Rubric("r", False, ITEMS).said(["c", "a"], -0.25) == "- the reason (+1)\n- no example (−0.5)\n- Adjustment (−0.25)"


@pytest.mark.parametrize(("typed", "points"), [("1", 1), (" 0,5 ", 0.5), ("−0.5", -0.5), ("+1", 1), (0.25, 0.25), ("1e0", 1)])
def test_points_are_read_as_people_type_them(typed: object, points: float) -> None:
    assert read_points(typed, "the item's points", 2) == points


@pytest.mark.parametrize("typed", ["", "two", "NaN", "inf", "-inf", "1e999", None, True, [], "2.5", "-3", "1 2", "<b>"])
def test_what_is_no_number_of_points_is_refused(typed: object) -> None:
    with pytest.raises(CannotGrade, match=r"the item's points: .* Next: "):
        read_points(typed, "the item's points", 2)


def test_words_are_kept_on_one_line_and_have_a_limit() -> None:
    assert read_label(" a\r\n b\0\ud800 ") == "a b?"
    for wrong in ("", " \n", None, 3, "x" * 301):
        with pytest.raises(CannotGrade):
            read_label(wrong)
    assert read_comment("two\r\nlines\n") == "two\nlines"
    with pytest.raises(CannotGrade):
        read_comment("x" * 20_001)


COURSE = """**Model answer.** (a) Both are looked up in the same row.
**Marking scheme.** One point each, half points allowed.
(a) 1: same vector, *and* nothing else enters; half for "same vector" alone.
(b) 1: yes, with a reason (a sum, or: positions do not enter). 0 for "no".
Take off nothing for language."""


@pytest.mark.parametrize(
    ("scheme", "most", "found"),
    [
        (COURSE, 2, [("(a) same vector, *and* nothing else enters", 1), ("(b) yes, with a reason (a sum, or: positions do not enter)", 1)]),
        (COURSE, 3, []),  # a line is not understood
        ("- 2 points: the formula\n- 0,5 pt: the unit", 2.5, [("the formula", 2), ("the unit", 0.5)]),
        ("Full marks for a proof.", 2, []),
        ("1: a\n-1: b\n2: c", 2, []),
        ("Published in 2017: attention", 2017, []),
        ("", 0, []),
    ],
)
def test_a_marking_scheme_gives_items_where_it_is_certain(scheme: str, most: float, found: list[tuple[str, float]]) -> None:
    assert proposed(scheme, most) == found
