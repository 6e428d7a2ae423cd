"""What each side of a maneuver adds to its die, who may try it, and whom it provokes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import get_args

from combatkit.combat.attacks.attack import Strike, check_parts, prepare, strike
from combatkit.combat.attacks.attack_bonus import attack_bonus
from combatkit.combat.attacks.attempt import Attempt
from combatkit.combat.attacks.situation import Situation
from combatkit.combat.checks.opposed import Check, opposed_check
from combatkit.combat.d20 import Roll
from combatkit.combat.maneuvers.result import Contest
from combatkit.combat.turns.price import Price, Threat, price_of_provoking
from combatkit.errors import CombatkitError, check_word, expect
from combatkit.rules import Combatant, Line, Lookup, Ruleset, Tally, Weapon, modifier_of, tally
from combatkit.rules.creature import Ability, Skill
from combatkit.rules.equipment import Size

SIZES: tuple[str, ...] = get_args(Size)
SKILLS: dict[Skill, Ability] = {"bluff": "cha", "sense_motive": "wis", "escape_artist": "dex"}
MEDIUM = SIZES.index("medium")


def rule_of(
    rules: Ruleset, name: str, attacker: Combatant, defender: Combatant, situation: Situation
) -> Lookup:
    """Find a maneuver of a ruleset, or say that its document leaves such acts to the referee."""
    check_parts(rules, attacker, defender, situation)
    if not any(entry.table == "maneuver" for entry in rules.lookups.values()):
        raise CombatkitError(
            f"ruleset '{rules.id}' has no rule for a {name.replace('_', ' ')}: the referee "
            "decides what is rolled; checks.opposed_check works out any two rolls"
        )
    return rules.lookup("maneuver", name)


def too_large(rule: Lookup, attacker: Combatant, defender: Combatant) -> str:
    """Why the defender is too large for it; empty where it is not."""
    steps = SIZES.index(defender.size) - SIZES.index(attacker.size)
    if "largest" not in rule.cells or steps <= (most := int(rule.number("largest"))):
        return ""
    return (
        f"{defender.name or 'the defender'} is too large: {steps} sizes larger, and {rule.label} "
        f"works up to {most}"
    )


def provoked(
    rules: Ruleset,
    attacker: Combatant,
    defender: Combatant,
    threats: Iterable[Threat] | None,
    action: str | None,
) -> Price:
    """Work out the attacks of opportunity: the defender's, or those of all who threaten."""
    listed = (Threat(defender),) if threats is None else threats
    checked = [expect(threat, Threat, "threats") for threat in listed]
    aimed = (replace(t, target=True) if t.who == defender else t for t in checked)
    return price_of_provoking(rules, attacker, aimed, action)


def answering(made: Attempt, weapon: Weapon | str | None, roll: Roll) -> Attempt:
    """Return the attempt of the defender, who answers with a roll of its own."""
    check_word(roll, get_args(Roll), "defender_roll:")
    return prepare(made.rules, made.defender, made.attacker, weapon, Situation(roll=roll))


def touch_attack(made: Attempt) -> Strike:
    """Return the touch attack that comes before a hold or a trip; it deals no damage."""
    harmless = made.weapon.model_copy(update={"damage": {}, "extra": ""})
    there = made.situation.model_copy(update={"touch": True, "first_hit": ""})
    return strike(replace(made, weapon=harmless, situation=there))


def contest(made: Attempt, other: Attempt, mine: Tally, theirs: Tally) -> Contest:
    """Oppose two tallies, each with its side's roll."""
    check = opposed_check(made.rules, Check(mine.total, made.roll), Check(theirs.total, other.roll))
    return Contest(mine, theirs, check)


def strength_check(made: Attempt, rule: Lookup, plain: bool = False) -> Tally:
    """Tally the Strength check of the one who tries; ``plain`` counts size and nothing else."""
    lines = [
        made.term("maneuver.strength", made.attacker.strength),
        *_size_on_checks(made, made.attacker),
        *(() if plain else improved(made, rule, made.attacker)),
        *check_bonuses(made, made.attacker),
        *rows_on_checks(made, rule),
    ]
    return tally(lines, made.rules.stacking, f"{rule.label}: Strength check")


def resistance(made: Attempt, rule: Lookup, dexterity: bool = True, stable: bool = True) -> Tally:
    """Tally the check of the one who resists: Strength, or Dexterity where that is higher."""
    who = made.defender
    score, reasons = made.dexterity("defender")
    lines = [made.term("maneuver.strength", who.strength)]
    if dexterity and modifier_of(score) > who.strength:
        why = "; ".join(["higher than Strength", *reasons])
        lines = [made.term("maneuver.dexterity", modifier_of(score), why=why)]
    lines += _size_on_checks(made, who)
    if stable and who.stable:
        lines.append(made.term("maneuver.stability", made.rules.number("maneuver.stability")))
    lines += check_bonuses(made, who)
    return tally(lines, made.rules.stacking, f"{rule.label}: resistance")


