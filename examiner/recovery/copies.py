"""Which of several cells that go by one name is the one: copies, and parts of a cell that was split."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from examiner.recovery.cells import Given, bound_names, plain
from examiner.recovery.matching import Match, Matching

COPIED = "{stands} in several cells. All of them run, and the last one that was written in is shown as the answer"
COPIED_TEST = "{stands} in several cells. The test runs once, where it was given; the others are code of the student's"
COPIED_TEXT = "{stands} in several cells. The instructor's text is in one of them"
SPLIT = "{was} split. Its parts run in their order"
JOINED = "{was} split. Its parts are shown together, as one answer"
SEVERAL = "{stands} in several cells with different texts. All of them are shown together: look which one is the answer"
TOGETHER = "had lost {its} name. Several texts stand at {its} place, and are shown together: look what of them is the answer"
RULE = "\n\n"
OTHER_COPY = "\n\n---\n\n*Another cell of the same name:*\n\n"


@dataclass(frozen=True)
class Chosen:
    """The piece that gets the name. `text`: what stands in it then, where that is not what stood there; `gone`: pieces that are in it."""

    heir: int
    said: str = ""
    asks: bool = False
    text: str | None = None
    gone: list[int] = field(default_factory=list)


def choose(cell: Given, found: Match, matching: Matching, beside: list[int]) -> Chosen:
    """Choose among the pieces that are `cell`.

    Args:
        beside: pieces with an answer that was written next to the cell, which is as it was given.
    """
    texts = {piece: matching.pieces[piece].text for piece in (*found.pieces, *beside)}
    if beside:
        heir = found.pieces[0]
        return Chosen(heir, text=RULE.join(texts[piece] for piece in beside), gone=beside)
    if len(found.pieces) == 1:
        return Chosen(found.pieces[0])
    if cell.role in ("test", "locked", "plain"):
        same = [piece for piece in found.pieces if cell.is_text_of(texts[piece])] or found.pieces
        return Chosen(_in_its_place(cell, same, matching), COPIED_TEST if cell.role == "test" else COPIED_TEXT)
    written = [piece for piece in found.pieces if not cell.is_text_of(texts[piece])] or found.pieces[-1:]
    distinct = {plain(texts[piece]): piece for piece in written}  # of equal ones the last
    heir = max(distinct.values())
    if cell.kind == "code":
        return Chosen(heir, SPLIT if _is_split(cell, written, texts) else COPIED, asks=cell.role == "by hand" and len(distinct) > 1)
    if len(distinct) == 1:
        return Chosen(heir, COPIED_TEXT.replace("The instructor's text is", "Its answer is shown"))
    parts = sorted(distinct.values())
    if found.by == "place":
        return Chosen(parts[0], TOGETHER, asks=True, text=RULE.join(texts[piece] for piece in parts), gone=parts[1:])
    is_split = all(later == earlier + 1 for earlier, later in pairwise(parts))
    joined = (RULE if is_split else OTHER_COPY).join(texts[piece] for piece in parts)
    return Chosen(parts[0], JOINED if is_split else SEVERAL, asks=not is_split, text=joined, gone=parts[1:])


def _in_its_place(cell: Given, pieces: list[int], matching: Matching) -> int:
    """The piece that stands between the neighbours of `cell`; the last one where none or several do."""
    number = matching.given.index(cell)
    others = [(given, place) for given, place in matching.chain() if given != number]
    before = max((place for given, place in others if given < number), default=-1)
    after = min((place for given, place in others if given > number), default=len(matching.pieces))
    return ([piece for piece in pieces if before < piece < after] or pieces)[-1]


def _is_split(cell: Given, pieces: list[int], texts: dict[int, str]) -> bool:
    """Whether no two of them bind the same of what the given cell binds, and they stand together."""
    names = cell.binds
    bound = [bound_names(texts[piece]) & names for piece in pieces]
    return all(later == earlier + 1 for earlier, later in pairwise(pieces)) and sum(map(len, bound)) == len(frozenset().union(*bound))
