"""HTML that students write, as it may stay in a page.

The lists say what is allowed, never what is forbidden. HTML goes through nh3, which parses as browsers do. A page that asks for
nothing elsewhere needs more than a list of tags: the values of `style`, `class`, `id`, `src` and `href` have rules of their own.
"""

from __future__ import annotations

import re
from functools import lru_cache

import nh3
from pygments.token import STANDARD_TYPES

MOST_KEPT = 256
TABLES = {"table", "caption", "colgroup", "col", "thead", "tbody", "tfoot", "tr", "th", "td"}
TAGS = TABLES | {
    "a",
    "abbr",
    "b",
    "blockquote",
    "br",
    "center",
    "cite",
    "code",
    "dd",
    "del",
    "details",
    "dfn",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "font",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "i",
    "img",
    "input",
    "ins",
    "kbd",
    "li",
    "mark",
    "ol",
    "p",
    "pre",
    "q",
    "s",
    "samp",
    "small",
    "span",
    "strike",
    "strong",
    "sub",
    "summary",
    "sup",
    "tt",
    "u",
    "ul",
    "var",
}
REMOVED_WHOLE = {"script", "style", "template", "noscript", "iframe", "object", "embed", "math", "svg", "textarea", "select", "title"}
ATTRIBUTES = {
    "*": {"class", "id", "title", "style", "align", "dir", "lang"},
    "a": {"href"},
    "img": {"src", "alt", "width", "height"},
    "details": {"open"},
    "font": {"color", "size"},
    "ol": {"start", "type"},
    "table": {"border", "width"},
    "col": {"span", "width"},
    "th": {"scope", "colspan", "rowspan", "valign", "width"},
    "td": {"colspan", "rowspan", "valign", "width"},
    "input": {"checked"},
}
# Nothing that lifts a box out of its place, and nothing that loads a file.
PROPERTIES = [
    "align",
    "appearance",
    "background",
    "background-color",
    "border",
    "box-sizing",
    "caption-side",
    "clear",
    "color",
    "color-scheme",
    "column-gap",
    "contain",
    "display",
    "flex",
    "float",
    "font",
    "gap",
    "grid",
    "height",
    "isolation",
    "justify",
    "letter-spacing",
    "line-height",
    "list-style",
    "margin",
    "max-height",
    "max-width",
    "min-height",
    "min-width",
    "opacity",
    "overflow",
    "padding",
    "row-gap",
    "table-layout",
    "text-(?!shadow)",
    "vertical-align",
    "visibility",
    "white-space",
    "width",
    "word-break",
    "word-spacing",
    "word-wrap",
]
STYLES = re.compile(rf"(?:-webkit-)?(?:{'|'.join(PROPERTIES)})(?:-?[a-z-]{{1,40}})?", re.ASCII)
FUNCTIONS = {"rgb", "rgba", "hsl", "hsla", "calc", "min", "max", "clamp", "minmax", "repeat", "linear-gradient", "repeating-linear-gradient"}
CALLED = re.compile(r"([\w-]{0,40})\(", re.ASCII)
NEGATIVE = re.compile(r"(?<![\w.])-\s*[\d.(]", re.ASCII)  # would lift a box onto its neighbours
CLASSES = {name for name in STANDARD_TYPES.values() if name} | {
    "highlight",
    "hl-ipython3",
    "hl-python",
    "hll",
    "dataframe",
    "table",
    "table-condensed",
    "table-striped",
    "table-bordered",
    "anchor-link",
    "task-list-item",
    "alert",
    "alert-info",
    "alert-success",
    "alert-warning",
    "alert-danger",
    "alert-block",
}
DATA = re.compile(r"data:image/(?:png|jpeg|gif|webp|svg\+xml);base64,", re.IGNORECASE)
FILE = re.compile(r"(?![./])[\w ./%()+-]{1,300}\.(?:png|jpe?g|gif|webp|svg)", re.IGNORECASE)
BESIDE = re.compile(r"(?:\.\./)?(?![./])[\w ./%()+-]{1,300}\.(?:csv|gif|ipynb|jpe?g|json|md|pdf|png|py|tsv|txt|webp)", re.IGNORECASE)
LINK = re.compile(r"(?:https?://|mailto:)[^\x00-\x20<>\"'\\]{1,2000}", re.IGNORECASE)
OWN = "text-"  # before an id that a student chose: the page and its scripts have ids of their own
BASE64 = re.compile(r"[A-Za-z0-9+/=\s]*")
CONTAINED = '<div style="contain: paint; isolation: isolate">{html}</div>'  # nothing in it is painted outside of it


def styles_of(text: str) -> str | None:
    if "\\" in text or "/*" in text or "&" in text:
        return None
    kept = []
    for declaration in text.split(";"):
        name, found, value = declaration.partition(":")
        if (
            found
            and STYLES.fullmatch(name.strip().lower())
            and not NEGATIVE.search(value)
            and all(called.lower() in FUNCTIONS for called in CALLED.findall(value))
            and not set(value) & set('<>{}@"')
        ):
            kept.append(f"{name.strip()}:{value.strip()}")
    return ";".join(kept) or None


def link_of(target: str) -> str | None:
    if target.startswith("#"):
        return f"#{_own_id(target[1:])}"
    return target if LINK.fullmatch(target) or (BESIDE.fullmatch(target) and ".." not in target.removeprefix("../")) else None


def _own_id(name: str) -> str:
    return name if name.startswith(OWN) else OWN + name


def picture_of(source: str) -> str | None:
    if DATA.match(source) and BASE64.fullmatch(source.partition(",")[2]):
        return source
    return source if FILE.fullmatch(source) and ".." not in source else None


def attribute_of(tag: str, name: str, value: str) -> str | None:
    """The value that an allowed attribute keeps, or None."""
    if name == "style":
        return styles_of(value)
    if name == "class":
        return " ".join(word for word in value.split() if word in CLASSES) or None
    if name == "id":
        return _own_id(value)
    if name == "href":
        return link_of(value)
    if name == "src":
        return picture_of(value)
    return value


_CLEANER = nh3.Cleaner(
    tags=TAGS,
    clean_content_tags=REMOVED_WHOLE,
    attributes=ATTRIBUTES,
    attribute_filter=attribute_of,
    link_rel="noopener noreferrer nofollow",
    url_schemes={"http", "https", "mailto", "data"},
    set_tag_attribute_values={"input": {"type": "checkbox", "disabled": ""}},
)


@lru_cache(MOST_KEPT)
def clean(html: str) -> str:
    """`html` with what is on the lists; all else is gone, its text kept where that is text."""
    return _CLEANER.clean(html)
