"""Which expression of an answer gives a result its number type: the call is made once more with the value of that expression converted."""

from __future__ import annotations

import ast
import copy
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeGuard

import numpy as np

from attnlab.arrays import as_numpy
from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.evidence import Evidence, is_expected, parts_of, right_parts
from attnlab.diagnosis.memory.writes import is_part
from attnlab.diagnosis.text.expressions import called, names_in
from attnlab.diagnosis.text.operations import NOTE, Cell
from attnlab.diagnosis.text.source import cell_of, is_array
from attnlab.reference import Case, sample

MOST_TRIED = 24  # expressions
MOST_TOLD = 3  # expressions that have to be converted together
LONGEST = 60  # characters of an expression
CREATE = {"zeros", "ones", "empty", "full", "eye", "identity", "rand", "randn", "linspace", "tensor", "array"}
POSITIONS = {"full": 2, "eye": 3, "linspace": 5}  # arguments in front of the type; one where no number stands here
CONVERT = {"double", "float", "half", "bfloat16", "to", "type", "astype"}


def explain_float_type_made(evidence: Evidence, case: Case) -> Cause | None:
    """The expressions, one or two, that make a tensor of another float type than the card says; None where no such ones are found."""
    results, expected = parts_of(evidence.result(case)), parts_of(case.expected)
    kinds = [(type_of(one), type_of(other)) for one, other in zip(results, expected)] if len(results) == len(expected) else []
    place = next((place for place, (got, wanted) in enumerate(kinds) if got != wanted), None)
    if place is None or not hasattr(expected[place], "detach") or any(kind not in ("float32", "float64") for kind in kinds[place]):
        return None
    got, wanted = kinds[place]
    run = _Run(evidence, case, lambda value: type_of(value) == got, lambda value: _as_type(value, wanted))
    made = run.needed(lambda result: type_of(parts_of(result)[place]) == wanted)
    if not made:
        return None
    told = [f"{_told(node)} makes {got}{_of(run, node, wanted)}" for node in made]
    first, kept = made[0], run.parameter(made[0], lambda value: type_of(value) == wanted)
    kind = f"{kept}.dtype" if kept else f"torch.{wanted}"
    came_in = not kept and any(type_of(one) == wanted for one in case.arguments)
    back = "convert the result back to the type that came in" if came_in else f"convert the result back: `.to({kind})`"
    if _is_without_type(first):
        is_of_torch = ast.unparse(first.func).startswith("torch")
        step = f"give it the type that the card says: `dtype={kind if is_of_torch else f'np.{wanted}'}`"
        if kept and not is_of_torch:  # of a tensor's type NumPy knows nothing
            step = back
    elif called(first) in CONVERT:
        step = f"leave the conversion out, or {back}"
    else:
        step = f"torch functions keep the type of what they get; or {back}"
    *others, last = told
    return Cause("made.float_type", f"the type changed on the way: {', '.join(others)}{', and ' if others else ''}{last}", step)


def explain_whole_numbers_made(evidence: Evidence, case: Case) -> Cause | None:
    """The expression that makes a result of whole numbers, where one with decimals is expected; None where no such one is found."""
    results, expected = parts_of(evidence.result(case)), parts_of(case.expected)
    kinds = [(_kind(one), _kind(wanted)) for one, wanted in zip(results, expected)] if len(results) == len(expected) else []
    wrong = next((place for place, (got, wanted) in enumerate(kinds) if wanted == "f" and got in ("i", "u")), None)
    made = None if wrong is None else _whole(evidence, case, type_of(expected[wrong]), lambda result: _kind(parts_of(result)[wrong]) == "f")
    if wrong is None or made is None:
        return None
    to_decimals = (".double()" if type_of(expected[wrong]) == "float64" else ".float()") if hasattr(results[wrong], "detach") else ".astype(float)"
    return Cause(
        "writes.whole_numbers_made",
        f"{_told(made)} gives whole numbers ({type_of(results[wrong])})",
        f"make decimals of them: `{to_decimals}`{', or a `dtype` where you create it' if called(made).removesuffix('_like') in CREATE else ''}",
    )


