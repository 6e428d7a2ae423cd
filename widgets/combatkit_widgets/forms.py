"""What the forms share: a control bound to a part of a model, and a box of them with one value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, TypeVar

import ipywidgets as W
import traitlets as T

from combatkit.errors import CombatkitError
from combatkit.rules.validation import Model
from combatkit_widgets.light import light, show_if

M = TypeVar("M", bound=Model)
STYLE = f"<style>{Path(__file__).with_name('forms.css').read_text(encoding='utf-8')}</style>"


def changed(model: M, **fields: object) -> M:
    """Return a copy of a frozen model with some fields changed, checked like a new one.

    Raises
    ------
    CombatkitError
        When a new content is not valid.

    Examples
    --------
    >>> from combatkit import Combatant
    >>> changed(Combatant(name="Guard", hit_points=6), hit_points=9).hit_points
    9
    """
    given = {name: getattr(model, name) for name in model.model_fields_set}
    return type(model)(**{**given, **fields})


@dataclass(frozen=True, eq=False)
class Field:
    """A control, the part of a value it shows, and where to complain about its content.

    Attributes
    ----------
    control : widget
        Any widget with a ``value``, other forms included.
    shows : callable
        Takes the form's value and returns what the control is to hold.
    gives : callable
        Takes the form's value and the control's content and returns the new value; raises
        CombatkitError for bad content.
    alert : widget or None
        Line below the control; the form's own is used where there is none.
    """

    control: Any
    shows: Callable[[Any], Any]
    gives: Callable[[Any, Any], Any]
    alert: Any = None

    @property
    def box(self) -> Any:
        """The control with its line for complaints."""
        if self.alert is None:
            return self.control
        wide = ("ck-wide",) if "ck-wide" in self.control._dom_classes else ()
        return light(W.VBox, [self.control, self.alert], classes=("ck-cell", *wide))


def alert_line() -> Any:
    """Return an empty line that takes no room; see :func:`complain`."""
    return light(W.HTML, hide=True)


def complain(line: Any, problem: object = "") -> None:
    """Show what is wrong, escaped and announced to screen readers; nothing clears the line."""
    text = str(problem)
    line.value = f"<div role='alert' class='ck-alert'>{escape(text)}</div>" if text else ""
    show_if(bool(text), line)


def labelled(kind: type, label: str, wide: bool = False, **traits: Any) -> Any:
    """Make a control with its label above, in full; ``wide`` gives it a line of its own."""
    classes = ("ck-field", "ck-wide") if wide else ("ck-field",)
    return light(kind, description=label, classes=classes, **traits)


def part(name: str, control: Any) -> Field:
    """Bind a control to the field of the same name of a model."""
    return Field(
        control,
        lambda model: getattr(model, name),
        lambda model, content: changed(model, **{name: content}),
    )


def whole_number(name: str, label: str, low: int, high: int) -> Field:
    """Bind a stepper to a whole number of a model."""
    return part(name, labelled(W.BoundedIntText, label, min=low, max=high))


def text(name: str, label: str, placeholder: str = "", wide: bool = False) -> Field:
    """Bind a line of text to a field of a model; it counts once Enter or Tab is pressed."""
    control = labelled(W.Text, label, wide, placeholder=placeholder, continuous_update=False)
    bound = part(name, control)
    return Field(control, bound.shows, bound.gives, alert_line())


def typed(name: str, label: str, placeholder: str) -> Field:
    """Bind a line of text to a field that is a number or a text; nothing typed is 0."""
    control = labelled(W.Text, label, placeholder=placeholder, continuous_update=False)

    def gives(model: Model, content: str) -> Model:
        return changed(model, **{name: content.strip() or 0})

    return Field(control, lambda model: str(getattr(model, name) or ""), gives, alert_line())


def words(name: str, label: str, placeholder: str = "") -> Field:
    """Bind a line of text to several words of a model, with commas between them."""
    control = labelled(W.Text, label, placeholder=placeholder, continuous_update=False)

    def gives(model: Model, content: str) -> Model:
        several = tuple(word.strip() for word in content.split(",") if word.strip())
        return changed(model, **{name: several})

    return Field(control, lambda model: ", ".join(getattr(model, name)), gives, alert_line())


def chances(name: str, label: str) -> Field:
    """Bind a line of text to several chances of a model: percent, or fractions such as 1/3."""
    control = labelled(W.Text, label, placeholder="such as 20, 50, 1/3", continuous_update=False)

    def gives(model: Model, content: str) -> Model:
        parts = tuple(content.replace(",", " ").replace("%", " ").split())
        return changed(model, **{name: parts})

    def shows(model: Model) -> str:
        return ", ".join(map(str, getattr(model, name)))

    return Field(control, shows, gives, alert_line())


def maybe_number(name: str, label: str, placeholder: str) -> Field:
    """Bind a line of text to a whole number that may be left out."""
    control = labelled(W.Text, label, placeholder=placeholder, continuous_update=False)

    def shows(model: Model) -> str:
        number = getattr(model, name)
        return "" if number is None else str(number)

    def gives(model: Model, content: str) -> Model:
        return changed(model, **{name: read_number(content, label) if content.strip() else None})

    return Field(control, shows, gives, alert_line())


def read_number(content: str, label: str) -> int:
    """Read a whole number somebody typed."""
    try:
        return int(content)
    except ValueError:
        raise CombatkitError(f"{label}: {content.strip()!r} is not a whole number") from None


def tick(name: str, label: str) -> Field:
    """Bind a checkbox to a yes or no of a model."""
    return part(name, checkbox(label))


def checkbox(label: str, wide: bool = False, **traits: Any) -> Any:
    """Make a checkbox whose label may wrap; ``wide`` gives it a line of its own."""
    classes = ("ck-check", "ck-wide") if wide else ("ck-check",)
    return light(W.Checkbox, description=label, indent=False, classes=classes, **traits)


def grid(parts: Iterable[Field | Any], kind: str = "ck-grid") -> Any:
    """Lay controls out in as many columns as there is room for."""
    boxes = [item.box if isinstance(item, Field) else item for item in parts]
    return light(W.Box, boxes, classes=(kind,))


def more(box: Any, label: str = "More…") -> Any:
    """Return a button that shows and hides a box; unlike an accordion's it is in the tab order."""
    button = light(W.ToggleButton, description=label, classes=("ck-more",))
    show_if(False, box)
    button.observe(lambda change: show_if(change.new, box), "value")
    return button


