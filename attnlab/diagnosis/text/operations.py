"""What the operations in an answer's lines get and give in one call, and what that call gives where one of them gives something else.

The answer is run in a copy in which every operator and every call of its text notes what goes in and what comes out.
"""

from __future__ import annotations

import ast
import copy
import operator
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from attnlab.arrays import copied
from attnlab.diagnosis import grading
from attnlab.diagnosis.text.expressions import called
from attnlab.diagnosis.text.source import cell_of, codes_of, globals_of, is_array, is_learners

OPERATORS: dict[type[ast.operator], tuple[str, Callable[[Any, Any], Any], Callable[[Any, Any], Any]]] = {  # the last one in place
    ast.Add: ("add", operator.add, operator.iadd),
    ast.Sub: ("subtract", operator.sub, operator.isub),
    ast.Mult: ("multiply", operator.mul, operator.imul),
    ast.Div: ("divide", operator.truediv, operator.itruediv),
    ast.FloorDiv: ("floor_divide", operator.floordiv, operator.ifloordiv),
    ast.Mod: ("remainder", operator.mod, operator.imod),
    ast.Pow: ("power", operator.pow, operator.ipow),
    ast.MatMult: ("matmul", operator.matmul, operator.imatmul),
    ast.LShift: ("left_shift", operator.lshift, operator.ilshift),
}
NAMES = {"pow": "power", "mul": "multiply", "div": "divide", "true_divide": "divide", "sub": "subtract", "cumprod": "prod"}
OF_THE_FRAME = {"super", "locals", "globals", "vars", "dir", "eval", "exec"}  # what these give depends on who calls them
NOTE = "note_of_this_check"  # what a changed copy of an answer calls
MOST = 4000  # operations that are noted
Instead = Callable[[Callable[..., Any], tuple[Any, ...], dict[str, Any]], Any]


@dataclass(frozen=True)
class Cell:
    """The functions, classes and imports of the cell that defines an answer, to be changed and run.

    Attributes:
        tree: a copy of them.
        file: as Python calls the cell.
        name: of the answer.
        held: what the names outside stand for.
    """

    tree: ast.Module
    file: str
    name: str
    held: dict[str, Any]

    @classmethod
    def of(cls, answer: Any) -> Cell | None:
        """The cell of an answer; None where its text is not to be had, as in a grader, or is not the learner's."""
        if not grading.is_here(answer):
            return None
        code = next(codes_of(answer), None)
        if code is None or not is_learners(code.co_filename):
            return None
        name = getattr(answer, "__name__", "")
        tree = copy.deepcopy(cell_of(answer))
        tree.body = [node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom))]
        if not any(getattr(node, "name", "") == name for node in tree.body):
            return None
        return cls(tree, code.co_filename, name, globals_of(answer))

    def answer(self, **more: Any) -> Any:
        """The answer as the tree says now; nothing of the notebook is changed."""
        held = {**self.held, **more}
        exec(compile(self.tree, self.file, "exec"), held)
        return held[self.name]


@dataclass(frozen=True)
class Operation:
    """An operation as it was done once.

    Attributes:
        number: of the operator or call in the text.
        node: the operator or call.
        name: what is done, in NumPy's words.
        given: what went in; of a method, the array before the dot, too.
        result: what came out.
    """

    number: int
    node: ast.expr | ast.AugAssign
    name: str
    given: tuple[Any, ...]
    result: Any

    @property
    def text(self) -> str:
        """As the learner wrote it."""
        return ast.unparse(self.node)


class Operations:
    """The operations of one call.

    Args:
        cell: of the answer.
        call: makes the call, of an answer that it is given.
        number: of a node that gives something else.
        instead: what it gives, by its function and its arguments.
    """

    def __init__(self, cell: Cell, call: Callable[[Any], Any], number: int | None = None, instead: Instead | None = None):
        self.done: list[Operation] = []
        self._number, self._instead = number, instead
        self._nodes = [node for node in ast.walk(cell.tree) if isinstance(node, (ast.BinOp, ast.Call, ast.AugAssign))]
        for place, node in enumerate(self._nodes):
            node.number = place
        tree = _Noting().visit(copy.deepcopy(cell.tree))
        self.result, self.has_raised = None, False
        try:
            with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):
                noted = replace(cell, tree=ast.fix_missing_locations(tree))
                self.result = call(noted.answer(**{NOTE: self._note}))
        except Exception:  # the call itself is explained elsewhere
            self.has_raised = True

    def _note(self, number: int, function: Any, *given: Any, **named: Any) -> Any:
        node = self._nodes[number]
        if isinstance(node, ast.Call):
            name = called(node).strip("_")
        else:
            name, *functions = OPERATORS[type(node.op)]
            function = functions[isinstance(node, ast.AugAssign)]
        owner = getattr(function, "__self__", None)
        took = [copied(one) if is_array(one) else one for one in ((owner, *given) if is_array(owner) else given)]
        result = self._instead(function, given, named) if number == self._number and self._instead else function(*given, **named)
        if len(self.done) < MOST and is_array(result):
            self.done.append(Operation(number, node, NAMES.get(name, name), tuple(took), copied(result)))
        return result


class _Noting(ast.NodeTransformer):
    """Notes every operation of a tree in which they are numbered."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:  # as ast calls it
        self.generic_visit(node)
        if type(node.op) not in OPERATORS:
            return node
        return self._noted(node, ast.Constant(None), node.left, node.right)

    def visit_Call(self, node: ast.Call) -> ast.expr:  # as ast calls it
        self.generic_visit(node)
        if not hasattr(node, "number") or (isinstance(node.func, ast.Name) and node.func.id in OF_THE_FRAME):
            return node
        noted = self._noted(node, node.func, *node.args)
        noted.keywords = node.keywords
        return noted

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:  # as ast calls it
        loaded = ast.parse(ast.unparse(node.target), mode="eval").body
        self.generic_visit(node)
        if type(node.op) not in OPERATORS:
            return node
        if isinstance(node.target, ast.Name):
            return ast.copy_location(ast.Assign([node.target], self._noted(node, ast.Constant(None), loaded, node.value)), node)
        target = ast.Subscript(node.target.value, node.target.slice, ast.Store()) if isinstance(node.target, ast.Subscript) else node.target
        return ast.copy_location(ast.Assign([target], self._noted(node, ast.Constant(None), loaded, node.value)), node)

    def _noted(self, node: Any, *given: ast.expr) -> ast.Call:
        note = ast.Call(ast.Name(NOTE, ast.Load()), [ast.Constant(node.number), *given], [])
        return ast.copy_location(note, node)
