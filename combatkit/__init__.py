"""combatkit: exact combat odds for d20-family rules, with the rules as cited data.

>>> import combatkit as ck
>>> rules = ck.load_ruleset("srd35")
>>> hero = ck.Combatant(name="Hero", attack_bonus=6, weapons=["longsword"])
>>> guard = ck.Combatant(name="Guard", armor_class=16, hit_points=20)
>>> ck.attack(rules, hero, guard, situation=ck.Situation(attacker={"flanking"})).p_hit
Fraction(13, 20)

The public names are those of the floors: ``combatkit.prob``, ``combatkit.rules``,
``combatkit.combat``.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from combatkit.errors import CombatkitError as CombatkitError

if TYPE_CHECKING:
    from combatkit.combat import *  # noqa: F403
    from combatkit.grid import *  # noqa: F403
    from combatkit.prob import Chain as Chain
    from combatkit.prob import Dist as Dist
    from combatkit.prob import dice as dice
    from combatkit.prob import terms as terms
    from combatkit.rules import *  # noqa: F403

__version__ = "0.1.0"

FLOORS = ("prob", "grid", "rules", "combat")


def __getattr__(name: str) -> Any:
    """Fetch a public name from its floor at first use, which keeps ``import combatkit`` light."""
    for floor in () if name.startswith("_") else FLOORS:
        module = import_module(f"combatkit.{floor}")
        if name in module.__all__:
            globals()[name] = getattr(module, name)
            return globals()[name]
    raise AttributeError(f"module 'combatkit' has no attribute '{name}'")


def __dir__() -> list[str]:
    names = (name for floor in FLOORS for name in import_module(f"combatkit.{floor}").__all__)
    return sorted({*globals(), *names})
