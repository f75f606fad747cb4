"""Formulas as MathML, which browsers draw by themselves: a page needs no script and no network to show them.

A student's TeX is read by math-core, a parser in Rust. What comes of it goes through a list of elements and attributes, too.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from functools import lru_cache
from html import escape
from typing import Any

import nh3
from math_core import LatexError, LatexToMathML
from nbconvert.filters.markdown_mistune import IPythonRenderer

from nbjudge._nbgrader.markup import MOST_KEPT, styles_of

MOST_LETTERS = 2000  # math-core's stack holds what is nested as deeply as that
DEFINES = re.compile(r"\\(?:g?def|let|(?:re)?newcommand|providecommand)(?![A-Za-z])")  # with definitions a short text can be nested deeply
DELIMITED = re.compile(r"(?s)\s*(?:\$\$(?P<display>.+)\$\$|\$(?P<inline>[^$]+)\$|\\\[(?P<brackets>.+)\\\]|\\\((?P<round>.+)\\\))\s*")
TAGS = {
    "math",
    "menclose",
    "mfrac",
    "mi",
    "mmultiscripts",
    "mn",
    "mo",
    "mover",
    "mpadded",
    "mphantom",
    "mprescripts",
    "mroot",
    "mrow",
    "ms",
    "mspace",
    "msqrt",
    "mstyle",
    "msub",
    "msubsup",
    "msup",
    "mtable",
    "mtd",
    "mtext",
    "mtr",
    "munder",
    "munderover",
    "b",
    "code",
    "i",
}
ATTRIBUTES = {
    "*": {
        "accent",
        "accentunder",
        "depth",
        "display",
        "displaystyle",
        "form",
        "height",
        "largeop",
        "linethickness",
        "lspace",
        "mathvariant",
        "maxsize",
        "minsize",
        "movablelimits",
        "notation",
        "rspace",
        "scriptlevel",
        "separator",
        "stretchy",
        "style",
        "symmetric",
        "voffset",
        "width",
    }
}
VALUE = re.compile(r"[a-z]{1,20}|\d{0,3}(?:\.\d{1,10})?(?:em|ex|pt|px|mu|%)?", re.ASCII)
TAG = r"<[^\"<>]*(?:\"[^\"]*\"[^\"<>]*)*>"  # as nh3 writes it


def _attribute_of(tag: str, name: str, value: str) -> str | None:
    if name == "style":
        return styles_of(value)
    return value if VALUE.fullmatch(value) else None


_CLEANER = nh3.Cleaner(
    tags=TAGS,
    clean_content_tags={"annotation", "script", "style"},
    attributes=ATTRIBUTES,
    attribute_filter=_attribute_of,
    generic_attribute_prefixes=set(),
    link_rel=None,
)
_CONVERTER = LatexToMathML(fancy_error=False)


@lru_cache(MOST_KEPT)
def mathml_of(tex: str, display: bool) -> str | None:
    """A formula as MathML.

    Args:
        tex: the formula without its dollars.
        display: whether it stands on lines of its own.

    Returns:
        None for what cannot be read, is longer than `MOST_LETTERS`, or defines commands.
    """
    if len(tex) > MOST_LETTERS or DEFINES.search(tex):
        return None
    try:
        return _CLEANER.clean(_CONVERTER.convert_with_local_state(tex.strip(), displaystyle=display))
    except LatexError:
        return None


def latex_to_html(text: str) -> str:
    """An output of the kind text/latex: MathML where it is one formula, else the text as it is."""
    found = DELIMITED.fullmatch(text)
    if found is None:
        tex, display = text, True
    else:
        tex, display = next((part, name in ("display", "brackets")) for name, part in found.groupdict().items() if part is not None)
    return mathml_of(tex, display) or f"<pre>{escape(text)}</pre>"


class Formulas(IPythonRenderer):
    """Markdown whose formulas are left out, so that the rest can be cleaned, and put in afterwards by `put_in`."""

    def __init__(self, **settings: Any):
        super().__init__(**settings)
        self._word = f"formula{secrets.token_hex(12)}"
        self._left_out: list[tuple[str, str | None]] = []

    def block_math(self, body: str) -> str:
        """A formula between two dollars, or between `\\\\[` and `\\\\]`."""
        return self._leave_out(super().block_math(body), mathml_of(body, True))

    def inline_math(self, body: str) -> str:
        """A formula within a line."""
        return self._leave_out(super().inline_math(body), mathml_of(body, False))

    def latex_environment(self, name: str, body: str) -> str:
        """A formula that is an environment of its own, such as `align`."""
        return self._leave_out(super().latex_environment(name, body), mathml_of(f"\\begin{{{name}}}{body}\\end{{{name}}}", True))

    def _leave_out(self, as_written: str, mathml: str | None) -> str:
        self._left_out.append((as_written, mathml))
        return f"{self._word}n{len(self._left_out) - 1}e"

    def put_in(self, html: str) -> str:
        """`html`, which nh3 has cleaned, with the formulas: MathML in texts, in attributes and without MathML the TeX as it was written."""
        place = re.compile(rf"{self._word}n(\d+)e")

        def filled(found: re.Match[str]) -> str:
            if found[0].startswith("<"):
                return place.sub(self._putting(lambda as_written, _: as_written.replace('"', "&quot;")), found[0])
            return place.sub(self._putting(lambda as_written, mathml: mathml or as_written), found[0])

        return re.sub(rf"{TAG}|{place.pattern}", filled, html)

    def _putting(self, chosen: Callable[[str, str | None], str]) -> Callable[[re.Match[str]], str]:
        return lambda found: chosen(*self._left_out[int(found[1])])
