"""What an exception in a learner's code says to its author. A cause is named where the exception and its place establish it."""

from __future__ import annotations

import ast
import inspect
import re
import types
from typing import Any

from attnlab import reference
from attnlab.diagnosis import grading
from attnlab.diagnosis.cause import Cause, CheckFailed, Diagnosis, unknown
from attnlab.diagnosis.exceptions.attributes import explain_attribute
from attnlab.diagnosis.exceptions.borders import explain_border
from attnlab.diagnosis.exceptions.indexing import explain_index, explain_key
from attnlab.diagnosis.exceptions.names import explain_name
from attnlab.diagnosis.exceptions.number_types import explain_number_types
from attnlab.diagnosis.exceptions.operands import EQUAL_RULE, PRODUCT_RULE, counted_axis, explain_shapes, note_operands
from attnlab.diagnosis.exceptions.refusals import explain_axis, explain_call, explain_classes, explain_own_raise, explain_recursion
from attnlab.diagnosis.exceptions.sentences import PRODUCT, SHAPES, sentence_for
from attnlab.diagnosis.exceptions.things import explain_type_error
from attnlab.diagnosis.exceptions.values import shape_of
from attnlab.diagnosis.text.facts import certain_in, explain_order, parameters_of
from attnlab.diagnosis.text.source import Place, codes_of, is_array, listed, places_of

LOOK = "fix that line: in a new cell, call your function on such an input and print every name in the line"
NOT_WRITTEN = Diagnosis(
    "the cell above still holds the line that raises NotImplementedError",
    "your code in its place",
    Cause(
        "raised.not_started",
        "you have not started yet, and that is fine",
        "open *A nudge* in the card, write a first line, run the cell, then run this check again",
    ),
    is_open=True,
)
NOT_REACHED = Diagnosis(
    "a line that raises NotImplementedError is reached",
    "your code in its place",
    Cause(
        "raised.stub_reached",
        "this exercise is not started yet, or a function that it calls is not",
        "find the cell that still holds that line, and start there",
    ),
    is_open=True,
)
ASKS = Cause(
    "raised.asks_for_input",
    "it asks whoever sits at the keyboard, and a check has nobody to ask",
    "take out the call of `input`: a function that is checked gets all that it needs as arguments",
)
LONGEST = 100
MOST_WORDS = 55  # of what was observed, the cause and the next step; a card names its input and its parts besides


def explain_error(error: Exception, answer: Any = None, uses: tuple[str, ...] = ()) -> Diagnosis:
    """What an exception inside the learner's code says to its author.

    What a grader says itself (see `grading.py`) is raised on as it is.

    Args:
        error: what was raised.
        answer: the function or class that was called, where the call itself may have been refused.
        uses: variables of the notebook that the card tells to use.
    """
    if grading.is_explained(error) or grading.is_nobodys(error):
        raise error
    if isinstance(error, CheckFailed):  # a step of the call has its own words
        return error.diagnosis
    places = places_of(error)
    if is_not_written(error):
        return _explain_not_implemented(error, answer, places)
    for one in places:
        one.outside -= {*uses}
    place = places[-1] if places else None
    said = f"{type(error).__name__}: {_message(error)}"
    if place is None:
        return _explain_call(error, said, answer)
    is_of_shapes = any(words in said for words in SHAPES)
    if is_of_shapes:
        note_operands(place)
    where = f", {place}"
    if len(places) > 1 and places[0].function != place.function:
        where += f", in `{place.function}`, called {places[0]}"
    cause = ASKS if _asks(error) else explain_order(answer) or _cause(error, places, getattr(answer, "__name__", ""))
    short = type(error).__name__
    said = short if is_of_shapes and place.told else said
    there = f"{where}; there, {place.told}" if place.told else where
    told = [f"your code raised {said}{there}", f"your code raised {said}{where}", f"your code raised {short}{where}"]
    fits = (text for text in told if len(f"{text} {cause.words} {cause.next}".split()) <= MOST_WORDS)
    return Diagnosis(next(fits, told[-1]) if cause.is_established else told[0], "", cause)


def is_not_written(error: BaseException) -> bool:
    """Whether a stub raised an exception. Libraries raise some of its kind, too: for a number type that they do not know, for `input()`."""
    return isinstance(error, NotImplementedError) and not _asks(error) and "not implemented for" not in str(error)


def _asks(error: BaseException) -> bool:
    return type(error).__name__ == "StdinNotImplementedError"


def _without_self(answer: type) -> str:
    """The name of a method whose first parameter is not `self`; "" where there is none."""
    methods = {name: value for name, value in vars(answer).items() if isinstance(value, types.FunctionType)}
    return next(
        (
            name
            for name, value in methods.items()
            if value.__code__.co_varnames[: min(1, value.__code__.co_argcount)] != ("self",) and not value.__code__.co_flags & inspect.CO_VARARGS
        ),
        "",
    )


