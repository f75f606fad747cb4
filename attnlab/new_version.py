"""A lesson's new version, with what a learner wrote in the one before.

A released cell says by itself whether its text is the release's: graded cells carry nbgrader's checksum, and the id of every other cell is made of
its text. So what a learner wrote can be told from an older release even where that release is not at hand.
"""

from __future__ import annotations

import ast
import copy
import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

from attnlab.wording import printable

ID = re.compile(r"(?P<digest>[0-9a-f]{12})(-\d+)?")  # of a cell that the build made: its text's digest, and a number where texts are equal
ALIKE = 0.5  # the part of two texts that is the same, when one is the other's new version
NOT_IN_OWN = ("nbgrader", "id", "editable", "deletable")  # metadata of released cells, which a learner's own may have as a copy
FOLDED = "hide-input"
ADDED = "an added cell"
KEPT = "## Kept from an earlier version\n\nThis lesson no longer asks for what follows. It is yours: keep it, or delete it."
CHANGED = "Your change to the cell above, kept when the lesson got a new version."
CHANGED_AND_GONE = "Your change to a cell that the lesson no longer has."


@dataclass
class Update:
    """A lesson's new version.

    Attributes:
        notebook: it, without outputs: nothing in it has run.
        answers: the grade ids of the answers in it.
        tasks_changed: those of them whose stub or check is another one now.
        own: how many cells the learner added, or changed though they ask for nothing.
        ended: the grade ids of answers that the lesson does not ask for any more; they stand at its end.
    """

    notebook: NotebookNode
    answers: list[str] = field(default_factory=list)
    tasks_changed: list[str] = field(default_factory=list)
    own: int = 0
    ended: list[str] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Whether the learner wrote nothing."""
        return not (self.answers or self.own or self.ended)


def update(mine: NotebookNode, released: NotebookNode, begun_with: NotebookNode | None = None) -> Update:
    """Put what a learner wrote into a lesson's new version. None of the arguments is changed.

    Args:
        mine: the learner's notebook.
        released: the new version.
        begun_with: the version that the learner began with, where that is known.
    """
    cells = _put_together(mine.cells)
    before = begun_with.cells if begun_with else [cell for cell in cells if is_released(cell)]
    names = _names(cells, before, released.cells, is_certain=begun_with is not None)
    first, then = _by_name(before), _by_name(released.cells)
    places = _places(before, released.cells)
    made = Update(copy.deepcopy(released))
    new = _by_name(made.notebook.cells)
    after: defaultdict[int, list[NotebookNode]] = defaultdict(list)
    ended: list[tuple[str, NotebookNode]] = []
    place = -1
    for cell, name in zip(cells, names):
        if not name:
            after[place] += [_own(cell)] if _holds_anything(cell) else []
            continue
        place = places.get(name, place)
        given = [first.get(name), then.get(name)]
        if not _is_learners(cell, given, is_certain=begun_with is not None):
            continue
        if name not in new and any(is_solution(one) for one in (*given, cell) if one):
            ended.append((name, cell))
        elif name in new and is_solution(new[name]) and new[name].cell_type == cell.cell_type:
            _fill(new[name], cell)
            made.answers.append(name)
        else:
            after[place].append(_changed(cell, is_gone=name not in new))
    ended = _renamed(ended, [cell for name, cell in new.items() if name not in names], made)
    made.tasks_changed = [name for name in made.answers if name in first and _task(name, first) != _task(name, then)]
    made.own, made.ended = sum(map(len, after.values())), [name for name, _ in ended]
    _assemble(made.notebook, after, [_own(cell) for _, cell in ended], {*first, *then, *filter(None, names)})
    return made


def answers_in(notebook: NotebookNode) -> list[str]:
    """What somebody wrote into a released notebook: the grade ids of answers, and the first words of cells that were added.

    Outputs are no answers, and neither is a given cell whose text is another one than when it was released.
    """
    answers = [cell for cell in notebook.cells if is_answered(cell)]
    added = [cell for cell in notebook.cells if not _is_made(cell) and _holds_anything(cell)]
    return [printable(grade_id(cell)) for cell in answers] + [f"{ADDED}, “{_first_words(cell)}”" for cell in added]


def is_answered(cell: NotebookNode) -> bool:
    """Whether a learner wrote into a cell that asks for an answer."""
    return is_solution(cell) and _is_learners(cell, ())


def is_released(cell: NotebookNode) -> bool:
    """Whether the text of a cell is certainly that of a release."""
    if grade_id(cell):
        return bool(cell.metadata.nbgrader.get("checksum") == _checksum(cell))
    found = ID.fullmatch(_id(cell))
    return bool(found) and found["digest"] == text_id(cell)


def _checksum(cell: NotebookNode) -> str:
    """As nbgrader computes it when it releases a cell."""
    told = cell.metadata.nbgrader
    is_grade, is_answer = bool(told.get("grade")), bool(told.get("solution"))
    is_locked = False if is_answer else True if is_grade else told.get("locked")
    parts = [cell.source, cell.cell_type, str(is_grade), str(is_answer), str(is_locked), told["grade_id"]]
    try:
        parts += [str(float(told["points"]))] if is_grade else []
    except (KeyError, TypeError, ValueError):
        return ""
    return hashlib.md5("".join(parts).encode(), usedforsecurity=False).hexdigest()


def text_id(cell: NotebookNode) -> str:
    """What the build calls a cell that has no grade id: a digest of its kind and its text."""
    return _digest(f"{cell.cell_type}\n{cell.source}")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _id(cell: NotebookNode) -> str:
    """The id that the build gave a cell, also where an editor has given it another; else the one that it has."""
    ids = [one for one in (cell.metadata.get("id"), cell.get("id")) if isinstance(one, str)]
    return next((one for one in ids if ID.fullmatch(one)), ids[-1] if ids else "")


def grade_id(cell: NotebookNode) -> str:
    """nbgrader's name of a cell, or an empty string."""
    told = cell.metadata.get("nbgrader")
    name = told.get("grade_id") if isinstance(told, dict) else None
    return name if isinstance(name, str) else ""


