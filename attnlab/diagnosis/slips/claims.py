"""Which words for a slip fit what the learner wrote: the same numbers come out of lines that have little in common."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Callable, Iterator
from typing import Any

from attnlab.diagnosis.text.expressions import called
from attnlab.diagnosis.text.source import cell_of

MOST = 2  # texts that are told
OTHERWISE = "; in your lines that has another form: look for what comes to the same"
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
COMPARED = {"Lt", "LtE", "Gt", "GtE", "Eq", "NotEq"}
LOOPS = {"For", "While", "comprehension"}
SIGNS = {"times": "*", "plus": "+", "minus": "-", "division": "/"}
THINGS = {"the powers": {"exp", "exp2", "pow", "Pow"}, "the largest scores": ALIKE[0], "the sums of the powers": {*ALIKE[2], "AugAssign"}}


def words_for(words: list[tuple[str, str]], answer: Any) -> tuple[str, str, bool]:
    """Those of several words for a slip that fit an answer's text; with a remark where none does: the words, the next step, whether they fit.

    Args:
        words: what the slip is, each with the next step.
        answer: the learner's function or class.
    """
    found = _found_in(answer)
    claims = {likely: list(_claims(likely)) if found else [] for likely, _ in words}  # a grader has no text
    fitting = [one for one in words if all(claim & found for claim in claims[one[0]])]
    shown = [one for one in fitting if claims[one[0]]]
    told = (shown or fitting or words)[:MOST]
    return "; or ".join(likely for likely, _ in told) + ("" if fitting else OTHERWISE), told[0][1], bool(fitting)


def _found_in(answer: Any) -> set[str]:
    """What stands in an answer's cell: names, numbers, and kinds of syntax; nothing where the text is not to be had."""
    tree = cell_of(answer)
    if not tree.body:
        return set()
    found, sources = set(), _sources(tree)
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


def _calls(node: ast.Call) -> Iterator[str]:
    """How a function is called: `sum()` without an axis, `sum(axis)` with one, `sum(squeezed)` without one that is kept."""
    method = isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value).partition(".")[0] not in ("np", "numpy", "torch", "F")
    given = {keyword.arg: keyword.value for keyword in node.keywords}
    if len(node.args) > (0 if method else 1):
        given.setdefault("axis", node.args[0 if method else 1])
    axis = given.get("axis", given.get("dim"))
    if isinstance(axis, ast.Constant) and axis.value is None:
        axis = None
    for name in _alike(called(node)):
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


def _alike(name: str) -> set[str]:
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


def _claims(text: str) -> Iterator[set[str]]:
    """What has to stand in an answer for a text to speak of it: of each set, one."""
    for pattern, claim in _PATTERNS:
        for found in re.finditer(pattern, text):
            yield from claim(*found.groups())


def _token(token: str) -> Iterator[set[str]]:
    if token in ("<", "<=", ">", ">=", "==", "!="):
        yield COMPARED
    elif token in OPERATORS:
        yield OPERATORS[token]
    elif token.isidentifier():
        yield _alike(token)


def _call(how: str) -> Callable[[str], Iterator[set[str]]]:
    return lambda name: iter([{f"{name}({how})"}])


def _along(name: str, axis: str) -> Iterator[set[str]]:
    """A call along an axis: this one, or one that a variable says."""
    yield {f"{name}(axis)"}
    yield {f"{name}(axis={axis})", "axis", "dim"}


def _number(operator: str | None, number: str) -> Iterator[set[str]]:
    yield {number}
    if operator:
        yield OPERATORS[operator]


def _expression(text: str) -> Iterator[set[str]]:
    """The operators of an expression, which may have `…` in it."""
    yield from (OPERATORS[sign] for sign in re.findall(r"\*\*|//|[@*/+-]", text))


_PATTERNS: list[tuple[str, Callable[..., Iterator[set[str]]]]] = [
    (r"^`([^`]+)` stands where", _token),
    (r"^`(\w+)` has no `(?:axis|dim)`", _call("")),
    (r"^`(\w+)` is called without `keepdim", _call("squeezed")),
    (r"^`(\w+)` (?:always )?runs along axis (-?\d)", _along),
    (r"^`(\w+)` (?:is called on|is applied)", _token),
    (r"(?:comes after|stands inside of|^in a) `(\w+)`", _token),
    (r"^a line takes `(\w{4,})` instead", _token),  # the letters of lengths are the card's
    (r"^`(\w+)\.shape\[", lambda name: iter([{name}, {"shape", "size", "len"}])),
    (r"^`(reshape)` or `view` takes", _token),
    (r"^(?:in `(\S+) \S+`, )?the number (-?[\d.e+-]+) stands", _number),
    (r"^`(diag)` is given", _token),
    (r"Python reads `(.*?)`(?:$|,)", _expression),
    (r"there is a (times|plus|minus|division) where", lambda sign: _token(SIGNS[sign])),
    (r"^a (fraction) is", lambda _: iter([OPERATORS["/"] | OPERATORS["**"]])),
    (r"^a (difference) is", lambda _: _token("-")),
    (r"there is a (transpose) too many", _token),
    (r"sides of the matrix (product)", lambda _: _token("@")),
    (r"product of (?:a part of )?`(\w+)` and (?:a part of )?`(\w+)`", lambda one, other: iter([{f"{one} @ {other}"}])),
    (r"\b(loop|round)\b", lambda _: iter([LOOPS])),
    (f"({'|'.join(sorted(THINGS, key=len, reverse=True))})", lambda thing: iter([THINGS[thing]])),
]
