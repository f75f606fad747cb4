"""What a student's kernel says is counted before much is done with it: a short answer must not cost the grader time or memory."""

from __future__ import annotations

import time

import numpy as np
import pytest

from helpers.travelling import read, refuse
from nbjudge._proxies.copies import Copies, take_states
from nbjudge._wire.codec import Encoder
from nbjudge._wire.containers import MOST_ALIKE
from nbjudge._wire.errors import Malformed
from nbjudge._wire.limits import MB

SECONDS = 20  # of a processor; each of these took minutes before it was counted
MANY = 100_000


@pytest.fixture(autouse=True)
def _soon():
    began = time.process_time()
    yield
    assert time.process_time() - began < SECONDS


def test_values_that_are_alike_by_the_hundred() -> None:
    groups = [["int", hex(2**60 + group)] for group in range(390_000 // (MOST_ALIKE + 1)) for _ in range(MOST_ALIKE + 1)]
    assert len(read(["list", groups])) == len(groups)


def test_bytes_are_read_once() -> None:
    assert len(read(["list", [["bytes", 1], ["bytes", 2]]], b"x", b"x")) == 2
    for node in (["bytes", 1], ["array", "|u1", [10**6], 1], ["tensor", "uint8", [10**6], 1]):
        with pytest.raises(Malformed, match="missing"):
            read(["list", [node] * 2], bytes(10**6))


EMPTY = {"an array of texts of no length": (["array", "<U0", [2**26], 1], b""), "a range of rows": (["pd_index", "range", [None], [0, 2**40, 1]],)}


@pytest.mark.parametrize("message", EMPTY.values(), ids=EMPTY.keys())
def test_what_is_long_without_bytes(message: tuple) -> None:
    with pytest.raises(Malformed):
        read(*message)


def test_texts_of_no_length_travel() -> None:
    assert read(["array", "<U0", [3], 1], b"").tolist() == ["", "", ""]


def test_one_copy_for_each_argument() -> None:
    copies, array = Copies(), np.zeros(MB // 8)
    copies.keep_arguments([[1, number] for number in range(MANY)], {1: array}, lambda place: False)
    array[0] = 1
    assert copies.additions(Encoder(refuse, 10**7), True, False)["write"] == [[MANY - 1, ["array", "<f8", [MB // 8], 1]]]


def test_one_content_for_each_copy() -> None:
    copies, seen = Copies(), []
    items = copies.keep(7, list(range(10_000)), is_read=True)
    copies.take([[7, 0]], lambda node: [node])
    assert len(items) == 10_000, "nobody asked"
    copies.additions(Encoder(refuse, 10**7), True, False)
    copies.take([[7, number] for number in range(MANY)], lambda node: seen.append(node) or [node])
    assert items == [MANY - 1] and seen == [MANY - 1]


def test_what_was_passed_changes_only_with_a_call_that_moves_it() -> None:
    copies, passed = Copies(), [1]
    read = copies.keep(7, [1], is_read=True)
    copies.keep_arguments([[1, 7]], {1: passed}, lambda place: True)
    for moves, expected in ((False, [1]), (True, [3])):
        copies.additions(Encoder(refuse, 10**7), True, moves)
        copies.take([[7, 3]], lambda node: [node])
        assert read == [3] and passed == expected


def test_one_state_for_each_generator() -> None:
    import random

    own, before = random.Random(1), random.Random(1).getstate()
    forged = (before[0], (*(0 for _ in range(624)), 5), None)
    take_states({1: own}, {"states": [[1, 0]] * MANY}, lambda node: forged)
    assert own.getstate() == before


def test_a_class_of_many_bases_is_none(verdict_on) -> None:
    answer = "bases = [type(f'B{k}', (), {}) for k in range(60)]\nthing = type('C', tuple(bases), {})()\nfew = type('D', tuple(bases[:20]), {})()"
    assert verdict_on(answer, "assert few is not None").points == 2
    verdict = verdict_on(answer, "assert thing is not None")
    assert (verdict.kind, verdict.points) == ("failed", 0) and "class" in verdict.message


def test_calls_of_a_tests_function_have_an_end(verdict_on) -> None:
    test = "kept = []\ndef note(x):\n    kept.append(x)\n    return 0\nassert call(note) == 0"
    assert verdict_on("def call(f):\n    return sum(f(b'x' * 900_000) for _ in range(4))", test, message_mb=1).points == 2
    verdict = verdict_on("def call(f):\n    return sum(f(b'x' * 900_000) for _ in range(10**6))", test, message_mb=1)
    assert (verdict.kind, verdict.points) == ("ended", 0) and "more data than can be kept" in verdict.message
