"""Which of the pieces that were handed in is which of the cells that were given: by name, by text, and by place, each with a confidence.

A confidence is no probability. It orders the kinds of evidence, and `SURE` is where grading goes on by itself.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import pairwise

from nbjudge._recovery.cells import CellPart, Given, bound_names, lines_of, plain

SURE = 0.8
BY_NAME = {"grade id": 1.0, "cell id": 0.99, "metadata.id": 0.98}
SAME_TEXT, BINDS_ALL, ALIKE, IN_PLACE = 0.97, 0.92, 0.9, 0.85  # what speaks for a match, from the strongest
BINDS_ALL_ELSEWHERE, SEVERAL_IN_PLACE, IN_ORDER_ONLY = 0.85, 0.7, 0.5
MOST_LINES, MOST_LETTERS = 400, 2000  # of a text, and of one with a line or two, that are compared
ALIKE_HERE, ALIKE_ELSEWHERE = 0.6, 0.85  # shares of two texts' lines that are the same, between neighbours and anywhere


@dataclass
class Match:
    """A given cell and the pieces that are it: one, or several where it was split or copied. `by` says what told so."""

    pieces: list[int]
    by: str
    confidence: float


@dataclass
class Matching:
    """`found`: matches by the number of the given cell. `left`: the numbers of pieces that are none of them, empty ones not among them."""

    given: list[Given]
    pieces: list[CellPart]
    found: dict[int, Match] = field(default_factory=dict)

    @property
    def left(self) -> list[int]:
        taken = {piece for match in self.found.values() for piece in match.pieces}
        return [number for number, piece in enumerate(self.pieces) if number not in taken and not piece.is_empty]

    @property
    def missing(self) -> list[int]:
        """The numbers of given cells that were not found."""
        return [number for number in range(len(self.given)) if number not in self.found]

    def chain(self) -> list[tuple[int, int]]:
        """The longest row of matches that stand in the given order: pairs of a given cell and its last piece. Copies are in no row."""
        pairs = [
            (number, match.pieces[-1])
            for number, match in sorted(self.found.items())
            if match.confidence >= SURE and match.pieces[-1] - match.pieces[0] == len(match.pieces) - 1
        ]
        ends: list[int] = []  # of the best row of each length, the place of its last piece
        best: list[tuple[int, int]] = []  # for each pair, the length of its row and which pair is before
        at: list[int] = []
        for index, (_, place) in enumerate(pairs):
            length = bisect_left(ends, place)
            if length == len(ends):
                ends.append(place)
                at.append(index)
            else:
                ends[length], at[length] = place, index
            best.append((length, at[length - 1] if length else -1))
        row, index = [], at[-1] if at else -1
        while index >= 0:
            row.append(pairs[index])
            index = best[index][1]
        return row[::-1]

    def gaps(self) -> list[tuple[list[int], list[int], bool]]:
        """What stands between neighbours of the chain: given cells that are missing, pieces that are left, and whether there is a neighbour."""
        chain = [(-1, -1), *self.chain(), (len(self.given), len(self.pieces))]
        left, missing = self.left, self.missing
        between = []
        for (given, piece), (next_given, next_piece) in pairwise(chain):
            lacking = [number for number in missing if given < number < next_given]
            free = [number for number in left if piece < number < next_piece]
            if lacking or free:
                between.append((lacking, free, given >= 0 or next_given < len(self.given)))
        return between

    def add(self, given: int, pieces: list[int], by: str, confidence: float) -> None:
        """Note a match."""
        self.found[given] = Match(pieces, by, confidence)


def match(given: list[Given], pieces: list[CellPart]) -> Matching:
    """Match what was given with what came back. Neither is changed."""
    matching = Matching(given, pieces)
    _by_name(matching)
    _by_text(matching)
    for _ in range(2):  # what is found here is a neighbour for the rest
        for lacking, free, _ in matching.gaps():
            _alike(matching, lacking, free, ALIKE_HERE)
        for lacking, free, has_neighbour in matching.gaps():
            _answers(matching, lacking, free, has_neighbour)
    _alike(matching, matching.missing, matching.left, ALIKE_ELSEWHERE)
    _bound_elsewhere(matching)
    return matching


def _by_name(matching: Matching) -> None:
    """By what pieces say of themselves; several of one name stay together, to be told apart later."""
    ids = {cell.grade_id: number for number, cell in enumerate(matching.given) if cell.grade_id}
    cells = {cell.cell_id: number for number, cell in enumerate(matching.given) if cell.cell_id}
    known = {"grade id": ids, "cell id": cells, "metadata.id": {**cells, **ids}}
    claims: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for number, piece in enumerate(matching.pieces):
        kind = next((kind for kind, names in known.items() if piece.names.get(kind) in names), None)
        if kind is not None:
            claims[known[kind][piece.names[kind]]].append((number, kind))
    for given, every in claims.items():
        claiming = [claim for claim in every if not matching.pieces[claim[0]].is_empty] or every[-1:]
        kind = min((kind for _, kind in claiming), key=list(BY_NAME).index)
        matching.add(given, [number for number, _ in claiming], kind, BY_NAME[kind])


def _by_text(matching: Matching) -> None:
    """By a text that is the same and stands once on either side, as far as it is long enough to tell. Answers may have copies."""
    lacking, free = matching.missing, matching.left
    texts = Counter((matching.pieces[number].kind, plain(matching.pieces[number].text)) for number in free)
    wanted = Counter((matching.given[number].kind, plain(matching.given[number].text)) for number in range(len(matching.given)))
    places = {(matching.pieces[number].kind, plain(matching.pieces[number].text)): number for number in free}
    for number in lacking:
        cell = matching.given[number]
        if cell.role == "by hand" or len(_binding(matching, cell, free)) > 1:
            continue  # it may be a copy from before something was written
        for text in dict.fromkeys((plain(cell.text), plain(cell.full or cell.text))):
            key = cell.kind, text
            if cell.is_distinct and texts[key] == 1 and wanted[cell.kind, plain(cell.text)] == 1:
                matching.add(number, [places[key]], "text", SAME_TEXT)
                break


def _alike(matching: Matching, lacking: list[int], free: list[int], least: float) -> None:
    """Texts of the instructor's that were changed a little, the most alike first."""
    wanted = [number for number in lacking if not matching.given[number].is_answer and matching.given[number].is_distinct]
    shares = (
        (likeness(matching.given[number].text, matching.pieces[piece].text, least), number, piece)
        for number in wanted
        for piece in free
        if matching.pieces[piece].kind == matching.given[number].kind
    )
    pairs = sorted((found for found in shares if found[0] >= least), key=lambda found: (-found[0], *found[1:]))
    used: set[int] = set()
    for share, number, piece in pairs:
        rivals = [other for other, one, _ in pairs if one == number and other > 0.95 * share]
        if number not in matching.found and piece not in used and len(rivals) == 1:
            matching.add(number, [piece], "text", ALIKE)
            used.add(piece)


