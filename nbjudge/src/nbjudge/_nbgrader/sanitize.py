"""Graded notebooks, made safe to show: in `autograded/` nothing is left that a program which shows a notebook could run or ask for."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from html import escape
from typing import Any

from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbformat import NotebookNode, from_dict
from nbformat.v4 import nbbase
from nbgrader.preprocessors import NbGraderPreprocessor

from nbjudge._nbgrader.markup import (
    ATTRIBUTES,
    BASE64,
    MOST_KEPT,
    TAGS,
    attribute_of,
    clean,
    link_of,
    picture_of,
    styles_of,
)

WORD = re.compile(r"[\w.+-]{1,80}", re.ASCII)
KERNEL = {"kernelspec": {"name", "display_name"}, "language_info": {"name"}}  # what nbformat requires of them
SIZE = re.compile(r"\d{1,5}(?:\.\d{1,9})?(?:%|px|em)?", re.ASCII)
PICTURES, TEXTS = ("image/png", "image/jpeg"), ("text/plain", "text/latex", "image/svg+xml")
NOT_SHOWN = "(An output of the kind {kinds} is not shown.)"
PLAIN = "This text is shown as it was written, because it holds HTML or a link that may not be safe to open."
NO_PICTURE = "This text is shown as it was written, because a picture that was pasted into it is missing."
NAMED = re.compile(r"attachment:([^\s()\"'<>]*)")
TOO_LONG = "This text is shown as it was written, because the notebook took too long to be turned into a page."
MOST_OUTPUTS, MOST_PLAIN, CUT = 20, 10_000, "\n(The rest is in what was handed in.)"
ANSI = re.compile(r"\x1b[^a-zA-Z]{0,40}[a-zA-Z]?")
AS_WRITTEN = re.compile(r"[^A-Za-z0-9 \n]")
TAG = re.compile(
    r"<(/?)([a-z][a-z0-9]{0,11})"
    r"((?:\s{1,3}[a-z]{1,12}=(?:\"[^\"<>&]{0,999}\"|'[^'<>&]{0,999}'|[\w%#.]{1,99})){0,8})\s{0,2}/?>",
    re.IGNORECASE | re.ASCII,
)
PART = re.compile(r"([a-z]+)=(?:\"([^\"]*)\"|'([^']*)'|([\w%#.]+))", re.IGNORECASE | re.ASCII)
TELLING = re.compile(r"<|\]")  # without these, Markdown has neither HTML nor links


def as_written(source: str, why: str = PLAIN) -> str:
    """Markdown that shows `source` letter by letter and leaves nothing to parse: no tag, no formula, no nesting."""
    shown = AS_WRITTEN.sub(lambda found: f"&#{ord(found[0])};", source)
    lines = "\n".join(line or "&#32;" for line in shown.split("\n"))  # a blank line may end a block of HTML
    return f"*{why}*\n\n<pre>{lines}</pre>"


@lru_cache(MOST_KEPT)
def harmless_text(source: str) -> str:
    """Markdown as it is where it holds no HTML but tags from the list and no link of a strange kind; else as it was written.

    A page with the course's settings cleans its text itself. This is for programs that know no such settings: a formgrader that was
    started elsewhere renders what lies in `autograded/` as it is.
    """
    rest = _without_listed_tags(source)
    return as_written(source) if "mermaid" in rest or (TELLING.search(rest) and _rendered(rest, False) != _rendered(rest, True)) else source


def _without_listed_tags(source: str) -> str:
    """`source` without the tags that may stay as they are. A tag that would end one of the page's own boxes is none of them."""
    begun: Counter[str] = Counter()

    def listed(found: re.Match[str]) -> str:
        closes, tag, parts = found[1], found[2].lower(), found[3]
        begun[tag] += -1 if closes else 1
        given = [(name.lower(), "".join(values)) for name, *values in PART.findall(parts)]
        allowed = (
            tag in TAGS - {"input"}
            and begun[tag] >= 0
            and not (closes and given)
            and all(
                name != "id"
                and name in ATTRIBUTES["*"] | ATTRIBUTES.get(tag, set())
                and attribute_of(tag, name, value) is not None
                and (name != "style" or (styles_of(value) or "").count(";") == value.strip().rstrip(";").count(";"))
                for name, value in given
            )
        )
        return "" if allowed else found[0]

    return TAG.sub(listed, source)