def stack(parts: Iterable[Any], kind: str = "ck-stack") -> Any:
    """Lay boxes out below one another."""
    return light(W.VBox, list(parts), classes=(kind,))


def heading(label: str, level: int = 4) -> Any:
    """Return a heading, escaped; it takes no room while it is empty."""
    line = light(W.HTML, hide=not label)
    set_heading(line, label, level)
    return line


def set_heading(line: Any, label: str, level: int = 3) -> None:
    """Change the text of a heading."""
    line.value = f"<h{level} class='ck-heading'>{escape(label)}</h{level}>" if label else ""
    show_if(bool(label), line)


class Form(W.VBox, W.ValueWidget):
    """A box of fields with one ``value``, an ordinary widget for ``interact`` and ``link``.

    A user's change in a control is applied to the last good value. What is wrong with it is shown
    beside the control, and the value stays. Setting ``value`` from code fills the controls.

    Parameters
    ----------
    value : frozen model
    description : str, optional
        Heading of the form.
    **kwargs
        Traits of any ipywidget, such as ``layout``.
    """

    description = T.Unicode(help="Heading of the form.")

    def __init__(self, value: Any, description: str = "", **kwargs: Any) -> None:
        self._busy = False
        self._fields: tuple[Field, ...] = ()
        self._style = light(W.HTML, STYLE, hide=True)
        self._title = heading(description, 3)
        self._alert = alert_line()
        classes = ("ck-form", *kwargs.pop("_dom_classes", ()))
        super().__init__(description=description, tooltip="", _dom_classes=classes, **kwargs)
        self.value = value
        self._build()

    def _make(self) -> tuple[Iterable[Field], Iterable[Any]]:
        """Make the fields, and the boxes they are laid out in."""
        raise NotImplementedError

    def _build(self) -> None:
        """Make all controls anew from the rules and fill them."""
        before = set(everything(self))
        for field in self._fields:
            field.control.unobserve(self._from_control, "value")
        fields, boxes = self._make()
        self._fields = tuple(fields)
        with self._quiet():
            self._fill(None, self.value)
        for field in self._fields:
            field.control.observe(self._from_control, "value")
        self.children = [self._style, self._title, *boxes, self._alert]
        for gone in before - set(everything(self)):
            gone.close()

    @contextmanager
    def _quiet(self) -> Iterator[None]:
        """Keep changes made here from coming back."""
        before, self._busy = self._busy, True
        try:
            yield
        finally:
            self._busy = before

    def _from_control(self, change: Any) -> None:
        if self._busy:
            return
        field = next(field for field in self._fields if field.control is change.owner)
        line = field.alert or self._alert
        old = self.value
        try:
            new = field.gives(old, change.new)
        except CombatkitError as error:
            complain(line, error)
            return
        complain(line)
        with self._quiet():
            self._fill(old, new)  # even where nothing changes: what was typed gets its usual form
        self.value = new

    @T.observe("value")
    def _from_value(self, change: Any) -> None:
        complain(self._alert)
        with self._quiet():
            self._fill(change.old, change.new)

    def _fill(self, old: Any, new: Any) -> None:
        """Show a value in the controls; a complaint stands until its own field changes."""
        for field in self._fields:
            wanted = field.shows(new)
            if field.alert and field.alert.value and old and wanted == field.shows(old):
                continue
            put(field.control, wanted)
            if field.alert:
                complain(field.alert)

    @T.observe("description")
    def _from_description(self, change: Any) -> None:
        set_heading(self._title, change.new)


def everything(box: Any) -> Iterator[Any]:
    """Yield a widget and all in it."""
    yield box
    for child in getattr(box, "children", ()):
        yield from everything(child)


def put(control: Any, content: Any) -> None:
    """Set a control's value where it differs; a menu gets an entry it lacks."""
    if isinstance(control, W.Dropdown):
        options = [value for _, value in control.options]
        if content not in options:
            control.options = (*control.options, (f"({content})", content))
    if control.value != content:
        control.value = content
