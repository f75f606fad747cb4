"""Why answers lost points, for a whole class: by the cause that a test states, else by what the answers have in common.

A cause has a name where the test states one that it knows, where its message gives one, or where the grader's sentence does ("`x` changed
its argument"). A message that only says that something is wrong names nothing.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from nbjudge._execution.verdicts import Clue
from nbjudge._report.failures import Failure, Names
from nbjudge._report.model import Cause, Question

LONGEST = 300  # letters of a title
# Words that judge and tell nothing: a message of these alone names no cause.
EMPTY_WORDS = frozenset(
    """
    a again an and answer answers argument as assertion assertionerror at be but by case cases check code correct did does error exercise expected
    fail failed failure fails false for function got has hidden hold in incorrect input inputs is its not no number of on output part pass passed
    problem question result returned returns right should solution sorry test tests the this to try unexpected value values was were with wrong
    you your""".split()
)
NOT_WRITTEN, UNWRITTEN = "NotImplementedError", "a line that raises NotImplementedError is still reached: something is not written yet"
NUMBER = re.compile(r"[-+]?\d[\d_]*(?:\.\d*)?(?:[eE][-+]?\d+)?|[-+]?\.\d+|\b(?:nan|inf)\b")
QUOTED = re.compile(r"(?<!\w)'[^'\n]*'|\"[^\"\n]*\"|“[^”\n]*”")
WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class _Sign:
    """By what a failure is put together with others: `key` is the same for all of them."""

    by: str
    key: tuple[str, ...]
    title: str
    help: str = ""  # the next step
    is_whole: bool = False  # whether the title is all that the message says
    is_stated: bool = False  # whether the test states it, as a cause of its own: titles may differ then, and the most common one counts


class Causes:
    """The causes of one question's failures.

    Args:
        question: whose test it is.
        test: the text of the test cell.
        names: what students are called, and how their own names go out of texts.
        kept: words of the exercise, which no name takes out.
    """

    def __init__(self, question: Question, test: str, names: Names, kept: frozenset[str] = frozenset()):
        self._question, self._test, self._names, self._kept = question, test.split("\n"), names, kept
        self._groups: dict[tuple[str, ...], list[tuple[str, Failure, _Sign]]] = defaultdict(list)

    def add(self, student: str, failure: Failure) -> None:
        """Take one failure in."""
        sign = self._sign(failure)
        self._groups[sign.by, *sign.key].append((student, failure, sign))

    def told(self, attempts: int) -> list[Cause]:
        """All causes: those without a name first, then the most frequent first. `attempts` is how many tried the question."""
        causes = [self._cause(group, attempts) for group in self._groups.values()]
        return sorted(causes, key=lambda cause: (cause.is_named, -len(cause.students), cause.title))

    def _cause(self, group: list[tuple[str, Failure, _Sign]], attempts: int) -> Cause:
        [(title, _)] = Counter(sign.title for _, _, sign in group).most_common(1)
        shown = [entry for entry in group if entry[2].title == title or not entry[2].is_stated]
        codes = Counter(failure.code for _, failure, _ in shown if failure.code.strip())
        most = max(codes.values(), default=0)
        code = min((code for code, count in codes.items() if count == most), key=len, default="")
        student, failure, sign = next((entry for entry in shown if entry[1].code == code), shown[0])
        by, is_named = sign.by, sign.by in NAMED
        if by == "test" and failure.clue.line and not failure.clue.hidden:
            by = "check"
        returned = "" if failure.clue.by == "error" else failure.clue.returned  # of a call before the one that stopped
        title, message, returned, further = (
            self._names.taken_out(text, student, self._kept) for text in (sign.title, failure.message, returned, sign.help)
        )
        code = self._names.taken_out(failure.code, student, self._kept, is_theirs=True)
        saying = _saying(len(group), attempts, replace(sign, by=by, title=title, help=further))
        return Cause(
            self._question,
            title,
            is_named,
            by,
            tuple(sorted(student for student, _, _ in group)),
            saying,
            message,
            code,
            returned,
            self._place(failure.clue),
        )

    def _sign(self, failure: Failure) -> _Sign:
        """What names the cause, or else what can be compared with other failures."""
        clue, message, stated = failure.clue, failure.message, failure.clue.cause
        if failure.follow_through is not None:  # the message is that of the answer with the earlier ones, so it may be their cause that it names
            names = " and ".join(f"`{name}`" for name in failure.follow_through.names)
            return _Sign("", ("follow-through", names), f"points are lost with the solution's {names}, too")
        if stated is not None and stated.is_established:
            return _Sign("test", ("stated", stated.id), _line(stated.words), _line(stated.next), is_stated=True)
        if failure.stops and (clue.by == "nbjudge" or clue.raised == "NameError"):  # the name is missing because its cell stopped
            return _Sign("cell", ("stops", _same(failure.stops)), f"the cell of the answer stops: {_line(failure.stops)}")
        if NOT_WRITTEN in (clue.raised, message.partition(":")[0]):
            return _Sign("nbjudge", (NOT_WRITTEN,), UNWRITTEN)
        if clue.by in ("author", "nbjudge") and stated is None and not self._is_empty(message):
            return _Sign("nbjudge" if clue.by == "nbjudge" else "test", (_same(message),), _line(message), is_whole=True)
        if clue.by == "limit":
            return _Sign("limit", (_same(message),), _line(message))
        if clue.by == "error":
            at = f" in line {clue.at}" if clue.at else ""
            return _Sign("exception", (clue.raised, str(clue.line)), f"the code stops with {clue.raised}{at}")
        if clue.returned:
            return _Sign("value", (clue.returned,), f"the same result: {clue.returned}")
        if clue.line:
            return _Sign("line", (str(clue.line),), f"the test stops in {self._place(clue)}")
        return _Sign("", (_same(message),), _line(message) or "the test says nothing")

    def _place(self, clue: Clue) -> str:
        """Where the test stopped, with what stands there; "" where that is not known."""
        if not 0 < clue.line <= len(self._test):
            return ""
        hidden = " (hidden)" if clue.hidden else ""
        return f"line {clue.line}{hidden}: {_line(self._test[clue.line - 1])}"

    def _is_empty(self, text: str) -> bool:
        """Whether a message says no more than that something is wrong."""
        return {word.lower() for word in WORD.findall(text)} <= self._nothing

    @cached_property
    def _nothing(self) -> frozenset[str]:
        """Words that name no cause: those that only judge, and the name of the question itself."""
        return EMPTY_WORDS | {word.lower() for word in WORD.findall(f"{self._question.name} {self._question.label}".replace("_", " "))}


NAMED = ("check", "test", "nbjudge", "cell")


def share_named(causes: Iterable[Cause]) -> tuple[int, int]:
    """How many failures have a cause with a name, and how many there are."""
    listed = list(causes)
    return sum(len(cause.students) for cause in listed if cause.is_named), sum(len(cause.students) for cause in listed)


def _same(text: str) -> str:
    """A message without what differs between answers with the same cause: numbers, and what stands in quotes."""
    return NUMBER.sub("#", QUOTED.sub("“”", " ".join(text.split())))


def _line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[:LONGEST].rstrip()} …"


def _saying(count: int, attempts: int, sign: _Sign) -> str:
    """A sentence that one can say in class: nothing of a hidden test is in it but its message."""
    who = f"{count} of {attempts} answers" if attempts > count else f"all {count} answers" if count > 1 else "the only answer"
    title = _sentence(sign.title)
    if sign.by in NAMED and sign.is_whole:
        return f"This is what {who} {'do' if count > 1 else 'does'} not pass: {title}"
    if sign.by in NAMED or sign.by == "limit":
        return f"In {who}: {title}" + (f" What helps: {_sentence(sign.help)}" if sign.help else "")
    if sign.by == "value":
        same = "give the same wrong result" if count > 1 else "gives a wrong result that no other answer gives"
        return f"{who[0].upper()}{who[1:]} {same}. Look at this one: which step makes it?"
    if sign.by == "exception":
        return f"In {who}, {title} What did that line get, and what did it need?"
    if sign.by == "line":
        return f"{who[0].upper()}{who[1:]} {'stop' if count > 1 else 'stops'} at the same check. Try this one on inputs of other sizes and values."
    return f"In {who} the test says no more than: {title}"


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."
