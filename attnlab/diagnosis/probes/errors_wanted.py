"""Whether an answer raises the ValueError that its card asks for, and what became of the check that it has."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from attnlab.diagnosis.cause import Cause, Diagnosis
from attnlab.diagnosis.exceptions.raised import explain_error
from attnlab.diagnosis.exceptions.values import is_tensor, known, shape_of
from attnlab.diagnosis.text.expressions import called, names_in
from attnlab.diagnosis.text.source import Place, cell_of, places_of

Function = ast.FunctionDef | ast.AsyncFunctionDef
LONGEST = 50  # characters of a condition that is shown


def raises_value_error(
    call: Callable[[], Any],
    what: str,
    next_step: str,
    answer: Any = None,
    use: Callable[[Any], Any] | None = None,
    use_another: Callable[[], Any] | None = None,
    counted: str = "",
) -> Diagnosis | None:
    """None when the call raises ValueError; else what it does, with what to do next.

    Args:
        call: something that has to be refused.
        what: is refused, in words.
        next_step: for an answer that raises nothing, or something else.
        answer: the learner's function or class, whose text may say more.
        use: calls what a constructor has made that should have refused.
        use_another: the same with one that may be made.
        counted: what the first axis of an argument counts: "sequences".
    """
    try:
        result = call()
    except ValueError:
        return None
    except NotImplementedError as error:
        return explain_error(error)
    except Exception as error:  # whatever else is raised is what has to be explained
        if "must derive from BaseException" in str(error):
            return Diagnosis(
                f"{what} raised {type(error).__name__}: {error}",
                "a ValueError",
                Cause(
                    "sentences.raise_of_non_exception",
                    "what comes after `raise` is not an exception",
                    'write `raise ValueError("...")`',
                ),
            )
        return Diagnosis(
            f"{what} raised {type(error).__name__}: {error}",
            "a ValueError",
            _explain_another(error, next_step, counted)
            or Cause("errors_wanted.other_exception_raised", "a different exception is raised, before a ValueError or in place of it", next_step),
        )
    if isinstance(result, BaseException):
        return Diagnosis(
            f"{what} returned a {type(result).__name__}",
            "a raised ValueError",
            Cause("errors_wanted.error_returned_not_raised", "`return` gives the error back as a value", "write `raise` instead of `return`"),
        )
    return Diagnosis(
        f"{what} raised nothing",
        "a ValueError",
        _explain_late(result, use, use_another, next_step)
        or _explain_unreached(answer)
        or Cause(
            "errors_wanted.value_not_checked", "the condition or the `raise` is missing, or the condition does not hold for this value", next_step
        ),
    )


def _explain_late(result: Any, use: Callable[[Any], Any] | None, use_another: Callable[[], Any] | None, next_step: str) -> Cause | None:
    """A check that stands in a method, where only a call of what the constructor has made reaches it."""
    if not use or not use_another:
        return None
    try:
        use_another()
    except Exception:  # what raises for every module is no check of this one
        return None
    try:
        use(result)
    except (ValueError, AssertionError) as error:
        places = places_of(error)
        check = _raising(places[-1], error) if places else None
    except Exception:  # the module is of no use, and something else says so
        return None
    else:
        return None
    if check is None:
        return None
    word = "`raise ValueError`" if isinstance(check, ast.Raise) else "`assert`"
    more, step = ("", "move the condition and the `raise` into `__init__`")
    if isinstance(check, ast.Assert):
        more, step = "; besides, it raises AssertionError", next_step
    where = f"the {word} in line {check.lineno} stands in `{places[-1].function}`"
    return Cause("errors_wanted.checked_by_calls_only", f"{where}: the constructor does not reach it, only a call of the module does{more}", step)


def _explain_unreached(answer: Any) -> Cause | None:
    """The only check of an answer, in a function that no line calls, or in `forward`, which no constructor reaches."""
    tree = cell_of(answer)
    functions = [node for node in ast.walk(tree) if isinstance(node, Function)]
    raising = [(_around(functions, node), node) for node in ast.walk(tree) if _is_value_error(node)]
    if not raising or len({id(function) for function, _ in raising}) > 1:
        return None
    function, check = raising[0]
    if function is None or function.decorator_list or function.name == getattr(answer, "__name__", "") or function.name.startswith("__"):
        return None
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} | {
        node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)
    }
    words = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    where = f"the `raise ValueError` in line {check.lineno} stands in `{function.name}`"
    if function.name in names | words:
        return None
    if function.name == "forward" and _tests_a_division(function, check) and not any(_calls_self(node) for node in ast.walk(tree)):
        step = "move the condition and the `raise` into `__init__`"
        return Cause("errors_wanted.checked_by_calls_only", f"{where}: the constructor does not reach it", step)
    if isinstance(answer, type) and any(hasattr(base, function.name) for base in answer.__mro__[1:]):
        return None  # a library may call it
    where_called = "in `__init__`" if isinstance(answer, type) else f"in `{getattr(answer, '__name__', '')}`"
    return Cause("errors_wanted.check_not_called", f"{where}, and no line calls `{function.name}`", f"call `{function.name}` {where_called}")


def _explain_another(error: Exception, next_step: str, counted: str) -> Cause | None:
    """Why something else is raised: the learner's own line says so, or their check is behind it, or does not hold."""
    places = places_of(error)
    match _raising(places[-1], error) if places else None:
        case ast.Assert(lineno=line):
            return Cause("errors_wanted.assert_for_raise", f"the `assert` in line {line} raises AssertionError, no ValueError", next_step)
        case ast.Raise(exc=raised, lineno=line) if raised is not None:
            name = type(error).__name__
            return Cause("errors_wanted.other_error_written", f"your own `raise` in line {line} raises {name}", "write `raise ValueError(...)` there")
    checks = [(place, check) for place in places for check in (place.whole.body if place.whole else ()) if _is_check(check)]
    if len(checks) != 1:
        return None
    place, check = checks[0]
    holds = known(check.test, place.names)
    if check.lineno > place.line:
        if not isinstance(check, ast.If) or holds is False:
            return None
        words = f"line {place.line} raises it, and the condition in line {check.lineno} comes only after it"
        return Cause("errors_wanted.checked_too_late", words, f"move the condition and its `raise` above line {place.line}")
    if (check.end_lineno or place.line) >= place.line or holds is not isinstance(check, ast.Assert) or _is_changed(place, check):
        return None
    told = [text for node in ast.walk(check.test) if isinstance(node, ast.Compare) for text in _operands(node, place, counted)]
    test = ast.unparse(check.test)
    if not told or len(test) > LONGEST:
        return None
    word = "holds here, so nothing is raised" if holds else "does not hold here"
    return Cause("errors_wanted.condition_not_met", f"`{test}` in line {check.lineno} {word}: {', '.join(dict.fromkeys(told))}", next_step)


