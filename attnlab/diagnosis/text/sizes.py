"""Sizes that do not follow the argument: variables of the notebook and fixed numbers in a learner's code."""

from __future__ import annotations

import ast
import dis
import inspect
import textwrap
import types
from collections.abc import Iterator
from typing import Any

from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.text.places import is_array, is_data, tree_of
from attnlab.reference import Case

COUNTING = {"range", "arange", "zeros", "ones", "empty", "full", "eye", "reshape", "view", "expand", "tril", "triu", "linspace"}


def explain_fixed(answer: Any, shown: Case, other: Case) -> Cause | None:
    """What in an answer that fits the shown case cannot fit another one: a variable of the notebook, or a length written as a number."""
    if names := sorted(set(_data_of_the_notebook(answer))):
        told = ", ".join(f"`{name}`" for name in names)
        return Cause(
            "sizes.code_reads_argument_but",
            f"your code reads {told}: no argument, but a variable of the notebook, and the same for every input",
            "use nothing in the function but its arguments, and what it makes of them",
        )
    lengths = _lengths_that_differ(shown, other)
    for number, text, line in _counting_numbers(answer):
        if number in lengths:
            return Cause(
                "sizes.number_stands_code_line",
                f"the number {number} stands in your code, in `{text}`, line {line} of the function; the example has an axis of that length, "
                "which is longer or shorter in this input",
                "take every length from the argument, for example `T, k = x.shape`",
            )
    return None


def _lengths_that_differ(shown: Case, other: Case) -> set[int]:
    """The lengths of those axes of the shown input that have another length in the other one."""
    return {
        length
        for one, two in zip(shown.arguments, other.arguments)
        if is_array(one) and is_array(two)
        for length, there in zip(one.shape, two.shape)
        if length != there
    }


def codes_of(answer: Any) -> Iterator[types.CodeType]:
    """The compiled code of a function, or of the methods of a class, with what is defined inside; none of what only stands for a function."""
    waiting = [code for function in _functions(answer) if isinstance(code := getattr(function, "__code__", None), types.CodeType)]
    while waiting:
        code = waiting.pop()
        yield code
        waiting += [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]


def cell_of(answer: Any) -> ast.Module:
    """The syntax tree of the cell that an answer stands in, to be read only; empty where the text is not to be had, as in a grader."""
    code = next(codes_of(answer), None)
    return tree_of(code.co_filename) if code else ast.Module([], [])


def globals_of(answer: Any) -> dict[str, Any]:
    """What the names outside of an answer stand for; nothing where that cannot be seen, as in a grader that holds what stands for the answer."""
    return next((held for function in _functions(answer) if isinstance(held := getattr(function, "__globals__", None), dict)), {})


def _functions(answer: Any) -> list[Any]:
    return [value for value in vars(answer).values() if isinstance(value, types.FunctionType)] if isinstance(answer, type) else [answer]


def names_outside(answer: Any) -> Iterator[str]:
    """The names that an answer reads from the notebook, functions and modules among them."""
    for code in codes_of(answer):
        yield from (step.argval for step in dis.get_instructions(code) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"))


def _data_of_the_notebook(answer: Any) -> Iterator[str]:
    held = globals_of(answer)
    own = _made_beside(answer)
    yield from (name for name in names_outside(answer) if name in held and is_data(held[name]) and name not in own)


def _made_beside(answer: Any) -> set[str]:
    """The names that the answer's own cell defines, such as a constant of the learner's."""
    return {
        node.id
        for statement in cell_of(answer).body
        if not isinstance(statement, (ast.FunctionDef, ast.ClassDef))
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def source_of(answer: Any) -> ast.AST | None:
    """The syntax tree of an answer, or None where its text is not to be had, as in a grader."""
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(answer)))
    except Exception:  # what only stands for a function refuses in its own way
        return None


def _counting_numbers(answer: Any) -> Iterator[tuple[int, str, int]]:
    """Whole numbers above 1 that count something: in `range(3)`, in `np.zeros((3, 4))`."""
    tree = source_of(answer)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id if isinstance(node.func, ast.Name) else ""
            arguments = node.args[:2] if name in ("range", "arange") else node.args  # the third one is a step
            for part in (part for argument in arguments if name in COUNTING for part in ast.walk(argument)):
                if isinstance(part, ast.Constant) and type(part.value) is int and part.value > 1:
                    yield part.value, ast.unparse(node), node.lineno
