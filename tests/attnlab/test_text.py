"""What an answer's own text establishes: it is told when the result is wrong, and only with what certainly is so."""

from __future__ import annotations

import ast

import pytest

from attnlab.diagnosis.text.expressions import EXPRESSIONS, METHODS
from attnlab.diagnosis.text.facts import FLOW, LOOPS, explain_text, facts_of
from authoring.answer_files import find_answers
from authoring.lessons import find_lessons

from .learner import run_cell, said_to

RIGHT = [answer for lesson in find_lessons() for answer in find_answers(lesson) if answer.right]
UNKNOWN = "does not know"


def told(*lines: str, takes: str = "x") -> str:
    """What the text of a function of these lines establishes."""
    cause = explain_text(run_cell("\n    ".join([f"def f({takes}):", *lines]) + "\n", "f"))
    return f"{cause.words} {cause.next}" if cause else ""


CERTAIN = [
    (["return x / 4 ** 1 / 2"], "Python reads `x / 4 ** 1 / 2` as `(x / 4 ** 1) / 2`"),
    (
        ["return len(x) ** 1 / 2"],
        "as `(len(x) ** 1) / 2`: a power binds tighter than a division put brackets around the exponent: `len(x) ** (1 / 2)`",
    ),
    (["return x ** -1 / 2"], "a power binds tighter"),
    (["return x + 1 % 3"], "Python reads `x + 1 % 3` as `x + (1 % 3)`"),
    (["return x ^ 2"], "`x ^ 2` is not a power"),
    (["return x in ('narrow' 'wide')"], "Python joins the texts behind `in` to one, 'narrowwide'"),
    (["return 1 if x == 'a' or 'b' else 2"], "is always true: `'b'` alone counts as true"),
    (["return 1 if x != 'a' or x != 'b' else 2"], "is always true: nothing is equal to both"),
    (["return np.array(row for row in x)"], "gets a generator"),
    (["rows = [[0] * 3] * 3", "return rows + x"], "holds the same object several times"),
    (["a = b = np.zeros(3)", "a[0] = x", "return a + b"], "`a` and `b` are two names for the same object"),
    (["x.reshape(3, 4)", "return x"], "in line 2, `x.reshape(3, 4)` makes a new value, but no name keeps it"),
    (["np.exp(x)", "return x"], "`np.exp(x)` makes a new value, but no name keeps it give the result a name"),
    (["y = x * 2", "y / 3"], "`y / 3` makes a new value, but no name keeps it write `return` in front of that line"),
    (["x == 3", "return x"], "use a single `=`"),
    (["x.T", "return x"], "`x.T` makes a new value"),
    (["y = np.random.shuffle(x)", "return y"], "gives None, so `y` is None"),
    (["T, k = x.shape", "return x.reshape(k, T)"], "it does not swap axes"),
    (["return x ** 2.718"], "is not exactly e"),
    (["return np.maximum(x, -1)"], "`maximum` takes two arrays and no axis"),
    (["for row in x:", "    y = row", "    return y"], "is inside the loop `for row in x`, so the loop ends in its first round"),
    (
        ["out, total = [], 0", "for row in x:", "    for one in row:", "        total += one", "    out.append(total)", "return out"],
        "is before the loop `for row in x`, so it runs only once",
    ),
    (["i = j = 0", "while i < 3:", "    while j < 3:", "        j += 1", "    i += 1", "return x"], "continues with the `j`"),
    (
        ["out, row = [], np.zeros(3)", "for one in x:", "    row[:] = one", "    out.append(row)", "return out"],
        "appends the same thing in every round",
    ),
    (["y = x", "y[0] = 1", "return y"], "`y = x` makes no copy"),
    (["y = []", "for x in range(3):", "    y.append(x)", "return y[x]"], "gives the argument `x` other values, and behind the loop"),
    (["for row in x:", "    y = row * 2", "return y"], "only the last one is left"),
    (["x = np.eye(3)", "return x"], "gives the argument `x` a new value before any line has used it"),
    (["y = x * 2,", "return y"], "makes a tuple with one part"),
    (["order = x.argsort()", "x[order][2:] = 0", "return x"], "`x[order]` makes a new array, and `x[order][2:]` writes into that one"),
    (["x[x > 1][0] = 0", "return x"], "`x[x > 1]` makes a new array"),
    (["values, places = x.topk(2)", "x[places].fill_(0)", "return x"], "`x[places]` makes a new array"),
    (["x.clone()[0] = 1", "return x"], "`x.clone()` makes a new array"),
    (["y = F.scaled_dot_product_attention(x / len(x) ** 0.5, x, x)", "return y"], "divides the scores by the square root of the length itself"),
    (["f = [lambda y: y * i for i in range(3)]", "return f[0](x)"], "looks `i` up when it is called: by then the loop is over"),
    (["f = []", "for i in x:", "    f.append(lambda y: y * i)", "return f[0](x)"], "looks `i` up when it is called"),
    (["return torch.as_strided(x, (2, 3), (3, 1))"], "takes it that the numbers lie in memory in the order of the axes"),
]
LOOK_FIRST = [
    (["rows, columns = np.where(x > 0.5)", "return columns"], "gives one place for each entry that meets the condition"),
    (["return F.one_hot(x)"], "is as long as the largest index in it asks for"),
    (["return x.clamp(min=0)"], "puts 0 in the place of every number below it"),
    (["y = x * 2", "return x"], "`y = x * 2` gives `y` a value, but no line uses it"),
    (["return [x[i] for i in range(len(x) - 1)]"], "stops before `len(x) - 1`"),
    (["return 3"], "no line uses the argument `x`"),
    (["y = 0", "for i in range(3):", "    y = y + x", "return y"], "no line in the loop uses `i`"),
    (["try:", "    return x", "except ValueError:", "    pass"], "the `except` does nothing"),
    (["x = x @ x.T", "y = x @ x", "return y"], "gives the argument `x` a new value, and line 3 uses this value as `x`"),
    (["return np.roll(x, 1)"], "has no `axis`"),
    (["return np.resize(x, (3, 4))"], "reads its numbers as one long list, and begins it again where it ends"),
    (["return np.exp(min(x, 700))"], "makes all numbers beyond 700 equal"),
    (["return [Head(x)] * 3"], "holds the same object several times"),
    (["return 10000 ** x / 3"], "a power binds tighter than a division"),
]
NOTHING = [
    ["y = (x * 2,)", "y += (x,)", "return y"],
    ["i = int((x == 1).nonzero()[0, 0])", "return x * i"],
    ["order = x.argsort()", "x[order[2:]] = 0", "x[order[0]][1:] = 0", "return x"],
    ["f = [lambda y, i=i: y * i for i in range(3)]", "return f[0](x)"],
    ["return F.scaled_dot_product_attention(x / 2 ** 0.5, x, x, scale=1.0)"],
    ["a, b = x.stride()", "return torch.as_strided(x, (2, 3), (a, b))"],
    ["return np.array([[0] * 3] * len(x)) + x"],
    ["return x in 'narrow'"],
    ["return x in ('narrow', 'wide')"],
    ["y = x", "if len(x) > 2:", "    y = np.zeros(3)", "    y[0] = 1", "return y"],
    ["y = x", "y = y + 1", "for i in range(3):", "    y[i] = 0", "return y"],
    ["return x ** (1 / 2)"],
    ["return x ** 2 / 3"],
    ["return (x > 0) ^ (x < 3)"],
    ["return x == 1 or x == 2"],
    ["return np.array([row for row in x])"],
    ["return [0.0] * len(x)"],
    ["x.sort()", "return x"],
    ["y = np.sort(x)", "return y"],
    ["return x.reshape(3, 4)"],
    ["T, k = x.shape", "return x.reshape(T, k)"],
    ["return np.maximum(x, 0)"],
    ["for row in x:", "    if row.any():", "        return row"],
    ["for row in x:", "    total = 0", "    for one in row:", "        total += one", "    print(total)"],
    ["out, total = [], 0", "for row in x:", "    total += row", "    out.append(total)", "return out"],
    ["out = []", "for one in x:", "    row = np.zeros(3)", "    row[:] = one", "    out.append(row)", "return out"],
    [
        "out, row = [], np.zeros(3)",
        "for one in x:",
        "    row[:] = 0",
        "    for part in one:",
        "        row += part",
        "    out.append(row.copy())",
        "return out",
    ],
    ["y = x.copy()", "y[0] = 1", "return y"],
    ["y = 0", "for row in x:", "    y = y + row", "return y"],
    ["for _ in range(3):", "    x = x + 1", "return x"],
    ["x = np.asarray(x)", "return x"],
    ["a, b = x.shape", "return a"],
    ["try:", "    np.exp(x)", "except FloatingPointError:", "    return 1", "return x"],
    ["return x,  x"],
    ["a = b = 0", "return a + b + x"],
    ["return x * 2.5"],
]