def _unlike(own: tuple[str, ...], card: tuple[str, ...]) -> str:
    """Which names one of two lists of parameters has and the other has not."""
    more, less = [name for name in own if name not in card], [name for name in card if name not in own]
    told = [f"{listed(more)} is not on the card" if more else "", f"{listed(less)} is missing" if less else ""]
    return "".join(f"; {text}" for text in told if text)


def _message(error: BaseException) -> str:
    text = " ".join(re.sub(r", with gufunc signature \S+", "", str(error)).split())
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} …"


def _explain_not_implemented(error: NotImplementedError, answer: Any, places: list[Place]) -> Diagnosis:
    """The stub's own exception, that of another function's stub, or torch's for a module without `forward`."""
    if "forward" not in str(error):
        names = {code.co_name for code in codes_of(answer)}
        if not places:  # the call was made from elsewhere, and no line can be seen
            return NOT_REACHED
        if not names or places[-1].function in names:
            return NOT_WRITTEN
        other = places[-1].function
        return Diagnosis(
            f"your `{other}` raised NotImplementedError; it is called here, {places[0]}",
            f"your `{other}` is written first",
            Cause(
                "raised.helper_not_written",
                f"the cell of `{other}` still holds the line that raises it",
                f"write `{other}`, run its cell, then this one",
            ),
        )
    methods = own_methods(answer)
    return Diagnosis(
        "torch finds no method called `forward` in your class",
        "a class with the methods `__init__` and `forward`",
        Cause(
            "raised.forward_missing",
            f"the class has {methods}" if methods else "the method is missing, or it is outside the class",
            "name it `forward`, and give it the same indentation as `__init__`",
        ),
    )


def own_methods(answer: Any) -> str:
    """The methods that a class defines itself, for a message; "" where there are none, or where that cannot be seen."""
    return listed(name for name, value in vars(answer).items() if isinstance(value, types.FunctionType)) if isinstance(answer, type) else ""


def _explain_call(error: Exception, said: str, answer: Any) -> Diagnosis:
    """An exception that no line of the learner's raised: the call itself was refused, or a grader has no more to tell."""
    if isinstance(answer, type) and isinstance(error, TypeError) and "__init__" not in vars(answer) and own_methods(answer):
        return Diagnosis(
            f"calling the class as the card says raised {said}",
            "a class whose constructor takes what the card lists",
            Cause(
                "raised.init_missing",
                f"the class has no method `__init__`; it has {own_methods(answer)}",
                "the constructor is called `__init__`, with two `_` on each side",
            ),
        )
    if isinstance(answer, type) and isinstance(error, TypeError) and (bare := _without_self(answer)):
        return Diagnosis(
            f"calling the class as the card says raised {said}",
            "methods that take `self` first",
            Cause(
                "raised.self_parameter_missing",
                f"the first parameter of `{bare}` is not `self`, but Python passes the object there",
                f"write `def {bare}(self, ...)`",
            ),
        )
    own = parameters_of(answer)
    asked = [item.parameters for item in reference.asking_for(getattr(answer, "__name__", "")) if item.parameters]
    line = grading.line_of(error)
    is_refused = not line and isinstance(error, TypeError) and ("positional argument" in str(error) or "keyword argument" in str(error))
    if is_refused and own and asked and asked[0] != own:
        return Diagnosis(
            f"calling it as the card says raised {said}",
            f"it takes {listed(asked[0])}, as the card lists",
            Cause("raised.parameters_differ", f"your `def` takes {listed(own)}{_unlike(own, asked[0])}", "compare the two, name by name"),
        )
    if is_refused:
        return Diagnosis(
            f"calling it as the card says raised {said}",
            "a function or class that takes what the card lists, in that order",
            Cause(
                "raised.parameters_differ",
                "its parameters are not those on the card",
                "compare its `def` with the row `takes` on the card",
            ),
        )
    return Diagnosis(
        f"your code raised {said}{f', in line {line}' if line else ''}",
        "",
        sentence_for(error) or _unknown_name(error) or unknown("raised.no_line_seen", LOOK),
    )


def _unknown_name(error: Exception) -> Cause | None:
    """A name that nothing has, where no more of the code can be seen than the exception."""
    if type(error) is not NameError or not (found := re.match(r"name '(\w+)' is not defined", str(error))):
        return None
    return Cause(
        "raised.undefined_top_to_bottom",
        f"when the notebook runs from top to bottom, `{found[1]}` does not exist yet: it is not an argument, and no cell above makes it",
        "use the arguments and what you compute from them; restart the kernel and run all cells to see what a grader sees",
    )


