"""Who is in the demonstration class, and what each of them handed in."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

PREFIX = "demo-"  # marks the folders that this program made and may remove
DUE = "2026-01-31 12:00:00 UTC"
WRITTEN = (
    "Both words are looked up in the same row of the table, so they are one vector and get the same scores, weights and average. "
    "The order of the words does not enter, so shuffling changes nothing. Training would push `the` away from the others and pull "
    "`cat` and `walks` together; it is the table that learns."
)


@dataclass(frozen=True)
class Student:
    """One synthetic student.

    Attributes:
        name: the folder's name after `PREFIX`.
        solved: whether everything that `answers` does not name holds the lesson's own answer, or is left untouched.
        answers: exercise -> "right/NAME" or "wrong/NAME" of `source/`, or "NAME" of `demonstration/answers`.
        handed_in: when, as nbgrader's timestamp.txt says it.
        damage: what happened to the file afterwards: "", "cut off", "test cell deleted", "cell copied".
        every_lesson: whether the student handed in all lessons, not only the first.
    """

    name: str
    solved: bool = True
    answers: dict[str, str] = field(default_factory=dict)
    handed_in: str = "2026-01-30 18:00:00 UTC"
    damage: str = ""
    every_lesson: bool = False


STUDENTS = [
    Student("perfect", every_lesson=True),
    Student("empty", solved=False, every_lesson=True),
    Student(
        "another-style",
        answers={
            "softmax": "right/log_sum_exp",
            "attention_scores": "right/einsum",
            "attention_weights": "right/columns_then_transpose",
            "self_attention_loops": "right/one_loop",
            "basic_self_attention": "right/bmm",
            "embed": "right/one_hot",
        },
    ),
    Student("prints-and-warns", answers={"softmax": "right/prints_and_warns"}),
    Student("half-way", solved=False, answers={"softmax": "right/keepdims", "attention_scores": "right/two_loops"}),
    Student("softmax-over-queries", answers={"attention_weights": "wrong/over_queries", "basic_self_attention": "wrong/over_queries"}),
    Student("softmax-over-everything", answers={"softmax": "wrong/over_all_entries"}),
    Student("overflow", answers={"softmax": "wrong/without_maximum"}),
    Student("first-sequence-only", answers={"basic_self_attention": "wrong/first_sequence_only", "embed": "wrong/unknown_is_skipped"}),
    Student("reads-globals", answers={"attention_scores": "wrong/reads_global"}),
    Student("ends-python", answers={"self_attention_loops": "ends_python"}),
    Student("loops-for-ever", answers={"self_attention_loops": "loops_for_ever"}),
    Student("late", handed_in="2026-02-02 09:30:00 UTC"),
    Student("deleted-a-test", answers={"softmax": "wrong/without_sum"}, damage="test cell deleted"),
    Student("copied-a-cell", damage="cell copied"),
    Student("cut-off-file", damage="cut off"),
]


def stands_in(submitted: Path) -> str:
    """The line that tells of the class, drawn students and all."""
    count = sum(path.name.startswith(PREFIX) for path in submitted.iterdir())
    return (
        f"submitted/ has no submissions yet: a demonstration class of {count} stands in. It goes when you put the first real student's folder there."
    )
