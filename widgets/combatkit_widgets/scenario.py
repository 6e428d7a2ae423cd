"""The scenario: all that the explorer shows, as one frozen model, and the fight it describes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from pydantic import Field

import combatkit as ck
from combatkit.combat.attacks.attack import Strike, attack, choose_weapon
from combatkit.combat.attacks.full_attack import FullAttack, full_attack
from combatkit.combat.attacks.situation import Situation
from combatkit.combat.health.kill_time import KillTime, kill_time
from combatkit.combat.health.survival import Survival, survival
from combatkit.combat.sweeps.sweep import Measured, Sweep, measure, sweep
from combatkit.errors import CombatkitError
from combatkit.rules import Citation, Combatant, Ruleset, Weapon, load_ruleset, load_text
from combatkit.rules.creature import Fighter, Held
from combatkit.rules.equipment import Grip
from combatkit.rules.validation import Model
from combatkit_widgets.words import whole_weapon

Measure = Literal["hit_chance", "critical_chance", "expected_damage", "rounds_to_kill", "survival"]
LOADERS = ("origin", "replaces")  # set by the loader, nothing anybody enters


class Scenario(Model):
    """What the explorer shows; it survives a round trip through JSON.

    Attributes
    ----------
    ruleset : str
        Id of a built-in ruleset or path of a house-rule file.
    switches : dict
        Readings chosen differently from the ruleset's own.
    attacker, defender : str or Combatant
        Id of a sample, or somebody else.
    weapon : str, Weapon or None
        None is the usual way to fight: the first weapon, natural attacks with it in a full attack.
    grip : {"primary", "two_handed", "off_hand", "thrown"} or None
    off_hand : str, Weapon or None
    situation : Situation
    full : bool
        Whether a full attack is made each round.
    rounds : int
        0 to 100, which stays quick with hundreds of hit points.
    keeps_striking : bool
        Whether the attacker goes on when the defender has fallen.
    dying_at : int
        Hit points of the dying creature whose fate is shown.
    first_aid : int or None
        Heal bonus of an ally who helps it every turn.
    table : str or None
        Modifier table shown; None for all.
    measure, map_measure : str
        What the modifier tables and the heat map measure.

    Examples
    --------
    >>> scenario = Scenario(situation={"defender": ["prone"]})
    >>> scenario.to_json()
    '{"situation":{"defender":["prone"]}}'
    >>> Scenario.from_json(scenario.to_json()).fight().strike.p_hit
    Fraction(19, 20)
    """

    ruleset: str = "srd35"
    switches: dict[str, str] = {}
    attacker: Fighter = "fighter_6"
    defender: Fighter = "ogre"
    weapon: Held | None = None
    grip: Grip | None = None
    off_hand: Held | None = None
    situation: Situation = Situation()
    full: bool = False
    rounds: int = Field(10, ge=0, le=100)
    keeps_striking: bool = False
    dying_at: int = Field(-1, ge=-1000, le=0)
    first_aid: int | None = Field(None, ge=-20, le=60)
    table: str | None = None
    measure: Measure = "hit_chance"
    map_measure: Literal["hit_chance", "expected_damage"] = "hit_chance"

    def rules(self) -> Ruleset:
        """Load the ruleset and choose the readings."""
        return load_rules(self.ruleset).with_switches(**self.switches)

    def fight(self, rules: Ruleset | None = None) -> Fight:
        """Work everything out.

        Parameters
        ----------
        rules : Ruleset, optional
            The scenario's rules where they are loaded already.

        Raises
        ------
        CombatkitError
            When something is not in the rules, or does not go together.
        """
        rules = rules or self.rules()
        who, target = fighter(rules, self.attacker), fighter(rules, self.defender)
        common = (rules, who, target, self.weapon, self.situation, self.grip)
        full = self.full or self.off_hand is not None
        return Fight(self, rules, full_attack(*common, self.off_hand) if full else attack(*common))

    def code(self) -> str:
        """Write the cell that works out the same with combatkit alone.

        Examples
        --------
        >>> print(Scenario(ruleset="phased", rounds=3).code())
        import combatkit as ck
        <BLANKLINE>
        rules = ck.load_ruleset('phased')
        attacker = rules.combatant('fighter_6')
        defender = rules.combatant('ogre')
        attack = ck.attack(rules, attacker, defender)
        survival = ck.survival(attack, rounds=3)
        sweep = ck.sweep(rules, attacker, defender, rounds=3)
        attack
        """
        rules = self.rules()
        chosen = f".with_switches({_arguments(self.switches)})" if self.switches else ""
        given = {
            "weapon": _weapon_code(rules, self.weapon),
            "grip": _code(self.grip),
            "off_hand": _weapon_code(rules, self.off_hand),
        }
        there = self.situation != Situation()
        options = [f"{name}={text}" for name, text in given.items() if text != "None"]
        options += ["situation=situation"] * there
        full = self.full or self.off_hand is not None
        start = ["rules, attacker, defender", *options]
        swept = [*start, *(["full=True"] if full else []), f"rounds={self.rounds}"]
        keeps = ", keeps_striking=True" if self.keeps_striking else ""
        body = "\n".join(
            [
                f"rules = {_rules_code(self.ruleset)}{chosen}",
                f"attacker = {_fighter_code(rules, self.attacker)}",
                f"defender = {_fighter_code(rules, self.defender)}",
                *([f"situation = {_code(self.situation)}"] if there else []),
                f"attack = ck.{'full_attack' if full else 'attack'}({', '.join(start)})",
                f"survival = ck.survival(attack, rounds={self.rounds}{keeps})",
                f"sweep = ck.sweep({', '.join(swept)})",
                "attack",
            ]
        )
        needed = "from fractions import Fraction\n\n" if "Fraction(" in body else ""
        return f"{needed}import combatkit as ck\n\n{body}"


@dataclass(frozen=True, eq=False)
class Fight:
    """All that follows from a scenario, worked out when it is first asked for."""

    scenario: Scenario
    rules: Ruleset
    attack: Strike | FullAttack

    @cached_property
    def kill_time(self) -> KillTime:
        """Rounds until the defender is down."""
        return kill_time(self.attack)

    @cached_property
    def survival(self) -> Survival:
        """The defender's state after each round."""
        given = self.scenario
        return survival(self.attack, given.rounds, keeps_striking=given.keeps_striking)

    @cached_property
    def measured(self) -> Measured:
        """The five numbers that matter."""
        return measure(self.attack, self.scenario.rounds)

    @cached_property
    def sweep(self) -> Sweep:
        """What each row of the modifier tables would change."""
        first, given = self.strike.attempt, self.scenario
        common = (self.rules, first.attacker, first.defender, given.weapon, given.situation)
        full = isinstance(self.attack, FullAttack)
        return sweep(*common, given.grip, given.off_hand, full=full, rounds=given.rounds)

    @property
    def strikes(self) -> tuple[Strike, ...]:
        """The strikes of a round."""
        return self.attack.strikes if isinstance(self.attack, FullAttack) else (self.attack,)

    @property
    def strike(self) -> Strike:
        """The attack, or the first of the round."""
        return self.strikes[0]


