"""What is left of an answer when names, order, layout and remarks are taken out: hashes of parts, by which answers are compared.

Code: every part of the syntax tree (`ast`) with some content is one hash. Names that the answer itself binds are one sign, so renaming changes
nothing; each part is hashed alone, so the order of statements and of functions changes nothing; operands of `+`, `*`, `==`, `and` and the like are
sorted, `a > b` is `b < a`, `x += 1` is `x = x + 1`, and a loop that counts with `while` is one over `range`. Constants stay. Written answers: every
run of three words. What was given, in the same form, is taken out.
"""

from __future__ import annotations

import ast
import hashlib
import io
import re
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

SMALLEST = 4  # nodes of a part that is compared: smaller ones are in every answer
SHINGLE = 3  # words; Broder (1997), On the resemblance and containment of documents
MOST_PARTS = 4000  # of one answer
LONGEST = 60_000  # letters of one answer
COMMUTES = (ast.Add, ast.Mult, ast.BitAnd, ast.BitOr, ast.BitXor)
TURNED = {"Gt": "Lt", "GtE": "LtE"}
WORD = re.compile(r"\w+")
UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)


@dataclass(frozen=True)
class Form:
    """One answer. `parts` maps the hash of each part to its first and last line; `hand` are hashes of its writer's own words and names."""

    parts: dict[int, tuple[int, int]] = field(default_factory=dict)
    hand: frozenset[int] = frozenset()


def form_of(source: str, given: Iterable[str], is_code: bool) -> Form:
    """The form of an answer, without the parts of the texts that were given."""
    read = _code if is_code else _text
    form = read(source[:LONGEST])
    known = [_given(text, is_code) for text in given]
    without = set[int]().union(*(one.parts for one in known))
    hand = form.hand - frozenset[int]().union(*(one.hand for one in known))
    parts = [(part, lines) for part, lines in form.parts.items() if part not in without]
    return Form(dict(parts[:MOST_PARTS]), hand)


@lru_cache(maxsize=1000)
def _given(text: str, is_code: bool) -> Form:
    """The form of a text that many were given, read once."""
    return (_code if is_code else _text)(text)


def _text(source: str) -> Form:
    words = [(word.lower(), number) for number, line in enumerate(source.splitlines(), start=1) for word in WORD.findall(line)]
    runs = (words[place : place + SHINGLE] for place in range(len(words) - SHINGLE + 1))
    return Form({_hash("words", *(word for word, _ in run)): (run[0][1], run[-1][1]) for run in runs})


def _code(source: str) -> Form:
    try:
        tree = ast.parse(source)
    except UNREADABLE:
        return _lines(source)
    nodes = list(ast.walk(tree))
    reader = _Reader(nodes)
    try:
        for statement in tree.body:
            reader.read(statement)
    except RecursionError:
        return _lines(source)
    return Form(reader.parts, frozenset(_hash("name", name) for name in reader.bound if len(name) > 2) | frozenset(_remarks(source, nodes)))


def _lines(source: str) -> Form:
    """Of code that is no Python: its lines without spaces and remarks."""
    lines = ((number, "".join(line.partition("#")[0].split())) for number, line in enumerate(source.splitlines(), start=1))
    return Form({_hash("line", line): (number, number) for number, line in lines if len(line) > SMALLEST})


def _remarks(source: str, nodes: Iterable[ast.AST]) -> Iterator[int]:
    """Each comment and each text of three words and more, as its words."""
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    try:
        texts += [token.string for token in tokenize.generate_tokens(io.StringIO(source + "\n").readline) if token.type == tokenize.COMMENT]
    except (tokenize.TokenError, *UNREADABLE):
        pass
    for text in texts:
        words = WORD.findall(text.lower())
        if len(words) >= SHINGLE:
            yield _hash("remark", *words)


def _hash(*words: str) -> int:
    return int.from_bytes(hashlib.blake2b("\0".join(words).encode(errors="replace"), digest_size=8).digest())


