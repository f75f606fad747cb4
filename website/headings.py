"""What a screen reader needs and the theme leaves out: levels of the headings in the contents, and no cell that heads a column and is empty."""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

AFTER_THE_THEME = 900
EMPTY = r'<th class="head">(?:<p></p>)?</th>'
EMPTY_HEAD = re.compile(rf"<thead>\s*<tr[^>]*>(?:\s*{EMPTY}\s*)+</tr>\s*</thead>")
EMPTY_CELL = re.compile(EMPTY)


def mend(app: Sphinx, page: str, template: str, context: dict[str, Any], *_: object) -> None:
    """Give each such heading level 2, under the name of the site; take out heads of tables that hold nothing."""
    for part in ("body", "furo_navigation_tree"):
        if text := context.get(part):
            context[part] = text.replace('<p class="caption" role="heading">', '<p class="caption" role="heading" aria-level="2">')
    if body := context.get("body"):
        context["body"] = EMPTY_CELL.sub("<td></td>", EMPTY_HEAD.sub("", body))


def setup(app: Sphinx) -> dict[str, object]:
    """Tell Sphinx."""
    app.connect("html-page-context", mend, priority=AFTER_THE_THEME)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
