"""Predictions that a reader makes in the page: choose first, then see what the notebook would say. Without scripts, the answer is folded."""

from __future__ import annotations

import html
from collections.abc import Iterator

from attnlab.check.cards import card
from attnlab.check.predictions import NO_SHAPE, SHAPE, answered_in_html
from attnlab.reference import Prediction

TAG = "prediction"  # of the cell in which a learner types the choice: `course.css` shows it only where scripts do not run
FIELD = "field that a script fills with what the reader wrote"
FILLED = '<code data-written=""></code>'


def choosing(asked: Prediction) -> str:
    """The choices, and what is said to each of them, as one line of HTML. A script shows nothing of it before a choice was made."""
    by_number = asked.choices == (tuple,)
    choices = _field(asked) if by_number else _choices(asked)
    says = "".join(f'<template data-for="{key}">{said}</template>' for key, said in (_of_shapes(asked) if by_number else _of_choices(asked)))
    return (
        f'<form class="prediction" id="{asked.name}"><fieldset><legend>Predict, then see why</legend>{choices}'
        f'<button type="submit">Compare</button></fieldset><div class="said" role="status"></div>{says}</form>'
    )


def compared(asked: Prediction) -> str:
    """The same for somebody without scripts, who predicts in thought."""
    shown = html.escape(asked.answer if isinstance(asked.answer, str) else repr(asked.answer))
    return (
        '<details class="predicted"><summary>You have predicted? Compare.</summary>\n\n'
        f"<p><b>{shown}</b>: {html.escape(asked.because)}.</p>\n\n</details>"
    )


def _choices(asked: Prediction) -> str:
    return "".join(
        f'<label><input type="radio" name="{asked.name}" value="{number}" required> {html.escape(str(one))}</label>'
        for number, one in enumerate(asked.choices)
    )


def _of_choices(asked: Prediction) -> Iterator[tuple[object, str]]:
    for number, one in enumerate(asked.choices):
        yield number, answered_in_html(asked, repr(one), one == asked.answer)


def _field(asked: Prediction) -> str:
    """A field for a shape; the script compares numbers."""
    numbers = ",".join(map(str, asked.answer))
    return f'<label>Shape <input type="text" name="{asked.name}" data-shape="{numbers}" placeholder="(2, 3)" autocomplete="off" required></label>'


def _of_shapes(asked: Prediction) -> Iterator[tuple[str, str]]:
    yield "right", answered_in_html(asked, repr(asked.answer), True)
    yield "wrong", answered_in_html(asked, FIELD, False).replace(FIELD, FILLED)
    rows = {"observed": FIELD, "expected": SHAPE, "likely": NO_SHAPE.words, "next": NO_SHAPE.next}
    yield "refused", card("prediction: not a shape", "✗", rows=rows).replace(FIELD, FILLED)
