"""What lies in `autograded/` is safe for whatever program shows it, and keeps what an honest student writes. Chromium: tests/browser."""

from __future__ import annotations

import json
import re

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbconvert.exporters import HTMLExporter

from nbjudge._nbgrader import formulas
from nbjudge._nbgrader.feedback import Story
from nbjudge._nbgrader.markup import clean
from nbjudge._nbgrader.pages import TEMPLATE, TEMPLATES, FeedbackExporter, markdown_to_html
from nbjudge._nbgrader.sanitize import harmless, harmless_text
from nbjudge.testing.attempts import BUNDLES, FORMULAS, HTML, MARKDOWN, RUN, attempts

ASK = "http://127.0.0.1:9"
ACTIVE = "script, iframe, object, embed, form, base, link, svg, video, template, style, [srcset], [ping], [background], [srcdoc]"
HONEST = [
    "**bold** and $a<b$ and $c>d$",
    "see [this](https://example.org/a?b=c#d)",
    "a[0]: first",
    "<b>bold</b> <br> x<sub>1</sub>",
    '<img src="a.png" width="300">',
    "<font color='red'>x</font>",
    '<div style="color: red; border: 1px solid #ccc">x</div>',
    "`<script>`",
    "[up](#there)",
    "<details><summary>s</summary>\n\nmore *text*\n\n</details>",
    "if (a < b && c > d) ...",
    "[data](data.csv)",
    "[start](../start.ipynb) with $x$",
    "> | a | b |\n> |---|---|\n> | 1 | 2 |",
]
FIGURES = [
    '<td style="background:rgb(1,2,3);color:inherit;padding:2px 3px">1</td>',
    '<div style="display:flex;gap:8px 18px;margin:0 0 8px">x</div>',
    '<img alt="a" src="data:image/svg+xml;base64,PHN2Zz4=">',
    '<table border="1" class="dataframe"><tr><th>n</th></tr></table>',
]


def dangers(html: str) -> list[str]:
    """What a browser would run or load of the contents of a page."""
    body = BeautifulSoup(html, "html.parser").body
    found = [str(one) for one in body.select(ACTIVE)]
    for one in body.find_all():
        for name, value in one.attrs.items():
            if name.startswith("on") or (name in ("src", "href") and re.match(r"\s*(?:javascript|vbscript|data:text)", str(value), re.IGNORECASE)):
                found.append(f"{one.name} {name}={value}")
            if name == "style" and re.search(r"url|image|fixed|absolute|\\", str(value)):
                found.append(f"{one.name} {name}={value}")
        if one.find_parent("math") and (one.name not in formulas.TAGS or not set(one.attrs) <= formulas.ATTRIBUTES["*"]):
            found.append(str(one))
    return found


def own_page(nb: nbformat.NotebookNode) -> str:
    """The page that students get."""
    exporter = FeedbackExporter(template_name=TEMPLATE, extra_template_basedirs=[str(TEMPLATES)])
    return exporter.from_notebook_node(nb, {"nbjudge": Story("attempts", [], {})})[0]


def notebook() -> nbformat.NotebookNode:
    """All attempts, with the outputs that the cells of a student's kernel would have."""
    nb = nbformat.v4.new_notebook(cells=attempts(ASK))
    texts = [({kind: text}, {}) for kind in ("text/html", "text/markdown") for text in (*HTML, *MARKDOWN, *FORMULAS)]
    for data, about in [*BUNDLES, *texts]:
        filled = json.loads(json.dumps([data, about]).replace("RUN", RUN).replace("ASK", ASK))
        output = nbformat.from_dict({"output_type": "display_data", "data": filled[0], "metadata": filled[1]})
        nb.cells.append(nbformat.v4.new_code_cell("1", outputs=[output]))
    return nb


@pytest.mark.parametrize("exporter", [HTMLExporter, FeedbackExporter])
def test_nothing_of_the_attempts_is_left(exporter: type[HTMLExporter]) -> None:
    page, _ = exporter(template_name="classic").from_notebook_node(harmless(notebook()))
    assert dangers(page) == []
    assert len(page) > 100_000


def test_the_feedback_page_is_safe_by_itself() -> None:
    """Also where `autograded/` was written by something else."""
    page = own_page(notebook())
    assert dangers(page) == []
    assert page.count("<math") > 10
    assert "<script" not in page
    policy = re.search('http-equiv="Content-Security-Policy" content="([^"]*)"', page.split("<body")[0])[1]
    assert "default-src 'none'" in policy and "script" not in policy and "http" not in policy


def test_without_the_cleaning_there_are_dangers() -> None:
    nb = notebook()
    nb.cells = [cell for cell in nb.cells if "evil.png" not in str(cell)]  # where nbconvert stops
    page, _ = HTMLExporter(template_name="classic").from_notebook_node(nb)
    assert len(dangers(page)) > 25


@pytest.mark.parametrize("text", HONEST)
def test_an_honest_text_stays(text: str) -> None:
    assert harmless_text(text) == text


@pytest.mark.parametrize("text", [text for text in MARKDOWN if "RUN" in text and not text.startswith(("`", "~", "&", "$", "\\", "![x](x"))])
def test_a_text_that_may_run_is_shown_as_it_was_written(text: str) -> None:
    shown = harmless_text(text)
    assert "shown as it was written" in shown
    assert text.replace("\n\n", "\n \n") in BeautifulSoup(markdown_to_html(shown), "html.parser").pre.get_text()


@pytest.mark.parametrize("html", FIGURES)
def test_a_figure_keeps_its_styles(html: str) -> None:
    given, kept = (
        BeautifulSoup(f"<table>{html}</table>" if html.startswith("<td") else html, "html.parser"),
        BeautifulSoup(clean(f"<table><tr>{html}</tr></table>" if html.startswith("<td") else html), "html.parser"),
    )
    tag = html[1:].split()[0]
    assert kept.find(tag).attrs == given.find(tag).attrs


@pytest.mark.parametrize(
    "style",
    [
        "position:fixed",
        "margin:-9px",
        "margin:calc(0px - 9px)",
        "background:url(x)",
        "background:u\\72l(x)",
        "text-shadow:0 0 99px red",
        "box-shadow:0 0 0 99px red",
        "transform:scale(9)",
        "background:image-set('x' 1x)",
        "behavior:x",
        "color:red/**/;top:0",
    ],
)
def test_a_style_that_leaves_its_box_or_loads_goes(style: str) -> None:
    assert clean(f'<p style="{style}">x</p>').replace(' style="color:red/**/"', "") == "<p>x</p>"


def test_a_pasted_picture_is_shown_and_a_missing_one_stops_nothing() -> None:
    cell = nbformat.v4.new_markdown_cell("![there](attachment:a.png) ![gone](attachment:b.png)", attachments={"a.png": {"image/png": "iVBORw0KGgo="}})
    page, _ = FeedbackExporter(template_name="classic").from_notebook_node(nbformat.v4.new_notebook(cells=[cell]))
    assert [picture["src"] for picture in BeautifulSoup(page, "html.parser").find_all("img")] == [
        "data:image/png;base64,iVBORw0KGgo=",
        "data:image/png;base64,",
    ]
