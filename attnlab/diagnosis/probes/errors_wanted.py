"""Whether an answer raises the ValueError that its card asks for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attnlab.diagnosis.cause import Cause, Diagnosis
from attnlab.diagnosis.exceptions.raised import explain_error


def raises_value_error(call: Callable[[], Any], what: str, next_step: str) -> Diagnosis | None:
    """None when the call raises ValueError; else what it does, with what to do next.

    Args:
        call: something that has to be refused.
        what: is refused, in words.
        next_step: for an answer that raises nothing, or something else.
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
            Cause("errors_wanted.other_exception_raised", "a different exception is raised, before a ValueError or in place of it", next_step),
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
        Cause("errors_wanted.value_not_checked", "the condition or the `raise` is missing, or the condition does not hold for this value", next_step),
    )
