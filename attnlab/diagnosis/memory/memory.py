"""What one call leaves behind for the next, and what one more call shows: the same input again, the same numbers as decimals."""

from __future__ import annotations

import ast
import copy
import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from attnlab.arrays import as_decimals, as_numpy, copied, deep_copy, same_numbers
from attnlab.diagnosis import calls, grading
from attnlab.diagnosis.cause import Cause, Diagnosis
from attnlab.diagnosis.evidence import Evidence, is_expected, parts_of
from attnlab.diagnosis.memory.made import explain_cut_off
from attnlab.diagnosis.results.form import is_same, same_value
from attnlab.diagnosis.text.source import cell_of, codes_of, functions_of, globals_of, tree_of
from attnlab.reference import Case

EMPTY = {"list": list, "dict": dict, "set": set}
LONGEST = 40  # characters of a value
FEW = 10  # its entries
INSIDE = "make it inside the function, so that every call starts with a new one"
IN_OBJECTS = "make it in `__init__`, as `self.{name} = ...`, so that every object starts with a new one"


@dataclass
class Kept:
    """Something that was made once, and has another value by now."""

    text: str  # as it is written
    where: str
    value: Any
    first: Any
    put: Callable[[Any], None]
    get: Callable[[], Any]
    instead: str  # what to do


def explain_kept(answer: Any, ask: Callable[[], Any], same: Callable[[Any, Any], bool], before: Any) -> Cause | None:
    """What an earlier call left behind, when the same call without it gives another result, and the call itself leaves something.

    Args:
        answer: the learner's function or class.
        ask: makes the call.
        same: whether two results are one; False for what cannot be compared.
        before: the result of the call as it was.
    """
    kept = list(_kept(answer))
    if not kept:
        return None
    first, left = _ask_as_at_first(kept, ask)
    second, _ = _ask_as_at_first(kept, ask)
    if not left or not same(first, second) or same(first, before):  # another cell changes it; chance; no matter
        return None
    one = left[0]
    value = "" if type(one.value).__module__ == "__main__" or (hasattr(one.value, "__len__") and len(one.value) > FEW) else repr(one.value)
    now = f", now `{value}`" if 0 < len(value) <= LONGEST else ""
    return Cause(
        "memory.kept_between_calls",
        f"`{one.text}`{one.where} is made only once and keeps its contents between calls{now}; "
        "without what earlier calls left in it, this call gives a different result",
        one.instead,
    )


def _ask_as_at_first(kept: list[Kept], ask: Callable[[], Any]) -> tuple[Any, list[Kept]]:
    """The result of a call that finds everything as at first, None where it raises; and what the call has put into."""
    for one in kept:
        one.put(copy.deepcopy(one.first))
    try:
        result = ask()
        return result, [one for one in kept if _is_other(one.first, one.get())]
    except Exception:  # an exception is told as it was
        return None, []
    finally:
        for one in kept:
            one.put(one.value)


def _is_other(first: Any, value: Any) -> bool:
    try:
        return type(first) is not type(value) or bool(first != value)
    except Exception:  # arrays inside: they were not there at first
        return True


def _kept(answer: Any) -> Iterator[Kept]:
    for function in (*functions_of(answer), *_helpers(answer)):
        if isinstance(function, types.FunctionType):
            yield from _defaults(function)
    yield from _variables(answer)


def _helpers(answer: Any) -> list[Any]:
    """The other functions of the answer's own cell, which it may call."""
    held = globals_of(answer)
    return [held.get(node.name) for node in cell_of(answer).body if isinstance(node, ast.FunctionDef) and held.get(node.name) is not answer]


def _defaults(function: types.FunctionType) -> Iterator[Kept]:
    """Defaults of arguments that have a place: Python makes them once, with the `def` line."""
    line = function.__code__.co_firstlineno
    tree = next(
        (
            node
            for node in ast.walk(tree_of(function.__code__.co_filename))
            if isinstance(node, ast.FunctionDef) and min(one.lineno for one in (node, *node.decorator_list)) <= line <= node.body[0].lineno
        ),
        None,
    )
    names = [argument.arg for argument in (*tree.args.posonlyargs, *tree.args.args)] if tree else []
    values = function.__defaults__ or ()
    for place, (name, node) in enumerate(zip(names[len(names) - len(values) :], tree.args.defaults if tree else ())):

        def put(value: Any, place: int = place) -> None:
            held = list(function.__defaults__ or ())
            function.__defaults__ = (*held[:place], value, *held[place + 1 :])

        yield from _changed(
            f"{name}={ast.unparse(node)}", f" in line {node.lineno}, a default,", node, put, lambda place=place: (function.__defaults__ or ())[place]
        )


