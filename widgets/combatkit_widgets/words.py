"""Names of weapons and feats as people type them, read and written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TypeVar

from combatkit.errors import CombatkitError, nearest
from combatkit.rules import Combatant, Ruleset, Weapon
from combatkit_widgets.forms import changed

T = TypeVar("T")
BONUS = re.compile(r"(?P<name>.*\S)\s*\+(?P<bonus>\d{1,2})")


def whole_weapon(rules: Ruleset, choice: str | Weapon) -> Weapon:
    """Return a weapon that stands on its own: what its base says is filled in.

    Examples
    --------
    >>> from combatkit import load_ruleset
    >>> whole_weapon(load_ruleset("srd35"), Weapon(base="longsword", enhancement=1)).threat_from
    19
    """
    weapon = rules.weapon(choice)
    return changed(weapon, id=weapon.base, base="") if weapon.base else weapon


def weapon_name(rules: Ruleset, choice: str | Weapon) -> str:
    """Return what a weapon is called in menus and lists.

    Examples
    --------
    >>> from combatkit import load_ruleset
    >>> weapon_name(load_ruleset("srd35"), Weapon(base="longsword", enhancement=1))
    'Longsword +1'
    """
    weapon = rules.weapon(choice)
    name = weapon.label or weapon.id or "Weapon"
    if weapon.strength_rating:
        name += f" (Strength {weapon.strength_rating:+d})"
    if weapon.masterwork:
        name = f"Masterwork {name[0].lower()}{name[1:]}"
    return f"{name} {weapon.enhancement:+d}" if weapon.enhancement else name


def read_weapons(rules: Ruleset, lines: str, who: Combatant) -> tuple[str | Weapon, ...]:
    """Read weapons, one a line: somebody's own, or the ruleset's with ``+1`` or ``masterwork``.

    Raises
    ------
    CombatkitError
        For a weapon nobody knows, with the nearest one.
    """
    own = {weapon_name(rules, choice).lower(): choice for choice in who.weapons}
    return tuple(own.get(line.lower()) or _read_weapon(rules, line) for line in _lines(lines))


def _read_weapon(rules: Ruleset, line: str) -> str | Weapon:
    name, extra = line, {}
    if match := BONUS.fullmatch(line):
        name, extra = match["name"], {"enhancement": int(match["bonus"])}
    if name.lower().startswith("masterwork "):
        name, extra = name[len("masterwork ") :], {**extra, "masterwork": True}
    key = _find("weapon", name, {key: entry.label for key, entry in rules.weapons.items()})
    return Weapon(base=key, **extra) if extra else key


def feat_name(rules: Ruleset, word: str, who: Combatant) -> str:
    """Return what a feat is called, its weapon after a colon.

    Examples
    --------
    >>> from combatkit import load_ruleset
    >>> feat_name(load_ruleset("srd35"), "weapon_focus:longsword", Combatant())
    'Weapon Focus: Longsword'
    """
    label = rules.feat(word).label
    weapon = word.partition(":")[2]
    return f"{label}: {_feat_weapons(rules, who).get(weapon, weapon)}" if weapon else label


def read_feats(rules: Ruleset, lines: str, who: Combatant) -> tuple[str, ...]:
    """Read feats, one a line; those bound to a weapon name it after a colon.

    Raises
    ------
    CombatkitError
        For a feat or weapon nobody knows, with the nearest one, and for a missing weapon.
    """
    return tuple(_read_feat(rules, line, who) for line in _lines(lines))


def _read_feat(rules: Ruleset, line: str, who: Combatant) -> str:
    name, _, weapon = (part.strip() for part in line.partition(":"))
    key = _find("feat", name, {key: feat.label for key, feat in rules.feats.items()})
    if weapon:
        return f"{key}:{_find('weapon', weapon, _feat_weapons(rules, who))}"
    if rules.feats[key].weapon_bound:
        label = rules.feats[key].label
        raise CombatkitError(f"feat '{label}' is for one weapon: name it after a colon")
    return key


def _feat_weapons(rules: Ruleset, who: Combatant) -> dict[str, str]:
    own = (rules.weapon(choice) for choice in who.weapons)
    mine = {weapon.base or weapon.id: weapon.label for weapon in own}
    return {**mine, **{key: weapon.label for key, weapon in rules.weapons.items()}}


def _lines(lines: str) -> Iterable[str]:
    return filter(None, (line.strip() for line in lines.splitlines()))


def _find(kind: str, name: str, labels: Mapping[str, str]) -> str:
    """Find an id by id or label, in any case."""
    sought = name.strip().lower()
    for key, label in labels.items():
        if sought in (key, label.lower()):
            return key
    raise CombatkitError(f"{kind} {name!r} is not known{nearest(name, labels.values())}")
