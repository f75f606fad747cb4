"""Single expressions in an answer's text that do something else than they seem to: what binds first, and what is one and the same object."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from attnlab.diagnosis.cause import Cause, unknown


@dataclass(frozen=True)
class Fact:
    """What stands in a line and what it does.

    Attributes:
        id: of the cause that it is.
        line: its number in the cell.
        said: "`...` is read as `...`", to stand behind "in line 3, ".
        next: what to do.
        is_certain: whether no right answer would have it.
    """

    id: str
    line: int
    said: str
    next: str
    is_certain: bool = True

    def as_cause(self) -> Cause:
        """The cause that it is; a hint where it is not certain."""
        if self.is_certain:
            return Cause(self.id, f"in line {self.line}, {self.said}", self.next)
        return unknown(self.id, self.next, f"look first at line {self.line}: {self.said}")


Node = ast.FunctionDef | ast.AsyncFunctionDef


def is_number(node: ast.AST) -> bool:
    return (isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool)) or (
        isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and is_number(node.operand)
    )


def called(call: ast.AST) -> str:
    """What is called, without what stands before the dot."""
    if not isinstance(call, ast.Call):
        return ""
    return call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id if isinstance(call.func, ast.Name) else ""


def given_once(tree: ast.AST) -> dict[str, ast.expr]:
    """The names that nothing but one `name = value` gives a value, each with it."""
    stores = Counter(node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    return {
        target.id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and stores[target.id] == 1
    }


def powers(function: Node) -> Iterator[Fact]:
    """`d ** 1 / 2`: the power binds tighter than the division."""
    for node in ast.walk(function):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and isinstance(node.left, ast.BinOp) and isinstance(node.left.op, ast.Pow):
            is_root = is_number(node.left.right) and abs(ast.literal_eval(node.left.right)) == 1 and is_number(node.right)
            is_open = not is_number(node.left.right) and is_number(node.left.left)  # `10000 ** i / k`
            if (is_root or is_open) and not _bracketed(node.left, node):
                read, meant = f"({ast.unparse(node.left)}) / {ast.unparse(node.right)}", _meant(node)
                yield Fact(
                    "expressions.python_reads_power_binds",
                    node.lineno,
                    f"Python reads `{ast.unparse(node)}` as `{read}`: a power binds tighter than a division",
                    f"brackets around the exponent: `{meant}`",
                    is_root,
                )
        if (
            isinstance(node, ast.BinOp)
            and isinstance(node.op, ast.Div)
            and isinstance(node.left, ast.BinOp)
            and isinstance(node.left.op, (ast.Div, ast.Mult))
        ):
            power = node.left.right
            if (
                isinstance(power, ast.BinOp)
                and isinstance(power.op, ast.Pow)
                and is_number(node.right)
                and is_number(power.right)
                and abs(ast.literal_eval(power.right)) == 1
                and not _bracketed(node.left, node)
            ):
                yield Fact(
                    "expressions.python_reads_power_binds_2",
                    node.lineno,
                    f"Python reads `{ast.unparse(node)}` as `({ast.unparse(node.left)}) / {ast.unparse(node.right)}`: "
                    f"a power binds tighter than a division, so `{ast.unparse(power)}` is no root",
                    f"brackets around the exponent: `{ast.unparse(power.left)} ** ({ast.unparse(power.right)} / {ast.unparse(node.right)})`",
                )
        if (
            isinstance(node, ast.BinOp)
            and isinstance(node.op, (ast.Add, ast.Sub))
            and isinstance(node.right, ast.BinOp)
            and isinstance(node.right.op, ast.Mod)
            and is_number(node.right.left)
        ):
            yield Fact(
                "expressions.python_reads_binds_like",
                node.lineno,
                f"Python reads `{ast.unparse(node)}` as `{ast.unparse(node.left)} {'+' if isinstance(node.op, ast.Add) else '-'} "
                f"({ast.unparse(node.right)})`: `%` binds like a division",
                "put brackets around what is to be divided: `(... + ...) % n`",
            )
        if (
            isinstance(node, ast.BinOp)
            and isinstance(node.op, ast.BitXor)
            and any(map(is_number, ast.walk(node)))
            and not any(isinstance(part, ast.Compare) for part in ast.walk(node))
        ):
            yield Fact(
                "expressions.power_compares_binary_digits",
                node.lineno,
                f"`{ast.unparse(node)}` is no power: `^` compares the binary digits of whole numbers",
                "a power is written `**`",
            )


def _bracketed(left: ast.BinOp, whole: ast.BinOp) -> bool:
    """Whether brackets stand around the power already, as somebody writes who knows."""
    return left.col_offset != whole.col_offset or left.lineno != whole.lineno


def _meant(node: ast.BinOp) -> str:
    left = node.left
    assert isinstance(left, ast.BinOp)
    return f"{ast.unparse(left.left)} ** ({ast.unparse(left.right)} / {ast.unparse(node.right)})"


def choices(function: Node) -> Iterator[Fact]:
    """`variant == "a" or "b"`, and `axis or -1`."""
    for node in ast.walk(function):
        if not isinstance(node, ast.BoolOp):
            continue
        constants = [part for part in node.values if isinstance(part, ast.Constant) and not isinstance(part.value, bool)]
        if constants and isinstance(node.op, ast.Or) and any(isinstance(part, ast.Compare) for part in node.values) and constants[0].value:
            yield Fact(
                "expressions.true_everything_alone_counts",
                node.lineno,
                f"`{ast.unparse(node)}` is true for everything: `{ast.unparse(constants[0])}` alone counts as true",
                "compare on both sides of `or`, or write `in (..., ...)`",
            )
        elif (
            isinstance(node.op, ast.Or)
            and isinstance(node.values[0], ast.Name)
            and len(constants) == 1 == len(node.values) - 1
            and constants[0].value != 0
        ):
            name = node.values[0].id
            yield Fact(
                "expressions.also_since_counts_false",
                node.lineno,
                f"`{ast.unparse(node)}` is `{ast.unparse(constants[0])}` also when `{name}` is 0, since 0 counts as false",
                f"ask `if {name} is None`",
            )
        compared = [
            part
            for part in node.values
            if isinstance(part, ast.Compare)
            and len(part.ops) == 1
            and isinstance(part.ops[0], ast.NotEq)
            and isinstance(part.comparators[0], ast.Constant)
        ]
        if (
            isinstance(node.op, ast.Or)
            and len(compared) == len(node.values)
            and len({ast.unparse(part.left) for part in compared}) == 1
            and len({ast.unparse(part.comparators[0]) for part in compared}) > 1
        ):
            yield Fact(
                "expressions.true_everything_nothing_equal",
                node.lineno,
                f"`{ast.unparse(node)}` is true for everything: nothing is equal to both",
                "write `and`, or `not in (..., ...)`",
            )


def generators(function: Node) -> Iterator[Fact]:
    """`np.array(... for ...)` holds the generator itself."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and called(node) in ("array", "asarray") and node.args and isinstance(node.args[0], ast.GeneratorExp):
            yield Fact(
                "expressions.given_generator_numpy_keeps",
                node.lineno,
                f"`{ast.unparse(node.func)}(... for ...)` is given a generator, and NumPy keeps that itself, as one single entry",
                "make a list of it: square brackets around `... for ...`",
            )


