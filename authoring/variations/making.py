"""From right answers to the numbers of every slip: `attnlab/data/variations/<lesson>.jsonl`, one line for each.

What is rounding noise is no fingerprint: a division by a sum that is about 0, the largest of two equal numbers. So each slip runs again
with its sums and functions moved in their last digits (`noise.py`), and what does not stay the same then is left out.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from nbformat import NotebookNode

from attnlab.arrays import as_numpy
from attnlab.diagnosis.evidence import parts_of
from attnlab.diagnosis.slips.slips import TOLERANCE, Mark, is_coarse, mark_of, noise_in, same_mark, without_noise
from authoring.answer_files import Answer, answers_to
from authoring.exercises import find_exercises
from authoring.lessons import Lesson
from authoring.references import described_by
from authoring.variations.details import details
from authoring.variations.edits import Around, edits
from authoring.variations.habits import habits
from authoring.variations.layers import chained_layers
from authoring.variations.lengths import edits_of_lengths
from authoring.variations.noise import Noise
from authoring.variations.sources import other_sources
from authoring.variations.steps import changed_steps
from authoring.variations.together import Spot, together
from authoring.variations.trying import Bench
from authoring.variations.wording import Wording
from authoring.variations.words import is_length
from authoring.variations.wraps import wrapped_steps

FEWEST_NUMBERS = 3  # fewer different numbers, in all wrong results together, would be a coincidence
MOST_WORDS = 4  # `attnlab/diagnosis/slips/claims.py` chooses among them
FEWEST_TRUTHS = 12  # of two, such as True and False, so many
SIMULATED = 1e-3  # a tolerance beyond that is one of a simulation
CLEARLY = 10  # times the tolerance: what is near it is noise in one build and none in another, and stays as it was
SEED, PLACES = 7, 8  # other processors move a result by one unit in the last place; eight show also what these would seldom show
# Right answers that are written for this: each step with its name. The first that has a slip says what it is called.
STEP_BY_STEP = ("step_by_step", "own_softmax", "in_one_line", "by_loops", "by_lists", "by_components", "by_products")


@dataclass
class Variation:
    """A right answer with one slip: its text, what the slip is said to be; whether it is made in several places."""

    source: str
    said: Wording
    several: bool = False


@dataclass
class Found:
    """What a slip is said to be, what comes out for each case, and how closely that is compared."""

    said: list[Wording]
    marks: list[Mark]
    tolerance: float
    runs: list[list[Mark]]  # with noise in them: as it is here, and with other rounding

    def is_said_by(self, marks: list[Mark]) -> bool:
        """Whether marks of an earlier build say this: the same numbers here, where they have any, and none that is clearly noise."""
        return all(
            len(run) == len(marks) and all(same_mark(one, other, times * self.tolerance) for one, other in zip(run, marks))
            for run, times in zip(self.runs, (1, *[CLEARLY] * len(self.runs)))
        )

    def gives(self, marks: list[Mark]) -> bool:
        """Whether these marks are the same, with rounding noise in the same places."""
        return len(self.marks) == len(marks) and all(
            noise_in(one) == noise_in(other) and same_mark(one, other, self.tolerance) for one, other in zip(self.marks, marks)
        )


def write_variations(lesson: Lesson, notebook: NotebookNode) -> None:
    """Write the numbers of all variations of a lesson's right answers, unless the file says the same already."""
    text = make_variations(lesson, notebook)
    lesson.variations.parent.mkdir(parents=True, exist_ok=True)
    if not lesson.variations.exists() or lesson.variations.read_text(encoding="utf-8") != text:
        lesson.variations.write_text(text, encoding="utf-8")


def make_variations(lesson: Lesson, notebook: NotebookNode) -> str:
    """The text of `attnlab/data/variations/<lesson>.jsonl`; a line that says the same as the committed one stays as it is."""
    kept = list(map(json.loads, lesson.variations.read_text(encoding="utf-8").splitlines())) if lesson.variations.exists() else []
    lines = []
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # for small arrays that is faster, and beside other programs much faster
    for exercise in find_exercises(notebook):
        if exercise.asks_for_values:
            continue
        for found in variations_of(lesson, notebook, exercise.name):
            line = [exercise.name, [one.written() for one in found.said], found.marks]
            same = next((place for place, before in enumerate(kept) if _is_told(before) == _is_told(line) and found.is_said_by(before[2])), None)
            lines.append(line if same is None else [*line[:2], kept.pop(same)[2]])
    torch.set_num_threads(threads)
    return "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)