def explain_cut_off(evidence: Evidence, case: Case) -> tuple[str, str] | None:
    """The array of whole numbers in the place of which one of decimals makes a result right, in words, and what to do; None where none is found.

    Of a result with several parts, the first that is wrong is looked at.
    """
    right = _right(evidence.result(case), case)
    if all(right):
        return None
    made = _whole(evidence, case, "float64", lambda result: _right(result, case)[right.index(False)])
    if made is None:
        taken = _types_of_arguments(evidence.answer)[:MOST_TOLD]
        told = " and ".join(map(_told, taken))
        does = "gives numbers the type of whole ones" if len(taken) == 1 else "give numbers the type of whole ones"
        return (f"{told} {does}, which cuts off decimals", "leave the type as it comes, or make decimals: `dtype=float`") if taken else None
    words = f"{_told(made)} makes an array of whole numbers"
    if called(made).removesuffix("_like") in CREATE:
        is_told = len(made.args) > POSITIONS.get(called(made).removesuffix("_like"), 1) or any(keyword.arg == "dtype" for keyword in made.keywords)
        return words, f"make an array of decimals there: {'' if is_told else 'add '}`dtype=float`"
    return words, f"make decimals there, such as with `{'.double()' if hasattr(parts_of(case.expected)[0], 'detach') else '.astype(float)'}`"


def _types_of_arguments(answer: Any) -> list[ast.Call]:
    """The calls that give what is computed the type of an argument, such as `result.astype(x.dtype)` and `np.zeros(shape, dtype=x.dtype)`."""
    return [
        node
        for node in ast.walk(cell_of(answer))
        if isinstance(node, ast.Call)
        and (
            (called(node) in ("astype", "to", "type") and node.args and ast.unparse(node.args[0]).endswith(".dtype"))
            or called(node) == "type_as"
            or any(keyword.arg == "dtype" and ast.unparse(keyword.value).endswith(".dtype") for keyword in node.keywords)
        )
    ]


def explain_float_made(evidence: Evidence, case: Case) -> Cause | None:
    """The expressions, one or two, that make a float where a whole number (int) is expected; None where no such ones are found."""
    if type(case.expected) is not int or not isinstance(evidence.result(case), (float, np.floating)):
        return None
    run = _Run(evidence, case, _is_float, _as_whole)
    made = run.needed(lambda result: isinstance(result, int))
    if not made or not all(isinstance(run.ask(one, made), int) for one in evidence.beside(case)):
        return None
    told = " and ".join(map(_told, made))
    words = f"the result is not of the type that the card says: {told} {'gives a float' if len(made) == 1 else 'give floats'}"
    divisions = [isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) for node in made]
    written = [part.value for node in made if isinstance(node, ast.BinOp) for part in (node.left, node.right) if isinstance(part, ast.Constant)]
    if all(divisions) and not any(isinstance(one, float) for one in written):
        return Cause(
            "made.float_by_division", f"{words}; `/` does so also where nothing remains", "divide with `//`: of whole numbers it makes an int"
        )
    whole = next((one for one in written if isinstance(one, float) and one.is_integer()), None)
    if whole is not None and not any(divisions):
        return Cause("made.float_number", words, f"write `{int(whole)}` and not `{whole}`: what is computed with a float is a float")
    return Cause("made.float_number", words, "make an int of it there: `int(...)`")


def _whole(evidence: Evidence, case: Case, wanted: str, is_mended: Callable[[Any], bool]) -> ast.expr | None:
    """The expression that makes an array of whole numbers, in the place of which decimals mend a result: the last one if such arrays go in."""
    run = _Run(
        evidence,
        case,
        lambda value: is_array(value) and _kind(value) in ("i", "u") and not isinstance(value, np.generic),
        lambda value: _as_type(value, wanted),
    )
    return next((node for node in (*run.origins, *reversed(run.others)) if run.mends([node], is_mended)), None)