def _name(cell: NotebookNode) -> str:
    return grade_id(cell) or _id(cell)


def is_solution(cell: NotebookNode) -> bool:
    """Whether a cell asks for an answer."""
    return bool(grade_id(cell) and cell.metadata.nbgrader.get("solution"))


def _is_made(cell: NotebookNode) -> bool:
    """Whether the build made a cell, whatever its text is now."""
    return bool(grade_id(cell) or ID.fullmatch(_id(cell)) or _is_closed(cell))


def _is_closed(cell: NotebookNode) -> bool:
    """Whether a cell holds code that JupyterLab lets nobody change, such as the one that installs the course on Colab."""
    return cell.cell_type == "code" and cell.metadata.get("editable") is False and not grade_id(cell)


def _text(cell: NotebookNode) -> str:
    return "\n".join(line.rstrip() for line in cell.source.strip().splitlines())


def _holds_anything(cell: NotebookNode) -> bool:
    return bool(_text(cell) or cell.get("attachments"))


def _first_words(cell: NotebookNode) -> str:
    line = _text(cell).partition("\n")[0] or "a picture"
    line = printable(line)
    return line if len(line) <= 40 else f"{line[:39]}…"


def _is_learners(cell: NotebookNode, given: Iterable[NotebookNode | None], is_certain: bool = True) -> bool:
    """Whether a learner wrote the text of a cell, which is given in these versions."""
    given = [one for one in given if one]
    if cell.get("attachments") and all(cell.get("attachments") != one.get("attachments") for one in given):
        return True
    is_plumbing = bool(given) and not is_certain and _is_closed(cell) and all(_is_closed(one) for one in given)
    if not _text(cell) or is_released(cell) or is_plumbing:
        return False
    return all(_text(cell) != _text(one) or cell.cell_type != one.cell_type for one in given)


def _by_name(cells: Sequence[NotebookNode]) -> dict[str, NotebookNode]:
    return {_name(cell): cell for cell in reversed(cells)}  # of two, the first


def _task(name: str, cells: dict[str, NotebookNode]) -> list[str]:
    """What an answer is tried by, as texts: its stub and the checks that follow it."""
    names = list(cells)[::-1]
    following = names[names.index(name) + 1 :]
    task = [cells[name].source]
    for one in following:
        if is_solution(cells[one]):
            break
        task += [cells[one].source] if grade_id(cells[one]) else []
    return task