def _operands(node: ast.Compare, place: Place, counted: str) -> Iterator[str]:
    """What the sides of a comparison are: "`len(tokens)` is 1: axis 0 counts the sequences"."""
    for side in (node.left, *node.comparators):
        value = known(side, place.names)
        if isinstance(side, ast.Constant) or not isinstance(value, (int, float)):
            continue
        yield f"`{ast.unparse(side)}` is {value}{f' (axis 0 counts the {counted})' if counted and _is_first_length(side, place) else ''}"


def _is_first_length(node: ast.expr, place: Place) -> bool:
    """Whether an expression is the length of axis 0 of an argument that has several axes."""
    match node:
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]):
            pass
        case ast.Subscript(value=ast.Attribute(value=ast.Name(id=name), attr="shape"), slice=ast.Constant(value=0)):
            pass
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="size"), args=[ast.Constant(value=0)]):
            pass
        case _:
            return False
    is_argument = place.whole is not None and name in {argument.arg for argument in place.whole.args.args} - names_in(place.whole, ast.Store)
    return is_argument and is_tensor(place.names.get(name)) and len(shape_of(place.names[name])) > 1


def _is_changed(place: Place, check: ast.If | ast.Assert) -> bool:
    """Whether a line behind a check may have changed what it compares."""
    read = names_in(check.test) | {ast.unparse(node) for node in ast.walk(check.test) if isinstance(node, ast.Attribute)}
    return any(
        isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Store) and node.lineno > check.lineno and ast.unparse(node) in read
        for node in ast.walk(place.whole or check)
    )


def _raising(place: Place, error: Exception) -> ast.Raise | ast.Assert | None:
    """The `raise` or the `assert` of the learner's that an exception comes from."""
    kinds = (ast.Raise, ast.Assert) if isinstance(error, AssertionError) else ast.Raise  # what an `assert` reads may raise, too
    nodes = ast.walk(place.whole) if place.whole else ()
    return next((node for node in nodes if isinstance(node, kinds) and node.lineno <= place.line <= (node.end_lineno or 0)), None)


def _is_check(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assert) or (isinstance(node, ast.If) and any(map(_is_value_error, node.body)))


def _is_value_error(node: ast.AST) -> bool:
    if not isinstance(node, ast.Raise) or node.exc is None:
        return False
    return "ValueError" in (called(node.exc), ast.unparse(node.exc))


def _around(functions: list[Function], node: ast.Raise) -> Function | None:
    """The innermost function around a line."""
    around = [one for one in functions if one.lineno <= node.lineno <= (one.end_lineno or 0)]
    return max(around, key=lambda one: one.lineno) if around else None


def _tests_a_division(function: Function, check: ast.Raise) -> bool:
    """Whether a `raise` stands under a condition with a remainder or a division in whole numbers."""
    tests = [node.test for node in ast.walk(function) if isinstance(node, ast.If) and any(part is check for part in ast.walk(node))]
    return any(isinstance(part, (ast.Mod, ast.FloorDiv)) for test in tests for part in ast.walk(test))


def _calls_self(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "self"
