"""From right answers to the numbers of every slip: `attnlab/data/variations/<lesson>.jsonl`, one line for each."""

from __future__ import annotations

import ast
import copy
import json
import re
import signal
import warnings
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from types import FrameType
from typing import Any

import numpy as np
import torch
from nbformat import NotebookNode

from attnlab.check import calls
from attnlab.check.kinds import as_numpy
from attnlab.check.marks import Mark, mark_of, same_mark
from authoring.answer_files import Answer, answers_to
from authoring.answers import Namespace
from authoring.exercises import find_exercises
from authoring.lessons import Lesson
from authoring.references import Exercise, described_by
from authoring.variations.details import details
from authoring.variations.edits import Around, edits
from authoring.variations.habits import habits
from authoring.variations.layers import chained_layers
from authoring.variations.lengths import edits_of_lengths
from authoring.variations.sources import other_sources
from authoring.variations.steps import changed_steps
from authoring.variations.together import Spot, together
from authoring.variations.words import is_length
from authoring.variations.wraps import wrapped_steps
from authoring.variations.wrongs import NAMES

SECONDS = 2.0  # of the processor; a variation that takes more is endless
FEWEST_NUMBERS = 3  # fewer different numbers, in all wrong results together, would be a coincidence
MOST_WORDS = 4  # `attnlab/check/wording.py` chooses among them
FEWEST_TRUTHS = 12  # of two, such as True and False, so many
# Right answers that are written for this: each step with its name. The first that has a slip says what it is called.
STEP_BY_STEP = ("step_by_step", "own_softmax", "in_one_line", "by_loops", "by_lists", "by_components", "by_products")

Told = tuple[list[list[str]], list[Mark]]  # words for a slip, each with the next step, and what comes out for each case


@dataclass
class Variation:
    """A right answer with one slip: its text, what the slip is, and the next step; whether it is made in several places."""

    source: str
    likely: str
    next: str
    several: bool = False


def write_variations(lesson: Lesson, notebook: NotebookNode) -> None:
    """Write the numbers of all variations of a lesson's right answers; a line that says the same as the committed one stays as it is."""
    kept = list(map(json.loads, lesson.variations.read_text(encoding="utf-8").splitlines())) if lesson.variations.exists() else []
    lines = []
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # for small arrays that is faster, and beside other programs much faster
    for exercise in find_exercises(notebook):
        if exercise.asks_for_values:
            continue
        for words, marks in variations_of(lesson, notebook, exercise.name):
            line = [exercise.name, words, marks]
            lines.append(next((before for before in kept if before[:2] == line[:2] and _agree(before[2], marks)), line))
    torch.set_num_threads(threads)
    text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
    lesson.variations.parent.mkdir(parents=True, exist_ok=True)
    if not lesson.variations.exists() or lesson.variations.read_text(encoding="utf-8") != text:
        lesson.variations.write_text(text, encoding="utf-8")


def variations_of(lesson: Lesson, notebook: NotebookNode, exercise: str) -> list[Told]:
    """What is told of each slip of one exercise, and what comes out for each of its cases; slips that nothing tells apart from another are one."""
    described = described_by(lesson)[exercise]
    if described.call is calls.verdicts or described.tolerance:  # yes and no, and what is drawn, are too little to know a slip by
        return []
    found: list[Told] = []
    right: list[Mark] = []
    answers = {answer.name: answer for answer in answers_to(lesson, exercise).values() if answer.right}
    for answer in [answers[name] for name in STEP_BY_STEP if name in answers]:
        held = Namespace(notebook, answer)
        right = right or list(map(mark_of, _results(held[exercise], described)))
        for variation in vary(answer):
            results = _results(_defined(variation, held, exercise), described)
            marks = [mark_of(result) for result in results]
            if _tells(results, marks, right):
                _add(found, variation, marks)
    return [(words[:MOST_WORDS], marks) for words, marks in found]


