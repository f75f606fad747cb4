"""Tasks that a model with one or two layers of attention can learn in seconds. Each makes as many random sequences as you ask for.

A task says how its sequences read (`vocabulary` different entries, summed over the last axis of the tokens), how many `questions` it asks
about each sequence, and out of how many `classes` each answer is. `asked` is the place of the token that has to answer all of them, or None
where each token answers a question of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Protocol

import numpy as np
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


@dataclass(frozen=True)
class Coreference:
    """Sentences such as "the dog dropped the bone because it was tired": with which letter does the noun begin that *it* means?

    An animal and a thing, in either order, and an adjective that suits one of them: two such sentences are a Winograd schema (Levesque, Davis
    and Morgenstern, 2012). Every letter begins one animal and one thing, so no letter goes with an adjective. No batch has both "dog" and
    "bone": `held_out` has these sentences.

    One layer with a linear readout answers at most three of the four sentences that two pairs of nouns make, `(dog, bone)` and `(bear, drum)`,
    with two adjectives, *tired* and *heavy*. At *it*, the number for "d" minus that for "b" is, up to a positive factor, a sum of one part
    for each word, and f(dog, bone) + g(tired) > 0, f(dog, bone) + g(heavy) < 0, f(bear, drum) + g(tired) < 0, f(bear, drum) + g(heavy) > 0
    contradict each other. Behind an MLP one layer learns it, too.
    """

    animals: Sequence[str] = ("bear", "cat", "dog", "fox", "goat", "horse", "lion", "mouse", "pig", "rabbit", "sheep", "tiger")
    things: Sequence[str] = ("bone", "cup", "drum", "fork", "glass", "hat", "lamp", "map", "pen", "ring", "stone", "towel")
    by_animals: Sequence[str] = ("dropped", "left", "lost", "kept", "hid", "forgot")
    by_things: Sequence[str] = ("hit", "hurt", "scared", "stopped", "surprised", "woke")
    of_animals: Sequence[str] = ("tired", "hungry", "afraid", "asleep", "angry", "thirsty", "sick", "lazy")
    of_things: Sequence[str] = ("heavy", "broken", "cheap", "loose", "plastic", "sharp", "useless", "wooden")
    asked: int | None = 6
    questions: int = 1
    length: int = 9

    @property
    def words(self) -> list[str]:
        """All words, in the order of their numbers."""
        return [*"the because it was".split(), *self.animals, *self.things, *self.by_animals, *self.by_things, *self.of_animals, *self.of_things]

    @property
    def vocabulary(self) -> int:
        """The words, then the positions in a sentence."""
        return len(self.words) + self.length

    @property
    def letters(self) -> list[str]:
        """What can be answered."""
        return [animal[0] for animal in self.animals]

    @property
    def classes(self) -> int:
        """The letters."""
        return len(self.animals)

    def batch(self, size: int, draw: torch.Generator) -> tuple[Tensor, Tensor]:
        """See `Task`: tokens `(size, 9, 2)`, the word and its position; answers `(size, 1)`. Never "dog" and "bone" in one sentence."""
        tokens, answers = self._others
        chosen = torch.randint(len(tokens), (size,), generator=draw)
        return tokens[chosen], answers[chosen]

    @cached_property
    def held_out(self) -> tuple[Tensor, Tensor]:
        """All sentences with "dog" and "bone": tokens `(192, 9, 2)`, answers `(192, 1)`."""
        return self._sentences([("dog", "bone")])

    def tokens(self, sentence: str) -> Tensor:
        """One sentence: tokens `(1, 9, 2)`; raises as `numbers`."""
        return torch.from_numpy(self.numbers(sentence))[None]

    def numbers(self, sentence: str) -> np.ndarray:
        """One sentence: for each word its number and that of its position, `(9, 2)`.

        Raises:
            ValueError: a word is not in the vocabulary, or there are not nine of them.
        """
        words = sentence.split()
        if len(words) != self.length or not set(words) <= set(self.words):
            raise ValueError(f"“{sentence}” cannot be read: it takes {self.length} words out of {' '.join(self.words)}")
        return self._with_positions([words])[0]

    @cached_property
    def _others(self) -> tuple[Tensor, Tensor]:
        """All sentences without "dog" beside "bone": tokens `(25152, 9, 2)`, answers `(25152, 1)`."""
        pairs = product(self.animals, self.things)
        return self._sentences([(animal, thing) for animal, thing in pairs if animal[0] != thing[0] and (animal, thing) != ("dog", "bone")])

    def _sentences(self, pairs: list[tuple[str, str]]) -> tuple[Tensor, Tensor]:
        """Every sentence with these pairs of an animal and a thing, in both orders."""
        made, answers = [], []
        for animal, thing in pairs:
            for order, verbs in (((animal, thing), self.by_animals), ((thing, animal), self.by_things)):
                for verb, (meant, adjectives) in product(verbs, ((animal, self.of_animals), (thing, self.of_things))):
                    made += [f"the {order[0]} {verb} the {order[1]} because it was {adjective}".split() for adjective in adjectives]
                    answers += [[self.letters.index(meant[0])]] * len(adjectives)
        return torch.from_numpy(self._with_positions(made)), torch.tensor(answers)

    def _with_positions(self, sentences: list[list[str]]) -> np.ndarray:
        """Sentences of nine words as numbers `(B, 9, 2)`."""
        number_of = {word: number for number, word in enumerate(self.words)}
        numbers = np.array([[number_of[word] for word in words] for words in sentences])
        return np.stack([numbers, np.broadcast_to(len(number_of) + np.arange(self.length), numbers.shape)], axis=-1)
