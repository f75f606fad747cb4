"""What a page tells search engines and messengers of itself: a description, a picture, and the colour that belongs around it."""

from __future__ import annotations

import html
import re

from docutils import nodes
from sphinx.application import Sphinx

LONGEST = 160  # characters of a description that search engines show
PREVIEW = "_static/preview.png"
COLOURS = {"light": "#ffffff", "dark": "#131416"}  # Furo's grounds


def setup(app: Sphinx) -> dict[str, bool]:
    """Sphinx calls this."""
    app.connect("html-page-context", _describe)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _describe(app: Sphinx, page: str, _template: str, context: dict, document: nodes.document | None) -> None:
    colours = [f'<meta name="theme-color" content="{colour}" media="(prefers-color-scheme: {kind})">' for kind, colour in COLOURS.items()]
    said = app.env.metadata[page].get("in_short") or _first_paragraph(document) if document else ""
    about = {"description": _shortened(said)} if said else {}
    # Messengers want whole addresses. Where the site will be is known from `html_baseurl` alone; without it, the picture's is relative.
    picture = app.config.html_baseurl + PREVIEW if app.config.html_baseurl else context["pathto"](PREVIEW, resource=True)
    shared = {"title": re.sub("<.*?>", "", context.get("title", "")) or app.config.html_title, **about, "image": picture, "type": "website"}
    shared["image:alt"] = "The dog dropped the bone because it was tired: the scores and weights of the query “it”, and the answer, the dog."
    tags = [f'<meta name="{name}" content="{html.escape(text)}">' for name, text in about.items()]
    tags += [f'<meta property="og:{name}" content="{html.escape(html.unescape(text))}">' for name, text in shared.items()]
    context["metatags"] = "\n".join([context.get("metatags", ""), *colours, *tags])


def _first_paragraph(document: nodes.document) -> str:
    """The first one that is no part of a list, a table or a note."""
    found = (paragraph for paragraph in document.findall(nodes.paragraph) if isinstance(paragraph.parent, nodes.section))
    return re.sub(r"\s+", " ", next(found, nodes.paragraph()).astext()).strip()


def _shortened(text: str) -> str:
    """At most `LONGEST` characters, cut at the end of a sentence where one fits, else between words."""
    text = re.sub(r"[*`]", "", text)
    if len(text) <= LONGEST:
        return text
    sentences = re.findall(r".+?[.!?](?= )", text[:LONGEST])
    return "".join(sentences).strip() if sentences else text[: LONGEST - 1].rpartition(" ")[0] + "…"