def load_rules(source: str) -> Ruleset:
    """Load rules by the id of built-in ones, the path of a file, or the text of one (many lines).

    Raises
    ------
    CombatkitError
        For anything wrong in the rules.
    """
    return load_text(source) if "\n" in source else load_ruleset(source)


def fighter(rules: Ruleset, choice: str | Combatant) -> Combatant:
    """Return a combatant by id, or the one given."""
    return rules.combatant(choice) if isinstance(choice, str) else choice


def fighter_reference(rules: Ruleset, who: Combatant) -> str | Combatant:
    """Name a sample by its id; anybody else stands for themselves."""
    return who.id if rules.combatants.get(who.id) == who else who


def weapon_reference(rules: Ruleset, who: Combatant, weapon: Weapon) -> str | Weapon:
    """Name a weapon by the id that leads to it; any other stands for itself."""
    try:
        found = choose_weapon(rules, who, weapon.id)
    except CombatkitError:
        return weapon
    return weapon.id if whole_weapon(rules, found) == weapon else weapon


def _rules_code(source: str) -> str:
    return f"ck.{'rules.load_text' if chr(10) in source else 'load_ruleset'}({source!r})"


def _arguments(values: dict[str, Any]) -> str:
    return ", ".join(f"{name}={_code(value)}" for name, value in values.items())


def _code(value: Any) -> str:
    """Write a value as Python that gives it back."""
    if isinstance(value, Model):
        given = {
            name: getattr(value, name)
            for name in type(value).model_fields
            if name in value.model_fields_set and name not in LOADERS
        }
        name = type(value).__name__
        return f"ck.{name if hasattr(ck, name) else f'rules.{name}'}({_arguments(given)})"
    if isinstance(value, Citation):
        return repr(value.data)
    if isinstance(value, frozenset):
        return f"{{{', '.join(map(repr, sorted(value)))}}}" if value else "set()"
    if isinstance(value, tuple):
        return f"({''.join(f'{_code(item)}, ' for item in value).rstrip(' ')})"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key!r}: {_code(item)}' for key, item in value.items())}}}"
    return repr(value)


def _differences(value: Model, base: Model) -> dict[str, Any]:
    return {
        name: getattr(value, name)
        for name in type(value).model_fields
        if getattr(value, name) != getattr(base, name)
        and not name.startswith("printed_")
        and name not in (*LOADERS, "cite", "note")
    }


def _fighter_code(rules: Ruleset, choice: str | Combatant) -> str:
    if isinstance(choice, str):
        return f"rules.combatant({choice!r})"
    sample = rules.combatants.get(choice.id)
    if sample is None:
        return _code(choice)
    update = _code(_differences(choice, sample))
    return f"rules.combatant({choice.id!r}).model_copy(update={update})"


def _weapon_code(rules: Ruleset, choice: str | Weapon | None) -> str:
    base = rules.weapons.get(choice.id) if isinstance(choice, Weapon) else None
    if not isinstance(choice, Weapon) or base is None or choice.base:
        return _code(choice)
    given = {"base": base.id, **_differences(choice, base)}
    return f"ck.Weapon({_arguments(given)})"
