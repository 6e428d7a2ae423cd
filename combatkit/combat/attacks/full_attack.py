"""The full attack: every strike of one round."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import prod

from combatkit.combat.attacks.attack import (
    ORDINARY,
    Strike,
    check_parts,
    choose_weapon,
    strike,
    usual_grip,
)
from combatkit.combat.attacks.attempt import Attempt
from combatkit.combat.attacks.damage import blows_damage
from combatkit.combat.attacks.situation import Situation
from combatkit.errors import CombatkitError
from combatkit.prob import Dist
from combatkit.rules import Combatant, Feat, Line, Row, Ruleset, Weapon
from combatkit.rules.classes import attacks_per_round
from combatkit.rules.equipment import Grip
from combatkit.rules.printed import printed_round


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
        return blows_damage(tuple(strike.blow for strike in self.strikes if strike.possible))

    @property
    def expected_hits(self) -> Fraction:
        """Expected number of hits."""
        return sum((strike.p_hit for strike in self.strikes), start=Fraction(0))

    @property
    def p_any_hit(self) -> Fraction:
        """Chance that at least one strike hits."""
        return 1 - prod((1 - strike.p_hit for strike in self.strikes), start=Fraction(1))

    @property
    def p_all_hit(self) -> Fraction:
        """Chance that every strike hits."""
        return prod((strike.p_hit for strike in self.strikes), start=Fraction(1))

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
    if situation.arrows > 1:
        raise CombatkitError("situation: several arrows at once are one attack, not a full one")
    first = Attempt(rules, attacker, defender, held, main, situation, thrown=thrown)
    more, paid = _further(first)
    together = () if isinstance(weapon, Weapon) else printed_round(rules, attacker, weapon)
    if off_hand is not None:
        plan = list(_two_weapons(first, more, off_hand))
    else:
        plan = [
            (used, usual_grip(one, grip), order, 0)
            for number, one in enumerate(together or (held,))
            for used, order in _orders(first, one, 0 if number else more)
        ]
        if weapon is None and not together:
            plan += _natural_attacks(first)
    return FullAttack(
        tuple(
            strike(
                replace(first, weapon=used, grip=how, order=order, two_weapon=penalty, further=paid)
            )
            for used, how, order, penalty in plan
        )
    )


def _further(attempt: Attempt) -> tuple[int, tuple[Line, ...]]:
    """Further attacks at the highest bonus, by feats and rows, and what all attacks pay."""
    if _loads(attempt):
        return 0, ()
    more, paid, level = 0, list[Line](), attempt.attacker.level or 0
    feats = () if attempt.weapon.attack_bonuses else attempt.feats  # as printed, feats included
    entries: tuple[Feat | Row, ...] = (*feats, *attempt.rows)
    for entry in entries:
        reached = [step for step in entry.further if step.level <= level]
        if reached:
            step = max(reached, key=lambda step: step.level)
            more += step.attacks
            label = f"{entry.label}, further attack"
            paid.append(Line.of(entry, step.penalty, f"further.{entry.id}", "untyped", "", label))
    return more, tuple(paid)


def _loads(attempt: Attempt) -> bool:
    """Whether the weapon has to be loaded for each shot, which leaves one a round."""
    eased = attempt.granted("rapid_reload") and attempt.weapon.reload == "move"
    return attempt.weapon.reload != "free" and not eased


def strikes_of(attack: Strike | FullAttack, where: str) -> tuple[Strike, ...]:
    """Return the strikes of an attack or of a round, at least one; refuse anything else."""
    if not isinstance(attack, Strike | FullAttack):
        raise CombatkitError(f"{where}: a Strike or a FullAttack is needed, not {attack!r:.60}")
    if not attack.strikes:
        raise CombatkitError(f"{where}: a FullAttack without strikes")
    return attack.strikes


def _natural_attacks(first: Attempt) -> list[tuple[Weapon, Grip, int, int]]:
    """Natural attacks beside the first weapon: all of them, or the secondary ones when armed.

    Beside a bow or another ranged weapon there are none.
    """
    held = first.weapon
    if held.ranged:
        return []
    others = [first.rules.weapon(choice) for choice in first.attacker.weapons[1:]]
    used = [
        weapon
        for weapon in others
        if weapon.hand == "natural_secondary" or (weapon.natural and held.natural)
    ]
    return [(one, "primary", order, 0) for weapon in used for one, order in _orders(first, weapon)]


def _orders(attempt: Attempt, weapon: Weapon, more: int = 0) -> list[tuple[Weapon, int]]:
    """Attacks of one weapon with their penalties: as printed, else natural weapons gain none."""
    rules = attempt.rules
    if weapon.attack_bonuses:
        bonuses = (*weapon.attack_bonuses[:1] * more, *weapon.attack_bonuses)
        return [(weapon.model_copy(update={"attack_bonuses": (one,)}), 0) for one in bonuses]
    if weapon.natural:
        return [(weapon, 0)] * (weapon.attacks + more)
    if _loads(attempt):
        return [(weapon, 0)]
    step = rules.number("attack.iterative_step")
    usual = [step * n for n in range(attacks_per_round(rules, attempt.attacker.base_attack))]
    return [(weapon, order) for order in (*[0] * more, *usual)]


def _two_weapons(
    attempt: Attempt, more: int, off_hand: str | Weapon
) -> Iterator[tuple[Weapon, Grip, int, int]]:
    rules, who, held, grip = attempt.rules, attempt.attacker, attempt.weapon, attempt.grip
    second = choose_weapon(rules, who, off_hand)
    light = second.light
    if second.id == held.id and held.double:
        # the other end of a double weapon counts as light, for the penalties only
        ends = {
            "medium": held.double,
            **({"small": held.double_small} if held.double_small else {}),
        }
        other = {
            "damage": ends,
            "multiplier": held.double_multiplier or held.multiplier,
            "types": held.double_types or held.types,
        }
        second, light, grip = held.model_copy(update=other), True, "primary"
    elif grip == "two_handed" or second.hand == "two_handed":
        busy = held if grip == "two_handed" else second
        raise CombatkitError(f"{busy.label or busy.id} takes two hands: no second weapon")
    granted = {ability for feat, _ in rules.feats_of(who.feats) for ability in feat.grants}
    parts = ["light"] * light + ["feat"] * ("two_weapon" in granted)
    penalties = rules.lookup("two_weapon", "_".join(parts) or "normal")
    step = rules.number("attack.iterative_step")
    for one, order in _orders(attempt, held, more):
        printed = bool(one.attack_bonuses)
        yield one, grip, order, 0 if printed else int(penalties.number("primary"))
    if second.attack_bonuses:
        yield from ((one, "off_hand", 0, 0) for one, _ in _orders(attempt, second))
        return
    further = ("second_off_hand" in granted) + ("third_off_hand" in granted)
    for number in range(1 + further):
        yield second, "off_hand", step * number, int(penalties.number("off_hand"))