@pytest.mark.parametrize(("lines", "said"), CERTAIN)
def test_what_certainly_does_something_else_is_named_with_its_line(lines: list[str], said: str) -> None:
    text = told(*lines)
    assert said in text
    assert text.startswith("in line ")
    assert UNKNOWN not in text


@pytest.mark.parametrize(("lines", "said"), LOOK_FIRST)
def test_what_may_be_right_is_no_cause(lines: list[str], said: str) -> None:
    text = told(*lines)
    assert said in text
    assert text.startswith("this check does not know why; look first at line ")


@pytest.mark.parametrize("lines", NOTHING)
def test_what_is_usual_is_not_named(lines: list[str]) -> None:
    assert not told(*lines)


def test_no_right_answer_holds_anything_that_would_be_called_a_cause() -> None:
    for answer in RIGHT:
        functions = [node for node in ast.walk(ast.parse(answer.source)) if isinstance(node, ast.FunctionDef)]
        found = [fact for find in (*LOOPS, *EXPRESSIONS, *METHODS, *FLOW) for function in functions for fact in find(function)]
        assert not any(fact.is_certain for fact in found), f"{answer.place}: {found}"


def test_a_layer_that_nothing_uses_is_named() -> None:
    code = """
        class Two(nn.Module):
            def __init__(self):
                super().__init__()
                self.keys = nn.Linear(2, 2)
                self.queries = nn.Linear(2, 2)

            def forward(self, x):
                return self.queries(x)
    """
    cause = explain_text(run_cell(code, "Two"))
    assert cause
    assert "`self.keys` is made, and no line uses it" in cause.words
    assert not explain_text(run_cell(code.replace("self.queries(x)", "self.queries(self.keys(x))"), "Two"))