class Pasted(dict[str, dict[str, str]]):
    """Pictures that were pasted into a cell. One that is missing is an empty picture, where nbconvert stops."""

    def __contains__(self, name: object) -> bool:
        return True

    def __missing__(self, name: str) -> dict[str, str]:
        return {"image/png": ""}


class _Strict(IPythonRenderer):
    """Turns HTML into text, and leaves no address but those that may stay."""

    def sanitize_url(self, url: str) -> str:
        return super().sanitize_url(url if link_of(url) or picture_of(url) else "#refused")


def _rendered(source: str, strict: bool) -> str:
    """Markdown as nbconvert renders it, or strictly; both are the same where it holds no HTML and no strange address."""
    renderer = (_Strict if strict else IPythonRenderer)(escape=strict, attachments=Pasted())
    return MarkdownWithMath(renderer=renderer).render(source)


class CleanOutputs(NbGraderPreprocessor):
    """For pages that clean their text themselves, as `c.HTMLExporter.preprocessors`."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Clean outputs and metadata."""
        return harmless(nb, texts=False), resources


def harmless(nb: NotebookNode, texts: bool = True) -> NotebookNode:
    """`nb`, changed so that a page of it has nothing to run or to ask for.

    Args:
        texts: also make Markdown harmless by itself, for pages that do not clean it.
    """
    nb.metadata = from_dict({name: words for name, wanted in KERNEL.items() if wanted <= (words := _words(nb.metadata.get(name))).keys()})
    for cell in nb.cells:
        _clean_cell(cell)
        if texts and cell.cell_type == "markdown":
            cell.source = _with_pictures(harmless_text(cell.source), cell.get("attachments", {}))
    return nb


def _with_pictures(source: str, pasted: dict[str, Any]) -> str:
    """Markdown as it is where every pasted picture that it names is there: nbconvert makes no page at all of one that names another."""
    return source if all(name in pasted for name in NAMED.findall(source)) else as_written(source, NO_PICTURE)


def harmless_and_plain(nb: NotebookNode) -> NotebookNode:
    """`nb` with as little to parse as can be, for a notebook that keeps whatever renders it busy for ever."""
    nb = harmless(nb, texts=False)
    for cell in nb.cells:
        cell.pop("attachments", None)
        cut = cell.source[:MOST_PLAIN] + (CUT if len(cell.source) > MOST_PLAIN else "")
        if cell.cell_type == "markdown":
            cell.source = as_written(cut, TOO_LONG)
            continue
        cell.source = cut
        if cell.cell_type == "code":
            cell.outputs = [_output("stream", name="stdout", text=_text_of(output)) for output in cell.outputs[:MOST_OUTPUTS]]
    return nb


def _text_of(output: NotebookNode) -> str:
    text = output.get("text") or output.get("evalue") or output.get("data", {}).get("text/plain")
    text = ANSI.sub("", (text or NOT_SHOWN.format(kinds="picture or HTML"))[:MOST_PLAIN])
    return text if len(text) < MOST_PLAIN else text + CUT


def _clean_cell(cell: NotebookNode) -> None:
    metadata = cell.metadata
    tags = metadata.get("tags")
    cell.metadata = from_dict(
        {
            **{name: metadata[name] for name in ("deletable", "editable", "collapsed") if isinstance(metadata.get(name), bool)},
            **({"tags": kept} if isinstance(tags, list) and (kept := [tag for tag in tags if _is_word(tag)]) else {}),
            **({"nbgrader": known} if isinstance(own := metadata.get("nbgrader"), dict) and (known := _scalars(own)) else {}),
        }
    )
    if "id" in cell and not (isinstance(cell.id, str) and re.fullmatch(r"[\w-]{1,64}", cell.id, re.ASCII)):
        cell.id = nbbase.random_cell_id()
    if cell.cell_type == "code":
        cell.execution_count = cell.execution_count if isinstance(cell.get("execution_count"), int) else None
        cell.outputs = [clean for output in cell.outputs if (clean := _clean_output(output, cell.execution_count))]
        return
    if pictures := _attachments(cell.pop("attachments", None)):
        cell["attachments"] = pictures


