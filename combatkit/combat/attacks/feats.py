"""Feats in one attack: which hold, and why the others have no say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from combatkit.errors import CombatkitError, check_word, nearest
from combatkit.rules import Combatant, Feat, Ruleset
from combatkit.rules.modifier import Side

if TYPE_CHECKING:
    from combatkit.combat.attacks.attempt import Attempt


class JudgedFeat(NamedTuple):
    """A feat of one side, and why it does not hold here (empty where it does)."""

    feat: Feat
    why_not: str


class Remark(NamedTuple):
    """A feat that leaves the odds of an attack as they are, and why."""

    side: Side
    label: str
    why: str


def attacker_feats(attempt: Attempt) -> tuple[JudgedFeat, ...]:
    """Judge the attacker's feats, each once."""
    rules, who = attempt.rules, attempt.attacker
    listed = rules.feats_of(who.feats)
    for word in attempt.situation.feats_unused:
        check_word(word, (feat.id for feat, _ in listed), "situation: feats_unused:")
    return tuple(JudgedFeat(feat, _why_not(attempt, feat, bound)) for feat, bound in listed)


def _why_not(attempt: Attempt, feat: Feat, bound: str) -> str:
    weapon, distance = attempt.weapon, attempt.situation.distance
    if feat.id in attempt.situation.feats_unused:
        return "is not used"
    if feat.weapon_bound and not bound:
        return f"names no weapon, as '{feat.id}:club' does"
    if feat.weapon_bound and bound != attempt.weapon_id:
        _check_weapon(attempt.rules, attempt.attacker, feat, bound)
        return "is for another weapon"
    if feat.weapons and attempt.weapon_id not in feat.weapons:
        return f"does not go with {weapon.label or 'this weapon'}"
    if feat.mode not in (None, attempt.mode):
        return f"is for {feat.mode} attacks"
    if feat.within is not None and (distance is None or distance > feat.within):
        where = "no distance is given" if distance is None else f"this is {distance} feet"
        return f"holds within {feat.within} feet; {where}"
    if feat.unarmored and (attempt.attacker.armor or attempt.attacker.shield):
        return "does not go with armor or a shield"
    return ""


def _check_weapon(rules: Ruleset, who: Combatant, feat: Feat, bound: str) -> None:
    own = [held if isinstance(held, str) else held.base or held.id for held in who.weapons]
    if bound not in own and bound not in rules.weapons:
        raise CombatkitError(
            f"feat {feat.id!r}: weapon {bound!r:.60} is neither {who.name or 'the combatant'}'s "
            f"nor in ruleset '{rules.id}'{nearest(bound, [*own, *rules.weapons])}"
        )


def check_option_feat(rules: Ruleset, who: Combatant, feat: str) -> None:
    """Refuse an option without its feat, where the ruleset asks for it."""
    if rules.switch("option_feats") == "needed" and not who.has_feat(feat):
        raise CombatkitError(
            f"situation: {rules.feat(feat).label} takes the feat '{feat}', which "
            f"{who.name or 'this combatant'} does not have"
        )


def defender_feats(attempt: Attempt) -> tuple[JudgedFeat, ...]:
    """Judge the defender's feats, each once: those that have a say when it is attacked."""
    who = attempt.defender
    return tuple(
        JudgedFeat(feat, _why_no_defense(attempt, feat))
        for feat, _ in attempt.rules.feats_of(who.feats)
    )


def _why_no_defense(attempt: Attempt, feat: Feat) -> str:
    guards = any(bonus.to == "armor_class" for bonus in feat.bonuses)
    if not (guards or feat.shrugs_off or feat.keeps_dexterity):
        return "has no say when its bearer is attacked"
    if feat.mode not in (None, attempt.mode):
        return f"is for {feat.mode} attacks"
    if feat.two_weapons and not _wields_two(attempt.rules, attempt.defender):
        return "takes a double weapon or two weapons"
    return ""


def _wields_two(rules: Ruleset, who: Combatant) -> bool:
    """Whether the first weapon has two ends, or the first two are one for each hand."""
    held = [rules.weapon(choice) for choice in who.weapons[:2]]
    hands = ("light", "one_handed")
    return any(weapon.double for weapon in held[:1]) or (
        len(held) == 2 and all(w.hand in hands and not w.ranged for w in held)
    )


def remarks(attempt: Attempt) -> Iterator[Remark]:
    """Name the feats that leave the odds of an attack as they are, and say why."""
    sides: tuple[tuple[Side, Combatant, tuple[JudgedFeat, ...]], ...] = (
        ("attacker", attempt.attacker, attempt.judged_feats),
        ("defender", attempt.defender, attempt.judged_defense),
    )
    for side, who, judged in sides:
        for feat, why_not in judged:
            why = feat.apart if not feat.counts else why_not or _idle(attempt, side, feat)
            if why:
                yield Remark(side, feat.label, why)
        for word in sorted({word for word in who.feats if who.feats.count(word) > 1}):
            if not attempt.rules.feat(word).repeats:
                yield Remark(side, attempt.rules.feat(word).label, "is listed twice, counts once")


def _idle(attempt: Attempt, side: Side, feat: Feat) -> str:
    """Say why a feat that holds adds nothing to this attack."""
    if side == "defender":
        return ""
    added = {bonus.to for bonus in feat.bonuses}
    if feat.shrugs_off or feat.keeps_dexterity or added == {"armor_class"}:
        return "" if feat.grants else "counts when its bearer is attacked"
    if attempt.attacker.attack_bonus is not None and added == {"attack"}:
        return "is part of the attack bonus as given"
    there = attempt.situation
    traded = (
        (feat.id == "power_attack" and there.power_attack)
        or (feat.id == "combat_expertise" and there.combat_expertise)
        or (feat.id == "manyshot" and there.arrows > 1)
    )
    return "" if traded or attempt.two_weapon or attempt.further else feat.apart