def _answers(matching: Matching, lacking: list[int], free: list[int], has_neighbour: bool) -> None:
    """What students wrote, between two neighbours: by the names that their code binds, else by their order."""
    _as_given(matching, lacking, free)
    _bound(matching, lacking, free, BINDS_ALL)
    for kind in ("markdown", "code"):
        taken = {piece for found in matching.found.values() for piece in found.pieces}
        wanted = [
            number for number in lacking if number not in matching.found and matching.given[number].kind == kind and matching.given[number].is_answer
        ]
        here = [piece for piece in free if piece not in taken and matching.pieces[piece].kind == kind]
        if kind == "code" and any(matching.given[number].binds for number in wanted):
            wanted = []  # what it has to bind is known, and nothing here does
        confidence = IN_PLACE
        if len(here) > len(wanted):  # what is as given may be a copy from before something was written; or what is not, a note
            confidence = SEVERAL_IN_PLACE
            stubs = {plain(matching.given[number].text) for number in wanted}
            here = [piece for piece in here if plain(matching.pieces[piece].text) not in stubs] or here
        if not wanted or not here:
            continue
        others = [
            number
            for number in lacking
            if number not in matching.found and matching.given[number].kind == kind and not matching.given[number].is_answer
        ]
        if len(wanted) == len(here) and not others and has_neighbour:
            for number, piece in zip(wanted, here):
                matching.add(number, [piece], "place", confidence)
        elif len(wanted) == 1 and kind == "markdown" and not others and has_neighbour:
            matching.add(wanted[0], here, "place", SEVERAL_IN_PLACE)
        elif len(wanted) == len(here):
            for number, piece in zip(wanted, here):
                matching.add(number, [piece], "place", IN_ORDER_ONLY)


