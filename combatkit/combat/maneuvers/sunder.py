"""Sundering: an attack roll against an attack roll, then hardness and hit points of the item."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from combatkit.combat.attacks.attack import ORDINARY, attack, choose_weapon
from combatkit.combat.attacks.situation import Situation
from combatkit.combat.d20 import Roll
from combatkit.combat.maneuvers.result import Maneuver, dealt, impossible, outcomes
from combatkit.combat.maneuvers.rolls import (
    MEDIUM,
    SIZES,
    answering,
    contest,
    improved,
    in_melee,
    provoked,
    rule_of,
    weapon_roll,
)
from combatkit.combat.turns.price import Threat
from combatkit.errors import CombatkitError, expect
from combatkit.prob import Dist
from combatkit.prob.exact import within
from combatkit.rules import Combatant, Ruleset, Weapon
from combatkit.rules.equipment import Grip

TOUGHEST = 10_000  # hardness or hit points


class Item(NamedTuple):
    """Something that can be broken.

    Attributes
    ----------
    label : str
    hardness : int
        Taken off each hit's damage, 0 to 10,000.
    hit_points : int
        1 to 10,000; at 0 it is broken.
    """

    label: str
    hardness: int
    hit_points: int


NOTHING_HELD = Item("", 0, 1)


@dataclass(frozen=True, eq=False)
class Sunder(Maneuver):
    """A sunder; its ``damage`` is what the item takes after hardness.

    Attributes
    ----------
    item : Item
        What is struck at, with its full hardness.
    """

    item: Item = NOTHING_HELD

    @property
    def p_breaks(self) -> Fraction:
        """Chance that this attempt breaks the item, whole before."""
        return self.damage.at_least(self.item.hit_points)


def sunder(
    rules: Ruleset,
    attacker: Combatant,
    defender: Combatant,
    weapon: str | Weapon | None = None,
    situation: Situation = ORDINARY,
    grip: Grip | None = None,
    held: str | Weapon | None = None,
    shield: bool = False,
    item: Item | None = None,
    threats: Sequence[Threat] | None = None,
    defender_roll: Roll = "normal",
) -> Sunder:
    """Work out an attempt to break somebody's weapon or shield.

    Parameters
    ----------
    rules : Ruleset
    attacker, defender : Combatant
    weapon : str or Weapon, optional
        The attacker's, which must cut or crush; the first of theirs when left out.
    situation, grip
        Of the attacker's roll and damage, as for an attack.
    held : str or Weapon, optional
        What the defender rolls with, and what is struck at; the first of theirs when left out.
    shield : bool, optional
        Whether the defender's shield is struck at instead.
    item : Item, optional
        Hardness and hit points of what is struck at, where they are not the table's.
    threats, defender_roll : optional
        As for :func:`disarm`.

    Returns
    -------
    Sunder

    Raises
    ------
    CombatkitError
        For a weapon or shield whose hardness the table does not know; give ``item``.

    Notes
    -----
    Source: srd, Special attacks, Sunder; Magic weapons; Adamantine; Feats, Improved Sunder. An item
    takes no critical hits, sneak attacks or extra dice.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("srd35")
    >>> hero = Combatant(abilities={"str": 18}, base_attack=6, weapons=["greataxe"])
    >>> made = sunder(rules, hero, Combatant(base_attack=4, weapons=["longsword"]), threats=())
    >>> made.item, made.p_success, made.p_breaks
    (Item(label='Longsword', hardness=10, hit_points=5), Fraction(71, 80), Fraction(71, 240))
    """
    rule = rule_of(rules, "sunder", attacker, defender, situation)
    swing = attack(rules, attacker, defender, weapon, situation, grip)
    made, target = swing.attempt, choose_weapon(rules, defender, held)
    if item is None:
        item = _shield_of(rules, defender) if shield else _weapon_item(rules, defender, target)
    _checked(item)
    why_not = swing.why_not
    if made.mode == "ranged":
        why_not = f"{made.weapon.label} makes no melee attack"
    elif made.weapon.types and not {"slashing", "bludgeoning"} & set(made.weapon.types):
        why_not = f"{made.weapon.label} neither cuts nor crushes"
    if why_not:
        return Sunder(rule, impossible(rule, why_not).outcomes, why_not=why_not, item=item)
    price = provoked(rules, attacker, defender, threats, str(rule.cells["action"]))
    back = answering(made, in_melee(target), defender_roll)
    mine = weapon_roll(made, rule, improved(made, rule, attacker))
    own = contest(made, back, mine, weapon_roll(back, rule))
    ends = outcomes(price, None, own)
    harmed = _damage(rules, attacker, made.weapon, situation, grip, item)
    damage = dealt(ends["success"], harmed)
    broken = damage.at_least(item.hit_points)
    remarks = [
        f"{item.label}: hardness {item.hardness}, {item.hit_points} hit points; broken at once "
        f"with {broken}"
    ]
    if made.weapon.extra:
        remarks.append("extra dice are not counted on an item")
    return Sunder(
        rule,
        ends,
        price,
        contest=own,
        damage=damage,
        situation_after=situation,
        remarks=tuple(remarks),
        item=item,
    )


def _damage(
    rules: Ruleset,
    attacker: Combatant,
    weapon: Weapon,
    situation: Situation,
    grip: Grip | None,
    item: Item,
) -> Dist:
    """Damage of a hit on an item after its hardness."""
    bare = weapon.model_copy(update={"extra": ""})
    there = situation.model_copy(update={"first_hit": ""})
    thing = Combatant(name=item.label, critical_immune=True)
    hardness = item.hardness
    if "adamantine" in weapon.materials and hardness < rules.number("sunder.adamantine"):
        hardness = 0
    full = attack(rules, attacker, thing, bare, there, grip).hit_damage
    return (full - hardness).clip(low=0)


def _checked(item: Item) -> None:
    expect(item, Item, "item")
    within(item.hardness, f"{item.label}: hardness", 0, TOUGHEST)
    within(item.hit_points, f"{item.label}: hit points", 1, TOUGHEST)


def _shield_of(rules: Ruleset, who: Combatant) -> Item:
    if who.shield is None:
        raise CombatkitError(f"{who.name or 'the defender'} carries no shield")
    shield = rules.armor(who.shield)
    return _item(rules, who, shield.label, shield.id, who.shield_enhancement)


def _weapon_item(rules: Ruleset, who: Combatant, held: Weapon) -> Item:
    if held.natural or held.hand == "unarmed":
        raise CombatkitError(f"{who.name or 'the defender'} holds no weapon to break")
    key = held.build if held.build in ("", "projectile") else f"{held.hand}_{held.build}"
    return _item(rules, who, held.label or held.id, key, held.enhancement)


def _item(rules: Ruleset, who: Combatant, label: str, key: str, enhancement: int) -> Item:
    known = {entry.id: entry for entry in rules.lookups.values() if entry.table == "durability"}
    if key not in known:
        raise CombatkitError(
            f"the rules have no hardness and hit points for {label}; give item=Item(label, "
            "hardness, hit points)"
        )
    steps = SIZES.index(who.size) - MEDIUM
    points = int(known[key].number("hit_points") * Fraction(2) ** steps)
    hard = int(known[key].number("hardness")) + enhancement * rules.number("sunder.hardness")
    more = enhancement * rules.number("sunder.hit_points")
    return Item(label, hard, max(1, points + more))
