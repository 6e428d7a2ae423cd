"""View: figures, formulas, receipts and tables of what combat works out. No rules here."""

from combatkit.view.compare import (
    damage_together,
    hit_chances_together,
    kills_together,
    survival_together,
    wins_together,
)
from combatkit.view.course import rounds_to_kill, state_odds, tornado
from combatkit.view.export import to_csv, to_latex, to_markdown
from combatkit.view.fights import hit_points_left, won_by_round
from combatkit.view.figures import (
    damage_at_least,
    damage_pmf,
    heat_map,
    hit_chance_by_armor_class,
)
from combatkit.view.formula import (
    critical_chance,
    death_odds,
    expected_damage,
    hit_chance,
)
from combatkit.view.latex import formula_latex
from combatkit.view.receipt import (
    receipt_frame,
    receipt_html,
    receipt_markdown,
    sweep_frame_display,
    tally_html,
)
from combatkit.view.results import result_html
from combatkit.view.text import fraction_text, percent, signed, signed_percent

__all__ = [
    "critical_chance",
    "damage_at_least",
    "damage_pmf",
    "damage_together",
    "death_odds",
    "expected_damage",
    "formula_latex",
    "fraction_text",
    "heat_map",
    "hit_chance",
    "hit_chance_by_armor_class",
    "hit_chances_together",
    "hit_points_left",
    "kills_together",
    "percent",
    "receipt_frame",
    "receipt_html",
    "receipt_markdown",
    "result_html",
    "rounds_to_kill",
    "signed",
    "signed_percent",
    "state_odds",
    "survival_together",
    "sweep_frame_display",
    "tally_html",
    "to_csv",
    "to_latex",
    "to_markdown",
    "tornado",
    "wins_together",
    "won_by_round",
]


def __dir__() -> list[str]:
    return sorted(__all__)
