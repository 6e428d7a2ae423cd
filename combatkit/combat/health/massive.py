"""Massive damage: what a great deal of it at once may do beside."""

from __future__ import annotations

from combatkit.combat.attacks.attack import Strike
from combatkit.combat.attacks.blow import Blow, Massive
from combatkit.combat.checks.saves import p_save, save_bonus


def suffered(strike: Strike) -> Blow:
    """Return the blow of a strike, with the save its target needs against massive damage.

    Source: srd, Injury and death, massive damage; the switch ``massive_damage``.
    """
    rules, who = strike.attempt.rules, strike.attempt.defender
    least = rules.number("massive_damage.least")
    if rules.switch("massive_damage") == "none" or strike.damage.maximum < least:
        return strike.blow
    bonus = save_bonus(rules, who, "fortitude").total
    lives = p_save(rules, bonus, rules.number("massive_damage.dc"))
    dies = lives.denominator - lives.numerator
    return strike.blow._replace(massive=Massive(least, dies, lives.numerator))
