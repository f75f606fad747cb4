"""The page that is one explorer, for frames in other pages. Its address says which run it shows, and what is chosen."""

from __future__ import annotations

import html
import json
from pathlib import Path

from attnlab.explorer import names_of_runs, run
from attnlab.explorer.pages import ALONE, as_script
from attnlab.explorer.runs import path_of

PAGE = Path(__file__).with_name(ALONE)
STATIC = "_static"  # where the site has the script and the style sheet
FOLDER = f"{STATIC}/runs"


def alone() -> dict[str, str]:
    """The page, and each run as a script that it loads: files by their paths in the site."""
    names = {name: f"{FOLDER}/{path_of(name).stem}.js" for name in names_of_runs()}
    runs = {path: f"window.attentionRun = {as_script(run(name))};\n" for name, path in names.items()}
    listed = html.escape(json.dumps({name: path.removeprefix(f"{STATIC}/") for name, path in names.items()}))
    return {ALONE: PAGE.read_text(encoding="utf-8").replace("{runs}", listed), **runs}
