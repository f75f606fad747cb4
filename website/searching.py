"""The search: a list of all sections with their text, which the page that searches loads as a script, so that it works from a folder, too.

Sphinx's own search finds pages and no sections, shows code, and forgives no typing error. Code, outputs, large formulas and what the page keeps
until a prediction was made are not in the list.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from website.formulas import mathml

LIST = "sections.js"
TAG = re.compile(r"<[^>]+>")
QUESTION = re.compile(r'<span id="([^"]+)" data-question="([^"]+)">')
SILENT = (nodes.literal_block, nodes.raw, nodes.math_block, nodes.comment, nodes.image, nodes.section, nodes.title, nodes.Admonition)


def setup(app: Sphinx) -> dict[str, object]:
    """Tell Sphinx."""
    found: list[dict[str, str]] = []

    def no_other_search(app: Sphinx) -> None:
        app.builder.search = False

    def add(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
        if doctree and "nosearch" not in app.env.metadata[page]:
            found.extend(sections_of(page, doctree))

    def write(app: Sphinx, error: Exception | None) -> None:
        if not error:
            lines = ",\n".join(json.dumps(section, ensure_ascii=False) for section in found)
            Path(app.outdir, "_static", LIST).write_text(f"window.SECTIONS = [\n{lines}\n];\n", encoding="utf-8")

    app.connect("builder-inited", no_other_search)
    app.connect("html-page-context", add)
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": False}


def sections_of(page: str, doctree: nodes.document) -> Iterator[dict[str, str]]:
    """Each section of a page: where it is, the titles of the page and of itself, and its own text without that of sections in it.

    Behind them, each question that people ask, with the paragraph that begins to answer it.
    """
    sections = list(doctree.findall(nodes.section))
    for number, section in enumerate(sections):
        title = section.next_node(nodes.title)
        where = f"{page}.html" + (f"#{section['ids'][0]}" if number else "")
        of_page = sections[0].next_node(nodes.title).astext()
        yield {"where": where, "page": of_page, "title": title.astext() if number else of_page, "text": _text(section)}
    for mark in doctree.findall(nodes.raw):
        if found := QUESTION.match(mark.astext()):
            yield {"where": f"{page}.html#{found[1]}", "page": of_page, "title": html.unescape(found[2]), "text": _text(mark.parent)}


def _text(part: nodes.Element) -> str:
    return re.sub(r"\s+", " ", " ".join(" ".join(_spoken(child)) for child in part.children)).strip()


def _spoken(node: nodes.Node) -> Iterator[str]:
    """What a person would read aloud."""
    if isinstance(node, nodes.Text):
        yield str(node)
    elif isinstance(node, nodes.math):
        yield html.unescape(TAG.sub("", mathml(node, False).replace("<msqrt>", "√")))
    elif isinstance(node, SILENT) or (isinstance(node, nodes.container) and "cell" in node.get("classes", ())):
        return
    elif isinstance(node, nodes.TextElement):
        yield "".join(word for child in node.children for word in _spoken(child))
    else:
        yield from (word for child in node.children for word in _spoken(child))
