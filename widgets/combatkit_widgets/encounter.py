"""The encounter: two fighters, what holds of each, and how each attacks; all that is shown."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, PlainSerializer

from combatkit.combat.attacks.situation import Situation
from combatkit.combat.board.map import Map, Placed
from combatkit.combat.fights.approximate import DuelApprox
from combatkit.combat.fights.duel import Duel, duel
from combatkit.combat.fights.plan import Action, Plan
from combatkit.errors import CombatkitError, nearest
from combatkit.rules import Ruleset, Weapon
from combatkit.rules.creature import Fighter, Held
from combatkit.rules.equipment import Grip
from combatkit.rules.validation import Model
from combatkit_widgets.combatant_form import fit_combatant
from combatkit_widgets.forms import changed
from combatkit_widgets.scenario import Measure, Scenario, fighter, fighter_reference, load_rules

Who = Literal["a", "b"]
FOE: dict[Who, Who] = {"a": "b", "b": "a"}
Words = Annotated[frozenset[str], PlainSerializer(sorted, return_type=list[str])]


class Side(Model):
    """One fighter of an encounter.

    Attributes
    ----------
    fighter : str or Combatant
        Id of a sample, or somebody else.
    weapon : str, Weapon or None
        None is the usual way to fight: the first weapon, natural attacks with it in a full attack.
    grip : {"primary", "two_handed", "off_hand", "thrown"} or None
    off_hand : str, Weapon or None
    full : bool
        Whether a full attack is made each round.
    conditions : frozenset of str
        Ids of rows, each listed once: what holds of the fighter counts when it attacks and when
        it is attacked, as far as the rules have a row for that.
    cover, concealment : str or None
        What the fighter has from the other.
    turn : Situation
        What is particular to its own attack: roll, referee's modifiers, what it trades.
    opening : tuple of str
        Actions of its first turns in a duel; see :class:`combatkit.Plan`.
    then : str or None
        The action of every later turn; None for the attack shown.
    """

    fighter: Fighter
    weapon: Held | None = None
    grip: Grip | None = None
    off_hand: Held | None = None
    full: bool = False
    conditions: Words = frozenset()
    cover: str | None = None
    concealment: str | None = None
    turn: Situation = Situation()
    opening: tuple[Action, ...] = Field((), max_length=20)
    then: Action | None = None

    @property
    def all_attacks(self) -> bool:
        """Whether a full attack is made: a second weapon is used in no other way."""
        return self.full or self.off_hand is not None


class Encounter(Model):
    """What the explorer shows; it survives a round trip through JSON.

    Attributes
    ----------
    ruleset : str
        Id of a built-in ruleset, path of a house-rule file, or the text of one.
    switches : dict
        Options chosen differently from the ruleset's own.
    a, b : Side
    distance : int or None
        Feet between the two.
    shown : {"a", "b"}
        Whose attack the panels show.
    rounds : int
        0 to 100, which stays quick with hundreds of hit points.
    keeps_striking : bool
        Whether an attacker goes on when the other has fallen.
    dying_at : int
        Hit points of the dying creature whose fate is shown.
    first_aid : int or None
        Heal bonus of an ally who helps it every turn.
    act : str or None
        Action whose opportunity attacks are shown; None for any that provokes.
    save_dc : int
        Difficulty class of the saving throws shown.
    table : str or None
        Modifier table shown; None for all.
    measure, map_measure : str
        What the modifier tables and the heat map measure.
    map : Map or None
        Where they stand, A as creature "a" and B as "b"; it counts once it is taken over into
        distance, cover, concealment and flanking.

    Examples
    --------
    >>> there = Encounter(b={"fighter": "ogre", "conditions": ["prone"]})
    >>> there.to_json()
    '{"b":{"fighter":"ogre","conditions":["prone"]}}'
    >>> there.scenario("a").fight().strike.p_hit, there.scenario("b").fight().strike.p_hit
    (Fraction(19, 20), Fraction(1, 10))
    """

    ruleset: str = "srd35"
    switches: dict[str, str] = {}
    a: Side = Side(fighter="fighter_6")
    b: Side = Side(fighter="ogre")
    distance: int | None = Field(None, ge=0, le=10_000)
    shown: Who = "a"
    rounds: int = Field(10, ge=0, le=100)
    keeps_striking: bool = False
    dying_at: int = Field(-1, ge=-1000, le=0)
    first_aid: int | None = Field(None, ge=-20, le=60)
    act: str | None = None
    save_dc: int = Field(15, ge=0, le=100)
    table: str | None = None
    measure: Measure = "hit_chance"
    map_measure: Literal["hit_chance", "expected_damage"] = "hit_chance"
    map: Map | None = None

    def side(self, who: Who) -> Side:
        """Return one of the two."""
        return self.a if who == "a" else self.b

    def rules(self) -> Ruleset:
        """Load the ruleset and choose the options."""
        return load_rules(self.ruleset).with_switches(**self.switches)

    def swapped(self) -> Encounter:
        """Return the same with the two in each other's place."""
        new = changed(self, a=self.b, b=self.a)
        return new if self.map is None else changed(new, map=_swapped(self.map))

    def situation(self, who: Who, rules: Ruleset) -> Situation:
        """Put together the situation of one side's attack.

        Raises
        ------
        CombatkitError
            For a condition that the rules do not know.
        """
        mine, foe = self.side(who), self.side(FOE[who])
        striking, struck = rules.conditions["attacker"], rules.conditions["defender"]
        for word in mine.conditions | foe.conditions:
            if word not in striking and word not in struck:
                known = nearest(word, {*striking, *struck})
                raise CombatkitError(f"condition '{word}' is not in these rules{known}")
        shared = {
            "attacker": mine.conditions & striking.keys(),
            "defender": foe.conditions & struck.keys(),
            "cover": foe.cover,
            "concealment": foe.concealment,
            "distance": self.distance,
            "defender_expertise": foe.turn.combat_expertise,
        }
        usual = Situation()
        given = {name: part for name, part in shared.items() if part != getattr(usual, name)}
        return changed(mine.turn, **given)

    def scenario(self, who: Who, rules: Ruleset | None = None) -> Scenario:
        """Return one side's attack on the other, as a scenario of its own."""
        rules = rules or self.rules()
        mine = self.side(who)
        shared = ("ruleset", "switches", "rounds", "keeps_striking", "dying_at", "first_aid")
        shown = ("table", "measure", "map_measure")
        return Scenario(
            attacker=mine.fighter,
            defender=self.side(FOE[who]).fighter,
            weapon=mine.weapon,
            grip=mine.grip,
            off_hand=mine.off_hand,
            full=mine.full,
            situation=self.situation(who, rules),
            **{name: getattr(self, name) for name in (*shared, *shown)},
        )

    def duel(self, rules: Ruleset | None = None) -> Duel:
        """Fight it out: each attacks as shown, turn by turn, until one is out of the fight.

        Raises
        ------
        CombatkitError
            For an attack that cannot be made, somebody who is down, or a fight too large.
        """
        rules = rules or self.rules()
        a, b = (fighter(rules, side.fighter) for side in (self.a, self.b))
        return duel(rules, a, b, self.plan("a", rules), self.plan("b", rules))

    def duel_approx(self, rules: Ruleset | None = None) -> DuelApprox:
        """Follow the duel nearly, where it is too large to be exact; raises like :meth:`duel`."""
        rules = rules or self.rules()
        a, b = (fighter(rules, side.fighter) for side in (self.a, self.b))
        plans = self.plan("a", rules), self.plan("b", rules)
        return duel(rules, a, b, *plans, approx=True)

    def code(self) -> str:
        """Write the cell that works out what is shown with combatkit alone."""
        return self.scenario(self.shown).code()

    def plan(self, who: Who, rules: Ruleset) -> Plan:
        """Return what one side does turn by turn: the attack shown, again and again."""
        mine = self.side(who)
        return Plan(
            opening=mine.opening,
            then=mine.then or ("full" if mine.all_attacks else "attack"),
            weapon=mine.weapon,
            grip=mine.grip,
            off_hand=mine.off_hand,
            situation=self.situation(who, rules),
        )


