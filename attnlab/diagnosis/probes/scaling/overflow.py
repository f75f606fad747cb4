"""Why an answer to `smallest_overflow` is wrong: how its three numbers stand to the three right ones, and what its text says of where it ends."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import numpy as np

from attnlab.diagnosis.cause import Cause, Diagnosis
from attnlab.diagnosis.evidence import Evidence
from attnlab.diagnosis.text.facts import certain_in
from attnlab.diagnosis.text.source import source_of
from attnlab.reference import Case

TYPES = ("float16", "float32", "float64")
Numbers = dict[str, float]  # by the type's name
NEXT_WHOLE = "the card asks for a whole number whose exponential is infinite, and the one below it is still finite: which rounding always gives that?"
LARGEST: dict[str, tuple[Any, str]] = {  # what is known of a float type, and what to call it
    "the largest number of the type": (lambda info: info.max, "which n has an exponential beyond it? The logarithm leads back from it to n"),
    "the number of bits of the type": (lambda info: info.bits, "what counts is its largest number, `np.finfo(float_type).max`"),
}
BASES = (
    ("2", np.log2, "from `exp2`, `2 ** n`, `maxexp` or a logarithm to base 2, or n is doubled in every round"),
    ("10", np.log10, "from `10 ** n` or a logarithm to base 10"),
)


def explain_numbers(evidence: Evidence, case: Case) -> Cause | None:
    """The cause that the results for all three types establish; None where they establish none."""
    got = {str(one.arguments[0]): _number(evidence.result(one)) for one in evidence.cases}
    right = {str(one.arguments[0]): float(one.expected) for one in evidence.cases}
    numbers = {name: value for name, value in got.items() if value is not None}
    wrong = [name for name in TYPES if name in right and numbers.get(name) != right[name]]
    if found := _once_more(evidence):
        return found
    if len(numbers) == len(right):
        return (
            _of_another_type(numbers, right, wrong)
            or _of_the_type(numbers)
            or _of_steps(numbers, right, _doubles(evidence.answer))
            or _rounded(numbers, right)
            or _beside(numbers, right)
            or _underflow(numbers)
            or _at_an_end(evidence.answer, numbers, right, wrong)
        )
    return _at_an_end(evidence.answer, numbers, right, wrong)


def _once_more(evidence: Evidence) -> Cause | None:
    """Whether the first type gives something else when it is asked for once more."""
    first = evidence.cases[0]
    before = _number(evidence.result(first))
    try:
        after = _number(evidence.ask(first))
    except Exception:  # the first call did not raise
        return None
    if before is None or after is None or before == after:
        return None
    return Cause(
        "overflow.state_between_calls",
        f"for the same type, your function first gives {before:g} and later {after:g}: something is kept between calls",
        "start fresh in every call: a default such as `n=[0]`, or a variable outside the function, is made only once",
    )


def _number(result: Any) -> float | None:
    return float(result) if isinstance(result, (int, float, np.integer, np.floating)) and not isinstance(result, bool) else None


def _of_another_type(numbers: Numbers, right: Numbers, wrong: list[str]) -> Cause | None:
    """The right number of one type for another one."""
    owners = {value: name for name, value in right.items()}
    if len(set(numbers.values())) == 1 and (value := next(iter(numbers.values()))) in owners:
        if owners[value] == "float64":
            return Cause(
                "overflow.computed_in_float64",
                "the exponential was computed in float64",
                "convert the number to that type first: `np.dtype(float_type).type(n)`",
            )
        return Cause(
            "overflow.float_type_ignored",
            f"all three types give {value:g}, which is right for {owners[value]}: your function gives the same for every `float_type`",
            "which line uses `float_type`? Follow it by hand for another type",
        )
    told = [f'"{name}" gives the number that is right for "{owners[numbers[name]]}"' for name in wrong if numbers[name] in owners]
    if wrong and len(told) == len(wrong):
        return Cause(
            "overflow.types_mixed_up",
            "; ".join(told),
            "does `exp` really use each type? Print the type of its result, and follow each branch by hand",
        )
    return None


def _of_the_type(numbers: Numbers) -> Cause | None:
    for what, (known, next_step) in LARGEST.items():
        values = {name: float(known(np.finfo(name))) for name in numbers}
        if all(np.isclose(numbers[name], value, rtol=1e-6) for name, value in values.items()):
            return Cause("overflow.limit_of_type_itself", f"this is {what}, not a number whose exponential is beyond it", next_step)
    for extra in (1.0, -1.0):
        if all(number == float(np.finfo(name).max) + extra for name, number in numbers.items()):
            return Cause(
                "overflow.largest_number_off_by_one",
                f"this is the largest number of the type, {'plus' if extra > 0 else 'minus'} 1",
                LARGEST["the largest number of the type"][1],
            )
    return None


def _doubles(answer: Any) -> bool:
    """Whether a line doubles a name, and none asks for powers or logarithms to base 2."""
    tree = source_of(answer)
    nodes = list(ast.walk(tree)) if tree else []
    doubled = any(
        isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Mult) and isinstance(node.value, ast.Constant) and node.value.value == 2
        for node in nodes
    )
    named = {getattr(node, "attr", getattr(node, "id", "")) for node in nodes}
    return doubled and not named & {"exp2", "log2", "maxexp", "power", "pow"} and not any(isinstance(node, ast.Pow) for node in nodes)


def _of_steps(numbers: Numbers, right: Numbers, is_doubled: bool) -> Cause | None:
    """Steps that are too large: multiples of one number, or powers of one."""
    for word, logarithm, how in BASES:
        edges = {name: np.ceil(logarithm(float(np.finfo(name).max))) for name in right}
        if all(numbers[name] in (edges[name], edges[name] - 1) for name in right):
            if is_doubled and word == "2":
                return Cause(
                    "overflow.n_multiplied_each_round",
                    "these are powers of 2: n is doubled in every round, so the numbers in between are skipped",
                    "let n grow by 1, or search on between the last n and its half",
                )
            return Cause(
                "overflow.powers_of_other_base",
                f"these are the edges of the powers of {word}, not of e: {how}",
                "exp is a power of e: `np.exp`, and its inverse is `np.log`",
            )
    for factor in (3, 4, 5, 10):
        if all(numbers[name] == float(factor) ** np.ceil(np.log(edge) / np.log(factor)) for name, edge in right.items()):
            return Cause(
                "overflow.n_multiplied_each_round",
                f"these are powers of {factor}: n is multiplied in every round, so the numbers in between are skipped",
                "let n grow by 1",
            )
    fitting = [step for step in range(2, 1001) if all(numbers[name] == np.ceil(edge / step) * step for name, edge in right.items())]
    if len(fitting) == 1:
        step = fitting[0]
        return Cause(
            "overflow.steps_too_large",
            f"each of your numbers is the first multiple of {step} whose exponential is infinite: n goes in steps of {step}",
            "a smaller n may already be infinite: use steps of 1, or continue the search between the last two",
        )
    return None


def _rounded(numbers: Numbers, right: Numbers) -> Cause | None:
    """The logarithm of the largest number, brought to a whole number in another way than upwards."""
    logarithms = {name: float(np.log(float(np.finfo(name).max))) for name in right}
    if all(numbers[name] == np.round(logarithms[name]) for name in numbers):
        return Cause(
            "overflow.rounded_to_nearest",
            "your numbers are ln of the largest number, rounded to the *nearest* whole number: right where the fractional part is above one half, "
            "too small for float16, where ln is 11.09",
            NEXT_WHOLE,
        )
    if all(np.isclose(numbers[name], logarithms[name], rtol=1e-3) and numbers[name] % 1 for name in numbers):
        return Cause("overflow.logarithm_not_rounded", "this is ln of the largest number itself, which is not a whole number", NEXT_WHOLE)
    return None


def _beside(numbers: Numbers, right: Numbers) -> Cause | None:
    away = {numbers[name] - right[name] for name in right}
    if away == {-1.0}:
        return Cause("overflow.last_finite_returned", "this is the largest number whose exponential is still finite", "go one further")
    if len(away) == 1 and (one := away.pop()) and abs(one) < 4:
        return Cause(
            "overflow.off_by_constant",
            f"each of your numbers is {abs(one):g} too {'large' if one > 0 else 'small'}",
            "does n grow once more after the exponential becomes infinite, or before the first test? Follow the last two rounds by hand",
        )
    return None


def _underflow(numbers: Numbers) -> Cause | None:
    """The other side: where the exponential becomes too small."""
    for smallest, away in ((lambda info: info.tiny, 1.0), (lambda info: info.smallest_subnormal, 1.6)):
        if all(abs(number + np.log(float(smallest(np.finfo(name))))) <= away for name, number in numbers.items()):
            return Cause(
                "overflow.underflow_edge",
                "this is about where exp of *minus* n becomes too small for the type: the wrong side",
                "look for where exp of n becomes infinite",
            )
    return None


def _at_an_end(answer: Any, numbers: Numbers, right: Numbers, wrong: list[str]) -> Cause | None:
    """A number in the text at which the search ends before it reaches the edge, or from which it begins behind it."""
    if not 0 < len(wrong) < len(right):
        return None
    written = sorted(set(_numbers_in(answer)))
    for name in wrong:
        edge, got = right[name], numbers.get(name)
        others = [right[other] for other in right if other not in wrong]
        ends = [(number, text) for number, text in written if max(others) <= number <= edge]
        begins = [(number, text) for number, text in written if number > edge and got == number]
        if begins:
            return Cause(
                "overflow.search_begins_too_late",
                f'your code has the number {begins[0][0]}, in `{begins[0][1]}`, and returns it for "{name}": the search starts there, '
                "beyond the edge of that type",
                "start at 0: that is the smallest n that the card allows",
            )
        if ends and max(others) < edge and (got is None or got <= edge):
            return Cause(
                "overflow.search_ends_too_early",
                f'the edge of "{name}" is higher: your code has the number {ends[-1][0]}, in `{ends[-1][1]}`, and the search ends there',
                "continue the search until it finds the edge: a `while` loop needs no fixed end",
            )
    return None


def _numbers_in(answer: Any) -> Iterator[tuple[int, str]]:
    """The whole numbers of an answer's text that are an end of a range or the value of a name, with what they stand in."""
    tree = source_of(answer)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in ("range", "arange", "linspace"):
            parts: list[ast.AST] = [*node.args]
        elif isinstance(node, ast.Assign):
            parts = [*node.value.elts] if isinstance(node.value, ast.Tuple) else [node.value]
        elif isinstance(node, ast.Compare):
            parts = [node.left, *node.comparators]
        else:
            continue
        for part in (inner for one in parts for inner in ([one.left, one.right] if isinstance(one, ast.BinOp) else [one])):
            if isinstance(part, ast.Constant) and type(part.value) in (int, float) and part.value == int(part.value):
                yield int(part.value), ast.unparse(node)


