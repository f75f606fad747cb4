"""Right answers to show once a learner has one: read where the whole repository is at hand, as it is for people who learn alone.

What a class gets holds no answers, so nothing is found there.
"""

from __future__ import annotations

import ast
import html
import re
from itertools import islice
from pathlib import Path

from attnlab import history
from attnlab.check.cards import GREY

AT_MOST = 3
RIGHT = re.compile(r"^# %% right: \w+\n(.*?)(?=^# %% |\Z)", re.MULTILINE | re.DOTALL)  # not those that are told as changes of another one


def other_ways(exercise: str, own: str = "") -> list[str]:
    """The first right answers of the repository to an exercise, without the learner's own; none where the repository is not at hand.

    Args:
        exercise: its name, which is the grade id of its cell.
        own: the text of the learner's cell.
    """
    path, lesson = history.notebook(), history.lesson()
    if not path or not lesson:
        return []
    file = Path(path.parent.parent.parent, "source", lesson, "answers", f"{exercise}.py")
    try:
        answers = [found.strip() for found in RIGHT.findall(file.read_text(encoding="utf-8"))]
    except (OSError, ValueError):
        return []
    written = _plain(own)
    return list(islice((answer for answer in answers if _plain(answer) != written), AT_MOST))


def folded(answers: list[str], title: str) -> str:
    """Answers as HTML, closed until somebody opens them; nothing where there are none."""
    if not answers:
        return ""
    look = f"margin:6px 0;padding:4px 8px;border-left:2px solid {GREY}"
    texts = "".join(f'<pre style="{look}">{html.escape(answer)}</pre>' for answer in answers)
    return f'<details style="margin:4px 0 0 12px"><summary>{html.escape(title)}</summary>{texts}</details>'


def _plain(source: str) -> str:
    """The code alone, without comments and layout."""
    try:
        return ast.unparse(ast.parse(source))
    except (SyntaxError, ValueError):
        return source
