"""One slip at a time: something is done to a whole intermediate result that the rule does not do, or steps change places."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass, replace

from authoring.variations.claims import LOOP, NOTHING, Claims
from authoring.variations.claims import function as call_of
from authoring.variations.edits import SHAPES, TERM_BY_TERM
from authoring.variations.steps import BY_HAND, Changed, Function, blocks_of, renamed, replaced
from authoring.variations.wording import PSEUDOCODE, Wording, say
from authoring.variations.words import Term, code, named, step

ROWS = "take the softmax only of the scores, and only once"
LENGTHS = "does the card divide by a length anywhere? Look at every `/` and every `norm`"
ALL_TOKENS = "let the inner loop run over all tokens"


@dataclass(frozen=True)
class Doing:
    """Something that may be done to a whole intermediate result.

    Attributes:
        id: the kind of slip.
        expression: with `{}` for the result's name.
        words: what it is, with `{}` for what the result is called, if that is said.
        next: the next step.
        between: what stands between the names of several results.
        is_of_rows: whether tokens in columns need other words.
        has_keys_last: whether the function takes the keys for the last axis.
        claims: what stands in the lines then.
    """

    id: str
    expression: str
    words: str
    next: str
    between: str = " and of "
    is_of_rows: bool = False
    has_keys_last: bool = False
    claims: Claims = NOTHING


OF_ANY = [
    Doing("result.softmax_of_rows", "softmax_over({}, -1)", "a softmax of {} is taken along each row", ROWS),
    Doing("result.softmax_of_columns", "softmax_over({}, -2)", "a softmax of {} is taken down the columns", ROWS),
    Doing("result.by_length", "unit_rows({})", "every row of {} is divided by its length", LENGTHS, is_of_rows=True),
    Doing("result.centred", "centred({})", "the mean is subtracted from every row of {}", PSEUDOCODE, is_of_rows=True),
    Doing(
        "result.by_sum",
        "over_their_sum({})",
        "every row of {} is divided by its sum",
        "leave the sums as they are: only the powers in a softmax are divided by theirs",
        is_of_rows=True,
    ),
    Doing(
        "result.rounded",
        "{}.round(decimals=2)",
        "`round` is called on {}",
        "compute with full precision; round only what you print",
        between=" and ",
        claims=call_of("round"),
    ),
    Doing("result.reversed", "{}[::-1]", "the rows of {} are in reverse order", BY_HAND),
    Doing("result.doubled", "2 * {}", "there is an extra factor of 2 in {}", TERM_BY_TERM, between=" and "),
    Doing("result.absolute", "abs({})", "the absolute value of {} is taken", TERM_BY_TERM),
    Doing("result.squared", "{} ** 2", "the square of {} is taken", TERM_BY_TERM),
]
OF_SCORES = [
    Doing(
        "scores.without_later",
        "without_later({})",
        "no query looks at a later token",
        "remove the mask: this rule hides no token",
        has_keys_last=True,
    ),
    Doing(
        "scores.without_own",
        "without_itself({})",
        "no query looks at its own token",
        "remove the condition: a token may look at itself",
        has_keys_last=True,
    ),
    Doing("result.negated", "-{}", "the signs of {} are reversed", TERM_BY_TERM),
    Doing(
        "scores.only_own",
        "only_itself({})",
        "only the score of each token with itself is kept",
        "score every query against every key",
        has_keys_last=True,
    ),
]
OF_WEIGHTS = [
    Doing(
        "weights.equal",
        "all_equal({})",
        "every key has the same weight, so the output is the plain mean",
        "use the weights that you computed",
        has_keys_last=True,
    ),
    Doing(
        "weights.only_largest",
        "only_the_largest({})",
        "only the key with the largest weight counts",
        "every key counts, with its weight",
        has_keys_last=True,
    ),
    Doing(
        "weights.softmax_of_columns_by_sum",
        "over_their_sum(softmax_over(scores, -2))",
        "the softmax runs down the columns, and each row is then divided by its sum",
        ROWS,
        is_of_rows=True,
    ),
    Doing(
        "weights.scores_by_sum",
        "over_their_sum(scores)",
        "the weights are the scores divided by their sum, without powers",
        "take the powers with `exp` first",
        has_keys_last=True,
    ),
    Doing("weights.without_softmax", "scores", "the weights are the scores themselves: the softmax is missing", PSEUDOCODE),
]
OF_COLUMNS = [
    Doing("result.columns_by_length", "unit_rows({}.T).T", "every column of {} is divided by its length", LENGTHS),
    Doing("result.columns_centred", "centred({}.T).T", "the mean is subtracted from every column of {}", PSEUDOCODE),
]
CONDITIONS = [
    ("{1} != {0}", say("loop.without_own", "the round of a token with itself is skipped", next="let each token count itself, too", claims=LOOP)),
    (
        "{1} <= {0}",
        say("loop.without_later", "a loop stops at the token itself, so later ones are left out", next=ALL_TOKENS, claims=LOOP),
    ),
    ("{1} < {0}", say("loop.only_earlier", "a loop takes only the tokens before the token itself", next=ALL_TOKENS, claims=LOOP)),
    ("{1} >= {0}", say("loop.without_earlier", "a loop takes only the token itself and later ones", next=ALL_TOKENS, claims=LOOP)),
    ("{1} == {0}", say("loop.only_own", "only the round of each token with itself is run", next=ALL_TOKENS, claims=LOOP)),
]


def wrapped_steps(function: Function, parameters: set[str]) -> Iterator[Changed]:
    """Every way in which something is done to a whole intermediate result, or to what comes in, that the rule does not do."""
    if function.name == "__init__":
        return
    for name in [argument.arg for argument in function.args.args if argument.arg != "self"]:
        for doing in of_any(function):
            line = ast.parse(f"{name} = {doing.expression.format(name)}").body
            yield replaced(function, function.body, 0, [*line, function.body[0]]), done_to(doing, code(name))
    for block in blocks_of(function):
        for place, statement in enumerate(block):
            yield from _results(function, block, place, statement)
            yield from _exchanged(function, block, place, parameters)
            yield from _loops(function, block, place, statement)


def _results(function: Function, block: list[ast.stmt], place: int, statement: ast.stmt) -> Iterator[Changed]:
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]):
            if not (what := step(name)):
                return
            known = _names_before(function, statement)
            choices = [*OF_ANY, *(OF_SCORES if name == "scores" else []), *(OF_WEIGHTS if name == "weights" else [])]
            for doing in _for_columns(choices) if _in_columns(function) else choices:
                if "scores" in doing.expression and "scores" not in known:
                    continue
                line = ast.parse(f"{name} = {doing.expression.format(name)}").body
                said = done_to(doing, what)
                yield replaced(function, block, place, [statement, *line]), said
                if name != "weights" and "softmax" in doing.expression and "scores" in _assigned(function):
                    yield _moved(function, statement, line[0]), said.also("but not of the scores")
        case ast.Return(value=ast.Name(id=name)) if what := step(name):
            for doing in OF_ANY:
                line = ast.parse(f"{name} = {doing.expression.format(name)}").body
                yield replaced(function, block, place, [*line, statement]), done_to(doing, what)
        case ast.Return(value=ast.Call(args=[ast.Name(id="outputs"), *_]) | ast.BinOp(right=ast.Call(args=[ast.Name(id="outputs"), *_]))):
            for call in ast.walk(statement):
                if isinstance(call, ast.Call) and call.args and isinstance(call.args[0], ast.Name) and call.args[0].id == "outputs":
                    text = ast.unparse(statement).replace(ast.unparse(call), "interleaved(outputs)")
                    words = "the rows of the heads are interleaved: first the first row of each head, then the second of each"
                    said = say("heads.interleaved", words, next=SHAPES)
                    yield replaced(function, block, place, ast.parse(f"def f():\n {text}").body[0].body), said


def _in_columns(function: Function) -> bool:
    """Whether tokens are columns: the cards call them `X` then, or `x_n`."""
    return any(argument.arg in ("X", "x_n") for argument in function.args.args)


def of_any(function: Function) -> list[Doing]:
    """What may be done to any whole result of a function, for tokens in rows or in columns."""
    return _for_columns(OF_ANY) if _in_columns(function) else OF_ANY


def done_to(doing: Doing, *what: Term) -> Wording:
    """What it is said to be that something is done to one result, or to several."""
    return say(doing.id, doing.words.format(doing.between.join(["{}"] * len(what))), *what, next=doing.next, claims=doing.claims)


def _for_columns(choices: list[Doing]) -> list[Doing]:
    """What is done to rows is done to columns."""
    turned = []
    for doing in choices:
        if doing.has_keys_last:
            name, _, rest = doing.expression.partition("(")
            doing = replace(doing, expression=f"{name}({rest.removesuffix(')')}.T).T")
        if not doing.is_of_rows:
            turned.append(doing)
    return [*turned, *OF_COLUMNS]


def _moved(function: Function, statement: ast.stmt, line: ast.stmt) -> Function:
    """A softmax behind one statement, and the scores as weights."""
    other = copy.deepcopy(function)
    for block in blocks_of(other):
        for place in reversed(range(len(block))):
            one = block[place]
            if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name):
                if one.targets[0].id == "weights":
                    block[place] = ast.parse("weights = scores").body[0]
                elif ast.unparse(one) == ast.unparse(statement):
                    block.insert(place + 1, line)
    return other


def _assigned(function: Function) -> set[str]:
    return {target.id for node in ast.walk(function) if isinstance(node, ast.Assign) for target in node.targets if isinstance(target, ast.Name)}


def _names_before(function: Function, statement: ast.stmt) -> set[str]:
    return {
        target.id
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and node.lineno < statement.lineno
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _exchanged(function: Function, block: list[ast.stmt], place: int, parameters: set[str]) -> Iterator[Changed]:
    """Two steps change places: what the second does is done to what the first gets, and the first works on that."""
    if place + 1 >= len(block):
        return
    match block[place], block[place + 1]:
        case ast.Assign(targets=[ast.Name(id=first)], value=one), ast.Assign(targets=[ast.Name(id=second)], value=two):
            for given in sorted({node.id for node in ast.walk(one) if isinstance(node, ast.Name)} - {"np", "torch", "self"}):
                if first not in {node.id for node in ast.walk(two) if isinstance(node, ast.Name)}:
                    continue
                early = ast.Assign([ast.Name(first, ast.Store())], renamed(two, first, given))
                late = ast.Assign([ast.Name(second, ast.Store())], renamed(one, given, first))
                makes_first, makes_second = (named(ast.Name(name), parameters) for name in (first, second))
                if makes_first and makes_second:
                    words = "two steps are swapped: the one that computes {} comes before the one that computes {}"
                    yield replaced(function, block, place, [early, late], 2), say("steps.exchanged", words, makes_second, makes_first)


def _loops(function: Function, block: list[ast.stmt], place: int, statement: ast.stmt) -> Iterator[Changed]:
    match statement:
        case ast.For(target=ast.Name(id=outer), body=body):
            for inner in body:
                if isinstance(inner, ast.For) and isinstance(inner.target, ast.Name):
                    for condition, said in CONDITIONS:
                        test = ast.parse(condition.format(outer, inner.target.id), mode="eval").body
                        yield replaced(function, inner.body, 0, [ast.If(test, list(inner.body), [])], len(inner.body)), said
            yield from _never_set_back(function, block, place, statement)
            if isinstance(body[0], ast.Assign) and isinstance(body[0].targets[0], ast.Name) and not _uses(body[0], outer):
                later = copy.copy(statement)
                later.body = body[1:]
                anew = "reset it in every round: put the line that sets it to zero inside the outer loop"
                yield replaced(function, block, place, [body[0], later]), _goes_on(anew)


def _uses(statement: ast.stmt, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(statement))


def _never_set_back(function: Function, block: list[ast.stmt], place: int, outer: ast.For) -> Iterator[Changed]:
    """The line that sets a total to zero in the second of three loops stands before the first."""
    match outer.body:
        case [ast.For(body=[ast.Assign(targets=[ast.Name()]) as empty, *rest]) as inner] if rest and not list(ast.walk(empty.value))[1:]:
            inside, around = copy.copy(inner), copy.copy(outer)
            inside.body = rest
            around.body = [inside]
            anew = "reset it for every number: put the line that sets it to zero right above the innermost loop"
            yield replaced(function, block, place, [empty, around]), _goes_on(anew)


def _goes_on(anew: str) -> Wording:
    words = "what a loop builds up is never reset, so each round continues from the one before"
    return say("loop.never_set_back", words, next=anew, claims=LOOP)