def vary(answer: Answer) -> Iterator[Variation]:
    """Every text of an answer with one slip in it."""
    tree = ast.parse(answer.source)
    for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]:
        parameters = {argument.arg for argument in function.args.args}
        held = parameters | {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        spots: list[Spot] = []
        for parent, field, place, node, parents in _expressions(function):
            around = Around(parameters, parents, _sizes(function), held)
            for edit in (*edits(node, around), *details(node, around), *edits_of_lengths(node, around)):
                spots.append(Spot(parent, field, place, node, edit))
                _put(parent, field, place, edit.node)
                yield Variation(ast.unparse(ast.fix_missing_locations(tree)), edit.likely, edit.next)
                _put(parent, field, place, node)
        body = function.body
        for changed, likely, next_step in (
            *changed_steps(function, parameters),
            *wrapped_steps(function, parameters),
            *other_sources(function, parameters),
            *chained_layers(function),
            *habits(function, parameters),
        ):
            function.body = changed.body
            yield Variation(ast.unparse(ast.fix_missing_locations(tree)), likely, next_step)
            function.body = body
        for group, likely in together(spots):
            for parent, field, place, _, edit in group:
                _put(parent, field, place, edit.node)
            yield Variation(ast.unparse(ast.fix_missing_locations(tree)), likely, group[0].edit.next, True)
            for parent, field, place, node, _ in group:
                _put(parent, field, place, node)


def _expressions(function: ast.FunctionDef) -> Iterator[tuple[ast.AST, str, int | None, ast.expr, list[ast.AST]]]:
    """Each expression of a function that is read: where it stands, and the nodes around it, the nearest first."""
    waiting: list[tuple[ast.AST, list[ast.AST]]] = [(statement, []) for statement in function.body]
    while waiting:
        parent, parents = waiting.pop(0)
        for field, value in ast.iter_fields(parent):
            for place, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if isinstance(node, ast.AST):
                    waiting.append((node, [parent, *parents]))
                if isinstance(node, ast.expr) and not isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
                    yield parent, field, place, node, [parent, *parents]


def _put(parent: ast.AST, field: str, place: int | None, node: ast.expr) -> None:
    if place is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[place] = node


def _sizes(function: ast.FunctionDef) -> set[str]:
    """The names that a function gives to lengths of axes: one letter each, as in `B, T, k = x.shape`, or as the card has them, `d_k`."""
    return {
        name.id
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        for target in node.targets
        for name in ast.walk(target)
        if isinstance(name, ast.Name) and is_length(name.id) and name.id not in "ij"
    }


def _defined(variation: Variation, held: dict[str, Any], exercise: str) -> Callable[..., Any] | None:
    namespace = {**held, **NAMES}
    try:
        exec(compile(variation.source, "<variation>", "exec"), namespace)  # a text of this project with one edit of ours
    except Exception:
        return None
    return namespace.get(exercise)


class _Endless(BaseException):
    """A variation did not come to an end."""


def _results(answer: Any, described: Exercise) -> list[Any]:
    """What an answer gives for each case, None where it raises or does not end."""

    def ring(_: int, __: FrameType | None) -> None:
        raise _Endless

    results = []
    before = signal.signal(signal.SIGVTALRM, ring)
    try:
        for case in described.cases:
            signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
            try:
                with warnings.catch_warnings(action="ignore"), redirect_stdout(StringIO()), redirect_stderr(StringIO()):
                    results.append(described.call(answer, *copy.deepcopy(case.arguments)))
            except (Exception, _Endless):
                results.append(None)
            finally:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    finally:
        signal.signal(signal.SIGVTALRM, before)
    return results


def _tells(results: list[Any], marks: list[Mark], right: list[Mark]) -> bool:
    """Whether a variation can be known by its results: they are wrong, and enough different numbers."""
    wrong = [result for result, mark, right_mark in zip(results, marks, right) if mark is not None and not same_mark(mark, right_mark, 1e-3)]
    parts = [part for result in wrong for part in (result if isinstance(result, (tuple, list)) else [result])]
    numbers = [f"{number + 0.0:.5g}" for part in parts for number in _finite(part)]
    different = len(set(numbers))
    return different >= FEWEST_NUMBERS or (different == 2 and len(numbers) >= FEWEST_TRUTHS)


def _finite(part: Any) -> list[float]:
    try:
        values = as_numpy(part).astype(float).ravel()
    except (TypeError, ValueError):
        return []
    return [float(number) for number in values[np.isfinite(values)]]


def _agree(one: list[Mark], other: list[Mark]) -> bool:
    return len(one) == len(other) and all(map(same_mark, one, other))


def _is_of_lengths(likely: str) -> bool:
    """Whether a text tells two lengths apart: it explains more than the array that they are read off."""
    return bool((names := re.fullmatch("a line takes `(.*)` instead of `(.*)`", likely)) and is_length(names[1]) and is_length(names[2]))


def _add(found: list[Told], variation: Variation, marks: list[Mark]) -> None:
    told = [variation.likely, variation.next]
    for words, before in found:
        if _agree(before, marks):
            # One place explains more than several do.
            if not variation.several and _kind(variation.likely) not in (_kind(likely) for likely, _ in words):
                words[:] = [one for one in words if not one[0].startswith(f"{variation.likely}, ")]  # the same in more places
                words.insert(0 if _is_of_lengths(variation.likely) else len(words), told)
            return
    found.append(([told], marks))


def _kind(text: str) -> str:
    """A text without the number of an axis: axis 0 and axis -2 of a matrix are one."""
    return re.sub(r"axis -?\d", "axis", text)
