"""Weapons of a printed attack line: what it says, and the rest from the ruleset's weapon."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from combatkit.errors import CombatkitError, nearest
from combatkit.rules.attack_line import Printed, read_attack_line
from combatkit.rules.creature import Combatant
from combatkit.rules.equipment import Weapon
from combatkit.rules.ruleset import Ruleset

MATERIALS = {"silver": "silver", "silvered": "silver", "adamantine": "adamantine"}
PLURALS = {"hooves": "hoof", "touches": "touch", "lashes": "lash"}


@lru_cache(maxsize=512)
def printed_rounds(rules: Ruleset, line: str) -> tuple[tuple[Weapon, ...], ...]:
    """Make the weapons of an attack line: rounds to choose from, each of weapons used together.

    Parameters
    ----------
    rules : Ruleset
        Its weapons and natural attacks say what the line leaves out: type, range, hands.
    line : str
        Such as ``"longsword +12/+7 melee (1d8+6/19-20) or longbow +10 ranged (1d8/x3)"``.

    Raises
    ------
    CombatkitError
        For a line that cannot be read, and for an unknown weapon without damage.

    Examples
    --------
    >>> from combatkit.rules.load import load_ruleset
    >>> (sword,), (bow,) = printed_rounds(
    ...     load_ruleset("srd35"), "longsword +12/+7 (1d8+6/19-20) or longbow +10 (1d8/x3)"
    ... )
    >>> sword.attack_bonuses, sword.damage_bonus, bow.range_increment
    ((12, 7), 6, 100)
    """
    return tuple(
        tuple(_weapon(rules, printed) for printed in choice)
        for choice in (read_attack_line(line) if line else ())
    )


def weapons_of(rules: Ruleset, who: Combatant) -> list[Weapon]:
    """Weapons a combatant has: those of printed attack lines first, then those it holds."""
    lines = (who.attack_line, who.full_attack_line)
    printed = [
        w for line in lines if line for choice in printed_rounds(rules, line) for w in choice
    ]
    return [*printed, *(rules.weapon(choice) for choice in who.weapons)]


def printed_round(rules: Ruleset, who: Combatant, weapon: str | None) -> tuple[Weapon, ...]:
    """Weapons of the printed full attack: the first, or the one that has the weapon named."""
    choices = printed_rounds(rules, who.full_attack_line or who.attack_line)
    if weapon is None:
        return choices[0] if choices else ()
    named = (choice for choice in choices if any(weapon in (w.id, w.base) for w in choice))
    return next(named, ())


def single_name(words: str) -> str:
    """Name one of several: "claws" is "claw".

    Examples
    --------
    >>> single_name("hind hooves"), single_name("short sword")
    ('hind hoof', 'short sword')
    """
    *before, last = words.split() or [""]
    single = PLURALS.get(last) or (last[:-1] if last.endswith("s") else last)
    return " ".join([*before, single])


def _weapon(rules: Ruleset, printed: Printed) -> Weapon:
    known, given, unread = _found(rules, printed.name)
    if not known and printed.dice is None:
        raise CombatkitError(
            f"attack line: {printed.name or 'an attack'!r} has no damage in parentheses, and is no "
            f"weapon of ruleset '{rules.id}'{nearest(printed.name, rules.weapons)}"
        )
    given["attack_bonuses"] = printed.bonuses
    if printed.touch:
        given["touch"] = True
    if printed.dice is not None:
        given |= {
            "damage": printed.dice or "0",
            "damage_bonus": printed.flat,
            "extra": printed.extra,
        }
    if printed.threat_from is not None:
        given |= {"threat_from": printed.threat_from, "multiplier": printed.multiplier}
    riders = ", ".join((*unread, *printed.riders))
    given["note"] = f"not counted beyond the numbers: {riders}"[:300] if riders else ""
    usual = rules.weapons[known["base"]].use if "base" in known else "melee"
    if printed.mode == "melee" or (printed.mode == "ranged" and usual == "melee"):
        given["use"] = "melee" if printed.mode == "melee" else "thrown"
    given["label"] = (printed.name[:1].upper() + printed.name[1:])[:80] or "Attack"
    plain = {"id": single_name(printed.name).replace(" ", "_") or "attack"}
    return rules.weapon(Weapon(**{**(known or plain), **given}))


def _found(rules: Ruleset, name: str) -> tuple[dict[str, Any], dict[str, Any], list[str]]:
    """Find the weapon a name ends in; what stands before it is magic, material, or unread."""
    words = name.split()
    for start in range(len(words)):
        ending = " ".join(words[start:])
        for sought in (ending, single_name(ending)):
            if known := _names(rules).get(sought):
                return known, *_adjectives(words[:start])
    return {}, {}, []


@lru_cache(maxsize=32)
def _names(rules: Ruleset) -> dict[str, dict[str, Any]]:
    """Weapons and natural attacks by what stat blocks call them, as fields of a weapon."""
    names: dict[str, dict[str, Any]] = {}
    for row in rules.plain_tables.get("natural_attack", {}).values():
        kinds = tuple(str(row.cells["types"]).split())
        natural = {"id": row.id, "category": "natural", "hand": "natural", "types": kinds}
        names[row.id.replace("_", " ")] = natural
    for key, weapon in rules.weapons.items():
        label = weapon.label.lower()
        for name in (label.replace(" ", ""), key.replace("_", " "), label):
            names[name] = {"base": key}
    return names


def _adjectives(words: list[str]) -> tuple[dict[str, Any], list[str]]:
    given: dict[str, Any] = {}
    unread: list[str] = []
    materials = []
    for word in " ".join(words).replace("cold iron", "cold_iron").split():
        if word[0] == "+" and word[1:].isdecimal() and len(word) < 4 and int(word[1:]) <= 10:
            given["enhancement"] = int(word[1:])
        elif word in ("masterwork", "mwk"):
            given["masterwork"] = True
        elif word == "cold_iron" or word in MATERIALS:
            materials.append(MATERIALS.get(word, word))
        else:
            unread.append(word)
    return {**given, **({"materials": tuple(materials)} if materials else {})}, unread
