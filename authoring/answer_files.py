"""Right and wrong answers to an exercise as one text file. `README.md` beside this module says how they are written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from authoring.errors import BuildError, Problem
from authoring.lessons import Lesson

CELL = re.compile(r"\s*#\s*%%")  # also one that is written wrongly, so that it is refused and does not become part of an answer
TITLE = re.compile(r"# %% (?P<kind>right|wrong): (?P<name>\w+)(?: from (?P<base>\w+))?")
REMARK = re.compile(r"# (?P<key>wrong|says|earns|likely|next): *(?P<text>\S.*)")
Refuse = Callable[[int, str, str, str], None]  # the line, the answer, what is wrong, the next step
FORM = "`# %% right: NAME` or `# %% wrong: NAME`; ` from NAME` after it where lines of a right answer are replaced that is not the first"
SIGNS = "-+ "  # before a line of the base that goes, one that comes, one of the base that stays
HIDDEN_ONLY = "only the hidden tests see it"


@dataclass(frozen=True)
class Answer:
    """One answer that a learner could give to one exercise.

    Attributes:
        place: the file from the top of the project, and the line of the title: "source/…/answers/softmax.py:12".
        name: what the title calls it; two answers of one kind have two names.
        source: the whole text, replaced lines and all.
        wrong: what is wrong; empty for a right answer.
        says: a fragment of what the visible check has to say, or `HIDDEN_ONLY`.
        likely, next: the cause and the next step that the visible check tells whose result is this one's on every input; empty where its result is
            not compared.
        earns: the points that it keeps, where a test says so: for parts that work.
    """

    place: str
    exercise: str
    right: bool
    name: str
    source: str
    wrong: str = ""
    says: str = ""
    likely: str = ""
    next: str = ""
    earns: float | None = None

    @property
    def key(self) -> str:
        """What the answer is called among all answers to its exercise: "wrong/over_queries"."""
        return f"{'right' if self.right else 'wrong'}/{self.name}"

    @property
    def is_hidden_only(self) -> bool:
        """Whether no visible check sees the mistake."""
        return self.says == HIDDEN_ONLY


@dataclass
class _Cell:
    """One answer as it stands in the file."""

    line: int
    kind: str
    name: str
    base: str | None
    remarks: dict[str, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)

    @property
    def is_replacement(self) -> bool:
        return bool(self.lines) and self.lines[0][0] in SIGNS


class _Refused(ValueError):
    """What is wrong with one answer, and what to do."""

    def __init__(self, what: str, next_step: str):
        super().__init__(what)
        self.what, self.next_step = what, next_step


def find_answers(lesson: Lesson) -> list[Answer]:
    """All answers to a lesson's exercises: by exercise, right ones first, by name.

    Raises:
        BuildError: a file is not what the format asks for, or is no file of answers. Says all that is wrong with one.
    """
    paths = [path for path in sorted(lesson.answers.glob("*")) if path.name[0] not in "._"]
    if problems := [
        Problem(
            lesson.shown(path),
            "whole file",
            "it is no file of answers, and would not be read",
            "write the answers to an exercise in one file, `EXERCISE.py`, in this folder",
        )
        for path in paths
        if path.suffix != ".py" or not path.is_file()
    ]:
        raise BuildError(problems)
    return [answer for path in paths for answer in answers_to(lesson, path.stem).values()]


def answers_to(lesson: Lesson, exercise: str) -> dict[str, Answer]:
    """The answers to one exercise by their keys ("right/keepdims"), in order; none where there is no file.

    Raises:
        BuildError: the file is not what the format asks for. Says all that is wrong with it.
    """
    path = lesson.answers / f"{exercise}.py"
    if not path.exists():
        return {}
    about = path.stat()
    return dict(_read(path, lesson.shown(path), about.st_mtime_ns, about.st_size))


@cache
def _read(path: Path, shown: Path, *_: int) -> dict[str, Answer]:
    """Read one file, once for each state that it is in."""
    problems: list[Problem] = []

    def refuse(line: int, name: str, what: str, next_step: str) -> None:
        problems.append(Problem(shown, f"line {line}{name and f' (`{name}`)'}", what, next_step))

    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BuildError([Problem(shown, "whole file", f"it is no text in UTF-8: {error}", "save it as UTF-8")]) from error
    cells: dict[tuple[str, str], _Cell] = {}
    for cell in _cells(text, refuse):
        if (cell.kind, cell.name) in cells:
            refuse(
                cell.line,
                f"{cell.kind}: {cell.name}",
                f"line {cells[cell.kind, cell.name].line} has an answer of that name",
                "give one of the two another name",
            )
        cells[cell.kind, cell.name] = cell
    if not cells and not problems:
        refuse(1, "", "the file holds no answer", f"write one, after a line {FORM}")
    answers = []
    for cell in cells.values():
        try:
            answers.append(
                Answer(f"{shown.as_posix()}:{cell.line}", path.stem, cell.kind == "right", cell.name, _source(cell, cells), **_remarks(cell))
            )
        except _Refused as refused:
            refuse(cell.line, f"{cell.kind}: {cell.name}", refused.what, refused.next_step)
    if problems:
        raise BuildError(problems)
    return {answer.key: answer for answer in sorted(answers, key=lambda answer: answer.key)}


def _cells(text: str, refuse: Refuse) -> Iterator[_Cell]:
    """The answers of a file; what belongs to none goes to `refuse`."""
    cell: _Cell | None = None
    known = False  # whether the last title could be read: what follows one that could not is not said, too
    for number, line in enumerate(text.split("\n"), 1):
        if CELL.match(line):
            if cell:
                yield _trimmed(cell)
            title = TITLE.fullmatch(line.rstrip())
            cell, known = _Cell(number, title["kind"], title["name"], title["base"]) if title else None, True
            if not title:
                refuse(number, "", f"this is no title of an answer: {line}", f"write {FORM}")
        elif cell:
            remark = REMARK.fullmatch(line)
            if remark and cell.kind == "wrong" and not any(map(str.strip, cell.lines)):
                if remark["key"] in cell.remarks:
                    refuse(number, f"wrong: {cell.name}", f"this says `# {remark['key']}:` a second time", "leave one of the two")
                cell.remarks[remark["key"]] = remark["text"].strip()
            else:
                cell.lines.append(line)
        elif not known and line.strip() and not line.startswith("#"):
            refuse(number, "", "before the first answer there may be comments, and nothing else", f"put a line {FORM} above it")
            known = True
    if cell:
        yield _trimmed(cell)


def _trimmed(cell: _Cell) -> _Cell:
    """Without the empty lines before and after the answer."""
    while cell.lines and not cell.lines[0].strip():
        del cell.lines[0]
    while cell.lines and not cell.lines[-1].strip():
        del cell.lines[-1]
    return cell


def _remarks(cell: _Cell) -> dict[str, Any]:
    points = cell.remarks.pop("earns", None)
    if points is not None and not re.fullmatch(r"\d+(\.\d+)?", points):
        raise _Refused(f"`# earns: {points}` is no number of points", "write the points that the answer keeps, such as `# earns: 2`")
    if ("likely" in cell.remarks) != ("next" in cell.remarks):
        raise _Refused("of `# likely:` and `# next:` one is missing", "write both: the cause, and what to do")
    if cell.kind == "wrong" and not {"wrong", "says"} <= cell.remarks.keys():
        raise _Refused(
            "a wrong answer has to say what is wrong, and what the visible check says to it",
            f"write `# wrong: ...` and `# says: ...` below its title; `# says: {HIDDEN_ONLY}` where no visible check does",
        )
    return cell.remarks | ({} if points is None else {"earns": float(points)})


def _source(cell: _Cell, cells: dict[tuple[str, str], _Cell]) -> str:
    """The whole text of an answer."""
    if not cell.lines:
        raise _Refused("there is no answer below the title", "write the whole answer, or the lines to replace: `-old line` and `+new line`")
    if not cell.is_replacement:
        if cell.base:
            raise _Refused(
                f"it is said to come from `{cell.base}`, and no line says what is replaced",
                f"write `-old line` and `+new line` below the title, or take ` from {cell.base}` away",
            )
        return _text(cell.lines)
    whole = {name: other for (kind, name), other in cells.items() if kind == "right" and not other.is_replacement and other.lines}
    if not whole:
        raise _Refused("there is no right answer whose lines could be replaced", "write the first right answer as a whole")
    name = cell.base or next(iter(whole))
    if name not in whole:
        raise _Refused(f"`{name}` is no right answer that stands here as a whole", f"choose from: {', '.join(whole)}")
    return _text(_replaced(whole[name].lines, name, cell.lines))


def _replaced(base: list[str], name: str, changes: list[str]) -> list[str]:
    """The lines of the base with every block of changes in. All blocks are looked up in the base as it stands."""
    places: list[tuple[int, _Block]] = []
    for block in _blocks(changes):
        found = [start for start in range(len(base) - len(block.old) + 1) if base[start : start + len(block.old)] == block.old]
        if len(found) != 1:
            lines = "".join(f"\n        {line}" for line in block.old)
            how_often = f"{len(found)} times" if found else "nowhere"
            raise _Refused(
                f"what is to be replaced has to stand in `{name}` once, and is there {how_often}:{lines}",
                "begin the block with a line above it, after a space" if found else "copy the lines from there again",
            )
        places.append((found[0], block))
    result, at = [], 0
    for start, block in sorted(places, key=lambda pair: pair[0]):
        if start < at:
            raise _Refused(f"two blocks name the same line of `{name}`: {base[start]}", "make one block of them")
        result += [*base[at:start], *block.new]
        at = start + len(block.old)
    return [*result, *base[at:]]


@dataclass
class _Block:
    """Neighbouring lines of the base, and what comes in their place."""

    old: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    added: list[str] = field(default_factory=list)

    @property
    def new(self) -> list[str]:
        return self.kept + self.added


def _blocks(changes: list[str]) -> Iterator[_Block]:
    """The blocks of changes. An empty line begins a new one, and so does a line of the base after an added one."""
    blocks = [_Block()]
    for line in changes:
        if not line.strip() or (line[0] in "- " and blocks[-1].added):
            blocks.append(_Block())
        if not line.strip():
            continue
        if line[0] not in SIGNS:
            raise _Refused(
                f"among replaced lines there is one that begins with none of `-`, `+` and a space: {line}",
                "put `-` before a line that goes, `+` before one that comes, a space before one that stays; or give a whole answer",
            )
        for sign, lines in (("- ", blocks[-1].old), (" ", blocks[-1].kept), ("+", blocks[-1].added)):
            if line[0] in sign:
                lines.append(line[1:])
    for block in filter(lambda block: block.old or block.added, blocks):
        if not block.old:
            raise _Refused(f"nothing says where this line comes: +{block.added[0]}", "put the line above it before it, after a space")
        if block.old == block.new:
            raise _Refused(f"a block changes nothing: {block.old[0]}", "add what goes, after `-`, or what comes, after `+`")
        yield block


def _text(lines: list[str]) -> str:
    return "\n".join(lines) + "\n"
