"""Plotly figures as a light widget: however many a page shows, plotly.js reaches it once."""

from __future__ import annotations

import gzip
import json
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from combatkit.errors import CombatkitError

if TYPE_CHECKING:
    import plotly.graph_objects as go


class FigureView(anywidget.AnyWidget):
    """Show a Plotly figure and redraw it in place when it changes.

    It fills the width of its container, waits in a hidden tab until that is shown, and says in
    words what it cannot draw. Unlike a plotly ``FigureWidget`` it carries no copy of plotly.js:
    the page asks the kernel for the installed one when it draws its first figure.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure or dict, optional
        What to draw; see `show`.
    alt : str, optional
        What the figure shows, in words: for screen readers and for viewers without a kernel.
    **kwargs
        Traits of any ipywidget, such as ``layout``.

    Examples
    --------
    >>> view = FigureView({"data": [{"type": "bar", "y": [1, 2]}]}, alt="Two bars")
    >>> view.figure["data"][0]["y"]
    [1, 2]
    >>> view.alt
    'Two bars'
    """

    _esm = Path(__file__).with_name("figure_view.js")
    # A class rule, since ipywidgets manages the inline style; in a row, views share the width.
    _css = ".combatkit-figure-view { width: 100%; min-width: 0; overflow: hidden; }"

    figure = traitlets.Dict().tag(sync=True)
    alt = traitlets.Unicode().tag(sync=True)

    def __init__(
        self, figure: go.Figure | dict[str, Any] | None = None, alt: str = "", **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.on_msg(self._send_plotly_js)
        if figure is None:
            self.alt = alt
        else:
            self.show(figure, alt)

    def show(self, figure: go.Figure | dict[str, Any], alt: str = "") -> None:
        """Replace the figure on every page that shows this view.

        Parameters
        ----------
        figure : plotly.graph_objects.Figure or dict
            A figure, or a dictionary with its ``data`` and ``layout``. Leave
            ``layout.transition.duration`` alone: at 0 plotly.js does not redraw.
        alt : str, optional
            What the figure shows, in words.

        Raises
        ------
        CombatkitError
            If it is neither.

        Examples
        --------
        >>> view = FigureView()
        >>> view.show({"data": [], "layout": {"height": 200}}, alt="Nothing yet")
        >>> view.show("bars")
        Traceback (most recent call last):
        combatkit.errors.CombatkitError: a FigureView shows a plotly Figure or a dict, not a str
        """
        if not isinstance(figure, dict) and not hasattr(figure, "to_plotly_json"):
            kind = type(figure).__name__
            raise CombatkitError(f"a FigureView shows a plotly Figure or a dict, not a {kind}")
        from plotly.io.json import to_json_plotly

        with self.hold_sync():  # one message for both
            # Through plotly's own JSON, which knows arrays, dates and "not a number".
            self.figure = json.loads(to_json_plotly(figure))
            self.alt = alt

    def _send_plotly_js(self, _widget: object, content: dict[str, Any], _buffers: object) -> None:
        if content.get("type") == "need plotly.js":
            from plotly.offline import get_plotlyjs

            # A third of the size: Jupyter's own connection does not compress.
            self.send({"type": "plotly.js"}, [gzip.compress(get_plotlyjs().encode(), 6)])

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle
        words = escape(self.alt or "A figure: run the notebook to see it.")
        return {**data, "text/html": f"<p>{words}</p>"}, metadata
