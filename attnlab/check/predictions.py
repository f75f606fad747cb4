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
    form = "a tuple of whole numbers such as (2, 3)" if choices == (tuple,) else " or ".join(map(repr, choices))
    if value is None:
        raise CheckFailed("prediction: not made yet", Diagnosis(
            "the cell above still says None", form, "you have not decided yet",
            "choose before you run on; a wrong prediction costs nothing and is where you learn most"))
    allowed = _is_shape(value) if choices == (tuple,) else any(type(value) is type(choice) and value == choice for choice in choices)
    if not allowed:
        raise CheckFailed("prediction: not one of the choices", Diagnosis(
            f"{value!r}", form, "a typing mistake, or quotes that are missing or too many", "write one of the choices exactly"))
    print(f"✓ you predict {value!r}. Now run on and see.")


def _is_shape(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) > 0 and all(type(size) is int and size > 0 for size in value)
