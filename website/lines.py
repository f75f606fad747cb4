"""Lines of code as elements of their own: where the page is too narrow for one, it goes on below, further in than it began, and nothing is cut."""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

CODE = re.compile(
    r'(?s)(<div class="highlight-(?:ipython3|ipython|python|default|none) notranslate"><div class="highlight"><pre>)<span></span>(.*?)(</pre>)'
)
TAG = re.compile(r"<[^>]+>")


def setup(app: Sphinx) -> dict[str, object]:
    """Tell Sphinx."""
    app.connect("html-page-context", divide)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def divide(app: Sphinx, page: str, template: str, context: dict[str, Any], *_: object) -> None:
    """Divide what was highlighted: Pygments closes its elements at the end of each line."""
    if body := context.get("body"):
        context["body"] = CODE.sub(lambda found: found[1] + "".join(map(_line, found[2].splitlines(keepends=True))) + found[3], body)


def _line(code: str) -> str:
    text = TAG.sub("", code)
    return f'<span class="line" style="--in:{len(text) - len(text.lstrip(" "))}">{code}</span>'
