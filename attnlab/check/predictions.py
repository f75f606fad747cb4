"""Questions that are answered with a choice: predictions, which `reveal` answers, and questions of clinics, which are graded later.

Values are read in a plain form: `np.int64(3)` and `3.0` are 3, `[2, 3]` is the shape `(2, 3)`. What is refused is told why.
"""

from __future__ import annotations

import re
import sys
from reprlib import Repr
from typing import Any

from attnlab import history, reference
from attnlab.check import session, undefined
from attnlab.check.cards import card, in_html, tell
from attnlab.check.other_ways import folded, other_ways
from attnlab.diagnosis.cause import Cause, CheckFailed, Diagnosis, wrapped
from attnlab.reference import Prediction

SHAPE = "a tuple of whole numbers such as (2, 3)"
BRACKETS = {list: "a list", tuple: "a tuple", set: "a set", frozenset: "a set"}
QUOTES = f"\"'`{history.TYPOGRAPHIC}"
NO_SHAPE = Cause(
    "predictions.neither_tuple_nor_list", "it is neither a tuple nor a list of numbers", "write the size of every axis, in round brackets"
)
_short = Repr()
_short.maxstring = _short.maxother = 60
_short.maxtuple = _short.maxlist = 12


def choice(exercise: str, value: Any, *choices: Any) -> None:
    """Check that a question which is graded later has been answered with one of the choices, and note the answer.

    A question may ask for several answers; progress counts it once one cell has noted them all.

    Raises:
        CheckFailed: as `prediction`.
    """
    try:
        _refuse_outdated(exercise, value, choices, "answer")
        noted = _noted(value, choices, "answer", "choose the one that you can give a reason for; it is graded after you hand in")
    except CheckFailed:
        session.untouched(exercise)
        raise
    ways = folded(other_ways(exercise)[:1], "You learn alone? The answer") if session.answered(exercise) else ""
    said = f"noted: you answer {_short.repr(noted)}. It is graded after you hand in; nothing here says whether it is right."
    tell(f"<div>{in_html(said)}</div>{ways}", said)


def reveal(name: str) -> None:
    """Answer a prediction once it was made: what you said, what it is, and why. Until then the cell ends here, and shows nothing.

    Args:
        name: the prediction's name, which is the grade id of its cell. What was predicted is read from the cell that calls this.

    Raises:
        CheckFailed: the prediction was not made, or is none of the choices.
        KeyError: no lesson has a prediction of that name.
    """
    asked = reference.prediction(name)
    cell = sys._getframe(1).f_globals
    if asked.variable not in cell:
        raise undefined.missing(asked.variable, {key: value for key, value in cell.items() if not key.startswith("_")}, (), asked.choices)
    value = cell[asked.variable]
    _refuse_outdated(name, value, asked.choices, "prediction")
    said = _noted(value, asked.choices, "prediction", "choose first, then run this cell again; a wrong prediction costs nothing and teaches you most")
    tell(answered_in_html(asked, repr(said), _equal(said, asked.answer)), answered(asked, said))


def answered_in_html(asked: Prediction, said: str, right: bool) -> str:
    """What is said to a prediction, as a card."""
    if right:
        return card("prediction: right", "✓", rows={"you said": said, "because": asked.because})
    return card("prediction: wrong, and worth it", "○", rows={"you said": said, "it is": repr(asked.answer), "because": asked.because})


def answered(asked: Prediction, said: Any) -> str:
    """What is said to a prediction, as text."""
    text = f"You said {said!r}, and that is right" if _equal(said, asked.answer) else f"You said {said!r}. It is {asked.answer!r}"
    return "\n".join(wrapped(f"{text}: {asked.because}."))


def _refuse_outdated(exercise: str, value: Any, choices: tuple[Any, ...], what: str) -> None:
    """Raise where the value is one that an earlier version of the cell gave its name."""
    for name in reference.names_asked_for(exercise):
        if found := history.outdated(exercise, name, value, choices):
            raise CheckFailed(f"{what}: nothing was noted", found)


def _noted(value: Any, choices: tuple[Any, ...], what: str, next_step: str) -> Any:
    """The value in its plain form."""
    form = SHAPE if choices == (tuple,) else " or ".join(map(repr, choices))
    if value is None:
        raise CheckFailed(
            f"{what}: not made yet",
            Diagnosis(
                "the value is None, which means “not decided yet”",
                form,
                Cause("predictions.not_answered", "the cell above still says None, or you have not run it since you changed it", next_step),
                is_open=True,
            ),
        )
    plain = _plain(value, choices)
    if choices == (tuple,):
        if _is_shape(plain):
            return plain
        headline, cause = f"{what}: not a shape", _why_no_shape(plain)
    else:
        for one in choices:
            if _equal(plain, one):
                return one
        headline, cause = f"{what}: not one of the choices", _why_no_choice(plain, choices)
    raise CheckFailed(headline, Diagnosis(f"{_short.repr(plain)}, {_kind(plain)}", form, cause))


