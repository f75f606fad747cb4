"""One slip at a time: a layer is given what another layer made, in place of what came in."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

from authoring.variations.edits import WORD_BY_WORD
from authoring.variations.steps import Changed, Function, replaced
from authoring.variations.wording import say
from authoring.variations.words import code

STILL = "does every layer get the input? A name that gets a new value no longer holds it"


def chained_layers(function: Function) -> Iterator[Changed]:
    """Every way in which one layer works on the result of another one that should stand beside it."""
    own = {argument.arg for argument in function.args.args} - {"self"}
    calls = [(place, node) for place, statement in enumerate(function.body) for node in ast.walk(statement) if _layer(node, own)]
    for place, call in calls:
        rest = calls[calls.index((place, call)) + 1 :]
        if len(rest) >= 1:
            line = ast.Assign([ast.Name(call.args[0].id, ast.Store())], call)
            words = "{} is overwritten with the output of {}, and the later layers get that"
            said = say("layer.writes_over", words, code(call.args[0].id), code(call.func.attr), next=STILL)
            yield replaced(function, function.body, place, [function.body[place], line]), said
        for _, other in calls:
            if other.func.attr != call.func.attr:
                before = call.args
                call.args = [copy.deepcopy(other)]
                changed = copy.deepcopy(function)
                call.args = before
                x = code(before[0].id)
                words = "{} gets the output of {} for {}, not {} itself"
                yield changed, say("layer.chained", words, code(call.func.attr), code(other.func.attr), x, x, next=WORD_BY_WORD)


def _layer(node: ast.AST, own: set[str]) -> bool:
    """Whether it is a layer of the module, called with what came in."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self")), args=[ast.Name(id=name)]):
            return name in own
    return False