def copies(function: Node) -> Iterator[Fact]:
    """`[[0] * k] * T` and `[Linear(...)] * 3`: one object several times."""
    made = {
        target.id
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and called(node.value)[:1].isupper()
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(function):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            for part in (node.left, node.right):
                if (
                    isinstance(part, ast.List)
                    and len(part.elts) == 1
                    and (
                        isinstance(part.elts[0], (ast.List, ast.ListComp, ast.Dict))
                        or _is_list_times(part.elts[0])
                        or called(part.elts[0])[:1].isupper()
                        or (isinstance(part.elts[0], ast.Name) and part.elts[0].id in made)
                    )
                ):
                    yield Fact(
                        "expressions.holds_same_object_several",
                        node.lineno,
                        f"`{ast.unparse(node)}` holds one and the same object several times: a change in one place is a change in all",
                        "make a new one each time: `[... for _ in range(...)]`",
                    )
        if isinstance(node, ast.Assign) and len(node.targets) > 1 and isinstance(node.value, (ast.Call, ast.List, ast.BinOp)):
            names = [ast.unparse(target) for target in node.targets]
            if any(name.startswith("self.") for name in names) or _changed(function, names):
                told = " and ".join(f"`{name}`" for name in names)
                yield Fact(
                    "expressions.two_names_same_object",
                    node.lineno,
                    f"{told} are two names for one and the same object: a change of one is a change of the other",
                    "make each in a line of its own",
                )


def _is_list_times(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and any(isinstance(part, ast.List) for part in (node.left, node.right))


def _changed(function: Node, names: list[str]) -> bool:
    """Whether a part of one of the arrays is assigned, or one is changed in place."""
    for node in ast.walk(function):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and ast.unparse(node.value) in names:
            return True
        if isinstance(node, ast.AugAssign) and ast.unparse(node.target) in names:
            return True
    return False


EXPRESSIONS: tuple[Callable[[Node], Iterator[Fact]], ...] = (choices, powers, generators, copies)
