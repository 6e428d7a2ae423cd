"""An attack about to be made: who, at whom, with what, and which rows are in force."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import NamedTuple

from combatkit.combat.attacks.feats import JudgedFeat, attacker_feats, defender_feats
from combatkit.combat.attacks.situation import Situation
from combatkit.combat.d20 import Roll
from combatkit.rules import Citation, Combatant, Feat, Line, Row, Ruleset, Weapon, modifier_of
from combatkit.rules.cite import USER_SOURCE
from combatkit.rules.equipment import Grip
from combatkit.rules.modifier import Effect, Mode, Side, Target


class Judged(NamedTuple):
    """A selected row, and why it has no say here (empty where it has)."""

    row: Row
    why_not: str


@dataclass(frozen=True, eq=False)
class Attempt:
    """Everything one attack depends on.

    Attributes
    ----------
    order : int
        Attack bonus for being a further attack in the round (0, -5, ...).
    two_weapon : int
        Two-weapon penalty, 0 when one weapon is used.
    thrown : bool
        Whether a weapon that could strike is thrown.
    further : tuple of Line
        What it pays for further attacks of the round.
    """

    rules: Ruleset
    attacker: Combatant
    defender: Combatant
    weapon: Weapon
    grip: Grip
    situation: Situation
    order: int = 0
    two_weapon: int = 0
    thrown: bool = False
    further: tuple[Line, ...] = ()

    @cached_property
    def mode(self) -> Mode:
        """Whether it is a melee or a ranged attack."""
        return "ranged" if self.weapon.ranged or self.thrown else "melee"

    @cached_property
    def weapon_id(self) -> str:
        """Id that feats bound to a weapon name."""
        return self.weapon.base or self.weapon.id

    @cached_property
    def judged_feats(self) -> tuple[JudgedFeat, ...]:
        """Every feat of the attacker, and why it does not hold where it does not."""
        return attacker_feats(self)

    @cached_property
    def judged_defense(self) -> tuple[JudgedFeat, ...]:
        """Every feat of the defender, and why it has no say where it has none."""
        return defender_feats(self)

    @cached_property
    def feats(self) -> tuple[Feat, ...]:
        """Attacker's feats that hold for this attack."""
        return tuple(feat for feat, why_not in self.judged_feats if not why_not)

    @cached_property
    def defense(self) -> tuple[Feat, ...]:
        """Defender's feats that hold against this attack."""
        return tuple(feat for feat, why_not in self.judged_defense if not why_not)

    def granted(self, ability: str) -> bool:
        """Whether one of the attacker's feats grants an ability for this attack."""
        return ability in self._granted

    @cached_property
    def _granted(self) -> frozenset[str]:
        return frozenset(ability for feat in self.feats for ability in feat.grants)

    @cached_property
    def judged(self) -> tuple[Judged, ...]:
        """Every selected row, and why it has no say where it has none."""
        return tuple(Judged(row, self._why_not(row)) for row in self.situation.rows(self.rules))

    def _why_not(self, row: Row) -> str:
        if not row.applies(self.mode):
            return f"does not apply to {self.mode} attacks"
        if "not_against_blinded" in row.effects and "blinded" in self.situation.defender:
            return "does not apply against a blinded target"
        side = self.rules.tables[row.table].on
        for feat in self.feats:
            if row.id in (feat.cancels if side == "attacker" else feat.cancels_target):
                return f"{feat.label} does away with it"
        for feat in self.defense:
            if row.id in feat.shrugs_off:
                return f"the defender's {feat.label} does away with it"
        for effect in CHARGES.intersection(row.footnotes(self.mode)):
            spirited = effect == "mounted_charge" and self.granted("spirited_charge")
            if not spirited and effect not in self.weapon.doubles_when:
                return f"{self.weapon.label or 'this weapon'} gains nothing by it"
        for other in self.situation.rows(self.rules):
            if row.id in other.excludes and self.rules.tables[other.table].on == side:
                return f"cannot be combined with {other.label}"
        return ""

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """Rows in force."""
        return tuple(row for row, why_not in self.judged if not why_not)

    def effect(self, effect: Effect) -> str:
        """Label of the first row in force with this effect, or an empty text."""
        return self._effects.get(effect, "")

    @cached_property
    def _effects(self) -> dict[Effect, str]:
        return {effect: row.label for row in reversed(self.rows) for effect in self._footnotes(row)}

    def _footnotes(self, row: Row) -> tuple[Effect, ...]:
        """Footnotes of a row, less those that a defender who keeps Dexterity escapes."""
        if not self._keeper(row):
            return row.footnotes(self.mode)
        return tuple(effect for effect in row.footnotes(self.mode) if effect not in OFF_GUARD)

    def _keeper(self, row: Row) -> str:
        """Label of the defender's feat that keeps Dexterity under a row, or an empty text."""
        return next((feat.label for feat in self.defense if row.id in feat.keeps_dexterity), "")

    def dexterity(self, side: Side) -> tuple[int, list[str]]:
        """Dexterity score of one side after changes, with the reasons."""
        who = self.attacker if side == "attacker" else self.defender
        score, reasons = who.score("dex"), []
        mine = [row for row in self.rows if self.rules.tables[row.table].on == side]
        for row in mine:
            if row.dexterity_change:
                score = max(0, score + row.dexterity_change)
                reasons.append(f"score {row.dexterity_change:+d}: {row.label}")
        for row in mine:
            if row.dexterity_score is not None:
                score = row.dexterity_score
                reasons.append(f"score counts as {score}: {row.label}")
        return score, reasons

    @cached_property
    def by_dexterity(self) -> bool:
        """Whether a melee attack uses Dexterity instead of Strength: where allowed, if better."""
        weapon = self.weapon
        light = weapon.light and self.rules.switch("light_weapon_ability") == "better"
        if self.mode != "melee" or not (self.finessed or light):
            return False
        value = modifier_of(self.dexterity("attacker")[0])
        return value + (0 if light else self.shield_check) > self.attacker.strength

    @property
    def finessed(self) -> bool:
        """Whether Weapon Finesse goes with the weapon."""
        weapon = self.weapon
        return self.granted("finesse") and (weapon.light or weapon.finesse or weapon.natural)

    def lines(self, to: Target) -> Iterator[Line]:
        """Lines that the selected rows, and the referee, add to a tally."""
        for row, why_not in self.judged:
            if self.rules.tables[row.table].to != to:
                continue
            key, value = f"{row.table}.{row.id}", row.column(self.mode) or 0
            line = Line.of(row, value, key, row.type, self._footnote_text(row))
            off = why_not or self._switched_off(row)
            yield line.struck(off) if off else line
        value = getattr(self.situation, f"{to}_bonus", 0)
        if value:
            yield Line(
                "situation",
                "Referee's circumstance modifier",
                value,
                "untyped",
                Citation("user", "situation", USER_SOURCE),
            )

    def _switched_off(self, row: Row) -> str:
        for switch, options in row.condition.items():
            if self.rules.switch(switch) not in options:
                return f"option chosen: {self.rules.option(switch)}"
        return ""

    def _footnote_text(self, row: Row) -> str:
        texts = [FOOTNOTES[effect] for effect in self._footnotes(row)]
        if keeper := self._keeper(row):
            texts.append(f"{keeper} keeps the Dexterity bonus")
        if row.miss_chance and self._miss_chance_of(row):
            twice = ", rolled twice" if self._rerolls else ""
            texts.append(f"{row.miss_chance} % miss chance{twice}")
        return "; ".join(texts)

    def term(self, key: str, value: int, label: str = "", why: str = "") -> Line:
        """Line for a term of a formula."""
        term = self.rules.find("term", self.rules.terms, key)
        return Line.of(term, value, key, term.type, why, label)

    def feat_lines(self, to: Target) -> Iterator[Line]:
        """Lines that feats add to a tally: the defender's for armor class, else the attacker's."""
        defends = to == "armor_class"
        ticked = self.situation.defender if defends else self.situation.attacker
        for feat in self.defense if defends else self.feats:
            for bonus in feat.bonuses:
                if bonus.to == to and (not bonus.rows or ticked.intersection(bonus.rows)):
                    yield Line.of(feat, bonus.value, f"feat.{feat.id}", bonus.type)

    def bonus_lines(self, to: Target) -> Iterator[Line]:
        """Lines of the bonuses entered by hand, of the same side."""
        who = self.defender if to == "armor_class" else self.attacker
        for index, given in enumerate(who.bonuses):
            kind = self.rules.bonus_type(given.type)
            if given.to == to:
                label = given.label or "Bonus"
                yield Line(f"bonus.{index}", label, given.value, kind, given.cite)

    @cached_property
    def roll(self) -> Roll:
        """How the d20 is rolled; advantage and disadvantage together cancel out."""
        ways = {self.situation.roll} - {"normal"}
        ways |= {way for way in ("advantage", "disadvantage") if self.effect(way)}
        return next(iter(ways)) if len(ways) == 1 else "normal"

    def _miss_chance_of(self, row: Row) -> int:
        chosen = all(
            self.rules.switch(key) in options for key, options in row.miss_condition.items()
        )
        return row.miss_chance if chosen else 0

    @cached_property
    def miss_chance(self) -> Fraction:
        """Chance that a hit misses after all; the largest only, unless the rules say each."""
        rolls = 2 if self._rerolls else 1
        chances = [Fraction(self._miss_chance_of(row), 100) ** rolls for row in self.rows]
        chances += [Fraction(percent, 100) for percent in self.situation.miss_chances]
        if self.rules.switch("miss_chance") == "each":
            return 1 - prod((1 - chance for chance in chances), start=Fraction(1))
        return max(chances, default=Fraction(0))

    @cached_property
    def _rerolls(self) -> bool:
        """Whether a miss by concealment is rolled once more."""
        return self.granted("second_miss_roll")

    @cached_property
    def why_impossible(self) -> str:
        """Why the attack cannot be made at all; empty where it can."""
        if label := self.effect("no_attack"):
            return f"{label}: no attack is possible"
        label = self.effect("ranged_only_crossbow_or_shuriken")
        if label and self.weapon.use != "crossbow" and self.weapon_id != "shuriken":
            return f"{label}: only a crossbow or shuriken can be used"
        if self.situation.combat_expertise and self.mode == "ranged":
            return "Combat Expertise is used in melee"
        if self.situation.arrows > 1 and (why_not := self._why_no_volley()):
            return why_not
        if self.situation.nonlethal and not self.weapon.nonlethal and self.mode == "ranged":
            return f"{self.weapon.label} cannot deal nonlethal damage from afar"
        if self.thrown and not self.weapon.range_increment:
            return f"{self.weapon.label} cannot be thrown"
        return self._why_too_far()

    def _why_no_volley(self) -> str:
        if self.weapon.use != "bow":
            return "only a bow shoots several arrows at once"
        feet = self.rules.number("manyshot.range")
        far = (self.situation.distance or 0) > feet
        return f"several arrows at once fly {feet} feet" if far else ""

    def _why_too_far(self) -> str:
        distance = self.situation.distance
        if distance is None:
            return ""
        if self.mode == "ranged":
            longest = self.longest_range
            return (
                f"{distance} feet is beyond {longest} feet"
                if longest and distance > longest
                else ""
            )
        reach = self.weapon.reach_feet or self.attacker.reach * (2 if self.weapon.reach else 1)
        if distance > reach:
            return f"{distance} feet is beyond a reach of {reach} feet"
        if self.weapon.reach and not self.weapon.reach_adjacent and distance <= self.attacker.reach:
            return f"{self.weapon.label} cannot strike within {self.attacker.reach} feet"
        return ""

    @property
    def touch(self) -> bool:
        """Whether it is a touch attack."""
        return self.situation.touch or self.weapon.touch

    @property
    def two_handed(self) -> bool:
        """Whether two hands add to the damage."""
        hands = self.weapon.hand in ("one_handed", "two_handed") and self.weapon.two_hands_help
        return self.grip == "two_handed" and hands

    @property
    def range_increment(self) -> int:
        """Range increment in feet, longer with Far Shot."""
        feet = self.weapon.range_increment
        if not self.granted("far_shot"):
            return feet
        kind = "thrown" if self.weapon.use in ("thrown", "melee") else "projectile"
        return int(feet * self.rules.fraction(f"far_shot.{kind}"))

    @property
    def shield_check(self) -> int:
        """Armor check penalty of the attacker's shield; masterwork, as all magic is, lessens it."""
        if self.attacker.shield is None:
            return 0
        eased = self.rules.number("armor.masterwork") if self.attacker.shield_enhancement else 0
        return min(0, self.rules.armor(self.attacker.shield).check_penalty + eased)

    @property
    def longest_range(self) -> int:
        """Longest range in feet; 0 where the weapon has no range increment."""
        if self.weapon.longest_range:
            return self.weapon.longest_range
        thrown = self.weapon.use in ("thrown", "melee")
        kind = "thrown" if thrown else "projectile"
        return self.range_increment * self.rules.number(f"range.{kind}_increments")


CHARGES: frozenset[Effect] = frozenset({"mounted_charge", "braced"})
OFF_GUARD: tuple[Effect, ...] = ("defender_loses_dexterity", "sneak_attackable")

FOOTNOTES: dict[Effect, str] = {
    "defender_loses_dexterity": "the defender loses any Dexterity bonus, and dodge with it",
    "not_against_blinded": "not against a blinded target",
    "ranged_only_crossbow_or_shuriken": "only a crossbow or shuriken can be used",
    "random_grappler": "which grappler is struck is rolled for",
    "sneak_attackable": "sneak attack applies",
    "no_attack": "no attack is possible",
    "advantage": "advantage",
    "disadvantage": "disadvantage",
    "loses_shield": "the shield does not count",
    "mounted_charge": "damage is doubled",
    "braced": "damage is doubled",
}
