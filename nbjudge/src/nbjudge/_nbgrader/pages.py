"""Pages that show graded notebooks: nbconvert's HTML, safe to open, made without doing for each student what is the same for all.

A class hands in the same notebook many times. Its text and most of its code are turned into HTML once; templates are compiled
once; and the page is not parsed again when it stands, which took half of nbconvert's time.
"""

from __future__ import annotations

import base64
import copy
import hashlib
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any

from jinja2 import BytecodeCache, Environment, pass_context
from jinja2.bccache import Bucket
from jinja2.runtime import Context
from mistune import import_plugin
from nbconvert.exporters import HTMLExporter
from nbconvert.exporters.templateexporter import TemplateExporter
from nbconvert.filters import Highlight2HTML
from nbconvert.filters.markdown_mistune import MarkdownWithMath
from nbconvert.filters.widgetsdatatypefilter import WidgetsDataTypeFilter
from nbformat import NotebookNode
from pygments.formatters import HtmlFormatter

from nbjudge._common.terminal_text import shown
from nbjudge._nbgrader.formulas import Formulas, latex_to_html
from nbjudge._nbgrader.markup import CONTAINED, clean
from nbjudge._nbgrader.regrades import LONGEST_REASON
from nbjudge._nbgrader.sanitize import PICTURES, Pasted, harmless

TEMPLATES, TEMPLATE = Path(__file__).with_name("templates"), "nbjudge_feedback"
MOST_KEPT = 1024  # texts of each kind; a course has a few hundred, and what each student wrote is soon forgotten
SCRIPT = (TEMPLATES / TEMPLATE / "regrade.js").read_text(encoding="utf-8")  # fills in the form for a second look
NO_WORDS = "A picture without a description"
# For a page that opens from a file: its own styles, pictures that it holds, files beside it, and no script but one of ours, where it has that.
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data: file:; form-action 'none'; base-uri 'none'; frame-src 'none'; "
    "object-src 'none'"
)
INSTEAD = """<!DOCTYPE html>
<html lang="en">
<head><meta http-equiv="Content-Security-Policy" content="{policy}"><meta charset="utf-8"><title>{name}</title></head>
<body>
<h1>{name}</h1>
<p>Your notebook is graded, and your points are recorded. This page cannot show it: turning it into a page took too much time or memory.</p>
<p>Next: look for a cell with a very long or oddly built text or output, and ask your instructor for the points.</p>
</body>
</html>
"""
# `c.HTMLExporter.update(SAFE)`: the same for pages of programs that have no exporter of their own to choose, such as the formgrader.
SAFE: dict[str, Any] = {
    "sanitize_html": True,
    "preprocessors": ["nbjudge._nbgrader.sanitize.CleanOutputs", "nbjudge._nbgrader.feedback.ShowScheme"],
    "filters": {
        "markdown2html": f"{__name__}.cell_to_html",
        "clean_html": f"{__name__}.output_to_html",
        "strip_files_prefix": f"{__name__}.as_it_is",
    },
}


class Cleaned(str):
    """HTML that is safe to show. It holds MathML that was made here, which would not come through the cleaning once more."""


@lru_cache(MOST_KEPT)
def markdown_to_html(source: str) -> str:
    """nbconvert's own Markdown, with tables in block quotes, which it leaves as bars and dashes (nbconvert 7.17), safe to open."""
    return _to_html(source, {})


@pass_context
def cell_to_html(context: Context, source: str) -> str:
    """The filter `markdown2html` of a page: the text of a cell, with the pictures that were pasted into it."""
    pasted = getattr(context.get("cell"), "attachments", None)
    return _to_html(source, pasted) if pasted else markdown_to_html(source)


def _to_html(source: str, pasted: dict[str, dict[str, str]]) -> Cleaned:
    plugins = [import_plugin(name) for name in (*MarkdownWithMath.DEFAULT_PLUGINS, "mistune.plugins.table.table_in_quote")]
    formulas = Formulas(escape=False, attachments=Pasted(pasted))
    html = formulas.put_in(clean(MarkdownWithMath(renderer=formulas, plugins=plugins).render(source)))
    styled = html.replace("<table>", '<table class="table table-condensed" style="width: auto">')  # the formgrader's style sheet knows these
    return Cleaned(CONTAINED.format(html=styled))


def output_to_html(html: str | bytes) -> str:
    """The filter `clean_html` of a page, which nbconvert's templates apply to what is HTML by itself."""
    if isinstance(html, Cleaned):
        return html
    return Cleaned(CONTAINED.format(html=clean(html.decode(errors="replace") if isinstance(html, bytes) else str(html))))


def as_it_is(html: str) -> str:
    """In place of nbconvert's filter `strip_files_prefix`, which is for notebooks of 2012 and makes plain text of `Cleaned`."""
    return html


COLOURS = HtmlFormatter(style="default", nobackground=True).get_style_defs(".highlight")


@lru_cache(MOST_KEPT)
def code_to_html(source: str) -> str:
    """Python code in colours, as nbconvert shows it."""
    return Highlight2HTML()(source)


class FeedbackExporter(HTMLExporter):
    """What nbgrader's feedback template needs of nbconvert's exporter, as `c.GenerateFeedback.exporter_class`.

    Its pages are safe to open whatever else the configuration says, and tell the browser to run and to load nothing else.
    """

    def from_notebook_node(  # type: ignore[override]  # the base class promises a notebook; nbconvert's own HTML is text, too
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, **kw: Any
    ) -> tuple[str, dict[str, Any]]:
        """The page of one notebook. `nb` itself stays as it is."""
        nb = harmless(copy.deepcopy(nb), texts=False)
        _describe_pictures(nb)
        self.sanitize_html, self.skip_svg_encoding, self.embed_images = True, False, False
        resources = self._init_resources(resources)
        resources["colours_of_code"] = COLOURS
        widgets = WidgetsDataTypeFilter(notebook_metadata=self._nb_metadata, parent=self, resources=resources)
        self.register_filter("filter_data_type", widgets)
        self.register_filter("highlight_code", lambda source, metadata=None: code_to_html(source))
        self.register_filter("markdown2html", cell_to_html)
        self.register_filter("clean_html", output_to_html)
        self.register_filter("strip_files_prefix", as_it_is)
        self.register_filter("latex2html", lambda text: Cleaned(CONTAINED.format(html=latex_to_html(text))))
        self.register_filter("visible", lambda text: shown(text, 10 * len(text), lines=True))
        resources["longest_reason"] = LONGEST_REASON
        resources["script"] = SCRIPT
        page, resources = TemplateExporter.from_notebook_node(self, nb, resources, **kw)
        offers = getattr(resources.get("nbjudge"), "forms", None)
        policy = f"{POLICY}; script-src '{_digest(SCRIPT)}'" if offers else POLICY  # that one script, and no other
        return page.replace("<head>", f'<head>\n<meta http-equiv="Content-Security-Policy" content="{policy}">', 1), resources

    def _create_environment(self) -> Environment:
        environment = super()._create_environment()
        environment.bytecode_cache = _COMPILED
        return environment


def _digest(script: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}"


def page_instead(name: str) -> str:
    """What stands where a feedback page cannot be made."""
    return INSTEAD.format(policy=POLICY, name=escape(name))


class _CompiledTemplates(BytecodeCache):
    """Compiled templates of this process. Jinja compiles again what has changed."""

    def __init__(self) -> None:
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
