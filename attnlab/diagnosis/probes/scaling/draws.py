"""Why an answer to `score_variance` is wrong: what it draws from a generator that writes everything down, and what it makes of these numbers.

A grader hands the answer a copy of the generator, and nothing is written down: then nothing is said here.
"""

from __future__ import annotations

import ast
import contextlib
import io
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.evidence import Evidence
from attnlab.diagnosis.probes.scaling.products import FORMULAS, Array
from attnlab.diagnosis.text.expressions import called
from attnlab.diagnosis.text.source import cell_of, codes_of
from attnlab.reference import Case

NORMAL, UNIFORM = ("normal", "standard_normal", "randn"), ("rand", "random", "random_sample", "sample", "ranf", "uniform")
OTHERS = (
    "choice",
    "randint",
    "random_integers",
    "exponential",
    "standard_exponential",
    "poisson",
    "binomial",
    "standard_t",
    "laplace",
    "lognormal",
    "beta",
    "gamma",
    "chisquare",
    "logistic",
    "triangular",
    "standard_cauchy",
)
TRIED = ((5, 7), (3, 11))  # d and samples, all different, so that a count says what is counted
MANY = ((4, 40000),)
SEED = 4
BEHIND_SIZE = "write `rng.normal(size=(samples, d))`: mean 0 and standard deviation 1 are the defaults"


@dataclass
class Draw:
    """One call of the generator: its method, with which arguments, and the numbers."""

    method: str
    given: dict[str, Any]
    numbers: Array


@dataclass
class Run:
    """What an answer drew, also from copies of the generator, what it returned, and which generators were used meanwhile."""

    d: int
    samples: int
    draws: list[Draw]
    result: float
    used_global: bool
    used_other_way: bool  # the given one: it has moved on without a call that is written down, or its state was read

    @property
    def count(self) -> int:
        """How many numbers were drawn."""
        return sum(draw.numbers.size for draw in self.draws)


class Recorder(np.random.RandomState):
    """A generator that keeps what it gives, and what its copies give."""

    def __init__(self, seed: int):
        super().__init__(seed)
        self.draws: list[Draw] = []
        self.is_read = False
        self._is_inside = False  # some methods call others

    def get_state(self, *args: Any, **named: Any) -> Any:
        """The state, as the generator gives it."""
        self.is_read = True
        return super().get_state(*args, **named)

    def __copy__(self) -> Recorder:
        return self  # that of NumPy goes on where this one stands, and moves it on

    def __deepcopy__(self, _: Any) -> Recorder:
        other = Recorder(0)
        other.set_state(super().get_state())
        other.draws = self.draws
        return other

    def __reduce__(self) -> Any:
        self.is_read = True
        return super().__reduce__()


def _recording(name: str) -> Callable[..., Any]:
    plain = getattr(np.random.RandomState, name)

    def method(self: Recorder, *args: Any, **named: Any) -> Any:
        if self._is_inside:
            return plain(self, *args, **named)
        self._is_inside = True
        try:
            numbers = plain(self, *args, **named)
        finally:
            self._is_inside = False
        given = {**dict(zip(("loc", "scale", "size"), args)), **named} if name == "normal" else {}
        self.draws.append(Draw(name, given, np.array(numbers, dtype=float)))
        return numbers

    return method


for _name in (*NORMAL, *UNIFORM, *OTHERS):
    if hasattr(np.random.RandomState, _name):
        setattr(Recorder, _name, _recording(_name))


def explain_draws(evidence: Evidence, _: Case) -> Cause | None:
    """The cause that what is drawn, or what is made of it, establishes."""
    runs = record(evidence.answer)
    if not runs:
        return None
    if found := _source(runs, evidence.answer) or _arguments(runs) or _twins(runs):
        return found
    if all(run.count < 3 for run in runs):  # such as the seed of another generator
        return None
    return _methods(runs) or _count(runs, evidence.answer) or _made_of_them(runs)


