"""Reports of classes that nobody taught: an ordinary one of any size, one full of attempts, and empty ones."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta

from nbjudge._report.item_statistics import FEW_ANSWERS, FEW_STUDENTS, FEWEST, complete_sums
from nbjudge._report.model import (
    FEWEST_SHARES,
    Cause,
    Consequences,
    Figure,
    Item,
    Moved,
    Part,
    Points,
    PointsChange,
    Question,
    ReportData,
    Stage,
    StudentLine,
    Together,
    Trend,
)
from nbjudge._report.trend import trend

MADE = datetime(2026, 3, 14, 16, 5)
TITLES = ("Basic attention", "Queries, keys and values", "Columns", "Scaling", "Several heads", "A permutation test", "A whole transformer")
TASKS = ("dot scores", "softmax", "weighted mean", "attention", "mask the future", "batch of sentences", "why divide by the root")
GIVEN, FAMILY = (
    ("Ada", "Grace", "Alan", "Emmy", "Kurt", "Sofia", "Srinivasa", "Hedy", "Noor", "Chen", "Olga", "Łukasz"),
    ("Lovelace", "Hopper", "Turing", "Noether", "Gödel", "Kovalevskaya", "Ramanujan", "Lamarr", "Al-Khwarizmi", "Ng", "Ladyzhenskaya", "O'Brien"),
)
GROUPS = ("Monday", "Tuesday", "")
CODE = """def softmax(scores):
    e = np.exp(scores)
    return e / e.sum()"""
LONG = "\n".join(
    f"    total_{number} = scores[..., {number}] * weights[..., {number}] + total_{number - 1}  " + "and so on " * 9 for number in range(1, 60)
)
CAUSES = (
    (
        "The weights sum to 1 over all words together, not for each word",
        "check",
        "Sum along the last axis, and keep it: axis=-1, keepdims=True.",
        "AssertionError: The weights of each word should sum to 1.\nYours sum to 0.25 for the first word.\nNext: look at the axis of your sum.",
        CODE,
        "array of shape (4, 4), first row [0.03, 0.09, 0.11, 0.02]",
    ),
    (
        "The function changes its argument",
        "nbjudge",
        "Work on a copy: x = x - x.max() makes a new array, x -= x.max() does not.",
        "AssertionError: softmax has changed the array that it was called with.",
        "def softmax(scores):\n    scores -= scores.max()\n    ...",
        "",
    ),
    (
        "NameError: name 'keys' is not defined",
        "exception",
        "",
        "NameError: name 'keys' is not defined",
        "def attention(q, k, v):\n    return q @ keys.T",
        "",
    ),
    ("They return 0.5", "value", "", "AssertionError: 0.5 is not 0.7310585786300049", "def gate(x):\n    return 0.5", "0.5"),
    ("They stop at: assert np.allclose(got, wanted)", "line", "", "AssertionError", LONG, "array of shape (3, 3)"),
    ("Nothing in common", "", "", "AssertionError", "def attention(q, k, v):\n    pass", "None"),
)
HOSTILE = (
    "<script>window.pwned=1</script>",
    '"><img src=x onerror=window.pwned=2>',
    "' onmouseover='window.pwned=3",
    "{{7*7}}{% raise %}${7*7}",
    "</pre></style>",
    "</script><script>window.pwned=4</script>",
    "]]>",
    "<!--",
    "-->",
    "\u202egnp.exe",
    "zero\x00 bell\x07 escape\x1b[31m",
    "\udcff alone",
    "javascript:window.pwned=5",
    "m" * 10_000,
    "",
    "\ufffe\uffff",
    "&lt;b&gt;&amp;",
    "a\r\nb\rc\u2028d",
    "../../etc/passwd",
    "<svg/onload=window.pwned=6>",
    "\u2067isolated",
    "=1+1",
)


def ordinary(students: int = 24, assignments: int = 7, seed: int = 1, since: bool = True) -> ReportData:
    """A class as there are many."""
    draw = random.Random(seed)
    ids = [f"{draw.choice(GIVEN).lower()}{number:04}" for number in range(students)]
    names = [f"{draw.choice(GIVEN)} {draw.choice(FAMILY)}" for _ in ids]
    skill = {one: draw.betavariate(3, 1.6) for one in ids}
    parts: list[Part] = []
    points: dict[str, dict[str, Points]] = {one: {} for one in ids}
    for number in range(assignments):
        name = f"{number + 1}_{TITLES[number % len(TITLES)].split()[0].lower()}"
        there = [one for one in ids if draw.random() < 0.93]
        parts.append(_part(name, f"{number + 1} {TITLES[number % len(TITLES)]}", there, skill, draw, points))
    lines = tuple(_line(place, one, name, points[one], parts) for place, (one, name) in enumerate(zip(ids, names)))
    changes = tuple(
        PointsChange(part.items[place].question, why, tuple((one, 0.0 if gains else 1.0, 1.0 if gains else 0.0) for gains, one in zip(spread, ids)))
        for part, place, why, spread in zip(parts, (1, 3), ("a test was changed", "points were set by hand"), ([True] * 14 + [False] * 2, [True]))
        if part.items
    )
    return ReportData(
        "Self-attention",
        MADE,
        tuple(parts),
        lines,
        changes if since else (),
        ("Lesson 3 was not graded before.",) if since else (),
        MADE - timedelta(days=3, hours=2) if since else None,
        elsewhere=("submitted/backup.zip", "submitted/Ada/1_basic (1)/1_basic.ipynb"),
        most={part.assignment: part.most for part in parts},
        trend=_trend(parts, points),
    )


def hostile() -> ReportData:
    """Every text is an attempt."""
    draw = random.Random(2)
    whole = ordinary(len(HOSTILE), 3)
    texts = iter(lambda: draw.choice(HOSTILE), None)
    every = dict(zip((line.student for line in whole.lines), HOSTILE))
    parts = []
    for part, name in zip(whole.parts, ("../x", "con", "")):
        known = {
            item.question: replace(item.question, assignment=name, name=next(texts), label=HOSTILE[place], kind=next(texts))
            for place, item in enumerate(part.items)
        }
        causes = tuple(
            Cause(draw.choice(list(known.values())), text, draw.random() < 0.5, "check", HOSTILE, text, text, text, text) for text in HOSTILE
        )
        items = tuple(
            replace(item, question=known[item.question], difficulty=Figure(None, "", next(texts)), discrimination=Figure(0.1, next(texts)))
            for item in part.items
        )
        parts.append(
            replace(
                part,
                assignment=name,
                title=next(texts),
                items=items,
                causes=causes,
                notes=HOSTILE,
                together=replace(part.together, questions=tuple(known[each] for each in part.together.questions)),
                consequences=tuple(replace(one, question=known[one.question]) for one in part.consequences),
            )
        )
    lines = tuple(
        StudentLine(
            every[line.student], text, {"../x": Points(1.0, 3.0), "con": Points(2.5, 3.0, 1.0, 0.5)}, (text,), (text,), (text,), (text,) * 2, text
        )
        for line, text in zip(whole.lines, HOSTILE)
    )
    changes = tuple(PointsChange(parts[0].items[0].question, text, ((text, 0.0, 1.0),)) for text in HOSTILE)
    return replace(
        whole,
        course=HOSTILE[0],
        parts=tuple(parts),
        lines=lines,
        changes=changes,
        news=HOSTILE,
        elsewhere=HOSTILE,
        trend=Trend(
            tuple(Stage(name, 5, 0.1, 0.5, 1.2) for name in ("../x", "con", HOSTILE[0])),
            tuple(Moved(text, "fell", (1.0, None, -3.0), -0.4) for text in HOSTILE),
        ),
        undated=HOSTILE,
        most={part.assignment: part.most for part in parts},
    )


def _part(name: str, title: str, there: list[str], skill: dict[str, float], draw: random.Random, points: dict[str, dict[str, Points]]) -> Part:
    questions = [
        Question(
            name, name, f"{task.replace(' ', '_')}", task, 2.0 if place % 3 == 2 else 1.0, "written answer" if task.startswith("why") else "test"
        )
        for place, task in enumerate(TASKS)
    ]
    got: dict[Question, dict[str, float | None]] = {}
    items = []
    for place, question in enumerate(questions):
        hard = 0.1 + 0.7 * draw.random()
        got[question] = {one: question.most * (draw.random() < skill[one] - hard + 0.5) for one in there}
        if question.most == 2:
            got[question] = {one: 1.0 if draw.random() < 0.3 else value for one, value in got[question].items()}
        waiting = 0 if question.is_automatic else len(there) // 4
        for one in there[:waiting]:
            got[question][one] = None
        values = [value for value in got[question].values() if value is not None]
        counts = Counter("full" if value == question.most else "some" if value else "none" for value in values)
        mean = sum(values) / len(values) if values else None
        part = None if mean is None or waiting or len(values) < FEWEST_SHARES else mean / question.most
        mark = "" if part is None else "easy" if part > 0.8 else "hard" if part < 0.3 else "usual"
        why_not = "" if part is not None else "nobody has points on it yet" if not values else "too many wait for points" if waiting else FEW_ANSWERS
        difficulty = Figure(part, mark, why_not)
        r = draw.uniform(-0.15, 0.7)
        mark = "good" if r >= 0.3 else "fair" if r >= 0.2 else "look at it" if r >= 0 else "check the key"
        items.append(
            Item(
                question,
                len(there),
                None if place == 5 else len(there) - min(2, counts["none"]),
                waiting,
                counts["none"],
                counts["some"],
                counts["full"],
                mean,
                difficulty,
                Figure(r, mark) if len(values) >= FEWEST else Figure(None, "", FEW_STUDENTS),
            )
        )
    for place, one in enumerate(there):
        known = {question: value for question, values in got.items() if (value := values[one]) is not None}
        of = sum(question.most for question in known)
        points[one][name] = Points(sum(known.values()), of, sum(question.most for question in questions) - of, 1.5 if place % 8 == 1 else 0.0)
    tests = [question for question in questions if question.is_automatic]
    lost = {question: {one for one, value in got[question].items() if value is not None and value < question.most} for question in tests}
    causes = []
    for place, question in enumerate(tests):
        failed = sorted(lost[question])
        draw.shuffle(failed)
        first = len(failed) * 2 // 3
        for (text, by, saying, message, example, returned), who in zip((CAUSES[place % 2], CAUSES[2 + place % 4]), (failed[:first], failed[first:])):
            if who:
                causes.append(Cause(question, text, by in ("check", "nbjudge"), by, tuple(who), saying, message, example, returned))
    of, sums = complete_sums(questions, {one: {question: got[question][one] for question in questions} for one in there})
    both = tuple(tuple(len(lost[one] & lost[other]) for other in tests) for one in tests)
    return Part(
        name,
        title,
        sum(question.most for question in questions),
        of,
        len(there),
        sums,
        tuple(items),
        tuple(causes),
        Together(tuple(tests), len(there), both),
        ("Two submissions are not in these figures: they are not graded.",),
        tuple(Consequences(question, 3, 4.5, 1) for question in tests[:1]),
    )


def _line(place: int, student: str, name: str, points: dict[str, Points], parts: list[Part]) -> StudentLine:
    missing = tuple(f"{part.title}: nothing was handed in" for part in parts if part.assignment not in points)
    broken = 1 if place % 4 == 3 else 0  # of what has no points
    return StudentLine(
        student,
        name,
        points,
        missing[broken:],
        (f"{parts[0].title}: 2 days late",) if place % 8 == 1 and parts else (),
        tuple(text.replace("nothing was handed in", "the notebook is not JSON") for text in missing[:broken]),
        (f"{parts[-1].title}: the notebook has another student's name in it",) if place == 7 and parts else (),
        GROUPS[place % len(GROUPS)],
    )


def _trend(parts: list[Part], points: dict[str, dict[str, Points]]) -> Trend:
    held = {part.assignment: {one: own[part.assignment].share for one, own in points.items() if part.assignment in own} for part in parts}
    shares = {name: {one: share for one, share in own.items() if share is not None} for name, own in held.items()}
    return trend(shares, {part.assignment: list(points) for part in parts})
