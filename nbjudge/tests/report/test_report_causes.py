"""Which failures are put together, which messages name a cause, which cells belong to a question, and that no author is told."""

from __future__ import annotations

import pytest

from nbjudge._execution.verdicts import Clue, FailureCause
from nbjudge._report.causes import Causes, share_named
from nbjudge._report.failures import Failure, Names, wanted_of, without_remarks, words_of
from nbjudge._report.gradebook import Cell
from nbjudge._report.model import Cause, Question

QUESTION = Question("week", "work", "f_test", "f", 2.0)


def told(*failures: Failure, people: dict[str, tuple[str, str, str]] | None = None, hidden: bool = False) -> list[Cause]:
    """The causes of these failures, each of another student."""
    names = Names(people or {}, hidden)
    causes = Causes(QUESTION, "import x\nassert f(1) == 2", names, words_of(["def f(max): long"]))
    for number, failure in enumerate(failures):
        causes.add(list(people)[number] if people else f"s{number}", failure)
    return causes.told(len(failures) + 2)


def failed(message: str = "", by: str = "author", code: str = "def f(): pass", stops: str = "", **clue: object) -> Failure:
    return Failure("work", "f_test", message, Clue(by, **clue), code, stops)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (failed("shape (3, 4), expected 3"), failed("shape (5, 5), expected 3")),
        (failed("the word 'cat' is missing"), failed("the word 'dog' is missing")),
        (failed("a  long\nmessage"), failed("a long message")),
        (failed("3.5e-7 is not -2"), failed("nan is not 1")),
        (failed("", "", returned="`f` gave 3"), failed("", "", returned="`f` gave 3")),
        (failed("KeyError: 'a'", "error", raised="KeyError", line=2, at=1), failed("KeyError: 'b'", "error", raised="KeyError", line=2, at=7)),
        (
            failed("The notebook defines no `f`", "nbjudge", stops="SyntaxError: x (line 1)"),
            failed("no `f`", "nbjudge", stops="SyntaxError: x (line 4)"),
        ),
    ],
)
def test_these_are_one_cause(one: Failure, other: Failure) -> None:
    assert len(told(one, other)) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (failed("`sum` stands where `max` belongs"), failed("`max` stands where `sum` belongs")),
        (failed("", "", returned="`f` gave 3", line=2), failed("", "", returned="`f` gave 4", line=2)),
        (failed("", "error", raised="KeyError", line=2), failed("", "error", raised="IndexError", line=2)),
        (failed("", "error", raised="KeyError", line=2), failed("", "error", raised="KeyError", line=1)),
        (failed("", "", line=1), failed("", "", line=2)),
        (failed("too slow", "limit"), failed("the program ended", "limit")),
    ],
)
def test_these_are_two(one: Failure, other: Failure) -> None:
    assert len(told(one, other)) == 2


@pytest.mark.parametrize(
    "message",
    [
        "",
        "  ",
        "wrong",
        "Incorrect!",
        "Test failed.",
        "f is wrong",
        "f: the result is not correct",
        "AssertionError",
        "Expected 3, got 4",
        "Wrong answer for f(3): 7",
        "hidden test 3 failed",
        "✗",
    ],
)
def test_a_message_that_only_judges_names_no_cause(message: str) -> None:
    [cause] = told(failed(message, returned="`f` gave 7"))
    assert not cause.is_named and cause.by == "value"


@pytest.mark.parametrize(
    "message",
    ["the rows do not sum to 1", "shape (3,), expected (3, 3)", "forgot to divide", "negative numbers are doubled, too", "Überlauf", "符号が逆"],
)
def test_a_message_that_says_what_is_wrong_names_it(message: str) -> None:
    [cause] = told(failed(message))
    assert cause.is_named and cause.title == message


def stated(words: str, id: str = "f.sum", is_established: bool = True, next: str = "look there", **about: str) -> Failure:
    return failed(f"wrong: {words}", cause=FailureCause(id, words, next, is_established), **about)


def test_a_cause_that_the_test_states_is_told_by_its_id_in_the_most_common_words() -> None:
    others = [stated("sums columns", next="", code="short"), stated("f sums all"), stated("f sums all", code="def f(): return 1")]
    causes = told(*others, stated("not known", is_established=False), stated("f sums all", "f.another"))
    assert [(cause.title, len(cause.students), cause.is_named) for cause in causes] == [
        ("wrong: not known", 1, False),
        ("f sums all", 3, True),
        ("f sums all", 1, True),
    ]
    assert causes[1].saying == "In 3 of 7 answers: f sums all. What helps: look there."
    assert (causes[1].message, causes[1].example) == ("wrong: f sums all", "def f(): pass")
    assert share_named(causes) == (4, 5)


def test_what_is_not_established_is_grouped_by_what_the_answers_gave() -> None:
    causes = told(*(stated(f"not known {value}", is_established=False, returned=f"`f` gave {value}") for value in (3, 3, 4)))
    assert [(cause.by, len(cause.students)) for cause in causes] == [("value", 2), ("value", 1)]


def test_two_causes_stay_two_and_no_message_is_taken_for_an_id() -> None:
    assert len(told(stated("axis 0", "f.axis_0"), stated("axis 1", "f.axis_1"), failed("f.axis_1"), failed("stated"))) == 4


@pytest.mark.parametrize(
    "failure", [failed("NotImplementedError: ", "error", raised="NotImplementedError"), failed("NotImplementedError: not yet", "", line=3)]
)
def test_what_is_not_written_is_said_to_be(failure: Failure) -> None:
    assert "not written yet" in told(failure)[0].title


