"""Nonlethal damage: what kind an attack deals, what the other kind costs, and who feels none."""

from __future__ import annotations

from functools import lru_cache

from combatkit.combat.attacks.attempt import Attempt
from combatkit.combat.attacks.blow import MEMORY, WEAPON, Blow
from combatkit.rules.equipment import ENERGIES

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
    if is_harmless(attempt):
        return ()
    who, weapon = attempt.defender, deals_nonlethal(attempt)
    if not who.regeneration:
        return (WEAPON,) if weapon else ()
    bypass = set(who.regeneration_bypassed_by)
    weapon = weapon or not attempt.weapon.qualities & bypass
    return (*([WEAPON] * weapon), *(energy for energy in ENERGIES if energy not in bypass))


@lru_cache(maxsize=MEMORY)
def parts(blow: Blow) -> tuple[Blow, Blow]:
    """Split a blow into what of it is lethal and what is not; on a hit they add up."""
    others = tuple(kind for kind in (WEAPON, *ENERGIES) if kind not in blow.nonlethal)
    return _without(blow, blow.nonlethal), _without(blow, others)


def _without(blow: Blow, kinds: tuple[str, ...]) -> Blow:
    """Leave some kinds of damage out."""
    immune = (*blow.soak.immune, *kinds)
    return blow._replace(soak=blow.soak._replace(immune=immune), nonlethal=())