# ---- which released cell each of the learner's is


def _put_together(cells: Sequence[NotebookNode]) -> list[NotebookNode]:
    """Copies of the cells. An answer that was split in two stands in one cell again."""
    put: list[NotebookNode] = []
    for cell in map(copy.deepcopy, cells):
        if put and _are_halves(put[-1], cell):
            put[-1].source = f"{put[-1].source}\n{cell.source}"
        else:
            put.append(cell)
    return put


def _are_halves(one: NotebookNode, other: NotebookNode) -> bool:
    """Whether two neighbours are an answer that was split, and not an answer and its copy."""
    if not is_solution(other) or grade_id(one) != grade_id(other) or one.cell_type != other.cell_type or is_released(one) or is_released(other):
        return False
    if one.cell_type != "code":
        return _text(one) != _text(other)
    together = _is_python(f"{one.source}\n{other.source}") and not (_is_python(one.source) and _is_python(other.source))
    return together or not _defined(one.source) & _defined(other.source)


def _names(cells: Sequence[NotebookNode], before: Sequence[NotebookNode], released: Sequence[NotebookNode], is_certain: bool) -> list[str]:
    """For each cell of the learner's the name of the released one that it is; empty for one of the learner's own.

    Args:
        before: the released cells that the learner began with; those that can be told from the learner's file where it is not certain.
    """
    known = {**_by_name(released), **_by_name(before)}
    names = [_name(cell) if _name(cell) in known or grade_id(cell) or is_released(cell) else "" for cell in cells]
    for name in {name for name in names if name and names.count(name) > 1}:
        spots = [spot for spot, one in enumerate(names) if one == name]
        chosen = _original([cells[spot] for spot in spots], name, known.get(name))
        for number, spot in enumerate(spots):
            if number != chosen:
                names[spot] = ""
    _find_by_text(cells, names, [*before, *released])
    _find_answers(cells, names, before if is_certain else released)
    return names


def _original(cells: list[NotebookNode], name: str, given: NotebookNode | None) -> int:
    """Which of several cells with one name is the one: one in which something was written, first of all the one that has its id, too."""
    written = [number for number, cell in enumerate(cells) if _is_learners(cell, [given])] if is_solution(cells[0]) else []
    choice = written or list(range(len(cells)))
    return next((number for number in choice if cells[number].get("id") == name), choice[0])


def _find_by_text(cells: Sequence[NotebookNode], names: list[str], given: Sequence[NotebookNode]) -> None:
    """Name cells whose names an editor dropped, but whose text is a released one."""
    free = [cell for cell in given if _name(cell) not in names]
    for spot, cell in enumerate(cells):
        if not names[spot] and _text(cell):
            same = next((one for one in free if (one.cell_type, _text(one)) == (cell.cell_type, _text(cell)) and _name(one) not in names), None)
            names[spot] = _name(same) if same else ""


def _find_answers(cells: Sequence[NotebookNode], names: list[str], given: Sequence[NotebookNode]) -> None:
    """Name answers whose names an editor dropped: code by what it defines, a text by the cell that it follows."""
    for place, one in enumerate(given):
        if not is_solution(one) or _name(one) in names:
            continue
        wanted, above = _defined(one.source), _name(given[place - 1]) if place else ""
        for spot, cell in enumerate(cells):
            if names[spot] or cell.cell_type != one.cell_type:
                continue
            follows = above and spot and names[spot - 1] == above
            if (wanted and wanted <= _defined(cell.source)) or (one.cell_type == "markdown" and follows):
                names[spot] = _name(one)
                break


def _is_python(source: str) -> bool:
    try:
        ast.parse(source)
    except (SyntaxError, ValueError):
        return False
    return True


