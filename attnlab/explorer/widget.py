"""The explorer in Jupyter."""

from __future__ import annotations

from typing import Any

from attnlab.explorer.pages import source, style
from attnlab.explorer.runs import run, still
from attnlab.figures.picture import Picture, WithWidget
from attnlab.training.live import in_notebook

RENDER = "\nexport default { render({ model, el }) { begin(model.get('run'), el); } };\n"


def explore(name: str) -> Picture | WithWidget:
    """Attention to play with: edit the tokens, choose a query, move scores, switch heads off, go through the steps of a training.

    Where widgets cannot be shown, it is a picture of what it begins with.

    Args:
        name: of a stored run, for example "next letter".

    Raises:
        ValueError: there is no such run; the message names those that there are.
    """
    picture = still(name)
    return WithWidget(_widget(run(name)), picture) if in_notebook() else picture


def _widget(shown: dict[str, Any]) -> Any:
    import anywidget  # here, so that lessons do not wait for it before they use it
    import traitlets

    class Explorer(anywidget.AnyWidget):
        """Everything happens in the browser; the kernel only says what is shown."""

        _esm = source() + RENDER
        _css = style()
        run = traitlets.Dict().tag(sync=True)

    return Explorer(run=shown)
