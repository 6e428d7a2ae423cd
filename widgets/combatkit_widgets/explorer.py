"""The explorer: forms on the left, and on the right all that follows from them, at once."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from html import escape
from typing import Any

import ipywidgets as W
import traitlets as T

from combatkit import view
from combatkit.combat.attacks.attack import Strike, choose_weapon
from combatkit.errors import CombatkitError
from combatkit.rules import Combatant, Ruleset, Weapon
from combatkit.rules.printed import weapons_of
from combatkit_widgets.combatant_form import CombatantForm
from combatkit_widgets.forms import (
    Field,
    Form,
    alert_line,
    changed,
    checkbox,
    complain,
    grid,
    labelled,
    part,
    put,
    stack,
)
from combatkit_widgets.live import LiveHTML
from combatkit_widgets.ruleset_picker import RulesetPicker
from combatkit_widgets.scenario import (
    Fight,
    Scenario,
    fighter,
    fighter_reference,
    weapon_reference,
    with_rules,
)
from combatkit_widgets.situation_form import SituationForm
from combatkit_widgets.tabs import (
    DamageTab,
    FormulaTab,
    HitTab,
    ReceiptTab,
    SurvivalTab,
    Tab,
    TablesTab,
)
from combatkit_widgets.weapon_form import WeaponForm
from combatkit_widgets.words import weapon_name, whole_weapon

GRIPS = [
    ("as usual", ""),
    ("one hand", "primary"),
    ("two hands", "two_handed"),
    ("off hand", "off_hand"),
    ("thrown", "thrown"),
]


class Explorer(Form):
    """Pick rules, fighters, a weapon and a situation; see the odds, the damage and the receipts.

    ``value`` is the :class:`Scenario` shown; assign one to show it. What cannot be worked out is
    said in a line of its own, and the last good picture stays.

    Parameters
    ----------
    scenario : Scenario, optional
        A level 6 fighter with a longsword against an ogre when left out.
    **kwargs
        ``description`` and traits of any ipywidget.

    Attributes
    ----------
    fight : Fight
        All that is shown, exactly: ``fight.strike``, ``fight.survival``, ``fight.sweep``.

    Examples
    --------
    >>> explorer = Explorer()
    >>> explorer.strike.p_hit
    Fraction(17, 20)
    >>> explorer.value = Scenario(situation={"defender": ["prone"]})
    >>> explorer.strike.p_hit
    Fraction(19, 20)
    """

    value = T.Instance(Scenario, help="All that is shown; assign a Scenario to show it.")
    fight: Fight

    def __init__(self, scenario: Scenario | None = None, **kwargs: Any) -> None:
        scenario = scenario or Scenario()
        self._picker = RulesetPicker(scenario.ruleset)
        self._picker.value = rules = self._picker.load(scenario.ruleset, scenario.switches)
        attacker, defender = (fighter(rules, who) for who in (scenario.attacker, scenario.defender))
        self._attacker = CombatantForm(rules, attacker, description="Attacker")
        self._weapon = WeaponForm(rules)
        self._defender = CombatantForm(rules, defender, description="Defender")
        self._situation = SituationForm(rules, scenario.situation, description="Situation")
        self._headline, self._problem = LiveHTML(), alert_line()
        self._headline.add_class("ck-headline")
        self._tables = TablesTab()
        self._tabs: list[Tab] = [
            HitTab(),
            DamageTab(),
            SurvivalTab(),
            self._tables,
            FormulaTab(),
            ReceiptTab(),
        ]
        super().__init__(scenario, **kwargs)
        self.add_class("ck-explorer")
        self.refresh()

    @property
    def rules(self) -> Ruleset:
        """The rules shown."""
        rules: Ruleset = self._picker.value
        return rules

    @property
    def strike(self) -> Strike:
        """The attack shown, or the first of the round."""
        return self.fight.strike

    def refresh(self) -> None:
        """Work everything out and draw it.

        Raises
        ------
        CombatkitError
            When something does not go together; nothing is drawn then.
        """
        fight = self.value.fight(self.rules)
        self._headline.value = headline(fight)
        for tab in self._tabs:
            tab.show(fight)
        self.fight = fight

    @T.observe("value")
    def _redraw(self, change: Any) -> None:
        if not self._fields:
            return
        try:
            self.refresh()
        except CombatkitError as error:
            complain(self._problem, error)
        else:
            complain(self._problem)

    @T.validate("value")
    def _known(self, proposal: Any) -> Scenario:
        scenario: Scenario = proposal.value
        rules = self._shown_rules(scenario)
        who = fighter(rules, scenario.attacker)
        fighter(rules, scenario.defender)
        for choice in (scenario.weapon, scenario.off_hand):
            choose_weapon(rules, who, choice)
        scenario.situation.rows(rules)
        if scenario.table is not None:
            rules.find("table", rules.tables, scenario.table)
        return scenario

    def _make(self) -> tuple[Iterable[Field], Iterable[Any]]:
        self._off_hand = labelled(W.Dropdown, "Off hand", options=[("empty", "")])
        self._usual = checkbox("With its other natural attacks", wide=True)
        grip = Field(
            labelled(W.Dropdown, "Grip", options=GRIPS),
            lambda shown: shown.grip or "",
            lambda shown, grip: changed(shown, grip=grip or None),
        )
        off_hand = Field(
            self._off_hand,
            lambda shown: shown.off_hand or "",
            lambda shown, held: changed(
                shown, off_hand=held or None, full=shown.full or bool(held)
            ),
        )
        full = Field(
            checkbox("Full attack every round", wide=True),
            lambda shown: shown.full or shown.off_hand is not None,
            lambda shown, full: changed(
                shown, full=full, off_hand=shown.off_hand if full else None
            ),
        )
        usual = Field(self._usual, lambda shown: shown.weapon is None, self._with_usual)
        forms = [
            Field(self._picker, self._shown_rules, self._with_rules),
            Field(
                self._attacker,
                lambda shown: fighter(self.rules, shown.attacker),
                self._with_attacker,
            ),
            Field(
                self._defender,
                lambda shown: fighter(self.rules, shown.defender),
                lambda shown, who: changed(shown, defender=fighter_reference(self.rules, who)),
            ),
            Field(self._weapon, self._shown_weapon, self._with_weapon),
            part("situation", self._situation),
        ]
        left = stack(
            [
                self._picker,
                self._attacker,
                self._weapon,
                grid([grip, off_hand, full, usual]),
                self._defender,
                self._situation,
            ],
            "ck-left",
        )
        pages = W.Tab([tab.box for tab in self._tabs], titles=[tab.title for tab in self._tabs])
        right = stack([self._headline, self._problem, pages], "ck-right")
        panes = W.Box([left, right])
        panes.add_class("ck-panes")
        fields = [*forms, grip, off_hand, full, usual]
        return [*fields, *(field for tab in self._tabs for field in tab.fields)], [panes]

    def _fill(self, old: Any, new: Any) -> None:
        put(self._picker, self._shown_rules(new))  # the menus below follow the rules
        who = fighter(self.rules, new.attacker)
        for form in (self._attacker, self._defender, self._weapon, self._situation):
            form.rules = self.rules
        self._weapon.wielded_by(weapons_of(self.rules, who), who.size)
        self._tables.offer(self.rules)
        if self._fields:
            self._offer_off_hand(who)
        super()._fill(old, new)

    def _offer_off_hand(self, who: Combatant) -> None:
        held = weapons_of(self.rules, who)
        others = held[1:]
        self._usual.layout.display = None if any(other.natural for other in others) else "none"
        own = [
            (
                weapon_name(self.rules, choice),
                weapon_reference(self.rules, who, whole_weapon(self.rules, choice)),
            )
            for choice in held
        ]
        mine = [held for _, held in own]
        listed = [
            (weapon.label, key)
            for key, weapon in self.rules.weapons.items()
            if key not in mine
            and not weapon.ranged
            and (weapon.hand in ("light", "one_handed") or weapon.double)
        ]
        self._off_hand.options = (("empty", ""), *own, *listed)

    def _shown_rules(self, shown: Scenario) -> Ruleset:
        if self._picker.read(self.rules) == (shown.ruleset, shown.switches):
            return self.rules
        return self._picker.load(shown.ruleset, shown.switches)

    def _with_rules(self, shown: Scenario, rules: Ruleset) -> Scenario:
        before = self._picker.load(shown.ruleset, shown.switches)
        source, switches = self._picker.read(rules)
        return with_rules(shown, before, rules, source, switches)

    def _with_attacker(self, shown: Scenario, who: Combatant) -> Scenario:
        new = changed(shown, attacker=fighter_reference(self.rules, who))
        if who.id != fighter(self.rules, shown.attacker).id:
            return changed(new, weapon=None, grip=None, off_hand=None)
        return changed(
            new, weapon=self._still(who, shown.weapon), off_hand=self._still(who, shown.off_hand)
        )

    def _still(self, who: Combatant, choice: str | Weapon | None) -> str | Weapon | None:
        """Leave out a weapon that has gone with a change of the attacker's list."""
        try:
            choose_weapon(self.rules, who, choice)
        except CombatkitError:
            return None
        return choice

    def _held(self, shown: Scenario, choice: str | Weapon | None) -> Weapon:
        who = fighter(self.rules, shown.attacker)
        return whole_weapon(self.rules, choose_weapon(self.rules, who, choice))

    def _shown_weapon(self, shown: Scenario) -> Weapon:
        return self._held(shown, shown.weapon)

    def _with_weapon(self, shown: Scenario, weapon: Weapon) -> Scenario:
        if weapon == self._held(shown, None):
            return changed(shown, weapon=None)
        who = fighter(self.rules, shown.attacker)
        return changed(shown, weapon=weapon_reference(self.rules, who, weapon))

    def _with_usual(self, shown: Scenario, usual: bool) -> Scenario:
        if usual:
            return changed(shown, weapon=None)
        who = fighter(self.rules, shown.attacker)
        return changed(shown, weapon=weapon_reference(self.rules, who, self._shown_weapon(shown)))


