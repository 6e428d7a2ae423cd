"""combatkit: exact combat odds for d20-family rules, with the rules as cited data.

>>> import combatkit as ck
>>> rules = ck.load_ruleset("srd35")
>>> hero = ck.Combatant(name="Hero", attack_bonus=6, weapons=["longsword"])
>>> guard = ck.Combatant(name="Guard", armor_class=16, hit_points=20)
>>> ck.attack(rules, hero, guard, situation=ck.Situation(attacker={"flanking"})).p_hit
Fraction(13, 20)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from combatkit.errors import CombatkitError

if TYPE_CHECKING:
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
    "attack", "attacks_per_round", "built_in", "combined_multiplier", "dice", "dying",
    "first_aid_dc", "full_attack", "kill_time", "load_ruleset", "modifier_of", "p_check", "p_save",
    "survival", "sweep",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Fetch a public name from its floor at first use, which keeps ``import combatkit`` light."""
    if name in __all__:
        for floor in ("prob", "rules", "combat"):
            module = import_module(f"combatkit.{floor}")
            if name in module.__all__:
                globals()[name] = getattr(module, name)
                return globals()[name]
    raise AttributeError(f"module 'combatkit' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
