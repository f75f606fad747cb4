"""Formulas are MathML: drawn by the browser, without a script, and made of nothing but what is on the lists."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from nbjudge._nbgrader.formulas import MOST_LETTERS, Formulas, latex_to_html, mathml_of
from nbjudge._nbgrader.markup import clean
from nbjudge._nbgrader.pages import markdown_to_html, output_to_html

pytestmark = pytest.mark.slow

DEEP = {"braces": "{", "roots": "\\sqrt{", "powers": "x^{", "fractions": "\\frac{1}{", "brackets": "\\left("}


@pytest.mark.parametrize(
    "text, shown",
    [
        ("$\\nosuch{x} < y$", "$\\nosuch{x} < y$"),
        ("$$\\frac{1$$", "$$\\frac{1$$"),
        ("it costs 5$", "it costs 5$"),
        ("$\\newcommand{\\a}{\\a\\a}\\a$", "$\\newcommand{\\a}{\\a\\a}\\a$"),
        (f"${'x' * (MOST_LETTERS + 1)}$", f"${'x' * (MOST_LETTERS + 1)}$"),
        ("\\begin{nosuch}x\\end{nosuch}", "\\begin{nosuch}x\\end{nosuch}"),
    ],
)
def test_what_cannot_be_drawn_is_shown_as_it_was_written(text: str, shown: str) -> None:
    page = BeautifulSoup(markdown_to_html(text), "html.parser")
    assert page.get_text().strip() == shown
    assert page.find("math") is None


@pytest.mark.parametrize("text", ["![$x_1$](a.png)", "<b title='$x_1$'>b</b>"])
def test_in_an_attribute_a_formula_is_text(text: str) -> None:
    page = BeautifulSoup(markdown_to_html(text), "html.parser")
    told = [value for one in page.find_all(["img", "b"]) for value in (one.get("alt"), one.get("title")) if value]
    assert ["$x_1$" in value for value in told] == [True]
    assert page.find("math") is None


def test_what_was_left_out_comes_back_as_mathml_in_a_text_alone() -> None:
    formulas = Formulas(escape=False)
    word = formulas.inline_math('x_1 "<b>')
    html = formulas.put_in(clean(f'<b title="{word} >">{word}</b>'))
    page = BeautifulSoup(html, "html.parser")
    assert page.b["title"] == '$x_1 "<b>$ >'
    assert page.b.math is not None and page.find("b", recursive=False) is page.b


def test_a_formula_that_was_made_here_is_not_cleaned_away() -> None:
    html = markdown_to_html("$x$ <script>1</script>")
    assert "<math" in output_to_html(html)
    assert "<math" not in output_to_html("<math><mi>x</mi></math>")


def test_an_output_that_is_latex_is_drawn() -> None:
    assert latex_to_html("$\\displaystyle x^{2}$").startswith("<math><mrow")
    assert latex_to_html("\\[x\\]").startswith('<math display="block">')
    assert latex_to_html("a <b>") != "a <b>"


@pytest.mark.parametrize("opening", DEEP.values(), ids=DEEP)
def test_what_is_nested_as_deeply_as_may_be_ends_no_process(opening: str) -> None:
    closing = "\\right)" if "left" in opening else "}"
    count = MOST_LETTERS // len(opening + closing)
    program = f"import sys\nfrom nbjudge._nbgrader.formulas import mathml_of\nprint(mathml_of({opening * count + closing * count!r}, False) is None)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("tex", ["\\hspace{-5em}x", "\\kern-5em x", "\\!x", "\\class{a}{x}", "\\eqref{a}", "\\cancel{x}"])
def test_nothing_moves_a_formula_out_of_its_place_or_names_something_of_the_page(tex: str) -> None:
    html = mathml_of(tex, False) or ""
    assert "-5" not in html and "margin-left:-" not in html and "class" not in html and "href" not in html and " id=" not in html