def _defined(source: str) -> set[str]:
    """The names that a text of Python defines at its top; none where it is no Python."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return set()
    names: set[str] = set()
    for one in tree.body:
        if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(one.name)
        elif isinstance(one, (ast.Assign, ast.AnnAssign)):
            targets = one.targets if isinstance(one, ast.Assign) else [one.target]
            names |= {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}
    return names


# ---- where things stand in the new version


def _places(before: Sequence[NotebookNode], released: Sequence[NotebookNode]) -> dict[str, int]:
    """For each released cell, old or new, the index of the new one that it is, or that stands where it stood."""
    places = {_name(cell): index for index, cell in reversed(list(enumerate(released)))}
    stays = [places.get(_name(cell)) for cell in before]
    last = -1
    for number, cell in enumerate(before):
        if stays[number] is not None:
            last = stays[number] or 0
            continue
        following = next((one for one in stays[number + 1 :] if one is not None and one > last), len(released))
        gap = [index for index in range(last + 1, following) if released[index].cell_type == cell.cell_type]
        likeness = {index: SequenceMatcher(None, cell.source.split(), released[index].source.split(), autojunk=False).ratio() for index in gap}
        best = max(gap, key=lambda index: likeness[index], default=last)
        last = best if likeness.get(best, 0) >= ALIKE else last
        places[_name(cell)] = last
    return places


def _fill(new: NotebookNode, cell: NotebookNode) -> None:
    new.source = cell.source
    if cell.get("attachments"):
        new.attachments = cell.attachments


def _own(cell: NotebookNode) -> NotebookNode:
    """A cell that is the learner's, and nothing to the grader."""
    own = copy.deepcopy(cell)
    for key in NOT_IN_OWN:
        own.metadata.pop(key, None)
    return own


def _changed(cell: NotebookNode, is_gone: bool) -> NotebookNode:
    """A given cell that the learner changed, as one of the learner's own."""
    own, says = _own(cell), CHANGED_AND_GONE if is_gone else CHANGED
    for key in ("jupyter", "cellView"):
        own.metadata.pop(key, None)
    if FOLDED in own.metadata.get("tags", []):
        own.metadata.tags = [tag for tag in own.metadata.tags if tag != FOLDED]
    if cell.cell_type == "markdown":
        own.source = f"*{says}*\n\n{cell.source}"
    elif cell.cell_type == "code":
        lines = cell.source.splitlines()
        first = 1 if lines[0].startswith("%%") else 0  # such a line has to stay the first
        own.source = "\n".join([*lines[:first], f"# {says}", *lines[first:]])
    return own


def _renamed(ended: list[tuple[str, NotebookNode]], free: list[NotebookNode], made: Update) -> list[tuple[str, NotebookNode]]:
    """Give answers to exercises of another name that ask for the same; return those that are left."""
    left = []
    for name, cell in ended:
        asks = [one for one in free if is_solution(one) and one.cell_type == cell.cell_type == "code" and _defined(one.source)]
        same = next((one for one in asks if _name(one) not in made.answers and _defined(one.source) <= _defined(cell.source)), None)
        if same:
            _fill(same, cell)
            made.answers.append(_name(same))
        else:
            left.append((name, cell))
    return left


def _assemble(notebook: NotebookNode, after: dict[int, list[NotebookNode]], ended: list[NotebookNode], taken: set[str]) -> None:
    """Put the learner's own cells between the released ones, with ids that are none of `taken`, and take all outputs out."""
    own = [cell for cells in after.values() for cell in cells]
    heading = [] if not ended or any(_text(cell) == KEPT for cell in own) else [new_markdown_cell(KEPT, id="kept")]
    taken |= {cell.id for cell in notebook.cells}
    placed: list[NotebookNode] = list(after.get(-1, []))
    for index, cell in enumerate(notebook.cells):
        placed += [cell, *after.get(index, [])]
    placed += [*heading, *ended]
    released = {id(cell) for cell in notebook.cells}
    for cell in placed:
        if id(cell) not in released:
            cell.id = _free_id(cell, taken)
            taken.add(cell.id)
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
            _forget_times(cell.metadata)
    notebook.cells = placed


def _free_id(cell: NotebookNode, taken: set[str]) -> str:
    """The id that a cell has, if no other cell has it and it is none that the build gives; else one made of the text."""
    name: str = cell.get("id", "")
    if name and name not in taken and not ID.fullmatch(name):
        return name
    number = 1
    while (name := f"own-{_digest(cell.source)}-{number}") in taken:
        number += 1
    return name


def _forget_times(metadata: dict[str, Any]) -> None:
    """JupyterLab notes when a cell ran, if it is told to."""
    metadata.pop("execution", None)
    metadata.pop("ExecuteTime", None)
