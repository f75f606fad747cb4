"""Gives a submitted notebook back what nbgrader knows its cells by, and says what was done."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

from nbjudge._recovery.cells import Change, Given, bound_names, has_work, page_cell, recognised
from nbjudge._recovery.copies import Chosen, choose, pieces_of
from nbjudge._recovery.matching import SURE, Matching, match

PUT_BACK = "{was} missing and {was} put back"
NOT_FOUND = "{was} not found"
MAYBE = "{was} not found. Cells of the student's own may hold {it}: by their numbers in what was handed in, {numbers}. Look there"
UNSURE = "{was} found by {its} place alone, and not for sure: look whether the text that stands there is the answer"
BESIDE = "{was} as given, and text was added beside {it}: that text is shown as the answer"
KEPT = "{is} the instructor's again. What was written into {it} stands in a cell of its own above"
REPLACED = "{was} changed. The instructor's text counts"
TAKEN_APART = "stood in one cell with others and {was} taken out of it"


@dataclass
class Mended:
    """A notebook whose cells have their names, and no others have one. `found`: how many of those that nbgrader knows."""

    cells: list[NotebookNode]
    changes: list[Change]
    found: int


def mend(notebook: NotebookNode, given: list[Given], known: dict[str, NotebookNode]) -> Mended:
    """Find the given cells in a submitted notebook, name them, and put back what is missing. The notebook itself is not changed.

    Args:
        notebook: as it was handed in.
        given: what students were given, in order.
        known: nbgrader's metadata of each cell that it knows, by the cell's name.
    """
    matching = match(given, pieces_of(notebook.cells, given))
    return _Mending(matching, known).done()


def found_of(cells: list[NotebookNode], given: list[Given]) -> int:
    """How many of the cells that nbgrader knows are for sure among `cells`, by more than their place."""
    return _count(match(given, pieces_of(cells, given)))


def _count(matching: Matching) -> int:
    return sum(found.confidence >= SURE and found.by != "place" and bool(matching.given[number].grade_id) for number, found in matching.found.items())


class _Mending:
    def __init__(self, matching: Matching, known: dict[str, NotebookNode]):
        self._matching, self._known = matching, known
        self._given, self._pieces = matching.given, matching.pieces
        self._changes: list[Change] = []
        self._before: dict[int, list[NotebookNode]] = defaultdict(list)  # cells to be put in before a piece, by its number
        self._gone: set[int] = set()  # pieces whose text stands in another cell now

    def done(self) -> Mended:
        for piece in self._pieces:
            piece.cell = NotebookNode({**piece.cell, "metadata": NotebookNode(piece.cell.metadata)})
            piece.cell.metadata.pop("nbgrader", None)
        found = _count(self._matching)
        self._tell_recognised()
        for number in sorted(self._matching.found):
            self._name(number)
        for number in self._matching.missing:
            self._put_back(number)
        cells = [
            cell for number, piece in enumerate(self._pieces) for cell in (*self._before[number], *(() if number in self._gone else (piece.cell,)))
        ]
        cells += self._before[len(self._pieces)]
        return Mended([page_cell(self._changes), *cells] if self._changes else cells, self._changes, found)

    def _say(self, said: str, *cells: int, asks: bool = False) -> None:
        self._changes.append(Change(said, tuple(self._given[number].grade_id for number in cells), asks))

    def _tell_recognised(self) -> None:
        kinds: dict[tuple[str, float], list[str]] = defaultdict(list)
        for number, found in sorted(self._matching.found.items()):
            cell = self._given[number]
            if cell.grade_id not in self._known:
                continue
            if any(self._pieces[piece].was_split for piece in found.pieces):
                self._say(TAKEN_APART, number)
            elif found.by != "grade id" and found.confidence >= SURE:
                kinds[found.by, found.confidence].append(cell.grade_id)
        self._changes += [recognised(by, confidence, names) for (by, confidence), names in kinds.items()]

    def _name(self, number: int) -> None:
        """Give a found cell its name, and see that nothing that a student wrote into it is lost."""
        cell, found = self._given[number], self._matching.found[number]
        if cell.grade_id not in self._known:
            return
        is_sure = found.confidence >= SURE
        if not is_sure and cell.role != "by hand":
            self._say_missing(number, NOT_FOUND)  # its code runs where it stands, whatever it is called
            return
        beside = self._beside(number) if cell.role == "by hand" and cell.kind == "markdown" else []
        chosen: Chosen = choose(cell, found, self._matching, beside)
        heir = self._pieces[chosen.heir]
        heir.cell.metadata["nbgrader"] = self._known[cell.grade_id]
        if chosen.text is not None:
            heir.cell.source = chosen.text
            self._gone.update(chosen.gone)
        if beside:
            self._say(BESIDE, number, asks=True)
        elif chosen.said:
            self._say(chosen.said, number, asks=chosen.asks)
        if not is_sure and not chosen.asks:
            self._say(UNSURE, number, asks=True)
        if cell.role in ("test", "locked") and not cell.is_text_of(heir.text):
            self._keep(number, chosen.heir)

    def _beside(self, number: int) -> list[int]:
        """Texts that a student wrote into new cells beside an answer that is as given."""
        cell, found = self._given[number], self._matching.found[number]
        if len(found.pieces) != 1 or not (cell.is_text_of(self._pieces[found.pieces[0]].text) or self._pieces[found.pieces[0]].is_empty):
            return []
        chain = [(-1, -1), *self._matching.chain(), (len(self._given), len(self._pieces))]
        at = next((place for place, (one, _) in enumerate(chain) if one == number), None)
        if at is None or chain[at - 1][0] < number - 1 or chain[at + 1][0] > number + 1:
            return []
        return [piece for piece in self._matching.left if chain[at - 1][1] < piece < chain[at + 1][1] and self._pieces[piece].kind == cell.kind]

    def _keep(self, number: int, place: int) -> None:
        """The instructor's text comes back by nbgrader's own step; what a student wrote into it goes into a cell above."""
        cell, piece = self._given[number], self._pieces[place]
        if has_work(piece.text, cell):
            self._before[place].append(_new(piece.kind, piece.text, "id" in piece.cell))
            self._say(KEPT, number)
        elif piece.was_changed:
            self._say(REPLACED, number)

    def _put_back(self, number: int) -> None:
        cell = self._given[number]
        about = self._known.get(cell.grade_id)
        if about is None:
            return
        if not (about.get("grade") or about.get("task")):
            if cell.role == "answer" and not self._stands_elsewhere(cell):
                self._say_missing(number, NOT_FOUND)
            return
        text = cell.full if cell.role == "test" else cell.text
        if cell.role == "by hand":
            text = self._asked_for(number) + text
        new = _new(cell.kind, text, any("id" in piece.cell for piece in self._pieces))
        new.metadata["nbgrader"] = about
        self._before[self._place_of(number)].append(new)
        if cell.role != "by hand":
            self._say(PUT_BACK, number)

    def _asked_for(self, number: int) -> str:
        """What stands above an answer that was not found, so that a person sees it."""
        cell = self._given[number]
        self._say_missing(number, PUT_BACK)
        words = f"This cell (id:{cell.grade_id}) was not found in the submission. It was put back before grading."
        return f"# {words}\n\n" if cell.kind == "code" else f"*{words}*\n\n"

    def _say_missing(self, number: int, said: str) -> None:
        """Say that a cell is not there, or in which cells of the student's own a person has to look for it."""
        kind = self._given[number].kind
        numbers = sorted({self._pieces[piece].number for piece in self._matching.left if self._pieces[piece].kind == kind})
        self._say(MAYBE.replace("{numbers}", ", ".join(map(str, numbers))) if numbers else said, number, asks=bool(numbers))

    def _stands_elsewhere(self, cell: Given) -> bool:
        """Whether some code binds what the given cell binds: then its work is there, whatever the cell is called."""
        names = cell.binds
        return bool(names) and any(piece.kind == "code" and names <= bound_names(piece.text) for piece in self._pieces)

    def _place_of(self, number: int) -> int:
        """Before which piece a cell is put back: before its neighbour below, and behind the answers above it, wherever they stand now."""
        after = next((piece for given, piece in self._matching.chain() if given > number), len(self._pieces))
        above = number - 1
        while above >= 0 and self._given[above].role != "test":
            found = self._matching.found.get(above)
            if found and self._given[above].is_answer:
                after = max(after, found.pieces[-1] + 1)
            above -= 1
        return after


def _new(kind: str, text: str, has_id: bool) -> NotebookNode:
    cell: NotebookNode = new_code_cell(text) if kind == "code" else new_markdown_cell(text)
    if not has_id:
        cell.pop("id", None)
    return cell
