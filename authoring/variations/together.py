"""The same slip in several places at once: who copies a line copies its mistake."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from typing import NamedTuple

from authoring.variations.edits import Edit
from authoring.variations.wording import Wording

MOST = 8  # places at once
NEVER = {"number.instead"}  # two wrong numbers at once are no slip of one kind
ONLY_THE_SAME = {"name.instead"}  # a name for another: those of other names have nothing to do with it


class Spot(NamedTuple):
    """Where an expression stands, the expression, and what goes wrong there."""

    parent: ast.AST
    field: str
    place: int | None
    node: ast.expr
    edit: Edit


def together(spots: list[Spot]) -> Iterator[tuple[list[Spot], Wording]]:
    """Slips of the same kind that are made together, with their words: all of a kind, and two of three."""
    kinds: dict[tuple, list[Spot]] = {}
    for spot in spots:
        kinds.setdefault(spot.edit.said.kind, []).append(spot)
    for kind in kinds.values():
        id = kind[0].edit.said.id
        if id in NEVER:
            continue
        same: dict[tuple, list[Spot]] = {}
        for spot in kind:
            same.setdefault(spot.edit.said.terms, []).append(spot)
        groups = [*same.values()]
        if id not in ONLY_THE_SAME:
            groups += [kind, *(map(list, itertools.combinations(kind, 2)) if len(kind) == 3 else ())]
        for group in groups:
            if 1 < len(group) <= MOST and not _overlap(group):
                yield group, _said(group)


def _said(group: list[Spot]) -> Wording:
    first, *others = [spot.edit.said for spot in group]
    if not (names := list(dict.fromkeys(name for other in others if (name := _differing(first, other))))):
        return first.also(f"in {len(group)} places")
    return first.also(f"and the same for {' and '.join(names)}")


def _differing(first: Wording, other: Wording) -> str:
    """The first name in which two slips of a kind differ."""
    return next((two for one, two in zip(first.names, other.names) if one != two), "")


def _overlap(group: list[Spot]) -> bool:
    """Whether one expression of a group is a part of another, so that they cannot both be replaced."""
    inside = [{id(part) for part in ast.walk(spot.node)} for spot in group]
    return any(id(one.node) in parts for place, one in enumerate(group) for other, parts in enumerate(inside) if place != other)
