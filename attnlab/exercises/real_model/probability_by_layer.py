"""`probability_by_layer(text, word)`: the real model's stream, read out after each layer."""

from __future__ import annotations

import numpy as np

from attnlab.diagnosis.exercise import Exercise, Input

# Texts, and a word of one token.
ASKED = (
    ("The opposite of hot is", " cold"),
    ("The opposite of large is", " small"),
    ("When Mary and John went to the store, John gave a drink to", " Mary"),
    ("When Tom and Anna went to the park, Tom gave the ball to", " Anna"),
    ("Water freezes at zero degrees", " Celsius"),
    ("Twinkle, twinkle, little", " star"),
    ("The dog didn't eat the bone because it was too", " tired"),
    ("She", " was"),
    ("Monday, Tuesday, Wednesday,", " Friday"),
)
ASKED_AT_ONCE = 3  # each takes a tenth of a second; of those of hidden tests, two are not among those of the visible check


def _kinds(random: np.random.RandomState) -> dict[str, list[list[str]]]:
    return {"other texts": [list(ASKED[place]) for place in random.permutation(len(ASKED))[:ASKED_AT_ONCE]]}


EXERCISE = Exercise(
    title="the probability of a word, layer by layer",
    inputs=[
        Input("the capital of the card", ["The capital of France is", " Paris"]),
        Input("another word", ["The capital of France is", " London"]),
        Input("one token", ["Once", " upon"]),
    ],
    kinds=_kinds,
    uses=("model", "words"),
)
