"""The visible checks of lesson 2."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from attnlab import reference
from attnlab.diagnosis.cause import Cause, Diagnosis
from attnlab.diagnosis.examine import examine
from attnlab.diagnosis.exceptions.raised import explain_error
from attnlab.diagnosis.results.properties import Everywhere

Answer = Callable[..., Any]


def looks_at(answer: Answer) -> None:
    """Check `looks_at(weights)`: where the largest weight of each query stands."""
    examine("looks_at", answer)


def scores_of_one_query(answer: Answer) -> None:
    """Check `scores_of_one_query(query, keys)`: one query against all keys."""
    examine("scores_of_one_query", answer)


def weighted_values(answer: Answer) -> None:
    """Check `weighted_values(weights, values)`: entry `[i, j]` is weight i, j times value j."""
    examine("weighted_values", answer)


def self_attention_rows(answer: Answer) -> None:
    """Check `self_attention_rows(x, w_query, w_key, w_value)`: tokens in rows."""
    examine("self_attention_rows", answer)


def SelfAttention(answer: Answer) -> None:
    """Check the torch module `SelfAttention(d_in, d_k, d_v)` with known weights."""
    examine("SelfAttention", answer, edges={"the same after train()": lambda: _other_in_training(answer)})


def next_letter_projections(answer: Answer) -> None:
    """Check `next_letter_projections(letters, sharpness)` by the scores that its two matrices give."""
    examine("next_letter_projections", answer, {"each letter and the next": _next_letters})


def repaired_attention(answer: Answer) -> None:
    """Check the repaired function of the clinic."""
    examine("repaired_attention", answer)


def _other_in_training(answer: Answer) -> Diagnosis | None:
    """What is wrong with a module that gives something else while it is in training mode, where every module begins."""
    settings, weights, x = reference.cases("SelfAttention")[0].arguments
    many = x.repeat(50, 1, 1)  # so many weights that some are dropped
    try:
        built = answer(*settings)
        built.load_state_dict(weights)
        built.eval()
        steady = built(many.clone()).detach().numpy()
        built.train()
        differs = float(np.abs(built(many.clone()).detach().numpy() - steady).max())
    except Exception as error:  # whatever a learner's code raises is what has to be explained
        return explain_error(error, answer)
    if differs < 1e-4 * max(np.abs(steady).max(), 1):
        return None
    return Diagnosis(
        f"after `train()` the result differs from that after `eval()` by up to {differs:.3g}",
        "the same after both",
        Cause(
            "queries_keys_values.something_module_acts_only",
            "something in your module acts only while it is in training mode, as a `Dropout` does",
            "take it out: this card has nothing of the kind",
        ),
    )


def _next_letters(scores: np.ndarray, everywhere: Everywhere) -> Diagnosis | None:
    """Each letter gives the next one the sharpness, around the circle, and 0 to all others."""
    sharpness = {case.arguments[0]: case.arguments[1] for case in reference.cases("next_letter_projections")}

    def wanted(one: np.ndarray) -> np.ndarray:
        return sharpness[len(one)] * np.roll(np.eye(len(one)), 1, axis=1)

    if scores.shape != wanted(scores).shape or not np.isfinite(scores).all() or np.allclose(scores, wanted(scores)):
        return None
    if everywhere(lambda one: np.allclose(one[wanted(one) > 0], wanted(one)[wanted(one) > 0])):
        others = np.abs(scores[wanted(scores) == 0])
        return Diagnosis(
            f"every letter gives the next one the right score, and others get scores, too, of up to ±{others.max():.3g}",
            "0 for every other letter",
            Cause(
                "queries_keys_values.queries_keys_letters_next",
                "queries and keys of letters that are not next to each other are not at right angles: their dot product is not 0",
                "give each letter an axis of its own: the rows of `np.eye(letters)` are at right angles",
            ),
        )
    if everywhere(lambda one: np.allclose(one[:-1], wanted(one)[:-1])):
        return Diagnosis(
            f"all letters but the last are right; the last one gives letter {int(scores[-1].argmax())} the score {scores[-1].max():.4g}",
            f"the last letter gives letter 0 the score {sharpness[len(scores)]:g}",
            Cause(
                "queries_keys_values.circle_closed_card_says",
                "the circle is not closed as the card says: the letter after the last one is letter 0",
                "look at the last row of w_query, and at the key that it should meet",
            ),
        )
    for steps in (3, 4, 5, -2, -3):  # others are known mistakes
        if everywhere(lambda one, steps=steps: np.allclose(one, np.roll(np.eye(len(one)), steps, axis=1) * sharpness[len(one)])):
            return Diagnosis(
                f"every letter looks {abs(steps)} letters {'on' if steps > 0 else 'back'}",
                "every letter looks one letter on",
                Cause(
                    "queries_keys_values.rows_moved",
                    f"the rows are moved by {abs(steps)}",
                    "move them by one; the query of letter i has to be the key of letter i + 1",
                ),
            )
    for word, function in (("e to the power of the sharpness", np.exp), ("the logarithm of the sharpness", np.log)):
        if everywhere(lambda one, function=function: np.allclose(one, wanted(one) / sharpness[len(one)] * function(sharpness[len(one)]))):
            return Diagnosis(
                f"the score of the next letter is {scores[0, 1]:.4g}",
                f"{sharpness[len(scores)]:g}, the sharpness",
                Cause("queries_keys_values.next_letters", f"it is {word}", "multiply by the sharpness itself"),
            )
    return None
