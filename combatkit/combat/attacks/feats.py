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

    @property
    def text(self) -> str:
        """The remark in words."""
        return f"{self.side}'s {self.label}: {self.why}"


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
        return _for_another(attempt, bound)
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


def _for_another(attempt: Attempt, bound: str) -> str:
    own = [held if isinstance(held, str) else held.id for held in attempt.attacker.weapons]
    known = [*own, *attempt.rules.weapons]
    if bound in known:
        return "is for another weapon"
    return f"is for {bound!r:.60}, which is no weapon known{nearest(bound, known)}"


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
    selected = {row.id for row in attempt.situation.rows(attempt.rules)}
    if side == "defender":
        rows = (*feat.shrugs_off, *feat.keeps_dexterity)
        guards = any(not b.rows or selected.intersection(b.rows) for b in feat.bonuses)
        return "" if guards or selected.intersection(rows) else "has nothing to work on here"
    if attempt.attacker.attack_bonus is not None and {b.to for b in feat.bonuses} == {"attack"}:
        return "is part of the attack bonus as given"
    adds = any(bonus.to in ("attack", "damage", "confirmation") for bonus in feat.bonuses)
    rows = (*feat.cancels, *feat.cancels_target)
    further = bool(feat.further and attempt.further)
    if adds or further or selected.intersection(rows) or _in_use(attempt, feat):
        return ""
    if feat.shrugs_off or feat.keeps_dexterity or feat.bonuses:
        return feat.apart or "counts when its bearer is attacked"
    return feat.apart or "has nothing to work on here"


def _in_use(attempt: Attempt, feat: Feat) -> bool:
    """Whether an ability that a feat grants, or an option it allows, shows in this attack."""
    there, two = attempt.situation, bool(attempt.two_weapon)
    uses = {
        "finesse": attempt.by_dexterity,
        "two_weapon": two,
        "second_off_hand": two,
        "third_off_hand": two,
        "double_threat_range": True,
        "multiattack": attempt.weapon.hand == "natural_secondary",
        "second_miss_roll": bool(attempt.miss_chance),
        "far_shot": bool(there.distance),
        "spirited_charge": bool(attempt.effect("mounted_charge")),
        "power_attack": bool(there.power_attack),
        "combat_expertise": bool(there.combat_expertise),
        "manyshot": there.arrows > 1,
    }
    return any(uses.get(word, False) for word in (feat.id, *feat.grants))
