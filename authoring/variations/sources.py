"""One slip at a time: a step works with something else than it should, such as another role's matrix, an earlier result, what a loop left over."""

from __future__ import annotations

import ast
import copy
import itertools
import re
from collections.abc import Iterator

from authoring.variations.details import TOKENS
from authoring.variations.edits import PSEUDOCODE, WORD_BY_WORD
from authoring.variations.steps import LOOP, Changed, Function, blocks_of, renamed, replaced
from authoring.variations.words import named
from authoring.variations.wraps import of_any

ROLE = re.compile(r"(?<![a-z])(?:quer(?:y|ies)|keys?|values?|[qkv])(?![a-z])|(?<=to)(?:queries|keys|values)")


def other_sources(function: Function, parameters: set[str]) -> Iterator[Changed]:
    """Every way in which a step of a function gets something else than it should."""
    if function.name == "__init__":
        return
    for block in blocks_of(function):
        yield from _roles(function, block)
        yield from _chained(function, block, parameters)
        yield from _left_over(function, block)
    last = function.body[-1]
    if isinstance(last, ast.Return) and isinstance(last.value, ast.Name):
        made = [target.id for one in function.body[:-1] if isinstance(one, ast.Assign) for target in one.targets if isinstance(target, ast.Name)]
        for name in dict.fromkeys([*(argument.arg for argument in function.args.args if argument.arg != "self"), *made]):
            what = named(ast.Name(name), parameters)
            if name != last.value.id and what:
                added = ast.Return(ast.BinOp(last.value, ast.Add(), ast.Name(name, ast.Load())))
                are = "are" if what.startswith("the ") and what.endswith("s") else "is"
                yield (
                    replaced(function, function.body, len(function.body) - 1, [added]),
                    f"{what} {are} added to the result",
                    "the card adds nothing to it at the end",
                )


def _roles(function: Function, block: list[ast.stmt]) -> Iterator[Changed]:
    """Lines that differ only in their role: each may be made as another one should be."""
    lines: dict[str, list[int]] = {}
    for place, statement in enumerate(block):
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if named(ast.Name(name), set()) and ROLE.search(name):
                lines.setdefault(ROLE.sub("·", ast.unparse(value)), []).append(place)
    for places in lines.values():
        if not 1 < len(places) < 4 or places != list(range(places[0], places[0] + len(places))):
            continue
        yield from _done_to_several(function, block, places)
        made = [statement.value for statement in block[places[0] : places[-1] + 1] if isinstance(statement, ast.Assign)]
        words = [named(target, set()) for place in places for target in getattr(block[place], "targets", [])]
        for order in itertools.product(range(len(places)), repeat=len(places)):
            if moved := [place for place, source in enumerate(order) if place != source]:
                statements = [ast.Assign(getattr(block[place], "targets", []), made[source]) for place, source in zip(places, order)]
                told = " and ".join(f"{words[place]} are made as {words[order[place]]} should be" for place in moved)
                if not words[0].endswith("s"):
                    told = told.replace(" are made", " is made")
                yield replaced(function, block, places[0], statements, len(places)), told, WORD_BY_WORD


def _done_to_several(function: Function, block: list[ast.stmt], places: list[int]) -> Iterator[Changed]:
    """Something that the rule does not do is done to the first two of the roles, or to all."""
    names = [target.id for place in places for target in getattr(block[place], "targets", []) if isinstance(target, ast.Name)]
    for several in dict.fromkeys([tuple(names[:2]), tuple(names)]):
        for expression, words, next_step in of_any(function):
            lines = [ast.parse(f"{name} = {expression.format(name)}").body[0] for name in several]
            told = words.format(" and of ".join(_called(name) for name in several) if " of {" in words else " and ".join(map(_called, several)))
            yield replaced(function, block, places[-1] + 1, lines, 0), told, next_step


def _chained(function: Function, block: list[ast.stmt], parameters: set[str]) -> Iterator[Changed]:
    """A step works on an earlier result where it should work on an argument, once or from step to step."""
    made: list[str] = []
    before: tuple[int, ast.stmt, str] | None = None
    for place, statement in enumerate(block):
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if named(ast.Name(name), set()).startswith("the "):
                arguments = {node.id for node in ast.walk(value) if isinstance(node, ast.Name) and node.id in parameters and node.id in TOKENS}
                for argument, earlier in itertools.product(sorted(arguments), made):
                    other = renamed(statement, argument, earlier)
                    words = f"{_called(name)} {_are(name)} made from {_called(earlier)} instead of `{argument}`"
                    yield replaced(function, block, place, [other]), words, PSEUDOCODE
                    if earlier != made[-1]:
                        continue
                    if before and before[0] == place - 1:
                        yield (replaced(function, block, place - 1, [before[1], other], 2), f"{before[2]}, and {words}", PSEUDOCODE)
                    before = (place, other, words)
                made.append(name)


def _called(name: str) -> str:
    return named(ast.Name(name), set())


def _are(name: str) -> str:
    return "are" if _called(name).endswith("s") else "is"


def _left_over(function: Function, block: list[ast.stmt]) -> Iterator[Changed]:
    """A list that a loop fills is asked for one entry each: the last round's is taken for all of them."""
    kept = {
        call.func.value.id: call.args[0].id
        for node in ast.walk(function)
        if isinstance(node, ast.For)
        for call in ast.walk(node)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "append"
        and isinstance(call.func.value, ast.Name)
        and call.args
        and isinstance(call.args[0], ast.Name)
    }
    for place, statement in enumerate(block):
        for node in ast.walk(statement) if not isinstance(statement, ast.For) else ():
            if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in kept:
                other = copy.deepcopy(statement)
                text = ast.unparse(other).replace(ast.unparse(node), kept[node.value.id])
                line = ast.parse(f"def f():\n {text}").body[0]
                assert isinstance(line, ast.FunctionDef)
                yield (
                    replaced(function, block, place, line.body),
                    f"{_called(kept[node.value.id])} that a loop left over, that of its last round, stands for all of them",
                    LOOP,
                )
