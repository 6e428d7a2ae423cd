"""The link bridge: what the page's address asks to be shown, and buttons that copy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anywidget
import traitlets


class LinkBridge(anywidget.AnyWidget):
    """Tell Python the ``?ck=`` of the page's address, once a tab; copy links and code.

    Parameters
    ----------
    code : callable
        Returns the code that is copied.
    **kwargs
        Traits.

    Examples
    --------
    >>> LinkBridge(lambda: "import combatkit", text="1.abc").opened
    ''
    """

    _esm = Path(__file__).with_name("link.js")

    text = traitlets.Unicode(help="Of a link to what is shown; empty: none.").tag(sync=True)
    opened = traitlets.Unicode(help="Text of the link the page was opened by.").tag(sync=True)
    binder = traitlets.Unicode(help="A link on Binder; empty where no fork is named.").tag(
        sync=True
    )

    def __init__(self, code: Callable[[], str], **kwargs: Any) -> None:
        self._code = code
        super().__init__(**kwargs)
        self.on_msg(self._answer)

    def _answer(self, _widget: object, content: dict[str, Any], _buffers: object) -> None:
        if content.get("type") == "code":
            self.send({"type": "code", "code": self._code()})
