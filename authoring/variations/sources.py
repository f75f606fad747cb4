"""One slip at a time: a step works with something else than it should, such as another role's matrix, an earlier result, what a loop left over."""

from __future__ import annotations

import ast
import copy
import itertools
import re
from collections.abc import Iterator

from authoring.variations.claims import LOOP
from authoring.variations.details import TOKENS
from authoring.variations.edits import WORD_BY_WORD
from authoring.variations.steps import BY_HAND, Changed, Function, blocks_of, renamed, replaced
from authoring.variations.wording import Wording, say
from authoring.variations.words import ROLES, Term, code, named, step
from authoring.variations.wraps import done_to, of_any

ROLE = re.compile(r"(?<![a-z])(?:quer(?:y|ies)|keys?|values?|[qkv])(?![a-z])|(?<=to)(?:queries|keys|values)")


def other_sources(function: Function, parameters: set[str]) -> Iterator[Changed]:
    """Every way in which a step of a function gets something else than it should."""
    if function.name == "__init__":
        return
    for block in blocks_of(function):
        yield from _roles(function, block)
        yield from _chained(function, block, parameters)
        yield from _left_over(function, block)
        yield from _features(function, block, parameters)
    yield from _one_part(function, parameters)
    last = function.body[-1]
    if isinstance(last, ast.Return) and isinstance(last.value, ast.Name):
        made = [target.id for one in function.body[:-1] if isinstance(one, ast.Assign) for target in one.targets if isinstance(target, ast.Name)]
        for name in dict.fromkeys([*(argument.arg for argument in function.args.args if argument.arg != "self"), *made]):
            what = named(ast.Name(name), parameters)
            if name != last.value.id and what:
                added = ast.Return(ast.BinOp(last.value, ast.Add(), ast.Name(name, ast.Load())))
                said = say(
                    "result.and_more",
                    f"{{}} {what.are} added to the result",
                    what,
                    next="the card does not add that: what do your sums start from, and what do you add at the end?",
                )
                yield replaced(function, function.body, len(function.body) - 1, [added]), said


def _roles(function: Function, block: list[ast.stmt]) -> Iterator[Changed]:
    """Lines that differ only in their role: each may be made as another one should be."""
    lines: dict[str, list[int]] = {}
    for place, statement in enumerate(block):
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if named(ast.Name(name)) and ROLE.search(name):
                lines.setdefault(ROLE.sub("·", ast.unparse(value)), []).append(place)
    for places in lines.values():
        if not 1 < len(places) < 4 or places != list(range(places[0], places[0] + len(places))):
            continue
        yield from _done_to_several(function, block, places)
        made = [statement.value for statement in block[places[0] : places[-1] + 1] if isinstance(statement, ast.Assign)]
        terms = [named(target) for place in places for target in getattr(block[place], "targets", [])]
        for order in itertools.product(range(len(places)), repeat=len(places)):
            if moved := [place for place, source in enumerate(order) if place != source]:
                statements = [ast.Assign(getattr(block[place], "targets", []), made[source]) for place, source in zip(places, order)]
                words = " and ".join(f"{{}} {terms[0].are} computed as {{}} should be" for _ in moved)
                told = [term for place in moved for term in (terms[place], terms[order[place]])]
                yield replaced(function, block, places[0], statements, len(places)), say("role.instead", words, *told, next=WORD_BY_WORD)


def _done_to_several(function: Function, block: list[ast.stmt], places: list[int]) -> Iterator[Changed]:
    """Something that the rule does not do is done to the first two of the roles, or to all."""
    names = [target.id for place in places for target in getattr(block[place], "targets", []) if isinstance(target, ast.Name)]
    for several in dict.fromkeys([tuple(names[:2]), tuple(names)]):
        for doing in of_any(function):
            lines = [ast.parse(f"{name} = {doing.expression.format(name)}").body[0] for name in several]
            yield replaced(function, block, places[-1] + 1, lines, 0), done_to(doing, *(named(ast.Name(name)) for name in several))


