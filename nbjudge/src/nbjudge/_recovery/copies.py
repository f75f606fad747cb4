"""Which of several cells that go by one name is the one: copies, and parts of a cell that was split."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from itertools import pairwise

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_raw_cell

from nbjudge._analysis.statements import with_shell
from nbjudge._recovery.cells import CellPart, Given, bound_names, has_work, lines_of, piece_of, plain
from nbjudge._recovery.matching import Match, Matching

NEW = {"code": new_code_cell, "markdown": new_markdown_cell, "raw": new_raw_cell}


def pieces_of(cells: list[NotebookNode], given: list[Given]) -> list[CellPart]:
    """The submitted cells, one piece each; a merged one as several, in order. The cells are not changed."""
    pieces = [piece_of(cell, number) for number, cell in enumerate(cells, start=1)]
    whole = {(piece.kind, plain(piece.text)) for piece in pieces}
    claimed = {name for piece in pieces for name in piece.names.values()}
    result: list[CellPart] = []
    absent = [cell for cell in given if (cell.kind, plain(cell.text)) not in whole and _is_told_by_its_text(cell)]
    for piece in pieces:
        own = set(piece.names.values())
        lacking = [cell for cell in absent if cell.kind == piece.kind and not (cell.grade_id in claimed - own or cell.cell_id in claimed - own)]
        result += _taken_apart(piece, lacking)
    return result


def _is_told_by_its_text(cell: Given) -> bool:
    """Whether a text of the instructor's that is found within a cell is worth a cell of its own."""
    return cell.is_distinct and (cell.role in ("test", "locked") or (cell.kind == "markdown" and cell.role == "plain"))


def _taken_apart(piece: CellPart, lacking: list[Given]) -> list[CellPart]:
    for cell in lacking:
        parts = _around(piece.text, cell.text)
        if len(parts) < 2 or (piece.kind == "code" and not _all_are_code(piece.text, [text for text, _ in parts])):
            continue
        is_its_own = cell.grade_id in piece.names.values() if cell.grade_id else cell.cell_id in piece.names.values()
        if is_its_own and not any(has_work(text, cell) for text, is_given in parts if not is_given):
            continue  # a test of another release
        heir = next((number for number, (_, is_given) in enumerate(parts) if is_given == is_its_own), -1)
        rest = [other for other in lacking if other is not cell]
        found: list[CellPart] = []
        for number, (text, is_given) in enumerate(parts):
            part = CellPart(_part(piece.cell, text), piece.names if number == heir else {}, piece.number, was_split=True)
            found += [part] if is_given else _taken_apart(part, rest)
        return found
    return [piece]


def _around(text: str, wanted: str) -> list[tuple[str, bool]]:
    """The text before `wanted`, `wanted`, and the text after it, as far as there is any; with whether it is `wanted`."""
    lines, seeking = text.splitlines(), list(lines_of(wanted))
    filled = [number for number, line in enumerate(lines) if line.strip()]
    for start in range(len(filled) - len(seeking) + 1):
        places = filled[start : start + len(seeking)]
        if [lines[number].rstrip() for number in places] == seeking:
            first, last = places[0], places[-1] + 1
            parts = (lines[:first], False), (lines[first:last], True), (lines[last:], False)
            return [(text, is_wanted) for part, is_wanted in parts if (text := "\n".join(part).strip("\n")).strip()]
    return []


def _all_are_code(whole: str, parts: list[str]) -> bool:
    """Whether each part is Python, if the whole is."""
    return not _is_code(whole) or all(map(_is_code, parts))


def _is_code(text: str) -> bool:
    try:
        ast.parse(with_shell(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _part(cell: NotebookNode, text: str) -> NotebookNode:
    part: NotebookNode = NEW.get(cell.cell_type, new_raw_cell)(text)
    if "id" not in cell:
        part.pop("id", None)
    return part


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
