"""A rubric: items with points, what they come to, what a student reads of them, and how they are read from people's input."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from nbjudge._nbgrader.feedback import number
from nbjudge._wire.errors import CannotGrade

MOST_LABEL, MOST_COMMENT, MOST_ITEMS = 300, 20_000, 100  # letters; items
CLOSE = 1e-9
LINE = re.compile(
    r"\s{0,3}(?:[-*+]\s+)?(?P<part>\(\w{1,3}\)\s*)?(?P<points>[-+−–]?\d{1,4}(?:[.,]\d{1,4})?)\s*(?:points?|pts?\.?|marks?)?\s*:\s+(?P<label>\S.*)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Item:
    """A line of a rubric: `points` are added to what an answer begins with, and may be negative."""

    id: str
    label: str
    points: float


@dataclass(frozen=True)
class Rubric:
    """The items of a question, and whether an answer begins with all points (`from_most`) or with none."""

    id: str
    from_most: bool
    items: tuple[Item, ...]

    def chosen(self, ids: Iterable[str]) -> list[Item]:
        """Those of `ids`, in the rubric's order."""
        wanted = set(ids)
        return [item for item in self.items if item.id in wanted]

    def sum(self, ids: Iterable[str], adjustment: float, most: float) -> float:
        """What an answer comes to, before it is kept between 0 and `most`."""
        return round((most if self.from_most else 0.0) + sum(item.points for item in self.chosen(ids)) + adjustment, 6)

    def total(self, ids: Iterable[str], adjustment: float, most: float) -> float:
        """The points of an answer."""
        return min(max(self.sum(ids, adjustment, most), 0.0), most)

    def said(self, ids: Iterable[str], adjustment: float) -> str:
        """What the student reads: a list in Markdown."""
        lines = [f"- {item.label} ({signed(item.points)})" for item in self.chosen(ids)]
        return "\n".join([*lines, *([f"- Adjustment ({signed(adjustment)})"] if adjustment else [])])


def signed(points: float) -> str:
    """Points with their sign."""
    return f"{'−' if points < 0 else '+'}{number(abs(points))}"


def same(one: float | None, other: float | None) -> bool:
    """Whether two scores are the same number."""
    return one is other if one is None or other is None else abs(one - other) < CLOSE


def read_points(given: Any, what: str, most: float, least: float | None = None) -> float:
    """Points that somebody typed.

    Args:
        what: of which thing, in the sentence that refuses it.
        most: how many there can be.
        least: the fewest; `-most` by default.

    Raises:
        CannotGrade: it is no number, or beyond what the question is worth.
    """
    try:
        points = math.nan if isinstance(given, bool) else float(str(given).strip().replace(",", ".").replace("−", "-"))
    except ValueError:
        points = math.nan
    least = -most if least is None else least
    if not math.isfinite(points):
        raise CannotGrade(f"{what}: {str(given)[:40]!r} is not a number", "write points such as 1, 0.5 or -0.5")
    if not least - CLOSE <= points <= most + CLOSE:
        raise CannotGrade(
            f"{what}: {number(points)} is not between {number(least)} and {number(most)}, which is what the question is worth", "write fewer points"
        )
    return round(points, 6)


def read_label(given: Any) -> str:
    """The words of an item, on one line.

    Raises:
        CannotGrade: there are none, or too many.
    """
    label = " ".join(read_text(given).split())
    if not label:
        raise CannotGrade("an item needs words that say what it is for", "write them, then save again")
    if len(label) > MOST_LABEL:
        raise CannotGrade(f"the words of an item are {len(label)} letters, and {MOST_LABEL} is the most", "say it shorter, or write a comment")
    return label


def read_comment(given: Any) -> str:
    """A comment for one student.

    Raises:
        CannotGrade: it is too long.
    """
    comment = read_text(given).strip()
    if len(comment) > MOST_COMMENT:
        raise CannotGrade(f"the comment has {len(comment)} letters, and {MOST_COMMENT} is the most", "make it shorter")
    return comment


def read_text(given: Any) -> str:
    """A text as every database keeps it: no letter of number 0, no half of a letter."""
    text = given if isinstance(given, str) else ""
    return text.replace("\r\n", "\n").replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def proposed(scheme: str, most: float) -> list[tuple[str, float]]:
    """Labels and points of a marking scheme's lines, such as "(a) 1: the reason" or "2 points: the formula".

    None where that is not certain: where there is no such line, or where the points do not come to what the question is worth.
    """
    found = []
    for line in scheme.splitlines():
        if (parts := LINE.fullmatch(line.strip())) is not None:
            label = re.split(r";\s|\.\s|\.$", parts["label"], maxsplit=1)[0].strip()
            points = float(re.sub("[−–]", "-", parts["points"]).replace(",", "."))
            found.append((f"{(parts['part'] or '').strip()} {label}".strip()[:MOST_LABEL], points))
    certain = found and all(points > 0 for _, points in found) and same(sum(points for _, points in found), most)
    return found if certain and len(found) <= MOST_ITEMS else []
