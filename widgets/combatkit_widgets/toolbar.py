"""The explorer's toolbar: undo, redo, reset, swap, and what is kept under a name."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING, Any

import ipywidgets as W

from combatkit.errors import CombatkitError
from combatkit.rules import Combatant
from combatkit_widgets.encounter import FOE, Encounter, Who
from combatkit_widgets.forms import alert_line, changed, complain, grid, labelled, more, stack
from combatkit_widgets.history import History
from combatkit_widgets.light import light
from combatkit_widgets.link import LinkBridge
from combatkit_widgets.share import binder_link, from_text, to_text

if TYPE_CHECKING:
    from combatkit_widgets.explorer import Explorer


class Toolbar(W.VBox):
    """Buttons that change the whole of what an explorer shows."""

    def __init__(self, explorer: Explorer, history: History[Encounter]) -> None:
        self._explorer, self._history = explorer, history
        self._undo = self._button("Undo", lambda: self._show(history.move(-1)))
        self._redo = self._button("Redo", lambda: self._show(history.move(1)))
        swap = self._button("Swap A and B", lambda: self._show(explorer.value.swapped()))
        reset = self._button("Reset", lambda: self._show(Encounter()))
        self._alert, self._said = alert_line(), light(W.HTML)
        pins = [
            self._button("Pin", explorer.pin),
            self._button("All rule systems", explorer.pin_all_rules),
            self._button("Take pins away", explorer.unpin),
        ]
        bar, below = [self._undo, self._redo, swap, reset, *pins], []
        if explorer.shelf is not None:
            kept = self._kept()
            bar.append(more(kept, "Keep and open…"))
            below.append(kept)
        self._link = LinkBridge(lambda: explorer.value.code(), explorer.page_html)
        self._link.observe(lambda change: self._try(lambda: self._opened(change.new)), "opened")
        bar.append(self._link)
        super().__init__([grid(bar, "ck-bar"), *below, self._alert, self._said])

    def refresh(self) -> None:
        """Say which buttons lead anywhere, and offer what is kept."""
        self._undo.disabled = not self._history.can_undo
        self._redo.disabled = not self._history.can_redo
        shown = self._explorer.value
        try:
            text, why_not = to_text(shown), ""
        except CombatkitError as error:
            text, why_not = "", str(error)
        self._link.text, self._link.why_not = text, why_not
        self._link.binder = binder_link(self._link.text) if self._link.text else ""

    def _opened(self, text: str) -> None:
        if text:
            self._show(from_text(text))

    def _button(self, label: str, does: Callable[[], None]) -> Any:
        button = light(W.Button, description=label, classes=("ck-more",))
        button.on_click(lambda _: self._try(does))
        return button

    def _try(self, does: Callable[[], None]) -> None:
        complain(self._alert)
        self._said.value = ""
        try:
            does()
        except CombatkitError as error:
            complain(self._alert, error)

    def _show(self, encounter: Encounter) -> None:
        self._explorer.value = encounter
        self.refresh()

    def _kept(self) -> Any:
        """Names of what is kept, to keep under and to open."""
        self._name = labelled(W.Text, "Keep under the name", placeholder="its own")
        self._encounters = labelled(W.Dropdown, "Kept encounters")
        self._fighters = labelled(W.Dropdown, "Kept fighters")
        self._offer()
        keep = [self._button("Keep the encounter", self._keep_encounter)]
        keep += [self._button(f"Keep fighter {w.upper()}", self._keeper(w)) for w in FOE]
        opens = [self._button("Open", self._open)]
        puts = [self._button(f"Put in as {w.upper()}", self._putter(w)) for w in FOE]
        return stack(
            [
                grid([self._name, grid(keep, "ck-bar")]),
                grid([self._encounters, grid(opens, "ck-bar")]),
                grid([self._fighters, grid(puts, "ck-bar")]),
            ]
        )

    def _offer(self) -> None:
        shelf = self._explorer.shelf
        assert shelf is not None
        for menu, names in (
            (self._encounters, shelf.names("encounters")),
            (self._fighters, shelf.names("fighters")),
        ):
            menu.options = [("none yet", "")] if not names else [(name, name) for name in names]

    def _keep_encounter(self) -> None:
        names = " against ".join(self._explorer.shown.name(who) for who in FOE)
        self._keep(self._explorer.value, names)

    def _keep(self, what: Encounter | Combatant, own_name: str) -> None:
        shelf, name = self._explorer.shelf, self._name.value.strip() or own_name
        assert shelf is not None
        shelf.keep(name, what)
        self._offer()
        said = escape(f"Kept as {name}.")
        self._said.value = f"<p class='ck-note' role='status'>{said}</p>"

    def _keeper(self, who: Who) -> Callable[[], None]:
        def keep() -> None:
            shown = self._explorer.shown
            self._keep(shown.who(who), shown.name(who))

        return keep

    def _open(self) -> None:
        shelf = self._explorer.shelf
        assert shelf is not None
        self._show(shelf.encounter(self._encounters.value))

    def _putter(self, who: Who) -> Callable[[], None]:
        def put() -> None:
            shelf, shown = self._explorer.shelf, self._explorer.value
            assert shelf is not None
            fighter = shelf.fighter(self._fighters.value)
            side = changed(shown.side(who), fighter=fighter, weapon=None, grip=None, off_hand=None)
            self._show(changed(shown, **{who: side}))

        return put