def _variables(answer: Any) -> Iterator[Kept]:
    """Variables that the answer's own cell makes beside it, or in the body of its class."""
    body = cell_of(answer).body
    read = {name for one in codes_of(answer) for name in one.co_names}
    held_outside = globals_of(answer)
    classes = [(node, held_outside.get(node.name)) for node in body if isinstance(node, ast.ClassDef)]
    inside = [(node.body, kind, partial(setattr, kind)) for node, kind in classes if isinstance(kind, type)]
    for statements, owner, put in [(body, None, held_outside.__setitem__), *inside]:
        held = held_outside if owner is None else vars(owner)
        for statement in statements:
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=node) if name in held and (owner or name in read):
                    yield from _changed(
                        f"{name} = {ast.unparse(node)}",
                        f" in line {statement.lineno}",
                        node,
                        lambda value, name=name, put=put: put(name, value),
                        lambda name=name, held=held: held[name],
                        IN_OBJECTS.format(name=name) if owner and owner is not answer else INSIDE,
                    )


def _changed(text: str, where: str, node: ast.expr, put: Callable[[Any], None], get: Callable[[], Any], instead: str = INSIDE) -> Iterator[Kept]:
    try:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in EMPTY and not node.args:
            first = EMPTY[node.func.id]()
        elif isinstance(node, ast.Call) and not node.args and not node.keywords and type(get()).__module__ == "__main__":
            first = type(get())()  # an object of a class of the learner's own
        else:
            first = ast.literal_eval(node)
    except Exception:  # no literal, or a class that makes nothing now: its first value is not known
        return
    if _is_other(first, get()):
        yield Kept(text, where, get(), first, put, get, instead)


def differs_again(evidence: Evidence, case: Case) -> Cause | None:
    """Whether one more call with the same input gives something else."""
    for one in [case] if evidence.is_shown(case) else [case, evidence.cases[0]]:
        try:
            again = evidence.ask(one)
        except Exception:  # the first call did not raise, or what it raises is told already
            return None
        if evidence.result(one) is not None and not same_value(again, evidence.result(one), one):
            if isinstance(evidence.exercise.call, calls.Module):
                return Cause(
                    "memory.modules_differ",
                    "two modules with equal parameters give different results: something is drawn at random, or is made of the parameters too early",
                    "what does `__init__` compute or keep besides the layers? What depends on parameters belongs in `forward`",
                )
            return Cause(
                "memory.not_deterministic",
                "two calls with the same input give different results: something is drawn at random, or kept between calls",
                "call your function twice in a new cell: what is there in the second call that was not there in the first?",
            )
    return None


def right_as_decimals(evidence: Evidence, case: Case) -> Cause | None:
    """Whether whole numbers come out right once they are passed in as decimals."""
    decimals = tuple(argument if _is_whole_everywhere(evidence, place) else as_decimals(argument) for place, argument in enumerate(case.arguments))
    if all(one is other for one, other in zip(decimals, case.arguments)):
        return None
    if not _is_right_with(evidence, case, decimals):  # also where whole numbers are needed, such as indices
        return None
    seen = "with the same numbers as decimals, the result is right"
    if found := explain_cut_off(evidence, case):
        words, step = found
        return Cause("memory.wrong_for_integers", f"{seen}: {words}", step)
    return Cause(
        "memory.wrong_for_integers",
        f"{seen}: a line depends on the type of the numbers; the check does not see which",
        "is an array made of whole numbers, which cuts off decimals, or are the bytes of one read as another type? `astype(float)` converts numbers",
    )


def _is_right_with(evidence: Evidence, case: Case, arguments: Sequence[Any]) -> bool:
    """Whether other arguments give what a case expects; not where they raise."""
    try:
        return same_value(evidence.ask_with(*arguments), case.expected, case)
    except Exception:
        return False


def right_with_more_digits(evidence: Evidence, case: Case) -> Cause | None:
    """Whether float32 numbers come out right once they are passed in as float64."""
    precise = [one.double() if str(getattr(one, "dtype", "")) == "torch.float32" else one for one in case.arguments]
    if all(one is other for one, other in zip(precise, case.arguments)) or not _is_right_with(evidence, case, precise):
        return None
    return Cause(
        "memory.digits_lost",
        "with the same numbers in float64, the result is right: the seven digits of float32 are not enough for what a line computes, "
        "as where two large numbers that are nearly equal are subtracted",
        "which line gets such numbers? Subtract what they have in common before you square, multiply or add up",
    )


def right_in_order(evidence: Evidence, case: Case) -> Cause | None:
    """Whether dictionaries that list their entries in another order come out right once they list them as those of the example do."""
    shown = next((list(one) for one in _dictionaries(evidence.cases[0].arguments)), [])
    if all(list(one) == shown or sorted(one) != sorted(shown) for one in _dictionaries(case.arguments)):
        return None
    if not _is_right_with(evidence, case, [_in_order(argument, shown) for argument in case.arguments]):
        return None
    return Cause(
        "memory.entries_by_their_place",
        "with the same dictionary in the order of the example, the result is right: your code takes its entries by their place, not by their names",
        "look for `.values()` or `.items()`; ask for each entry by its name: `d[name]`",
    )


def _dictionaries(given: Any) -> Iterator[dict[Any, Any]]:
    if isinstance(given, dict):
        yield given
    elif isinstance(given, (list, tuple)):
        for one in given:
            yield from _dictionaries(one)