def with_rules(
    old: Encounter, before: Ruleset, rules: Ruleset, source: str, switches: dict[str, str]
) -> tuple[Encounter, list[str]]:
    """Return an encounter under other rules, and in words what those cannot express."""
    dropped: list[str] = []

    def fit(side: Side) -> Side:
        who = fighter(before, side.fighter)
        fitting = fit_combatant(who, before, rules)
        name = who.name or "the fighter"
        gone = [before.feat(word).label for word in {*who.feats} - {*fitting.feats}]
        lost = {choice for choice in (side.weapon, side.off_hand) if _known(choice, rules) is None}
        gone += [before.weapon(choice).label for choice in lost if choice is not None]
        rows = {**rules.conditions["attacker"], **rules.conditions["defender"]}
        gone += [word for word in side.conditions if word not in rows]
        slots: dict[str, Any] = {}
        for slot in ("cover", "concealment"):
            choice = getattr(side, slot)
            slots[slot] = choice if choice in rules.slots[slot] else None
            if choice and slots[slot] is None:
                gone.append(f"{slot} {choice}")
        dropped.extend(f"{name}: {word.replace('_', ' ')}" for word in sorted(gone))
        return changed(
            side,
            fighter=fighter_reference(rules, fitting),
            weapon=_known(side.weapon, rules),
            off_hand=_known(side.off_hand, rules),
            conditions=side.conditions & rows.keys(),
            **slots,
        )

    def fit_placed(one: Placed) -> Placed:
        if one.weapon is not None and _known(one.weapon, rules) is None:
            dropped.append(f"{one.id} on the map: {before.weapon(one.weapon).label}")
        who = None
        if one.combatant is not None:
            fitting = fit_combatant(fighter(before, one.combatant), before, rules)
            who = fighter_reference(rules, fitting)
        return changed(one, combatant=who, weapon=_known(one.weapon, rules))

    there = {}
    if old.map is not None:
        there["map"] = changed(old.map, creatures=tuple(map(fit_placed, old.map.creatures)))
    new = changed(
        old,
        ruleset=source,
        switches=switches,
        a=fit(old.a),
        b=fit(old.b),
        table=old.table if old.table in rules.tables else None,
        **there,
    )
    return new, dropped


def _swapped(map: Map) -> Map:
    names = {"a": "b", "b": "a"}
    return changed(
        map,
        creatures=tuple(changed(one, id=names.get(one.id, one.id)) for one in map.creatures),
    )


def _known(weapon: str | Weapon | None, rules: Ruleset) -> str | Weapon | None:
    is_lost = isinstance(weapon, str) and weapon not in rules.weapons
    return None if is_lost else weapon


def named(rules: Ruleset, encounter: Encounter, who: Who) -> str:
    """Return what a side is called: its name, with A or B where both have the same."""
    mine, foe = (fighter(rules, encounter.side(one).fighter) for one in (who, FOE[who]))
    name = mine.name or "Fighter"
    return f"{name} ({who.upper()})" if name == (foe.name or "Fighter") else name
