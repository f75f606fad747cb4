"""The visible checks of lesson 5."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from attnlab import reference
from attnlab.check import controls
from attnlab.check.compare import close
from attnlab.check.diagnosis import Diagnosis
from attnlab.check.engine import Property, examine, explain_error

Test = Callable[..., bool]

FOUR_TOKENS = np.array([[0.3, -1.2, 0.8], [1.1, 0.4, -0.5], [-0.7, 0.9, 0.2], [0.6, -0.1, 1.4]])
EIGHT_TOKENS = np.array([[0.1, 1, 0.2], [0.9, -1, 0.4], [-0.3, 0.5, 1], [0.4, 0.2, -0.6],
                         [-1.1, 0.3, 0.7], [0.6, -0.8, 0.1], [1.3, 0.6, -0.2], [-0.5, -0.4, 0.9]])


def permute_tokens(answer: Callable[..., np.ndarray]) -> None:
    """Check `permute_tokens(x, permutation)`: rows move, columns stay."""
    examine("permute_tokens", answer, edges={"a permutation that is a tuple": lambda: _takes_a_tuple(answer)})


def is_permutation_equivariant(answer: Test) -> None:
    """Check the test for f(Px) = P f(x) on functions that must pass and functions that must not."""
    examine("is_permutation_equivariant", answer, {"verdicts": _right_verdicts("is_permutation_equivariant", "f(Px) = P f(x)")},
            _edges(answer, pooled=False))


def is_permutation_invariant(answer: Test) -> None:
    """Check the test for f(Px) = f(x) on functions that must pass and functions that must not."""
    examine("is_permutation_invariant", answer, {"verdicts": _right_verdicts("is_permutation_invariant", "f(Px) = f(x)")},
            _edges(answer, pooled=True))


def causal_mask(answer: Callable[[int], np.ndarray]) -> None:
    """Check `causal_mask(T)`: truth values, True where query i may look at key j."""
    examine("causal_mask", answer, {"truth values": _truth_values})


def positional_encoding(answer: Callable[[int, int], np.ndarray]) -> None:
    """Check `positional_encoding(T, k)`: sine in even columns, cosine in odd ones."""
    examine("positional_encoding", answer)


def repaired_causal_attention(answer: Callable[[np.ndarray], np.ndarray]) -> None:
    """Check the repaired attention of the clinic."""
    examine("repaired_causal_attention", answer)


def _takes_a_tuple(answer: Callable[..., np.ndarray]) -> Diagnosis | None:
    expected = FOUR_TOKENS[[1, 3, 0, 2]]
    try:
        result = answer(FOUR_TOKENS.copy(), (1, 3, 0, 2))
    except IndexError as error:
        return Diagnosis(f"the tuple (1, 3, 0, 2) raised IndexError: {error}", "the rows 1, 3, 0, 2",
                         "NumPy takes a tuple for one index per axis", "make a list of it: `x[list(permutation)]`")
    except Exception as error:  # whatever else a learner's code raises is what has to be explained
        return explain_error(error)
    return None if np.array_equal(result, expected) else Diagnosis(
        "the tuple (1, 3, 0, 2) gives other rows than the list", "the same rows", "lists and tuples are treated differently",
        "make a list of the permutation first")


def _right_verdicts(exercise: str, rule: str) -> Property:
    """A property of the verdicts on the controls, in letters instead of numbers."""
    case = reference.cases(exercise)[0]
    letters = case.arguments[0]

    def explain(verdicts: np.ndarray) -> Diagnosis | None:
        if close(verdicts, case.expected):
            return None
        wrongly = {True: [], False: []}
        for letter, got, wanted in zip(letters, verdicts.ravel(), case.expected.ravel()):
            if got != wanted:
                wrongly[bool(got)].append(letter)
        observed = " and ".join(filter(None, [f"True for {', '.join(wrongly[True])}, which break the rule for some order" if wrongly[True] else "",
                                              f"False for {', '.join(wrongly[False])}, which keep it for every order" if wrongly[False] else ""]))
        likely, next_step = next(((mistake.likely, mistake.next) for mistake in case.mistakes if close(mistake.value, verdicts)),
                                 ("the two sides are not compared for every order of the tokens",
                                  "write the rule as one line of code for one permutation, then put a loop over all of them around it"))
        return Diagnosis(f"your test says {observed}", f"True exactly where {rule} for every order of the tokens", likely, next_step)

    return explain


def _edges(answer: Test, pooled: bool) -> dict[str, Callable[[], Diagnosis | None]]:
    order = (3, 0, 2, 1)
    return {
        "one order of 24": lambda: _says(
            answer, False, "a function that goes wrong for one single order of four tokens", controls.one_order(order, pooled), FOUR_TOKENS,
            "not every order is tried", "for so few tokens try all of them: `itertools.permutations(range(T))` lists the orders"),
        "faint traces": lambda: _says(
            answer, False, "results near 1000 that differ by 0.0001", controls.faint(1e-4, pooled), FOUR_TOKENS,
            "the tolerance grows with the numbers, as the `rtol` of `np.allclose` does, or `atol` is not used",
            "compare the largest absolute difference with `atol`; in `np.allclose`, say `rtol=0`"),
        "a wider tolerance": lambda: _says(
            answer, True, "the same results with atol=0.1", controls.faint(1e-4, pooled), FOUR_TOKENS,
            "`atol` is not used", "compare with the tolerance that was given", atol=0.1),
        "many tokens": lambda: _says(
            answer, False, "eight tokens and a function that shows its fault in every eighth order", controls.first_is_largest(pooled), EIGHT_TOKENS,
            "too few random orders are tried", "try at least 100 random orders when there are more than five tokens"),
        "equal tokens": lambda: _refuses(answer, pooled),
    }


def _says(answer: Test, expected: bool, what: str, f: controls.Function, x: np.ndarray, likely: str, next_step: str,
          **options: float) -> Diagnosis | None:
    try:
        verdict = answer(f, x.copy(), **options)
    except Exception as error:  # whatever a learner's code raises is what has to be explained
        return explain_error(error)
    return None if verdict == expected else Diagnosis(f"{what}: your test says {verdict}", str(expected), likely, next_step)


def _refuses(answer: Test, pooled: bool) -> Diagnosis | None:
    f = controls.function("K" if pooled else "D")
    try:
        verdict = answer(f, np.ones((3, 6)))
    except ValueError:
        return None
    except Exception as error:  # whatever else is raised is what has to be explained
        return Diagnosis(f"three equal tokens raised {type(error).__name__}: {error}", "a ValueError", "another exception is raised instead",
                         "compare all rows with the first one before you start, and raise ValueError")
    return Diagnosis(f"three equal tokens: your test says {verdict}", "a ValueError: equal tokens are the same in every order, so they prove nothing",
                     "the tokens are not looked at before the test", "compare all rows with the first one before you start, and raise ValueError")


def _truth_values(mask: Any) -> Diagnosis | None:
    if mask.dtype.kind == "b":
        return None
    return Diagnosis(f"your mask holds {mask.dtype}", "truth values, bool", "ones and zeros, or numbers to add to the scores, were returned",
                     "a comparison such as `<=` gives truth values")
