"""What a test cell is about, and what a student's cells call of it, read off the texts alone."""

from __future__ import annotations

import pytest

from helpers.instructors import Given, Solution, build, handed_in, plain
from nbjudge._analysis.exercises import Exercises, Mentions, exercises_of
from nbjudge._analysis.instructor import Instructor

ONE, TWO = Solution("def one(x):\n    return x"), Solution("def two(x):\n    return one(one(x))")
PARTS = [ONE, "assert one(1) == 1", TWO]


def read(*parts: object) -> Exercises:
    return exercises_of(Instructor(build(*parts)))


def about(test: str, *above: object) -> set[str]:
    """The names of all that the last test cell may be about, `two` aside, which it is about."""
    found = read(*PARTS, *above, test)
    [name] = list(found.tests)[-1:]
    return {one for number in found.solutions for one in found.solutions[number].names if found.may_be_about(name, frozenset({number}))} - {"two"}


ALONE = {
    "nothing else": ("assert two(1) == 1", ()),
    "a library's function of that name": ("import numpy\nassert numpy.one(1) != two(1)", ()),
    "that word in a message": ("assert two(1) == 1, 'one and one'", ()),
    "a keyword of that name": ("assert two(x=1) == dict(one=1)['one']", ()),
    "a variable of the test that a given cell has, too": ("for x in (1, 2):\n    y = x\n    assert two(y) == x", (Given("x = y = one(3)"),)),
    "the same in a function": ("def check(x):\n    y = x\n    assert two(y) == x\ncheck(1)", (Given("x = y = one(3)"),)),
    "the same, bound below": ("def check():\n    assert two(y) == 1\ny = 1\ncheck()", (Given("y = one(3)"),)),
    "the same in a comprehension": ("assert [two(y) for y in (1, 2)] == [1, 2]", (Given("y = one(3)"),)),
    "with": ("with open('x', 'w') as y:\n    y.write(str(two(1)))", (Given("y = one(3)"),)),
    "in both branches": ("if two(1):\n    y = 1\nelse:\n    y = 2\nassert y", (Given("y = one(3)"),)),
    "what a library changes": ("import numpy as np\nassert two(np.ones(1)) == 1", (Given("import numpy as np\nnp.save('x', one(1))"),)),
    "a module's methods": ("assert list(two.modules()) == [] and two.eval()", ()),
    "what a given cell no longer has": ("assert two(1) == y", (Given("y = one(3)"), Given("y = 1"))),
}
ABOUT_ONE = {
    "its name": ("assert two(1) == one(1)", ()),
    "its name in a loop": ("for f in (one, two):\n    assert f(1) == 1", ()),
    "its name as an argument": ("assert (lambda f: f(1))(one) == two(1)", ()),
    "its name as the test's own": ("def one(x):\n    return 1\nassert two(1) == 1", ()),
    "a value in one branch": ("if two(1):\n    y = 1\nassert y", (Given("y = one(3)"),)),
    "a value after a loop": ("for y in two(1):\n    pass\nassert y", (Given("y = one(3)"),)),
    "a value that may fail": ("try:\n    y = two(1)\nexcept ValueError:\n    pass\nassert y", (Given("y = one(3)"),)),
    "a value while": ("while two(1):\n    y = y + 1", (Given("y = one(3)"),)),
    "a value that is added to": ("y += two(1)", (Given("y = one(3)"),)),
    "a value of values": ("assert z == two(1)", (Given("y = one(3)"), Given("z = [y]"))),
    "a value in a loop of a given cell": ("assert z == two(1)", (Given("z = []\nfor n in range(3):\n    y = one(n)\n    z.append(y)"),)),
    "a function of functions": ("assert g(1) == two(1)", (Given("def f(x):\n    return one(x)"), Given("import math\ng = math.copysign and f"))),
    "a class of a set-up cell": ("assert Box().get() == two(1)", (Given("class Box:\n    def get(self):\n        return one(1)"),)),
    "a lambda of an earlier test": ("assert f(1) == two(1)", ("f = lambda x: one(x)",)),
    "what a test had by that name, too": ("assert z == two(1)", (Given("y = one(1)"), "y = 1", Given("z = y"))),
    "its text": ("assert eval('one')(1) == two(1)", ()),
    "an import of what runs": ("from __main__ import two as f\nassert f(1) == 1", ()),
    "a mock": ("from unittest.mock import patch\nwith patch('__main__.one'):\n    two(1)", ()),
    "what it reads of the system": ("import sys\nassert sys.modules and two(1)", ()),
    "what a test has put in its place": ("assert z == two(1)", ("one = abs", Given("z = one(1)"))),
    "what cannot be read": ("assert y == two(1)", (Given("%%bash\necho"),)),
}


