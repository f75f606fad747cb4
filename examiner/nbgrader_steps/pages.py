"""Feedback pages: nbconvert's HTML, made without doing for each student what is the same for all.

A class hands in the same notebook many times. Its text and most of its code are turned into HTML once; templates are compiled
once; and the page is not parsed again when it stands, which took half of nbconvert's time.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from jinja2 import BytecodeCache, Environment
from jinja2.bccache import Bucket
from mistune import import_plugin
from nbconvert.exporters import HTMLExporter
from nbconvert.exporters.templateexporter import TemplateExporter
from nbconvert.filters import Highlight2HTML
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbconvert.filters.widgetsdatatypefilter import WidgetsDataTypeFilter
from nbformat import NotebookNode

MOST_KEPT = 1024  # texts of each kind; a course has a few hundred, and what each student wrote is soon forgotten
PICTURES = ("image/png", "image/jpeg")
NO_WORDS = "A picture without a description"


@lru_cache(MOST_KEPT)
def markdown_to_html(source: str) -> str:
    """nbconvert's own Markdown, with tables in block quotes, which it leaves as bars and dashes (nbconvert 7.17)."""
    plugins = [import_plugin(name) for name in (*MarkdownWithMath.DEFAULT_PLUGINS, "mistune.plugins.table.table_in_quote")]
    html = MarkdownWithMath(renderer=IPythonRenderer(escape=False), plugins=plugins).render(source)
    return html.replace("<table>", '<table class="table table-condensed" style="width: auto">')  # the page's style sheet knows these


@lru_cache(MOST_KEPT)
def code_to_html(source: str) -> str:
    """Python code in colours, as nbconvert shows it."""
    return Highlight2HTML()(source)


class FeedbackExporter(HTMLExporter):
    """What nbgrader's feedback template needs of nbconvert's exporter, as `c.GenerateFeedback.exporter_class`."""

    def from_notebook_node(self, nb: NotebookNode, resources: dict[str, Any] | None = None, **kw: Any) -> tuple[str, dict[str, Any]]:
        """The page of one notebook. Pictures get a text alternative; nothing else of `nb` is changed."""
        _describe_pictures(nb)
        resources = self._init_resources(resources)
        widgets = WidgetsDataTypeFilter(notebook_metadata=self._nb_metadata, parent=self, resources=resources)
        self.register_filter("filter_data_type", widgets)
        self.register_filter("highlight_code", lambda source, metadata=None: code_to_html(source))
        return TemplateExporter.from_notebook_node(self, nb, resources, **kw)

    def _create_environment(self) -> Environment:
        environment = super()._create_environment()
        environment.bytecode_cache = _COMPILED
        return environment


class _CompiledTemplates(BytecodeCache):
    """Compiled templates of this process. Jinja compiles again what has changed."""

    def __init__(self):
        self._kept: dict[tuple[str, str], bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if (kept := self._kept.get((bucket.key, bucket.checksum))) is not None:
            bucket.bytecode_from_string(kept)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._kept[bucket.key, bucket.checksum] = bucket.bytecode_to_string()


_COMPILED = _CompiledTemplates()


def _describe_pictures(nb: NotebookNode) -> None:
    """A text alternative for pictures that have none."""
    for cell in nb.cells:
        for output in cell.get("outputs", []):
            for kind in PICTURES:
                if kind in output.get("data", {}):
                    output.metadata.setdefault(kind, {}).setdefault("alt", NO_WORDS)
