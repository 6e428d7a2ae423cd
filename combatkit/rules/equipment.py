"""Weapons, armor and shields, as data and as what a player builds."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, Literal, get_args

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PlainSerializer,
    PlainValidator,
    SerializerFunctionWrapHandler,
    model_serializer,
)

from combatkit.errors import CombatkitError
from combatkit.prob import dice, terms
from combatkit.rules.cite import USER, Cite
from combatkit.rules.modifier import parse_number
from combatkit.rules.validation import Model

Size = Literal[
    "fine", "diminutive", "tiny", "small", "medium", "large", "huge", "gargantuan", "colossal"
]
Hand = Literal[
    "unarmed", "light", "one_handed", "two_handed", "natural", "natural_sole", "natural_secondary"
]
Material = Literal["silver", "cold_iron", "adamantine", "good", "evil", "lawful", "chaotic"]
Quality = Literal[Material, "magic", "epic", "bludgeoning", "piercing", "slashing"]
Energy = Literal["fire", "cold", "acid", "electricity", "sonic", "force", "positive", "negative"]
ArmorKind = Literal["light", "medium", "heavy", "shield"]
PHYSICAL = ("bludgeoning", "piercing", "slashing")
ENERGIES: tuple[str, ...] = get_args(Energy)
Grip = Literal["primary", "two_handed", "off_hand", "thrown"]


def _dice_text(text: str) -> str:
    try:
        if text:
            dice(text)
    except CombatkitError as error:  # pydantic then adds the field's path
        raise ValueError(str(error)) from None
    return text


def _some_dice(text: str) -> str:
    if not text:
        raise ValueError('dice are needed, such as "1d6"; 0 for none')
    return text


Dice = Annotated[str, AfterValidator(_dice_text)]  # dice notation, or nothing
DamageDice = Annotated[Dice, AfterValidator(_some_dice)]


Pounds = Annotated[
    int | Fraction, PlainValidator(parse_number), PlainSerializer(str, return_type=str)
]


def _by_size(value: Any) -> Any:
    """Take plain dice text as the damage printed, whatever the wielder's size."""
    return {"any": value} if isinstance(value, str) else value


