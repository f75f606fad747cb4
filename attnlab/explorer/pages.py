"""The explorer on a page without Jupyter: the same JavaScript, as a script that also works from a file."""

from __future__ import annotations

import html
import json
import re
from functools import cache
from importlib.resources import files

from attnlab.explorer.runs import run, still
from attnlab.figures.colours import KEY, NEUTRAL, NO_WEIGHT, QUERY, SCORE, VALUE, WEIGHT

PARTS = ("attention.js", "pieces.js", "controls.js", "way.js", "maps.js", "letters.js", "explorer.js")
STYLE = "explorer.css"
CLASS = "attn-explorer"
EXPLORES = re.compile(r"""^explore\("([^"]+)"\)$""", re.MULTILINE)  # a notebook's cell


@cache
def source() -> str:
    """The JavaScript, without what makes it start."""
    return "\n".join(files(__package__).joinpath(part).read_text(encoding="utf-8") for part in PARTS)


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
  begin(JSON.parse(stored.textContent), place);
}}"""
    return f'document.addEventListener("DOMContentLoaded", () => {{\n{source()}{start}\n}});\n'


def embedded(name: str) -> str:
    """HTML for a page: a picture with its text, and the run, with which `script` makes an explorer of it.

    Raises:
        ValueError: there is no such run.
    """
    key = f"run-{html.escape(name).replace(' ', '-')}"
    stored = json.dumps(run(name), separators=(",", ":")).replace("<", "\\u003c")  # nothing in it ends the element
    picture = still(name)._repr_mimebundle_()["text/html"]
    return f'<div class="{CLASS}" data-run="{key}">{picture}</div><script type="application/json" id="{key}">{stored}</script>'
