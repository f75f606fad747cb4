"""What an answer's loops do: rounds that never come, totals that run on, values that only the last round leaves."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from attnlab.diagnosis.text.expressions import Fact, Node

Loop = ast.For | ast.While


def names_in(node: ast.AST, kind: type = ast.Load) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, kind)}


def loops_of(function: ast.AST) -> list[Loop]:
    return [node for node in ast.walk(function) if isinstance(node, (ast.For, ast.While))]


def head_of(loop: Loop) -> str:
    return f"for {ast.unparse(loop.target)} in {ast.unparse(loop.iter)}" if isinstance(loop, ast.For) else f"while {ast.unparse(loop.test)}"


def inside(loop: Loop) -> list[ast.AST]:
    return [part for statement in loop.body for part in ast.walk(statement)]


def returns(function: Node) -> Iterator[Fact]:
    """A `return` that ends the first round of a loop."""
    for loop in loops_of(function):
        for statement in loop.body:
            if isinstance(statement, (ast.Return, ast.Break)) and not any(isinstance(part, ast.Continue) for part in inside(loop)):
                word = "return" if isinstance(statement, ast.Return) else "break"
                text = ast.unparse(statement)
                yield Fact(
                    "loops.stands_inside_loop_first",
                    statement.lineno,
                    f"`{text}` stands inside the loop `{head_of(loop)}`, so that its first round is also its last",
                    f"move `{word}` to the left, below the loop" if word == "return" else "should the loop end there, in every case?",
                )


def running_totals(function: Node) -> Iterator[Fact]:
    """A value that grows in an inner loop and is begun anew only once, before the outer one."""
    for outer in loops_of(function):
        inner_loops = [loop for statement in outer.body for loop in loops_of(statement)]
        for inner in inner_loops:
            for name in sorted(_grown(inner)):
                stores = [part for part in inside(outer) if isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Store)]
                begins = [part for part in stores if part not in inside(inner)] or _emptied(outer, inner, name)
                start = _begun_before(function, outer, name)
                if begins or not start or not _collected(outer, inner, name):
                    continue
                yield Fact(
                    "loops.stands_before_loop_happens",
                    start.lineno,
                    f"`{ast.unparse(start)}` stands before the loop `{head_of(outer)}`, so that it happens once: every later round "
                    f"goes on with what `{name}` was at the end of the round before",
                    f"begin `{name}` anew in each round, at the top of the loop `{head_of(outer)}`",
                )


def _emptied(outer: Loop, inner: Loop, name: str) -> bool:
    """Whether the outer loop sets the entries of an array anew: `total[:] = 0`."""
    own = [part for part in inside(outer) if part not in inside(inner)]
    return any(
        (isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store) and ast.unparse(part.value) == name)
        or (isinstance(part, ast.Attribute) and part.attr in ("fill", "fill_", "zero_", "clear") and ast.unparse(part.value) == name)
        for part in own
    )


def _grown(inner: Loop) -> set[str]:
    """The names that a loop adds to, counts up, or replaces by something larger."""
    added = {node.target.id for node in inside(inner) if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)}
    again = {
        node.targets[0].id
        for node in inside(inner)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id in names_in(node.value)
    }
    tested = {
        node.targets[0].id
        for test in inside(inner)
        if isinstance(test, ast.If)
        for node in test.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id in names_in(test.test)
    }
    return added | again | tested


def _begun_before(function: Node, outer: Loop, name: str) -> ast.Assign | None:
    """The line above a loop that gives a name its first value, when that is a number, an empty list or an array of zeros."""
    found = [(node, value) for node, value in _values_given(function, name) if node.lineno < outer.lineno]
    if not found:
        return None
    value = found[-1][1]
    is_start = isinstance(value, (ast.Constant, ast.UnaryOp)) or (isinstance(value, ast.List) and not value.elts) or _is_new_array(value)
    return found[-1][0] if is_start else None


def _values_given(function: Node, name: str) -> list[tuple[ast.Assign, ast.expr]]:
    """The lines that give a name a value, with what stands for that name on the right, also in `a, b = 0, []`."""
    found: list[tuple[ast.Assign, ast.expr]] = []
    for node in ast.walk(function):
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            pairs = [(target, node.value)]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = list(zip(target.elts, node.value.elts))
            found += [(node, value) for one, value in pairs if isinstance(one, ast.Name) and one.id == name]
    return found


def _is_new_array(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and ast.unparse(value.func).rpartition(".")[2] in (
        "zeros",
        "ones",
        "empty",
        "zeros_like",
        "ones_like",
        "empty_like",
        "full",
        "copy",
        "clone",
    )


def _collected(outer: Loop, inner: Loop, name: str) -> bool:
    """Whether each round of the outer loop hands on what the inner one gathered, or the inner one counts with it."""
    if isinstance(inner, ast.While) and name in names_in(inner.test):
        return True
    inner_parts = inside(inner)
    if any(isinstance(part, ast.If) and name in names_in(part.test) for part in inner_parts):
        return True
    for part in inside(outer):
        if part in inner_parts:
            continue
        if isinstance(part, ast.Assign) and not isinstance(part.targets[0], ast.Name) and name in names_in(part.value):
            return True
        if (
            isinstance(part, ast.Call)
            and isinstance(part.func, ast.Attribute)
            and part.func.attr == "append"
            and any(name in names_in(one) for one in part.args)
        ):
            return True
    return False


def same_object(function: Node) -> Iterator[Fact]:
    """One array that is filled and appended again and again."""
    for loop in loops_of(function):
        parts = inside(loop)
        bound = {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
        bound |= names_in(loop.target, ast.Store) if isinstance(loop, ast.For) else set()
        filled = {ast.unparse(part.value) for part in parts if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store)}
        filled |= {part.target.id for part in parts if isinstance(part, ast.AugAssign) and isinstance(part.target, ast.Name)}
        rebound = {node.targets[0].id for node in parts if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)}
        for part in parts:
            if (
                isinstance(part, ast.Call)
                and isinstance(part.func, ast.Attribute)
                and part.func.attr == "append"
                and len(part.args) == 1
                and isinstance(part.args[0], ast.Name)
                and part.args[0].id in filled
                and part.args[0].id not in rebound
                and part.args[0].id not in bound - filled
                and _is_array_before(function, loop, part.args[0].id)
            ):
                yield Fact(
                    "loops.appends_same_array_round",
                    part.lineno,
                    f"`{ast.unparse(part)}` appends the same array in every round: all entries of the list show what the last round left",
                    "make a new array at the beginning of each round, or append a copy",
                )


def _is_array_before(function: Node, loop: Loop, name: str) -> bool:
    return any(
        node.lineno < loop.lineno and (_is_new_array(value) or isinstance(value, (ast.List, ast.ListComp)))
        for node, value in _values_given(function, name)
    )


def only_the_last(function: Node) -> Iterator[Fact]:
    """A name that gets a new value in each round, and is read only after the loop."""
    for loop in loops_of(function):
        parts = inside(loop)
        condition = ast.walk(loop.test) if isinstance(loop, ast.While) else ()
        reads = {part.id for part in (*parts, *condition) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}
        for node in loop.body:
            if not isinstance(node, ast.Assign) or len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
                continue
            name = node.targets[0].id
            after = [
                part
                for part in ast.walk(function)
                if isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Load) and part.lineno > (loop.end_lineno or 0)
            ]
            again = [
                part
                for part in ast.walk(function)
                if isinstance(part, ast.Name)
                and part.id == name
                and isinstance(part.ctx, ast.Store)
                and part.lineno > (loop.end_lineno or 0)
                and after
                and part.lineno <= after[0].lineno
            ]
            if name not in reads and after and not again and not _is_in_a_loop(function, loop):
                yield Fact(
                    "loops.gives_new_value_round",
                    node.lineno,
                    f"`{ast.unparse(node)}` gives `{name}` a new value in every round of `{head_of(loop)}`; below the loop only the last one is left",
                    "collect them: add up with `+=`, put each into its place `[i]`, or append it to a list",
                )


def _is_in_a_loop(function: Node, loop: Loop) -> bool:
    return any(other is not loop and loop in inside(other) for other in loops_of(function))


def ranges(function: Node) -> Iterator[Fact]:
    """A loop that leaves out the first or the last."""
    for node in ast.walk(function):
        if not isinstance(node, (ast.For, ast.comprehension)) or not isinstance(node.iter, ast.Call) or ast.unparse(node.iter.func) != "range":
            continue
        given = node.iter.args
        end = given[0] if len(given) == 1 else given[1]
        if (
            len(given) < 3
            and isinstance(end, ast.BinOp)
            and isinstance(end.op, ast.Sub)
            and isinstance(end.right, ast.Constant)
            and end.right.value == 1
        ):
            yield Fact(
                "loops.ends_before_last_left",
                node.iter.lineno,
                f"`{ast.unparse(node.iter)}` ends before `{ast.unparse(end)}`, so that the last one is left out, unless you want that",
                "`range(n)` itself ends with n - 1",
                False,
            )
        elif len(given) == 2 and isinstance(given[0], ast.Constant) and given[0].value == 1:
            yield Fact(
                "loops.begins_counting_begins",
                node.iter.lineno,
                f"`{ast.unparse(node.iter)}` begins with 1, and counting begins with 0",
                "is number 0 left out on purpose?",
                False,
            )


LOOPS: tuple[Callable[[Node], Iterator[Fact]], ...] = (returns, same_object, running_totals, only_the_last)
