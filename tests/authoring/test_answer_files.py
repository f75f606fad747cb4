"""Answers are read as they are written, and a file that says something else than its author meant is refused, with the line."""

from __future__ import annotations

import re
import traceback
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from authoring.answer_files import Answer, answers_to, find_answers
from authoring.answers import Namespace
from authoring.errors import BuildError
from authoring.lessons import ROOT, Lesson, find_lessons

BASE = """# Answers to `double`.

# %% right: add
def double(x):
    y = x

    y = y + x
    return y

# %% right: product
def double(x):
    return 2 * x
"""
WRONG = "\n# %% wrong: thrice\n# wrong: three times (catalogue 9)\n# says: too large\n"


def lesson_of(root: Path, text: str | bytes, exercise: str = "double") -> Lesson:
    lesson = Lesson("1_doubling", root)
    lesson.answers.mkdir(parents=True, exist_ok=True)
    (lesson.answers / f"{exercise}.py").write_bytes(text if isinstance(text, bytes) else text.encode())
    return lesson


def read(root: Path, text: str | bytes) -> dict[str, Answer]:
    return answers_to(lesson_of(root, text), "double")


def refusal(root: Path, text: str | bytes) -> str:
    with pytest.raises(BuildError) as raised:
        read(root, text)
    return "\n".join(map(str, raised.value.problems))


def test_whole_answers_are_read_as_they_stand(tmp_path: Path) -> None:
    answers = read(tmp_path, BASE + WRONG + "\n\ndef double(x):\n    # says: nothing\n    return 3 * x   \n\n\n")
    assert list(answers) == ["right/add", "right/product", "wrong/thrice"]
    assert answers["right/add"].source == "def double(x):\n    y = x\n\n    y = y + x\n    return y\n"
    assert answers["wrong/thrice"] == Answer(
        "source/1_doubling/answers/double.py:14",
        "double",
        False,
        "thrice",
        "def double(x):\n    # says: nothing\n    return 3 * x   \n",
        "three times (catalogue 9)",
        "too large",
    )
    assert answers["right/product"].right and not answers["right/product"].is_hidden_only


@pytest.mark.parametrize(
    ("changes", "source"),
    [
        ("-    y = y + x\n+    y = y + 2 * x\n", "def double(x):\n    y = x\n\n    y = y + 2 * x\n    return y\n"),
        ("-    return y\n", "def double(x):\n    y = x\n\n    y = y + x\n"),
        ("     y = y + x\n+    y = y + x\n", "def double(x):\n    y = x\n\n    y = y + x\n    y = y + x\n    return y\n"),
        ("-def double(x):\n+import math\n+\n+def double(x):\n-    y = x\n", "import math\n\ndef double(x):\n\n    y = y + x\n    return y\n"),
        ("-    y = x\n-\n-    y = y + x\n+    y = 3 * x\n", "def double(x):\n    y = 3 * x\n    return y\n"),
        ("-    y = x\n\n-    return y\n+    return x\n", "def double(x):\n\n    y = y + x\n    return x\n"),
        ("-    return y\n+    return x\n-    y = x\n+    y = 0\n", "def double(x):\n    y = 0\n\n    y = y + x\n    return x\n"),
    ],
    ids=["replaced", "taken away", "added", "at the top", "with an empty line", "two blocks", "in another order"],
)
def test_lines_of_the_first_right_answer_are_replaced(tmp_path: Path, changes: str, source: str) -> None:
    assert read(tmp_path, BASE + WRONG + changes)["wrong/thrice"].source == source


def test_lines_of_another_right_answer_are_replaced_where_the_title_says_so(tmp_path: Path) -> None:
    text = BASE + WRONG.replace("thrice", "thrice from product") + "-    return 2 * x\n+    return 3 * x\n"
    assert read(tmp_path, text)["wrong/thrice"].source == "def double(x):\n    return 3 * x\n"


def test_a_right_answer_may_be_another_one_with_lines_replaced(tmp_path: Path) -> None:
    text = BASE + "\n# %% right: shift from product\n-    return 2 * x\n+    return x << 1\n"
    assert read(tmp_path, text)["right/shift"].source == "def double(x):\n    return x << 1\n"