class _Run:
    """A call of an answer in which the value of every expression is looked at.

    Args:
        evidence: what the answer gives.
        case: the input.
        is_wrong: whether a value has the type that is looked for.
        convert: a value of that type as one of the right type.

    Attributes:
        origins: the expressions that make such a value and are given none, as they come.
        others: those that are given one and make another one of it.
    """

    def __init__(self, evidence: Evidence, case: Case, is_wrong: Callable[[Any], bool], convert: Callable[[Any], Any]):
        self._evidence, self._case, self._is_wrong, self._convert = evidence, case, is_wrong, convert
        self.origins: list[ast.expr] = []
        self.others: list[ast.expr] = []
        self._values: dict[ast.AST, tuple[int, Any]] = {}  # of every expression its last value, and when that came
        self._clock = self._last_wrong = 0
        self._nodes: list[ast.expr] = []
        self._converted: list[ast.expr] = []
        self._answer = self._noting()
        self._is_first = True
        if self._answer is not None:
            self.ask(case, [])
        self._is_first = False

    def needed(self, is_mended: Callable[[Any], bool]) -> list[ast.expr]:
        """The first origin with which alone converted a result is mended, or the few that have to be converted together; [] where none are found."""
        left = self.origins[:MOST_TRIED]
        if one := next((node for node in left if self.mends([node], is_mended)), None):
            return [one]
        if not left or not self.mends(left, is_mended):
            return []
        for node in list(left):
            rest = [one for one in left if one is not node]
            left = rest if self.mends(rest, is_mended) else left
        return left if len(left) <= MOST_TOLD else []

    def mends(self, nodes: list[ast.expr], is_mended: Callable[[Any], bool]) -> bool:
        """Whether a result is mended once the values of these expressions are converted."""
        result = self.ask(self._case, nodes)
        return result is not None and is_mended(result)

    def ask(self, case: Case, nodes: list[ast.expr]) -> Any:
        """The result for an input with the values of these expressions converted; None where the call raises."""
        self._converted = nodes
        try:
            with warnings.catch_warnings(action="ignore"):
                return self._evidence.ask(case, self._answer)
        except Exception:  # what does not go on with the converted value
            return None

    def operands(self, node: ast.AST) -> list[Any]:
        """The values that an expression is given, those in lists and the like, too."""
        return [leaf for part in self._parts(node) for leaf in _leaves(self._values[part][1])]

    def parameter(self, node: ast.expr, holds: Callable[[Any], bool]) -> str:
        """The first parameter of the function around an expression of which something holds and that keeps its value; "" where there is none."""
        functions = [one for one in ast.walk(self._tree) if isinstance(one, ast.FunctionDef) and any(part is node for part in ast.walk(one))]
        for function in functions[-1:]:
            stored = names_in(function, ast.Store)
            held = {one.id: self._values[one][1] for one in ast.walk(function) if isinstance(one, ast.Name) and one in self._values}
            return next((one.arg for one in function.args.args if one.arg not in stored and one.arg in held and holds(held[one.arg])), "")
        return ""

    def _parts(self, node: ast.AST) -> list[ast.AST]:
        """The expressions in an expression that are noted and in no other such one."""
        return [one for part in ast.iter_child_nodes(node) for one in ([part] if part in self._values else self._parts(part))]

    def _note(self, place: int, value: Any) -> Any:
        node = self._nodes[place]
        if not self._is_first:
            return self._convert(value) if any(node is one for one in self._converted) and self._is_wrong(value) else value
        self._clock += 1
        if isinstance(node, (ast.Call, ast.BinOp)) and self._is_wrong(value):
            given = self.operands(node)
            begun = max((self._values[part][0] for part in self._parts(node)), default=0)
            if begun >= self._last_wrong and not any(is_part(value, one) for one in given if is_array(one) and is_array(value)):
                found = self.others if any(map(self._is_wrong, given)) else self.origins
                if not any(node is one for one in (*self.origins, *self.others)):
                    found.append(node)
            self._last_wrong = self._clock
        self._values[node] = self._clock, value
        return value

    def _noting(self) -> Any:
        """A copy of the answer that notes what its expressions give; None where its text is not to be had, or calls take long."""
        cell = Cell.of(self._evidence.answer) if self._evidence.exercise.seconds is None else None
        if cell is None:
            return None
        self._tree = cell.tree
        changed = _Noting(cell.tree.body, self._nodes).changed()
        return replace(cell, tree=ast.fix_missing_locations(changed)).answer(**{NOTE: self._note})


