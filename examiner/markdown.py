"""Markdown of notebooks as HTML for the feedback pages."""

from __future__ import annotations

from mistune import import_plugin
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath


def markdown_to_html(source: str) -> str:
    """nbconvert's own Markdown, with tables in block quotes, which it leaves as bars and dashes (nbconvert 7.17)."""
    plugins = [import_plugin(name) for name in (*MarkdownWithMath.DEFAULT_PLUGINS, "mistune.plugins.table.table_in_quote")]
    html = MarkdownWithMath(renderer=IPythonRenderer(escape=False), plugins=plugins).render(source)
    return html.replace("<table>", '<table class="table table-condensed" style="width: auto">')  # the page's style sheet knows these
