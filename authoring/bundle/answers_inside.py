"""Look through every file of a bundle for an answer, a hidden test or a marking scheme.

The lint of each lesson compares its own release line by line. This goes further: it knows the secrets of all lessons and every right answer of
`answers/`, and it looks into every file, whatever becomes of it.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from authoring.answer_files import find_answers
from authoring.bundle.refusal import Refused
from authoring.lessons import Lesson, grade_id, read_text
from authoring.lints.leaks import COMMON, MARKER, SECRETS, SHORTEST

RUN = 3  # neighbouring lines of a secret; a secret of fewer counts as a whole
LONG = 50  # characters of a line that says enough by itself
SMALLEST = 25  # nodes of a function's tree; smaller ones say nothing of attention
MARKER_LINE = re.compile(rf"^.*{MARKER.pattern}.*\n?", re.MULTILINE)
ANSWER = re.compile(r"^( *)### BEGIN SOLUTION.*?### END SOLUTION", re.MULTILINE | re.DOTALL)  # what a release has a stub for
# Three lines of every program for torch. `attnlab` trains models with them, too.
IN_EVERY_TRAINING = {"optimizer.zero_grad()", "loss.backward()", "optimizer.step()"}


@dataclass(frozen=True)
class Secrets:
    """What a bundle must not hold, each with the place that it is from.

    Attributes:
        runs: neighbouring lines without layout and comments.
        shapes: functions and classes with the names taken out, so that another choice of names hides nothing.
    """

    runs: dict[tuple[str, ...], str]
    shapes: dict[str, str]


def find_secrets(lessons: list[Lesson]) -> Secrets:
    """The answers, hidden tests and marking schemes of the lessons, and every right answer that is kept beside them."""
    public, shown = set(IN_EVERY_TRAINING), set[str]()
    texts, answers = [], []
    for lesson in lessons:
        for cell in read_text(lesson).cells:
            visible = SECRETS[0].visible(SECRETS[1].visible(cell.source))
            public.update(_lines(visible))
            shown.update(_shapes(ANSWER.sub(r"\1raise NotImplementedError", SECRETS[0].visible(cell.source))))
            place = f"{lesson.assignment}, {grade_id(cell)}"
            texts += [(place, secret.hidden(cell.source)) for secret in SECRETS]
            if SECRETS[1].hidden(cell.source):
                answers.append((place, MARKER_LINE.sub("", cell.source)))
        answers += [(answer.place, answer.source) for answer in find_answers(lesson) if answer.right]
    texts += answers
    runs = {run: place for place, text in texts for run in _runs(_lines(text)) if any(_says(line) and line not in public for line in run)}
    runs |= {(line,): place for place, text in texts for line in _lines(text) if line not in public and (len(line) >= LONG or _is_value(line))}
    shapes = {shape: place for place, text in answers for shape in _shapes(text) if shape not in shown}
    return Secrets(runs, shapes)


def answers_inside(contents: dict[str, bytes], secrets: Secrets) -> list[str]:
    """What the files of a bundle hold of the secrets, as parts of a sentence; an empty list where all is well.

    Args:
        contents: the files by their paths.
        secrets: what `find_secrets` found.
    """
    return [f"{path} {what}" for path, data in contents.items() for what in _found(path, data, secrets)]


def refuse_answers(contents: dict[str, bytes], lessons: list[Lesson]) -> None:
    """Stop where a file of the bundle would answer an exercise.

    Raises:
        Refused: one does.
    """
    if found := answers_inside(contents, find_secrets(lessons)):
        more = f", and {len(found) - 1} more" if len(found) > 1 else ""
        raise Refused(f"it would answer an exercise: {found[0]}{more}", "take that out of the file in the project that it comes from")


def _found(path: str, data: bytes, secrets: Secrets) -> Iterator[str]:
    try:
        texts = dict.fromkeys(_texts(path, data))  # each once: many messages say the same
    except ValueError as error:
        yield f"cannot be looked through ({error})"
        return
    for text in texts:
        if marker := MARKER.search(text):
            yield f"holds the marker `{marker[0]}`"
        lines = _lines(text)
        for length in range(1, RUN + 1):
            for start in range(len(lines) - length + 1):
                if place := secrets.runs.get(tuple(lines[start : start + length])):
                    yield f"holds `{lines[start]}` and what follows it in {place}"
                    return
        for shape, name in _shapes(text).items():
            if place := secrets.shapes.get(shape):
                yield f"defines `{name}`, which does what {place} does, under other names"
                return


def _texts(path: str, data: bytes) -> Iterator[str]:
    """Everything in a file that a person or a program can read. What holds numbers alone has none.

    Raises:
        ValueError: the file is none of the kinds that a bundle is made of.
    """
    kind = path.rpartition(".")[2]
    if kind == "npz":
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            if any(not np.issubdtype(arrays[name].dtype, np.number) for name in arrays.files):
                raise ValueError("it holds arrays that are no numbers")
        return
    text = data.decode()
    yield text
    if kind == "py":
        with contextlib.suppress(SyntaxError):
            yield from (node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    if kind in ("json", "ipynb"):
        yield from _strings(json.loads(text))
    elif kind == "jsonl":
        for line in text.splitlines():
            yield from _strings(json.loads(line))


def _strings(value: Any) -> Iterator[str]:
    """The texts in what was read from JSON; one that stands there line by line, as in notebooks, is put together."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        yield from ("".join(value), "\n".join(value))
    elif isinstance(value, list):
        for item in value:
            if not isinstance(item, (int, float)):
                yield from _strings(item)
    elif isinstance(value, dict):
        yield from value
        for item in value.values():
            yield from _strings(item)


