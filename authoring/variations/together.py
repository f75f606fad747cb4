"""The same slip in several places at once: who copies a line copies its mistake."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from typing import NamedTuple

from authoring.variations.edits import Edit

MOST = 8  # places at once
_NAMES = re.compile(r"`[^`]*`|\bthe (?:queries|keys|values|query|key|value)\b|\bthe \w+ of axis -?\d")


class Spot(NamedTuple):
    """Where an expression stands, the expression, and what goes wrong there."""

    parent: ast.AST
    field: str
    place: int | None
    node: ast.expr
    edit: Edit


def together(spots: list[Spot]) -> Iterator[tuple[list[Spot], str]]:
    """Slips of the same kind that are made together, with their words: all of a kind, and two of three."""
    kinds: dict[str, list[Spot]] = {}
    for spot in spots:
        kinds.setdefault(_NAMES.sub("·", spot.edit.likely), []).append(spot)
    for words, kind in kinds.items():
        if "the number " in words:  # two wrong numbers at once are no slip of one kind
            continue
        same: dict[str, list[Spot]] = {}
        for spot in kind:
            same.setdefault(spot.edit.likely, []).append(spot)
        groups = [*same.values()]
        if not kind[0].edit.likely.startswith("a line takes"):  # one name for another: those of other names have nothing to do with it
            groups += [kind, *(map(list, itertools.combinations(kind, 2)) if len(kind) == 3 else ())]
        for group in groups:
            if 1 < len(group) <= MOST and not _overlap(group):
                yield group, _words(group)


def _words(group: list[Spot]) -> str:
    first, *others = [spot.edit.likely for spot in group]
    if not (names := list(dict.fromkeys(name for other in others if (name := _differing(first, other))))):
        return f"{first}, in {len(group)} places"
    return f"{first}, and the same with {' and '.join(names)}"


def _differing(first: str, other: str) -> str:
    """The first name in which two texts differ."""
    return next((two for one, two in zip(_NAMES.findall(first), _NAMES.findall(other)) if one != two), "")


def _overlap(group: list[Spot]) -> bool:
    """Whether one expression of a group is a part of another, so that they cannot both be replaced."""
    inside = [{id(part) for part in ast.walk(spot.node)} for spot in group]
    return any(id(one.node) in parts for place, one in enumerate(group) for other, parts in enumerate(inside) if place != other)
