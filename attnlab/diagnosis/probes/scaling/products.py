"""What is made of drawn queries and keys in the place of the variance of their scores."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Array = np.ndarray
Formula = Callable[[Array, Array], float]
ONE_SCORE = "a score is the sum of the d products of one pair, and nothing else is done to it: `(queries * keys).sum(axis=1)`, without dividing"
SPREAD = "take the variance of the `samples` scores: the mean of the squared distances from their mean"


def _scores(q: Array, k: Array) -> Array:
    return np.einsum("ij,ij->i", q, k)


def _lengths(x: Array) -> Array:
    return np.sqrt((x**2).sum(axis=1))


_OF_SCORES: list[tuple[str, str, Callable[[Array], float]]] = [
    ("this is the standard deviation of the scores, the root of the variance", "return the variance, its square", lambda s: s.std()),
    ("this is the standard deviation of the scores, the root of the variance", "return the variance, its square", lambda s: s.std(ddof=1)),
    (
        "this is the standard deviation of the scores, the root of the variance",
        "return the variance, its square",
        lambda s: float(np.sqrt((s**2).mean())),
    ),
    ("the squares are added up, and never divided by the number of samples", SPREAD, lambda s: s.var() * len(s)),
    ("the squares are added up, and never divided by the number of samples", SPREAD, lambda s: (s**2).sum()),
    ("the two terms are exchanged: the mean of the squares comes first", SPREAD, lambda s: s.mean() ** 2 - (s**2).mean()),
    ("the variance is divided by the number of samples once more", SPREAD, lambda s: s.var() / len(s)),
    ("the variance is squared once more", SPREAD, lambda s: s.var() ** 2),
    ("this is the mean of the scores, not their variance", SPREAD, lambda s: s.mean()),
    ("this is the square of the scores' mean, not the mean of their squares", SPREAD, lambda s: s.mean() ** 2),
    ("this is the sum of the scores, not their variance", SPREAD, lambda s: s.sum()),
    ("this is the mean of the scores without their signs, not their variance", SPREAD, lambda s: np.abs(s).mean()),
    ("the distances from the mean are not squared", SPREAD, lambda s: np.abs(s - s.mean()).mean()),
    ("the scores lose their signs before the variance is taken", SPREAD, lambda s: np.abs(s).var()),
    ("the scores are squared before the variance is taken", SPREAD, lambda s: (s**2).var()),
    ("this is the distance of the largest score from the smallest, not the variance", SPREAD, lambda s: np.ptp(s)),
    ("a softmax is taken of the scores before the variance", SPREAD, lambda s: (np.exp(s - s.max()) / np.exp(s - s.max()).sum()).var()),
    ("the first score alone is left out", SPREAD, lambda s: s[1:].var()),
    ("the last score alone is left out", SPREAD, lambda s: s[:-1].var()),
]
FORMULAS: list[tuple[str, str, Formula]] = [
    *((likely, next_step, lambda q, k, of=of: float(of(_scores(q, k)))) for likely, next_step, of in _OF_SCORES),
    ("the variance is that of all single products: they are not added up", ONE_SCORE, lambda q, k: (q * k).var()),
    ("the variance is that of all single products: they are not added up", ONE_SCORE, lambda q, k: (q * k).var(axis=0).mean()),
    ("the variance is that of all single products: they are not added up", ONE_SCORE, lambda q, k: (q * k).var(axis=1).mean()),
    ("the sum runs over the samples", "add up over the components: one score for each pair", lambda q, k: (q * k).sum(axis=0).var()),
    ("the mean runs over the samples", "add up over the components: one score for each pair", lambda q, k: (q * k).mean(axis=0).var()),
    ("the mean of the d products is taken in place of their sum, or the scores are divided by d", ONE_SCORE, lambda q, k: (q * k).mean(axis=1).var()),
    (
        "the scores are divided by the root of d, or the variance by d: this is the variance of scaled scores",
        ONE_SCORE,
        lambda q, k: _scores(q, k).var() / q.shape[1],
    ),
    (
        "the scores are divided by the root of d, or the variance by d: this is the variance of scaled scores",
        ONE_SCORE,
        lambda q, k: _scores(q, k).var(ddof=1) / q.shape[1],
    ),
    *(
        (f"the squares are divided by {name}, not by the number of samples", SPREAD, of)
        for name, less in (("d", 0), ("d − 1", 1))
        for of in (
            lambda q, k, less=less: (_scores(q, k) ** 2).sum() / (q.shape[1] - less),
            lambda q, k, less=less: _scores(q, k).var() * len(q) / (q.shape[1] - less),
        )
    ),
    ("the scores are divided by the fourth root of d, or the variance by the root", ONE_SCORE, lambda q, k: _scores(q, k).var() / q.shape[1] ** 0.5),
    ("the scores are multiplied by the root of d, or the variance by d", ONE_SCORE, lambda q, k: _scores(q, k).var() * q.shape[1]),
    ("the scores are multiplied by d, or the variance by its square", ONE_SCORE, lambda q, k: _scores(q, k).var() * q.shape[1] ** 2),
    ("queries and keys are added, not multiplied", ONE_SCORE, lambda q, k: (q + k).sum(axis=1).var()),
    ("queries and keys are subtracted, not multiplied", ONE_SCORE, lambda q, k: (q - k).sum(axis=1).var()),
    ("the components are added up before they are multiplied", ONE_SCORE, lambda q, k: (q.sum(axis=1) * k.sum(axis=1)).var()),
    ("the scores are divided by the lengths of queries and keys", ONE_SCORE, lambda q, k: (_scores(q, k) / _lengths(q) / _lengths(k)).var()),
    (
        "every query meets every key, and the variance is that of all these scores",
        "one score for each pair: query i meets key i alone",
        lambda q, k: (q @ k.T).var(),
    ),
    ("every component of the queries meets every component of the keys, summed over the samples", ONE_SCORE, lambda q, k: (q.T @ k).var()),
    ("the variance is that of components: no score is computed", ONE_SCORE, lambda q, k: q.var()),
    ("the variance is that of components: no score is computed", ONE_SCORE, lambda q, k: k.var()),
    ("the variance is that of components: no score is computed", ONE_SCORE, lambda q, k: np.concatenate([q, k]).var()),
    ("the queries meet themselves: the keys are not used", ONE_SCORE, lambda q, k: _scores(q, q).var()),
    ("the keys meet themselves: the queries are not used", ONE_SCORE, lambda q, k: _scores(k, k).var()),
    ("the queries alone are added up: the keys are not used", ONE_SCORE, lambda q, k: q.sum(axis=1).var()),
    ("the products lose their signs before they are added up", ONE_SCORE, lambda q, k: np.abs(q * k).sum(axis=1).var()),
    ("the products are squared before they are added up", ONE_SCORE, lambda q, k: ((q * k) ** 2).sum(axis=1).var()),
    ("the scores are the distances of queries and keys, not dot products", ONE_SCORE, lambda q, k: _lengths(q - k).var()),
    ("the largest product of each pair is taken in place of the sum", ONE_SCORE, lambda q, k: (q * k).max(axis=1).var()),
    ("the products are multiplied, not added up", ONE_SCORE, lambda q, k: (q * k).prod(axis=1).var()),
    ("the variance is taken within each pair, and averaged over them", SPREAD, lambda q, k: (q * k).var(axis=1).sum()),
    ("one component is left out of the sum", ONE_SCORE, lambda q, k: _scores(q[:, 1:], k[:, 1:]).var()),
    ("one component is left out of the sum", ONE_SCORE, lambda q, k: _scores(q[:, :-1], k[:, :-1]).var()),
    ("only the first component is multiplied", ONE_SCORE, lambda q, k: (q[:, 0] * k[:, 0]).var()),
]
