"""combatkit: exact combat odds for d20-family rules, with the rules as cited data.

>>> import combatkit as ck
>>> rules = ck.load_ruleset("srd35")
>>> hero = ck.Combatant(name="Hero", attack_bonus=6, weapons=["longsword"])
>>> guard = ck.Combatant(name="Guard", armor_class=16, hit_points=20)
>>> ck.attack(rules, hero, guard, situation=ck.Situation(attacker={"flanking"})).p_hit
Fraction(13, 20)
"""

from combatkit.combat import (
    DyingOdds,
    FullAttack,
    KillTime,
    Situation,
    Strike,
    Survival,
    Sweep,
    attack,
    attacks_per_round,
    combined_multiplier,
    dying,
    first_aid_dc,
    full_attack,
    kill_time,
    p_check,
    p_save,
    survival,
    sweep,
)
from combatkit.errors import CombatkitError
from combatkit.prob import Chain, Dist, dice
from combatkit.rules import (
    Armor,
    Bonus,
    Combatant,
    Ruleset,
    Tally,
    Weapon,
    built_in,
    load_ruleset,
    modifier_of,
)

__version__ = "0.1.0"

__all__ = [
    "Armor", "Bonus", "Chain", "Combatant", "CombatkitError", "Dist", "DyingOdds", "FullAttack",
    "KillTime", "Ruleset", "Situation", "Strike", "Survival", "Sweep", "Tally", "Weapon",
    "attack", "attacks_per_round", "built_in", "combined_multiplier", "dice", "dying", "first_aid_dc", "full_attack",
    "kill_time", "load_ruleset", "modifier_of", "p_check", "p_save", "survival", "sweep",
]