def _as_given(matching: Matching, lacking: list[int], free: list[int]) -> None:
    """Answers that nobody has written: the same text may stand in many places, so their order counts."""
    for text in {(matching.given[number].kind, plain(matching.given[number].text)) for number in lacking}:
        wanted = [
            number for number in lacking if number not in matching.found and (matching.given[number].kind, plain(matching.given[number].text)) == text
        ]
        here = [piece for piece in free if (matching.pieces[piece].kind, plain(matching.pieces[piece].text)) == text]
        left = matching.left
        if any(matching.given[number].role == "by hand" for number in wanted) and _written_beside(matching, text, free):
            continue  # these may be copies
        if len(wanted) == len(here) and all(len(_binding(matching, matching.given[number], left)) <= 1 for number in wanted):
            for number, piece in zip(wanted, here):
                matching.add(number, [piece], "text", SAME_TEXT)


def _written_beside(matching: Matching, stub: tuple[str, str], free: list[int]) -> bool:
    """Whether something else of the same kind stands there, too."""
    return any(matching.pieces[piece].kind == stub[0] and plain(matching.pieces[piece].text) != stub[1] for piece in free)


def _bound(matching: Matching, lacking: list[int], free: list[int], confidence: float) -> None:
    """Code that binds every name that the given cell binds: where several do, in their order, if it is as many on both sides."""
    groups: dict[frozenset[str], list[int]] = defaultdict(list)
    for number in lacking:
        cell = matching.given[number]
        if number not in matching.found and cell.kind == "code" and cell.is_answer and cell.binds:
            groups[cell.binds].append(number)
    for names, wanted in sorted(groups.items(), key=lambda group: -len(group[0])):
        left = set(matching.left)
        here = [
            piece for piece in free if piece in left and matching.pieces[piece].kind == "code" and names <= bound_names(matching.pieces[piece].text)
        ]
        alone = len(wanted) == 1
        if alone and here:
            cell = matching.given[wanted[0]]
            if all(cell.is_text_of(matching.pieces[piece].text) for piece in here):
                here = _binding(matching, cell, sorted(left))  # nothing was written here: perhaps in a copy
            matching.add(wanted[0], here, "names", confidence)  # all of them run; which of them counts is told later
        elif alone and (parts := _together(matching, names, [piece for piece in free if piece in left])):
            matching.add(wanted[0], parts, "names", confidence)
        elif len(wanted) == len(here):
            for number, piece in zip(wanted, here):
                matching.add(number, [piece], "names", confidence)


def _binding(matching: Matching, cell: Given, free: list[int]) -> list[int]:
    """Pieces that bind all that `cell` has to bind."""
    if cell.kind != "code" or not cell.binds:
        return []
    return [number for number in free if matching.pieces[number].kind == "code" and cell.binds <= bound_names(matching.pieces[number].text)]


def _together(matching: Matching, names: frozenset[str], free: list[int]) -> list[int]:
    """Neighbours that bind all of `names` together, each some of them: a cell that was split."""
    parts = [number for number in free if matching.pieces[number].kind == "code" and names & bound_names(matching.pieces[number].text)]
    bound = [names & bound_names(matching.pieces[number].text) for number in parts]
    are_neighbours = all(later - earlier == 1 for earlier, later in pairwise(parts))
    return parts if len(parts) > 1 and are_neighbours and frozenset().union(*bound) == names and sum(map(len, bound)) == len(names) else []


def _bound_elsewhere(matching: Matching) -> None:
    _bound(matching, matching.missing, matching.left, BINDS_ALL_ELSEWHERE)


def likeness(one: str, other: str, least: float = 0.0) -> float:
    """The share of two texts' lines that are the same and in the same order; of texts of a line or two, of their letters.

    0 where it is less than `least`, which is quickly seen of most.
    """
    first, second = lines_of(one)[:MOST_LINES], lines_of(other)[:MOST_LINES]
    by_line = min(len(first), len(second)) > 2
    left: Sequence[str] = first if by_line else plain(one)[:MOST_LETTERS]
    right: Sequence[str] = second if by_line else plain(other)[:MOST_LETTERS]
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    for share in (matcher.real_quick_ratio, matcher.quick_ratio, matcher.ratio):
        if (found := share()) < least:
            return 0.0
    return found