def _cause(error: Exception, places: list[Place], exercise: str) -> Cause:
    """The most telling of what is established."""
    place, text = places[-1], str(error)
    if place.text.startswith("raise ") and not isinstance(error, TypeError):
        return explain_own_raise(place)
    if found := _by_kind(error, places, exercise):
        return found
    if "ambiguous" in text and (builtin := re.match(r"(max|min|sorted|all|any|sum)\(", place.text)):
        return Cause(
            "raised.builtin_on_array_rows",
            f"Python's own `{builtin[1]}` compares whole rows of an array, and a row has no single yes or no",
            f"use the function of NumPy or torch, with an axis if you mean one: `np.{builtin[1].replace('sorted', 'sort')}(...)`",
        )
    if "ambiguous" in text and (bare := re.fullmatch(r"(?:if|while) (?:not )?([\w.]+):?", place.text)):
        return Cause(
            "raised.truth_of_array",
            f"`{bare[1]}` is an array: a list is true when it is not empty, but an array has no single yes or no",
            f"write what you want to know: `{bare[1]} is not None`, or `len({bare[1]}) > 0`",
        )
    if found := explain_number_types(text, place):
        return found
    if any(words in text for words in SHAPES) and "dtype" not in text and "einsum" not in place.text:
        is_product = any(word in text for word in PRODUCT)
        return (
            _all_axes(place)
            or (_from_the_notebook(place) if place.outside else None)
            or certain_in(place.whole)
            or explain_shapes(place, is_product, text)
            or (PRODUCT_RULE if is_product else sentence_for(error) or _unequal(place))
        )
    if mask := _mask_taken_apart(text, place):
        return mask
    if empty := _empty(place):
        return empty
    if len(places) > 1 and places[-2].outside and reference.asking_for(place.function):  # another exercise's function did not take what it was given
        return _from_the_notebook(places[-2])
    return sentence_for(error) or certain_in(place.whole) or (_from_the_notebook(place) if place.outside else unknown("raised.not_known", LOOK))


def _unequal(place: Place) -> Cause:
    """That shapes do not fit, with an axis that is counted, where that may be the wrong one."""
    counted = counted_axis(place)
    if not counted:
        return EQUAL_RULE
    return Cause("operands.counted_axis", f"the shapes do not fit; {counted}", "which of the two axes is meant there?")


def _mask_taken_apart(text: str, place: Place) -> Cause | None:
    """An array that an index of truth values has made one row of, and that is to have its shape again."""
    if not any(words in text for words in ("cannot reshape", "is invalid for input of size")) or place.node is None:
        return None
    for node in (place.node, place.whole):
        for part in ast.walk(node) if node else ():
            if isinstance(part, ast.Subscript) and isinstance(part.slice, (ast.Compare, ast.BoolOp)) and isinstance(part.ctx, ast.Load):
                where = "" if node is place.node else f" in line {part.lineno}"
                return Cause(
                    "raised.mask_taken_apart",
                    f"`{ast.unparse(part)}`{where} is one row of entries for which `{ast.unparse(part.slice)}` holds: rows may have more or fewer",
                    "keep the shape: `np.where` puts something harmless into the other places, such as 1 before a logarithm, 0 in a sum",
                )
    return None


def _empty(place: Place) -> Cause | None:
    """An array without entries, as a slice that ends before it begins."""
    for name, value in place.held.items():
        if is_array(value) and 0 in value.shape and name.isidentifier():
            made = place.made(name)
            origin = f", from line {made.lineno}: `{ast.unparse(made)}`" if made else ""
            return Cause(
                "raised.empty_shape",
                f"`{name}` is empty, of shape {shape_of(value)}{origin}",
                "is that slice what you mean, in every round? `x[:i]` stops before `x[i]`, and a slice beyond the end is empty",
            )
    return None


def _by_kind(error: Exception, places: list[Place], exercise: str) -> Cause | None:
    """What the kind of the exception, the line and the names in it establish."""
    place = places[-1]
    if isinstance(error, NameError):
        return explain_name(error, places)
    if isinstance(error, RecursionError):
        return explain_recursion(places)
    if found := explain_axis(error, places) or explain_border(places, exercise) or explain_classes(error, place):
        return found
    if isinstance(error, AttributeError):
        return explain_attribute(error, place)
    if isinstance(error, KeyError):
        return explain_key(error, place)
    if isinstance(error, IndexError):
        return explain_index(error, place)
    found = explain_call(error, place) or explain_type_error(error, place) if isinstance(error, (TypeError, RuntimeError, ValueError)) else None
    return found or (explain_index(error, place) if isinstance(error, TypeError) else None)


def _from_the_notebook(place: Place) -> Cause:
    names = listed(sorted(place.outside))
    return Cause(
        "source.reads_notebook_variable",
        f"{names} in that line is not an argument and is not made in the function: it is a variable of the notebook",
        "in the function, use only its arguments and what you compute from them",
    )


def _all_axes(place: Place) -> Cause | None:
    """`.T` of more than a matrix."""
    for name, value in place.held.items():
        base = name.removesuffix(".T")
        if base != name and is_array(value) and len(value.shape) > 2:
            return Cause(
                "raised.transpose_of_batch",
                f"`.T` reverses all axes, including the batch: {tuple(reversed(value.shape))} becomes {tuple(value.shape)}",
                f"swap only the last two, where there are two: `{base}.transpose(-2, -1)` in torch, `np.swapaxes({base}, -2, -1)` in NumPy",
            )
    return None