def _output(kind: str, **fields: Any) -> NotebookNode:
    """An output of which all fields are known to fit: to look at each of them by nbformat's schema takes longer than all the rest."""
    return NotebookNode(output_type=kind, **fields)


def _clean_output(output: NotebookNode, count: int | None) -> NotebookNode | None:
    kind = output.get("output_type")
    if kind == "stream":
        name = "stderr" if output.get("name") == "stderr" else "stdout"
        return _output("stream", name=name, text=str(output.get("text", "")))
    if kind == "error":
        return _output(
            "error",
            ename=str(output.get("ename", "")),
            evalue=str(output.get("evalue", "")),
            traceback=[str(line) for line in output.get("traceback", [])],
        )
    if kind not in ("display_data", "execute_result"):
        return None
    given, about = output.get("data") or {}, output.get("metadata") or {}
    data = {kind: value for kind in given if (value := _clean_data(kind, given[kind])) is not None}
    if given and not data:
        data = {"text/plain": NOT_SHOWN.format(kinds=", ".join(sorted(kind for kind in given if re.fullmatch(r"[\w.+/-]{1,80}", kind))))}
    sizes = {kind: size for kind in data if kind in PICTURES and (size := _sizes(about, kind))}
    more = {"execution_count": count} if kind == "execute_result" else {}
    return _output(kind, data=from_dict(data), metadata=from_dict(sizes), **more)


def _clean_data(kind: str, value: Any) -> str | None:
    """A representation of an output as it may stay; None where pages do without."""
    if isinstance(value, list):
        value = "".join(part for part in value if isinstance(part, str))
    if not isinstance(value, str):
        return None
    if kind in PICTURES:
        return value if BASE64.fullmatch(value) else None
    if kind == "text/html":
        return clean(value)
    if kind == "text/markdown":
        return _with_pictures(harmless_text(value), {})
    return value if kind in TEXTS else None


def _sizes(about: dict[str, Any], kind: str) -> dict[str, Any]:
    """Size and description of a picture. nbconvert writes the sizes without quotes."""
    own = about.get(kind)
    own = own if isinstance(own, dict) else {}
    sizes = {name: own.get(name, about.get(name)) for name in ("width", "height")}
    kept: dict[str, Any] = {name: size for name, size in sizes.items() if isinstance(size, (int, float, str)) and SIZE.fullmatch(str(size))}
    alt = own.get("alt", about.get("alt"))
    return {**kept, "alt": alt[:1000]} if isinstance(alt, str) else kept


def _attachments(given: Any) -> dict[str, dict[str, str]]:
    if not isinstance(given, dict):
        return {}
    kept = {
        name: {kind: value for kind, value in kinds.items() if kind in PICTURES and isinstance(value, str) and BASE64.fullmatch(value)}
        for name, kinds in given.items()
        if isinstance(kinds, dict)
    }
    return from_dict({name: kinds for name, kinds in kept.items() if kinds})


def _is_word(value: Any) -> bool:
    return isinstance(value, str) and WORD.fullmatch(value) is not None


def _words(given: Any) -> dict[str, str]:
    return (
        {name: value for name, value in given.items() if isinstance(value, str) and re.fullmatch(r"[\w.+ ()-]{1,80}", value)}
        if isinstance(given, dict)
        else {}
    )


def _scalars(given: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value
        for name, value in given.items()
        if value is None or isinstance(value, (bool, int, float)) or (isinstance(value, str) and escape(value) == value)
    }
