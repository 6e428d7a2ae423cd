"""Combatants: what the bestiary holds and what a player builds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag, model_validator

from combatkit.errors import CombatkitError
from combatkit.rules.attack_line import read_attack_line
from combatkit.rules.cite import USER, Cite
from combatkit.rules.equipment import Armor, Dice, Energy, Quality, Size, Weapon
from combatkit.rules.modifier import Target
from combatkit.rules.validation import Model

if TYPE_CHECKING:
    from combatkit.rules.ruleset import Ruleset
    from combatkit.rules.stat_block import StatBlock

Ability = Literal["str", "dex", "con", "int", "wis", "cha"]
Skill = Literal["bluff", "sense_motive", "escape_artist"]
Score = Annotated[int, Field(ge=0, le=100)]


def _named_or_own(value: object) -> str:
    return "by id" if isinstance(value, str) else "one's own"


# an id of the ruleset, or a thing of one's own: told apart by type, so that errors stay clear
Held = Annotated[
    Annotated[str, Tag("by id")] | Annotated[Weapon, Tag("one's own")],
    Discriminator(_named_or_own),
]
Worn = Annotated[
    Annotated[str, Tag("by id")] | Annotated[Armor, Tag("one's own")],
    Discriminator(_named_or_own),
]


def _readable(text: str) -> str:
    try:
        if text.strip():
            read_attack_line(text)
    except CombatkitError as error:  # pydantic then adds the field's path
        raise ValueError(str(error)) from None
    return text.strip()


AttackLine = Annotated[str, AfterValidator(_readable)]


def modifier_of(score: int) -> int:
    """Ability modifier of a score: half of what it exceeds 10 by, rounded down.

    Parameters
    ----------
    score : int
        Ability score, 0 or more.

    Returns
    -------
    int
        -5 for a score of 0, by table 8-6, note 4 of the SRD combat modifiers; the rest of the rule
        is the public d20 SRD's.

    Examples
    --------
    >>> [modifier_of(score) for score in (0, 1, 7, 10, 11, 18)]
    [-5, -5, -2, 0, 0, 4]
    """
    return (score - 10) // 2


class Bonus(Model):
    """A bonus or penalty a combatant always has, entered by hand.

    Attributes
    ----------
    to : {"attack", "armor_class", "damage", ...}
    value : int
        -50 to 50.
    type : str
        Bonus type, for stacking.
    """

    to: Target
    value: int = Field(ge=-50, le=50)
    type: str = Field("untyped", min_length=1)
    label: str = Field("", max_length=80)
    cite: Cite = USER


class Saves(Model):
    """Saving throw totals."""

    fortitude: int = Field(0, ge=-20, le=60)
    reflex: int = Field(0, ge=-20, le=60)
    will: int = Field(0, ge=-20, le=60)


class Combatant(Model):
    """Somebody who fights.

    Attributes
    ----------
    abilities : dict
        Scores 0 to 100 by ``str dex con int wis cha``; one left out counts as 10.
    ability_damage : dict
        Points of each score lost for a time; modifiers follow.
    base_attack : int
        Base attack bonus, -5 to 60.
    hit_points, temporary_hit_points : int
        Up to 2000 and 1000.
    armor, shield : str, Armor or None
        An id of the ruleset, or armor of one's own.
    armor_enhancement, shield_enhancement, natural_armor_enhancement : int
        Each improves the bonus of its item, or of the hide, and falls with it.
    weapons : tuple of str or Weapon
        The first is the one used when nothing else is said.
    feats : tuple of str
        Ids; those bound to a weapon carry it: ``weapon_focus:longsword``. Listed twice, a feat
        counts once, unless it says otherwise.
    attack_bonus, armor_class : int or None
        Totals from a stat block. A given attack bonus stands for base attack, ability, size, feats
        and enhancement together. A given armor class keeps reacting to what denies Dexterity,
        armor or dodge, as far as the other fields say how much those are.
    sneak_attack : str
        Extra dice against a target that cannot defend itself.
    damage_reduction, reduction_bypassed_by : int, tuple of str
        Taken off each hit of a weapon that has none of these qualities (``"magic"``, ``"silver"``,
        ``"slashing"``, ...).
    energy_resistance : dict
        Taken off the extra damage of an energy; a very large number stands for immunity.
    heal : int
        Bonus on Heal checks, for first aid.
    nonlethal_immune : bool
        Whether nonlethal damage does nothing to it, as with the undead and constructs.
    fast_healing : int
        Hit points regained each round while it lives, nonlethal damage with them.
    regeneration, regeneration_bypassed_by : int, tuple of str
        Nonlethal damage that goes away each round. All damage is nonlethal to it except that of
        these energies and of weapons with one of these qualities (``"fire"``, ``"acid"``, ...).
    stable : bool
        More than two legs, or a dwarf's footing: harder to trip, overrun or push.
    skills : dict
        Total bonuses by ``bluff sense_motive escape_artist``; one left out is untrained.
    attack_line, full_attack_line : str
        As a stat block prints them: ``"2 claws +30 (1d8+13) and bite +28 (2d6+6)"``. They come
        before ``weapons``: a full attack makes exactly the strikes of its line, a single attack the
        first of the other; each line does for both where only one is given.

    Examples
    --------
    >>> Combatant(name="Guard", abilities={"str": 13}, hit_points=6, weapons=["longsword"]).strength
    1
    >>> Combatant(siz="medium")
    Traceback (most recent call last):
    combatkit.errors.CombatkitError: Combatant: field 'siz' is not known; did you mean 'size'?
    """

    id: str = ""
    name: str = Field("", max_length=80)
    size: Annotated[Size, BeforeValidator(lambda v: v.lower() if isinstance(v, str) else v)] = (
        "medium"
    )
    kind: str = Field("humanoid", max_length=80)
    abilities: dict[Ability, Score] = {}
    ability_damage: dict[Ability, Score] = {}
    base_attack: int = Field(0, ge=-5, le=60)
    hit_points: int = Field(1, ge=-9, le=2000)
    temporary_hit_points: int = Field(0, ge=0, le=1000)
    natural_armor: int = Field(0, ge=0, le=60)
    armor: Worn | None = None
    shield: Worn | None = None
    armor_enhancement: int = Field(0, ge=0, le=20)
    shield_enhancement: int = Field(0, ge=0, le=20)
    natural_armor_enhancement: int = Field(0, ge=0, le=20)
    deflection: int = Field(0, ge=0, le=30)
    dodge: int = Field(0, ge=0, le=30)
    weapons: tuple[Held, ...] = ()
    feats: tuple[str, ...] = ()
    bonuses: tuple[Bonus, ...] = ()
    attack_bonus: int | None = Field(None, ge=-60, le=100)
    armor_class: int | None = Field(None, ge=-60, le=150)
    sneak_attack: Dice = ""
    critical_immune: bool = False
    damage_reduction: int = Field(0, ge=0, le=1000)
    reduction_bypassed_by: tuple[Quality, ...] = ()
    energy_resistance: dict[Energy, Annotated[int, Field(ge=0, le=100_000)]] = {}
    saves: Saves = Saves()
    heal: int = Field(0, ge=-20, le=60)
    nonlethal_immune: bool = False
    fast_healing: int = Field(0, ge=0, le=1000)
    regeneration: int = Field(0, ge=0, le=1000)
    regeneration_bypassed_by: tuple[Quality | Energy, ...] = ()
    speed: int = Field(30, ge=0, le=500)
    reach: int = Field(5, ge=0, le=100)
    level: int | None = Field(None, ge=0, le=100)
    challenge_rating: str = ""
    attack_line: AttackLine = ""
    full_attack_line: AttackLine = ""
    printed_armor_class: int | None = None
    printed_touch: int | None = None
    printed_flat_footed: int | None = None
    printed_attack: int | None = None
    printed_damage: str = ""
    stable: bool = False
    skills: dict[Skill, Annotated[int, Field(ge=-20, le=100)]] = {}
    cite: Cite = USER
    note: str = Field("", max_length=2000)
    origin: str = ""
    replaces: str = ""

    @model_validator(mode="after")
    def _bypassed_needs_regeneration(self) -> Combatant:
        if self.regeneration_bypassed_by and not self.regeneration:
            raise ValueError("regeneration_bypassed_by says nothing without regeneration")
        return self

    @classmethod
    def from_stat_block(cls, text: str, rules: Ruleset | None = None) -> StatBlock:
        """Read a printed stat block; see :func:`combatkit.rules.read_stat_block`.

        Examples
        --------
        >>> block = Combatant.from_stat_block("AC 17, touch 12, flat-footed 15; hp 19")
        >>> block.combatant.printed_armor_class, block.combatant.hit_points, block.unread
        (17, 19, ())
        """
        from combatkit.rules.stat_block import read_stat_block

        return read_stat_block(text, rules)

    def score(self, ability: Ability) -> int:
        """Ability score, 10 where none is given, less what ability damage has taken for a time."""
        return max(0, self.abilities.get(ability, 10) - self.ability_damage.get(ability, 0))

    @property
    def strength(self) -> int:
        """Strength modifier."""
        return modifier_of(self.score("str"))

    def has_feat(self, feat: str, weapon: Any = None) -> bool:
        """Whether it has a feat, for a weapon where the feat is bound to one."""
        return feat in self.feats or (weapon is not None and f"{feat}:{weapon}" in self.feats)


Fighter = Annotated[
    Annotated[str, Tag("by id")] | Annotated[Combatant, Tag("one's own")],
    Discriminator(_named_or_own),
]