def grapple_check(made: Attempt, rule: Lookup, who: Combatant) -> Tally:
    """Tally a grapple check: base attack, Strength, special size modifier, Improved Grapple."""
    rules = made.rules
    size = int(rules.lookup("size", who.size).number("grapple"))
    lines = [
        made.term("maneuver.base_attack", who.base_attack),
        made.term("maneuver.strength", who.strength),
        *((made.term("maneuver.size", size, why=who.size),) if size else ()),
        *improved(made, rule, who),
        *check_bonuses(made, who),
        *(rows_on_checks(made, rule) if who is made.attacker else ()),
    ]
    return tally(lines, rules.stacking, "Grapple check")


def weapon_roll(made: Attempt, rule: Lookup, special: Iterable[Line] = ()) -> Tally:
    """Tally an attack roll against an attack roll, over a weapon or shield."""
    rules, weapon, lines = made.rules, made.weapon, list(attack_bonus(made).lines)
    if weapon.light:
        lines.append(made.term("maneuver.grip", rules.number("maneuver.light"), why=weapon.label))
    elif made.grip == "two_handed":
        lines.append(made.term("maneuver.grip", rules.number("maneuver.two_handed")))
    steps = SIZES.index(made.attacker.size) - SIZES.index(made.defender.size)
    if steps > 0:
        value = steps * rules.number("maneuver.size")
        lines.append(made.term("maneuver.size", value, why=f"sizes larger: {steps}"))
    return tally([*lines, *special], rules.stacking, f"{rule.label}: attack roll")


def in_melee(weapon: Weapon) -> Weapon:
    """Return what is held, as its holder defends it in melee: a bow is no two-handed weapon."""
    if not weapon.ranged:
        return weapon
    return weapon.model_copy(update={"use": "melee", "hand": "one_handed", "composite": False})


def improved(made: Attempt, rule: Lookup, who: Combatant) -> Iterator[Line]:
    """Yield the bonus of the feat that improves a maneuver."""
    feat = str(rule.cells.get("feat", ""))
    if feat and who.has_feat(feat):
        label = made.rules.feat(feat).label
        yield made.term("maneuver.feat", made.rules.number("maneuver.feat"), label)


def skill_line(made: Attempt, who: Combatant, skill: Skill) -> Line:
    """Return the line of a skill: the total given, or the ability modifier of the untrained."""
    label = skill.replace("_", " ").title()
    if skill in who.skills:
        return made.term("maneuver.skill", who.skills[skill], label)
    ability = SKILLS[skill]
    why = f"untrained: {ability.capitalize()} modifier"
    return made.term("maneuver.skill", modifier_of(who.score(ability)), label, why)


def check_bonuses(made: Attempt, who: Combatant) -> Iterator[Line]:
    """Yield bonuses on checks that were entered by hand."""
    for index, given in enumerate(who.bonuses):
        kind = made.rules.bonus_type(given.type)
        if given.to == "check":
            label = given.label or "Bonus"
            yield Line(f"bonus.{index}", label, given.value, kind, given.cite)


def rows_on_checks(made: Attempt, rule: Lookup) -> Iterator[Line]:
    """Yield the attacker's rows: those that count on checks, and the rest with the reason."""
    known = {
        entry.id: entry for entry in made.rules.lookups.values() if entry.table == "maneuver_row"
    }
    for line in made.lines("attack"):
        entry = known.get(line.id.rpartition(".")[2])
        column = next((key for key in (rule.id, "all") if entry and key in entry.cells), "")
        if entry and column:
            value = int(entry.number(column))
            yield replace(line, value=value, cite=entry.cite, note=entry.note, why="")
        else:
            yield line.struck("counts on attack rolls, not on this check")


def _size_on_checks(made: Attempt, who: Combatant) -> Iterator[Line]:
    steps = SIZES.index(who.size) - MEDIUM
    if steps:
        yield made.term("maneuver.size", steps * made.rules.number("maneuver.size"), why=who.size)


def situation_with(rules: Ruleset, situation: Situation, condition: str) -> Situation:
    """Return the situation of the next attack on somebody in a condition, as far as it is known."""
    row = rules.conditions["defender"].get(condition)
    plain = situation.model_copy(update={"touch": False})
    return plain.with_row(rules, row) if row else plain
