"""Rules as data: models, loading, and the tally that adds modifiers up."""

from combatkit.rules.cite import Citation, Source
from combatkit.rules.coverage import Covered, rule_coverage
from combatkit.rules.creature import Bonus, Combatant, Saves, modifier_of
from combatkit.rules.equipment import Armor, Weapon
from combatkit.rules.load import built_in, load_ruleset
from combatkit.rules.modifier import Lookup, Number, Row, Switch, Table, Term
from combatkit.rules.procedure import ArmorClass, Dying, Feat, Stacking, State
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.tally import Line, Tally, tally

__all__ = [
    "Armor",
    "ArmorClass",
    "Bonus",
    "Citation",
    "Combatant",
    "Covered",
    "Dying",
    "Feat",
    "Line",
    "Lookup",
    "Number",
    "Row",
    "Ruleset",
    "Saves",
    "Source",
    "Stacking",
    "State",
    "Switch",
    "Table",
    "Tally",
    "Term",
    "Weapon",
    "built_in",
    "load_ruleset",
    "modifier_of",
    "rule_coverage",
    "tally",
]
