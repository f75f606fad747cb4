"""Wrong answers that people invented who saw the cards alone, neither checks nor tests: `benchmarks/invented/LESSON.txt`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from authoring.answer_files import Answer
from authoring.lessons import Lesson

TITLE = re.compile(r"^# %% (\w+): (\w+).*\n", re.MULTILINE)
REMARK = re.compile(r"# (what|ideal): (.*)")


def invented_answers(lesson: Lesson) -> Iterator[tuple[Answer, dict[str, str]]]:
    """Those for one lesson, each with what is wrong ("what") and what a good teacher would say ("ideal"). None where nobody invented any."""
    path = lesson.root / "benchmarks" / "invented" / f"{lesson.assignment}.txt"
    parts = TITLE.split(path.read_text(encoding="utf-8"))[1:] if path.is_file() else []
    for exercise, name, body in zip(parts[0::3], parts[1::3], parts[2::3]):
        source = "".join(line for line in body.splitlines(keepends=True) if not REMARK.match(line))
        yield Answer(f"{lesson.assignment}.txt", exercise, False, name, source), dict(REMARK.findall(body))