def record(answer: Any, sizes: tuple[tuple[int, int], ...] = TRIED) -> list[Run]:
    """A run for each size that is tried; none where that cannot be seen, or one raises."""
    runs = []
    for d, samples in sizes if any(codes_of(answer)) else ():
        rng = Recorder(SEED)
        own, before = np.random.RandomState(SEED).get_state()[1:3], np.random.get_state()[1:3]
        try:
            with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
                result = float(answer(d, samples, rng))
        except Exception:  # the check itself makes the same call, and says what it raises
            return []
        after = np.random.get_state()[1:3]
        is_read = rng.is_read
        moved = not rng.draws and not all(map(np.array_equal, own, rng.get_state()[1:3]))
        runs.append(Run(d, samples, rng.draws, result, not all(map(np.array_equal, before, after)), is_read or moved))
    return runs


def explain_generator(answer: Any) -> Cause | None:
    """Where the numbers come from, of an answer that gives the same for two generators, or two results for equal ones."""
    runs = record(answer)
    if not runs:
        return None
    if found := _source(runs, answer):
        return found
    resets = [node for node in ast.walk(cell_of(answer)) if called(node) in ("seed", "set_state")]
    if resets:
        return Cause(
            "draws.generator_set_back",
            f"`{ast.unparse(resets[0])}` in line {resets[0].lineno} sets the generator back, so every call draws the same numbers",
            "take out that line: whoever calls the function chooses the seed",
        )
    if all(run.count >= 2 * run.samples * run.d for run in runs):
        return Cause(
            "draws.state_between_calls",
            "the numbers are drawn with `rng`, but something is kept between calls",
            "start fresh in every call: a default such as `known={}`, or a variable outside the function, is made only once",
        )
    return None


def _source(runs: list[Run], answer: Any) -> Cause | None:
    some = "some" if all(run.draws for run in runs) else "the"
    if all(run.used_global for run in runs):
        return Cause(
            "draws.from_np_random",
            f"{some} numbers are drawn from `np.random`, the generator of the whole notebook, and not from `rng`",
            "draw everything with the argument: `rng.normal(...)`",
        )
    if not any(run.draws or run.used_other_way for run in runs):
        return explain_nothing_drawn(answer) or Cause(
            "draws.rng_not_used",
            "no number is drawn with `rng`: the random numbers come from elsewhere, or there are none",
            "draw everything with `rng.normal(...)`",
        )
    return None


def explain_nothing_drawn(answer: Any) -> Cause | None:
    """What to say where few samples draw nothing, and many do; None where that is not so, or cannot be seen."""
    few = record(answer)
    if not few or any(run.draws for run in few) or not any(run.draws for run in record(answer, MANY)):
        return None
    return Cause(
        "draws.nothing_for_few",
        f"for {few[0].samples} samples, no number is drawn with `rng`; for {MANY[0][1]:,} samples, numbers are drawn",
        "how many rounds does your loop have for so few samples? Draw what is left in a last, smaller round",
    )


