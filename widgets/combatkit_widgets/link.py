"""The link bridge: what the page's address asks to be shown, and buttons that copy and save."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from combatkit.errors import CombatkitError


class LinkBridge(anywidget.AnyWidget):
    """Tell Python the ``?ck=`` of the page's address, once a tab; copy links and code.

    Parameters
    ----------
    code : callable
        Returns the code that is copied.
    page : callable
        Returns the HTML page that is saved.
    **kwargs
        Traits.

    Examples
    --------
    >>> LinkBridge(lambda: "import combatkit", lambda: "<p>85 %</p>", text="1.abc").opened
    ''
    """

    _esm = Path(__file__).with_name("link.js")

    text = traitlets.Unicode(help="Of a link to what is shown; empty: none.").tag(sync=True)
    why_not = traitlets.Unicode(help="Why there is no link.").tag(sync=True)
    opened = traitlets.Unicode(help="Text of the link the page was opened by.").tag(sync=True)
    binder = traitlets.Unicode(help="A link on Binder; empty where no fork is named.").tag(
        sync=True
    )

    def __init__(self, code: Callable[[], str], page: Callable[[], str], **kwargs: Any) -> None:
        self._code, self._page = code, page
        super().__init__(**kwargs)
        self.on_msg(self._answer)

    def _answer(self, _widget: object, content: dict[str, Any], _buffers: object) -> None:
        try:
            if content.get("type") == "code":
                self.send({"type": "code", "code": self._code()})
            elif content.get("type") == "page":
                self.send({"type": "page"}, [self._page().encode()])
        except CombatkitError as error:
            self.send({"type": "problem", "text": str(error)})
