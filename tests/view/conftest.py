"""A fighter with a longsword, an ogre, and what they do to each other."""

from __future__ import annotations

import pytest

import combatkit as ck

EVIL = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="session")
def rules() -> ck.rules.Ruleset:
    return ck.load_ruleset("srd35")


@pytest.fixture(scope="session")
def strike(rules: ck.rules.Ruleset) -> ck.attacks.Strike:
    return ck.attack(rules, rules.combatant("fighter_6"), rules.combatant("ogre"))


@pytest.fixture(scope="session")
def round_(rules: ck.rules.Ruleset) -> ck.attacks.FullAttack:
    return ck.full_attack(rules, rules.combatant("fighter_6"), rules.combatant("ogre"))


@pytest.fixture(scope="session")
def swept(rules: ck.rules.Ruleset) -> ck.sweeps.Sweep:
    return ck.sweep(rules, rules.combatant("fighter_6"), rules.combatant("ogre"))


@pytest.fixture(scope="session")
def evil(rules: ck.rules.Ruleset) -> ck.attacks.Strike:
    """A strike whose every name is an attempt to be more than text."""
    weapon = {"label": EVIL, "damage": "1d8", "threat_from": 19}
    attacker = ck.Combatant(
        name=EVIL,
        attack_bonus=6,
        weapons=[weapon],
        bonuses=[{"label": EVIL, "to": "damage", "value": 1, "type": "untyped"}],
    )
    return ck.attack(rules, attacker, ck.Combatant(name=EVIL, armor_class=14, hit_points=9))
