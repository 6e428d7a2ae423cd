"""Movement: speeds, ways of moving, terrain, running on, and the checks movement asks for."""

from __future__ import annotations

from fractions import Fraction

from combatkit.combat.attacks.attack import Strike
from combatkit.combat.attacks.full_attack import FullAttack
from combatkit.combat.d20 import Roll, p_check
from combatkit.errors import CombatkitError, nearest
from combatkit.prob import Dist
from combatkit.rules import Armor, Ruleset, modifier_of

MAX_SPEED = 10_000


def speed_of(rules: Ruleset, race: str, armor: str | Armor | None = None) -> int:
    """Speed by race and armor.

    Parameters
    ----------
    rules : Ruleset
    race : str
        Such as ``"half_elf"``.
    armor : str or Armor, optional
        A kind (``"none"``, ``"light"``, ``"medium"``, ``"heavy"``), an id of the ruleset, or armor
        of one's own; none when left out. Armor that gives its own ``speed_30`` or ``speed_20``
        slows whom armor of its kind slows, to that speed.

    Returns
    -------
    int
        Feet. Source: SRD combat statistics, Speed.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("srd35")
    >>> speed_of(rules, "human", "full_plate"), speed_of(rules, "dwarf", "heavy")
    (20, 20)
    """
    row = rules.lookup("speed", race)
    if armor is None or armor in row.cells:
        return int(row.number(str(armor or "none")))
    if isinstance(armor, str) and armor not in rules.armors:
        raise CombatkitError(
            f"armor {armor!r:.60} is neither a kind nor in ruleset '{rules.id}'"
            f"{nearest(armor, [*row.cells, *rules.armors])}"
        )
    worn, bare = rules.armor(armor), int(row.number("none"))
    slowed = int(row.number("none" if worn.kind == "shield" else worn.kind))
    own = {30: worn.speed_30, 20: worn.speed_20}.get(bare)
    return own if own is not None and slowed < bare else slowed


def move_distance(
    rules: Ruleset,
    speed: int,
    mode: str = "move",
    heavy: bool = False,
    run_feat: bool = False,
    cost: int | Fraction = 1,
) -> Fraction:
    """Distance covered by one way of moving.

    Parameters
    ----------
    rules : Ruleset
    speed : int
        Feet, 0 to 10 000.
    mode : str
        Row of the ruleset's table ``movement``: ``"move"``, ``"double_move"``, ``"run"``,
        ``"climb"``, ``"climb_fast"``, ``"swim"``, ``"crawl"``, ``"dash"``, ...
    heavy : bool, optional
        Whether the armor is heavy.
    run_feat : bool, optional
        Whether the feat Run helps.
    cost : int or Fraction, optional
        Feet of movement that each foot costs: 2 in difficult terrain.

    Returns
    -------
    Fraction
        Feet, not rounded. Sources: SRD combat statistics, Speed; Simplified 3.5, Move, Run; Phased
        combat, Dash, Difficult terrain.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("classic")
    >>> move_distance(rules, 30, "run"), move_distance(rules, 20, "run", heavy=True)
    (Fraction(120, 1), Fraction(60, 1))
    >>> move_distance(rules, 30, "climb")
    Fraction(15, 2)
    """
    _check_speed(speed)
    row = rules.lookup("movement", mode)
    if "feet" in row.cells:  # a fixed distance, whatever the ground
        return row.number("feet")
    if not isinstance(cost, (int, Fraction)) or cost < 1:
        raise CombatkitError(f"a foot costs at least 1 foot of movement, not {cost!r:.60}")
    names = ["feat"] * run_feat + ["heavy"] * heavy
    column = "_".join(names) or "factor"
    factor = row.number(column if column in row.cells else "factor")
    return factor * speed / cost


def _check_speed(speed: int) -> None:
    if not isinstance(speed, int) or not 0 <= speed <= MAX_SPEED:
        raise CombatkitError(f"speed must be 0 to {MAX_SPEED} feet, not {speed!r:.60}")


