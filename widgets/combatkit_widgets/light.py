"""Light widgets: few messages to the page, since each of them delays the first picture."""

from __future__ import annotations

from typing import Any

import ipywidgets as W

_looks: dict[tuple[type, str], Any] = {}


def light(
    kind: type, *args: Any, classes: tuple[str, ...] = (), hide: bool = False, **traits: Any
) -> Any:
    """Make a widget whose layout and style are those of all its like, in one message.

    Parameters
    ----------
    kind : type
        Any class of ipywidgets.
    *args
        Content of a box, value of a text.
    classes : tuple of str
        CSS classes.
    hide : bool
        Whether it takes no room until :func:`show_if` shows it.
    **traits
        Other traits of the widget.

    Examples
    --------
    >>> one, two = light(W.Text, description="Name"), light(W.Text, classes=("ck-field",))
    >>> one.layout is two.layout, one.style is two.style, two.tooltip
    (True, True, '')
    """
    known = kind.class_traits()  # type: ignore[attr-defined]
    looks = {name: _look(known[name].klass) for name in ("layout", "style") if name in known}
    if hide:
        looks["layout"] = _look(W.Layout, "none")
    # without a tooltip the page would say "null"
    return kind(*args, **{"tooltip": "", "_dom_classes": classes, **looks, **traits})


def show_if(wanted: bool, widget: Any) -> None:
    """Show a light widget, or hide it so that it takes no room."""
    if hidden(widget) is wanted:
        widget.layout = _look(W.Layout, "" if wanted else "none")


def hidden(widget: Any) -> bool:
    """Say whether a widget is hidden."""
    return bool(widget.layout.display == "none")


def _look(kind: type, display: str = "") -> Any:
    """Return the layout or style that is shared; one that was closed is made anew."""
    key = (kind, display)
    if key not in _looks or _looks[key].comm is None:
        _looks[key] = kind(display=display) if display else kind()
    return _looks[key]
