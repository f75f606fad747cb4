"""Feedback is readable."""

from __future__ import annotations

from examiner.pages import markdown_to_html

CARD = """> **Exercise 1** with $a_i * b_i$
>
> | | |
> |---|---|
> | takes | `x`: array |
>
> <details><summary>A nudge</summary>
>
> Think of *rows*.
>
> </details>
"""


def test_a_table_in_a_block_quote_is_a_table() -> None:
    html = markdown_to_html(CARD)
    assert "<blockquote>" in html
    assert "<td><code>x</code>: array</td>" in html
    assert "|---|" not in html


def test_formulas_and_helps_stay_what_they_are() -> None:
    html = markdown_to_html(CARD)
    assert "$a_i * b_i$" in html
    assert "<details><summary>A nudge</summary>" in html
    assert "<em>rows</em>" in html
