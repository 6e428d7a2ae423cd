"""Settings of the procedures that live in code: stacking, armor class, dying, feats."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator

from combatkit.rules.cite import Cite
from combatkit.rules.equipment import ArmorKind
from combatkit.rules.modifier import Entry, Mode, Target
from combatkit.rules.validation import Model


class Stacking(Model):
    """Which bonuses of one type add up.

    Attributes
    ----------
    stacks : tuple of str
        Bonus types that stack with themselves; of any other type only the highest bonus counts.
    penalties_highest_only : tuple of str
        Types of which only the worst penalty counts; all other penalties stack.
    highest_only : tuple of str
        Types that stack in the rules below and no longer do here; without it a type left out of
        ``stacks`` is taken for forgotten.
    """

    stacks: tuple[str, ...]
    penalties_highest_only: tuple[str, ...] = ()
    highest_only: tuple[str, ...] = ()
    cite: Cite
    origin: str = ""
    replaces: str = ""


class ArmorClass(Model):
    """How armor class is put together.

    Attributes
    ----------
    base : int
    touch_ignores : tuple of str
        Bonus types a touch attack disregards.
    lost_with_dexterity : tuple of str
        Bonus types lost together with the Dexterity bonus.
    capped_by : tuple of str
        Kinds of armor whose maximum Dexterity bonus counts.
    """

    base: int
    touch_ignores: tuple[str, ...]
    lost_with_dexterity: tuple[str, ...]
    capped_by: tuple[ArmorKind, ...]
    cite: Cite
    origin: str = ""
    replaces: str = ""


def _span(faces: object) -> object:
    if isinstance(faces, (list, tuple)) and len(faces) == 2 and faces[0] > faces[1]:
        raise ValueError("the first face comes before the last")
    return faces


Faces = Annotated[tuple[int, int] | None, BeforeValidator(_span)]


class Dying(Model):
    """What a dying creature rolls, and what help does.

    Attributes
    ----------
    die : int
        Sides of the die rolled each turn.
    lose_hit_point, unchanged, stabilize : (int, int) or None
        First and last face of each outcome; together they cover the die exactly once.
    acts : bool
        Whether the dying can act. A strenuous turn then counts as a lost roll.
    help_condition : str
        Id of the defender's row that holds while somebody is dying ("helpless"), or "".
    first_aid_dc, first_aid_dc_per_negative : int
        Heal DC is the first plus the second for every hit point below 0.
    self_aid : {"none", "disadvantage"}
        Whether the dying may bind their own wounds, and how that check is rolled.
    """

    die: int = Field(ge=2, le=1000)
    lose_hit_point: Faces = None
    unchanged: Faces = None
    stabilize: Faces = None
    acts: bool
    help_condition: str = ""
    first_aid_dc: int
    first_aid_dc_per_negative: int = 0
    self_aid: Literal["none", "disadvantage"] = "none"
    cite: Cite
    first_aid_cite: Cite
    origin: str = ""
    replaces: str = ""

    @model_validator(mode="after")
    def _faces_cover_the_die(self) -> Dying:
        spans = sorted(
            span for span in (self.lose_hit_point, self.unchanged, self.stabilize) if span
        )
        starts = [1, *(last + 1 for _, last in spans)]
        if [first for first, _ in spans] != starts[:-1] or starts[-1] != self.die + 1:
            raise ValueError(
                f"lose_hit_point, unchanged and stabilize must cover the faces 1 to {self.die} "
                "exactly once"
            )
        return self

    def count(self, outcome: Literal["lose_hit_point", "unchanged", "stabilize"]) -> int:
        """How many faces of the die give an outcome."""
        span: Faces = getattr(self, outcome)
        return span[1] - span[0] + 1 if span else 0


class State(Entry):
    """A state of health by hit points.

    Attributes
    ----------
    lowest : int or None
        Lowest hit points still in this state; None for the last one.
    """

    lowest: int | None = Field(None, ge=-1000, le=1000)


class FeatBonus(Model):
    """What a feat adds, and to what."""

    to: Target
    value: int
    type: str = Field("untyped", min_length=1)


class Feat(Entry):
    """A feat or special ability whose numbers matter in combat.

    Attributes
    ----------
    bonuses : tuple of FeatBonus
    weapon_bound : bool
        Whether it holds for one chosen weapon only.
    mode : {"melee", "ranged"} or None
        Kind of attack it is limited to.
    within : int or None
        Feet; it holds up to this distance.
    cancels : tuple of str
        Ids of attacker's rows it does away with.
    grants : tuple of str
        Abilities from a closed list that the procedures know.
    """

    bonuses: tuple[FeatBonus, ...] = ()
    weapon_bound: bool = False
    mode: Mode | None = None
    within: int | None = None
    cancels: tuple[str, ...] = ()
    grants: tuple[
        Literal[
            "finesse",
            "two_weapon",
            "second_off_hand",
            "third_off_hand",
            "double_threat_range",
            "multiattack",
        ],
        ...,
    ] = ()