def _in_order(given: Any, names: list[Any]) -> Any:
    if isinstance(given, dict):
        return {name: given[name] for name in names} if given.keys() == set(names) else given
    return type(given)(_in_order(one, names) for one in given) if isinstance(given, (list, tuple)) else given


def _is_whole_everywhere(evidence: Evidence, place: int) -> bool:
    """Whether an argument is whole numbers in every case, beside arrays of decimals, and so by what the exercise is: lengths, or numbers of rows."""
    given = [case.arguments for case in evidence.cases if len(case.arguments) > place]
    beside = any(hasattr(other, "dtype") and as_numpy(other).dtype.kind == "f" for arguments in given for other in arguments)
    return beside and len(given) > 1 and all(as_decimals(arguments[place]) is not arguments[place] for arguments in given)


def gives_the_same_array(evidence: Evidence, case: Case) -> Cause | None:
    """Whether a call with other numbers changes what the call before it gave."""
    one = evidence.ask(case)
    if not hasattr(one, "shape"):
        return None
    before = as_numpy(one).copy()
    evidence.ask_with(*(2 * argument + 1 if hasattr(argument, "dtype") else argument for argument in deep_copy(case.arguments)))
    if same_numbers(one, before):
        return None
    return SAME_ARRAY


def explain_called_again(evidence: Evidence, case: Case, draw: Callable[[], list[Any]]) -> Diagnosis | None:
    """What goes wrong when one call follows another: every call stands for itself.

    What has been called through copies shares no memory with anybody: then the same call once more is all there is to ask.

    Args:
        evidence: of the answer.
        case: what is asked first, and comes out right.
        draw: gives arguments of the same shapes and types, with other numbers.
    """
    is_elsewhere = grading.is_elsewhere(evidence.answer)
    if not is_elsewhere:
        _spoil(evidence.ask(case))
    second = evidence.ask(case)
    if not is_expected(second, case):
        return Diagnosis(
            f"for {case.label}, the first call is right; after somebody wrote into its result, the same call gives something else",
            "the same result as before",
            Cause(
                "memory.result_kept",
                "the function keeps the result that it returned, and returns it again",
                "compute the result anew in every call, and keep nothing",
            ),
        )
    if is_elsewhere:
        return None
    before, other = copied(second), draw()
    evidence.ask_with(*deep_copy(other))
    if not is_same(before, second):
        return Diagnosis(
            "the result of one call changes with the next call",
            "every call returns a result of its own",
            SAME_ARRAY,
        )
    given = deep_copy(case.arguments)
    if not any(hasattr(one, "shape") for one in given):  # nothing that somebody writes into
        return None
    result = evidence.ask_with(*given)
    before = copied(result)
    for mine, others in zip(given, other):
        _overwrite(mine, others)
    if not evidence.exercise.gives_views and not is_same(before, result):
        return Diagnosis(
            f"for {case.label}, the result changes when the argument is changed after the call",
            "a result that nobody else writes into",
            Cause(
                "memory.result_shares_input",
                "the result shares memory with the argument: whoever changes one of them changes the other",
                "return a new array, for example a copy: `.copy()`, in torch `.clone()`",
            ),
        )
    if not same_value(evidence.ask_with(*given), evidence.ask_with(*deep_copy(given)), case):
        return Diagnosis(
            f"for {case.label}, a call with the same array, whose numbers have changed since the first call, gives another result than with a copy",
            "the result for the numbers that stand in the array now",
            Cause(
                "memory.kept_by_identity",
                "something of an earlier call is kept and used again because the argument is the same object",
                "keep nothing between calls: compute everything from the argument",
            ),
        )
    return None


SAME_ARRAY = Cause(
    "memory.same_array_returned",
    "two calls return the same array: the second call overwrites the result of the first",
    "make a new array in every call",
)


def _spoil(result: Any) -> None:
    """Write into what a call returned, as its caller may."""
    for part in parts_of(result):
        if hasattr(part, "detach"):
            part.detach().fill_(3)
        elif isinstance(part, np.ndarray) and part.flags.writeable:
            part.fill(3)


def _overwrite(mine: Any, others: Any) -> None:
    """Put the numbers of another array into this one, where they fit."""
    if hasattr(mine, "detach") and mine.shape == others.shape:
        mine.detach().copy_(others)
    elif isinstance(mine, np.ndarray) and np.shape(mine) == np.shape(others) and mine.dtype == others.dtype:
        mine[...] = others


def changes_its_input(evidence: Evidence, case: Case) -> Cause | None:
    """Whether a call changes what is passed in, so that its own later lines read other numbers."""
    given = deep_copy(case.arguments)
    evidence.ask_with(*given)
    if all(map(is_same, case.arguments, given)):
        return None
    return Cause(
        "memory.input_changed",
        "the call changes its input, so later lines that read the input get different numbers; this check cannot tell whether that is all",
        "write into a new array, and only read from an argument; then check again",
    )