def _is_told(line: list) -> list:
    """What a learner reads of a line: that may stay when the rest of it changes."""
    name, said, _ = line
    return [name, *((words, next_step) for _, words, next_step, _ in said)]


def variations_of(lesson: Lesson, notebook: NotebookNode, exercise: str) -> list[Found]:
    """All slips of one exercise; those that nothing tells apart from another are one. Those known by fewer numbers come last."""
    described = described_by(lesson)[exercise]
    if described.is_yes_or_no or (described.tolerance or 0) > SIMULATED:  # yes and no, and what is drawn, are too little to know a slip by
        return []
    found: list[Found] = []
    right: list[Mark] = []
    answers = {answer.name: answer for answer in answers_to(lesson, exercise).values() if answer.right}
    for answer in [answers[name] for name in STEP_BY_STEP if name in answers]:
        here, elsewhere = Bench(notebook, answer, described), Bench(notebook, answer, described, Noise(SEED))
        right = right or list(map(mark_of, here.results(answer.source)))
        for variation in vary(answer):
            results = here.results(variation.source)
            marks = list(map(mark_of, results))
            if not _tells(results, marks, right):
                continue
            runs = [marks]
            others = elsewhere.disturbed(variation.source, SEED, (PLACES, -PLACES))  # of two equal numbers, each is the larger one once
            tolerance = TOLERANCE["float32" if is_coarse(results) else "float64"]
            try:
                for other in others:
                    runs.append(list(map(mark_of, other)))
                    marks = [without_noise(mark, disturbed, tolerance) for mark, disturbed in zip(marks, runs[-1])]
            except ValueError:
                continue
            if _tells(results, marks, right, others):
                _add(found, variation, marks, tolerance, runs)
    for one in found:
        del one.said[MOST_WORDS:]
    return sorted(found, key=lambda one: _has_noise(one.marks))


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
                yield Variation(ast.unparse(ast.fix_missing_locations(tree)), edit.said)
                _put(parent, field, place, node)
        body = function.body
        for changed, said in (
            *changed_steps(function, parameters),
            *wrapped_steps(function, parameters),
            *other_sources(function, parameters),
            *chained_layers(function),
            *habits(function, parameters),
        ):
            function.body = changed.body
            yield Variation(ast.unparse(ast.fix_missing_locations(tree)), said)
            function.body = body
        for group, said in together(spots):
            for parent, field, place, _, edit in group:
                _put(parent, field, place, edit.node)
            yield Variation(ast.unparse(ast.fix_missing_locations(tree)), said, True)
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


def _tells(results: list[Any], marks: list[Mark], right: list[Mark], others: list[list[Any]] | None = None) -> bool:
    """Whether a variation can be known by its results: they are wrong, and enough different numbers that are the same with other rounding."""
    numbers = [
        number
        for result, mark, right_mark, *other in zip(results, marks, right, *(others or []))
        if mark is not None and not same_mark(mark, right_mark, 1e-3)
        for parts in zip(*map(parts_of, (result, *other)))
        for number in _steady(*parts)
    ]
    numbers.sort()
    different = bool(numbers) + sum(other - one > 2e-5 * max(-one, other) + 1e-12 for one, other in pairwise(numbers))
    return different >= FEWEST_NUMBERS or (different == 2 and len(numbers) >= FEWEST_TRUTHS)


def _steady(part: Any, *others: Any) -> list[float]:
    """The finite numbers of an array that are about the same in others; none of what is no array."""
    try:
        values, *beside = (as_numpy(one).astype(float).ravel() for one in (part, *others))
    except (TypeError, ValueError):
        return []
    with np.errstate(all="ignore"):
        same = [np.abs(other - values) <= 1e-3 * np.abs(values) + 1e-12 for other in beside]
    return values[np.isfinite(values) & np.all(same, axis=0)].tolist()


def _has_noise(mark: Mark) -> bool:
    return any(map(_has_noise, mark)) if isinstance(mark, list) else noise_in(mark)


def _add(found: list[Found], variation: Variation, marks: list[Mark], tolerance: float, runs: list[list[Mark]]) -> None:
    said = variation.said
    for one in found:
        if one.gives(marks):
            # One place explains more than several do.
            if not variation.several and not any(said.says_as_much_as(other) for other in one.said):
                one.said[:] = [other for other in one.said if said not in other.more_than]
                one.said.insert(0 if said.tells_lengths_apart else len(one.said), said)
            return
    found.append(Found([said], marks, tolerance, runs))
