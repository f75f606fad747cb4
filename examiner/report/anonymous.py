"""Takes out of texts who wrote them: remarks in code, and names."""

from __future__ import annotations

import ast
import io
import re
import secrets
import tokenize
from collections.abc import Iterable

SHORTEST = 3  # letters of a name that is looked for: "Li" would be found in too many words
HIDDEN = "…"
WORD = re.compile(r"\w+")


def without_remarks(source: str) -> str:
    """Code without its comments and docstrings. Every line keeps its number."""
    lines = source.splitlines()
    for place, end in _docstrings(source):
        indent = lines[place][: len(lines[place]) - len(lines[place].lstrip())]
        lines[place] = f'{indent}"{HIDDEN}"'
        lines[place + 1 : end] = [""] * (end - place - 1)
    for row, column in _comments("\n".join(lines)):
        lines[row - 1] = lines[row - 1][:column]
    return "\n".join(line.rstrip() for line in lines).rstrip()


def _docstrings(source: str) -> list[tuple[int, int]]:
    """First line, from 0, and the line after the last of each text that stands alone as a statement."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    lines = source.splitlines()
    return [
        (node.lineno - 1, node.end_lineno or node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        and lines[node.lineno - 1].lstrip()[:1] in ("'", '"', "r", "u", "R", "U", "b", "f")
    ]


def _comments(source: str) -> list[tuple[int, int]]:
    """Where comments begin: line, from 1, and column. In a text that is no Python, what looks like one."""
    found: list[tuple[int, int]] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(source + "\n").readline):
            if token.type == tokenize.COMMENT:
                found.append(token.start)
    except (tokenize.TokenError, SyntaxError, ValueError, RecursionError):
        return [(number, line.index("#")) for number, line in enumerate(source.split("\n"), start=1) if "#" in line]
    return found


class Names:
    """What students are called in a report.

    Args:
        people: first name, last name and e-mail address by the student's id.
        hidden: whether students have numbers, in an order of luck, instead of names.
    """

    def __init__(self, people: dict[str, tuple[str, str, str]], hidden: bool):
        self._people, self._hidden = people, hidden
        order = sorted(people)
        if hidden:
            secrets.SystemRandom().shuffle(order)
        width = len(str(len(order)))
        self._numbers = {student: f"student {place:0{width}d}" for place, student in enumerate(order, start=1)}

    def id_of(self, student: str) -> str:
        """The id that a report shows."""
        return self._numbers.get(student, "a student") if self._hidden else student

    def name_of(self, student: str) -> str:
        """Last name and first name, or the id where the gradebook has none."""
        first, last, _ = self._people.get(student, ("", "", ""))
        return self.id_of(student) if self._hidden else ", ".join(filter(None, [last, first])) or student

    def hidden(self, text: str, student: str) -> str:
        """`text` without the student's names where names are hidden, else as it is."""
        return self.taken_out(text, student) if self._hidden else text

    def taken_out(self, text: str, student: str, kept: frozenset[str] = frozenset(), is_theirs: bool = False) -> str:
        """`text` without the student's own names, id and address, in capitals or not.

        Args:
            kept: words of the exercise itself, in small letters, which stay: somebody may be called Long or Max.
            is_theirs: whether the student wrote the text. Then parts of the id and of the address go, too; in a message, which somebody else
                wrote, they would be words of the sentence: "over" of `softmax-over-queries`.
        """
        first, last, address = self._people.get(student, ("", "", ""))
        split = [first, last, *([student, address] if is_theirs else [])]
        own = {student, first, last, address, *(word for name in split for word in WORD.findall(name.replace("_", " ")))}
        words = {word for word in own if len(word) >= SHORTEST and word.lower() not in kept}
        if not words:
            return text
        longest_first = sorted(words, key=len, reverse=True)
        return re.sub(rf"(?<![^\W_])(?:{'|'.join(map(re.escape, longest_first))})(?![^\W_])", HIDDEN, text, flags=re.IGNORECASE)


def words_of(texts: Iterable[str]) -> frozenset[str]:
    """Every word of these texts, in small letters."""
    return frozenset(part.lower() for text in texts for word in WORD.findall(text) for part in (word, *word.split("_")))
