"""What an encounter comes to, worked out when first asked for: the panels draw it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from combatkit.combat.fights.duel import Duel
from combatkit.rules import Combatant, Ruleset
from combatkit_widgets.encounter import FOE, Encounter, Who, named
from combatkit_widgets.scenario import Fight, fighter


@dataclass(frozen=True, eq=False)
class Shown:
    """An encounter under its rules.

    Examples
    --------
    >>> shown = Shown(Encounter(), Encounter().rules())
    >>> shown.fight.strike.p_hit, shown.fights["b"].strike.p_hit
    (Fraction(17, 20), Fraction(3, 10))
    """

    encounter: Encounter
    rules: Ruleset
    pins: Mapping[str, Shown] = field(default_factory=dict)  # to be compared with, by name

    @cached_property
    def fights(self) -> dict[Who, Fight]:
        """Each side's attack on the other.

        Raises
        ------
        CombatkitError
            When something does not go together.
        """
        return {who: self.encounter.scenario(who, self.rules).fight(self.rules) for who in FOE}

    @property
    def fight(self) -> Fight:
        """The attack whose panels are shown."""
        return self.fights[self.encounter.shown]

    @cached_property
    def duel(self) -> Duel:
        """The two fighting it out."""
        return self.encounter.duel(self.rules)

    def name(self, who: Who) -> str:
        """Return what a side is called."""
        return named(self.rules, self.encounter, who)

    def who(self, side: Who) -> Combatant:
        """Return the combatant of a side."""
        return fighter(self.rules, self.encounter.side(side).fighter)

    def why_not(self, who: Who) -> dict[str, str]:
        """Tell why conditions of a side have no say in what is shown, by condition.

        A condition counts when its fighter attacks, when it is attacked, or both.
        """
        mine, theirs = self.fights[who].strike.attempt, self.fights[FOE[who]].strike.attempt
        conditions = self.rules.conditions
        says = {
            **{("attacker", key): mine for key in conditions["attacker"]},
            **{("defender", key): theirs for key in conditions["defender"]},
        }
        reasons: dict[str, list[str]] = {}
        for (side, key), attempt in says.items():
            row = conditions[side][key]  # type: ignore[index]
            judged = next((why for one, why in attempt.judged if one is row), "")
            plain = "" if row.applies(attempt.mode) else f"does not apply to {attempt.mode} attacks"
            reasons.setdefault(key, []).append(judged or plain)
        return {key: "; ".join(dict.fromkeys(why)) for key, why in reasons.items() if all(why)}
