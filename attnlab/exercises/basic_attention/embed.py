"""`embed(words, vocabulary, table)`: one row per word, and a `KeyError` that names an unknown word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from attnlab import reference
from attnlab.arrays import as_numpy
from attnlab.diagnosis.cause import Cause, Diagnosis, unknown
from attnlab.diagnosis.drawn import edge_cases, numbers
from attnlab.diagnosis.exceptions.raised import explain_error
from attnlab.diagnosis.exercise import Exercise, Input

WORDS = "the cat walks on the street".split()

VOCABULARY = {"the": 0, "cat": 1, "walks": 2, "on": 3, "street": 4}

TABLE = np.array([[0.5, 0, -1], [2, 1, 0], [1.5, 2, 0], [0, -0.5, 1], [0, 1, 2]])

LOOK_UP = "look up each word with `vocabulary[word]`, which raises the KeyError for you"


ALIKE = " that resemble a known one, as where words are changed before they are looked up,"
UNKNOWN = ("zebra", "The", "ca", "cats", " cat", "cat ", "cat.", "3")


def _names_unknown_words(answer: Callable[..., np.ndarray]) -> Diagnosis | None:
    words, vocabulary, table = reference.cases("embed")[0].arguments
    attempts = [([*words, word], word, vocabulary) for word in UNKNOWN]
    attempts += [(["zebra"], "zebra", vocabulary), (["zebra", "cat"], "zebra", vocabulary), (["cat", "the"], "the", {"cat": 1})]
    return next((found for words, word, known in attempts if (found := _names(answer, words, word, known, table))), None)


def _names(answer: Callable[..., np.ndarray], words: list[str], word: str, vocabulary: dict[str, int], table: np.ndarray) -> Diagnosis | None:
    given = dict(vocabulary)
    try:
        result = answer(list(words), given, table.copy())
    except KeyError as error:
        if word not in str(error):
            return Diagnosis(
                f"a KeyError that says {error}",
                f"a KeyError that names the unknown word, {word!r}",
                Cause(
                    "embed.unknown_word_not_named",
                    "the text of the error does not name the unknown word",
                    "let `vocabulary[word]` raise it, or put the word into your text",
                ),
            )
        if given == vocabulary:
            return None
        return Diagnosis(
            f"after the unknown word {word!r}, the vocabulary has other entries",
            "the vocabulary as it was passed in",
            Cause("embed.vocabulary_changed", "the call changes the vocabulary", LOOK_UP),
        )
    except Exception as error:  # whatever else is raised is what has to be explained
        found = explain_error(error, answer)
        if given != vocabulary:
            return Diagnosis(f"with the unknown word {word!r}, {found.observed}", f"a KeyError that names {word!r}", _added(word))
        return Diagnosis(f"with the unknown word {word!r}, {found.observed}", f"a KeyError that names {word!r}", replace(found.cause, next=LOOK_UP))
    if isinstance(result, Exception):
        returned = Cause("embed.error_returned", "the error is returned like a result, and stops nobody", "write `raise` in place of `return`")
        return Diagnosis(f"the unknown word {word!r} gave a {type(result).__name__} as the result", f"a KeyError that names {word!r}", returned)
    rows = len(result) if np.ndim(result) else 0
    got = rows == len(words) and np.shape(result)[1:] == table.shape[1:]
    place = words.index(word)
    if given != vocabulary:
        cause = _added(word)
    elif rows == len(words) - 1:
        cause = Cause("embed.unknown_words_skipped", "unknown words are skipped", LOOK_UP)
    elif got and (table == as_numpy(result)[place]).all(axis=-1).any():
        cause = Cause(
            "embed.unknown_words_get_a_row", f"unknown words{ALIKE if word in UNKNOWN[1:] else ''} get an existing row of the table", LOOK_UP
        )
    elif got:
        cause = Cause("embed.unknown_words_get_a_new_row", "unknown words get a row that is not in the table", LOOK_UP)
    else:
        cause = unknown("embed.unknown_words_accepted", LOOK_UP)
    return Diagnosis(f"the unknown word {word!r} gave a result of shape {np.shape(result)}", f"a KeyError that names {word!r}", cause)


def _added(word: str) -> Cause:
    return Cause(
        "embed.unknown_word_added",
        f"the call writes into `vocabulary`: {word!r} gets an entry, so no KeyError comes",
        "only read from it: `vocabulary[word]` raises the KeyError for you",
    )


def _kinds(random: np.random.RandomState) -> dict[str, list[list[Any]]]:
    vocabulary = {"meat": 3, "dog": 1, "eats": 0, "a": 5, "big": 2, "Dog": 4}
    sentence = ["a", "Dog", "eats", "a", "big", "dog"]
    signs = {"New York": 2, "new": 1, "don't": 0, "dog.": 3, "café": 5, "cafe": 4}
    table = numbers(random, 6, 7)
    rows = random.permutation(6)
    return {
        "a sentence": [[sentence, vocabulary, table], [sentence[::-1], vocabulary, table], [["big"] * 4, vocabulary, table]],
        "a single word": [[[word], vocabulary, table] for word in vocabulary],
        "a table of one column": [[sentence, vocabulary, numbers(random, 6, 1)]],
        "a square table": [[sentence, vocabulary, numbers(random, 6, 6)]],
        "a table of integers": [[sentence, vocabulary, random.randint(-9, 9, size=(6, 3))]],
        "a table with rows that no word has": [[sentence, vocabulary, numbers(random, 20, 4)]],
        "a table of one row": [[["word 0"], {"word 0": 0}, numbers(random, 1, 3)]],
        "the same words with other rows": [[sentence, {word: int(rows[row]) for word, row in vocabulary.items()}, table]],
        "row numbers that are NumPy integers": [[sentence, {word: np.int64(row) for word, row in vocabulary.items()}, table]],
        "two words with the same row": [[["dog", "meat", "big"], {"dog": 1, "meat": 1, "big": 0}, table[:2]]],
        "a vocabulary of 700 words": [
            [[f"w{number}" for number in random.randint(700, size=6)], {f"w{n}": 699 - n for n in range(700)}, numbers(random, 700, 3)]
        ],
        **{
            f"a table with rows {what}": [[[f"w{row}" for row in random.permutation(len(rows))], {f"w{row}": row for row in range(len(rows))}, rows]]
            for what, [rows] in edge_cases(random, 4).items()
        },
        "words with capitals, spaces, points and accents": [[["dog.", "cafe", "New York", "don't", "café", "new"], signs, table]],
    }


EXERCISE = Exercise(
    title="one row of the table per word",
    shows=("vectors",),
    inputs=[
        Input("the sentence of the card", [WORDS, VOCABULARY, TABLE]),
        Input("two words and another vocabulary", [["cat", "street"], {"street": 1, "cat": 0}, TABLE[1:3, :2]]),
        Input("a single word", [["walks"], VOCABULARY, TABLE]),
    ],
    kinds=_kinds,
    edges={"unknown word": lambda evidence: _names_unknown_words(evidence.answer)},
)
