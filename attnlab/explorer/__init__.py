"""Attention to play with: `explore("next letter")` shows it in a notebook, and the site shows the same, by the JavaScript beside this file."""

from attnlab.explorer.pages import embedded, script, style
from attnlab.explorer.runs import names_of_runs, run, still
from attnlab.explorer.widget import explore

__all__ = ["embedded", "explore", "names_of_runs", "run", "script", "still", "style"]
