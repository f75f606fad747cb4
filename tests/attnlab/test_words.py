"""Nothing decides by what a sentence of ours contains: a cause has an id, and says how sure it is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.probes.scaling import draws, products
from authoring.lessons import ROOT

WORDS = {"words", "likely", "observed", "said"}  # fields that hold sentences
ASKS = {"startswith", "endswith", "find", "index", "count", "replace", "removeprefix", "removesuffix", "split", "rsplit", "partition", "rpartition"}
PATTERNS = {"match", "fullmatch", "search", "sub", "findall", "finditer", "split"}
FILES = [ROOT / "nbgrader_config.py", *sorted((ROOT / "attnlab").rglob("*.py")), *sorted((ROOT / "authoring" / "variations").glob("*.py"))]

pytestmark = pytest.mark.check


def questions(tree: ast.AST) -> Iterator[int]:
    """The lines that ask what stands in a sentence."""
    for scope in [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.Module))]:
        names = {
            target.id
            for node in ast.walk(scope)
            if isinstance(node, ast.Assign) and _is_field(node.value)
            for target in node.targets
            if isinstance(target, ast.Name) and isinstance(scope, ast.FunctionDef)
        }
        for node in ast.walk(scope):
            match node:
                case ast.Compare(left=left, ops=ops, comparators=others):
                    asked = [other for op, other in zip(ops, others) if isinstance(op, (ast.In, ast.NotIn))]
                    if any(isinstance(op, (ast.Eq, ast.NotEq)) for op in ops):
                        asked += [left, *others]
                case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=name), args=asked) if name in PATTERNS:
                    pass
                case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in ASKS:
                    asked = [value]
                case _:
                    continue
            if any(_is_field(one) or (isinstance(one, ast.Name) and one.id in names) for one in asked):
                yield node.lineno


def _is_field(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in WORDS


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_branch_asks_what_a_sentence_contains(path: Path) -> None:
    assert [*questions(ast.parse(path.read_text(encoding="utf-8")))] == []


@pytest.mark.parametrize(
    "line",
    [
        'if "does not know" in found.cause.words: pass',
        'if cause.words.startswith("every entry"): pass',
        're.match(r"`(.*)`", slip.likely)',
        'cause.words.replace("the result", "this part")',
        'def f(found):\n    text = found.observed\n    return "NotImplementedError" in text',
        'if fact.said == "a name": pass',
    ],
)
def test_such_a_question_is_seen(line: str) -> None:
    assert [*questions(ast.parse(line))]


@pytest.mark.parametrize("line", ['f"{cause.words}; {more.words}"', 'if cause.id == "slip.axis": pass', "if case.expected == result: pass"])
def test_what_is_none_is_not_seen(line: str) -> None:
    assert [*questions(ast.parse(line))] == []


@pytest.mark.parametrize("package", ["check", "diagnosis", "exercises"])
def test_a_folder_can_be_looked_over(package: str) -> None:
    folders = {path.parent for path in (ROOT / "attnlab" / package).rglob("*.py")}
    assert {str(folder): count for folder in folders if (count := len([*folder.glob("*.py")])) > 14} == {}


def ids(tree: ast.AST) -> Iterator[str]:
    """The ids of causes that stand in a file."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="Cause" | "unknown" | "Fact"), args=[ast.Constant(value=str(id)), *_]):
                yield id


@pytest.mark.parametrize("path", [path for path in FILES if "attnlab" in path.parts], ids=lambda path: str(path.relative_to(ROOT)))
def test_an_id_says_in_a_few_words_what_is_wrong(path: Path) -> None:
    odd = [id for id in ids(ast.parse(path.read_text(encoding="utf-8"))) if not re.fullmatch(r"[A-Za-z_]+\.(?!.*_\d$)[a-z0-9_]+", id)]
    assert odd == []


@pytest.mark.parametrize("table", [draws.COUNTS, products.FORMULAS], ids=["counts", "formulas"])
def test_each_row_of_a_table_makes_a_cause(table: list[tuple[Any, ...]]) -> None:
    for row in table:
        id, words, next_step = (entry for entry in row if not callable(entry))
        assert Cause(id, words, next_step).is_established
