"""Reads the points that a grader gave, and tells which cheats earned some and which faults cost more than one test."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .course import HandIn, hand_ins

COLUMNS = ("assignment", "student_id", "grade_id", "points", "note")  # the last one may be missing
Key = tuple[str, str]  # assignment, student


class Refused(Exception):
    """What was asked for cannot be done: a sentence that says why, and what to do next."""


@dataclass
class Given:
    """What a grader gave for one hand-in: the points of each test, none of them where it could not grade; and what there is to know."""

    points: dict[str, float] = field(default_factory=dict)
    note: str = ""


def write(path: Path, given: Iterable[tuple[Key, Given]]) -> None:
    """A CSV file: a row for each test, and one without a test for what was not graded. What has come stays if the rest never does."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for (assignment, student), one in given:
            for name, points in (one.points or {"": ""}).items():
                writer.writerow([assignment, student, name, points, one.note])
            file.flush()


def read(path: Path) -> dict[Key, Given]:
    """What stands in a `.csv` with these columns, or in a `.json` that looks like `right.json`.

    Raises:
        Refused: it holds something else.
    """
    known = {(one.assignment, one.student) for one in hand_ins()}
    found: dict[Key, Given] = {}
    for where, key, name, points, note in (_rows_of_json if path.suffix == ".json" else _rows_of_csv)(path):
        if key not in known:
            raise Refused(
                f"{where}: no student {key[1]!r} has handed in anything for {key[0]!r}. Next: take both names from right.json; "
                "if they stand there, write the course again, because the corpus has changed"
            )
        one = found.setdefault(key, Given())
        one.note = one.note or note
        if not name:
            continue
        if name in one.points:
            raise Refused(f"{where}: {name!r} of {key[1]!r} has points already. Next: leave one row for each test")
        try:
            one.points[name] = float(points)
        except (TypeError, ValueError):
            one.points[name] = math.nan
        if not math.isfinite(one.points[name]):
            raise Refused(f"{where}: {points!r} is no number of points. Next: write a number, or leave the test out where nothing was graded")
    if not found:
        raise Refused(f"{path}: nothing stands in it. Next: write a row for each test of each student in right.json")
    return found


def _rows_of_csv(path: Path) -> Iterator[tuple[str, Key, str, Any, str]]:
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = csv.DictReader(file)
            if missing := [name for name in COLUMNS[:-1] if name not in (rows.fieldnames or ())]:
                raise Refused(f"{path}: there is no column {missing[0]!r}. Next: begin the file with {','.join(COLUMNS[:-1])}")
            for row in rows:
                yield f"{path}, line {rows.line_num}", (row["assignment"], row["student_id"]), row["grade_id"], row["points"], row.get("note") or ""
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise Refused(f"{path} cannot be read ({error}). Next: look whether it is a CSV file in UTF-8") from error


def _rows_of_json(path: Path) -> Iterator[tuple[str, Key, str, Any, str]]:
    try:
        whole = json.loads(path.read_text(encoding="utf-8"))
        for assignment, students in whole.items():
            for student, tests in students.items():
                if isinstance(tests, str):  # why there are no points
                    yield str(path), (assignment, student), "", None, tests
                    continue
                for name, points in tests.items():
                    yield str(path), (assignment, student), name, points, ""
    except (OSError, ValueError) as error:
        raise Refused(f"{path} cannot be read ({error}). Next: look whether it is a JSON file in UTF-8") from error
    except AttributeError as error:
        raise Refused(f"{path}: it has another form than right.json. Next: give each test of each student of each assignment a number") from error


def is_fooled(one: HandIn, given: Given) -> bool:
    """Whether a cheat earned something, a fault cost more than its own test, or honest work less than it is worth."""
    if one.kind == "cheat":
        return sum(given.points.values()) > 0 or any(points > 0 for points in given.points.values())
    return any(given.points.get(name, 0.0) < points for name, points in one.right.items())


def tell(graders: Mapping[str, Mapping[Key, Given]]) -> tuple[str, bool]:
    """A table with a column for each grader, and a summary; and whether one of the graders was fooled somewhere."""
    corpus = [one for one in hand_ins() if any((one.assignment, one.student) in given for given in graders.values())]
    parts, fooled = [], False
    for kind, title in (("cheat", "points for a cheat"), ("fault", "tests beside a fault"), ("honest", "points for honest work")):
        rows = [one for one in corpus if one.kind == kind]
        if not rows:
            continue
        table = [[title, *graders], *([_called(one), *(_words(one, given.get(_key(one))) for given in graders.values())] for one in rows)]
        widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
        parts.append("\n".join("  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip() for row in table))
        for name, given in graders.items():
            sentence, wrong = _summary(kind, name, [(one, given[_key(one)]) for one in rows if _key(one) in given])
            parts[-1] += f"\n{sentence}" if parts[-1].count("\n\n") else f"\n\n{sentence}"
            fooled = fooled or wrong
    return "\n\n".join(parts), fooled


def _key(one: HandIn) -> Key:
    return one.assignment, one.student


def _called(one: HandIn) -> str:
    return one.assignment if one.kind == "honest" else one.student


def _words(one: HandIn, given: Given | None) -> str:
    """What a grader gave, in a column."""
    if given is None:
        return "not asked"
    note = f" ({given.note})" if given.note else ""
    if not given.points:
        return f"not graded{note}"
    if one.kind == "fault":
        others = [name for name, points in one.right.items() if points]
        return f"{sum(given.points.get(name, 0) >= one.right[name] for name in others)} of {len(others)}{note}"
    worth = f" of {sum(one.right.values()):g}" if one.kind == "honest" else ""
    return f"{sum(given.points.values()):g}{worth}{note}"


def _summary(kind: str, name: str, asked: Iterable[tuple[HandIn, Given]]) -> tuple[str, bool]:
    asked = list(asked)
    wrong, lost = sum(is_fooled(*one) for one in asked), sum(not given.points for _, given in asked)
    what = {
        "cheat": f"{len(asked)} cheats. Earned points: {wrong}. Not graded: {lost}.",
        "fault": f"{len(asked)} faults. Cost more than one test: {wrong}. Of these, the whole submission: {lost}.",
        "honest": f"{len(asked)} honest submissions. Lost points: {wrong}.",
    }[kind]
    return f"{name}: {what}", wrong > 0
