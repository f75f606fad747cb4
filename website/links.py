"""Links of the project's texts, which lead to files, made to lead to pages."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping

LINK = re.compile(r"(?P<picture>!?)\[(?P<text>(?:[^\[\]`\n]|\n(?!\n)|`[^`\n]+`)*)\]\((?P<to>[^()\s#]*)(?P<anchor>#[^()\s]*)?\)")
CODE = re.compile(r"(?ms)^ *(```|~~~).*?^ *\1|`[^`\n]+`")
ELSEWHERE = re.compile(r"[a-z]+:")


def redirect(text: str, file: str, page: str, pages: Mapping[str, str]) -> str:
    """The text with its links changed: to a page where there is one for the file, else to no link at all.

    Args:
        text: Markdown.
        file: where it stands in the project, for example "nbjudge/README.md".
        page: the page that it becomes.
        pages: for files of the project, the pages that they become.
    """
    code = [found.span() for found in CODE.finditer(text)]

    def changed(found: re.Match[str]) -> str:
        to = found["to"]
        if not to or ELSEWHERE.match(to) or any(begin <= found.start() and found.end() <= end for begin, end in code):
            return found[0]
        target = posixpath.normpath(posixpath.join(posixpath.dirname(file), to))
        if target not in pages:
            return found["text"]
        away = posixpath.relpath(pages[target], posixpath.dirname(page) or ".")
        return f"{found['picture']}[{found['text']}]({away}{found['anchor'] or ''})"

    return LINK.sub(changed, text)


def sections(text: str, *wanted: str) -> str:
    """Parts of a text, each from its heading to the next one of the same level.

    Raises:
        KeyError: no heading is called so.
    """
    parts = re.split(r"(?m)^(?=## )", text)
    by_name = {part.splitlines()[0].removeprefix("## "): part for part in parts if part.startswith("## ")}
    return "\n".join(by_name[name].strip() + "\n" for name in wanted)
