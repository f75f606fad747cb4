"""What an answer does with its arguments and names: those that nothing reads, that are lost, that stand for one and the same array."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from attnlab.diagnosis.text.expressions import Fact, Node
from attnlab.diagnosis.text.loops import head_of, loops_of, names_in


def arguments(function: Node) -> Iterator[Fact]:
    """An argument that nothing reads, or that gets another value before anything has read it."""
    names = [argument.arg for argument in [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]]
    for name in names:
        uses = [part for part in ast.walk(function) if isinstance(part, ast.Name) and part.id == name]
        if name == "self" or name.startswith("_"):
            continue
        if not any(isinstance(part.ctx, ast.Load) for part in uses):
            yield Fact(
                "flow.argument_taken_line_reads",
                function.lineno,
                f"the argument `{name}` is taken, and no line reads it",
                f"what does the card use `{name}` for?",
                False,
            )
            continue
        first = min(uses, key=lambda part: (part.lineno, part.col_offset))
        for node in function.body:
            if isinstance(node, ast.Assign) and first in node.targets and name not in names_in(node.value):
                yield Fact(
                    "flow.gives_argument_another_value",
                    node.lineno,
                    f"`{ast.unparse(node)}` gives the argument `{name}` another value before any line has read it",
                    f"leave that line out: `{name}` has its value already",
                )


def aliases(function: Node) -> Iterator[Fact]:
    """`y = x` for an argument, and then something is put into `y`."""
    names = {argument.arg for argument in function.args.args} - {"self"}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name) and node.value.id in names and isinstance(node.targets[0], ast.Name):
            new, old = node.targets[0].id, node.value.id
            puts = [
                part
                for part in ast.walk(function)
                if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store) and ast.unparse(part.value) == new
            ]
            if puts and new != old:
                yield Fact(
                    "flow.makes_copy_both_names",
                    node.lineno,
                    f"`{ast.unparse(node)}` makes no copy: both names stand for one array, and what is put into `{new}` stands in `{old}`, too",
                    f"begin with an array of its own: zeros, or `{old}.copy()`, `{old}.clone()`",
                )


def overwritten(function: Node) -> Iterator[Fact]:
    """An argument that becomes the result of a product or a layer, and goes into another one afterwards."""
    names = {argument.arg for argument in function.args.args} - {"self"}
    for node in function.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id in names and _works_on(node.value, names):
            name = node.targets[0].id
            later = [
                one
                for one in function.body
                if one.lineno > node.lineno and isinstance(one, (ast.Assign, ast.Return)) and one.value and _works_on(one.value, {name})
            ]
            if later:
                yield Fact(
                    "flow.gives_argument_another_value_2",
                    node.lineno,
                    f"`{ast.unparse(node)}` gives the argument `{name}` another value, and line {later[0].lineno} takes that for `{name}`: "
                    f"`{ast.unparse(later[0])}`",
                    "give what you make a name of its own",
                    False,
                )


def _works_on(value: ast.AST, names: set[str]) -> bool:
    """Whether an expression multiplies one of the names, or puts it through a layer."""
    for part in ast.walk(value):
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.MatMult) and (names_in(part.left) | names_in(part.right)) & names:
            return True
        if (
            isinstance(part, ast.Call)
            and ast.unparse(part.func).startswith("self.")
            and any(isinstance(one, ast.Name) and one.id in names for one in part.args)
        ):
            return True
    return False


def unused(function: Node) -> Iterator[Fact]:
    """A loop variable that its loop never reads; a value that nothing reads."""
    for loop in loops_of(function):
        if (
            isinstance(loop, ast.For)
            and isinstance(loop.target, ast.Name)
            and not loop.target.id.startswith("_")
            and loop.target.id not in {name for part in loop.body for name in names_in(part)}
        ):
            yield Fact(
                "flow.same_round_nothing_loop",
                loop.lineno,
                f"`{head_of(loop)}` does the same in every round: nothing in the loop reads `{loop.target.id}`",
                f"which line of the loop should use `{loop.target.id}`?",
                False,
            )
    reads = names_in(function) | {name for node in ast.walk(function) if isinstance(node, (ast.Nonlocal, ast.Global)) for name in node.names}
    for node in ast.walk(function):
        if (
            isinstance(node, ast.Assign)
            and len(node.targets) == 1
            and isinstance(node.targets[0], ast.Name)
            and node.targets[0].id not in reads
            and not node.targets[0].id.startswith("_")
        ):
            name = node.targets[0].id
            yield Fact(
                "flow.made_line_reads",
                node.lineno,
                f"`{ast.unparse(node)}` is made, and no line reads `{name}`",
                f"which line should use `{name}`?",
                False,
            )


def swallowed(function: Node) -> Iterator[Fact]:
    """`except: pass`."""
    for node in ast.walk(function):
        if isinstance(node, ast.ExceptHandler) and len(node.body) == 1 and isinstance(node.body[0], (ast.Pass, ast.Continue)):
            yield Fact(
                "flow.exception_caught_nothing_done",
                node.lineno,
                "an exception is caught and nothing is done about it, so that nobody sees what is wrong",
                "leave `try` and `except` out, and read what is raised",
                False,
            )


def tuples(function: Node) -> Iterator[Fact]:
    """A comma at the end of a line makes a tuple of one part."""
    for node in ast.walk(function):
        if (
            isinstance(node, (ast.Assign, ast.Return))
            and isinstance(node.value, ast.Tuple)
            and len(node.value.elts) == 1
            and (isinstance(node, ast.Return) or not isinstance(node.targets[0], ast.Tuple))
        ):
            yield Fact(
                "flow.comma_end_makes_tuple",
                node.lineno,
                f"the comma at the end of `{ast.unparse(node)}` makes a tuple with one part",
                "take the comma away",
            )


FLOW: tuple[Callable[[Node], Iterator[Fact]], ...] = (tuples, aliases, arguments, unused, overwritten, swallowed)
