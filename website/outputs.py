"""What cells show, made fit for somebody who only reads: no title says "yours", and plots keep letters that can be read on a phone."""

from __future__ import annotations

import base64
import copy
import html
import re

from nbformat import NotebookNode

from attnlab.figures.comparison import EQUALS, RESULT, RESULT_FOR

FOR_READERS = {EQUALS: "a right answer equals the target", RESULT: "the result", RESULT_FOR: "The result for"}
ITS_TITLE = re.compile("|".join(map(re.escape, map(html.escape, FOR_READERS))))
PLOT = re.compile(r'<img style="(?P<style>[^"]*)"(?P<more>[^>]*?src="data:image/svg\+xml;base64,(?P<data>[^"]+)")')
CAPTION = re.compile(r"<figcaption>.*?</figcaption>", re.DOTALL)
CODE = re.compile(r"`([^`]+)`")
WIDTH = re.compile(rb'<svg[^>]*?\bwidth="([\d.]+)pt"')
PIXELS_OF_A_POINT = 4 / 3


def for_readers(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """The outputs with words for readers, and with the own width of each plot, which `course.css` uses."""
    outputs = copy.deepcopy(outputs)
    for output in outputs:
        if shown := output.get("data", {}).get("text/html"):
            output.data["text/html"] = PLOT.sub(_with_width, with_words_for_readers(shown))
    return outputs


def with_words_for_readers(picture: str) -> str:
    """A picture's HTML with the titles of comparisons changed, and with code in its caption as code."""
    picture = ITS_TITLE.sub(lambda found: FOR_READERS[html.unescape(found[0])], picture)
    return CAPTION.sub(lambda found: CODE.sub(r"<code>\1</code>", found[0]), picture)


def _with_width(found: re.Match[str]) -> str:
    width = WIDTH.search(base64.b64decode(found["data"]))
    if not width:
        return found[0]
    return f'<img style="{found["style"]};--own:{round(float(width[1]) * PIXELS_OF_A_POINT)}px"{found["more"]}'
