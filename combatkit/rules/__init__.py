"""Rules as data: models, loading, and the tally that adds modifiers up."""

from combatkit.rules.block_draft import Told
from combatkit.rules.cite import Citation, Source
from combatkit.rules.classes import ClassBonuses, class_bonuses
from combatkit.rules.coverage import Covered, rule_coverage
from combatkit.rules.creature import Bonus, Saves, modifier_of
from combatkit.rules.creature import Combatant as Combatant
from combatkit.rules.equipment import Armor
from combatkit.rules.equipment import Weapon as Weapon
from combatkit.rules.load import load_ruleset as load_ruleset
from combatkit.rules.modifier import BonusType, Lookup, Number, Row, Switch, Table, Term
from combatkit.rules.procedure import ArmorClass, Dying, Feat, Stacking, State
from combatkit.rules.read import built_in
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.stat_block import StatBlock, read_stat_block
from combatkit.rules.tally import Line, Tally, tally
from combatkit.rules.text import load_text, text_of

__all__ = [
    "Armor",
    "ArmorClass",
    "Bonus",
    "BonusType",
    "Citation",
    "ClassBonuses",
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
    "StatBlock",
    "State",
    "Switch",
    "Table",
    "Tally",
    "Term",
    "Told",
    "built_in",
    "class_bonuses",
    "load_text",
    "modifier_of",
    "read_stat_block",
    "rule_coverage",
    "tally",
    "text_of",
]


def __dir__() -> list[str]:
    return sorted(__all__)
