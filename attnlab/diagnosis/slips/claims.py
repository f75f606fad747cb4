"""Which words for a slip fit what the learner wrote: the same numbers come out of lines that have little in common."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from attnlab.diagnosis.text.expressions import called
from attnlab.diagnosis.text.source import cell_of

MOST = 2  # texts that are told
REBOUND = "Rebound"  # a name stands for one thing after another, or what it stands for is written into
ALIKE = [
    {"max", "amax", "nanmax", "maximum", "topk"},
    {"min", "amin", "nanmin"},
    {"sum", "nansum", "fsum"},
    {"view", "reshape", "resize"},
    {"softmax", "softmax_rows", "softmax_cols"},
    {"T", "mT", "transpose", "swapaxes", "permute", "moveaxis", "t"},
]
OPERATORS = {
    "*": {"Mult", "multiply"},
    "/": {"Div", "divide"},
    "//": {"FloorDiv", "floor_divide"},
    "+": {"Add", "add"},
    "%": {"Mod", "mod"},
    "-": {"Sub", "USub", "subtract", "negative"},
    "**": {"Pow", "power", "pow", "square", "sqrt"},
    "@": {"MatMult", "matmul", "dot", "inner", "einsum", "mm", "bmm", "mv", "outer", "tensordot", "vdot"},
}


@dataclass(frozen=True)
class Words:
    """What a slip is said to be, as the build wrote it: `authoring/variations`.

    Attributes:
        id: the kind of slip.
        words: for the learner.
        next: the next step.
        claims: what stands in the learner's lines if the words are true of them: of each set, one.
    """

    id: str
    words: str
    next: str
    claims: tuple[frozenset[str], ...] = ()


def words_for(said: list[Words], answer: Any) -> tuple[list[Words], bool]:
    """Those of several words for a slip that fit an answer's text, and whether any does; where none does, the first.

    Args:
        said: what the slip is.
        answer: the learner's function or class.
    """
    found = _found_in(answer)
    fitting = [one for one in said if not found or all(claim & found for claim in one.claims)]  # a grader has no text
    shown = [one for one in fitting if found and one.claims]
    return (shown or fitting or said)[:MOST], bool(fitting)


def _found_in(answer: Any) -> set[str]:
    """What stands in an answer's cell: names, numbers, and kinds of syntax; nothing where the text is not to be had."""
    tree = cell_of(answer)
    if not tree.body:
        return set()
    found, sources = {REBOUND} if _has_rebound(tree) else set(), _sources(tree)
    for node in ast.walk(tree):
        found.add(type(node).__name__)
        found.update(
            f"{one} @ {other}"
            for sides in _products(node)
            for left, right in itertools.permutations(sides, 2)
            for one in _names(left, sources)
            for other in _names(right, sources)
        )
        match node:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.Attribute(attr=name):
                found.add(name)
            case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                found.add(f"{number:g}")
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
                found.update({f"{-number:g}", "USub"})
            case ast.Call():
                found.update(_calls(node))
    return found


def _has_rebound(tree: ast.AST) -> bool:
    """Whether a function binds a name, or an argument, once more, or writes into something."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        nodes = [*ast.walk(function)]
        bound = [node.arg for node in nodes if isinstance(node, ast.arg)]
        bound += [node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
        writes = any(
            isinstance(node, ast.AugAssign)
            or (isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store))
            or (isinstance(node, ast.Attribute) and node.attr.endswith("_") and not node.attr.endswith("__") and "init" not in ast.unparse(node))
            or (isinstance(node, ast.keyword) and node.arg == "out")
            for node in nodes
        )
        if writes or len(bound) > len(set(bound)):
            return True
    return False


def _calls(node: ast.Call) -> Iterator[str]:
    """How a function is called: `sum()` without an axis, `sum(axis)` with one, `sum(squeezed)` without one that is kept."""
    method = isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value).partition(".")[0] not in ("np", "numpy", "torch", "F")
    given = {keyword.arg: keyword.value for keyword in node.keywords}
    if len(node.args) > (0 if method else 1):
        given.setdefault("axis", node.args[0 if method else 1])
    axis = given.get("axis", given.get("dim"))
    if isinstance(axis, ast.Constant) and axis.value is None:
        axis = None
    for name in alike(called(node)):
        yield f"{name}(axis)" if axis is not None else f"{name}()"
        if axis is not None and isinstance(number := _literal(axis), int):
            yield f"{name}(axis={number})"
        if axis is not None and not {"keepdims", "keepdim"} & given.keys():
            yield f"{name}(squeezed)"


def _literal(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError):
        return None


def alike(name: str) -> set[str]:
    """The functions that do the same as this one, and itself."""
    return next((alike for alike in ALIKE if name in alike), {name})


def _products(node: ast.AST) -> Iterator[list[ast.expr]]:
    """The factors of a product of matrices, or what a function gets that may make one."""
    match node:
        case ast.BinOp(op=ast.MatMult(), left=left, right=right):
            yield [left, right]
        case ast.Call(func=ast.Attribute(value=value, attr=name), args=args) if name in OPERATORS["@"]:
            yield [value, *args]


def _names(node: ast.expr, sources: dict[str, str]) -> set[str]:
    """The names in an expression, each with the one that it is a part of."""
    names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    return names | {sources[name] for name in names if name in sources}


def _sources(tree: ast.AST) -> dict[str, str]:
    """Of each name that is made from one other alone, such as a row or a transpose, that other."""
    sources: dict[str, str] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[target], value=value) | ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                of = {part.id for part in ast.walk(value) if isinstance(part, ast.Name)} - {"np", "torch", "range", "len", "enumerate", "zip"}
                if len(of) == 1:
                    sources |= {part.id: next(iter(of)) for part in ast.walk(target) if isinstance(part, ast.Name)}
    return sources
