"""One slip at a time: something is done to a whole intermediate result that the rule does not do, or steps change places."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

from authoring.variations.edits import PSEUDOCODE, SHAPES, TERM_BY_TERM
from authoring.variations.steps import LOOP, Changed, Function, blocks_of, renamed, replaced
from authoring.variations.words import named

ROWS = "the softmax is taken of the scores, once, and of nothing else"
# Of every intermediate result: the expression, what it is in words, the next step.
OF_ANY = [
    ("softmax_over({}, -1)", "a softmax is taken of {}, over each row", ROWS),
    ("softmax_over({}, -2)", "a softmax is taken of {}, down the columns", ROWS),
    ("unit_rows({})", "every row of {} is divided by its length", "leave the lengths as they are: they are part of what is compared"),
    ("centred({})", "the mean is subtracted from every row of {}", PSEUDOCODE),
    ("over_their_sum({})", "every row of {} is divided by its sum", "leave the sums as they are: only the powers of a softmax are divided by theirs"),
    ("{}.round(decimals=2)", "`round` is called on {}", "leave rounding to the printout; compute with full precision"),
    ("{}[::-1]", "the rows of {} come in the reverse order", LOOP),
    ("2 * {}", "there is a factor 2 too many, at {}", TERM_BY_TERM),
    ("abs({})", "the signs of {} are lost", TERM_BY_TERM),
    ("{} ** 2", "a square is taken of {}", TERM_BY_TERM),
]
OF_SCORES = [
    ("without_later({})", "no query looks at a later token", "this rule hides no token: take the mask away"),
    ("without_itself({})", "no query looks at its own token", "a token may look at itself: take the condition away"),
    ("-{}", "the signs of {} are turned round", TERM_BY_TERM),
    ("only_itself({})", "only the score of each token with itself is kept", "every query meets every key"),
]
OF_WEIGHTS = [
    ("all_equal({})", "every key has the same weight, so that the output is the plain mean", "use the weights that you computed"),
    ("only_the_largest({})", "only the key with the largest weight counts", "every key counts, with its weight"),
    ("over_their_sum(softmax_over(scores, -2))", "the softmax runs down the columns, and each row is then divided by its sum", ROWS),
    ("over_their_sum(scores)", "the weights are the scores divided by their sum, without powers", "take the powers with `exp` first"),
    ("scores", "the weights are the scores themselves: the softmax is missing", PSEUDOCODE),
]
NAMED_FOR_ROWS = {"without_later", "without_itself", "only_itself", "all_equal", "only_the_largest", "over_their_sum"}  # keys along the last axis
OF_COLUMNS = [
    ("unit_rows({}.T).T", "every column of {} is divided by its length", "leave the lengths as they are: they are part of what is compared"),
    ("centred({}.T).T", "the mean is subtracted from every column of {}", PSEUDOCODE),
]
CONDITIONS = [
    ("{1} != {0}", "the round of a token with itself is left out", "a token counts itself, too"),
    ("{1} <= {0}", "a loop stops at the token itself, so that later ones are left out", "the inner loop goes over all tokens"),
    ("{1} < {0}", "a loop takes only tokens before the own one", "the inner loop goes over all tokens"),
    ("{1} >= {0}", "a loop takes only the own token and later ones", "the inner loop goes over all tokens"),
    ("{1} == {0}", "only the round of each token with itself is done", "the inner loop goes over all tokens"),
]


def wrapped_steps(function: Function, parameters: set[str]) -> Iterator[Changed]:
    """Every way in which something is done to a whole intermediate result, or to what comes in, that the rule does not do."""
    if function.name == "__init__":
        return
    for name in [argument.arg for argument in function.args.args if argument.arg != "self"]:
        for expression, words, next_step in of_any(function):
            line = ast.parse(f"{name} = {expression.format(name)}").body
            yield replaced(function, function.body, 0, [*line, function.body[0]]), words.format(f"`{name}`"), next_step
    for block in blocks_of(function):
        for place, statement in enumerate(block):
            yield from _results(function, block, place, statement)
            yield from _exchanged(function, block, place, parameters)
            yield from _loops(function, block, place, statement)


def _results(function: Function, block: list[ast.stmt], place: int, statement: ast.stmt) -> Iterator[Changed]:
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]):
            what = named(ast.Name(name), set())
            if not what.startswith("the "):
                return
            known = _names_before(function, statement)
            choices = [*OF_ANY, *(OF_SCORES if name == "scores" else []), *(OF_WEIGHTS if name == "weights" else [])]
            for expression, words, next_step in _for_columns(choices) if _in_columns(function) else choices:
                if "scores" in expression and "scores" not in known:
                    continue
                line = ast.parse(f"{name} = {expression.format(name)}").body
                yield replaced(function, block, place, [statement, *line]), words.format(what), next_step
                if name != "weights" and "softmax" in expression and "scores" in _assigned(function):
                    yield _moved(function, statement, line[0]), words.format(what) + ", and none of the scores", ROWS
        case ast.Return(value=ast.Name(id=name)) if named(statement.value, set()).startswith("the "):
            for expression, words, next_step in OF_ANY:
                line = ast.parse(f"{name} = {expression.format(name)}").body
                yield replaced(function, block, place, [*line, statement]), words.format(named(statement.value, set())), next_step
        case ast.Return(value=ast.Call(args=[ast.Name(id="outputs"), *_]) | ast.BinOp(right=ast.Call(args=[ast.Name(id="outputs"), *_]))):
            for call in ast.walk(statement):
                if isinstance(call, ast.Call) and call.args and isinstance(call.args[0], ast.Name) and call.args[0].id == "outputs":
                    text = ast.unparse(statement).replace(ast.unparse(call), "interleaved(outputs)")
                    yield (
                        replaced(function, block, place, ast.parse(f"def f():\n {text}").body[0].body),
                        ("the rows of the heads are interleaved: first the first row of each head, then the second of each"),
                        SHAPES,
                    )


def _in_columns(function: Function) -> bool:
    """Whether tokens are columns: the cards call them `X` then, or `x_n`."""
    return any(argument.arg in ("X", "x_n") for argument in function.args.args)


def of_any(function: Function) -> list[tuple[str, str, str]]:
    """What may be done to any whole result of a function, for tokens in rows or in columns."""
    return _for_columns(OF_ANY) if _in_columns(function) else OF_ANY


def _for_columns(choices: list[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """What is done to rows is done to columns."""
    turned = []
    for expression, words, next_step in choices:
        function, _, rest = expression.partition("(")
        if function in NAMED_FOR_ROWS:
            expression = f"{function}({rest.removesuffix(')')}.T).T"
        if not words.startswith(("every row", "the mean is subtracted", "the softmax runs down")):
            turned.append((expression, words, next_step))
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
                words = [named(ast.Name(name), parameters) for name in (first, second)]
                if all(words):
                    yield (
                        replaced(function, block, place, [early, late], 2),
                        f"two steps are exchanged: the one that makes {words[1]} comes before the one that makes {words[0]}",
                        PSEUDOCODE,
                    )


def _loops(function: Function, block: list[ast.stmt], place: int, statement: ast.stmt) -> Iterator[Changed]:
    match statement:
        case ast.For(target=ast.Name(id=outer), body=body):
            for inner in body:
                if isinstance(inner, ast.For) and isinstance(inner.target, ast.Name):
                    for condition, words, next_step in CONDITIONS:
                        test = ast.parse(condition.format(outer, inner.target.id), mode="eval").body
                        yield replaced(function, inner.body, 0, [ast.If(test, list(inner.body), [])], len(inner.body)), words, next_step
            yield from _never_set_back(function, block, place, statement)
            if isinstance(body[0], ast.Assign) and isinstance(body[0].targets[0], ast.Name) and not _uses(body[0], outer):
                later = copy.copy(statement)
                later.body = body[1:]
                yield (
                    replaced(function, block, place, [body[0], later]),
                    "what is built up in a loop is never set back, so that each round goes on from the one before",
                    "begin anew in every round: the line that sets it to zero stands inside of the outer loop",
                )


def _uses(statement: ast.stmt, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(statement))


def _never_set_back(function: Function, block: list[ast.stmt], place: int, outer: ast.For) -> Iterator[Changed]:
    """The line that sets a total to zero in the second of three loops stands before the first."""
    match outer.body:
        case [ast.For(body=[ast.Assign(targets=[ast.Name()]) as empty, *rest]) as inner] if rest and not list(ast.walk(empty.value))[1:]:
            inside, around = copy.copy(inner), copy.copy(outer)
            inside.body = rest
            around.body = [inside]
            yield (
                replaced(function, block, place, [empty, around]),
                "what is built up in a loop is never set back, so that each round goes on from the one before",
                "begin anew for every number that is made: the line that sets it to zero stands right above the innermost loop",
            )
