"""Follow-through: what an exercise calls of earlier exercises is the solution's where the student's own failed its test.

The submission is executed as ever, and all that anybody reads comes from that run. Where a test failed that may depend on an earlier failure, it
is executed once more, in another kernel. There, the instructor's solution of a failed exercise runs behind its test, so that what follows calls
that. The student's code can read the solution in this kernel. So nothing leaves the second run but points: no text, no output, no value. And no
test gains that may be about a replaced exercise itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from nbformat import NotebookNode

from nbjudge._analysis.exercises import Mentions, exercises_of
from nbjudge._analysis.instructor import Instructor
from nbjudge._execution.verdicts import Clue, FollowThrough, Verdict

ONE = "Your {names} did not pass its own test, so this test was judged once more with the solution's {names} in its place: {points:g} of {most}."
SEVERAL = "Your {names} did not pass their own tests, so this test was judged once more with the solution's in their place: {points:g} of {most}."
BEFORE = "With your own, it said:"


@dataclass(frozen=True)
class _Judged:
    """A verdict of the second run. `uses`: the replaced names that the student's work behind it mentions; `is_about`: whether the test may be
    about a replaced exercise itself; `is_own`: whether it is about nothing else."""

    verdict: Verdict
    uses: frozenset[str]
    is_about: bool
    is_own: bool


class SecondRun:
    """What is put in the place of what, in the second run of one submission, and what comes of it.

    Args:
        notebook: what was handed in.
        verdicts: those of the first run, in the instructor's order.
    """

    def __init__(self, notebook: NotebookNode, instructor: Instructor, verdicts: Iterable[Verdict]):
        self._exercises, self._mentions = exercises_of(instructor), Mentions(notebook, instructor)
        self._first = {verdict.grade_id: verdict for verdict in verdicts}
        tested = {name: about.own for name, about in self._exercises.tests.items()}
        self._failed = frozenset[int]().union(*(own for name, own in tested.items() if self._first[name].has_lost))
        self._sound = frozenset[int]().union(*tested.values()) - self._failed
        self._consequences = frozenset(self._possible())
        self.begin()

    def begin(self) -> None:
        """Nothing is replaced, and nothing judged."""
        self._replaced = frozenset[int]()
        self._judged: dict[str, _Judged] = {}

    @property
    def is_over(self) -> bool:
        """Whether nothing is left that could change a verdict."""
        return self._consequences <= self._judged.keys()

    def _possible(self) -> Iterator[str]:
        """The tests whose failure may be the consequence of an earlier one."""
        failed: list[frozenset[int]] = []
        for name, about in self._exercises.tests.items():
            if self._first[name].has_lost:
                if any(self._uses(name, cells) and not about.own <= cells for cells in failed):
                    yield name
                failed.append(self._exercises.with_needs(about.own, self._sound))

    def after(self, verdict: Verdict) -> list[str]:
        """Take in the verdict of one test of the second run. Returns the cells that the kernel has to run before it goes on."""
        name, exercises = verdict.grade_id, self._exercises
        cannot_judge = self._first[name].kind == "unjudged"  # nor does a failure there say anything of the exercise
        uses, own = self._uses(name, self._replaced), exercises.tests[name].own
        self._judged[name] = _Judged(verdict, uses, exercises.may_be_about(name, self._replaced), own <= self._replaced)
        if cannot_judge or not (verdict if uses else self._first[name]).has_lost:
            return []
        added = exercises.with_needs(own, self._sound) - self._replaced
        self._replaced |= added
        return [text for number in sorted(added) for text in (*exercises.solutions[number].before, exercises.solutions[number].source)]

    def verdicts(self) -> list[Verdict]:
        """Those of the first run, with the points that the second one gave."""
        return [self._settled(verdict) for verdict in self._first.values()]

    def lost_by_time(self) -> list[str]:
        """The tests that could have gained, and ran out of time, or ended the kernel, in this run alone."""
        kinds = ("timeout", "ended")
        could = [name for name, judged in self._judged.items() if judged.uses and not judged.is_own and self._first[name].has_lost]
        return [name for name in could if self._judged[name].verdict.kind in kinds and self._first[name].kind not in kinds]

    def _uses(self, test: str, cells: frozenset[int]) -> frozenset[str]:
        return self._exercises.names_of(cells) & self._mentions.behind(self._exercises.tests[test].asks)

    def _settled(self, first: Verdict) -> Verdict:
        judged = self._judged.get(first.grade_id)
        if judged is None or not first.has_lost or not judged.uses or judged.is_own or judged.verdict.points <= first.points:
            return first
        second = judged.verdict
        told = FollowThrough(self._told(judged.uses), first.points, second.points)
        if judged.is_about:
            return first if second.has_lost else replace(first, follow_through=told)
        listed = " and ".join(f"`{name}`" for name in told.names)
        most = f"{first.max_points:g} {'point' if first.max_points == 1 else 'points'}"
        sentence = (ONE if len(told.names) == 1 else SEVERAL).format(names=listed, points=second.points, most=most)
        said = "\n".join(filter(None, [first.message, first.printed.strip("\n")]))
        printed = f"{sentence}\n\n{BEFORE}\n{said}\n" if said else f"{sentence}\n"
        kind = "partial" if second.has_lost else "passed"
        return replace(first, points=second.points, kind=kind, message="", printed=printed, clue=Clue(), follow_through=told)

    def _told(self, uses: frozenset[str]) -> tuple[str, ...]:
        """What the student is told of: the answers that failed, and nothing of the solution that the student's code does not name."""
        failed = uses & self._exercises.names_of(self._failed)
        return tuple(sorted(failed or uses))
