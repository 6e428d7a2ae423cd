"""The explorer's page with the battle map: where A and B stand, and what follows from it."""

from __future__ import annotations

from html import escape

import ipywidgets as W

from combatkit.errors import CombatkitError
from combatkit.rules import Ruleset
from combatkit_widgets.battle_map import BattleMap
from combatkit_widgets.encounter import FOE, Encounter
from combatkit_widgets.encounter_map import bare, differences, standing, taken
from combatkit_widgets.forms import Field, alert_line, changed, grid
from combatkit_widgets.light import light
from combatkit_widgets.shown import Shown


class MapPanel:
    """A and B on a map; what it says counts once it is taken."""

    title = "Map"

    def __init__(self, rules: Ruleset, encounter: Encounter) -> None:
        self.board = BattleMap(rules, standing(encounter), attacker="a", defender="b")
        self._shown = "a"
        self._said = light(W.HTML)
        take = light(W.ToggleButton, description="Take from the map", classes=("ck-more",))
        self.fields = [
            Field(self.board, standing, lambda shown, map: changed(shown, map=bare(map))),
            Field(take, lambda shown: False, self._taken, alert_line()),
        ]
        self.box = light(W.VBox, [self.board, self._said, grid([self.fields[1]], "ck-bar")])

    def offer(self, rules: Ruleset) -> None:
        """Go by other rules."""
        self.board.rules = rules

    def _taken(self, shown: Encounter, _pressed: bool) -> Encounter:
        return taken(shown, self.board.rules)

    def show(self, shown: Shown) -> None:
        """Draw an encounter."""
        given, board = shown.encounter, self.board
        board.names = {who: f"{who}: {shown.who(who).name or 'Fighter'}" for who in FOE}
        board.thrown = frozenset(who for who in FOE if given.side(who).grip == "thrown")
        if given.shown != self._shown:
            self._shown = given.shown
            board.attacker, board.defender = given.shown, FOE[given.shown]
        self._said.value = f"<p class='ck-note' role='status'>{escape(_said(shown))}</p>"


def _said(shown: Shown) -> str:
    try:
        would = differences(shown.encounter, shown.rules)
    except CombatkitError as error:
        return f"{error}."
    if would:
        return f"Not counted yet: {'; '.join(would)}."
    return "What the map says of A and B is what is counted."
