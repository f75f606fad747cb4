"""`parameter_count`: the rule by which an answer counts, found from its counts for a few sizes."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.evidence import Evidence
from attnlab.reference import Case

Term = tuple[int, int]  # the exponents of k and of heads
Rule = dict[Any, int]
SIZES = [(12, 2), (12, 3), (24, 4), (30, 5), (60, 6), (20, 10)]
CARD: dict[str, Rule] = {"narrow": {(2, 0): 4, (1, 0): 1}, "wide": {(2, 1): 4, (1, 0): 1}}  # the sum of the card's shapes
TERMS: list[Term] = [(2, 0), (2, 1), (1, 0), (1, 1), (2, -1), (2, 2), (2, -2), (1, -1), (1, 2), (0, 1), (0, 0)]
POWERS = ("heads^k", "k·heads^k", "k^heads", "k²·heads^k")
MOST = 24


def probe_count(evidence: Evidence, case: Case) -> Cause | None:
    """What an answer counts for the variant of a case, term by term."""
    variant = case.arguments[2]
    counts = [evidence.ask_with(k, heads, variant) for k, heads in SIZES]
    rule = _rule(counts) if all(type(count) is int for count in counts) else None
    if rule is None or rule == CARD.get(variant):
        return None
    also = next((f", which the card has for {other!r}" for other, one in CARD.items() if one == rule), "")
    return Cause(
        "counted.wrong_terms_counted",
        f"for {variant!r}, your code counts {_words(rule)}{also}: {_difference(rule, CARD[variant])}",
        "a layer from n to m numbers has n·m weights, and m biases if it has any: write that down for each of the four layers",
    )


def _difference(rule: Rule, card: Rule) -> str:
    """What is too much and what is missing."""
    off = {term: rule.get(term, 0) - card.get(term, 0) for term in {**rule, **card}}
    parts = [
        f"{_words({term: abs(number) for term, number in off.items() if (number > 0) == many and number})} too {word}"
        for many, word in ((True, "many"), (False, "few"))
        if any(number and (number > 0) == many for number in off.values())
    ]
    return " and ".join(parts)


def _rule(counts: list[int]) -> Rule | None:
    """The one rule with the fewest terms and whole factors that gives these counts; None where there is none, or several."""
    for size in range(1, 5):
        choices = itertools.combinations(TERMS, size) if size > 2 else itertools.combinations([*TERMS, *POWERS], size)
        found = [rule for terms in choices if (rule := _fitted(terms, counts))]
        if found:
            return found[0] if len(found) == 1 else None
    return None


def _fitted(terms: tuple[Any, ...], counts: list[int]) -> Rule | None:
    """Whole factors of these terms that give all counts."""
    rows = [[_value(term, k, heads) for term in terms] + [Fraction(count)] for (k, heads), count in zip(SIZES, counts)]
    for column in range(len(terms)):
        pivot = next((row for row in rows[column:] if row[column]), None)
        if pivot is None:
            return None
        rows.remove(pivot)
        rows.insert(column, [one / pivot[column] for one in pivot])
        for place, row in enumerate(rows):
            if place != column:
                rows[place] = [one - row[column] * other for one, other in zip(row, rows[column])]
    factors = [rows[place][-1] for place in range(len(terms))]
    if any(row[-1] for row in rows[len(terms) :]) or any(factor.denominator > 1 or not 0 < abs(factor) <= MOST for factor in factors):
        return None
    return {term: int(factor) for term, factor in zip(terms, factors)}


def _value(term: Any, k: int, heads: int) -> Fraction:
    if isinstance(term, tuple):
        return Fraction(k) ** term[0] * Fraction(heads) ** term[1]
    return Fraction({"heads^k": heads**k, "k·heads^k": k * heads**k, "k^heads": k**heads, "k²·heads^k": k * k * heads**k}[term])


def _words(rule: Rule) -> str:
    """A rule as one writes it: 3·heads·k² + k."""
    told = ""
    for term, factor in sorted(rule.items(), key=lambda item: item[0] if isinstance(item[0], tuple) else (9, 9), reverse=True):
        name = _name(term)
        one = f"{abs(factor)}·{name}" if name and abs(factor) != 1 else name or str(abs(factor))
        told += (" − " if factor < 0 else " + ") + one if told else ("−" if factor < 0 else "") + one
    return told


def _name(term: Any) -> str:
    if not isinstance(term, tuple):
        return str(term)
    marks = {1: "", 2: "²"}
    above = [f"{name}{marks[exponent]}" for name, exponent in (("heads", term[1]), ("k", term[0])) if exponent > 0]
    below = f"/heads{marks[-term[1]]}" if term[1] < 0 else ""
    return "·".join(above) + below
