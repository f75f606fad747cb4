"""How much a learner reads: words of a lesson and of its cards, and lines of code that fit the page."""

from __future__ import annotations

import re

import nbformat
import pytest
from nbformat import NotebookNode
from nbgrader.utils import is_solution

from authoring.lessons import Lesson
from nbjudge import is_test

# Words, helps and all.
MOST = {
    "1_basic_attention": 2500,
    "2_queries_keys_values": 2500,
    "2b_columns": 1500,
    "3_scaling": 2500,
    "3b_backward_pass": 1800,
    "4_multi_head": 2500,
    "5_permutation_test": 2500,
    "5b_rotary_positions": 1500,
    "6_transformer": 2500,
    "7_language_model": 2500,
    "8_real_model": 2500,
}
MOST_OF_A_CARD = 110  # words that stand open
WIDEST = 88  # characters of code at 900 pixels
CARD = re.compile(r"^> \*\*(?:Exercise|Clinic) .*?(?=\n\n[^>]|\Z)", re.MULTILINE | re.DOTALL)
FOLDED = re.compile(r"<details>.*?</details>", re.DOTALL)


def released(assignment: str) -> NotebookNode:
    return nbformat.read(Lesson(assignment).released, as_version=4)


def words(text: str) -> int:
    """Words of a text, without formulas that stand alone and without tags."""
    return sum(bool(re.search(r"\w", word)) for word in re.sub(r"\$\$.*?\$\$|<[^>]+>", " ", text, flags=re.DOTALL).split())


@pytest.mark.parametrize("assignment", MOST)
def test_a_lesson_is_short(assignment: str) -> None:
    texts = [cell.source for cell in released(assignment).cells if cell.cell_type == "markdown"]
    assert 500 < sum(map(words, texts)) <= MOST[assignment]


@pytest.mark.parametrize("assignment", MOST)
def test_a_card_fits_half_a_screen(assignment: str) -> None:
    cards = [card for cell in released(assignment).cells if cell.cell_type == "markdown" for card in CARD.findall(cell.source)]
    assert len(cards) > 1
    for card in cards:
        assert words(FOLDED.sub("", card)) <= MOST_OF_A_CARD, card.splitlines()[0]


@pytest.mark.parametrize("assignment", MOST)
def test_code_that_is_given_does_not_scroll_sideways(assignment: str) -> None:
    for cell in released(assignment).cells:
        if cell.cell_type == "code" and not is_test(cell) and not is_solution(cell):
            for line in cell.source.splitlines():
                assert len(line) <= WIDEST, line
