"""Nonlethal damage: what kind an attack deals, what the other kind costs, and who feels none."""

from __future__ import annotations

import re
from functools import lru_cache

from combatkit.combat.attacks.attempt import Attempt
from combatkit.combat.attacks.blow import MEMORY, Blow
from combatkit.prob import terms
from combatkit.rules.equipment import ENERGIES

WEAPON = "weapon"  # the weapon's own damage, beside the energies
LETHAL_PUNCH = "lethal_unarmed"  # the row for an unarmed strike that is meant to kill


def deals_nonlethal(attempt: Attempt) -> bool:
    """Whether the weapon's own damage is meant to be nonlethal, whoever it strikes.

    Source: srd, Nonlethal damage; Simplified 3.5, Unarmed Attacks.
    """
    if attempt.situation.nonlethal is not None:
        return attempt.situation.nonlethal
    return attempt.weapon.nonlethal and not _is_lethal_punch(attempt)


def _is_lethal_punch(attempt: Attempt) -> bool:
    return attempt.weapon.hand == "unarmed" and LETHAL_PUNCH in attempt.situation.attacker


def other_kind_penalty(attempt: Attempt) -> int:
    """Penalty on the attack roll for the other kind of damage than the weapon's; 0 for none."""
    chosen = attempt.situation.nonlethal
    if chosen is None or chosen == attempt.weapon.nonlethal:
        return 0
    trained = any(LETHAL_PUNCH in feat.cancels for feat in attempt.feats)
    if attempt.weapon.hand == "unarmed" and (trained or _is_lethal_punch(attempt)):
        return 0  # the row counts already
    return attempt.rules.number("attack.other_kind")


def is_harmless(attempt: Attempt) -> bool:
    """Whether the weapon's own damage does nothing, being nonlethal to somebody immune to it."""
    return attempt.defender.nonlethal_immune and deals_nonlethal(attempt)


def nonlethal_kinds(attempt: Attempt) -> tuple[str, ...]:
    """Kinds of damage that are nonlethal to the defender: the weapon's own and energies.

    Source: srd, Nonlethal damage; Regeneration.
    """
    who, weapon = attempt.defender, deals_nonlethal(attempt)
    if not who.regeneration:
        return (WEAPON,) if weapon else ()
    bypass = set(who.regeneration_bypassed_by)
    weapon = weapon or not attempt.weapon.qualities & bypass
    return (*([WEAPON] * weapon), *(energy for energy in ENERGIES if energy not in bypass))


def felt_extra(text: str, harmless: bool) -> str:
    """Extra dice that somebody feels to whom the weapon's own damage is harmless: energies."""
    return _kept(text, (WEAPON,), False) if harmless else text


def _kept(text: str, nonlethal: tuple[str, ...], wanted: bool) -> str:
    """Keep the terms of a dice text that are nonlethal, or those that are not."""
    written = re.findall(r"[+-]?[^+-]+", text)
    kinds = [term.damage_type for term in terms(text)] if text else []
    kept = [
        part
        for part, kind in zip(written, kinds, strict=True)
        if ((kind if kind in ENERGIES else WEAPON) in nonlethal) == wanted
    ]
    return "".join(kept).removeprefix("+")


@lru_cache(maxsize=MEMORY)
def parts(blow: Blow) -> tuple[Blow, Blow]:
    """Split a blow into what of it is lethal and what is not; on a hit they add up."""
    lethal, nonlethal = (_only(blow, wanted) for wanted in (False, True))
    return lethal, nonlethal


def _only(blow: Blow, nonlethal: bool) -> Blow:
    part = blow._replace(
        extra=_kept(blow.extra, blow.nonlethal, nonlethal),
        first_hit=_kept(blow.first_hit, blow.nonlethal, nonlethal),
        volley_extra=_kept(blow.volley_extra, blow.nonlethal, nonlethal),
        nonlethal=(),
    )
    if (WEAPON in blow.nonlethal) == nonlethal or not blow.dice:
        return part
    return part._replace(dice="0", flat=0, procedures=blow.procedures._replace(least_damage=0))
