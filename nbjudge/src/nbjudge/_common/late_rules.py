"""What a late hand-in costs, in words that an instructor writes: `10% a day, at most 50%, grace 15 minutes`."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import timedelta

AMOUNT = r"(?P<amount>\d+(?:[.,]\d+)?)"
UNITS = {"minute": timedelta(minutes=1), "hour": timedelta(hours=1), "day": timedelta(days=1), "week": timedelta(weeks=1)}
KIND = r"(?P<kind>%|percent|points?|pts?)"
TIME = rf"{AMOUNT} ?(?P<unit>min(?:ute)?s?|h|(?:hr|hour|day|week)s?)"
TAKEN = re.compile(
    rf"{AMOUNT} ?{KIND}(?P<earned> of (?:the )?(?:earned(?: points)?|score))?(?: of (?:the )?(?:points possible|maximum))?"
    r"(?: ?(?:a|an|per|each|every|/) ?(?P<each>hour|day|week)| (?P<daily>daily))?(?: late)?"
)
MOST = re.compile(rf"(?:at most|max(?:imum)?|up to) {AMOUNT} ?{KIND}")
GRACE = re.compile(rf"(?:grace(?: period)?(?: of)? {TIME}|{TIME.replace('amount', 'amount2').replace('unit', 'unit2')} grace(?: period)?)")
CLOSED = re.compile(rf"(?:closed|not accepted|zero|nothing) after {TIME}")
MOST_TIME = re.compile(rf"(?:at most|max(?:imum)?|up to|no later than) {TIME}")
KNOWN = """none                    late, and nothing is taken off
not accepted            late hand-ins have no points; `zero` is the same
10% a day               of the points possible, for each day that has begun; `an hour` and `a week` go, too
10% of earned a day     of the points that the student has
2 points a day          the same in points
10%                     once, however late; `2 points` the same
and behind a comma, besides:
at most 50%             no more is taken off; `at most 5 points` the same
closed after 3 days     whatever comes later has no points
grace 15 minutes        so much later is not late; time counts from the end of it"""


@dataclass(frozen=True)
class LateRule:
    """A late rule. `each` is None where something is taken off once; `closed` is None where hand-ins are accepted for ever.

    Attributes:
        text: as it was written.
        amount: points, or parts of 100.
        most: the most that is taken off, as a number and whether it is in parts of 100 of the points possible.
        closed: from which lateness on there are no points.
    """

    text: str
    amount: float = 0.0
    is_percent: bool = False
    of_earned: bool = False
    each: timedelta | None = None
    most: tuple[float, bool] | None = None
    grace: timedelta = timedelta(0)
    closed: timedelta | None = None

    def penalty(self, earned: float, possible: float, late: timedelta) -> float:
        """The points that are taken off: never more than were earned, never less than 0.

        Args:
            earned: the points before the penalty.
            possible: those of the assignment.
            late: how long after the student's due date it was handed in.
        """
        beyond = late - self.grace
        if beyond <= timedelta(0) or earned <= 0:
            return 0.0
        if self.closed is not None and beyond > self.closed:
            return earned
        times = math.ceil(beyond / self.each) if self.each else 1
        taken = times * self.amount
        if self.is_percent:
            taken *= (earned if self.of_earned else possible) / 100
        if self.most is not None:
            amount, is_percent = self.most
            taken = min(taken, amount * possible / 100 if is_percent else amount)
        return min(max(0.0, round(taken, 6)), earned)


def parse_rule(text: str) -> LateRule:
    """The rule that a text is.

    Raises:
        ValueError: it is none; the message says what is wrong.
    """
    rule: dict[str, object] = {}
    parts = [part.strip() for part in re.split(r"(?<!\d),|,(?!\d)|\band\b", " ".join(text.lower().split())) if part.strip()]
    if not parts:
        raise ValueError("it is empty")
    for part in parts:
        found = _part(part)
        if twice := found.keys() & rule.keys():
            raise ValueError(f"`{part[:40]}` says {twice.pop()} a second time")
        rule.update(found)
    rule.pop("said", None)
    closed = rule.get("closed")
    if "amount" not in rule and closed is None:
        raise ValueError("it does not say what is taken off")
    if "most" in rule and not rule.get("amount"):
        raise ValueError("`at most` goes with something that is taken off")
    return LateRule(text, **rule)  # type: ignore[arg-type]


def is_part_of_rule(text: str) -> bool:
    """Whether a text is one of the parts of a rule, as where a comma in it has made two cells of one."""
    try:
        return bool(_part(text.lower().strip()))
    except ValueError:
        return False


def _part(part: str) -> dict[str, object]:
    if part in ("none", "no penalty"):
        return {"amount": 0.0}
    if part in ("not accepted", "zero", "no points"):
        return {"closed": timedelta(0)}
    if match := TAKEN.fullmatch(part):
        amount, is_percent = _number(match["amount"]), _is_percent(match["kind"])
        if is_percent and amount > 100:
            raise ValueError(f"`{part[:40]}` is more than all points")
        if match["earned"] and not is_percent:
            raise ValueError(f"`{part[:40]}`: points are taken off as they are; of the earned points there are only parts, such as 10%")
        each = UNITS["day"] if match["daily"] else UNITS[match["each"]] if match["each"] else None
        return {"amount": amount, "is_percent": is_percent, "of_earned": bool(match["earned"]), "each": each}
    if match := MOST.fullmatch(part):
        return {"most": (_number(match["amount"]), _is_percent(match["kind"]))}
    if match := GRACE.fullmatch(part):
        return {"grace": _time(match["amount"] or match["amount2"], match["unit"] or match["unit2"])}
    if match := CLOSED.fullmatch(part):
        return {"closed": _time(match["amount"], match["unit"])}
    if match := MOST_TIME.fullmatch(part):
        time = f"{match['amount']} {match['unit']}"
        raise ValueError(
            f"`{part}` may mean two things: write `at most 50%`, where no more is taken off, or `closed after {time}`, where nothing counts then"
        )
    raise ValueError(f"`{part[:40]}` is no late rule that is known here")


def _number(text: str) -> float:
    return float(text.replace(",", "."))


def _is_percent(kind: str) -> bool:
    return kind in ("%", "percent")


def _time(amount: str, unit: str) -> timedelta:
    return _number(amount) * next(time for name, time in UNITS.items() if name[0] == unit[0])