def _lines(text: str) -> list[str]:
    """The lines without layout, prompts, quotes and comments. Empty ones go, and so do those that are nothing but a comment."""
    lines = (re.sub(r"\s+", " ", line.split("  #")[0]).strip(" >") for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("# ")]


def _is_value(line: str) -> bool:
    """Whether a line gives a name a plain value, as the answer to a question does: `suspects = ("B", "D")`."""
    try:
        [statement] = ast.parse(line).body
        return isinstance(statement, ast.Assign) and ast.literal_eval(statement.value) not in (None, 0, 1, (), True, False, "")
    except (SyntaxError, ValueError, TypeError):
        return False


def _says(line: str) -> bool:
    return len(line) >= SHORTEST and not COMMON.fullmatch(line)


def _runs(lines: list[str]) -> Iterator[tuple[str, ...]]:
    length = min(RUN, len(lines))
    return (tuple(lines[start : start + length]) for start in range(len(lines) - length + 1)) if lines else iter(())


def _shapes(text: str) -> dict[str, str]:
    """The functions and classes of a text that is Python, by what they look like without their names, comments and docstrings."""
    if "def " not in text and "class " not in text:
        return {}
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return {}
    defined = (node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef)))
    return {shape: node.name for node in defined if (shape := _shape(node))}


def _shape(node: ast.FunctionDef | ast.ClassDef) -> str:
    """Names are numbered as they come; attributes, such as `softmax` in `torch.softmax`, stay. Empty for what is too small to say anything."""
    numbers: dict[str, str] = {}
    words = []
    for part in _in_order(node):
        words.append(type(part).__name__)
        for field in ("id", "arg", "name"):
            if isinstance(name := getattr(part, field, None), str):
                words.append(numbers.setdefault(name, str(len(numbers))))
        words += [str(getattr(part, field)) for field in ("attr", "value") if isinstance(getattr(part, field, None), (str, int, float))]
    return " ".join(words) if len(words) >= SMALLEST else ""


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    """A node and its parts, in the order of the text, without docstrings and annotations."""
    yield node
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "ctx"):
            continue
        items = value if isinstance(value, list) else [value]
        for index, item in enumerate(items):
            is_docstring = field == "body" and index == 0 and isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant)
            if isinstance(item, ast.AST) and not is_docstring:
                yield from _in_order(item)