def _plain(value: Any, choices: tuple[Any, ...]) -> Any:
    """The value as Python's own: one number or text of NumPy or torch by itself, and a list or an array as a tuple where shapes are asked for."""
    if hasattr(value, "tolist") and hasattr(value, "shape"):
        if len(value.shape) == 0:
            value = value.tolist()
        elif choices == (tuple,) and len(value.shape) == 1:
            value = value.tolist()
    if isinstance(value, str):
        return str(value)
    if choices == (tuple,) and isinstance(value, (list, tuple)):
        return tuple(_whole(_plain(size, ())) for size in value)
    return _whole(value)


def _whole(value: Any) -> Any:
    return int(value) if type(value) is float and value.is_integer() else value


def _equal(value: Any, one: Any) -> bool:
    """Equal as values; a truth value is no number, and an array is no choice."""
    if isinstance(value, bool) or isinstance(one, bool) or not isinstance(value, (int, float, str, tuple)):
        return value is one and value is not None
    return bool(value == one)


def _is_shape(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) > 0 and all(type(size) is int and size > 0 for size in value)


def _why_no_shape(value: Any) -> Cause:
    """What is wrong with a value that is no shape, and what to do."""
    if isinstance(value, str):
        sizes = re.findall(r"\d+", value)
        return Cause(
            "predictions.shape_in_quotes",
            "it is in quotes, which make it a string",
            f"remove the quotes: write ({', '.join(sizes)}{',' * (len(sizes) == 1)})"
            if sizes
            else "remove the quotes: a tuple is numbers in round brackets",
        )
    if isinstance(value, (set, frozenset)):
        return Cause(
            "predictions.set_for_shape",
            "curly brackets make a set, which has no order",
            "write round brackets, with the sizes in the order of the axes",
        )
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return Cause(
            "predictions.number_for_shape",
            "it is one number without brackets; even a shape with one axis is a tuple, (5,)",
            "write the size of every axis, in round brackets",
        )
    if isinstance(value, tuple):
        wrong = [size for size in value if not (type(size) is int and size > 0)]
        if not wrong:
            return Cause("predictions.brackets_empty", "the brackets are empty", "write the size of every axis in them")
        return Cause(
            "predictions.invalid_size",
            f"{_short.repr(wrong[0])} is not a size: each size is a whole number from 1 up",
            "write the size of every axis as a number",
        )
    return NO_SHAPE


def _why_no_choice(value: Any, choices: tuple[Any, ...]) -> Cause:
    """What is wrong with a value that is none of the choices, and what to do."""
    texts = [one for one in choices if isinstance(one, str)]
    numbers = [one for one in choices if not isinstance(one, str)]
    if isinstance(value, str):
        bare = value.strip().strip(QUOTES).strip().lower()
        if value.strip() in map(str, numbers):
            return Cause(
                "predictions.number_in_quotes",
                "it is in quotes, which make it a string, but it should be a number",
                f"remove the quotes: {value.strip()}",
            )
        if same := [one for one in texts if one.lower() == bare]:
            return Cause(
                "predictions.choice_spelled_differently",
                f"it differs from {same[0]!r} in capitals, spaces or quotes",
                f"write {same[0]!r} exactly",
            )
        if not texts:
            return Cause("predictions.text_for_number", "it is a string, but it should be a number", "write one of the numbers, without quotes")
        return Cause("predictions.text_not_among_choices", "this string is not one of the choices", "write one of the choices exactly")
    if isinstance(value, (list, tuple, set)) and len(value) == 1 and any(_equal(_plain(next(iter(value)), ()), one) for one in choices):
        return Cause(
            "predictions.choice_in_brackets",
            f"it is {_kind(value)} that holds the choice: brackets, or a comma at the end, make one",
            "write only the choice",
        )
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if str(value) in texts:
            return Cause("predictions.choice_without_quotes", "it is a number, but the choice is a string", f"put quotes around it: {str(value)!r}")
        if not numbers:
            return Cause(
                "predictions.number_for_text", "it is a number, but it should be a string", "write one of the choices exactly, with its quotes"
            )
        return Cause("predictions.number_not_among_choices", "this number is not one of the choices", "write one of the choices exactly")
    wanted = "a number" if not texts else "a string in quotes" if not numbers else "a number or a string in quotes"
    return Cause("predictions.wrong_type", f"it is {_kind(value)}, but it should be {wanted}", "write one of the choices exactly")


def _kind(value: Any) -> str:
    """What sort of value it is, in words."""
    if isinstance(value, bool):
        return "a truth value"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, str):
        return "a string"
    for kind, words in BRACKETS.items():
        if isinstance(value, kind):
            return words
    return f"of type {type(value).__name__}"
