"""Headings above the parts of the contents, which the theme leaves without a level: a screen reader needs one."""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx

AFTER_THE_THEME = 900


def add_levels(app: Sphinx, page: str, template: str, context: dict[str, Any], *_: object) -> None:
    """Give each such heading level 2, under the name of the site."""
    for part in ("body", "furo_navigation_tree"):
        if text := context.get(part):
            context[part] = text.replace('<p class="caption" role="heading">', '<p class="caption" role="heading" aria-level="2">')


def setup(app: Sphinx) -> dict[str, object]:
    """Tell Sphinx."""
    app.connect("html-page-context", add_levels, priority=AFTER_THE_THEME)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