def explain_endless(answer: Any, found: Diagnosis) -> Diagnosis | None:
    """What keeps a loop at work for ever, where the answer's text establishes it: its condition is the same before and behind the edge."""
    tree = source_of(answer)
    tests = [ast.unparse(node.test) for node in ast.walk(tree) if isinstance(node, (ast.While, ast.If))] if tree else []
    words = {ast.unparse(node.func).rpartition(".")[2] for node in ast.walk(tree) if isinstance(node, ast.Call)} if tree else set()
    ask, cause = "which test gives different answers for a finite number and for inf? Try it on `np.exp(5.0)` and `np.exp(1000.0)`", None
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Is, ast.IsNot)) and "inf" in ast.unparse(node):
            why = f"`{ast.unparse(node)}` compares objects, not numbers: each infinite result is an object of its own"
            cause = Cause("overflow.compares_objects", why, ask)
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Eq, ast.NotEq)) and "nan" in ast.unparse(node):
            why = f"`{ast.unparse(node)}` compares with nan, and nothing is equal to nan, not even nan"
            cause = Cause("overflow.equal_to_nan", why, ask)
    if not cause and (nan := [test for test in tests if "isnan(" in test]):
        cause = Cause("overflow.asks_for_nan", f"`{nan[0]}` tests for nan, but an exponential that is too large becomes inf, never nan", ask)
    if not cause and tests and not any(word.startswith(("exp", "log", "pow")) for word in words) and not any("**" in test for test in tests):
        cause = Cause(
            "overflow.no_exponential",
            f"no line takes an exponential: `{tests[0]}` tests n itself, which stays finite",
            "test whether the exponential of n is finite, not n",
        )
    function = next((node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)), None) if tree else None
    cause = cause or certain_in(function)
    return found.with_cause(cause) if cause else None