def headline(fight: Fight) -> str:
    """Say the five numbers that matter."""
    strike, base = fight.strike, fight.sweep.base
    damage = "Damage a round" if len(fight.strikes) > 1 else "Damage"
    rounds = base.rounds_to_kill
    numbers = [
        ("Hit", _chance(base.hit_chance)),
        ("Critical hit", _chance(base.critical_chance)),
        (damage, _number(base.expected_damage)),
        ("Rounds to kill", ("never", "no damage") if rounds is None else _number(rounds)),
        ("Survival", _chance(base.survival)),
    ]
    tiles = "".join(
        f"<div class='ck-tile'><span>{label}</span><b>{shown}</b><small>{exact}</small></div>"
        for label, (shown, exact) in numbers
    )
    attempt = strike.attempt
    who = f"{attempt.attacker.name or 'Attacker'}, {weapon_name(fight.rules, strike.weapon)}"
    against = attempt.defender.name or "Defender"
    why = "" if strike.possible else f"Not possible: {escape(strike.why_not)}"
    return (
        f"<div class='ck-who'>{escape(who)} against {escape(against)}</div>"
        f"<div class='ck-tiles'>{tiles}</div><div class='ck-alert'>{why}</div>"
    )


def _chance(value: Fraction) -> tuple[str, str]:
    return view.percent(value), view.fraction_text(value)


def _number(value: Fraction) -> tuple[str, str]:
    return f"{float(value):.2f}", view.fraction_text(value)
