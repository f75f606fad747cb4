"""`embed(words, vocabulary, table)`: one row per word, and a `KeyError` that names an unknown word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from attnlab import reference
from attnlab.arrays import as_numpy
from attnlab.diagnosis.cause import Cause, Diagnosis, unknown
from attnlab.diagnosis.exceptions.raised import explain_error
from attnlab.diagnosis.exercise import Exercise, Input

WORDS = "the cat walks on the street".split()

VOCABULARY = {"the": 0, "cat": 1, "walks": 2, "on": 3, "street": 4}

TABLE = np.array([[0.5, 0, -1], [2, 1, 0], [1.5, 2, 0], [0, -0.5, 1], [0, 1, 2]])

LOOK_UP = "look up each word with `vocabulary[word]`, which raises the KeyError for you"


def _names_unknown_word(answer: Callable[..., np.ndarray]) -> Diagnosis | None:
    known = reference.cases("embed")[0]
    words, vocabulary, table = known.arguments
    try:
        result = answer([*words, "zebra"], vocabulary, table)
    except KeyError as error:
        if "zebra" in str(error):
            return None
        return Diagnosis(
            f"a KeyError that says {error}",
            "a KeyError that names the unknown word, 'zebra'",
            Cause(
                "embed.unknown_word_not_named",
                "the text of the error does not name the unknown word",
                "let `vocabulary[word]` raise it, or put the word into your text",
            ),
        )
    except Exception as error:  # whatever else is raised is what has to be explained
        found = explain_error(error, answer)
        return Diagnosis(f"with the unknown word 'zebra', {found.observed}", "a KeyError that names 'zebra'", replace(found.cause, next=LOOK_UP))
    rows = len(result) if np.ndim(result) else 0
    got = rows == len(words) + 1 and np.shape(result)[1:] == table.shape[1:]
    if rows == len(words):
        cause = Cause("embed.unknown_words_skipped", "unknown words are skipped", LOOK_UP)
    elif got and (table == as_numpy(result)[-1]).all(axis=-1).any():
        cause = Cause("embed.unknown_words_get_a_row", "unknown words get an existing row of the table", LOOK_UP)
    elif got:
        cause = Cause("embed.unknown_words_get_a_new_row", "unknown words get a row that is not in the table", LOOK_UP)
    else:
        cause = unknown("embed.unknown_words_accepted", LOOK_UP)
    return Diagnosis(
        f"the unknown word 'zebra' gave a result of shape {np.shape(result)}",
        "a KeyError that names 'zebra'",
        cause,
    )


EXERCISE = Exercise(
    title="one row of the table per word",
    inputs=[
        Input("the sentence of the card", [WORDS, VOCABULARY, TABLE]),
        Input("two words and another vocabulary", [["cat", "street"], {"street": 1, "cat": 0}, TABLE[1:3, :2]]),
        Input("a single word", [["walks"], VOCABULARY, TABLE]),
    ],
    edges={"unknown word": lambda evidence: _names_unknown_word(evidence.answer)},
)
