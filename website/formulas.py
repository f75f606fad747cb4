"""Formulas as MathML, which browsers draw by themselves: no script, no network, and a screen reader can read them."""

from __future__ import annotations

from docutils import nodes
from math_core import LatexError, LatexToMathML
from sphinx.application import Sphinx
from sphinx.util.logging import getLogger
from sphinx.writers.html5 import HTML5Translator

_CONVERTER = LatexToMathML(fancy_error=False)


def mathml(node: nodes.Node, display: bool) -> str:
    """The formula of a node, on a line of its own or not; empty where it cannot be read, which Sphinx then says."""
    tex = node.astext().strip()
    try:
        return _CONVERTER.convert_with_local_state(tex, displaystyle=display)
    except LatexError as error:
        getLogger(__name__).warning("the formula %r cannot be read: %s", tex, error, location=node)
        return ""


def inline(translator: HTML5Translator, node: nodes.math) -> None:
    """A formula within a line."""
    translator.body.append(mathml(node, False))
    raise nodes.SkipNode


def block(translator: HTML5Translator, node: nodes.math_block) -> None:
    """A formula on a line of its own, which scrolls where the page is narrower."""
    translator.body.append(f'<div class="formula">{mathml(node, True)}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, object]:
    """Tell Sphinx."""
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
