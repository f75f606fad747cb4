"""What a test has let go ends in the student's kernel, as in a notebook's own; what something still has stays what it was."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest

from helpers.instructors import Solution
from helpers.kernel_here import calls_of

CLASS = """
import weakref
class Thing:
    def __init__(self, size=0):
        self.size, self.part = size, None
    def itself(self):
        return self
class Broken(Exception):
    pass
kept, made, error = [], weakref.WeakSet(), Broken("once and again")
def new(size=0, keep=False):
    thing = Thing(size)
    made.add(thing)
    kept.extend([thing] * keep)
    return thing
def alive():
    return len(made)
def the_kept():
    return kept[-1]
def fail():
    raise error
def passed(hear):
    thing = new()
    hear(thing)
    return thing
"""


@pytest.fixture
def names() -> dict[str, Any]:
    there: dict[str, Any] = {"__name__": "__main__"}
    exec(CLASS, there)
    _, found = calls_of({name: there[name] for name in ("new", "alive", "the_kept", "fail", "passed", "Thing")})
    return found


def test_what_a_test_lets_go_ends(names: dict[str, Any]) -> None:
    one, other = names["new"](1), names["new"](2)
    assert names["alive"]() == 2
    del one
    assert names["alive"]() == 1 and other.size == 2
    del other
    assert names["alive"]() == 0
    names["new"]()
    assert names["alive"]() == 0


def test_what_a_name_a_method_or_an_object_still_has_stays(names: dict[str, Any]) -> None:
    outer, method = names["new"](1), names["new"](2).itself
    outer.part = names["new"](3)
    assert names["alive"]() == 3 and outer.part.size == 3 and method().size == 2
    again = outer.itself()
    del outer
    assert names["alive"]() == 3 and again.part.size == 3
    del method
    assert names["alive"]() == 2


def test_what_lives_on_in_the_kernel_keeps_its_number(names: dict[str, Any]) -> None:
    before = hash(names["new"](5, keep=True))
    for _ in range(3):
        names["new"]()
    assert hash(names["the_kept"]()) == before
    thing = names["the_kept"]()
    assert thing is names["the_kept"]() and {thing: 1}[names["the_kept"]()] == 1
    assert names["alive"]() == 1 and thing.size == 5


def test_an_error_that_is_raised_again_can_be_read_as_long_as_one_is_there(names: dict[str, Any]) -> None:
    caught = []
    for _ in range(2):
        try:
            names["fail"]()
        except Exception as error:
            caught.append(error)
    del caught[0]
    gc.collect()
    assert names["alive"]() == 0
    assert str(caught[0]) == "once and again" and caught[0].args == ("once and again",)
    assert caught[0].with_traceback(None) is caught[0]


def test_what_a_function_of_the_tests_heard_and_let_go_is_there_when_it_is_the_result(names: dict[str, Any]) -> None:
    seen = []

    def hear(thing: Any) -> None:
        seen.append(thing.size)
        names["Thing"](1).itself()

    result = names["passed"](hear)
    assert seen == [0] and result.size == 0 and result.itself() is result
    del result
    assert names["alive"]() == 0


def test_a_cycle_of_the_tests_ends_when_python_looks(names: dict[str, Any]) -> None:
    class Mine:
        pass

    mine = Mine()
    mine.thing, mine.itself = names["new"](), mine
    watched = weakref.ref(mine)
    del mine
    assert names["alive"]() == 1 or watched() is None
    gc.collect()
    assert names["alive"]() == 0


SOLUTION = (
    "class Pool:\n    free, rooms = 2, []\n    def __init__(self):\n        Pool.free -= 1\n    def __del__(self):\n        Pool.free += 1\n"
    "def left():\n    return Pool.free"
)
TEST = "one, two = Pool(), Pool()\nassert left() == 0\ndel one\nassert left() == 1\ntwo = None\nassert left() == 2"
WRONG = SOLUTION.replace("Pool.free += 1", "pass")


def test_a_test_may_ask_whether_an_object_has_ended(verdicts) -> None:
    answers = [[], [SOLUTION], [WRONG]]
    assert [verdicts([Solution(SOLUTION), TEST], *answer)[0].kind for answer in answers] == ["passed", "passed", "failed"]