def _chained(function: Function, block: list[ast.stmt], parameters: set[str]) -> Iterator[Changed]:
    """A step works on an earlier result where it should work on an argument, once or from step to step."""
    made: list[str] = []
    before: tuple[int, ast.stmt, Wording] | None = None
    for place, statement in enumerate(block):
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if what := step(name):
                arguments = {node.id for node in ast.walk(value) if isinstance(node, ast.Name) and node.id in parameters and node.id in TOKENS}
                for argument, earlier in itertools.product(sorted(arguments), made):
                    other = renamed(statement, argument, earlier)
                    said = say("step.chained", f"{{}} {what.are} computed from {{}} instead of {{}}", what, step(earlier), code(argument))
                    yield replaced(function, block, place, [other]), said
                    if earlier != made[-1]:
                        continue
                    if before and before[0] == place - 1:
                        yield replaced(function, block, place - 1, [before[1], other], 2), before[2].and_then(said)
                    before = (place, other, said)
                made.append(name)


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
                left = named(ast.Name(kept[node.value.id]))
                words = "{} from the last round of a loop is used for all rounds"
                yield replaced(function, block, place, line.body), say("loop.left_over", words, left, next=BY_HAND, claims=LOOP)


def _features(function: Function, block: list[ast.stmt], parameters: set[str]) -> Iterator[Changed]:
    """Features are taken for tokens: what is compared and mixed is transposed before, and outputs are transposed after it."""
    made = {
        target.id: place for place, one in enumerate(block) if isinstance(one, ast.Assign) for target in one.targets if isinstance(target, ast.Name)
    }
    roles, begin = ROLES[:3], max(made.get(role, len(block)) for role in ROLES[:3]) + 1
    if begin > len(block):
        roles, begin = next((names for names in (("q", "k", "v"), ("x",)) if parameters >= {*names}), ()), 0
    if not roles or (begin == 0 and block is not function.body):
        return
    turned = _Turned({"weights", roles[-1]})
    rest = [turned.visit(copy.deepcopy(one)) for one in block[begin:]]
    line = ast.parse("\n".join(f"{name} = {name}.mT" for name in roles)).body
    words = "features are taken for tokens: each score compares two features over all tokens"
    said = say("tokens.features", words, next="which axis counts the tokens? There is one score for each pair of tokens")
    for at in (0, *(place + 1 for place, one in enumerate(rest) if _is_length(one))) if turned.found else ():
        yield replaced(function, block, begin, [*rest[:at], *line, *rest[at:]], len(rest)), said


def _is_length(statement: ast.stmt) -> bool:
    """Whether it reads a length off a shape."""
    match statement:
        case ast.Assign(value=ast.Subscript(value=ast.Attribute(attr="shape"))):
            return True
    return False


class _Turned(ast.NodeTransformer):
    """Transposes every matrix product of two names, and remembers whether there was one."""

    def __init__(self, names: set[str]):
        self._names, self.found = names, False

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.MatMult) or {getattr(side, "id", "") for side in (node.left, node.right)} != self._names:
            return node
        self.found = True
        return ast.Attribute(node, "mT", ast.Load())


def _one_part(function: Function, parameters: set[str]) -> Iterator[Changed]:
    """What is joined of two parts is multiplied by a matrix; some of these products take one part alone, and its rows of the matrix."""
    for statement in function.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(args=[ast.List(elts=[ast.Name(id=first), ast.Name()]) as parts, *_])) if (
                first in parameters
            ):
                products = _products_with(function, name)
            case _:
                continue
        for count in range(1, len(products) + 1):
            for several in itertools.combinations(products, count):
                for number, part in enumerate((code(first), Term("the part beside {}", f"`{first}`"))):
                    for _, values, place, product in several:
                        values[place] = ast.Call(ast.Name("of_one_part", ast.Load()), [parts, ast.Constant(number), product.right], [])
                    changed = copy.deepcopy(function)
                    for _, values, place, product in several:
                        values[place] = product
                    words = f"{' and '.join('{}' for _ in several)} are computed from {{}} alone, not from both parts that are joined"
                    next_step = "how many rows do the matrices have? All that is joined is multiplied by them"
                    yield changed, say("part.alone", words, *(Term(f"the later {role}") for role, *_ in several), part, next=next_step)


def _products_with(function: Function, name: str) -> list[tuple[str, list[ast.expr], int, ast.BinOp]]:
    """The products of a name with a matrix that are queries, keys and values, by their roles, and where they stand."""
    found = []
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                for place, (target, value) in enumerate(zip(targets, values)):
                    match value:
                        case ast.BinOp(left=ast.Name(id=left), op=ast.MatMult()) if left == name and (role := ROLE.search(ast.unparse(target))):
                            found.append((role[0], values, place, value))
    return found