class _Noting(ast.NodeTransformer):
    """Puts a call around every expression that is read in the bodies of functions, in a copy of them.

    Args:
        body: of the cell.
        nodes: takes these expressions, at the numbers that are passed to the calls.
    """

    def __init__(self, body: list[ast.stmt], nodes: list[ast.expr]):
        self._copy, self._nodes, self._is_inside = ast.Module(copy.deepcopy(body), []), nodes, False
        self._written = dict(zip(ast.walk(self._copy), ast.walk(ast.Module(body, []))))

    def changed(self) -> ast.Module:
        """The copy with the calls."""
        return self.visit(self._copy)

    def visit(self, node: ast.AST) -> Any:
        """A node with calls around its expressions, and around itself."""
        if isinstance(node, (ast.arguments, ast.pattern)):
            return node
        if isinstance(node, ast.FunctionDef):
            was, self._is_inside = self._is_inside, True
            node.body = [self.visit(statement) for statement in node.body]
            self._is_inside = was
            return node
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):  # of a method, what stands in front of the dot
            node.func.value = self.visit(node.func.value)
            node.args, node.keywords = [self.visit(one) for one in node.args], [self.visit(one) for one in node.keywords]
        else:
            self.generic_visit(node)
        is_read = isinstance(node, (ast.Call, ast.BinOp)) or isinstance(getattr(node, "ctx", None), ast.Load)
        if not (self._is_inside and is_read) or isinstance(node, (ast.Starred, ast.List, ast.Tuple)) or getattr(node, "id", "") == "super":
            return node
        self._nodes.append(self._written[node])
        return ast.copy_location(ast.Call(ast.Name(NOTE, ast.Load()), [ast.Constant(len(self._nodes) - 1), node], []), node)


def _of(run: _Run, node: ast.expr, wanted: str) -> str:
    """What an expression made another type of, or that it was told none."""
    if _is_without_type(node):
        return ": no `dtype` is given"
    return f" of {wanted}" if any(type_of(one) == wanted for one in run.operands(node)) else ""


def _is_without_type(node: ast.AST) -> TypeGuard[ast.Call]:
    """Whether an expression creates an array of numbers without naming a type: NumPy or torch chooses one."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and ast.unparse(node.func.value) in ("np", "numpy", "torch")
        and node.func.attr in CREATE
        and not any(keyword.arg in ("dtype", None) for keyword in node.keywords)
        and (
            ast.unparse(node.func.value) == "torch"
            or (len(node.args) <= POSITIONS.get(node.func.attr, 1) and not any(isinstance(one, ast.Starred) for one in node.args))
        )
    )


def _told(node: ast.expr) -> str:
    text = ast.unparse(node).splitlines()[0]
    return f"`{text if len(text) <= LONGEST else f'{text[:LONGEST]}…'}` in line {node.lineno}"


def _right(result: Any, case: Case) -> list[bool]:
    """Which parts of a result are right, and hold decimals where these are expected."""
    parts, expected = parts_of(result), parts_of(case.expected)
    result = sample(result, case.shape)
    right = right_parts(result, case) or [is_expected(result, case)]
    return [is_right and (_kind(part) == "f" or _kind(wanted) != "f") for is_right, part, wanted in zip(right, parts, expected)]


def type_of(value: Any) -> str:
    """What the type of an array's numbers is called; "" where that is no array."""
    return str(value.dtype).removeprefix("torch.") if is_array(value) else ""


def _kind(value: Any) -> str:
    return as_numpy(value).dtype.kind if is_array(value) else ""


def _as_type(value: Any, name: str) -> Any:
    """The same numbers as another type."""
    if not hasattr(value, "detach"):
        return value.astype(name)
    import torch  # here, so that lessons without tensors do not wait for it

    return value.to(getattr(torch, name))


def _is_float(value: Any) -> bool:
    return isinstance(value, (float, np.floating)) or _kind(value) == "f"


def _as_whole(value: Any) -> Any:
    """The same as a whole number, or as an array of such; as it was where something would be cut off."""
    if not np.array_equal(as_numpy(value), np.trunc(as_numpy(value))):
        return value
    return int(value) if np.ndim(value) == 0 and not hasattr(value, "detach") else _as_type(value, "int64")


def _leaves(value: Any) -> list[Any]:
    """What stands in lists, tuples and dicts; else the value alone."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else None
    return [value] if inside is None else [leaf for one in inside for leaf in _leaves(one)]
