"""Widgets for JupyterLab: forms whose ``value`` is a combatkit model, figures, and the explorer.

>>> from combatkit_widgets import Explorer
>>> explorer = Explorer()  # as the last line of a notebook cell, it is shown
>>> explorer.strike.p_hit
Fraction(17, 20)
"""

from combatkit_widgets.combatant_form import CombatantForm
from combatkit_widgets.encounter import Encounter, Side
from combatkit_widgets.explorer import Explorer
from combatkit_widgets.figure_view import FigureView
from combatkit_widgets.keep import Shelf
from combatkit_widgets.ruleset_picker import RulesetPicker
from combatkit_widgets.scenario import Scenario
from combatkit_widgets.situation_form import SituationForm
from combatkit_widgets.weapon_form import WeaponForm

__all__ = [
    "CombatantForm",
    "Encounter",
    "Explorer",
    "FigureView",
    "RulesetPicker",
    "Scenario",
    "Shelf",
    "Side",
    "SituationForm",
    "WeaponForm",
]