class _Reader:
    """Hashes the parts of a tree, from the leaves up."""

    def __init__(self, nodes: Sequence[ast.AST]):
        self.parts: dict[int, tuple[int, int]] = {}
        self.bound = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        self.bound |= {node.arg for node in nodes if isinstance(node, ast.arg)}
        self.bound |= {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}

    def read(self, node: ast.AST) -> tuple[int, int]:
        """The hash of a part, and how many nodes it has."""
        words, size = self._words(node)
        made = _hash(*words)
        if size >= SMALLEST and isinstance(node, ast.stmt | ast.expr):
            self.parts.setdefault(made, (getattr(node, "lineno", 1), getattr(node, "end_lineno", 1) or 1))
        return made, size

    def _words(self, node: ast.AST) -> tuple[list[str], int]:
        match node:
            case ast.Name():
                return ["name", "" if node.id in self.bound else node.id], 1
            case ast.Constant():
                return ["constant", repr(node.value)], 1
            case ast.AugAssign():
                return self._plain(ast.Assign([node.target], ast.copy_location(ast.BinOp(node.target, node.op, node.value), node)))
            case ast.BinOp() if isinstance(node.op, COMMUTES):
                return self._sorted(type(node.op).__name__, [node.left, node.right])
            case ast.BoolOp():
                return self._sorted(type(node.op).__name__, node.values)
            case ast.Compare() if len(node.ops) == 1:
                return self._compared(type(node.ops[0]).__name__, node.left, node.comparators[0])
            case ast.Call():
                return self._sorted("call", node.args, [node.func], node.keywords)
            case ast.FunctionDef() | ast.ClassDef():
                return self._block("def", node.body, [])
            case ast.For():
                return self._block("for", node.body, [node.iter], [node.target])
            case ast.While() if (limit := _counts_to(node)) is not None:
                count = ast.Call(ast.Name("range", ast.Load()), [limit], [])
                return self._block("for", node.body[:-1], [count], [ast.Name("", ast.Store())])
            case ast.Expr(value=ast.Constant(value=str())):
                return ["docstring"], 0
        return self._plain(node)

    def _sorted(self, name: str, some: list[ast.expr], *others: Iterable[ast.AST]) -> tuple[list[str], int]:
        """A part whose operands have no order; a call's arguments have one, its keywords have none."""
        found = [self.read(one) for one in some]
        hashes = [hash for hash, _ in found] if name == "call" else sorted(hash for hash, _ in found)
        rest = [self.read(one) for group in others for one in group]
        return [name, *map(str, hashes), "|", *map(str, sorted(hash for hash, _ in rest))], 1 + sum(size for _, size in found + rest)

    def _compared(self, sign: str, left: ast.expr, right: ast.expr) -> tuple[list[str], int]:
        pair = [self.read(left), self.read(right)]
        if sign in TURNED:
            pair.reverse()
        hashes = [hash for hash, _ in pair]
        return [TURNED.get(sign, sign), *map(str, sorted(hashes) if sign in ("Eq", "NotEq") else hashes)], 1 + sum(size for _, size in pair)

    def _block(self, name: str, body: list[ast.stmt], *heads: list[ast.expr]) -> tuple[list[str], int]:
        """A part that holds statements: these count by themselves, in no order."""
        found = [self.read(one) for group in heads for one in group]
        inner = [self.read(one) for one in body]
        hashes = sorted(hash for hash, size in inner if size)
        return [name, *map(str, [hash for hash, _ in found]), "|", *map(str, hashes)], 1 + sum(size for _, size in found + inner)

    def _plain(self, node: ast.AST) -> tuple[list[str], int]:
        words, size = [type(node).__name__], 1
        for name, value in ast.iter_fields(node):
            if name in ("ctx", "type_comment", "annotation", "returns", "kind"):
                continue
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, ast.AST):
                    made, inner = self.read(one)
                    words.append(str(made))
                    size += inner
                elif one is not None:
                    words.append(f"{name}={one}")
        return words, size


def _counts_to(loop: ast.While) -> ast.expr | None:
    """The limit of `while i < limit:` that ends with `i += 1`; None for any other loop."""
    test, last = loop.test, loop.body[-1]
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Lt) and isinstance(test.left, ast.Name)):
        return None
    if isinstance(last, ast.AugAssign):
        step = isinstance(last.op, ast.Add) and isinstance(last.value, ast.Constant) and last.value.value == 1
        counts = step and isinstance(last.target, ast.Name) and last.target.id == test.left.id
        return test.comparators[0] if counts else None
    return None
