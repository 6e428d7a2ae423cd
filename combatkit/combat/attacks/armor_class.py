"""Armor class: what an attack roll has to reach."""

from __future__ import annotations

from collections.abc import Iterator

from combatkit.combat.attacks.attempt import Attempt
from combatkit.combat.attacks.feats import check_option_feat
from combatkit.errors import CombatkitError
from combatkit.prob.exact import within
from combatkit.rules import Armor, Line, Tally, modifier_of, tally


def armor_class(attempt: Attempt) -> Tally:
    """Tally the defender's armor class against one attack.

    Parameters
    ----------
    attempt : Attempt
        Who attacks whom, with what, in which situation.

    Returns
    -------
    Tally
        Every line, with those a touch attack disregards or a denied Dexterity takes away struck.

    Notes
    -----
    Order for Dexterity: changes of the score, then the cap of armor, then the strictest of full,
    lost bonus (a penalty stays) and a score that counts as 0. Sources: SRD combat statistics,
    Armour Class; SRD combat modifiers, table 8-6 notes; Phased combat, Stunned and Touch AC.
    """
    own = list(_own_lines(attempt))
    own += _bare_items(attempt, own)
    lines = [*own, *_printed_rest(attempt, own), _dexterity(attempt)]
    if expertise := attempt.situation.defender_expertise:
        most = attempt.rules.number("combat_expertise.most")
        within(expertise, "situation: defender_expertise", 0, most)
        check_option_feat(attempt.rules, attempt.defender, "combat_expertise")
        lines.append(attempt.term("armor_class.expertise", expertise))
    lines += attempt.lines("armor_class")
    return tally((_denied(attempt, line) for line in lines), attempt.rules.stacking, "Armor class")


def _own_lines(attempt: Attempt) -> Iterator[Line]:
    rules, who = attempt.rules, attempt.defender
    yield attempt.term("armor_class.base", rules.armor_class.base)
    for kind, worn in _worn(attempt).items():
        yield attempt.term(f"armor_class.{kind}", worn.bonus, worn.label)
    for kind in ("armor", "shield", "natural_armor"):
        if enhancement := getattr(who, f"{kind}_enhancement"):
            yield attempt.term(f"armor_class.{kind}_enhancement", enhancement)
    for name in ("natural_armor", "dodge", "deflection"):
        if value := getattr(who, name):
            yield attempt.term(f"armor_class.{name}", value)
    size = int(rules.lookup("size", who.size).number("modifier"))
    if size:
        yield attempt.term("armor_class.size", size, why=who.size)
    yield from attempt.feat_lines("armor_class")
    yield from attempt.bonus_lines("armor_class")


def _bare_items(attempt: Attempt, lines: list[Line]) -> Iterator[Line]:
    """Clothes that magic makes armor of: an improvement of what has no bonus of its own."""
    ids, improves = {line.id for line in lines}, attempt.rules.stacking.improves
    for item in {improves[line.type]: None for line in lines if line.type in improves}:
        if item not in ids:
            yield attempt.term(item, 0, why="none of its own")


def _worn(attempt: Attempt) -> dict[str, Armor]:
    """Armor and shield the defender wears; a shield is no armor, nor the other way round."""
    worn = {}
    for slot in ("armor", "shield"):
        choice = getattr(attempt.defender, slot)
        if choice is not None:
            armor = attempt.rules.armor(choice)
            if (armor.kind == "shield") != (slot == "shield"):
                name = attempt.defender.name or "the defender"
                what = "a shield" if slot == "armor" else "no shield"
                raise CombatkitError(f"{name}: field '{slot}': {armor.label} is {what}")
            worn[slot] = armor
    return worn


def _printed_rest(attempt: Attempt, own: list[Line]) -> Iterator[Line]:
    """Make the parts add up to an armor class given as a total."""
    printed = attempt.defender.armor_class
    if printed is None:
        return
    who = attempt.defender
    parts = tally(own, attempt.rules.stacking).total
    rest = printed - parts - _capped(attempt, modifier_of(who.score("dex")))[0]
    if rest:
        yield attempt.term("armor_class.printed", rest)


def _dexterity(attempt: Attempt) -> Line:
    score, reasons = attempt.dexterity("defender")
    value, caps = _capped(attempt, modifier_of(score))
    reasons += caps
    if label := attempt.effect("defender_loses_dexterity"):
        if value > 0:
            reasons.append(f"{value:+d} lost: {label}")
            value = 0
        elif value < 0 and attempt.touch and _drops_penalty(attempt):
            reasons.append(f"{value:+d} dropped in the Stunned Touch formula")
            value = 0
    return attempt.term("armor_class.dexterity", value, why="; ".join(reasons))


def _drops_penalty(attempt: Attempt) -> bool:
    return attempt.rules.switch("stunned_touch") == "formula"


def _capped(attempt: Attempt, modifier: int) -> tuple[int, list[str]]:
    """Limit a Dexterity bonus by what is worn; a penalty is never capped."""
    limits: list[tuple[int, Armor]] = [
        (armor.max_dexterity, armor)
        for armor in _worn(attempt).values()
        if armor.max_dexterity is not None and armor.kind in attempt.rules.armor_class.capped_by
    ]
    if not limits:
        return modifier, []
    limit, armor = min(limits, key=lambda pair: pair[0])
    if modifier <= limit:
        return modifier, []
    return limit, [f"{armor.label} allows at most {limit:+d}"]


def _denied(attempt: Attempt, line: Line) -> Line:
    rule = attempt.rules.armor_class
    if attempt.touch and line.type in rule.touch_ignores:
        return line.struck("a touch attack disregards it")
    idle = attempt.effect("loses_shield")
    if idle and line.id in ("armor_class.shield", "armor_class.shield_enhancement"):
        return line.struck(f"the shield is not in use: {idle}")
    label = attempt.effect("defender_loses_dexterity")
    if label and line.type in rule.lost_with_dexterity and line.value > 0:
        return line.struck(f"lost with the Dexterity bonus: {label}")
    return line
