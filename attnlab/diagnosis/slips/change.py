"""A change of one or more places in a syntax tree that can be taken back, and what is needed to make one."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from attnlab.diagnosis.cause import enumerated

LONGEST = 50  # characters of code that is shown
BESIDE = 12  # characters of it beside what differs, where it is longer
COMPARE = "what is different then, and why?"
LIBRARIES = {"np", "numpy", "math", "torch", "nn", "F"}
WRAPS = set(
    "resize tile round around abs clip clamp int float floor ceil trunc squeeze detach sorted nan_to_num dropout astype relu tanh ravel flatten "
    "exp log sqrt softmax softmax_rows normalize set unique reversed copy item lower upper strip".split()
)
Place = tuple[Any, Any]  # what holds a part of a tree, and under which field or index


@dataclass
class Change:
    """A change of a syntax tree that can be taken back.

    Attributes:
        kind: of change, for the id of its cause.
        sets: which places get what.
        shown: the expression or statement around the place, for the message; None where `words` says all.
        words: in place of "with this instead of that".
        next: the next step.
        why: what is known if everything is right with this change, told behind that.
    """

    kind: str
    sets: list[tuple[Place, Any]]
    shown: ast.AST | None = None
    words: str = ""
    next: str = COMPARE
    why: str = ""
    before: list[Any] = field(default_factory=list)

    def __enter__(self) -> Change:
        self.before = [held_at(place) for place, _ in self.sets]
        for place, new in self.sets:
            _set(place, new)
        return self

    def __exit__(self, *_: object) -> None:
        for (place, _), old in zip(reversed(self.sets), reversed(self.before)):
            _set(place, old)

    def undoes(self, other: Change) -> bool:
        """Whether this changes what another change, which is made, has put there, or all that is around it."""
        made = [new for _, new in other.sets if isinstance(new, ast.AST)]
        around = {id(node) for place, _ in self.sets if isinstance(held := held_at(place), ast.AST) for node in ast.walk(held)}
        replaced = {id(held_at(place)) for place, _ in self.sets}
        return any(id(new) in around or replaced & {id(part) for part in ast.iter_child_nodes(new)} for new in made)

    def told(self) -> str:
        """What is changed, for a message."""
        if self.words:
            return self.words
        [(place, new)] = self.sets
        old = held_at(place)
        before = ast.unparse(self.shown)
        with self:
            after = ast.unparse(new if self.shown is old else self.shown)
        return in_place_of(after, before, getattr(old, "lineno", 0) or self.shown.lineno)


def in_place_of(after: str, before: str, line: int) -> str:
    """What is changed in a line, of long texts no more than what differs, and some words beside it."""
    if max(len(before), len(after)) > LONGEST:
        before, after = _cut_to_difference(before, after)
    return f"with `{after}` in place of `{before}` in line {line}"


def _cut_to_difference(one: str, other: str) -> tuple[str, str]:
    """Two texts without what is the same at both ends, but for a few words."""
    shortest = min(len(one), len(other))
    begin = next((at for at in range(shortest) if one[at] != other[at]), shortest)
    end = next((at for at in range(shortest - begin) if one[-1 - at] != other[-1 - at]), shortest - begin)
    begin = one.rfind(" ", 0, max(begin - BESIDE, 0)) + 1
    kept = one.find(" ", len(one) - end + BESIDE)
    end = len(one) - kept if kept >= 0 else 0
    before, behind = "… " if begin else "", " …" if end else ""
    return f"{before}{one[begin : len(one) - end]}{behind}", f"{before}{other[begin : len(other) - end]}{behind}"


def held_at(place: Place) -> Any:
    holder, key = place
    return holder[key] if isinstance(holder, list) else getattr(holder, key)


def _set(place: Place, value: Any) -> None:
    holder, key = place
    if isinstance(holder, list):
        holder[key] = value
    else:
        setattr(holder, key, value)


def places_in(tree: ast.AST) -> Iterator[tuple[ast.AST, Place]]:
    """Every place below a node, with the node that it is a part of."""
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            for key, node in enumerate(value) if isinstance(value, list) else [(name, value)]:
                if isinstance(node, ast.AST):
                    yield parent, (value if isinstance(value, list) else parent, key)


class Nodes:
    """All places of a tree that hold an expression or a statement, and what stands around each."""

    def __init__(self, tree: ast.Module):
        self.parents = {id(held_at(place)): parent for parent, place in places_in(tree)}
        self.places = [place for _, place in places_in(tree) if isinstance(held_at(place), (ast.expr, ast.stmt))]

    def chosen_axis(self, node: ast.AST) -> str:
        """The parameter of the function around a node that chooses an axis; "" where there is none."""
        while not isinstance(node, (ast.FunctionDef, type(None))):
            node = self.parents.get(id(node))
        names = [one.arg for one in node.args.args] if node else []
        return next((name for name in names if name in ("axis", "dim")), "")

    def around(self, node: ast.AST) -> ast.AST:
        """The largest expression around a node that is short enough to be shown."""
        while True:
            parent = self.parents.get(id(node))
            parent = self.parents.get(id(parent)) if isinstance(parent, (ast.keyword, ast.Slice, ast.comprehension)) else parent
            if not isinstance(parent, ast.expr) or len(ast.unparse(parent)) > LONGEST:
                argument = self.parents.get(id(node))
                return argument if isinstance(argument, ast.keyword) else node
            node = parent


def swap(kind: str, place: Place, new: ast.AST, nodes: Nodes) -> Change:
    old = held_at(place)
    return Change(kind, [(place, located(new, old))], nodes.around(old))


def located(new: ast.AST, old: ast.AST) -> ast.AST:
    return ast.fix_missing_locations(ast.copy_location(new, old))


def lines_of(places: Iterable[Place]) -> str:
    """Where places stand: "line 4", "lines 3 and 4"."""
    numbers = sorted({getattr(held_at(place), "lineno", 0) or place[0].lineno for place in places})
    return f"{'line' if len(numbers) == 1 else 'lines'} {enumerated(numbers)}"


def short(node: ast.AST) -> str:
    text = ast.unparse(node).splitlines()[0]
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
