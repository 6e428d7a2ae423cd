"""combatkit: exact combat odds for d20-family rules, with the rules as cited data.

>>> import combatkit as ck
>>> rules = ck.load_ruleset("srd35")
>>> hero = ck.Combatant(name="Hero", attack_bonus=6, weapons=["longsword"])
>>> guard = ck.Combatant(name="Guard", armor_class=16, hit_points=20)
>>> ck.attack(rules, hero, guard, situation=ck.Situation(attacker={"flanking"})).p_hit
Fraction(13, 20)

What most people need stands here; all else is in a room of its own: ``ck.attacks``, ``ck.checks``,
``ck.health``, ``ck.turns``, ``ck.maneuvers``, ``ck.board``, ``ck.fights``, ``ck.sweeps``,
``ck.rules``, ``ck.prob``, ``ck.grid``, ``ck.view``.
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from combatkit.errors import CombatkitError as CombatkitError

if TYPE_CHECKING:
    from combatkit import grid as grid
    from combatkit import prob as prob
    from combatkit import rules as rules
    from combatkit import view as view
    from combatkit.combat import attacks as attacks
    from combatkit.combat import board as board
    from combatkit.combat import checks as checks
    from combatkit.combat import fights as fights
    from combatkit.combat import health as health
    from combatkit.combat import maneuvers as maneuvers
    from combatkit.combat import sweeps as sweeps
    from combatkit.combat import turns as turns
    from combatkit.combat.attacks.attack import attack as attack
    from combatkit.combat.attacks.full_attack import full_attack as full_attack
    from combatkit.combat.attacks.situation import Situation as Situation
    from combatkit.combat.board.map import Map as Map
    from combatkit.combat.board.position import situation_on as situation_on
    from combatkit.combat.fights.duel import duel as duel
    from combatkit.combat.fights.plan import Plan as Plan
    from combatkit.combat.fights.race import race as race
    from combatkit.combat.health.coup_de_grace import coup_de_grace as coup_de_grace
    from combatkit.combat.health.dying import dying as dying
    from combatkit.combat.health.kill_time import kill_time as kill_time
    from combatkit.combat.health.survival import survival as survival
    from combatkit.combat.sweeps.sweep import sweep as sweep
    from combatkit.combat.sweeps.sweep_over import sweep_over as sweep_over
    from combatkit.prob.dice import dice as dice
    from combatkit.prob.dist import Dist as Dist
    from combatkit.rules.creature import Combatant as Combatant
    from combatkit.rules.equipment import Weapon as Weapon
    from combatkit.rules.load import load_ruleset as load_ruleset

__version__ = "0.1.0"

ROOMS = {
    "attacks": "combatkit.combat.attacks",
    "board": "combatkit.combat.board",
    "checks": "combatkit.combat.checks",
    "fights": "combatkit.combat.fights",
    "grid": "combatkit.grid",
    "health": "combatkit.combat.health",
    "maneuvers": "combatkit.combat.maneuvers",
    "prob": "combatkit.prob",
    "rules": "combatkit.rules",
    "sweeps": "combatkit.combat.sweeps",
    "turns": "combatkit.combat.turns",
    "view": "combatkit.view",
}
NAMES = {
    "Combatant": "combatkit.rules.creature",
    "Dist": "combatkit.prob.dist",
    "Map": "combatkit.combat.board.map",
    "Plan": "combatkit.combat.fights.plan",
    "Situation": "combatkit.combat.attacks.situation",
    "Weapon": "combatkit.rules.equipment",
    "attack": "combatkit.combat.attacks.attack",
    "coup_de_grace": "combatkit.combat.health.coup_de_grace",
    "dice": "combatkit.prob.dice",
    "duel": "combatkit.combat.fights.duel",
    "dying": "combatkit.combat.health.dying",
    "full_attack": "combatkit.combat.attacks.full_attack",
    "kill_time": "combatkit.combat.health.kill_time",
    "load_ruleset": "combatkit.rules.load",
    "race": "combatkit.combat.fights.race",
    "situation_on": "combatkit.combat.board.position",
    "survival": "combatkit.combat.health.survival",
    "sweep": "combatkit.combat.sweeps.sweep",
    "sweep_over": "combatkit.combat.sweeps.sweep_over",
}
SHOWN = {  # results that notebooks show as HTML
    "DuelApprox": "combatkit.combat.fights.approximate",
    "Duel": "combatkit.combat.fights.duel",
    "DyingOdds": "combatkit.combat.health.dying",
    "FullAttack": "combatkit.combat.attacks.full_attack",
    "Maneuver": "combatkit.combat.maneuvers.result",
    "Price": "combatkit.combat.turns.price",
    "Race": "combatkit.combat.fights.race",
    "Strike": "combatkit.combat.attacks.attack",
    "Survival": "combatkit.combat.health.survival",
    "SweepResult": "combatkit.combat.sweeps.sweep_over",
    "Tally": "combatkit.rules.tally",
    "Trade": "combatkit.combat.attacks.options",
}
__all__ = ["CombatkitError", *NAMES, *ROOMS]


def __getattr__(name: str) -> Any:
    """Fetch a name or a room at first use, which keeps ``import combatkit`` light."""
    if name in ROOMS:
        found: Any = import_module(ROOMS[name])
    elif name in NAMES:
        found = getattr(import_module(NAMES[name]), name)
    else:
        public = [] if name.startswith("_") else [*ROOMS]
        homes = [room for room in public if name in import_module(ROOMS[room]).__all__]
        hint = f"; it is ck.{homes[0]}.{name}" if homes else ""
        raise AttributeError(f"module 'combatkit' has no attribute '{name}'{hint}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*__all__, "__version__"})


def _html(result: object) -> str:
    return str(import_module("combatkit.view").result_html(result))


def _show_in_notebooks() -> None:
    """Tell a running IPython how results are shown; the view is loaded with the first of them."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is not None:
        for name, module in SHOWN.items():
            shell.display_formatter.formatters["text/html"].for_type_by_name(module, name, _html)


_show_in_notebooks()
