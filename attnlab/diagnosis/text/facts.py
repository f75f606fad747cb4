"""What stands in an answer's own text and does something else than it seems to: its names, loops and results.

Each finder looks at one function's syntax tree and yields what it finds as a `Fact`, which says what stands there and what it does. One that
may also stand in a right answer is no cause: the message says that it does not know, and where to look first.
"""

from __future__ import annotations

import ast
import contextlib
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from attnlab import reference
from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.text.expressions import (
    EXPRESSIONS,
    METHODS,
    Fact,
    Loop,
    Node,
    called,
    generators,
    given_once,
    head_of,
    inside,
    loops_of,
    names_in,
    thrown_away,
)
from attnlab.diagnosis.text.source import codes_of, globals_of, listed, names_outside, tree_of
from attnlab.diagnosis.text.traps import TRAPS

Function = ast.FunctionDef | ast.AsyncFunctionDef
LONGEST = 50  # characters of a line that is shown
SAME_AGAIN = "facts.same_array_appended"
UNUSED = "facts.argument_not_used"  # the id of what is told where code raises, too
Finder = Callable[[Function], Iterator[Fact]]


def explain_text(answer: Any, is_finished: bool = True) -> Cause | None:
    """The most telling of what stands in an answer's text; None where nothing does, or where the text is not to be had.

    Args:
        answer: the learner's function or class.
        is_finished: whether all of it is written; else what is made and not used says nothing.
    """
    if cause := explain_order(answer):
        return cause
    found = sorted(facts_of(answer, is_finished), key=lambda fact: not fact.is_certain)  # in the order of the finders
    if not found:
        return None
    return found[0].as_cause()


def facts_of(answer: Any, is_finished: bool = True) -> list[Fact]:
    """All that is found in the text of a function, or of a class's methods, and of functions of the same cell that they call."""
    functions = list(_functions(answer))
    finders: list[Finder] = [*LOOPS, *EXPRESSIONS, *METHODS, *TRAPS, *FLOW, ranges]
    return [*(_idle_layers(answer) if is_finished else ()), *(fact for find in finders for function in functions for fact in find(function))]


def certain_in(function: Function | None) -> Cause | None:
    """What stands in a function in which an exception was raised, and certainly does something else than it seems to."""
    for find in (tuples, returns, thrown_away, generators):
        for fact in find(function) if function else ():
            if fact.is_certain:
                return fact.as_cause()
    return None


def explain_order(answer: Any) -> Cause | None:
    """Parameters that have the card's names in another order."""
    own = parameters_of(answer)
    asked = [item.parameters for item in reference.asking_for(getattr(answer, "__name__", "")) if item.parameters]
    if not own or own in asked or not any(sorted(own) == sorted(order) for order in asked):
        return None
    return Cause(
        "facts.parameters_in_other_order",
        f"the parameters are in the wrong order: the card has {listed(asked[0])}, your `def` has {listed(own)}",
        "write the parameters in the order on the card",
    )


def parameters_of(answer: Any) -> tuple[str, ...]:
    """The names that an answer takes, apart from `self`; () where that cannot be seen."""
    function = vars(answer).get("__init__") if isinstance(answer, type) else answer
    code = getattr(function, "__code__", None)
    if not isinstance(code, types.CodeType):
        return ()
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return names[1:] if isinstance(answer, type) else names


def _idle_layers(answer: Any) -> Iterator[Fact]:
    """Layers that a class's constructor makes and none of its methods uses."""
    functions = list(_functions(answer)) if isinstance(answer, type) else []
    parts = [part for function in functions for part in ast.walk(function)]
    used = {part.attr for part in parts if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Load)}
    if any(isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in ("getattr", "vars") for part in parts):
        return
    for node in parts:
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Attribute)
            and isinstance(node.value, ast.Call)
            and ast.unparse(node.value.func).rpartition(".")[2][:1].isupper()
            and node.targets[0].attr not in used
        ):
            name = f"self.{node.targets[0].attr}"
            yield Fact("facts.layer_not_used", node.lineno, f"`{name}` is made, and no line uses it", f"which line should call `{name}`?")


