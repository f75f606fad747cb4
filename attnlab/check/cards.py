"""How messages look: cards of HTML where a person works in the notebook, text where it only runs, as in grading, in Validate and in tests."""

from __future__ import annotations

import html
import re
import sys
from types import TracebackType
from typing import TYPE_CHECKING

from attnlab import history
from attnlab.check import undefined
from attnlab.diagnosis.cause import CheckFailed
from attnlab.diagnosis.limits import CodeTimeoutError

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

RED, GREEN, GREY = "#b3261e", "#1a7f37", "#59636e"
COLOURS = {"✗": RED, "✓": GREEN}  # anything else is neutral
WIDEST = "46em"
LABEL = "display:inline-block;width:6em;text-indent:0;font-weight:600"
IN_BROWSER = sys.platform == "emscripten"  # Python that runs in a page, as the site's notebooks do
_CODE = re.compile(r"`([^`]+)`")
_TITLE = re.compile(r"(?<![\w*])\*([A-Z][\w ]*\w)\*")  # of a help in the exercise's card, as in Markdown


def show_cards(shell: InteractiveShell | None = None) -> None:
    """From now on, show what a check refuses without a traceback, and explain names that are missing in a line that calls one.

    A handler that somebody else has set keeps its exceptions, and gets each NameError that is none of ours if it asked for them. Outside of
    IPython, nothing happens.

    Args:
        shell: the IPython shell; by default the one that runs.
    """
    shell = shell or history.running_shell()
    if shell is None:
        return
    history.watch(shell)
    theirs, their_handler = shell.custom_exceptions, shell.CustomTB

    def show(
        shell: InteractiveShell, kind: type[BaseException], error: BaseException, trace: TracebackType, tb_offset: int | None = None
    ) -> list[str] | None:
        said = _said(error, trace, shell)
        if said is None and theirs and isinstance(error, theirs):
            return their_handler(kind, error, trace, tb_offset)
        if said and somebody_reads(shell):
            if not IN_BROWSER:  # there, whatever is noted as an error ends "Run All", also behind a cell that is tagged
                vars(shell)["_last_traceback"] = str(said).splitlines()  # that is what Jupyter's kernel answers, beside the outputs
            tell(card_of(said), str(said))
            return None
        if said:
            vars(error)["_render_traceback_"] = lambda: str(said).splitlines()  # IPython prints this instead of the stack
        shell.showtraceback((kind, error, trace), tb_offset=tb_offset, running_compiled_code=True)
        return None

    ours = (NameError, CheckFailed, CodeTimeoutError)
    shell.set_custom_exc((*theirs, *(kind for kind in ours if kind not in theirs)), show)


def somebody_reads(shell: InteractiveShell | None = None) -> bool:
    """Whether a person works in the notebook: whoever runs this cell can be asked for input. Nobody can in nbclient, by which nbgrader works."""
    kernel = getattr(shell or history.running_shell(), "kernel", None)
    return bool(getattr(kernel, "_allow_stdin", IN_BROWSER and kernel))


def tell(body: str, text: str) -> None:
    """Show HTML to a person; print the text where nobody reads."""
    if somebody_reads():
        from IPython.display import display  # here, so that Python alone does not load it

        display({"text/html": body, "text/plain": text}, raw=True)
    else:
        print(text)


def card(headline: str, mark: str, marks: str = "", rows: dict[str, str] | None = None) -> str:
    """A card as HTML that keeps its look without style sheets, on a light and on a dark page.

    Args:
        headline: what it is about, a comma or colon, and where that stands.
        mark: "✗", "✓" or "○", which decides the colour.
        marks: which parts of a large exercise stand, as `CheckFailed` has them.
        rows: what is said, by its label.
    """
    colour = COLOURS.get(mark, GREY)
    name, where, *_ = *re.split(r"[,:] ", headline, maxsplit=1), ""
    lines = [f'<div style="margin:0 0 4px">{chip(f"{mark} {name}", colour)} {in_html(where)}</div>']
    if marks:
        parts = (chip(part, COLOURS.get(part[0], GREY)) for part in marks.split(", "))
        lines.append(f'<div style="margin:0 0 4px">{" ".join(parts)}</div>')
    lines += [
        f'<div style="margin:2px 0 0;padding-left:6em;text-indent:-6em"><span style="{LABEL}">{label}</span>{in_html(text)}</div>'
        for label, text in (rows or {}).items()
    ]
    return f'<div style="border-left:4px solid {colour};padding:2px 0 2px 12px;max-width:{WIDEST};overflow-wrap:break-word">{"".join(lines)}</div>'


def card_of(said: CheckFailed) -> str:
    """What a check refuses, as a card."""
    return card(said.headline, said.mark, said.marks, said.diagnosis.texts())


def in_html(text: str) -> str:
    """Words of a message as HTML, with code and the titles of helps as such."""
    return _TITLE.sub(r"<em>\1</em>", _CODE.sub(r"<code>\1</code>", html.escape(text)))


def chip(text: str, colour: str) -> str:
    """A text in white on a colour."""
    return f'<span style="background:{colour};color:#fff;border-radius:3px;padding:1px 7px;white-space:nowrap">{html.escape(text)}</span>'


def _said(error: BaseException, trace: TracebackType, shell: InteractiveShell) -> CheckFailed | None:
    """What there is to say instead of a traceback; None where that is nothing of ours."""
    if isinstance(error, CheckFailed):
        return error
    if isinstance(error, CodeTimeoutError):
        return CheckFailed("not drawn", error.diagnosis)
    return undefined.explained(error, trace, shell) if type(error) is NameError else None