def test_a_name_that_is_missing_because_its_cell_stopped_is_told_by_the_cell() -> None:
    for by, raised in (("nbjudge", ""), ("error", "NameError")):
        [cause] = told(failed("`f` is missing", by, stops="IndentationError: unexpected indent (line 2)", raised=raised))
        assert (cause.is_named, cause.title) == (True, "the cell of the answer stops: IndentationError: unexpected indent (line 2)")


def test_the_most_common_answer_is_the_example_and_the_message_belongs_to_it() -> None:
    [cause] = told(failed("got 1", code="short"), failed("got 2", code="def f(): pass"), failed("got 3", code="def f(): pass"))
    assert (cause.example, cause.message) == ("def f(): pass", "got 2")


def test_what_a_call_before_gave_is_not_told_of_an_error() -> None:
    assert told(failed("", "error", raised="KeyError", returned="`f` gave 1"))[0].returned == ""


PEOPLE = {"al17": ("Alma", "van Dyck", "alma@dyck.example"), "max": ("Max", "Long", ""), "li": ("Li", "O'Ny", "")}


def test_no_author_is_told_and_the_exercise_keeps_its_words() -> None:
    code = 'ALMA = open("/home/al17/van Dyck.txt")\nalma_of = "alma@dyck.example"\nx = max(long(3))'
    [cause] = told(
        *(stated(f"{first} {last} divides by the sum {student}", code=code) for student, (first, last, _) in PEOPLE.items()),
        people=PEOPLE,
    )
    assert not {"alma", "dyck", "al17"} & {
        word.lower() for text in (cause.example, cause.message, cause.title, cause.saying) for word in words_of([text])
    }
    assert "max(long(3))" in cause.example, "words of the exercise stay"


def test_a_part_of_an_id_goes_out_of_the_code_and_stays_a_word_of_the_message() -> None:
    people = {"sum-over-rows": ("", "", "")}
    [cause] = told(failed("the sum runs over all rows, said sum-over-rows", code="over_rows = 1"), people=people)
    assert (cause.title, cause.example) == ("the sum runs over all rows, said …", "…_… = 1")


def test_hidden_names_are_numbers_in_no_order() -> None:
    people = {f"s{number:03}": ("", "", "") for number in range(200)}
    names = Names(people, True)
    shown = [names.id_of(student) for student in people]
    assert sorted(shown) == [f"student {number:03}" for number in range(1, 201)]
    assert shown != sorted(shown) and [Names(people, True).id_of(student) for student in people] != shown
    assert names.name_of("s000") == names.id_of("s000") and names.id_of("nobody") == "a student"


@pytest.mark.parametrize(
    ("source", "left"),
    [
        ("x = 1  # Ada", "x = 1"),
        ("# Ada\nx = 1", "\nx = 1"),
        ("s = '# no remark'  # Ada", "s = '# no remark'"),
        ('def f():\n    """Ada\n    wrote this."""\n    return 1', 'def f():\n    "…"\n\n    return 1'),
        ("'Ada'", '"…"'),
        ("x = (1,  # Ada\n     2)", "x = (1,\n     2)"),
        ("def f(:  # Ada\n  x = '''", "def f(:\n  x = '''"),
        ("", ""),
        ("# Ada", ""),
        ("%matplotlib inline  # Ada", "%matplotlib inline"),
        ("x = f'{y}'  # Ada", "x = f'{y}'"),
        ("é = 'ü'; 'Ada'  # Ada", "é = 'ü'; 'Ada'"),
    ],
)
def test_remarks_go_and_lines_keep_their_numbers(source: str, left: str) -> None:
    assert without_remarks(source) == left
    assert len(left.split("\n")) <= len(source.split("\n"))


def cells(*parts: tuple[str, str, str]) -> tuple[list[Question], list[Cell]]:
    """A notebook: role ("s", "t", "h" for by hand, "g"), name, text."""
    made = [Cell("work", name, text, True, role in "sh") for role, name, text in parts]
    kinds = {"t": "test", "h": "code"}
    return [Question("week", "work", name, name, 1.0, kinds[role]) for role, name, _ in parts if role in kinds], made


@pytest.mark.parametrize(
    ("parts", "exercises"),
    [
        ([("s", "a", "def f(): ..."), ("t", "ta", "f()"), ("s", "b", "def g(): ..."), ("t", "tb", "g(f())")], {"ta": ("a",), "tb": ("b",)}),
        ([("s", "a", "def f(): ..."), ("s", "b", "def g(): ..."), ("t", "ta", "f()"), ("t", "tb", "g()")], {"ta": ("a",), "tb": ("b",)}),
        ([("s", "a", "# your code"), ("t", "ta", "f()"), ("t", "tb", "g()")], {"ta": ("a",), "tb": ("a",)}),
        ([("s", "a", "x = 1"), ("s", "b", "y = 1"), ("t", "ta", "x + y")], {"ta": ("a", "b")}),
        ([("t", "ta", "f()"), ("s", "a", "def f(): ...")], {"ta": ()}),
        ([("h", "why", "print(1)")], {"why": ("why",)}),
        ([("s", "a", "def f(:"), ("t", "ta", "f(")], {"ta": ("a",)}),
        ([("s", "a", "def f(): ..."), ("g", "given", "f = 1"), ("t", "ta", "def inner():\n    return f()")], {"ta": ("a",)}),
    ],
)
def test_the_exercise_of_a_question_is_the_cell_that_makes_what_its_test_asks_for(parts: list, exercises: dict) -> None:
    assert {name: found for (_, name), found in wanted_of(*cells(*parts)).cells.items()} == exercises
