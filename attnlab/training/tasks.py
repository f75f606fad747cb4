"""Tasks that a model with one layer of attention can learn in seconds. Each makes as many random sequences as you ask for.

A task says how its sequences read (`vocabulary` different entries, summed over the last axis of the tokens), how many `questions` it asks
about each sequence, and out of how many `classes` each answer is. `asked` is the place of the token that has to answer all of them, or None
where each token answers a question of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor


class Task(Protocol):
    """What `training.Reader` and `training.train` need to know."""

    vocabulary: int
    questions: int
    classes: int
    asked: int | None

    def batch(self, size: int, draw: torch.Generator) -> tuple[Tensor, Tensor]:
        """Random sequences `(size, T, n)`, where the n entries of a token are summed, and the right answers `(size, questions)`."""
        ...


@dataclass(frozen=True)
class NextLetter:
    """Letters in random order, each with a digit on its back; each has to say the digit of the next letter, the last one that of the first.

    Args:
        letters: how many letters there are; each occurs once.
    """

    letters: int = 8
    digits: int = 10
    asked: int | None = None

    @property
    def vocabulary(self) -> int:
        """Letters, then digits."""
        return self.letters + self.digits

    @property
    def questions(self) -> int:
        """One for each token."""
        return self.letters

    @property
    def classes(self) -> int:
        """The digits."""
        return self.digits

    def batch(self, size: int, draw: torch.Generator) -> tuple[Tensor, Tensor]:
        """See `Task`: tokens `(size, letters, 2)`, the letter and its digit; answers `(size, letters)`."""
        letters = torch.rand(size, self.letters, generator=draw).argsort(1)
        digits = torch.randint(self.digits, (size, self.letters), generator=draw)
        place_of = letters.argsort(1)  # the inverse: where each letter stands
        successors = place_of.gather(1, (letters + 1) % self.letters)
        return torch.stack([letters, self.letters + digits], -1), digits.gather(1, successors)

    def in_order(self, digits: list[int]) -> Tensor:
        """One sequence with the letters in the order of the alphabet: tokens `(1, letters, 2)`."""
        letters = torch.arange(self.letters)
        return torch.stack([letters, self.letters + torch.tensor(digits)], -1)[None]


@dataclass(frozen=True)
class TwoQuestions:
    """Names with a thing each, and at the end two of the names: what has the first one, what the second? Both answers have to be given, in order.

    Args:
        names: how many names there are, and how many things.
        listed: how many of the names are in a sequence, in front of the question.
    """

    names: int = 24
    listed: int = 8
    asked: int | None = -1
    questions: int = 2

    @property
    def vocabulary(self) -> int:
        """Names in the list, things, names asked for first, names asked for second."""
        return 4 * self.names

    @property
    def classes(self) -> int:
        """The things."""
        return self.names

    def batch(self, size: int, draw: torch.Generator) -> tuple[Tensor, Tensor]:
        """See `Task`: tokens `(size, listed + 1, 2)`, pairs of name and thing and then the question; answers `(size, 2)`."""
        names = torch.rand(size, self.names, generator=draw).argsort(1)[:, : self.listed]
        things = torch.randint(self.names, (size, self.listed), generator=draw)
        asked = torch.rand(size, self.listed, generator=draw).argsort(1)[:, :2]
        pairs = torch.stack([names, self.names + things], -1)
        question = names.gather(1, asked) + self.names * torch.tensor([2, 3])
        return torch.cat([pairs, question[:, None]], 1), things.gather(1, asked)


@dataclass(frozen=True)
class WhoEats:
    """Sentences such as "dog eats meat": the word in the middle has to say who eats, and what is eaten.

    Args:
        words: how many words there are besides "eats". Each of them may stand on both sides, so that only its place tells who eats.
    """

    words: int = 8
    asked: int | None = 1
    questions: int = 2

    @property
    def vocabulary(self) -> int:
        """The words, then "eats"."""
        return self.words + 1

    @property
    def classes(self) -> int:
        """The words."""
        return self.words

    def batch(self, size: int, draw: torch.Generator) -> tuple[Tensor, Tensor]:
        """See `Task`: tokens `(size, 3, 1)`; answers `(size, 2)`, who eats and what."""
        pair = torch.rand(size, self.words, generator=draw).argsort(1)[:, :2]
        eats = torch.full((size, 1), self.words)
        return torch.stack([pair[:, :1], eats, pair[:, 1:]], 1), pair
