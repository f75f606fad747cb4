"""What a slip is said to be, as data: words, and what decides about them without a look at the words."""

from __future__ import annotations

from dataclasses import dataclass, replace

from authoring.variations.claims import NOTHING, Claims
from authoring.variations.words import Term

PSEUDOCODE = "compare each of your lines with its step in *Pseudocode*"


@dataclass(frozen=True)
class Wording:
    """What a slip is said to be.

    Attributes:
        id: the kind of slip, whatever the words: "axis.missing". With the terms, it says all that the words do.
        words: for the learner.
        next: the next step.
        claims: what stands in the learner's lines if the words are true of them.
        terms: what is called by a name in the words.
        more_than: the slips that these words say more than: without a name, in one place, or one of two.
    """

    id: str
    words: str
    next: str
    claims: Claims = NOTHING
    terms: tuple[Term, ...] = ()
    more_than: tuple[Wording, ...] = ()

    @property
    def kind(self) -> tuple:
        """What is the same for all places of an answer in which the same slip can be made: the id, and all but the names."""
        return self.id, *(term.form for term in self.terms)

    @property
    def tells_lengths_apart(self) -> bool:
        """Whether it is a length in another one's place, which explains more than the array that they are read off."""
        return self.id == "name.instead" and all(term.is_length for term in self.terms)

    @property
    def names(self) -> list[str]:
        """What may differ between such places."""
        return [term.name for term in self.terms if term.name]

    def says_as_much_as(self, other: Wording) -> bool:
        """Whether both are the same but for the number of an axis: axis 0 and axis -2 of a matrix are one."""
        return self._without_axes() == other._without_axes()

    def _without_axes(self) -> tuple:
        return self.id, [term.text for term in self.terms if term.axis is None], [one._without_axes() for one in self.more_than]

    def also(self, words: str, *terms: Term) -> Wording:
        """The same slip, with more words, which have `{}` for each term."""
        return replace(
            self,
            words=f"{self.words}, {words.format(*(term.text for term in terms))}",
            claims=self.claims.union(*(term.claims for term in terms)),
            terms=(*self.terms, *terms),
            more_than=(self, *self.more_than),
        )

    def and_then(self, other: Wording) -> Wording:
        """Two slips, one after the other."""
        both = self.also("and {}", Term(other.words))
        return replace(both, next=other.next, claims=self.claims | other.claims, terms=(*self.terms, *other.terms))

    def written(self) -> list:
        """What `attnlab/data/variations` keeps of it."""
        return [self.id, self.words, self.next, sorted(map(sorted, self.claims))]


def say(id: str, words: str, *terms: Term | str | None, next: str = PSEUDOCODE, claims: Claims = NOTHING) -> Wording:
    """What a slip is said to be.

    Args:
        id: the kind of slip.
        words: for the learner, with `{}` for each term.
        terms: in their order; texts are the same wherever the slip is made, None is left out.
        next: the next step.
        claims: what stands in the lines beside what the terms claim.
    """
    given = tuple(Term(term) if isinstance(term, str) else term for term in terms if term is not None)
    return Wording(id, words.format(*(term.text for term in given)), next, claims.union(*(term.claims for term in given)), given)