def test_the_order_is_that_of_names_whatever_the_file_s(tmp_path: Path) -> None:
    lesson = lesson_of(tmp_path, "# %% wrong: a\n# says: b\n# wrong: c\nx = 1\n# %% right: z\nx = 2\n# %% right: b\nx = 3\n")
    lesson_of(tmp_path, "# %% right: a\nx = 1\n", "Class")
    assert [f"{answer.exercise} {answer.key}" for answer in find_answers(lesson)] == [
        "Class right/a",
        "double right/b",
        "double right/z",
        "double wrong/a",
    ]


def test_an_exercise_without_a_file_has_no_answers(tmp_path: Path) -> None:
    assert answers_to(Lesson("1_doubling", tmp_path), "double") == {} and find_answers(Lesson("1_doubling", tmp_path)) == []


def test_a_changed_file_is_read_again_and_an_answer_cannot_be_lost_by_a_reader(tmp_path: Path) -> None:
    answers = read(tmp_path, BASE)
    answers.clear()
    assert list(read(tmp_path, BASE)) == ["right/add", "right/product"]
    assert list(read(tmp_path, BASE + WRONG + "-    y = x\n")) == ["right/add", "right/product", "wrong/thrice"]


@pytest.mark.parametrize(
    ("text", "line", "what", "next_step"),
    [
        (BASE + WRONG + "-    y = z\n+    y = 0\n", "line 14 (`wrong: thrice`)", "is there nowhere:\n            y = z", "copy the lines"),
        (BASE + WRONG + "-    y = x\n-    y = y + x\n", "line 14 (`wrong: thrice`)", "is there nowhere", "copy the lines"),
        (BASE.replace("return y", "y = x") + WRONG + "-    y = x\n+    y = 0\n", "line 14 (`wrong: thrice`)", "is there 2 times", "a line above it"),
        (
            BASE + WRONG + "-    y = x\n+    y = 0\n-    y = x\n+    y = 1\n",
            "line 14 (`wrong: thrice`)",
            "two blocks name the same line",
            "one block",
        ),
        (
            BASE + WRONG + "     y = x\n \n     y = y + x\n+    y = 0\n",
            "line 14 (`wrong: thrice`)",
            "a block changes nothing:     y = x",
            "after `+`",
        ),
        (BASE + WRONG + "+    y = 0\n", "line 14 (`wrong: thrice`)", "nothing says where this line comes: +    y = 0", "the line above it"),
        (BASE + WRONG + "-    y = x\n+    y = x\n", "line 14 (`wrong: thrice`)", "a block changes nothing:     y = x", "after `+`"),
        (BASE + WRONG + "     y = x\n\n-    return y\n", "line 14 (`wrong: thrice`)", "a block changes nothing:     y = x", "after `+`"),
        (
            BASE + WRONG + "-    y = x\ny = 0\n",
            "line 14 (`wrong: thrice`)",
            "one that begins with none of `-`, `+` and a space: y = 0",
            "a whole answer",
        ),
        (BASE + WRONG.replace("thrice", "thrice from sum") + "-    y = x\n", "line 14 (`wrong: thrice`)", "`sum` is no right answer", "add, product"),
        (
            BASE + "\n# %% right: b from add\n-    y = x\n" + WRONG.replace("thrice", "thrice from b") + "-    return y\n",
            "line 17 (`wrong: thrice`)",
            "`b` is no right answer that stands here as a whole",
            "add, product",
        ),
        (BASE + WRONG.replace("thrice", "thrice from add") + "x = 1\n", "line 14 (`wrong: thrice`)", "no line says what is replaced", " from add"),
        (WRONG + "-    y = x\n", "line 2 (`wrong: thrice`)", "no right answer whose lines could be replaced", "as a whole"),
        (BASE + WRONG, "line 14 (`wrong: thrice`)", "there is no answer below the title", "-old line"),
        (BASE + "# %% right: product\nx = 1\n", "line 13 (`right: product`)", "line 10 has an answer of that name", "another name"),
        (BASE + "# %% wrong: a\n# wrong: b\nx = 1\n", "line 13 (`wrong: a`)", "what the visible check says", "# says:"),
        (BASE + "# %% wrong: a\n# says: b\nx = 1\n", "line 13 (`wrong: a`)", "has to say what is wrong", "# wrong:"),
        (BASE + "# %% wrong: a\n# wrong: b\n# says:\nx = 1\n", "line 13 (`wrong: a`)", "what the visible check says", "# says:"),
        (BASE + "# %% wrong: a\n# wrong: b\n# says: c\n# says: d\nx = 1\n", "line 16 (`wrong: a`)", "`# says:` a second time", "leave one"),
        (BASE + "# %% false: a\nx = 1\n", "line 13", "no title of an answer: # %% false: a", "# %% wrong: NAME"),
        (BASE + "#%% wrong: a\nx = 1\n", "line 13", "no title of an answer: #%% wrong: a", "# %% wrong: NAME"),
        (BASE + "  # %% right: a\nx = 1\n", "line 13", "no title of an answer", "# %% right: NAME"),
        (BASE + "# %% right: two words\nx = 1\n", "line 13", "no title of an answer", "# %% right: NAME"),
        ("x = 1\n" + BASE, "line 1", "before the first answer there may be comments", "above it"),
        ("", "line 1", "the file holds no answer", "# %% right: NAME"),
        ("# nothing yet\n\n", "line 1", "the file holds no answer", "# %% right: NAME"),
        (b"# %% right: a\nx = '\xff'\n", "whole file", "no text in UTF-8", "save it"),
    ],
)
def test_what_cannot_be_meant_is_refused(tmp_path: Path, text: str | bytes, line: str, what: str, next_step: str) -> None:
    said = refusal(tmp_path, text)
    assert said.startswith(f"source/1_doubling/answers/double.py, {line}: ") and said.count("next:") == 1, said
    assert what in said and next_step in said.split("next: ")[1]


