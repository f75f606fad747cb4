"""Predictions earn their point for being made, so this looks at their form and not at whether they come true."""

from __future__ import annotations

from typing import Any

from attnlab.check.diagnosis import CheckFailed, Diagnosis


def prediction(value: Any, *choices: Any) -> None:
    """Check that a prediction was made.

    Args:
        value: what the learner predicts.
        choices: the values that are allowed, or one type ("any tuple of whole numbers" is `tuple`).

    Raises:
        CheckFailed: the prediction is still None, or is none of the choices.
    """
    _require(value, choices, "prediction", "choose before you run on; a wrong prediction costs nothing and is where you learn most")
    print(f"✓ you predict {value!r}. Now run on and see.")


def choice(value: Any, *choices: Any) -> None:
    """Check that a question which is graded later has been answered with one of the choices.

    Raises:
        CheckFailed: as `prediction`.
    """
    _require(value, choices, "answer", "choose the one that you can give a reason for; it is graded after you hand in")
    print(f"✓ you answer {value!r}. Whether that is right you learn after you hand in.")


def reveal(value: Any, answer: Any, because: str) -> None:
    """Answer a prediction, once its result has been seen: what you said, what it is, and why.

    Args:
        value: what the learner predicted, or None.
        answer: what it is.
        because: the reason, without a full stop.
    """
    said = "You made no prediction" if value is None else f"You said {value!r}"
    if value is not None and type(value) is type(answer) and value == answer:
        print(f"{said}, and so it is: {because}.")
    else:
        print(f"{said}. It is {answer!r}: {because}.")


def _require(value: Any, choices: tuple[Any, ...], what: str, next_step: str) -> None:
    form = "a tuple of whole numbers such as (2, 3)" if choices == (tuple,) else " or ".join(map(repr, choices))
    if value is None:
        raise CheckFailed(f"{what}: not made yet", Diagnosis(
            "the cell above still says None", form, "you have not decided yet", next_step))
    allowed = _is_shape(value) if choices == (tuple,) else any(type(value) is type(one) and value == one for one in choices)
    if not allowed:
        raise CheckFailed(f"{what}: not one of the choices", Diagnosis(
            f"{value!r}", form, "a typing mistake, or quotes that are missing or too many", "write one of the choices exactly"))


def _is_shape(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) > 0 and all(type(size) is int and size > 0 for size in value)
