"""`next_letter_projections(letters, sharpness)` by the scores that its two matrices give."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from attnlab import reference
from attnlab.diagnosis.cause import Cause, CheckFailed, Diagnosis
from attnlab.diagnosis.evidence import Evidence
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.diagnosis.results.form import type_in_words


def scores_of_projections(answer: Callable[..., Any], letters: int, sharpness: float) -> np.ndarray:
    """The scores that a pair of projections gives for letters that are rows of the identity matrix: `(letters, letters)`, queries in rows.

    Raises:
        CheckFailed: the answer is no pair of arrays whose rows are letters and whose other axes agree.
    """
    pair = answer(letters, sharpness)
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        got = f"{len(pair)} parts" if isinstance(pair, (tuple, list)) else type_in_words(pair)
        raise CheckFailed(
            "pair",
            Diagnosis(
                f"your function returns {got}",
                "two arrays in this order: w_query, w_key",
                Cause(
                    "next_letter_projections.not_a_pair",
                    "one of the two is missing, or their product is returned",
                    "end with `return w_query, w_key`",
                ),
            ),
        )
    for name, matrix in zip(("w_query", "w_key"), pair):
        if not isinstance(matrix, np.ndarray):
            raise CheckFailed(
                "arrays",
                Diagnosis(
                    f"`{name}` is {type_in_words(matrix)}",
                    "two NumPy arrays",
                    Cause(
                        "next_letter_projections.not_arrays",
                        f"`{name}` has another type than the card says",
                        "make arrays of them, with `np.array(...)`, or with NumPy's functions from the start",
                    ),
                ),
            )
    shapes = [np.shape(matrix) for matrix in pair]
    if any(len(shape) != 2 or shape[0] != letters for shape in shapes) or shapes[0][1] != shapes[1][1]:
        raise CheckFailed(
            "shapes",
            Diagnosis(
                f"for {letters} letters, w_query has shape {shapes[0]}, w_key {shapes[1]}",
                f"({letters}, d_k) for both, with the same d_k",
                Cause(
                    "next_letter_projections.wrong_shapes",
                    "a size is not taken from the argument, or the letters are not the rows",
                    "give each matrix one row per letter, and both the same d_k",
                ),
            ),
        )
    w_query, w_key = (np.asarray(matrix, dtype=float) for matrix in pair)
    return w_query @ w_key.T


LOOKS: dict[str, Callable[[int], np.ndarray]] = {
    "the last letter looks at no letter": lambda letters: np.eye(letters, k=1),
    "every letter looks at itself": np.eye,
    "every letter looks at the one before it": lambda letters: np.roll(np.eye(letters), -1, axis=1),
    "every letter looks two letters ahead": lambda letters: np.roll(np.eye(letters), 2, axis=1),
    "both neighbours of a letter get the score": lambda letters: np.roll(np.eye(letters), 1, axis=1) + np.roll(np.eye(letters), -1, axis=1),
}
SCORED: dict[str, Callable[[float], float]] = {
    "the sharpness is in both matrices, so it is squared": np.square,
    "the sharpness is left out": lambda sharpness: 1.0,
    "the score is the root of the sharpness": np.sqrt,
}


def _too_few_components(evidence: Evidence, letters: int) -> Cause | None:
    """Keys in a space that has no room for as many right angles."""
    try:
        components = np.linalg.matrix_rank(np.asarray(evidence.answer(*evidence.cases[0].arguments)[1], dtype=float))
    except Exception:  # whatever a learner's code raises; then there is nothing to be said of its keys
        return None
    if components >= letters:
        return None
    return Cause(
        "next_letter_projections.too_few_components",
        f"the keys of {letters} letters lie in {components} dimensions, which have no room for more than {components} directions at right angles",
        "give each letter a key of its own at right angles to all others: that takes as many components as letters",
    )


def _next_letters(scores: np.ndarray, evidence: Evidence) -> Diagnosis | None:
    """Each letter gives the next one the sharpness, around the circle, and 0 to all others."""
    sharpness = {case.arguments[0]: case.arguments[1] for case in reference.cases("next_letter_projections")}

    def wanted(one: np.ndarray) -> np.ndarray:
        return sharpness[len(one)] * np.roll(np.eye(len(one)), 1, axis=1)

    if scores.shape != wanted(scores).shape or not np.isfinite(scores).all() or np.allclose(scores, wanted(scores)):
        return None
    if evidence.everywhere(lambda one: np.allclose(one[wanted(one) > 0], wanted(one)[wanted(one) > 0])):
        others = np.abs(scores[wanted(scores) == 0])
        return Diagnosis(
            f"every letter gives the next one the right score, but other letters also get scores, up to ±{others.max():.3g}",
            "0 for every other letter",
            _too_few_components(evidence, len(scores))
            or Cause(
                "next_letter_projections.letters_not_orthogonal",
                "queries and keys of letters that are not next to each other are not at right angles: their dot product is not 0",
                "print `w_query @ w_key.T`: which entries should be 0 and are not, and which line makes these rows?",
            ),
        )
    if evidence.everywhere(lambda one: np.allclose(one[:-1], wanted(one)[:-1])):
        return Diagnosis(
            f"all letters but the last are right; the last one gives letter {int(scores[-1].argmax())} the score {scores[-1].max():.4g}",
            f"the last letter gives letter 0 the score {sharpness[len(scores)]:g}",
            Cause(
                "next_letter_projections.circle_not_closed",
                "the circle is not closed as the card says: the letter after the last one is letter 0",
                "look at the last row of w_query, and at the key that it should match",
            ),
        )
    for steps in (3, 4, 5, -2, -3):  # others are known mistakes
        if evidence.everywhere(lambda one, steps=steps: np.allclose(one, np.roll(np.eye(len(one)), steps, axis=1) * sharpness[len(one)])):
            return Diagnosis(
                f"every letter looks {abs(steps)} letters {'on' if steps > 0 else 'back'}",
                "every letter looks one letter on",
                Cause(
                    "next_letter_projections.rows_shifted_too_far",
                    f"the rows are shifted by {abs(steps)}",
                    "shift them by one: the query of letter i has to be the key of letter i + 1",
                ),
            )
    for word, function in (("e to the power of the sharpness", np.exp), ("the logarithm of the sharpness", np.log)):
        if evidence.everywhere(lambda one, function=function: np.allclose(one, wanted(one) / sharpness[len(one)] * function(sharpness[len(one)]))):
            return Diagnosis(
                f"the score of the next letter is {scores[0, 1]:.4g}",
                f"{sharpness[len(scores)]:g}, the sharpness",
                Cause("next_letter_projections.sharpness_transformed", f"this score is {word}", "multiply by the sharpness itself"),
            )
    for (looks, matrix), (scored, function) in itertools.product(LOOKS.items(), SCORED.items()):
        if evidence.everywhere(lambda one, matrix=matrix, function=function: np.allclose(one, function(sharpness[len(one)]) * matrix(len(one)))):
            return Diagnosis(
                f"{looks}, and the score is {np.abs(scores).max():.4g}",
                f"every letter gives the next one the score {sharpness[len(scores)]:g}, the last one gives it to letter 0",
                Cause(
                    "next_letter_projections.looks_and_score",
                    f"two things: {looks}, and {scored}",
                    "print `w_query @ w_key.T`: mend first in which column each row has its score, then how large that is",
                ),
            )
    return None


def _kinds(random: np.random.RandomState) -> dict[str, list[list[float]]]:
    counts = [[3, 7, 4], [8, 3, 12]][random.randint(2)]
    return {
        "letters and sharpness": [[count, sharpness] for count in (*counts, counts[0]) for sharpness in (1, 1.0)],
        "letters and another sharpness": [[count, sharpness] for count in (3, 6, 9) for sharpness in (2.5, 7, 0.3, 30.0, 1e-4, 1e4, 2.5)],
        "many letters": [*([count, 3] for count in (26, 27, 60, 101, 300)), [np.int64(6), np.float64(1.5)], [np.int64(5), np.int64(2)]],
    }


EXERCISE = Exercise(
    title="two projections that look one letter on",
    shows=("scores",),
    inputs=[
        Input("five letters, sharpness 4", [5, 4.0]),
        Input("three letters, sharpness 1", [3, 1.0]),
        Input("eight letters, sharpness 20", [8, 20.0]),
        Input("four letters, sharpness 2.5", [4, 2.5]),
    ],
    kinds=_kinds,
    call=scores_of_projections,
    properties={"each letter and the next": _next_letters},
)