def test_everything_that_is_wrong_with_a_file_is_said_at_once(tmp_path: Path) -> None:
    said = refusal(tmp_path, BASE + WRONG + "-    z\n# %% wrong: b\n# wrong: c\nx = 1\n# %% wrong\n")
    assert re.findall(r"line (\d+)", said) == ["21", "14", "18"]


@pytest.mark.parametrize("name", ["double.txt", "double/wrong/thrice.py"])
def test_what_would_not_be_read_is_refused(tmp_path: Path, name: str) -> None:
    lesson = lesson_of(tmp_path, BASE)
    (lesson.answers / name).parent.mkdir(parents=True, exist_ok=True)
    (lesson.answers / name).write_text("x = 1\n")
    (lesson.answers / "__pycache__").mkdir()
    with pytest.raises(BuildError, match=rf"1 problem in the lessons:\n  source/1_doubling/answers/{name.split('/')[0]}, whole file"):
        find_answers(lesson)


def test_an_error_in_an_answer_says_where_the_answer_stands(tmp_path: Path) -> None:
    answer = read(tmp_path, BASE + WRONG + "-    return y\n+    return y / 0\n")["wrong/thrice"]
    cell = new_code_cell("pass", metadata={"nbgrader": {"solution": True, "grade_id": "double"}})
    namespace = Namespace(new_notebook(cells=[cell]), answer)
    with pytest.raises(ZeroDivisionError) as raised:
        namespace["double"](1)
    frame = traceback.extract_tb(raised.value.__traceback__)[-1]
    assert (frame.filename, frame.lineno, frame.line) == ("source/1_doubling/answers/double.py:14 (wrong/thrice)", 5, "return y / 0")


def test_every_mistake_that_an_answer_cites_stands_in_the_catalogue() -> None:
    numbers = [int(number) for number in re.findall(r"^\| (\d+)\*? \|", (ROOT / "source" / "mistakes.md").read_text(encoding="utf-8"), re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))
    remarks = [answer.wrong for lesson in find_lessons() for answer in find_answers(lesson)]
    cited = {int(number) for remark in remarks for numbers in re.findall(r"\(catalogue ([\d, ]+)\)", remark) for number in numbers.split(",")}
    assert len(cited) > 40 and cited <= set(numbers)
    assert sum(remark.count("catalogue") for remark in remarks) == sum(len(re.findall(r"\(catalogue \d+(?:, \d+)*\)$", remark)) for remark in remarks)
