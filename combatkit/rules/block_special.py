"""Special attacks, special qualities and feats of a stat block."""

from __future__ import annotations

import re
from typing import Any, get_args

from combatkit.errors import nearest
from combatkit.rules.attack_line import split_outside
from combatkit.rules.block_draft import Draft
from combatkit.rules.equipment import Energy, Quality
from combatkit.rules.printed import single_name

ENERGIES = get_args(Energy)
QUALITIES = {quality.replace("_", " "): quality for quality in get_args(Quality)}
IMMUNE = 100_000  # more than any attack deals
REDUCTION = re.compile(r"(?:damage reduction|dr) (\d{1,3})/(.{1,40})", re.ASCII)
RESISTANCE = re.compile(
    rf"(?:resist(?:ance)?(?: to)? )?({'|'.join(ENERGIES)})(?: resistance)? (\d{{1,4}})", re.ASCII
)
SNEAK = re.compile(r"sneak attack \+?(\d{1,2}d6)", re.ASCII)
HEALING = re.compile(r"(regeneration|fast healing) (\d{1,3})", re.ASCII)


def read_specials(draft: Draft, text: str) -> dict[str, Any]:
    """Read what an attack's numbers know of special attacks and qualities; tell the rest."""
    fields: dict[str, Any] = {}
    for item in split_outside(text, ",", ";"):
        lower = item.lower().strip(". ")
        found = _immunity(lower, draft, fields) or _special(lower, draft, fields)
        fields |= found
        if not found and item not in ("-", "none"):
            draft.leave(item, "not counted")
    return fields


def _immunity(item: str, draft: Draft, so_far: dict[str, Any]) -> dict[str, Any]:
    """Read "immunity to fire and cold", "resistance to acid 10", "fire resistance 5"."""
    energies = {**draft.fields.get("energy_resistance", {}), **so_far.get("energy_resistance", {})}
    before = dict(energies)
    if item.startswith(("immun", "fire immun", "cold immun")):
        energies |= {energy: IMMUNE for energy in ENERGIES if energy in re.findall("[a-z]+", item)}
    else:
        found = RESISTANCE.findall(item)
        energies |= {energy: int(amount) for energy, amount in found}
    if "critical" in item and item.startswith("immun"):
        return {"critical_immune": True}
    return {"energy_resistance": energies} if energies != before else {}


def _special(item: str, draft: Draft, so_far: dict[str, Any]) -> dict[str, Any]:
    if reduction := REDUCTION.fullmatch(item):
        return _reduction(draft, int(reduction[1]), reduction[2])
    if sneak := SNEAK.match(item):
        return {"sneak_attack": sneak[1]}
    if healing := HEALING.match(item):
        name = healing[1].replace(" ", "_")
        if name == "regeneration":
            draft.leave(item, "what overcomes it is not said here: fill it in")
        return {name: int(healing[2])}
    kind, _, word = item.partition(" ")
    return immunities(draft, kind) if word == "traits" else {}


def _reduction(draft: Draft, amount: int, by: str) -> dict[str, Any]:
    words = [word.strip() for word in re.split(r" or | and |/", by) if word.strip(" -")]
    known = [QUALITIES[word] for word in words if word in QUALITIES]
    for word in words:
        if word not in QUALITIES:
            draft.leave(by, f"'{word}' is no quality of a weapon{nearest(word, QUALITIES)}")
    return {"damage_reduction": amount, "reduction_bypassed_by": tuple(known)}


def immunities(draft: Draft, kind: str) -> dict[str, Any]:
    """Tell what does nothing to a creature of this type: critical hits, nonlethal damage."""
    row = draft.rules.plain_tables.get("class", {}).get(kind.replace(" ", "_"))
    cells = {} if row is None else row.cells
    fields = {"critical_hits": "critical_immune", "nonlethal": "nonlethal_immune"}
    return {field: True for cell, field in fields.items() if cells.get(cell) == "immune"}


def read_feats(draft: Draft, text: str) -> dict[str, Any]:
    """Read feats the ruleset knows, the weapon of one in parentheses; tell the others."""
    known = {feat.label.lower(): key for key, feat in draft.rules.feats.items()}
    feats: list[str] = []
    for item in split_outside(text, ",", ";"):
        if item in ("-", "none"):
            continue
        name, _, bound = item.lower().rstrip(")").partition("(")
        name = name.strip()
        key = known.get(name) or known.get(name.removesuffix("b").strip())
        if key is None:
            draft.leave(item, f"a feat the rules do not have{nearest(name, known)}")
        elif draft.rules.feats[key].weapon_bound and not bound.strip(" b"):
            draft.leave(item, "for which weapon is not said")
        else:
            feats.append(f"{key}:{_weapon_key(draft, bound)}" if _names_weapon(bound) else key)
    return {"feats": tuple(feats)} if feats else {}


def _names_weapon(bound: str) -> bool:
    return len(bound.strip()) > 2 and not any(letter.isdigit() for letter in bound)


def _weapon_key(draft: Draft, name: str) -> str:
    """Id of a weapon of the rules, or the word itself for a natural one."""
    labels = {weapon.label.lower(): key for key, weapon in draft.rules.weapons.items()}
    plain = name.strip()
    single = single_name(plain).replace(" ", "_")
    return labels.get(plain) or (plain.replace(" ", "_") if single not in labels else single)
