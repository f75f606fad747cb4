"""What slips do to a whole array, for NumPy and torch: these names stand in the texts of variations."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch


def _like(made: np.ndarray, array: Any) -> Any:
    return torch.from_numpy(np.ascontiguousarray(made)).to(array.dtype) if isinstance(array, torch.Tensor) else made


def _numbers(array: Any) -> np.ndarray:
    return np.array(array.detach() if isinstance(array, torch.Tensor) else array, dtype=float)


def softmax_over(array: Any, axis: int) -> Any:
    """The softmax along an axis."""
    numbers = _numbers(array)
    powers = np.exp(numbers - numbers.max(axis=axis, keepdims=True))
    return _like(powers / powers.sum(axis=axis, keepdims=True), array)


def unit_rows(array: Any) -> Any:
    """Every row divided by its length."""
    numbers = _numbers(array)
    return _like(numbers / np.sqrt((numbers**2).sum(axis=-1, keepdims=True)), array)


def centred(array: Any) -> Any:
    """Every row without its mean."""
    numbers = _numbers(array)
    return _like(numbers - numbers.mean(axis=-1, keepdims=True), array)


def over_their_sum(array: Any) -> Any:
    """Every row divided by its sum."""
    numbers = _numbers(array)
    return _like(numbers / numbers.sum(axis=-1, keepdims=True), array)


def _square(array: Any) -> np.ndarray:
    """The numbers of scores of all tokens with all; those of one query have no diagonal."""
    numbers = _numbers(array)
    if numbers.ndim < 2 or numbers.shape[-1] != numbers.shape[-2]:
        raise ValueError(f"scores of shape {numbers.shape}")
    return numbers


def without_later(scores: Any) -> Any:
    """Scores in which no query looks at a later token."""
    numbers = _square(scores)
    return _like(np.where(np.tril(np.ones(numbers.shape[-2:], dtype=bool)), numbers, -np.inf), scores)


def without_itself(scores: Any) -> Any:
    """Scores in which no query looks at its own token."""
    numbers = _square(scores)
    return _like(np.where(np.eye(*numbers.shape[-2:], dtype=bool), -np.inf, numbers), scores)


def only_itself(scores: Any) -> Any:
    """Scores of each token with itself alone, and zeros beside them."""
    numbers = _square(scores)
    return _like(numbers * np.eye(*numbers.shape[-2:]), scores)


def all_equal(weights: Any) -> Any:
    """The same weight for every key."""
    numbers = _numbers(weights)
    return _like(np.full(numbers.shape, 1 / numbers.shape[-1]), weights)


def only_the_largest(weights: Any) -> Any:
    """Weight 1 for the key with the largest weight, 0 for all others."""
    numbers = _numbers(weights)
    return _like((np.arange(numbers.shape[-1]) == numbers.argmax(axis=-1)[..., None]).astype(float), weights)


def read_as(array: Any, other: Any) -> Any:
    """The numbers of an array in their order, in the shape of another one."""
    return array.reshape(other.shape)


def interleaved(parts: Any) -> Any:
    """First the first row of each part, then the second of each, and so on."""
    stacked = np.stack([_numbers(part) for part in parts], axis=1)
    return _like(stacked.reshape(-1, *stacked.shape[2:]), parts[0])


def of_one_part(parts: Any, number: int, matrix: Any) -> Any:
    """The product of one of several parts that stand side by side with those rows of a matrix that are its own."""
    before = sum(part.shape[-1] for part in parts[:number])
    return parts[number] @ matrix[before : before + parts[number].shape[-1]]


NAMES = {
    one.__name__: one
    for one in (
        softmax_over,
        unit_rows,
        centred,
        over_their_sum,
        without_later,
        without_itself,
        only_itself,
        all_equal,
        only_the_largest,
        read_as,
        interleaved,
        of_one_part,
    )
}
