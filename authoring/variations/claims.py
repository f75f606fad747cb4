"""What stands in a learner's lines when words for a slip are true of them: said where the words are made, read by `attnlab/diagnosis/slips`."""

from __future__ import annotations

import ast

from attnlab.diagnosis.slips.claims import OPERATORS, REBOUND, alike

Claims = frozenset[frozenset[str]]  # of each set, one stands there
NOTHING: Claims = frozenset()
SIGNS: dict[type, str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.USub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
}


def one_of(*tokens: str, calls: str = "") -> Claims:
    """One of several names, numbers or kinds of syntax, or of the functions that do the same as `calls`."""
    return frozenset({frozenset(tokens) | (alike(calls) if calls else set())})


def function(name: str) -> Claims:
    """A function, or one that does the same."""
    return one_of(calls=name)


def sign(*operators: ast.AST | type) -> Claims:
    """One of these operators, or a function in its place."""
    return one_of(*(token for one in operators for token in OPERATORS[SIGNS[one if isinstance(one, type) else type(one)]]))


def signs_in(node: ast.AST) -> Claims:
    """All operators of an expression that has no more words than these."""
    return NOTHING.union(*(sign(part) for part in ast.walk(node) if type(part) in SIGNS))


def without_axis(name: str) -> Claims:
    """A call that names no axis."""
    return one_of(f"{name}()")


def squeezed(name: str) -> Claims:
    """A call along an axis that is not kept."""
    return one_of(f"{name}(squeezed)")


def along(name: str, axis: int) -> Claims:
    """A call along an axis: this one, or one that a variable says."""
    return one_of(f"{name}(axis)") | one_of(f"{name}(axis={axis})", "axis", "dim")


def number(value: float) -> Claims:
    """A number, with its sign."""
    return one_of(f"{value:g}")


def product_of(left: str, right: str) -> Claims:
    """A product of matrices that have these two names."""
    return one_of(f"{left} @ {right}")


COMPARISON = one_of("Lt", "LtE", "Gt", "GtE", "Eq", "NotEq")
LOOP = one_of("For", "While", "comprehension")
SHAPE = one_of("shape", "size", "len")
REBINDS = one_of(REBOUND)
