"""What is made of drawn queries and keys in the place of the variance of their scores."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Array = np.ndarray
Formula = Callable[[Array, Array], float]
ONE_SCORE = "a score is only the sum of the d products of one pair: `(queries * keys).sum(axis=1)`, without dividing"
SPREAD = "take the variance of the `samples` scores: the mean of the squared distances from their mean"


def _scores(q: Array, k: Array) -> Array:
    return np.einsum("ij,ij->i", q, k)


def _lengths(x: Array) -> Array:
    return np.sqrt((x**2).sum(axis=1))


_OF_SCORES: list[tuple[str, str, str, Callable[[Array], float]]] = [
    (
        "products.standard_deviation",
        "this is the standard deviation of the scores, the root of the variance",
        "return the variance, its square",
        lambda s: s.std(),
    ),
    (
        "products.standard_deviation",
        "this is the standard deviation of the scores, the root of the variance",
        "return the variance, its square",
        lambda s: s.std(ddof=1),
    ),
    (
        "products.standard_deviation",
        "this is the standard deviation of the scores, the root of the variance",
        "return the variance, its square",
        lambda s: float(np.sqrt((s**2).mean())),
    ),
    ("products.squares_not_averaged", "the squares are added up but never divided by the number of samples", SPREAD, lambda s: s.var() * len(s)),
    ("products.squares_not_averaged", "the squares are added up but never divided by the number of samples", SPREAD, lambda s: (s**2).sum()),
    (
        "products.variance_terms_exchanged",
        "the two terms are swapped: the mean of the squares comes first",
        SPREAD,
        lambda s: s.mean() ** 2 - (s**2).mean(),
    ),
    ("products.divided_by_samples_twice", "the variance is divided by the number of samples a second time", SPREAD, lambda s: s.var() / len(s)),
    ("products.variance_squared", "the variance is squared", SPREAD, lambda s: s.var() ** 2),
    ("products.mean_not_variance", "this is the mean of the scores, not their variance", SPREAD, lambda s: s.mean()),
    ("products.square_of_mean", "this is the square of the scores' mean, not the mean of their squares", SPREAD, lambda s: s.mean() ** 2),
    ("products.sum_not_variance", "this is the sum of the scores, not their variance", SPREAD, lambda s: s.sum()),
    (
        "products.mean_of_absolute_scores",
        "this is the mean of the absolute scores, not their variance",
        SPREAD,
        lambda s: np.abs(s).mean(),
    ),
    ("products.distances_not_squared", "the distances from the mean are not squared", SPREAD, lambda s: np.abs(s - s.mean()).mean()),
    ("products.variance_of_absolute_scores", "the absolute values of the scores are taken before the variance", SPREAD, lambda s: np.abs(s).var()),
    ("products.variance_of_squared_scores", "the scores are squared before the variance is taken", SPREAD, lambda s: (s**2).var()),
    (
        "products.range_not_variance",
        "this is the difference between the largest and the smallest score, not the variance",
        SPREAD,
        lambda s: np.ptp(s),
    ),
    (
        "products.softmax_before_variance",
        "a softmax of the scores is taken before the variance",
        SPREAD,
        lambda s: (np.exp(s - s.max()) / np.exp(s - s.max()).sum()).var(),
    ),
    ("products.first_score_left_out", "only the first score is left out", SPREAD, lambda s: s[1:].var()),
    ("products.last_score_left_out", "only the last score is left out", SPREAD, lambda s: s[:-1].var()),
]
FORMULAS: list[tuple[str, str, str, Formula]] = [
    *((id, words, next_step, lambda q, k, of=of: float(of(_scores(q, k)))) for id, words, next_step, of in _OF_SCORES),
    (
        "products.products_not_summed",
        "this is the variance of the separate products: they are not added up",
        ONE_SCORE,
        lambda q, k: (q * k).var(),
    ),
    (
        "products.products_not_summed",
        "this is the variance of the separate products: they are not added up",
        ONE_SCORE,
        lambda q, k: (q * k).var(axis=0).mean(),
    ),
    (
        "products.products_not_summed",
        "this is the variance of the separate products: they are not added up",
        ONE_SCORE,
        lambda q, k: (q * k).var(axis=1).mean(),
    ),
    (
        "products.summed_over_samples",
        "the sum runs over the samples",
        "add up over the components: one score for each pair",
        lambda q, k: (q * k).sum(axis=0).var(),
    ),
    (
        "products.averaged_over_samples",
        "the mean runs over the samples",
        "add up over the components: one score for each pair",
        lambda q, k: (q * k).mean(axis=0).var(),
    ),
    (
        "products.mean_of_products",
        "the mean of the d products is taken instead of their sum, or the scores are divided by d",
        ONE_SCORE,
        lambda q, k: (q * k).mean(axis=1).var(),
    ),
    (
        "products.divided_by_root_d",
        "the scores are divided by the root of d, or the variance by d: this is the variance of scaled scores",
        ONE_SCORE,
        lambda q, k: _scores(q, k).var() / q.shape[1],
    ),
    (
        "products.divided_by_root_d",
        "the scores are divided by the root of d, or the variance by d: this is the variance of scaled scores",
        ONE_SCORE,
        lambda q, k: _scores(q, k).var(ddof=1) / q.shape[1],
    ),
    *(
        ("products.squares_divided_by_d", f"the squares are divided by {name}, not by the number of samples", SPREAD, of)
        for name, less in (("d", 0), ("d − 1", 1))
        for of in (
            lambda q, k, less=less: (_scores(q, k) ** 2).sum() / (q.shape[1] - less),
            lambda q, k, less=less: _scores(q, k).var() * len(q) / (q.shape[1] - less),
        )
    ),
    (
        "products.divided_by_fourth_root_d",
        "the scores are divided by the fourth root of d, or the variance by the root",
        ONE_SCORE,
        lambda q, k: _scores(q, k).var() / q.shape[1] ** 0.5,
    ),
    (
        "products.multiplied_by_root_d",
        "the scores are multiplied by the root of d, or the variance by d",
        ONE_SCORE,
        lambda q, k: _scores(q, k).var() * q.shape[1],
    ),
    (
        "products.multiplied_by_d",
        "the scores are multiplied by d, or the variance by its square",
        ONE_SCORE,
        lambda q, k: _scores(q, k).var() * q.shape[1] ** 2,
    ),
    ("products.queries_keys_added", "queries and keys are added, not multiplied", ONE_SCORE, lambda q, k: (q + k).sum(axis=1).var()),
    (
        "products.queries_keys_subtracted",
        "queries and keys are subtracted, not multiplied",
        ONE_SCORE,
        lambda q, k: (q - k).sum(axis=1).var(),
    ),
    (
        "products.summed_before_multiplying",
        "the components are added up before they are multiplied",
        ONE_SCORE,
        lambda q, k: (q.sum(axis=1) * k.sum(axis=1)).var(),
    ),
    (
        "products.cosine_similarity",
        "the scores are divided by the lengths of queries and keys",
        ONE_SCORE,
        lambda q, k: (_scores(q, k) / _lengths(q) / _lengths(k)).var(),
    ),
    (
        "products.all_pairs_scored",
        "every query is multiplied with every key, and this is the variance of all those scores",
        "compute one score for each pair: query i meets only key i",
        lambda q, k: (q @ k.T).var(),
    ),
    (
        "products.all_components_paired",
        "every component of the queries meets every component of the keys, summed over the samples",
        ONE_SCORE,
        lambda q, k: (q.T @ k).var(),
    ),
    ("products.variance_of_components", "this is the variance of components: no score is computed", ONE_SCORE, lambda q, k: q.var()),
    ("products.variance_of_components", "this is the variance of components: no score is computed", ONE_SCORE, lambda q, k: k.var()),
    (
        "products.variance_of_components",
        "this is the variance of components: no score is computed",
        ONE_SCORE,
        lambda q, k: np.concatenate([q, k]).var(),
    ),
    (
        "products.queries_with_themselves",
        "the queries are multiplied by themselves: the keys are not used",
        ONE_SCORE,
        lambda q, k: _scores(q, q).var(),
    ),
    ("products.keys_with_themselves", "the keys are multiplied by themselves: the queries are not used", ONE_SCORE, lambda q, k: _scores(k, k).var()),
    ("products.only_queries_summed", "only the queries are added up: the keys are not used", ONE_SCORE, lambda q, k: q.sum(axis=1).var()),
    (
        "products.absolute_products",
        "the absolute values of the products are added up",
        ONE_SCORE,
        lambda q, k: np.abs(q * k).sum(axis=1).var(),
    ),
    (
        "products.products_squared",
        "the products are squared before they are added up",
        ONE_SCORE,
        lambda q, k: ((q * k) ** 2).sum(axis=1).var(),
    ),
    (
        "products.distances_as_scores",
        "the scores are the distances between queries and keys, not their dot products",
        ONE_SCORE,
        lambda q, k: _lengths(q - k).var(),
    ),
    (
        "products.largest_product_only",
        "the largest product of each pair is taken instead of the sum",
        ONE_SCORE,
        lambda q, k: (q * k).max(axis=1).var(),
    ),
    ("products.products_multiplied", "the products are multiplied, not added up", ONE_SCORE, lambda q, k: (q * k).prod(axis=1).var()),
    (
        "products.variance_within_pairs",
        "the variance is taken within each pair and averaged over the pairs",
        SPREAD,
        lambda q, k: (q * k).var(axis=1).sum(),
    ),
    ("products.component_left_out", "one component is left out of the sum", ONE_SCORE, lambda q, k: _scores(q[:, 1:], k[:, 1:]).var()),
    ("products.component_left_out", "one component is left out of the sum", ONE_SCORE, lambda q, k: _scores(q[:, :-1], k[:, :-1]).var()),
    ("products.only_first_component", "only the first component is multiplied", ONE_SCORE, lambda q, k: (q[:, 0] * k[:, 0]).var()),
]
