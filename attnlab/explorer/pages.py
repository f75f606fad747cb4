"""The explorer on a page without Jupyter: the same JavaScript, as a script that also works from a file."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

from attnlab.explorer.runs import run, still
from attnlab.figures.colours import KEY, NEUTRAL, NO_WEIGHT, QUERY, SCORE, VALUE, WEIGHT

PARTS = (
    "attention.js",
    "right.js",
    "pieces.js",
    "address.js",
    "tools.js",
    "stories.js",
    "controls.js",
    "way.js",
    "maps.js",
    "letters.js",
    "explorer.js",
)
HIDEABLE = ("about", "tools", "stories", "tokens", "training", "heads", "options", "matrix", "lines", "way", "result")
STYLE = "explorer.css"
ALONE = "embed.html"  # the page that is one explorer: website/embedding.py makes it
CLASS = "attn-explorer"
EXPLORES = re.compile(r"""^explore\("([^"]+)"\)$""", re.MULTILINE)  # a notebook's cell


@cache
def source() -> str:
    """The JavaScript, without what makes it start."""
    parts = (files(__package__).joinpath(part).read_text(encoding="utf-8") for part in PARTS)
    return "\n".join([f"const HIDEABLE = {json.dumps(HIDEABLE)}; // parts that a page can leave out", *parts])


@cache
def style() -> str:
    """The style sheet, with the colours of the pictures before it."""
    colours = {"query": QUERY, "key": KEY, "value": VALUE, "score": SCORE, "weight": WEIGHT, "no-weight": NO_WEIGHT, "neutral": NEUTRAL}
    named = "; ".join(f"--{name}: {colour}" for name, colour in colours.items())
    return f".attn {{ {named}; }}\n{files(__package__).joinpath(STYLE).read_text(encoding='utf-8')}"


def script() -> str:
    """What a page loads: it puts an explorer in the place of each `embedded`. No module, which browsers do not load from files."""
    start = f"""
for (const place of document.querySelectorAll(".{CLASS}")) {{
  const stored = document.getElementById(place.dataset.run);
  const hide = (place.dataset.hide ?? "").split(" ").filter(Boolean);
  begin(JSON.parse(stored.textContent), place, {{ hide, state: place.dataset.state, embed: here && new URL("../{ALONE}", here).href }});
}}
for (const place of document.querySelectorAll("[data-runs]")) openAddress(place, here);"""
    return f"""{{
const here = document.currentScript.src; // empty where the script stands in the page
document.addEventListener("DOMContentLoaded", () => {{
{source()}{start}
}});
}}
"""


def embedded(name: str, hidden: Iterable[str] = (), state: str = "") -> str:
    """HTML for a page: a picture with its text, and the run, with which `script` makes an explorer of it.

    Args:
        name: of the run.
        hidden: parts that are left out, of `HIDEABLE`.
        state: what it begins with, as the address of `embed.html` has it after the run: "tokens=dog+eats+meat&query=0".

    Raises:
        ValueError: there is no such run, or no such part.
    """
    if strange := set(hidden) - set(HIDEABLE):
        raise ValueError(f"there is no part {', '.join(sorted(strange))} to hide: choose from {', '.join(HIDEABLE)}")
    key = f"run-{html.escape(name).replace(' ', '-')}"
    begins = "".join(f' data-{what}="{html.escape(value)}"' for what, value in (("hide", " ".join(hidden)), ("state", state)) if value)
    stored = as_script(run(name))
    picture = still(name)._repr_mimebundle_()["text/html"]
    return f'<div class="{CLASS}" data-run="{key}"{begins}>{picture}</div><script type="application/json" id="{key}">{stored}</script>'


def as_script(shown: dict[str, Any]) -> str:
    """JSON of which nothing ends the element that it stands in."""
    return json.dumps(shown, separators=(",", ":")).replace("<", "\\u003c")
