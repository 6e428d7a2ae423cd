"""Settings of the procedures that live in code: stacking, armor class, dying, feats."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator

from combatkit.rules.cite import Cite
from combatkit.rules.equipment import ArmorKind
from combatkit.rules.modifier import Entry, Further, Mode, Target
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
    improves : dict
        Bonus type to the line it improves: it adds to that line's bonus and falls with it.
    """

    stacks: tuple[str, ...]
    penalties_highest_only: tuple[str, ...] = ()
    highest_only: tuple[str, ...] = ()
    improves: dict[str, str] = {}
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
    kind : {"points", "count"}
        Whether a bad roll costs a hit point, or rolls are counted as successes and failures.
    die : int
        Sides of the die rolled each turn.
    ability : str
        Ability whose modifier is added to the roll (``"con"``), or "" for none. A total below 1
        counts as 1, one above the die as its highest face.
    penalty_per_negative : int
        Taken off the roll for every hit point below 0.
    lose_hit_point, unchanged, stabilize : (int, int) or None
        First and last total of each outcome of ``"points"``; together they cover the die once.
    success : (int, int) or None
        First and last total that is a success of ``"count"``; any other is a failure.
    successes, failures : int
        How many make somebody stable, and dead.
    counts_two : (int, int) or None
        Faces, as rolled, that count as two.
    failures_when_hurt : int
        Failures that damage to somebody dying counts as.
    always_stabilize, rise : (int, int) or None
        Faces, as rolled, that stabilize whatever is added, or put somebody back at 1 hit point.
    acts : bool
        Whether the dying can act. A strenuous turn then counts as a lost roll.
    help_condition : str
        Id of the defender's row that holds while somebody is dying ("helpless"), or "".
    first_aid_dc, first_aid_dc_per_negative : int
        Heal DC is the first plus the second for every hit point below 0.
    self_aid : {"none", "disadvantage"}
        Whether the dying may bind their own wounds, and how that check is rolled.
    """

    kind: Literal["points", "count"] = "points"
    die: int = Field(ge=2, le=1000)
    ability: Literal["", "str", "dex", "con", "int", "wis", "cha"] = ""
    penalty_per_negative: int = Field(0, ge=0, le=100)
    lose_hit_point: Faces = None
    unchanged: Faces = None
    stabilize: Faces = None
    success: Faces = None
    successes: int = Field(0, ge=0, le=20)
    failures: int = Field(0, ge=0, le=20)
    counts_two: Faces = None
    failures_when_hurt: int = Field(0, ge=0, le=20)
    always_stabilize: Faces = None
    rise: Faces = None
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
    def _says_what_its_kind_needs(self) -> Dying:
        if self.kind == "points":
            others: tuple[str, ...] = (
                "success",
                "successes",
                "failures",
                "counts_two",
                "failures_when_hurt",
            )
            self._refuse(others, 'kind = "count"')
            self._faces_cover_the_die()
        else:
            others = ("lose_hit_point", "unchanged", "stabilize")
            self._refuse(others, 'kind = "points"')
            if self.success is None or not self.successes or not self.failures:
                raise ValueError('kind = "count" needs success, successes and failures')
        for name in ("success", "counts_two", "always_stabilize", "rise"):
            span: Faces = getattr(self, name)
            if span and not 1 <= span[0] <= span[1] <= self.die:
                raise ValueError(f"{name}: the faces are 1 to {self.die}")
        return self

    def _refuse(self, names: tuple[str, ...], kind: str) -> None:
        if given := [name for name in names if getattr(self, name)]:
            raise ValueError(f"{given[0]} is for {kind}")

    def _faces_cover_the_die(self) -> None:
        spans = sorted(
            span for span in (self.lose_hit_point, self.unchanged, self.stabilize) if span
        )
        starts = [1, *(last + 1 for _, last in spans)]
        if [first for first, _ in spans] != starts[:-1] or starts[-1] != self.die + 1:
            raise ValueError(
                f"lose_hit_point, unchanged and stabilize must cover the faces 1 to {self.die} "
                "exactly once"
            )

    def outcome(self, face: int, modifier: int) -> str:
        """Tell what a face of the die does.

        Returns
        -------
        str
            ``rise``, ``stabilize``, ``lose_hit_point``, ``unchanged``, ``success`` or ``failure``.
        """
        total = min(max(face + modifier, 1), self.die)
        if _holds(self.rise, face):
            return "rise"
        if _holds(self.always_stabilize, face):
            return "stabilize"
        if self.kind == "count":
            return "success" if _holds(self.success, total) else "failure"
        names = ("lose_hit_point", "unchanged", "stabilize")
        return next(name for name in names if _holds(getattr(self, name), total))

    @property
    def is_plain(self) -> bool:
        """Whether every roll is the same: nothing added, nothing counted, nobody rises."""
        added = self.ability or self.penalty_per_negative or self.rise
        return self.kind == "points" and not added

    def count(self, outcome: str) -> int:
        """How many faces of the die give an outcome, nothing being added."""
        return sum(self.outcome(face, 0) == outcome for face in range(1, self.die + 1))

    def twice(self, face: int) -> bool:
        """Whether a face counts as two successes or failures."""
        return _holds(self.counts_two, face)


def _holds(span: Faces, face: int) -> bool:
    return span is not None and span[0] <= face <= span[1]


class State(Entry):
    """A state of health by hit points.

    Attributes
    ----------
    lowest : int or None
        Lowest hit points still in this state; None for the last one.
    """

    lowest: int | None = Field(None, ge=-1000, le=1000)


class FeatBonus(Model):
    """What a feat adds, and to what.

    Attributes
    ----------
    rows : tuple of str
        Ids of its bearer's rows, one of which has to be ticked; none for always.
    """

    to: Target
    value: int
    type: str = Field("untyped", min_length=1)
    rows: tuple[str, ...] = ()


class Feat(Entry):
    """A feat or special ability.

    Attributes
    ----------
    bonuses : tuple of FeatBonus
    weapon_bound : bool
        Whether it holds for one chosen weapon only.
    mode : {"melee", "ranged"} or None
        Kind of attack it is limited to.
    within : int or None
        Feet; it holds up to this distance.
    cancels, cancels_target : tuple of str
        Ids of attacker's and of target's rows that an attacker with it does away with.
    grants : tuple of str
        Abilities from a closed list that the procedures know.
    further : tuple of Further
        Further attacks in a full attack.
    weapons : tuple of str
        Ids of the weapons it is limited to.
    unarmored : bool
        Whether armor and shield rule it out.
    two_weapons : bool
        Whether its bearer has to wield a double weapon or two weapons.
    shrugs_off : tuple of str
        Ids of rows of either side that have no say against a defender with it.
    keeps_dexterity : tuple of str
        Ids of rows of either side under which a defender with it keeps Dexterity.
    repeats : bool
        Whether it counts each time it is listed.
    counts : bool
        False for one that changes no number anywhere.
    apart : str
        Why the odds of an attack do not change, or where it counts instead.
    """

    bonuses: tuple[FeatBonus, ...] = ()
    weapon_bound: bool = False
    mode: Mode | None = None
    within: int | None = None
    cancels: tuple[str, ...] = ()
    cancels_target: tuple[str, ...] = ()
    grants: tuple[
        Literal[
            "finesse",
            "two_weapon",
            "second_off_hand",
            "third_off_hand",
            "double_threat_range",
            "multiattack",
            "second_miss_roll",
            "cleave",
            "great_cleave",
            "far_shot",
            "rapid_reload",
            "spirited_charge",
        ],
        ...,
    ] = ()
    further: tuple[Further, ...] = ()
    weapons: tuple[str, ...] = ()
    unarmored: bool = False
    two_weapons: bool = False
    shrugs_off: tuple[str, ...] = ()
    keeps_dexterity: tuple[str, ...] = ()
    repeats: bool = False
    counts: bool = True
    apart: str = ""

    @model_validator(mode="after")
    def _says_why_it_does_not_count(self) -> Feat:
        if not self.counts and not self.apart:
            raise ValueError("a feat that does not count says why in 'apart'")
        return self