def _twins(runs: list[Run]) -> Cause | None:
    """Queries and keys that are the same numbers, though both are drawn."""
    for run in runs:
        flat, twin = _flat(run), np.random.RandomState(SEED).normal(size=(run.samples, run.d))
        if flat.size > 1 and not np.array_equal(*np.split(flat[: flat.size // 2 * 2], 2)):
            return None
        if flat.size < 2 and not np.isclose(run.result, (twin**2).sum(axis=1).var(), rtol=1e-7):  # drawn from a generator of the same state
            return None
    return Cause(
        "draws.queries_equal_keys",
        "queries and keys are the same numbers: the generator, or its copy, begins at the same place for both",
        "draw both from `rng` itself, one after the other; it goes on by itself",
    )


def _arguments(runs: list[Run]) -> Cause | None:
    """Another mean or standard deviation than 0 and 1, also where they are meant to be a shape."""
    for draws in zip(*(run.draws for run in runs)):
        if any(draw.method != "normal" for draw in draws):
            continue
        loc, scale = ([draw.given.get(name, usual) for draw in draws] for name, usual in (("loc", 0), ("scale", 1)))
        is_usual = all(np.array_equal(one, usual) for values, usual in ((loc, 0), (scale, 1)) for one in values)
        if is_usual:
            continue
        words = [_in_words(values, runs) for values in (loc, scale)]
        if all(draw.given.get("size") is None for draw in draws):
            call = f"`rng.normal({words[0]}{f', {words[1]}' if 'scale' in draws[0].given else ''})`"
            return Cause(
                "draws.shape_given_as_mean",
                f"{call} gives no shape: the first two arguments are the mean and the standard deviation, here {words[0]} and {words[1]}",
                BEHIND_SIZE,
            )
        return Cause(
            "draws.not_standard_normal",
            f"the components are drawn with mean {words[0]} and standard deviation {words[1]}; the card says 0 and 1",
            BEHIND_SIZE,
        )
    return None


def _in_words(values: list[Any], runs: list[Run]) -> str:
    """What a value that was given in each run is, in d and samples."""
    known: dict[str, Callable[[Run], Any]] = {
        "samples": lambda run: run.samples,
        "d": lambda run: run.d,
        "(samples, d)": lambda run: (run.samples, run.d),
        "(d, samples)": lambda run: (run.d, run.samples),
        "√d": lambda run: run.d**0.5,
        "1/√d": lambda run: run.d**-0.5,
        "1/d": lambda run: 1 / run.d,
    }
    for word, of in known.items():
        if all(np.shape(value) == np.shape(of(run)) and np.allclose(value, of(run)) for value, run in zip(values, runs)):
            return word
    return f"{values[0]:g}" if np.ndim(values[0]) == 0 else str(values[0])


def _methods(runs: list[Run]) -> Cause | None:
    others = list(dict.fromkeys(draw.method for run in runs for draw in run.draws if draw.method not in NORMAL))
    if not others:
        return None
    told = " and ".join(f"`rng.{name}`" for name in others)
    next_step = "draw with `rng.normal`, or with `rng.randn`"
    if set(others) <= set(UNIFORM):
        numbers = np.concatenate([draw.numbers.ravel() for run in runs for draw in run.draws if draw.method in others])
        between = "between 0 and 1" if 0 <= numbers.min() and numbers.max() <= 1 else "in an interval"
        return Cause(
            "draws.uniform_not_normal",
            f"numbers are drawn with {told}, which is uniform {between}; the components should be normal",
            next_step,
        )
    return Cause("draws.other_distribution", f"numbers are drawn with {told}; the components should be normal", next_step)


COUNTS: tuple[tuple[Callable[[int, int], int], str, str], ...] = (
    (
        lambda d, n: n * d,
        "draws.only_one_side_drawn",
        "samples · d numbers are drawn with `rng`: enough for the queries or for the keys, not for both",
        "draw queries and keys separately, and both with `rng`",
    ),
    (
        lambda d, n: n * d + d,
        "draws.one_vector_for_all",
        "samples · d + d numbers are drawn: one of the two, query or key, is drawn once for all pairs",
        "each pair has its own query and key: both have shape (samples, d)",
    ),
    (lambda d, n: 2 * d, "draws.single_pair", "2 · d numbers are drawn: one query and one key, a single pair", "draw `samples` pairs"),
    (lambda d, n: d, "draws.single_vector", "d numbers are drawn: a single vector", "draw `samples` queries and `samples` keys"),
    (
        lambda d, n: 2 * n,
        "draws.one_component_per_vector",
        "2 · samples numbers are drawn: one component for each query and each key, whatever d is",
        "each vector has d components",
    ),
    (
        lambda d, n: n * d + n,
        "draws.single_component_on_one_side",
        "samples · d + samples numbers are drawn: one of the two, query or key, has a single component for each pair",
        "queries and keys both have d components",
    ),
    (
        lambda d, n: n,
        "draws.one_number_per_pair",
        "`samples` numbers are drawn: one for each pair",
        "a pair is two vectors with d components each",
    ),
    (
        lambda d, n: 2 * d * d,
        "draws.d_for_samples",
        "2 · d · d numbers are drawn: d pairs; the card has `samples` pairs",
        "draw `samples` pairs",
    ),
    (
        lambda d, n: 2 * n * n,
        "draws.samples_for_d",
        "2 · samples · samples numbers are drawn: the vectors have `samples` components; on the card they have d",
        "each vector has d components",
    ),
    (
        lambda d, n: 4 * n * d,
        "draws.twice_as_many",
        "4 · samples · d numbers are drawn, twice as many as needed",
        "draw queries and keys once each",
    ),
)


def _count(runs: list[Run], answer: Any) -> Cause | None:
    """Another number of draws than 2 · samples · d."""
    counts = [run.count for run in runs]
    if all(count == 2 * run.samples * run.d for count, run in zip(counts, runs)):
        return None
    if all(count == run.samples * run.d for count, run in zip(counts, runs)) and all(
        np.isclose(run.result, (_flat(run) ** 2).reshape(run.samples, -1).sum(axis=1).var()) for run in runs
    ):
        return Cause(
            "draws.queries_equal_keys",
            "queries and keys are the same numbers: each vector is multiplied by itself",
            "draw queries and keys separately",
        )
    for rule, *cause in COUNTS:
        if all(count == rule(run.d, run.samples) for count, run in zip(counts, runs)):
            return Cause(*cause)
    pairs, parts = ({count / (2 * number) for count, number in zip(counts, numbers)} for numbers in ([r.d for r in runs], [r.samples for r in runs]))
    of_many = {run.count / (2 * run.d) for run in record(answer, MANY)} if len(pairs) == 1 else set()
    if len(pairs) == 1 and of_many == pairs:
        return Cause(
            "draws.fixed_number_of_pairs", f"{pairs.pop():g} pairs are drawn, whatever `samples` is", "the second argument says how many pairs"
        )
    if len(parts) == 1:
        return Cause(
            "draws.fixed_number_of_components",
            f"queries and keys are drawn with {parts.pop():g} components, whatever `d` is",
            "the first argument says how many components",
        )
    return Cause(
        "draws.wrong_count",
        f"for d = {runs[0].d} and {runs[0].samples} samples, {counts[0]} numbers are drawn, but {2 * runs[0].samples * runs[0].d} are needed: "
        "a query and a key for each sample",
        "print the shape of everything that is drawn",
    )


def _flat(run: Run) -> Array:
    return np.concatenate([draw.numbers.ravel() for draw in run.draws]) if run.draws else np.zeros(0)


def _made_of_them(runs: list[Run]) -> Cause | None:
    """A formula that gives the answer's result, to the last digits, from the numbers that it has drawn."""
    if all(run.result == 0 for run in runs):
        return Cause(
            "draws.zero_variance",
            "the result is exactly 0: it is the variance of one number, or of equal numbers",
            "print the shape of the scores: it should be (samples,)",
        )
    if any(_is_right(*pair, run.result) for run in runs for pair in pairs_of(run)):
        return None
    for *cause, formula in FORMULAS:
        if all(any(np.isclose(run.result, formula(*pair), rtol=1e-7, atol=0) for pair in pairs_of(run)) for run in runs):
            return Cause(*cause)
    return None


def _is_right(q: Array, k: Array, result: float) -> bool:
    return bool(np.isclose((q * k).sum(axis=1).var(), result))


def pairs_of(run: Run) -> Iterator[tuple[Array, Array]]:
    """The queries and keys that may be meant by what was drawn, (samples, d) each."""
    d, samples, flat = run.d, run.samples, _flat(run)
    if flat.size != 2 * samples * d:
        return
    if len(run.draws) == 2:  # the shape says which axis has which length
        q, k = (one.T if one.shape == (d, samples) else one.reshape(samples, d) for one in (draw.numbers.squeeze() for draw in run.draws))
        yield q, k
        return
    for shape in itertools.permutations((2, samples, d)):
        order = tuple(shape.index(length) for length in (2, samples, d))
        q, k = flat.reshape(shape).transpose(order)
        yield q, k