class Weapon(Model):
    """A weapon or natural attack.

    Attributes
    ----------
    base : str
        Id of a weapon of the ruleset that this one changes: fields given here win.
    damage : dict
        Dice by size of wielder; plain dice text is taken as printed.
    threat_from : int
        Lowest natural roll that threatens a critical hit (20, 19, 18, ...).
    multiplier : int
        What a critical hit multiplies damage by, 1 to 10.
    range_increment : int
        Feet; 0 for a weapon that cannot be thrown or shot.
    reach_feet : int
        Feet it reaches, where that is not the wielder's reach, doubled for a reach weapon.
    longest_range : int
        Feet; where it differs from the usual number of increments (a net), else 0.
    materials : tuple of str
        Materials and alignments that may overcome damage reduction.
    enhancement : int
        Magic bonus on attack and damage, 0 to 10.
    strength_rating : int
        Composite bows: the highest Strength bonus that counts.
    extra : str
        Extra damage dice, such as ``"1d6 fire"``: never multiplied.
    nonlethal : bool
        Whether its own damage is nonlethal: a count of its own, which takes no hit points.
    attacks : int
        Natural weapons: how many of them strike in a full attack.
    burst : str
        Dice added on a critical hit only, such as ``"1d10 fire"``; twice for a weapon of x3, three
        times for x4.
    rend : str
        Damage added once a round, when a second hit with it lands (both claws of a troll).
    keen : bool
        Whether its threat range is doubled; for what pierces or slashes.
    touch : bool
        Whether every attack with it is a touch attack.
    threatens : bool
        Whether attacks of opportunity can be made with it in melee.
    two_hands_help : bool
        Whether a one-handed weapon gains from a second hand.
    one_hand : int or None
        Penalty where a weapon for two hands is used in one; None where that cannot be.
    reload : {"free", "move", "full_round"}
        What loading it takes; unless that is free it shoots once a round at most.
    doubles_when : tuple of str
        When its damage is doubled: ``"mounted_charge"``, ``"braced"``.
    stopped_by : dict
        Bonus type to the bonus of the target from which on it does no harm.
    double_multiplier : int
        Critical multiplier of the other end of a double weapon, where it differs, else 0.
    double_types : tuple of str
        Kinds of damage of the other end, where they differ.
    trips : bool
        Whether trip attempts can be made with it.
    disarm_bonus : int
        Bonus on attack rolls to disarm, 0 to 20.
    build : {"blade", "hafted", "metal_hafted", "projectile", ""}
        What it is made like, for hardness and hit points when it is sundered.
    attack_bonuses : tuple of int
        As printed, one for each strike of a full attack; each stands for base attack, ability,
        size, feats and enhancement together.
    damage_bonus : int or None
        What is printed after the damage dice; it stands for Strength, enhancement and feats, and
        the threat range given with it for Improved Critical.

    Examples
    --------
    >>> Weapon(label="Longsword", damage="1d8", threat_from=19).damage
    {'any': '1d8'}
    >>> Weapon(damage="1x8")
    Traceback (most recent call last):
    combatkit.errors.CombatkitError: ...
    """

    id: str = ""
    base: str = ""
    label: str = Field("", max_length=80)
    category: Literal["simple", "martial", "exotic", "natural"] = "simple"
    use: Literal["melee", "thrown", "bow", "crossbow", "sling"] = "melee"
    hand: Hand = "one_handed"
    damage: Annotated[dict[Literal[Size, "any"], DamageDice], BeforeValidator(_by_size)] = {}
    threat_from: int = Field(20, ge=2, le=20)
    multiplier: int = Field(2, ge=1, le=10)
    range_increment: int = Field(0, ge=0, le=1000)
    types: tuple[Literal["bludgeoning", "piercing", "slashing"], ...] = ()
    reach: bool = False
    reach_adjacent: bool = False
    reach_feet: int = Field(0, ge=0, le=200)
    longest_range: int = Field(0, ge=0, le=10_000)
    double: Dice = ""
    double_small: Dice = ""
    composite: bool = False
    strength_rating: int = Field(0, ge=0, le=30)
    nonlethal: bool = False
    finesse: bool = False
    weight: Pounds = 0
    enhancement: int = Field(0, ge=0, le=10)
    masterwork: bool = False
    materials: tuple[Material, ...] = ()
    extra: Dice = ""
    attacks: int = Field(1, ge=1, le=12)
    burst: Dice = ""
    rend: Dice = ""
    keen: bool = False
    touch: bool = False
    threatens: bool = True
    two_hands_help: bool = True
    one_hand: int | None = Field(None, ge=-20, le=0)
    reload: Literal["free", "move", "full_round"] = "free"
    doubles_when: tuple[Literal["mounted_charge", "braced"], ...] = ()
    stopped_by: dict[str, Annotated[int, Field(ge=1, le=60)]] = {}
    double_multiplier: int = Field(0, ge=0, le=10)
    double_types: tuple[Literal["bludgeoning", "piercing", "slashing"], ...] = ()
    trips: bool = False
    disarm_bonus: int = Field(0, ge=0, le=20)
    build: Literal["", "blade", "hafted", "metal_hafted", "projectile"] = ""
    attack_bonuses: tuple[Annotated[int, Field(ge=-200, le=200)], ...] = Field((), max_length=60)
    damage_bonus: int | None = Field(None, ge=-10_000, le=10_000)
    cite: Cite = USER
    note: str = ""
    origin: str = ""
    replaces: str = ""

    @model_serializer(mode="wrap")
    def _keep_overrides(self, written: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Write what overrides the base even where it is a default (a threat range of 20)."""
        data: dict[str, Any] = written(self)
        for name in self.model_fields_set if self.base else ():
            data.setdefault(name, getattr(self, name))
        return data

    def over(self, base: Weapon) -> Weapon:
        """Return the base with what this weapon says of itself."""
        given = {name: getattr(self, name) for name in self.model_fields_set - {"base"}}
        return base.model_copy(update={"base": base.id, **given})

    @property
    def qualities(self) -> frozenset[str]:
        """What may overcome damage reduction: types, materials, and magic if it is enhanced.

        A type written with its dice (``"1d8 slashing"``) counts as well.
        """
        magic = ("magic",) if self.enhancement else ()
        typed = {term.damage_type for text in (*self.damage.values(), self.extra) if text
                 for term in terms(text)}  # fmt: skip
        return frozenset((*self.types, *self.materials, *magic, *(typed & set(PHYSICAL))))

    @property
    def ranged(self) -> bool:
        """Whether its ordinary use is a ranged attack."""
        return self.use != "melee"

    @property
    def light(self) -> bool:
        """Whether it counts as light: an unarmed strike always does."""
        return self.hand in ("light", "unarmed")

    @property
    def natural(self) -> bool:
        """Whether it is part of a creature's body (not an unarmed strike)."""
        return self.hand.startswith("natural")


class Armor(Model):
    """Armor or a shield.

    Attributes
    ----------
    kind : {"light", "medium", "heavy", "shield"}
    bonus : int
        To armor class, 0 to 30.
    max_dexterity : int or None
        The highest Dexterity bonus that still counts; None is no limit.
    check_penalty, attack_penalty, arm_penalty : int
        0 or less; the last two on attack rolls: always, and where its arm helps to wield a weapon.
    speed_30, speed_20 : int or None
        Feet a round for those whose speed is 30 or 20 feet.
    """

    id: str = ""
    label: str = Field("", max_length=80)
    kind: ArmorKind = "light"
    bonus: int = Field(0, ge=0, le=30)
    max_dexterity: int | None = Field(None, ge=0, le=30)
    check_penalty: int = Field(0, le=0)
    attack_penalty: int = Field(0, le=0)
    arcane_failure: int = Field(0, ge=0, le=100)
    speed_30: int | None = None
    speed_20: int | None = None
    weight: Pounds = 0
    arm_penalty: int = Field(0, ge=-20, le=0)
    cite: Cite = USER
    note: str = ""
    origin: str = ""
    replaces: str = ""