@pytest.mark.parametrize(("test", "above"), ALONE.values(), ids=ALONE.keys())
def test_what_is_about_one_exercise_alone(test: str, above: tuple[object, ...]) -> None:
    assert about(test, *above) == set()


@pytest.mark.parametrize(("test", "above"), ABOUT_ONE.values(), ids=ABOUT_ONE.keys())
def test_what_may_be_about_another_one(test: str, above: tuple[object, ...]) -> None:
    assert "one" in about(test, *above)


def test_the_exercise_of_a_test_is_what_it_asks_for_since_the_test_before() -> None:
    helper, three = Solution("def helper(x):\n    return x"), Solution("def three(x):\n    return helper(x)")
    found = read(*PARTS, "assert two(1)", helper, three, "assert three(1)", "assert three(2) and one(2)", "1 + 1")
    own = [{name for number in test.own for name in found.solutions[number].names} for test in found.tests.values()]
    assert own == [{"one"}, {"two"}, {"three"}, {"three", "one"}, set()]
    [number] = [number for number, cell in found.solutions.items() if cell.names == {"three"}]
    assert found.names_of(found.with_needs({number}, frozenset())) == {"three", "helper"}
    [untested] = [number for number, cell in found.solutions.items() if cell.names == {"helper"}]
    assert found.with_needs({number}, frozenset({untested})) == {number}


@pytest.mark.parametrize(
    "solution", ["", "# your code", "def one(x):\n    raise NotImplementedError()", "from os.path import *", "def one(x)", "%%bash\n1"]
)
def test_what_is_no_solution_or_does_not_tell_its_names_is_never_put_in(solution: str) -> None:
    [(number, cell)] = read(Solution(solution), "1 + 1").solutions.items()
    assert not cell.is_known
    assert read(Solution(solution), "1 + 1").with_needs({number}, frozenset()) == frozenset()


def test_what_the_solution_needs_is_made_where_it_is_missing() -> None:
    given = plain("import math\nk, unused = math.floor(2.5), 3\ndef helper():\n    '''Two\n    lines.'''\n    return k")
    found = read(given, Solution("def one(x):\n    return helper() * x"), "assert one(1) == 2")
    [cell] = found.solutions.values()
    names: dict[str, object] = {"math": None}
    for text in cell.before:
        exec(text, names)
    assert names["math"] is None and "helper" in names and "k" not in names  # the student's own stays, and what it breaks stops nothing
    names = {}
    for text in (*cell.before, cell.source):
        exec(text, names)
    assert names["one"](3) == 6


def test_nothing_of_a_test_goes_along() -> None:
    test = "import math\nhidden = 42\ndef right(x):\n    return hidden * x\nassert one(1) == 1"
    [_, cell] = read(Given("import cmath"), ONE, test, Solution("def two(x):\n    return cmath.e + math.e + hidden + right(x)")).solutions.values()
    assert [text.split()[-1] for text in cell.before[0].splitlines() if "import" in text] == ["cmath"] and len(cell.before) == 1


@pytest.mark.parametrize(
    ("answer", "calls"),
    [
        ("def two(x):\n    return one(x)", True),
        ("def two(x):\n    return torch.one(x)", False),
        ("def two(one):\n    return one", False),
        ("two = one", True),
        ("f = one\ndef two(x):\n    return f(x)", True),
        ("class Two:\n    def __call__(self, x):\n        return one(x)\ntwo = Two()", True),
        ("class two(one):\n    pass", True),
        ("two = []\ntwo.append(one(1))", True),
        ("two = []\ndef put(box):\n    box.append(one(1))\nput(two)", True),
        ("import numpy as np\nnp.random.seed(one(1))\ndef two(x):\n    return np.ones(1)", False),
        ("def two(x):\n    return globals()['one'](x)", True),
        ("def two(x):\n    return eval('one(x)')", True),
        ("from __main__ import one as f\ndef two(x):\n    return f(x)", True),
        ("def two(x)\n    return one(x)", True),
        ("def two(x):\n    '''No one.'''\n    return x", False),
        ("print(one(1))\ndef two(x):\n    return x", False),
    ],
)
def test_what_a_students_answer_calls(answer: str, calls: bool) -> None:
    source = build(*PARTS, "assert two(1) == 1")
    mentions = Mentions(handed_in(source, ONE.source, answer), Instructor(source))
    assert ("one" in mentions.behind({"two"})) is calls