def terrain_distance(
    rules: Ruleset,
    speed: int,
    cost: int | Fraction | None = None,
    dash: bool = False,
    blocked: bool = False,
) -> Fraction:
    """Feet of difficult terrain crossed in a turn's movement.

    Parameters
    ----------
    rules : Ruleset
    speed : int
        Feet.
    cost : int or Fraction, optional
        Feet of movement for each foot; the ruleset's when left out.
    dash : bool, optional
        Whether the movement is a dash (``phased``).
    blocked : bool, optional
        Whether the terrain physically blocks movement, as waist-deep water does: no dash there.

    Raises
    ------
    CombatkitError
        For a dash through terrain that blocks it.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> terrain_distance(load_ruleset("phased"), 30)
    Fraction(15, 1)
    """
    if dash and blocked:
        raise CombatkitError("no dash through terrain that blocks movement (Phased combat, Dash)")
    price = rules.number("movement.difficult_cost") if cost is None else cost
    return move_distance(rules, speed, "dash" if dash else "move", cost=price)


def action_for_a_square(rules: Ruleset, speed: int, cost: int | Fraction = 1) -> str:
    """Name the action that moves one square: ``move``, or a full-round one when too hampered.

    Source: Simplified 3.5, Move 5 Feet through Difficult Terrain. It is no 5-foot step.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> action_for_a_square(load_ruleset("classic"), 5, cost=2)
    'move_through_difficult'
    """
    square = rules.lookup("movement", "five_feet")
    enough = move_distance(rules, speed, "move", cost=cost) >= square.number("feet")
    return "move" if enough else str(square.cells["action"])


def p_climb(
    rules: Ruleset, bonus: int, dc: int, accelerated: bool = False, roll: Roll = "normal"
) -> Fraction:
    """Chance of a Climb check; half speed instead of a quarter costs 5 (Simplified 3.5, Move).

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("classic")
    >>> p_climb(rules, 5, 15), p_climb(rules, 5, 15, accelerated=True)
    (Fraction(11, 20), Fraction(3, 10))
    """
    penalty = rules.number("climb.accelerated") if accelerated else 0
    return p_check(bonus + penalty, dc, roll)


def p_fast_mount(rules: Ruleset, ride: int, check_penalty: int = 0) -> Fraction:
    """Chance to mount or dismount as a free action (Simplified 3.5, Fast Mount or Dismount).

    Parameters
    ----------
    rules : Ruleset
    ride : int
        Ride bonus before the armor check penalty.
    check_penalty : int, optional
        0 or less.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> p_fast_mount(load_ruleset("classic"), 10, check_penalty=-5)
    Fraction(3, 10)
    """
    if check_penalty > 0:
        raise CombatkitError(f"an armor check penalty is 0 or less, not {check_penalty}")
    return p_check(ride + check_penalty, rules.number("ride.fast_mount"))


def run_rounds(rules: Ruleset, constitution: int) -> Dist:
    """Distribution of how many rounds somebody runs before they have to stop.

    Parameters
    ----------
    rules : Ruleset
    constitution : int
        Score, 0 to 100: so many rounds are free, then each further one asks for a Constitution
        check, 1 harder every time.

    Returns
    -------
    Dist
        Source: srd, Run.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rounds = run_rounds(load_ruleset("srd35"), 12)
    >>> rounds.minimum, rounds.maximum, rounds.p(12)
    (12, 24, Fraction(2, 5))
    """
    if not 0 <= constitution <= 100:
        raise CombatkitError(f"a Constitution score is 0 to 100, not {constitution}")
    dc, step = rules.number("run.check_dc"), rules.number("run.check_step")
    bonus, running, odds = modifier_of(constitution), Fraction(1), {}
    rounds = constitution
    while running:
        passes = p_check(bonus, dc + step * (rounds - constitution))
        odds[rounds] = running * (1 - passes)
        running *= passes
        rounds += 1
    return Dist({n: weight for n, weight in odds.items() if weight})


def dashing_attacks(attacks: FullAttack) -> FullAttack:
    """Attacks left on a turn with a dash: one with each weapon (Phased combat, Dash).

    Ranged ones have disadvantage: tick ``dashing`` for the attacker.

    Examples
    --------
    >>> from combatkit.combat.attacks.full_attack import full_attack
    >>> from combatkit.rules import Combatant, load_ruleset
    >>> claws = {"label": "Claw", "id": "claw", "hand": "natural", "damage": "1d6", "attacks": 2}
    >>> bear = Combatant(attack_bonus=5, weapons=[claws])
    >>> both = full_attack(load_ruleset("phased"), bear, Combatant(armor_class=12))
    >>> len(both.strikes), len(dashing_attacks(both).strikes)
    (2, 1)
    """
    first: dict[tuple[str, str], Strike] = {}
    for strike in attacks.strikes:
        first.setdefault((strike.weapon.id, strike.weapon.label), strike)
    return FullAttack(tuple(first.values()))
