"""Tasks for a whole transformer: each token of a sequence is asked for a token, or is not asked. `measuring.Sequences` says what a task has."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files

import torch
from torch import Tensor

from attnlab.training.measuring import NOT_ASKED, Sequences

LETTERS = "abcdefghijklmnopqrstuvwxyz"


class _Drawn:
    """A task whose sequences are random: what training never sees is drawn as its batches are, and guessing has a chance."""

    vocabulary: int
    measure = "right"

    @property
    def lines(self) -> Mapping[str, float]:
        """What guessing gets."""
        return {"guessing": 1 / self.vocabulary}

    def fresh(self: Sequences, size: int, draw: torch.Generator) -> tuple[Tensor, Tensor]:
        """See `Sequences`."""
        return self.batch(size, draw)


@dataclass(frozen=True)
class Reverse(_Drawn):
    """Random digits; each position is asked for the digit at the same position from the end.

    Args:
        length: T, how many digits a sequence has.
        vocabulary: how many digits there are.
    """

    length: int = 16
    vocabulary: int = 10

    def batch(self, size: int, draw: torch.Generator) -> tuple[Tensor, Tensor]:
        """See `Sequences`: both `(size, length)`; every position is asked."""
        tokens = torch.randint(self.vocabulary, (size, self.length), generator=draw)
        return tokens, tokens.flip(1)


@dataclass(frozen=True)
class ReverseAndAdd(Reverse):
    """Random digits; each position is asked for its own digit plus the one at the same position from the end, modulo the vocabulary."""

    def batch(self, size: int, draw: torch.Generator) -> tuple[Tensor, Tensor]:
        """See `Sequences`: both `(size, length)`; every position is asked."""
        tokens, from_the_end = super().batch(size, draw)
        return tokens, (tokens + from_the_end) % self.vocabulary


@dataclass(frozen=True)
class ReverseLengths(_Drawn):
    """Random digits, 4 to 16 of them; each is asked for the digit at the same position from the end of its own sequence.

    Shorter sequences of a batch are filled up with token 10, where nothing is asked.

    Args:
        shortest, longest: how many digits a sequence has; batches are `longest` wide.
        length: how many tokens a model has to be able to read.
        padding: the token that fills up.
    """

    shortest: int = 4
    longest: int = 16
    length: int = 24
    padding: int = 10
    vocabulary: int = 11

    @property
    def lines(self) -> Mapping[str, float]:
        """What guessing gets."""
        return {"guessing": 1 / self.padding}

    def batch(self, size: int, draw: torch.Generator) -> tuple[Tensor, Tensor]:
        """See `Sequences`: both `(size, longest)`."""
        lengths = torch.randint(self.shortest, self.longest + 1, (size, 1), generator=draw)
        tokens = torch.randint(self.padding, (size, self.longest), generator=draw)
        positions = torch.arange(self.longest)
        empty = positions >= lengths
        targets = tokens.gather(1, (lengths - 1 - positions).clamp(min=0))
        return tokens.masked_fill(empty, self.padding), targets.masked_fill(empty, NOT_ASKED)


@dataclass(frozen=True)
class Repeat(_Drawn):
    """Random letters that come again and again, with a period that is drawn anew for each sequence; each position is asked for the next letter.

    Within a period every letter occurs once. The first period can only be guessed, so nothing is asked there.

    Args:
        length: T, how many letters a sequence has.
        shortest, longest: the shortest and the longest period.
    """

    length: int = 24
    shortest: int = 3
    longest: int = 12
    vocabulary: int = len(LETTERS)

    def batch(self, size: int, draw: torch.Generator) -> tuple[Tensor, Tensor]:
        """See `Sequences`: both `(size, length)`."""
        period, sequence = self._repeated(size, draw, self.vocabulary, self.length + 1)
        targets = sequence[:, 1:].masked_fill(torch.arange(self.length) < period, NOT_ASKED)
        return sequence[:, :-1], targets

    def _repeated(self, size: int, draw: torch.Generator, different: int, count: int) -> tuple[Tensor, Tensor]:
        """Periods `(size, 1)`, and letters that repeat with them, `(size, count)`, out of so many different ones."""
        period = torch.randint(self.shortest, self.longest + 1, (size, 1), generator=draw)
        letters = torch.rand(size, different, generator=draw).argsort(1)[:, : self.longest]
        return period, letters.gather(1, torch.arange(count) % period)

    def of(self, word: str) -> Tensor:
        """A word, repeated until the sequence is full: tokens `(1, length)`."""
        numbers = torch.tensor([LETTERS.index(letter) for letter in word])
        return numbers[torch.arange(self.length) % len(word)][None]


@dataclass(frozen=True)
class RepeatFromStart(Repeat):
    """The same behind a start token, 26; every letter is asked for, the first period, too."""

    length: int = 25
    vocabulary: int = 1 + len(LETTERS)

    def batch(self, size: int, draw: torch.Generator) -> tuple[Tensor, Tensor]:
        """See `Sequences`: both `(size, length)`."""
        _, targets = self._repeated(size, draw, self.vocabulary - 1, self.length)
        return torch.cat([torch.full((size, 1), len(LETTERS)), targets[:, :-1]], dim=1), targets


@dataclass(frozen=True)
class Names:
    """5,163 first names of the United States' census of 1990, from the package `names`. Each letter is asked for the one that follows.

    Token 0 stands in front of a name and behind it, 1 to 26 are the letters. Shorter names of a batch are filled up with 0; behind the end
    nothing is asked. 500 names are kept from training: `fresh` draws from these.
    """

    vocabulary: int = 1 + len(LETTERS)
    measure: str = "loss"
    kept: int = field(default=500, repr=False)

    @cached_property
    def all(self) -> Sequence[str]:
        """Every name once, in small letters and in an order drawn once; the first 500 are kept from training."""
        lines = [line for kind in ("female", "male") for line in (files("names") / f"dist.{kind}.first").read_text(encoding="ascii").splitlines()]
        found = sorted({line.split()[0].lower() for line in lines if line.strip()})
        return [found[place] for place in torch.randperm(len(found), generator=torch.Generator().manual_seed(0)).tolist()]

    @cached_property
    def length(self) -> int:
        """T, the tokens of the longest name with the one in front."""
        return 1 + max(map(len, self.all))

    @cached_property
    def lines(self) -> Mapping[str, float]:
        """The loss of guessing, and of a table that knows one letter: how often each letter follows each in training."""
        tokens, targets = self.of(self.all[self.kept :])
        counts = torch.full((self.vocabulary, self.vocabulary), 0.1)  # a little for pairs that did not occur
        asked = targets != NOT_ASKED
        counts.index_put_((tokens[asked], targets[asked]), torch.ones(int(asked.sum())), accumulate=True)
        probabilities = counts / counts.sum(1, keepdim=True)
        tokens, targets = self.of(self.all[: self.kept])
        asked = targets != NOT_ASKED
        return {"guessing": math.log(self.vocabulary), "bigrams": float(-probabilities[tokens[asked], targets[asked]].log().mean())}

    def of(self, names: Sequence[str]) -> tuple[Tensor, Tensor]:
        """These names as tokens and targets, both `(len(names), T)`, T as the longest of them needs."""
        length = 1 + max(map(len, names))
        tokens = torch.zeros(len(names), length, dtype=torch.int64)
        targets = torch.full((len(names), length), NOT_ASKED)
        for row, name in enumerate(names):
            letters = torch.tensor([1 + LETTERS.index(letter) for letter in name])
            tokens[row, 1 : 1 + len(name)] = letters
            targets[row, : len(name)], targets[row, len(name)] = letters, 0
        return tokens, targets

    def batch(self, size: int, draw: torch.Generator) -> tuple[Tensor, Tensor]:
        """See `Sequences`: names to train with, as likely one as the other."""
        numbers = torch.randint(self.kept, len(self.all), (size,), generator=draw)
        return self.of([self.all[number] for number in numbers.tolist()])

    def fresh(self, size: int, draw: torch.Generator) -> tuple[Tensor, Tensor]:
        """See `Sequences`: names that are kept from training, all of them where `size` is as large."""
        numbers = torch.randperm(self.kept, generator=draw)[:size]
        return self.of([self.all[number] for number in numbers.tolist()])

    def read(self, tokens: Sequence[int] | Tensor) -> str:
        """The letters up to the first end."""
        numbers = [int(token) for token in tokens]
        ended = numbers[1:].index(0) + 1 if 0 in numbers[1:] else len(numbers)
        return "".join(LETTERS[number - 1] for number in numbers[1:ended])
