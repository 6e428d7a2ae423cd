"""Printed totals of a stat block compared with what their parts make."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from combatkit.rules.block_draft import Draft, Told
from combatkit.rules.block_special import immunities
from combatkit.rules.classes import ClassBonuses, attacks_per_round, class_bonuses
from combatkit.rules.creature import modifier_of
from combatkit.rules.equipment import Armor, Weapon

SAVE_ABILITIES = {"fortitude": "con", "reflex": "dex", "will": "wis"}
SAVE_FEATS = {"fortitude": "great_fortitude", "reflex": "lightning_reflexes", "will": "iron_will"}


def settle(draft: Draft) -> None:
    """Fill in what follows from several lines: armor class, Dexterity, immunity to criticals."""
    draft.fields |= immunities(draft, str(draft.fields.get("kind", "")))
    total = draft.said("armor_class")
    if total is None:
        return
    parts = dict(draft.said("armor_class_parts"))
    if "dexterity" in parts and "dex" not in draft.fields.get("abilities", {}):
        scores = draft.fields.get("abilities", {})
        draft.fields["abilities"] = {**scores, "dex": _score_of(parts["dexterity"])}
    if not parts:
        _settle_by_touch(draft, total)
    feats = draft.fields.get("feats", ())
    if "dodge" in feats and "dodge" not in parts and _own_armor_class(draft) > total:
        draft.fields["feats"] = tuple(word for word in feats if word != "dodge")
        draft.leave("Dodge", "counts against one chosen foe; the printed armor class leaves it out")
    if _own_armor_class(draft) != total:
        draft.fields["armor_class"] = total


def _score_of(modifier: int) -> int:
    return min(max(0, 10 + 2 * modifier), 100)


def _settle_by_touch(draft: Draft, total: int) -> None:
    """Where no parts are printed, touch and flat-footed tell what is armor and what is lost."""
    lost = max(0, total - int(draft.said("flat_footed", total)))
    worn = max(0, total - int(draft.said("touch", total)))
    dexterity = max(0, modifier_of(draft.score("dex")))
    if lost > dexterity and "dex" in draft.fields.get("abilities", {}):
        draft.fields["dodge"] = min(30, lost - dexterity)
    elif lost > dexterity:
        draft.fields["abilities"] = {**draft.fields.get("abilities", {}), "dex": _score_of(lost)}
    cap = lost if lost < dexterity else None
    if worn or cap is not None:
        label = "Armor, shield and natural armor as printed"
        armor = Armor(label=label, kind="heavy", bonus=min(worn, 30), max_dexterity=cap)
        draft.fields["armor"] = armor


def _worn(draft: Draft) -> list[Armor]:
    slots = (draft.fields.get(slot) for slot in ("armor", "shield"))
    return [draft.rules.armor(worn) for worn in slots if worn is not None]


def _dexterity(draft: Draft) -> int:
    """Dexterity modifier as far as what is worn lets it count."""
    limits = [worn.max_dexterity for worn in _worn(draft) if worn.max_dexterity is not None]
    return min([modifier_of(draft.score("dex")), *limits])


def _size(draft: Draft, column: str) -> int:
    row = draft.rules.lookup("size", draft.fields.get("size", "medium"))
    return int(row.number(column))


def _own_armor_class(draft: Draft) -> int:
    """Add up the armor class of the fields read."""
    names = ("natural_armor", "deflection", "dodge", "armor_enhancement", "shield_enhancement")
    parts = [int(draft.fields.get(name, 0)) for name in names]
    parts += [bonus.value for bonus in draft.fields.get("bonuses", ())]
    parts += [worn.bonus for worn in _worn(draft)]
    for word in draft.fields.get("feats", ()):
        parts += [one.value for one in draft.rules.feat(word).bonuses if one.to == "armor_class"]
    return draft.rules.armor_class.base + _dexterity(draft) + _size(draft, "modifier") + sum(parts)


def compare(draft: Draft) -> Iterator[Told]:
    """Yield each printed total that its parts do not make."""
    yield from _hit_points(draft)
    yield from _armor_classes(draft)
    yield from _modifiers(draft)
    levels = _levels(draft)
    if levels:
        yield from _by_levels(draft, class_bonuses(draft.rules, levels))
    name = "full_attack_line" if "full_attack_line" in draft.facts else "attack_line"
    for choice in draft.said(name, ()):
        yield from _attacks(draft, name, choice)


def _differs(draft: Draft, name: str, printed: int, made: int, parts: str) -> Iterator[Told]:
    if printed != made:
        where = draft.facts[name][1]
        yield where._replace(why=f"{printed} is printed; {parts} make {made}")


def _hit_points(draft: Draft) -> Iterator[Told]:
    if "hit_dice" not in draft.facts:
        return
    dice, bonus = draft.said("hit_dice")
    count, points = sum(number for number, _ in dice), draft.fields.get("hit_points")
    average = max(count, sum(number * (sides + 1) for number, sides in dice) // 2 + bonus)
    if points is not None:
        yield from _differs(draft, "hit_dice", points, average, "the average of the hit dice")
    if "con" in draft.fields.get("abilities", {}):
        tough = 3 * sum(word == "toughness" for word in draft.fields.get("feats", ()))
        made = count * modifier_of(draft.score("con")) + tough
        yield from _differs(draft, "hit_dice", bonus, made, "Constitution and Toughness")


def _armor_classes(draft: Draft) -> Iterator[Told]:
    parts = draft.said("armor_class_parts", [])
    if not parts:
        return
    base = draft.rules.armor_class.base + sum(value for _, value in parts)
    solid = sum(value for kind, value in parts if kind in ("armor", "shield", "natural_armor"))
    quick = sum(max(0, value) for kind, value in parts if kind in ("dexterity", "dodge"))
    totals = {"armor_class": base, "touch": base - solid, "flat_footed": base - quick}
    for name, made in totals.items():
        if name in draft.facts:
            what = f"the parts of {name.replace('_', ' ')}"
            yield from _differs(draft, name, draft.said(name), made, what)
    sizes = [value for kind, value in parts if kind == "size"]
    given = {"size": sum(sizes), "dexterity": dict(parts).get("dexterity", 0)}
    known = {"size": _size(draft, "modifier"), "dexterity": _dexterity(draft)}
    for name, value in given.items():
        yield from _differs(draft, "armor_class", value, known[name], f"in armor class, {name}")


def _modifiers(draft: Draft) -> Iterator[Told]:
    if "initiative" in draft.facts:
        made = modifier_of(draft.score("dex"))
        for word in draft.fields.get("feats", ()):
            bonuses = draft.rules.feat(word).bonuses
            made += sum(one.value for one in bonuses if one.to == "initiative")
        printed = draft.said("initiative")
        yield from _differs(draft, "initiative", printed, made, "Dexterity and feats")
    if "grapple" in draft.facts and "base_attack" in draft.facts:
        made = draft.said("base_attack") + modifier_of(draft.score("str")) + _size(draft, "grapple")
        made += 4 * ("improved_grapple" in draft.fields.get("feats", ()))
        parts = "base attack, Strength and size"
        yield from _differs(draft, "grapple", draft.said("grapple"), made, parts)
    if draft.said("space") is not None:
        made = int(draft.rules.lookup("size", draft.fields.get("size", "medium")).number("space"))
        yield from _differs(draft, "space", draft.said("space"), made, "feet of space by size")


def _levels(draft: Draft) -> dict[str, int]:
    """Levels by class that the block names, else its hit dice by its creature type."""
    if draft.levels or "hit_dice" not in draft.facts:
        return draft.levels
    kind = str(draft.fields.get("kind", "")).replace(" ", "_")
    known = draft.rules.plain_tables.get("class", {})
    count = sum(number for number, _ in draft.said("hit_dice")[0])
    one_level = kind == "humanoid" and count == 1  # has a class instead, and its block must say so
    return {kind: count} if kind in known and not one_level else {}


def _by_levels(draft: Draft, made: ClassBonuses) -> Iterator[Told]:
    parts = "levels and hit dice"
    if "base_attack" in draft.facts:
        printed = draft.said("base_attack")
        yield from _differs(draft, "base_attack", printed, made.base_attack, parts)
    for save, printed in draft.said("saves", {}).items():
        own = getattr(made.saves, save) + modifier_of(draft.score(SAVE_ABILITIES[save]))
        own += 2 * (SAVE_FEATS[save] in draft.fields.get("feats", ()))
        yield from _differs(draft, "saves", printed, own, f"{parts}, ability and feats of {save}")


def _attacks(draft: Draft, name: str, choice: tuple[Weapon, ...]) -> Iterator[Told]:
    if "base_attack" not in draft.facts or "abilities" not in draft.fields:
        return
    for place, weapon in enumerate(choice):
        own = Own(draft, weapon, sole=len(choice) == 1, later=place > 0)
        if own.known:
            printed, label = weapon.attack_bonuses, weapon.label
            yield from _differs(draft, name, printed[0], own.bonus, f"the parts of {label}")
            if weapon.damage_bonus is not None:
                parts = f"Strength, magic and feats of {label}"
                yield from _differs(draft, name, weapon.damage_bonus, own.damage, parts)
        if not weapon.natural and len(weapon.attack_bonuses) > 1:
            count = attacks_per_round(draft.rules, draft.said("base_attack"))
            parts = f"attacks of {weapon.label} by base attack"
            yield from _differs(draft, name, len(weapon.attack_bonuses), count, parts)


class Own:
    """What attack and damage bonus one printed weapon has by the rest of the block."""

    def __init__(self, draft: Draft, weapon: Weapon, sole: bool, later: bool) -> None:
        self.draft, self.weapon = draft, weapon
        self.strength = modifier_of(draft.score("str"))
        self.sole = sole and weapon.natural and len(weapon.attack_bonuses) == 1
        self.secondary = weapon.natural and later
        two_weapons = not sole and not weapon.natural
        self.known = bool(weapon.types) and not two_weapons and not weapon.composite

    def _feats(self) -> Iterator[Any]:
        key = self.weapon.base or self.weapon.id
        for word in self.draft.fields.get("feats", ()):
            feat, bound = self.draft.rules.feat(word), word.partition(":")[2]
            if feat.weapon_bound and bound in (key, f"{key}s") and feat.within is None:
                yield feat

    def _from_feats(self, to: str) -> int:
        return sum(one.value for feat in self._feats() for one in feat.bonuses if one.to == to)

    @property
    def bonus(self) -> int:
        """Attack bonus of the first strike."""
        draft, weapon = self.draft, self.weapon
        feats, dexterity = draft.fields.get("feats", ()), modifier_of(draft.score("dex"))
        fine = weapon.light or weapon.finesse or weapon.natural
        ability = dexterity if weapon.ranged else self.strength
        if "weapon_finesse" in feats and fine and not weapon.ranged:
            ability = max(ability, dexterity)
        magic = weapon.enhancement or int(weapon.masterwork)
        total = int(draft.said("base_attack")) + ability + _size(draft, "modifier") + magic
        if self.secondary:
            number = "attack.multiattack" if "multiattack" in feats else "attack.natural_secondary"
            total += draft.rules.number(number)
        return total + self._from_feats("attack")

    @property
    def damage(self) -> int:
        """Damage bonus."""
        weapon, strength = self.weapon, self.strength
        share = strength
        if strength > 0 and (weapon.hand == "two_handed" or self.sole):
            share = strength + strength // 2
        elif strength > 0 and self.secondary:
            share = strength // 2
        if weapon.use == "crossbow" or (weapon.use == "bow" and strength > 0):
            share = 0
        return share + weapon.enhancement + self._from_feats("damage")
