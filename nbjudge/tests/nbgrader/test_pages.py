"""Feedback is readable."""

from __future__ import annotations

import copy
import re

import nbformat
from bs4 import BeautifulSoup
from nbconvert.exporters import HTMLExporter
from nbformat import NotebookNode

from nbjudge._nbgrader.pages import NO_WORDS, FeedbackExporter, code_to_html, markdown_to_html

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
    assert "<msub><mi>a</mi><mi>i</mi></msub><mo" in html and "$" not in html
    assert "<details><summary>A nudge</summary>" in html
    assert "<em>rows</em>" in html


def _page() -> NotebookNode:
    """A notebook with what feedback pages hold: text, code, printed lines, an error, a picture, HTML."""
    v4 = nbformat.v4
    shown = v4.new_output("display_data", data={"image/png": "iVBORw0KGgo=", "text/plain": "<Figure>"})
    error = v4.new_output("error", ename="ValueError", evalue="no & <b>", traceback=["ValueError: no & <b>"])
    printed = v4.new_output("stream", name="stdout", text="1 < 2\n")
    table = v4.new_output("execute_result", data={"text/html": "<b>1</b>", "text/plain": "1"}, execution_count=1)
    code = v4.new_code_cell("x = 'é' < \"<b>\"  # 1", outputs=[shown, error, printed, table], execution_count=1)
    return v4.new_notebook(cells=[v4.new_markdown_cell("# Title\n\na & *c*"), code, v4.new_code_cell("")])


def test_a_page_is_the_one_that_nbconvert_makes() -> None:
    nb = _page()
    pages = [exporter(template_name="classic").from_notebook_node(copy.deepcopy(nb))[0] for exporter in (HTMLExporter, FeedbackExporter)]
    own, ours = (BeautifulSoup(page, "html.parser") for page in pages)
    assert ours.find("img")["alt"] == NO_WORDS
    ours.find("img")["alt"] = own.find("img")["alt"]
    for box in ours.find_all("div", style=re.compile("contain: ?paint")):
        box.unwrap()
    for heading in ours.find_all("h1"):  # a student's ids are not the page's
        heading["id"] = heading["id"].removeprefix("text-")
        heading.a.attrs = {"class": heading.a["class"], "href": heading.a["href"].replace("#text-", "#")}
    assert len(ours.body.find_all("div", class_="cell")) == 3
    assert "".join(str(ours.body).split()) == "".join(str(own.body).split())


def test_a_description_that_is_there_stays() -> None:
    nb = _page()
    nb.cells[1].outputs[0].metadata["image/png"] = {"alt": "weights"}
    page, _ = FeedbackExporter(template_name="classic").from_notebook_node(nb)
    assert BeautifulSoup(page, "html.parser").find("img")["alt"] == "weights"


def test_what_is_the_same_for_all_is_made_once() -> None:
    FeedbackExporter(template_name="classic").from_notebook_node(_page())
    before = code_to_html.cache_info()
    FeedbackExporter(template_name="classic").from_notebook_node(_page())
    after = code_to_html.cache_info()
    assert (after.hits - before.hits, after.misses - before.misses) == (2, 0)
