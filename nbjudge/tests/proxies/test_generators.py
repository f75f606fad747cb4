"""Generators of random numbers that a test and a student's functions draw from in turns: only the place is taken from a student's kernel."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from nbjudge._proxies import generators
from nbjudge._wire.copied_values import comparable

torch = pytest.importorskip("torch")

DRAWS = {
    "random": [random.random, lambda: random.gauss(0, 1), lambda: random.shuffle([1, 2, 3]), lambda: random.randbytes(5000)],
    "numpy": [np.random.rand, np.random.randn, lambda: np.random.rand(5000), lambda: (np.random.randn(), np.random.rand(3))],
    "torch": [lambda: torch.rand(1), lambda: torch.randn(3), lambda: torch.randn(100), lambda: (torch.randn(1), torch.rand(2))],
}
CASES = [(name, draw) for name, draws in DRAWS.items() for draw in draws]


@pytest.fixture(autouse=True)
def _seeded() -> Iterator[None]:
    kept = generators.states()
    seed(0)
    yield
    for name, state in kept.items():
        generators._twister(name).set(state)


def seed(number: int) -> None:
    random.seed(number)
    np.random.seed(number)
    torch.manual_seed(number)


def put(name: str, state: object) -> None:
    generators._twister(name).set(state)


def told(name: str) -> bytes:
    return comparable(generators.states()[name])


@pytest.mark.parametrize(("name", "draw"), CASES)
@pytest.mark.parametrize("before", [0, 1])
def test_it_goes_on_where_the_other_one_was_left_and_never_back(name: str, draw, before: int) -> None:
    for _ in range(before):
        draw()
    here = generators.states()[name]
    draw()
    there = generators.states()[name]
    put(name, here)
    assert generators.go_on(name, there) and told(name) == comparable(there)
    generators.go_on(name, here)
    assert told(name) == comparable(there)


@pytest.mark.parametrize("name", DRAWS)
def test_a_state_that_does_not_lie_ahead_changes_nothing(name: str) -> None:
    own = told(name)
    put_aside = generators.states()[name]
    seed(1)
    DRAWS[name][0]()
    other = generators.states()[name]
    put(name, put_aside)
    for claim in (other, None, 3, (), ("MT19937", None, 3), (3, (1, 2), None), torch.zeros(5056, dtype=torch.uint8), torch.zeros(3)):
        assert not generators.go_on(name, claim) and told(name) == own


def test_a_normal_number_that_is_left_of_a_pair_is_never_taken_over() -> None:
    """A student's kernel may say anything of it: it would be the test's next number."""
    here = random.getstate()
    random.gauss(0, 1)
    version, words, _ = random.getstate()
    random.setstate(here)
    assert generators.go_on("random", (version, words, 42.0)) and random.getstate() == (version, words, None)
    np.random.seed(0)
    here = np.random.get_state()
    np.random.randn()
    kind, keys, place, *_ = np.random.get_state()
    np.random.set_state(here)
    assert generators.go_on("numpy", (kind, keys, place, 1, 42.0)) and np.random.get_state()[3:] == (0, 0.0)


def test_a_function_that_seeds_itself_leaves_the_tests_own_numbers(verdict_on) -> None:
    answer = "import numpy as np\ndef f(x):\n    np.random.seed(5)\n    return x + np.random.rand()"
    test = (
        "import numpy as np\nnp.random.seed(0)\nown = [np.random.rand(), np.random.rand()]\nnp.random.seed(0)\n"
        "found = [np.random.rand(), f(0), f(0), np.random.rand()]\nassert found[1] == found[2] and [found[0], found[3]] == own"
    )
    assert verdict_on(answer, test).kind == "passed"
