"""Takes cells apart that were merged: what the instructor gave stands in them word for word, beside what a student wrote."""

from __future__ import annotations

import ast

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_raw_cell

from examiner.judge.binders import with_shell
from examiner.recovery.cells import Given, Piece, has_work, lines_of, piece_of, plain

NEW = {"code": new_code_cell, "markdown": new_markdown_cell, "raw": new_raw_cell}


def pieces_of(cells: list[NotebookNode], given: list[Given]) -> list[Piece]:
    """The submitted cells, one piece each; a merged one as several, in order. The cells are not changed."""
    pieces = [piece_of(cell, number) for number, cell in enumerate(cells, start=1)]
    whole = {(piece.kind, plain(piece.text)) for piece in pieces}
    claimed = {name for piece in pieces for name in piece.names.values()}
    result: list[Piece] = []
    absent = [cell for cell in given if (cell.kind, plain(cell.text)) not in whole and _is_told_by_its_text(cell)]
    for piece in pieces:
        own = set(piece.names.values())
        lacking = [cell for cell in absent if cell.kind == piece.kind and not (cell.grade_id in claimed - own or cell.cell_id in claimed - own)]
        result += _taken_apart(piece, lacking)
    return result


def _is_told_by_its_text(cell: Given) -> bool:
    """Whether a text of the instructor's that is found within a cell is worth a cell of its own."""
    return cell.is_distinct and (cell.role in ("test", "locked") or (cell.kind == "markdown" and cell.role == "plain"))


def _taken_apart(piece: Piece, lacking: list[Given]) -> list[Piece]:
    for cell in lacking:
        parts = _around(piece.text, cell.text)
        if len(parts) < 2 or (piece.kind == "code" and not _all_are_code(piece.text, [text for text, _ in parts])):
            continue
        is_its_own = cell.grade_id in piece.names.values() if cell.grade_id else cell.cell_id in piece.names.values()
        if is_its_own and not any(has_work(text, cell) for text, is_given in parts if not is_given):
            continue  # a test of another release
        heir = next((number for number, (_, is_given) in enumerate(parts) if is_given == is_its_own), -1)
        rest = [other for other in lacking if other is not cell]
        found: list[Piece] = []
        for number, (text, is_given) in enumerate(parts):
            part = Piece(_part(piece.cell, text), piece.names if number == heir else {}, piece.number, was_split=True)
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