def _functions(answer: Any) -> Iterator[Function]:
    """The syntax trees of an answer's functions, the answer's own first."""
    codes = list(codes_of(answer))
    if not codes:
        return
    file, held = codes[0].co_filename, globals_of(answer)
    helpers = [held.get(name) for name in dict.fromkeys(names_outside(answer))]
    codes += [one.__code__ for one in helpers if isinstance(one, types.FunctionType) and one.__code__.co_filename == file]
    starts = [code.co_firstlineno for code in codes]
    nodes = [node for node in ast.walk(tree_of(file)) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    for start in dict.fromkeys(starts):
        yield from (node for node in nodes if min([node.lineno, *(mark.lineno for mark in node.decorator_list)]) == start)


def returns(function: Node) -> Iterator[Fact]:
    """A `return` that ends the first round of a loop."""
    for loop in loops_of(function):
        for statement in loop.body:
            if isinstance(statement, (ast.Return, ast.Break)) and not any(isinstance(part, ast.Continue) for part in inside(loop)):
                word = "return" if isinstance(statement, ast.Return) else "break"
                text = ast.unparse(statement)
                yield Fact(
                    "facts.loop_ends_first_round",
                    statement.lineno,
                    f"`{text}` is inside the loop `{head_of(loop)}`, so the loop ends in its first round",
                    f"move `{word}` to the left, below the loop" if word == "return" else "should the loop always end there?",
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
                    "facts.total_not_reset",
                    start.lineno,
                    f"`{ast.unparse(start)}` is before the loop `{head_of(outer)}`, so it runs only once: every later round "
                    f"continues with the `{name}` of the round before",
                    f"reset `{name}` in each round, at the top of the loop `{head_of(outer)}`",
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
        filled |= {
            part.args[0].id
            for part in parts
            if isinstance(part, ast.Call) and called(part) == "shuffle" and part.args and isinstance(part.args[0], ast.Name)
        }
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
                    SAME_AGAIN,
                    part.lineno,
                    f"`{ast.unparse(part)}` appends the same thing in every round: all entries of the list hold the values of the last round",
                    "make a new one at the start of each round, or append a copy",
                )


def _is_array_before(function: Node, loop: Loop, name: str) -> bool:
    return any(
        node.lineno < loop.lineno and (_is_new_array(value) or isinstance(value, (ast.List, ast.ListComp)) or called(value) in ("list", "arange"))
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
                text = ast.unparse(node)
                where = f", in `{text}`" if len(text) <= LONGEST else ""
                yield Fact(
                    "facts.overwritten_in_loop",
                    node.lineno,
                    f"each round overwrites `{name}`{where}: after the loop only the last one is left",
                    _what_to_keep(loop, node.value),
                )


def _what_to_keep(loop: Loop, value: ast.expr) -> str:
    """The next step where each round gives a value and only the last is left: functions that are called one after the other pass it on."""
    match value, getattr(loop, "target", None):
        case ast.Call(func=ast.Name(id=called), args=[ast.Name(id=given)]), ast.Name(id=target) if called == target:
            return f"if each round should go on with what the one before made, write `{given} = {called}({given})`, and use `{given}` after the loop"
    return "keep each value: add it up with `+=`, store it at its index `[i]`, or append it to a list"


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
                "facts.range_ends_too_early",
                node.iter.lineno,
                f"`{ast.unparse(node.iter)}` stops before `{ast.unparse(end)}`; is the last one left out on purpose?",
                "`range(n)` already stops at n - 1",
                False,
            )
        elif len(given) == 2 and isinstance(given[0], ast.Constant) and given[0].value == 1:
            yield Fact(
                "facts.range_begins_at_one",
                node.iter.lineno,
                f"`{ast.unparse(node.iter)}` starts at 1, but Python counts from 0",
                "is index 0 left out on purpose?",
                False,
            )


def explain_counted(answer: Any, arguments: Sequence[Any]) -> Cause | None:
    """A loop that counts one axis of an argument and indexes another one, which has another length here."""
    given = dict(zip(parameters_of(answer), arguments))
    own = (function for function in _functions(answer) if function.name == getattr(answer, "__name__", ""))
    for whole in (node for function in own for node in ast.walk(function)):
        for loop in getattr(whole, "generators", [whole] if isinstance(whole, ast.For) else []):
            name, counted = _counted(loop.iter)
            shape = getattr(given.get(name), "shape", ())
            if not isinstance(loop.target, ast.Name) or not -len(shape) <= counted < len(shape):
                continue
            counted %= len(shape)
            used = {axis for axis in _axes_indexed(whole, name, loop.target.id) if axis < len(shape)}
            if len(used) == 1 and shape[axis := used.pop()] != shape[counted]:
                return Cause(
                    "facts.range_of_another_axis",
                    f"`{ast.unparse(loop.iter)}` in line {loop.iter.lineno} counts axis {counted} of `{name}`, here {shape[counted]}; "
                    f"`{loop.target.id}` is an index of axis {axis}, here {shape[axis]}",
                    f"count the axis that you index: `{name}.shape[{axis}]`",
                )
    return None


def _counted(node: ast.expr) -> tuple[str, int]:
    """The array and the axis that `range` counts: `range(len(x))`, `range(x.shape[1])`."""
    match node:
        case ast.Call(func=ast.Name(id="range"), args=[ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)])]):
            return name, 0
        case ast.Call(func=ast.Name(id="range"), args=[ast.Subscript(value=ast.Attribute(value=ast.Name(id=name), attr="shape"), slice=index)]):
            with contextlib.suppress(ValueError):
                return name, int(ast.literal_eval(index))
    return "", 0


