"""Helpless: the coup de grace, and what becomes of its victim."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from combatkit.combat.attacks.attack import ORDINARY, Strike, attack
from combatkit.combat.attacks.nonlethal import WEAPON, is_harmless
from combatkit.combat.attacks.situation import Situation
from combatkit.combat.checks.saves import p_save, save_bonus
from combatkit.errors import CombatkitError
from combatkit.prob import Dist
from combatkit.prob.exact import within
from combatkit.rules import Combatant, Ruleset, Weapon

HELPLESS = "helpless"


@dataclass(frozen=True, eq=False)
class CoupDeGrace:
    """A coup de grace: certain to hit and to be critical, then a Fortitude save or death.

    Attributes
    ----------
    strike : Strike
        The blow, against somebody helpless.
    why_not : str
        Why it cannot be delivered; empty where it can.
    full_rounds : int
        Full-round actions it takes.
    """

    strike: Strike
    why_not: str
    full_rounds: int

    provokes = True  # threatening opponents may make attacks of opportunity

    @property
    def possible(self) -> bool:
        """Whether it can be delivered at all."""
        return not self.why_not

    @property
    def damage(self) -> Dist:
        """Damage dealt, sneak attack dice included; 0 where it cannot be delivered."""
        return self.strike.critical_damage if self.possible else Dist.constant(0)

    @cached_property
    def fates(self) -> dict[str, Fraction]:
        """Chance to be ``killed_by_damage``, ``killed_by_save``, or in a state of health."""
        attempt = self.strike.attempt
        rules, victim = attempt.rules, attempt.defender
        fortitude = save_bonus(rules, victim, "fortitude").total
        dc = rules.number("coup_de_grace.base_dc")
        fates = dict.fromkeys(("killed_by_damage", "killed_by_save"), Fraction(0))
        for points, chance in self.damage.items():
            left = victim.hit_points - max(0, points - victim.temporary_hit_points)
            if left <= rules.dead_at:
                fates["killed_by_damage"] += chance
                continue
            lives = p_save(rules, fortitude, dc + points) if self.possible else Fraction(1)
            fates["killed_by_save"] += chance * (1 - lives)
            state = rules.state_of(left)
            fates[state] = fates.get(state, Fraction(0)) + chance * lives
        return fates

    @property
    def p_killed_by_damage(self) -> Fraction:
        """Chance that the damage alone kills."""
        return self.fates["killed_by_damage"]

    @property
    def p_killed_by_save(self) -> Fraction:
        """Chance that the damage does not kill but the failed save does."""
        return self.fates["killed_by_save"]

    @property
    def p_survives(self) -> Fraction:
        """Chance to live on, in whatever state."""
        return 1 - self.p_killed_by_damage - self.p_killed_by_save


def coup_de_grace(
    rules: Ruleset,
    attacker: Combatant,
    victim: Combatant,
    weapon: str | Weapon | None = None,
    situation: Situation = ORDINARY,
) -> CoupDeGrace:
    """Work out a coup de grace against somebody helpless.

    Parameters
    ----------
    rules : Ruleset
        One that knows the condition ``helpless``.
    attacker, victim : Combatant
        The victim's Fortitude save and hit points decide its fate.
    weapon : str or Weapon, optional
        A melee weapon, or a bow or crossbow when adjacent.
    situation : Situation, optional
        The distance matters for a bow; total concealment makes it two full-round actions.

    Returns
    -------
    CoupDeGrace

    Notes
    -----
    Sources: Simplified 3.5 and SRD combat modifiers, Helpless defenders, which let total
    concealment cost a round although a hidden target cannot be attacked otherwise; SRD combat
    statistics, Saving throws.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> killer = Combatant(abilities={"str": 16}, weapons=["longsword"])
    >>> sleeper = Combatant(hit_points=30, saves={"fortitude": 5})
    >>> end = coup_de_grace(load_ruleset("srd35"), killer, sleeper)
    >>> end.p_killed_by_damage, end.p_killed_by_save, end.damage.mean
    (Fraction(0, 1), Fraction(283, 320), Fraction(15, 1))
    """
    if HELPLESS not in rules.conditions["defender"]:
        raise CombatkitError(f"ruleset '{rules.id}' has no coup de grace")
    percent = rules.number("coup_de_grace.total_concealment")
    hiding = [row for row in situation.rows(rules) if row.miss_chance]
    hidden = max([row.miss_chance for row in hiding] + list(situation.miss_chances), default=0)
    there = situation.model_copy(
        update={  # whoever is found is not missed any more
            "defender": situation.defender - {row.id for row in hiding} | {HELPLESS},
            "concealment": None,
            "miss_chances": (),
        }
    )
    strike = attack(rules, attacker, victim, weapon, there)
    rounds = rules.number("coup_de_grace.hidden_rounds") if hidden >= percent else 1
    return CoupDeGrace(strike, _why_not(strike), rounds)


def _why_not(strike: Strike) -> str:
    attempt, weapon = strike.attempt, strike.weapon
    if attempt.defender.critical_immune:
        return f"{attempt.defender.name or 'the victim'} is immune to critical hits"
    if WEAPON in strike.blow.nonlethal or is_harmless(attempt):
        whom = attempt.defender.name or "the victim"
        return f"{weapon.label or weapon.id} deals {whom} nonlethal damage only"
    if weapon.ranged and weapon.use not in ("bow", "crossbow"):
        return f"{weapon.label or weapon.id} is no melee weapon, bow or crossbow"
    nearest = attempt.rules.number("coup_de_grace.adjacent")
    if weapon.ranged and (attempt.situation.distance or 0) > nearest:
        return f"{weapon.label or weapon.id} does it only when adjacent"
    return strike.why_not


def sneak_attack_dice(rules: Ruleset, rogue_level: int) -> str:
    """Sneak attack dice of a rogue (level 1 to 100), as a combatant's ``sneak_attack`` takes them.

    Source: the public SRD's rogue.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> [sneak_attack_dice(load_ruleset("srd35"), level) for level in (1, 2, 5)]
    ['1d6', '1d6', '3d6']
    """
    step = rules.number("sneak_attack.levels_per_die")
    return f"{-(-within(rogue_level, 'a rogue level', 1, 100) // step)}d6"
