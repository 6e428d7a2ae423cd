"""The explorer: two fighters on the left, and on the right all that follows from them, at once."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

import ipywidgets as W
import traitlets as T

from combatkit.combat.attacks.attack import Strike, choose_weapon
from combatkit.errors import CombatkitError
from combatkit.rules import Ruleset, built_in
from combatkit_widgets.compare_panel import ComparePanel
from combatkit_widgets.encounter import FOE, Encounter, Side, Who, with_rules
from combatkit_widgets.fight_panels import (
    DuelPanel,
    InitiativePanel,
    OpportunityPanel,
    OptionsPanel,
    SavesPanel,
)
from combatkit_widgets.forms import (
    Field,
    Form,
    alert_line,
    changed,
    complain,
    grid,
    labelled,
    maybe_number,
    put,
    stack,
)
from combatkit_widgets.headline import headline, picture
from combatkit_widgets.history import History
from combatkit_widgets.keep import Shelf
from combatkit_widgets.light import light
from combatkit_widgets.live import LiveHTML
from combatkit_widgets.map_panel import MapPanel
from combatkit_widgets.page import page_html
from combatkit_widgets.panels import (
    AttackPanel,
    DamagePanel,
    FormulaPanel,
    FullAttackPanel,
    KillTimePanel,
    Panel,
    ReceiptPanel,
    SurvivalPanel,
    TablesPanel,
)
from combatkit_widgets.ruleset_picker import RulesetPicker
from combatkit_widgets.scenario import fighter
from combatkit_widgets.shown import Shown
from combatkit_widgets.side_form import SideForm
from combatkit_widgets.toolbar import Toolbar


class Explorer(Form):
    """Pick rules and two fighters; see who hits whom how hard, who wins, and every receipt.

    ``value`` is the :class:`Encounter` shown; assign one to show it. What cannot be worked out is
    said in a line of its own; the last good picture stays, greyed.

    Parameters
    ----------
    encounter : Encounter, optional
        A level 6 fighter with a longsword and an ogre when left out, or what was shown last.
    keep : str, Path or None, optional
        Folder in which encounters and fighters are kept, and in which what is shown is saved at
        every change: it is there again after a restart. Nothing is kept when left out.
    **kwargs
        ``description`` and traits of any ipywidget.

    Examples
    --------
    >>> explorer = Explorer()
    >>> explorer.strike.p_hit
    Fraction(17, 20)
    >>> explorer.value = Encounter(b={"fighter": "ogre", "conditions": ["prone"]})
    >>> explorer.strike.p_hit
    Fraction(19, 20)
    """

    value = T.Instance(Encounter, help="All that is shown; assign an Encounter to show it.")
    shown: Shown

    def __init__(
        self,
        encounter: Encounter | None = None,
        keep: str | Path | None = None,
        **kwargs: Any,
    ) -> None:
        self.shelf = None if keep is None else Shelf(keep)
        encounter, problem = (encounter, "") if encounter else self._last()
        self._picker = RulesetPicker(encounter.ruleset)
        self._picker.value = rules = self._picker.load(encounter.ruleset, encounter.switches)
        self._sides: dict[Who, SideForm] = {
            who: SideForm(rules, encounter.side(who), description=f"Fighter {who.upper()}")
            for who in FOE
        }
        self._headline, self._problem = light(LiveHTML, classes=("ck-headline",)), alert_line()
        self._note = light(W.HTML)
        self._history: History[Encounter] = History([encounter])
        self._stale: set[int] = set()
        self.pins: dict[str, Shown] = {}
        self._tables, self._opportunity = TablesPanel(), OpportunityPanel()
        self._map = MapPanel(rules, encounter)
        self._panels: list[Panel] = [
            AttackPanel(),
            DamagePanel(),
            FullAttackPanel(),
            KillTimePanel(),
            SurvivalPanel(),
            DuelPanel(),
            OptionsPanel(),
            self._tables,
            InitiativePanel(),
            self._opportunity,
            SavesPanel(),
            self._map,
            FormulaPanel(),
            ReceiptPanel(),
            ComparePanel(),
        ]
        self._alerts = [alert_line() for _ in self._panels]
        pages = zip(self._alerts, self._panels, strict=True)
        self._pages = W.Tab(
            [light(W.VBox, [line, panel.box]) for line, panel in pages],
            titles=[panel.title for panel in self._panels],
        )
        self._toolbar = Toolbar(self, self._history)
        super().__init__(encounter, _dom_classes=("ck-explorer",), **kwargs)
        self._pages.observe(lambda change: self._draw(), "selected_index")
        self.refresh()
        self._toolbar.refresh()
        complain(self._problem, problem)

    def _last(self) -> tuple[Encounter, str]:
        """Return what was shown last, or the usual encounter and why the last cannot be."""
        try:
            kept = self.shelf.last if self.shelf else None
        except CombatkitError as error:
            assert self.shelf is not None
            aside = self.shelf.set_aside()
            return Encounter(), f"What was shown last does not open, and is in {aside}: {error}"
        return kept or Encounter(), ""

    @property
    def rules(self) -> Ruleset:
        """The rules shown."""
        rules: Ruleset = self._picker.value
        return rules

    @property
    def strike(self) -> Strike:
        """The attack shown, or the first of the round."""
        return self.shown.fight.strike

    def refresh(self) -> None:
        """Work everything out and draw it.

        Raises
        ------
        CombatkitError
            When something does not go together; nothing is drawn then.
        """
        shown = Shown(self.value, self.rules, self.pins)
        self._headline.value = headline(shown)
        self.shown = shown
        for who, form in self._sides.items():
            form.mark(shown.why_not(who))
        self._stale = set(range(len(self._panels)))
        self._draw()

    def _draw(self) -> None:
        """Draw the page in front where it is not up to date; the others wait until they are."""
        self._draw_page(self._pages.selected_index)

    def _draw_page(self, page: int) -> None:
        if page not in self._stale:
            return
        self._stale.discard(page)
        line, panel = self._alerts[page], self._panels[page]
        try:
            panel.show(self.shown)
        except CombatkitError as error:
            complain(line, error)
            panel.box.add_class("ck-old")
        else:
            complain(line)
            panel.box.remove_class("ck-old")

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """Add a picture in words and tables, for viewers without a kernel."""
        bundle = super()._repr_mimebundle_(**kwargs)
        return {**bundle, "text/html": picture(self.shown)} if isinstance(bundle, dict) else bundle

    def page_html(self) -> str:
        """Write all pages as one HTML file that needs no kernel and no network."""
        for page in range(len(self._panels)):
            self._draw_page(page)
        names = " against ".join(self.shown.name(who) for who in FOE)
        pages = [(panel.title, panel.box) for panel in self._panels if panel is not self._map]
        return page_html(f"{names} ({self.rules.title})", self._headline.value, pages)

    def pin(self, name: str = "") -> None:
        """Pin what is shown, to be compared with what is shown later."""
        name = name or f"pin {len(self.pins) + 1}"
        self.pins = {**self.pins, name: Shown(self.value, self.rules)}
        self.refresh()

    def pin_all_rules(self) -> None:
        """Pin the same encounter under each other built-in ruleset."""
        before = self.rules
        for source in built_in():
            if source != self.value.ruleset:
                rules = self._picker.load(source)
                moved, dropped = with_rules(self.value, before, rules, source, {})
                name = f"{rules.title} (without {', '.join(dropped)})" if dropped else rules.title
                self.pins = {**self.pins, name: Shown(moved, rules)}
        self.refresh()
        self.show_page("Compare")

    def unpin(self) -> None:
        """Take all pins away."""
        self.pins = {}
        self.refresh()

    def show_page(self, title: str) -> None:
        """Bring a page to the front by its title."""
        self._pages.selected_index = [panel.title for panel in self._panels].index(title)

    @T.observe("value")
    def _redraw(self, change: Any) -> None:
        if not self._fields:
            return
        try:
            self.refresh()
        except CombatkitError as error:
            complain(self._problem, error)
            self._pages.add_class("ck-old")
            return
        complain(self._problem)
        self._pages.remove_class("ck-old")
        self._history.add(change.new)
        self._toolbar.refresh()
        if self.shelf is not None:
            try:
                self.shelf.last = change.new
            except CombatkitError as error:
                complain(self._problem, error)

    @T.validate("value")
    def _known(self, proposal: Any) -> Encounter:
        encounter: Encounter = proposal.value
        rules = self._shown_rules(encounter)
        for who in FOE:
            side = encounter.side(who)
            for choice in (side.weapon, side.off_hand):
                choose_weapon(rules, fighter(rules, side.fighter), choice)
            encounter.situation(who, rules).rows(rules)
        if encounter.table is not None:
            rules.find("table", rules.tables, encounter.table)
        return encounter

    def _make(self) -> tuple[Iterable[Field], Iterable[Any]]:
        picker = Field(self._picker, self._shown_rules, self._with_rules)
        sides = [self._side(who) for who in FOE]
        distance = maybe_number("distance", "Distance, feet", "left open")
        self._whose = labelled(W.ToggleButtons, "Panels show", options=[("A", "a"), ("B", "b")])
        whose = Field(
            self._whose,
            lambda shown: shown.shown,
            lambda shown, who: changed(shown, shown=who),
        )
        left = stack(
            [self._picker, self._note, self._sides["a"], grid([distance]), self._sides["b"]],
            "ck-left",
        )
        right = stack(
            [self._toolbar, self._headline, self._problem, self._whose, self._pages], "ck-right"
        )
        panes = light(W.Box, [left, right], classes=("ck-panes",))
        fields = [picker, *sides, distance, whose]
        return [*fields, *(field for panel in self._panels for field in panel.fields)], [panes]

    def _side(self, who: Who) -> Field:
        def gives(shown: Encounter, side: Side) -> Encounter:
            return changed(shown, **{who: side})

        return Field(self._sides[who], lambda shown: shown.side(who), gives)

    def _fill(self, old: Any, new: Any) -> None:
        put(self._picker, self._shown_rules(new))  # the menus below follow the rules
        for form in self._sides.values():
            form.rules = self.rules
        self._tables.offer(self.rules)
        self._opportunity.offer(self.rules)
        self._map.offer(self.rules)
        super()._fill(old, new)
        if self._fields:
            shown = Shown(new, self.rules)
            self._whose.options = [(f"{shown.name(who)} attacks", who) for who in FOE]

    def _shown_rules(self, shown: Encounter) -> Ruleset:
        if self._picker.read(self.rules) == (shown.ruleset, shown.switches):
            return self.rules
        return self._picker.load(shown.ruleset, shown.switches)

    def _with_rules(self, shown: Encounter, rules: Ruleset) -> Encounter:
        before = self._picker.load(shown.ruleset, shown.switches)
        source, switches = self._picker.read(rules)
        new, dropped = with_rules(shown, before, rules, source, switches)
        said = f"These rules do not know: {escape('; '.join(dropped))}." if dropped else ""
        self._note.value = f"<p class='ck-note' role='status'>{said}</p>" if said else ""
        return new