def _axes_indexed(node: ast.AST, array: str, counter: str) -> Iterator[int]:
    """The axes of an array that a counter is an index of."""
    for part in ast.walk(node):
        if isinstance(part, ast.Subscript) and isinstance(part.value, ast.Name) and part.value.id == array:
            indices = part.slice.elts if isinstance(part.slice, ast.Tuple) else [part.slice]
            if any(isinstance(index, ast.Constant) for index in indices):  # `...` and `None`, which move the others
                continue
            for axis, index in enumerate(indices):
                first = index.lower if isinstance(index, ast.Slice) else index.elts[0] if isinstance(index, ast.List) and index.elts else index
                if isinstance(first, ast.Name) and first.id == counter:
                    yield axis


def explain_keys(answer: Any, arguments: Sequence[Any]) -> Cause | None:
    """Items of an argument, a tensor, that are looked up in a dict or a set of the answer's own."""
    tensors = {name for name, value in zip(parameters_of(answer), arguments) if hasattr(value, "detach") and value.ndim}
    for function in _functions(answer) if tensors else ():
        items = {name for loop in ast.walk(function) if isinstance(loop, (ast.For, ast.comprehension)) for name in _items_of(loop, tensors)}
        tables = {name for name, value in given_once(function).items() if _is_table(value)}
        for node in ast.walk(function):
            match node:
                case ast.Compare(left=key, ops=[ast.In() | ast.NotIn()], comparators=[ast.Name(id=table)]):
                    pass
                case ast.Subscript(value=ast.Name(id=table), slice=key):
                    pass
                case ast.Call(func=ast.Attribute(value=ast.Name(id=table), attr="get" | "setdefault" | "add" | "pop"), args=[key, *_]):
                    pass
                case _:
                    continue
            if table in tables and _is_item(key, items, tensors):
                return Cause(
                    "facts.tensor_as_key",
                    f"in line {node.lineno}, `{ast.unparse(key)}` is a tensor, and `{table}` tells tensors apart by which object they are, not by "
                    "their value: an equal one is never found",
                    "use numbers as keys: `.tolist()` of the argument, or `int(...)` of an item",
                )
    return None


def _items_of(loop: ast.For | ast.comprehension, tensors: set[str]) -> list[str]:
    """The names that stand for items of a tensor: in `for x in tensor` and `for i, x in enumerate(tensor)`."""
    match loop.target, loop.iter:
        case ast.Name(id=name), ast.Name(id=given):
            pass
        case ast.Tuple(elts=[_, ast.Name(id=name)]), ast.Call(func=ast.Name(id="enumerate"), args=[ast.Name(id=given), *_]):
            pass
        case _:
            return []
    return [name] if given in tensors else []


def _is_item(key: ast.expr, items: set[str], tensors: set[str]) -> bool:
    match key:
        case ast.Name(id=name):
            return name in items
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Name() | ast.Constant() | ast.BinOp() | ast.UnaryOp()):
            return name in tensors
    return False


def _is_table(value: ast.expr) -> bool:
    """Whether an expression makes a dict or a set."""
    return isinstance(value, (ast.Dict, ast.DictComp, ast.SetComp)) or called(value) in ("dict", "set", "defaultdict", "Counter", "OrderedDict")


LOOPS: tuple[Callable[[Node], Iterator[Fact]], ...] = (returns, same_object, running_totals, only_the_last)


def arguments(function: Node) -> Iterator[Fact]:
    """An argument that nothing reads, or that gets another value before anything has read it."""
    names = [argument.arg for argument in [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]]
    for name in names:
        uses = [part for part in ast.walk(function) if isinstance(part, ast.Name) and part.id == name]
        if name == "self" or name.startswith("_"):
            continue
        if not any(isinstance(part.ctx, ast.Load) for part in uses):
            yield Fact(
                UNUSED,
                function.lineno,
                f"no line uses the argument `{name}`",
                f"what does the card use `{name}` for?",
                False,
            )
            continue
        first = min(uses, key=lambda part: (part.lineno, part.col_offset))
        for node in function.body:
            if isinstance(node, ast.Assign) and first in node.targets and name not in names_in(node.value):
                yield Fact(
                    "facts.argument_overwritten_unread",
                    node.lineno,
                    f"`{ast.unparse(node)}` gives the argument `{name}` a new value before any line has used it",
                    f"remove that line: `{name}` already has its value",
                )


