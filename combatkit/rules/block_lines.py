"""The lines of a stat block, one small reader each."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, get_args

from combatkit.errors import CombatkitError
from combatkit.rules.attack_line import Printed, read_attack_line, split_outside
from combatkit.rules.block_draft import Draft
from combatkit.rules.block_special import read_feats, read_specials
from combatkit.rules.creature import Ability, Bonus, Skill
from combatkit.rules.equipment import Armor, Size
from combatkit.rules.printed import printed_rounds

if TYPE_CHECKING:
    from combatkit.rules.ruleset import Ruleset

Reader = Callable[[Draft, str], dict[str, Any]]
SAVES = {"fort": "fortitude", "ref": "reflex", "will": "will"}
SIZES = get_args(Size)
SHIELDS = {"light shield": "light_wooden", "heavy shield": "heavy_steel", "shield": "heavy_steel"}
MOST_ARMOR_CLASS = 150  # as the field of a combatant takes
BONUS_TYPES = ("insight", "luck", "sacred", "profane", "morale", "circumstance", "enhancement")
SAYS_NOTHING = (
    *("alignment", "al", "environment", "climate/terrain", "organization", "treasure"),
    *("advancement", "languages", "possessions", "skills", "senses", "aura", "description"),
)


def _number(pattern: str, text: str) -> int | None:
    found = re.search(pattern, text, re.ASCII | re.IGNORECASE)
    return int(found[1].replace("+", "").replace(" ", "")) if found else None


def _needed(pattern: str, text: str, what: str) -> int:
    number = _number(pattern, text)
    if number is None:
        raise CombatkitError(f"no {what} is found here")
    return number


def read_name(draft: Draft, text: str) -> dict[str, Any]:
    """Read the name, and a challenge rating and class levels that stand with it."""
    rating = re.search(r"\bCR (\d{1,3}(/\d{1,2})?)\s*$", text, re.ASCII)
    name = text[: rating.start()] if rating else text
    draft.levels |= levels_in(draft.rules, text)
    fields = {"name": name.strip(" ,;")[:80]}
    return {**fields, **({"challenge_rating": rating[1]} if rating else {})}


def levels_in(rules: Ruleset, text: str) -> dict[str, int]:
    """Find class levels: "1st-level warrior", "orc barbarian 4"."""
    classes = rules.plain_tables.get("class", {})
    lower = text.lower()
    found = [(m[2], m[1]) for m in re.finditer(r"(\d{1,2})[a-z]{2}-level ([a-z]+)", lower)]
    found += [(m[1], m[2]) for m in re.finditer(r"\b([a-z]{4,20}) (\d{1,2})\b", lower)]
    return {name: int(level) for name, level in found if name in classes}


def read_type(piece: str) -> dict[str, Any]:
    """Read size and creature type; nothing where the piece names no size."""
    words = piece.lower().replace("-size", "").split("(")[0].split()
    place = next((n for n, word in enumerate(words[:4]) if word in SIZES), None)
    if place is None or len(words) > place + 5:
        return {}
    kind = " ".join(words[place + 1 :]).strip(" ,;")[:80]
    return {"size": words[place], **({"kind": kind} if kind else {})}


def _size_and_type(draft: Draft, text: str) -> dict[str, Any]:
    fields = read_type(text)
    if not fields:
        raise CombatkitError("no size is found here")
    return fields


def _hit_dice(draft: Draft, text: str) -> dict[str, Any]:
    dice = re.findall(r"(\d{1,3})d(\d{1,3})", text, re.ASCII)
    bonus = _number(r"\d{1,3}d\d{1,3} ?([+-] ?\d{1,4})(?!d|\d)", text)
    if dice:
        draft.fact("hit_dice", ([(int(n), int(d)) for n, d in dice], bonus or 0))
    elif (count := _number(r"\((\d{1,3}) HD\)", text)) is not None:
        draft.fact("hit_dice_count", count)
    points = _number(r"\b(\d{1,5}) ?hp\b", text) or _number(r"^(?:hp )?(\d{1,5})(?!\d|d)", text)
    if points is None and not dice:
        raise CombatkitError("neither hit dice nor hit points are found here")
    return {} if points is None else {"hit_points": points}


def _initiative(draft: Draft, text: str) -> dict[str, Any]:
    draft.fact("initiative", _needed(r"^([+-]? ?\d{1,3})(?!\d)", text, "modifier"))
    return {}


def _speed(draft: Draft, text: str) -> dict[str, Any]:
    others = re.findall(r"\b(?:fly|swim|climb|burrow)\b[^,;()]*", text, re.IGNORECASE)
    for other in others:
        draft.leave(other.strip(), "only the speed on foot is counted")
    base = _number(r"base (?:land )?speed (\d{1,4})(?!\d)", text)
    first = base if base is not None else _number(r"^(\d{1,4})(?!\d)", text)
    if first is None and not others:
        raise CombatkitError("no speed in feet is found here")
    return {} if first is None else {"speed": first}


def _armor_class(draft: Draft, text: str) -> dict[str, Any]:
    total = _needed(r"^(\d{1,3})(?!\d)", text, "armor class")
    if total > MOST_ARMOR_CLASS:
        raise CombatkitError(f"an armor class of {total} is out of all measure")
    fields: dict[str, Any] = {"printed_armor_class": total}
    draft.fact("armor_class", total)
    for name, word in (("touch", "touch"), ("flat_footed", "flat-? ?footed")):
        value = _number(rf"{word} (\d{{1,3}})(?!\d)", text)
        if value is not None:
            draft.fact(name, value)
            fields[f"printed_{name}"] = value
    inside = re.search(r"\(([^()]*)\)", text)
    parts = split_outside(inside[1], ",", ";") if inside else []
    draft.fact("armor_class_parts", [])
    for part in parts:
        _armor_part(draft, part, fields)
    return fields


def _armor_part(draft: Draft, part: str, fields: dict[str, Any]) -> None:
    """Read one part of an armor class, such as "+3 hide armor", into fields."""
    found = re.fullmatch(r"([+-]\d{1,3}) (.{1,60})", part, re.ASCII)
    if not found:
        draft.leave(part, "no part of an armor class")
        return
    value, name = int(found[1]), found[2].lower().strip()
    kind = _part_kind(name)
    draft.said("armor_class_parts").append((kind, value))
    if kind in ("natural_armor", "deflection", "dodge") and value >= 0:
        fields[kind] = value
    elif kind in ("armor", "shield"):
        fields |= _worn(draft.rules, kind, name, value)
    elif kind not in ("size", "dexterity"):
        bonus = Bonus(to="armor_class", value=value, type=kind, label=name)
        fields["bonuses"] = (*fields.get("bonuses", ()), bonus)


def _part_kind(name: str) -> str:
    first = name.split()[0]
    plain = {"size": "size", "dex": "dexterity", "dexterity": "dexterity"}
    if first in plain or first in ("natural", "deflection", "dodge"):
        return plain.get(first) or ("natural_armor" if first == "natural" else first)
    if first in BONUS_TYPES or first in ("rage", "class", "wis", "wisdom", "monk", "haste"):
        return first if first in BONUS_TYPES else "untyped"
    return "shield" if name.endswith(("shield", "buckler")) else "armor"


def _worn(rules: Ruleset, slot: str, name: str, value: int) -> dict[str, Any]:
    """Find armor or a shield by name; what it gives more than the plain one is its enhancement."""
    words = [word for word in name.split() if word[0] != "+" and word not in ("masterwork", "mwk")]
    sought = " ".join(words)
    for key, armor in rules.armors.items():
        names = (armor.label.lower(), key.replace("_", " "), f"{key.replace('_', ' ')} {slot}")
        match = sought in names or SHIELDS.get(sought) == key
        if match and (armor.kind == "shield") == (slot == "shield") and value >= armor.bonus:
            more = {f"{slot}_enhancement": value - armor.bonus} if value > armor.bonus else {}
            return {slot: key, **more}
    kind = "shield" if slot == "shield" else "light"
    return {slot: Armor(label=name[:80], kind=kind, bonus=value)}


def _base_attack(draft: Draft, text: str) -> dict[str, Any]:
    base, _, grapple = text.partition("/")
    if grapple.strip():
        _grapple(draft, grapple.strip())
    number = _needed(r"^([+-]? ?\d{1,3})(?!\d)", base, "base attack bonus")
    draft.fact("base_attack", number)
    return {"base_attack": number}


def _grapple(draft: Draft, text: str) -> dict[str, Any]:
    number = _number(r"^([+-]? ?\d{1,3})(?!\d)", text)
    if number is None:
        draft.leave(text, "no grapple modifier")
    else:
        draft.fact("grapple", number)
    return {}


def _attack(draft: Draft, text: str) -> dict[str, Any]:
    return _line(draft, "attack_line", text)


def _full_attack(draft: Draft, text: str) -> dict[str, Any]:
    return _line(draft, "full_attack_line", text)


def _by_mode(draft: Draft, text: str) -> dict[str, Any]:
    """Read "Melee …" and "Ranged …" of the shorter layout: choices of one attack line."""
    before = draft.fields.get("full_attack_line", "")
    mode, _, rest = text.partition(" ")
    rest = rest.removesuffix(" or").rstrip(",; ")
    choices = [
        f"{mode.lower().strip(':')} {one}" for one in split_outside(rest, ", or ", "; or ", " or ")
    ]
    joined = " or ".join(filter(None, [before, *choices]))
    return _line(draft, "full_attack_line", joined)


def _line(draft: Draft, field: str, text: str) -> dict[str, Any]:
    if text in ("-", "none", "None"):
        return {}
    printed = read_attack_line(text)
    weapons = printed_rounds(draft.rules, text)
    draft.fact(field, weapons)
    for choice in weapons:
        for weapon in choice:
            if weapon.note:
                draft.leave(weapon.label, weapon.note)
    first = printed[0][0]
    fields: dict[str, Any] = {field: text}
    if field == "attack_line" or "printed_attack" not in draft.fields:
        fields |= {"printed_attack": first.bonuses[0], "printed_damage": _shown(first)}
    return fields


def _shown(printed: Printed) -> str:
    if printed.dice is None:
        return ""
    return f"{printed.dice}{printed.flat:+d}" if printed.flat else printed.dice


def _space_and_reach(draft: Draft, text: str) -> dict[str, Any]:
    space, slash, reach = text.partition("/")
    draft.fact("space", _number(r"^(\d{1,3}(?! ?1/2))(?!\d)", space))
    return _reach(draft, reach.strip()) if slash and "ft" in reach else {}


def _reach(draft: Draft, text: str) -> dict[str, Any]:
    return {"reach": _needed(r"^(\d{1,3})(?!\d)", text, "reach in feet")}


def _saves(draft: Draft, text: str) -> dict[str, Any]:
    found = {
        name: _number(rf"\b{word}\w* ([+-]? ?\d{{1,3}})(?!\d)", text)
        for word, name in SAVES.items()
    }
    if not any(value is not None for value in found.values()):
        raise CombatkitError("no saving throw is found here")
    saves = {name: value for name, value in found.items() if value is not None}
    draft.fact("saves", saves)
    return {"saves": saves}


def _abilities(draft: Draft, text: str) -> dict[str, Any]:
    scores: dict[str, int] = {}
    for name in get_args(Ability):
        found = re.search(rf"\b{name}\w*:? (\S{{1,40}})", text, re.ASCII | re.IGNORECASE)
        printed = found[1].strip(",;.") if found else "-"
        if printed.isascii() and printed.isdecimal() and len(printed) < 4:
            scores[name] = int(printed)
        elif printed not in ("-", "\xd8", "\xf8"):
            draft.leave(f"{name.capitalize()} {printed}", "no ability score")
    if not scores:
        raise CombatkitError("no ability score is found here")
    return {"abilities": scores}


def _skills(draft: Draft, text: str) -> dict[str, Any]:
    heal = _number(r"\bheal ([+-]\d{1,3})(?!\d)", text)
    known = {
        skill: _number(rf"\b{skill.replace('_', ' ')} ([+-]\d{{1,3}})(?!\d)", text)
        for skill in get_args(Skill)
    }
    skills = {skill: bonus for skill, bonus in known.items() if bonus is not None}
    draft.leave(text, "of skills only Heal, Bluff, Sense Motive and Escape Artist are counted")
    counted = {"heal": heal, "skills": skills or None}
    return {name: value for name, value in counted.items() if value is not None}


def _rating(draft: Draft, text: str) -> dict[str, Any]:
    found = re.match(r"\d{1,3}(/\d{1,2})?", text, re.ASCII)
    if not found:
        raise CombatkitError("no challenge rating is found here")
    return {"challenge_rating": found[0]}


def _nothing(draft: Draft, text: str) -> dict[str, Any]:
    draft.leave(draft.text, "nothing that changes a fight's numbers")
    return {}


READERS: dict[str, Reader] = {
    **dict.fromkeys(SAYS_NOTHING, _nothing),
    **dict.fromkeys(("level adjustment", "atk options", "special actions"), _nothing),
    **dict.fromkeys(("hit dice", "hit points", "hd", "hp"), _hit_dice),
    **dict.fromkeys(("initiative", "init"), _initiative),
    **dict.fromkeys(("speed", "spd"), _speed),
    **dict.fromkeys(("armor class", "armour class", "ac"), _armor_class),
    **dict.fromkeys(("base attack/grapple", "base attack", "base atk", "bab"), _base_attack),
    **dict.fromkeys(("grapple", "grp"), _grapple),
    **dict.fromkeys(("attack", "atk", "single attack"), _attack),
    **dict.fromkeys(("full attack", "full atk"), _full_attack),
    **dict.fromkeys(("melee", "ranged"), _by_mode),
    **dict.fromkeys(("space/reach", "space"), _space_and_reach),
    **dict.fromkeys(("saves", "saving throws", "sv", "fort", "ref", "will"), _saves),
    **dict.fromkeys(("abilities", "str", "dex", "con", "int", "wis", "cha"), _abilities),
    **dict.fromkeys(("challenge rating", "cr"), _rating),
    **dict.fromkeys(("size/type", "size", "type"), _size_and_type),
    **dict.fromkeys(
        ("special attacks", "special qualities", "special atk", "sa", "sq", "immune", "immunities"),
        read_specials,
    ),
    **dict.fromkeys(
        ("resist", "resistances", "dr", "weaknesses", "damage reduction"), read_specials
    ),
    "reach": _reach,
    "feats": read_feats,
    "skills": _skills,
}
# readers whose lines may be wrapped
LONG: frozenset[Reader] = frozenset(
    (
        *(_attack, _full_attack, _by_mode, _armor_class, _abilities, _skills, _speed, _nothing),
        *(read_feats, read_specials),
    )
)
