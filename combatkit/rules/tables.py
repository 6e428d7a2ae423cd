"""The plain tables that procedures look things up in: rows, columns and what cells may hold."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from combatkit.rules.needs import FEET, PENALTY, Exact, Whole


class Words(NamedTuple):
    """One of a few words; any text where none are listed."""

    words: tuple[str, ...] = ()


class Ids(NamedTuple):
    """Ids of entries, several with spaces between: a section, or a plain table as ``lookup.x``."""

    section: str


Cell = Whole | Exact | Words | Ids


class Plain(NamedTuple):
    """A plain table that procedures look things up in.

    Attributes
    ----------
    what : str
        What it is for.
    needed, other : dict
        Columns every row needs, and those it may have.
    rows : tuple of str
        Ids of the rows, all needed and no others; empty where they are free.
    row_ids : str
        Section whose ids the free rows are named by; empty where any will do.
    optional : bool
        Whether rules may be without the table or some of its rows.
    """

    what: str
    needed: dict[str, Cell]
    other: dict[str, Cell] = {}
    rows: tuple[str, ...] = ()
    row_ids: str = ""
    optional: bool = False


SIZES = (
    *("fine", "diminutive", "tiny", "small", "medium"),
    *("large", "huge", "gargantuan", "colossal"),
)
ACTION_TYPES = ("standard", "move", "full_round", "free", "step", "none", "reaction")
ANSWERS = ("yes", "no", "maybe", "usually", "rarely", "moving", "unknown")
MANEUVERS = (
    *("grapple", "pin", "escape_grapple", "trip", "overrun"),
    *("bull_rush", "disarm", "sunder", "feint"),
)
GROUNDS = (
    *("walls", "slits", "covering", "low_walls"),
    *("difficult", "darkness", "shadow", "fog"),
)
FACTOR, COUNT = Exact(0, 100), Whole(0, 100)

LOOKUPS: dict[str, Plain] = {
    "size": Plain(
        "sizes",
        {
            "modifier": Whole(-50, 50),
            "grapple": Whole(-100, 100),
            "hide": Whole(-100, 100),
            "height": Words(),
            "weight": Words(),
            "space": Exact(Fraction(1, 100), 1000),
            "reach_tall": Whole(0, 1000),
            "reach_long": Whole(0, 1000),
        },
        rows=SIZES,
    ),
    "two_weapon": Plain(
        "fighting with two weapons",
        {"primary": PENALTY, "off_hand": PENALTY},
        rows=("normal", "light", "feat", "light_feat"),
    ),
    "base_save": Plain(
        "base saves", {"start": COUNT, "per_level": Exact(0, 10)}, rows=("good", "poor")
    ),
    "base_attack": Plain(
        "base attack bonuses",
        {"per_level": Exact(0, 10)},
        rows=("full", "three_quarters", "half"),
    ),
    "class": Plain(
        "classes",
        {
            "base_attack": Ids("lookup.base_attack"),
            "fortitude": Ids("lookup.base_save"),
            "reflex": Ids("lookup.base_save"),
            "will": Ids("lookup.base_save"),
        },
        {
            "hit_die": Whole(1, 100),
            "critical_hits": Words(("immune",)),
            "nonlethal": Words(("immune",)),
        },
    ),
    "maneuver": Plain(
        "maneuvers",
        {},
        {
            "action": Ids("lookup.action"),
            "largest": Whole(0, 9),
            "feat": Ids("feat"),
            "no_counter": Ids("feat"),
        },
        rows=MANEUVERS,
        optional=True,
    ),
    "maneuver_row": Plain(
        "maneuvers",
        {},
        {"all": Whole(-50, 50), **dict.fromkeys(MANEUVERS, Whole(-50, 50))},
        row_ids="attacker's row",
        optional=True,
    ),
    "durability": Plain("sundering", {"hardness": Whole(0, 1000), "hit_points": Whole(1, 10_000)}),
    "fortification": Plain("fortification", {"percent": Exact(0, 100)}),
    "ground": Plain(
        "the ground of a map",
        {"movement": Words(("nothing", "hampers", "hampers_unseeing", "blocks"))},
        rows=GROUNDS,
    ),
    "natural_attack": Plain("natural attacks", {"types": Words()}),
    "surprise": Plain(
        "surprise", {}, {"allowance": Words(), "condition": Words()}, rows=("acts", "waits")
    ),
    "speed": Plain("speeds", {"none": FEET, "light": FEET, "medium": FEET, "heavy": FEET}),
    "movement": Plain(
        "ways of moving",
        {"action": Ids("lookup.action")},
        {
            "factor": FACTOR,
            "heavy": FACTOR,
            "feat": FACTOR,
            "feat_heavy": FACTOR,
            "feet": FEET,
        },
    ),
    "action": Plain(
        "actions",
        {"type": Words(ACTION_TYPES)},
        {
            "provokes": Words(ANSWERS),
            "row": Whole(1, 1000),
            "mode": Ids("lookup.movement"),
            "by": Words(("target",)),
            "spoiled_by": Words(("concentration", "damage")),
            "feat": Ids("feat"),
            "safe_feat": Ids("feat"),
            "excludes": Ids("lookup.action"),
            "requires": Ids("lookup.action"),
            "when": Words(("aided", "attended")),
            "as_standard": Words(("yes",)),
            "needs": Words(("standard", "move", "full_round")),
            "exempt": Words(("first_square",)),
            "per_turn": Whole(1, 100),
            "srd": Words(("yes", "no", "usually", "maybe")),
        },
    ),
    "turn": Plain(
        "turns",
        {"when": Words(("normal", "restricted", "procedures", "section"))},
        {"standard": COUNT, "move": COUNT, "full_round": COUNT, "free": COUNT},
    ),
    "phase": Plain("phases", {"place": COUNT}, optional=True),
    "no_opportunity": Plain("attacks of opportunity", {"row": Ids("row")}, optional=True),
    "percent_band": Plain(
        "cover and concealment on a map", {"from": Exact(0, 1)}, row_ids="slot row", optional=True
    ),
    "reflex": Plain(
        "Reflex saves",
        {"bonus": Whole(-50, 50), "evasion": Words(("none", "improved_evasion"))},
        row_ids="defender's row",
        optional=True,
    ),
    "stray_bonus": Plain("stray shots", {}, row_ids="bonus type", optional=True),
}