def loops_over_arguments(function: Node) -> Iterator[Fact]:
    """`for n in ...` where `n` is an argument that a line behind the loop reads."""
    names = {argument.arg for argument in function.args.args} - {"self"}
    for loop in loops_of(function):
        for name in sorted(names_in(loop.target, ast.Store) & names) if isinstance(loop, ast.For) else ():
            later = [part for part in ast.walk(function) if isinstance(part, ast.Name) and part.id == name and part.lineno > (loop.end_lineno or 0)]
            if later and isinstance(later[0].ctx, ast.Load) and name not in names_in(loop.iter):
                yield Fact(
                    "facts.argument_taken_by_loop",
                    loop.lineno,
                    f"`{head_of(loop)}` gives the argument `{name}` other values, and behind the loop it keeps the last one",
                    f"call what the loop counts with by another name; line {later[0].lineno} needs the argument `{name}`",
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
                if isinstance(part, ast.Subscript)
                and isinstance(part.ctx, ast.Store)
                and ast.unparse(part.value) == new
                and not _is_made_anew(function, new, node, part)
            ]
            if puts and new != old:
                yield Fact(
                    "facts.alias_not_copy",
                    node.lineno,
                    f"`{ast.unparse(node)}` makes no copy: both names are the same array, so a change to `{new}` also changes `{old}`",
                    f"start with a new array: zeros, `{old}.copy()` in NumPy, `{old}.clone()` in torch",
                )


def _is_made_anew(function: Node, name: str, since: ast.stmt, part: ast.AST) -> bool:
    """Whether a name gets another value between two places, in one of the blocks that the second stands in."""
    blocks = [
        block for node in ast.walk(function) for block in (getattr(node, "body", None), getattr(node, "orelse", None)) if isinstance(block, list)
    ]
    for block in blocks:
        around = next((at for at, one in enumerate(block) if any(node is part for node in ast.walk(one))), 0)
        for one in block[:around]:
            if isinstance(one, ast.Assign) and one.lineno > since.lineno and name in map(ast.unparse, one.targets):
                return True
    return False


def overwritten(function: Node) -> Iterator[Fact]:
    """An argument that becomes the result of a product or a layer, and goes into another one afterwards."""
    names = {argument.arg for argument in function.args.args} - {"self"}
    for node in function.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id in names and _works_on(node.value, names):
            name = node.targets[0].id
            match node.value:  # `x = x + layer(x)` goes on with the sum, as a residual stream does
                case ast.BinOp(op=ast.Add(), left=left, right=right) if name in (ast.unparse(left), ast.unparse(right)):
                    continue
            later = [
                one
                for one in function.body
                if one.lineno > node.lineno and isinstance(one, (ast.Assign, ast.Return)) and one.value and _works_on(one.value, {name})
            ]
            if later:
                yield Fact(
                    "facts.argument_overwritten_then_read",
                    node.lineno,
                    f"`{ast.unparse(node)}` gives the argument `{name}` a new value, and line {later[0].lineno} uses this value as `{name}`: "
                    f"`{ast.unparse(later[0])}`",
                    "give the new value a name of its own",
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
                "facts.loop_variable_not_used",
                loop.lineno,
                f"`{head_of(loop)}` does the same in every round: no line in the loop uses `{loop.target.id}`",
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
                "facts.variable_not_used",
                node.lineno,
                f"`{ast.unparse(node)}` gives `{name}` a value, but no line uses it",
                f"which line should use `{name}`?",
                False,
            )


def swallowed(function: Node) -> Iterator[Fact]:
    """`except: pass`."""
    for node in ast.walk(function):
        if isinstance(node, ast.ExceptHandler) and len(node.body) == 1 and isinstance(node.body[0], (ast.Pass, ast.Continue)):
            yield Fact(
                "facts.exception_swallowed",
                node.lineno,
                "the `except` does nothing, so the error stays hidden",
                "remove `try` and `except`, and read the error",
                False,
            )


def tuples(function: Node) -> Iterator[Fact]:
    """A comma at the end of a line makes a tuple of one part. One in brackets is meant to be one."""
    for node in ast.walk(function):
        if (
            isinstance(node, (ast.Assign, ast.Return))
            and isinstance(node.value, ast.Tuple)
            and len(node.value.elts) == 1
            and (node.value.lineno, node.value.col_offset) == (node.value.elts[0].lineno, node.value.elts[0].col_offset)
            and (isinstance(node, ast.Return) or not isinstance(node.targets[0], ast.Tuple))
        ):
            yield Fact(
                "facts.trailing_comma_tuple",
                node.lineno,
                f"the comma at the end of `{ast.unparse(node)}` makes a tuple with one part",
                "remove the comma",
            )


FLOW: tuple[Callable[[Node], Iterator[Fact]], ...] = (tuples, aliases, loops_over_arguments, arguments, unused, overwritten, swallowed)