def test_a_check_tells_it_where_no_value_is_known() -> None:
    text = said_to("attention_scores", "def attention_scores(x):\n    return x @ x.T / x.shape[1] ** 1 / 3\n")
    assert "in line 2, Python reads" in text
    assert "next put brackets around the exponent" in " ".join(text.split())


def test_a_known_mistake_comes_first() -> None:
    text = said_to("attention_scores", "def attention_scores(x):\n    unused = 1\n    return x @ x.T / np.sqrt(x.shape[1])\n")
    assert "scaled" in text
    assert "unused" not in text


def test_what_every_result_has_in_common_says_more_than_the_text() -> None:
    code = "def attention_weights(x):\n    e = np.exp(x @ x.T)\n    {}\n    return e / e.sum(axis=0)\n"
    assert "over queries" in said_to("attention_weights", code.format("e == 1"))


def test_where_no_text_is_to_be_had_nothing_is_told() -> None:
    assert explain_text(len) is None
    assert facts_of(lambda x: x) == []


def test_a_helper_of_the_same_cell_is_read_too_and_others_are_not() -> None:
    code = "def row(x):\n    for one in x:\n        return one\n\ndef f(x):\n    return row(x)\n"
    cause = explain_text(run_cell(code, "f"))
    assert cause and "is inside the loop" in cause.words
    other = run_cell("def row(x):\n    for one in x:\n        return one\n", "row")
    assert explain_text(run_cell("def f(x):\n    return row(x)\n", "f", row=other)) is None
