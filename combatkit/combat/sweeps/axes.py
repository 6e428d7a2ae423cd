"""The axes of a product sweep: what may vary, and how one value enters the attack."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, get_args

from combatkit.combat.attacks.attack import Strike, attack
from combatkit.combat.attacks.full_attack import full_attack
from combatkit.combat.attacks.situation import Situation
from combatkit.errors import CombatkitError, check_word
from combatkit.rules import Combatant, Ruleset, Weapon, load_ruleset
from combatkit.rules.equipment import Grip
from combatkit.rules.validation import Model

MAX_VALUES = 100_000  # of one axis

# whole parts of an attack, and what may stand for them
WHOLE: dict[str, tuple[type, ...]] = {
    "ruleset": (str, Path, Ruleset),
    "attacker": (str, Combatant),
    "defender": (str, Combatant),
    "weapon": (str, Weapon, type(None)),
    "grip": (str, type(None)),
    "off_hand": (str, Weapon, type(None)),
    "full": (bool,),
    "situation": (Situation,),
}
FIELDS: dict[str, type[Model]] = {
    "attacker": Combatant,
    "defender": Combatant,
    "situation": Situation,
}
SHORT = {
    "attack_bonus": ("attacker", "attack_bonus"),
    "armor_class": ("defender", "armor_class"),
    "hit_points": ("defender", "hit_points"),
    "attacker_condition": ("condition", "attacker"),
    "defender_condition": ("condition", "defender"),
    "row": ("row", ""),
}
# how much one point moves the natural roll that is needed, where it only adds to a total
SHIFTS = {
    ("attacker", "attack_bonus"): -1,
    ("defender", "armor_class"): 1,
    ("situation", "attack_bonus"): -1,
    ("situation", "armor_class_bonus"): 1,
}
TARGETS = (("defender", "hit_points"), ("defender", "temporary_hit_points"))


class Setup(NamedTuple):
    """All that one attack depends on."""

    rules: Ruleset
    attacker: str | Combatant
    defender: str | Combatant
    weapon: str | Weapon | None
    situation: Situation
    grip: Grip | None
    off_hand: str | Weapon | None
    full: bool

    def checked(self) -> Setup:
        """Return it, or say which part of it is of the wrong kind."""
        if not isinstance(self.rules, Ruleset):
            raise CombatkitError(f"sweep_over: {self.rules!r:.60} is no ruleset; use load_ruleset")
        for part in self._fields[1:]:
            check_part("sweep_over", part, getattr(self, part))
        return self

    def part(self, name: str) -> Model:
        """Attacker, defender or situation; somebody given by id is looked up in the rules."""
        found = getattr(self, name)
        return self.rules.combatant(found) if isinstance(found, str) else found

    def strikes(self) -> tuple[Strike, ...]:
        """Make the attack, or all attacks of the round."""
        who, target = self.part("attacker"), self.part("defender")
        rules, _, _, weapon, there, grip, off_hand, full = self
        assert isinstance(who, Combatant) and isinstance(target, Combatant)
        if full or off_hand is not None:
            return full_attack(rules, who, target, weapon, there, grip, off_hand).strikes
        return attack(rules, who, target, weapon, there, grip).strikes


@dataclass(frozen=True, eq=False)
class Axis:
    """One axis: its name, its values and what a table calls them.

    Attributes
    ----------
    part, field : str
        What of the attack it sets: a field of a part, or the whole part where the field is empty.
    """

    name: str
    part: str
    field: str
    labels: tuple[Any, ...]
    values: tuple[Any, ...]

    def __len__(self) -> int:
        return len(self.values)

    @property
    def rank(self) -> int:
        """Rules are set first, then whole parts, then fields of them, then rows."""
        if self.part in ("ruleset", "switch"):
            return 0 if self.part == "ruleset" else 1
        return 4 if self.part in ("row", "condition") else 3 if self.field else 2

    @property
    def is_target(self) -> bool:
        """Whether it changes only how much the defender can take."""
        return (self.part, self.field) in TARGETS

    @property
    def shift(self) -> int:
        """What one point does to the natural roll needed; 0 where it may do more than that."""
        known = SHIFTS.get((self.part, self.field), 0)
        return known if all(isinstance(value, int) for value in self.values) else 0

    def only_shifts(self, rules: Ruleset) -> bool:
        """Whether, under these rules, its points go into a total one by one.

        They do unless their bonus type competes with others or may be disregarded.
        """
        if not self.shift:
            return False
        target = "armor_class" if "armor_class" in self.field else "attack"
        printed = self.part != "situation"
        type_ = rules.terms[f"{target}.printed"].type if printed else "untyped"
        stacking, guard = rules.stacking, rules.armor_class
        lost = (*guard.touch_ignores, *guard.lost_with_dexterity)
        return (
            type_ in stacking.stacks
            and type_ not in stacking.penalties_highest_only
            and (target == "attack" or type_ not in lost)
        )

    def apply(self, setup: Setup, value: Any) -> Setup:
        """Return the attack with this value in it."""
        there = setup.situation
        if self.part == "ruleset":
            return setup._replace(rules=value)
        if self.part == "switch":
            return setup._replace(rules=_switched(setup.rules, self.field, value))
        if self.part == "row":
            if value is None:
                return setup
            row = setup.rules.find(f"axis '{self.name}': row", setup.rules.rows, value)
            return setup._replace(situation=there.with_row(setup.rules, row))
        if self.part == "condition":
            ticked = {self.field: getattr(there, self.field) | value}
            return setup._replace(situation=there.model_copy(update=ticked))
        if self.field:
            value = setup.part(self.part).model_copy(update={self.field: value})
        return setup._replace(**{self.part: value})


@lru_cache(maxsize=256)
def _switched(rules: Ruleset, switch: str, option: str) -> Ruleset:
    """Keep one copy of the rules for each reading, which then remembers what was looked up."""
    return rules.with_switches(**{switch: option})


def read_axes(axes: Mapping[str, Iterable[Any]], rules: Ruleset) -> list[Axis]:
    """Read the axes as a user gives them.

    Raises
    ------
    CombatkitError
        For an unknown name, an axis without values, two values of one name, two axes that set the
        same thing, or a value that does not fit.
    """
    if not isinstance(axes, Mapping) or not axes:
        raise CombatkitError(f"axes: give at least one {{name: values}}, not {axes!r:.60}")
    loaded = []
    if "ruleset" in axes:
        loaded.append(_read("ruleset", ("ruleset", ""), axes["ruleset"], (rules,)))
    systems = loaded[0].values if loaded else (rules,)
    known = _known(systems)
    found: dict[tuple[str, str], Axis] = {}
    for name, values in axes.items():
        check_word(name, known, "axis")
        axis = loaded[0] if name == "ruleset" else _read(name, known[name], values, systems)
        for key in _settings(axis, systems[0]):
            if key in found:
                raise CombatkitError(f"axes '{found[key].name}' and '{name}' set the same thing")
            found[key] = axis
    return list(dict.fromkeys(found.values()))


def _settings(axis: Axis, rules: Ruleset) -> set[tuple[str, str]]:
    """Tell what an axis sets: the part and the field, rows of a slot being a field like any."""
    if axis.part != "row":
        return {(axis.part, axis.field)}
    named = [axis.field] if axis.field else [str(value).partition(".")[0] for value in axis.values]
    tables = [table for name in named if (table := rules.tables.get(name))]
    return {("situation", table.slot) for table in tables if table.slot} or {("row", axis.field)}


def _known(systems: tuple[Ruleset, ...]) -> dict[str, tuple[str, str]]:
    """Every axis name with the part and the field it sets."""
    ticked = ("attacker", "defender")  # fields of a situation that have axes of their own
    fields = [
        (part, field)
        for part, model in FIELDS.items()
        for field in model.model_fields
        if part != "situation" or field not in ticked
    ]
    return {
        **{f"table.{table}": ("row", table) for rules in systems for table in rules.tables},
        **{
            f"switch.{switch}": ("switch", switch) for rules in systems for switch in rules.switches
        },
        **{f"{part}.{field}": (part, field) for part, field in fields},
        **{field: (part, field) for part, field in fields if part == "situation"},
        **{part: (part, "") for part in WHOLE},
        **SHORT,
    }


def _read(
    name: str, sets: tuple[str, str], given: Iterable[Any], systems: tuple[Ruleset, ...]
) -> Axis:
    part, field = sets
    if part == "row" and field and isinstance(given, str) and given == "all":
        given = [None, *(row.id for row in systems[0].rows_of(field))]
    labels, raw = _listed(name, given)
    values = tuple(_checked(name, part, field, value) for value in raw)
    texts = labels or _labels(raw if part != "ruleset" else values)
    for text in texts:
        _refuse_broken(name, text)
    if len(set(texts)) < len(texts):
        twice = next(text for text in texts if texts.count(text) > 1)
        raise CombatkitError(
            f"axis '{name}': two values are called {twice!r}; name them: {{label: value}}"
        )
    return Axis(name, part, field, texts, values)


def _refuse_broken(name: str, text: Any) -> None:
    try:
        str(text).encode("utf-8")
    except UnicodeEncodeError:
        raise CombatkitError(f"axis '{name}': the text {text!r:.60} is broken") from None


def _listed(name: str, given: Any) -> tuple[tuple[str, ...], tuple[Any, ...]]:
    """Labels (none unless they are given) and values of an axis."""
    given = given.tolist() if hasattr(given, "tolist") else given  # of numpy or pandas
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise CombatkitError(f"axis '{name}': give a list of values, not {given!r:.60}")
    named = isinstance(given, Mapping)
    listed = tuple(islice(given.items() if isinstance(given, Mapping) else given, MAX_VALUES + 1))
    if not listed:
        raise CombatkitError(f"axis '{name}' has no values")
    if len(listed) > MAX_VALUES:
        raise CombatkitError(f"axis '{name}' has more than {MAX_VALUES:,} values")
    if not named:
        return (), listed
    return tuple(str(label) for label, _ in listed), tuple(value for _, value in listed)


def _checked(name: str, part: str, field: str, value: Any) -> Any:
    """Bring a value into the form the engine takes, or say what is wrong with it."""
    where = f"axis '{name}'"
    if part == "condition":
        return _ids(where, value)
    if part in ("row", "switch"):
        if not isinstance(value, str) and (part == "switch" or value is not None):
            raise CombatkitError(f"{where}: {value!r:.60} is no word of the rules")
        return f"{field}.{value}" if part == "row" and field and value is not None else value
    if field:
        return getattr(FIELDS[part].from_data({field: value}, where), field)
    check_part(where, part, value)
    return load_ruleset(value) if isinstance(value, (str, Path)) and part == "ruleset" else value


def check_part(where: str, part: str, value: Any) -> None:
    """Refuse what cannot stand for a whole part of an attack."""
    if not isinstance(value, WHOLE[part]):
        raise CombatkitError(f"{where}: {value!r:.60} is no {part.replace('_', ' ')}")
    if part == "grip" and value is not None:
        check_word(value, get_args(Grip), f"{where}:")


def _ids(where: str, value: Any) -> frozenset[str]:
    """Conditions that hold together: none, one id, or several."""
    several = () if value is None else (value,) if isinstance(value, str) else value
    if not isinstance(several, Collection) or not all(isinstance(one, str) for one in several):
        raise CombatkitError(f"{where}: give an id, a set of ids or None, not {value!r:.60}")
    return frozenset(several)


def _labels(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Whole numbers as they are; anything else, and any mixture, as text."""
    for kind in (bool, int):
        if all(type(value) is kind for value in values):
            return values
    return tuple(_label(value) for value in values)


def _label(value: Any) -> str:
    if isinstance(value, Weapon | Combatant):
        return value.id or getattr(value, "label", "") or getattr(value, "name", "") or "unnamed"
    if isinstance(value, Ruleset):
        return repr(value).removeprefix("Ruleset(").removesuffix(")")
    if isinstance(value, Situation):
        return value.to_json()
    if isinstance(value, (set, frozenset, list, tuple)):
        return " + ".join(_words(value)) or "none"
    return "none" if value is None else str(value) or "none"


def _words(values: Collection[Any]) -> Iterator[str]:
    ordered = sorted(values, key=str) if isinstance(values, (set, frozenset)) else values
    return (str(value) for value in ordered)
