"""A piece of HTML that screen readers announce whenever it changes."""

from __future__ import annotations

import anywidget
import traitlets


class LiveHTML(anywidget.AnyWidget):
    """Show HTML in an element that stays while its content changes, which is what gets announced.

    An ``ipywidgets.HTML`` would put the live region itself in anew each time.

    Examples
    --------
    >>> LiveHTML(value="<b>85 %</b>").value
    '<b>85 %</b>'
    """

    _esm = """
    function render({ model, el }) {
      el.setAttribute("role", "status");  // implies aria-live="polite"
      el.setAttribute("aria-live", "polite");
      el.setAttribute("aria-atomic", "true");
      const show = () => (el.innerHTML = model.get("value"));
      model.on("change:value", show);
      show();
    }
    export default { render };
    """

    value = traitlets.Unicode(help="HTML; people's words in it escaped.").tag(sync=True)
