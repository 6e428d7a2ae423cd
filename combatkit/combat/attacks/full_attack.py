"""The full attack: every strike of one round."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from combatkit.combat.attacks.attack import (
    ORDINARY,
    Strike,
    check_parts,
    choose_weapon,
    strike,
    usual_grip,
)
from combatkit.combat.attacks.attempt import Attempt
from combatkit.combat.attacks.blow import Blow
from combatkit.combat.attacks.situation import Situation
from combatkit.combat.attacks.within_round import blows_damage, p_all, strike_by_strike
from combatkit.errors import CombatkitError
from combatkit.prob import Dist
from combatkit.rules import Combatant, Ruleset, Weapon
from combatkit.rules.equipment import Grip


@dataclass(frozen=True, eq=False)
class FullAttack:
    """The strikes of one round, in the order they are made.

    Attributes
    ----------
    strikes : tuple of Strike
    """

    strikes: tuple[Strike, ...]

    @cached_property
    def damage(self) -> Dist:
        """Damage of the whole round."""
        return blows_damage(self._blows)

    @property
    def _blows(self) -> tuple[Blow, ...]:
        return tuple(strike.blow for strike in self.strikes if strike.possible)

    @cached_property
    def by_strike(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """Chance to hit and mean damage of each strike, after whatever the strikes before did.

        It differs from the strike alone where mirror images vanish, dice count for the first hit
        only, or a second hit rends.
        """
        made = iter(strike_by_strike(self._blows))
        nothing = Fraction(0), Fraction(0)
        return tuple(next(made) if strike.possible else nothing for strike in self.strikes)

    @property
    def expected_hits(self) -> Fraction:
        """Expected number of hits."""
        return sum((lands for lands, _ in self.by_strike), start=Fraction(0))

    @property
    def p_any_hit(self) -> Fraction:
        """Chance that at least one strike hits."""
        return 1 - p_all(self._blows, land=False)

    @property
    def p_all_hit(self) -> Fraction:
        """Chance that every strike hits."""
        possible = all(strike.possible for strike in self.strikes)
        return p_all(self._blows, land=True) if possible else Fraction(0)

    def explain(self) -> str:
        """Put the receipts of all strikes in words."""
        return "\n\n".join(
            f"Strike {number}, {strike.weapon.label}\n{strike.explain()}"
            for number, strike in enumerate(self.strikes, 1)
        )


def full_attack(
    rules: Ruleset,
    attacker: Combatant,
    defender: Combatant,
    weapon: str | Weapon | None = None,
    situation: Situation = ORDINARY,
    grip: Grip | None = None,
    off_hand: str | Weapon | None = None,
) -> FullAttack:
    """Work out every strike of a full attack.

    Parameters
    ----------
    rules, attacker, defender, weapon, situation, grip
        As for :func:`attack`. When no weapon is named, a creature whose first weapon is natural
        uses all its natural weapons, and one that is armed adds its secondary natural attacks.
    off_hand : str or Weapon, optional
        A second weapon; the weapon's own id for the other end of a double weapon.

    Returns
    -------
    FullAttack
        Highest bonus first. Sources: SRD combat statistics, Base attack bonus (when another attack
        is gained); Simplified 3.5, Two-Weapon Fighting; srd, further attacks at -5 and natural
        weapons.

    Raises
    ------
    CombatkitError
        As for :func:`attack`, and for hands that cannot hold both weapons.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("srd35")
    >>> fighter = Combatant(abilities={"str": 16}, base_attack=11, weapons=["longsword"])
    >>> round_ = full_attack(rules, fighter, Combatant(armor_class=20))
    >>> [strike.attack_bonus.total for strike in round_.strikes], round_.expected_hits
    ([14, 9, 4], Fraction(3, 2))
    """
    check_parts(rules, attacker, defender, situation)
    held, thrown = choose_weapon(rules, attacker, weapon), grip == "thrown"
    main = usual_grip(held, grip)
    if off_hand is None:
        plan = [(held, main, order, 0) for order in _orders(rules, attacker, held)]
    else:
        plan = list(_two_weapons(rules, attacker, held, main, off_hand))
    if weapon is None:
        plan += _natural_attacks(rules, attacker, held)
    return FullAttack(
        tuple(
            strike(Attempt(rules, attacker, defender, used, how, situation, order, penalty, thrown))
            for used, how, order, penalty in plan
        )
    )


def strikes_of(attack: Strike | FullAttack, where: str) -> tuple[Strike, ...]:
    """Return the strikes of an attack or of a round, at least one; refuse anything else."""
    if not isinstance(attack, Strike | FullAttack):
        raise CombatkitError(f"{where}: a Strike or a FullAttack is needed, not {attack!r:.60}")
    if not attack.strikes:
        raise CombatkitError(f"{where}: a FullAttack without strikes")
    return attack.strikes


def attacks_per_round(rules: Ruleset, base_attack: int) -> int:
    """How many attacks a base attack bonus gives in a full attack.

    Source: SRD combat statistics, Base attack bonus.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> [attacks_per_round(load_ruleset("srd35"), bonus) for bonus in (5, 6, 15, 16)]
    [1, 2, 3, 4]
    """
    return 1 + sum(base_attack >= least for least in rules.series("attack.iterative_thresholds"))


def _natural_attacks(
    rules: Ruleset, who: Combatant, held: Weapon
) -> list[tuple[Weapon, Grip, int, int]]:
    """Natural attacks beside the first weapon: all of them, or the secondary ones when armed."""
    others = [rules.weapon(choice) for choice in who.weapons[1:]]
    used = [
        weapon
        for weapon in others
        if weapon.hand == "natural_secondary" or (weapon.natural and held.natural)
    ]
    return [(weapon, "primary", 0, 0) for weapon in used for _ in range(weapon.attacks)]


def _orders(rules: Ruleset, who: Combatant, weapon: Weapon) -> list[int]:
    """Penalties of the attacks of one weapon in their order; natural weapons gain none."""
    if weapon.natural:
        return [0] * weapon.attacks
    step = rules.number("attack.iterative_step")
    return [step * number for number in range(attacks_per_round(rules, who.base_attack))]


def _two_weapons(
    rules: Ruleset, who: Combatant, held: Weapon, grip: Grip, off_hand: str | Weapon
) -> Iterator[tuple[Weapon, Grip, int, int]]:
    second = choose_weapon(rules, who, off_hand)
    light = second.light
    if second.id == held.id and held.double:
        # the other end of a double weapon counts as light, for the penalties only
        ends = {
            "medium": held.double,
            **({"small": held.double_small} if held.double_small else {}),
        }
        second, light, grip = held.model_copy(update={"damage": ends}), True, "primary"
    elif grip == "two_handed" or second.hand == "two_handed":
        busy = held if grip == "two_handed" else second
        raise CombatkitError(f"{busy.label or busy.id} takes two hands: no second weapon")
    granted = {ability for word in who.feats for ability in rules.feat(word).grants}
    parts = ["light"] * light + ["feat"] * ("two_weapon" in granted)
    penalties = rules.lookup("two_weapon", "_".join(parts) or "normal")
    step = rules.number("attack.iterative_step")
    for order in _orders(rules, who, held):
        yield held, grip, order, int(penalties.number("primary"))
    further = ("second_off_hand" in granted) + ("third_off_hand" in granted)
    for number in range(1 + further):
        yield second, "off_hand", step * number, int(penalties.number("off_hand"))
