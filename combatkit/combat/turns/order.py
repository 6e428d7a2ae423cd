"""The round: its length, who acts after whom, and how long a stance lasts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, get_args

from combatkit.errors import CombatkitError, check_word, nearest
from combatkit.rules import Ruleset

Stance = Literal["total_defense", "fighting_defensively"]
Side = Literal["players", "enemies"]


def seconds(rules: Ruleset, rounds: int) -> int:
    """Length of some rounds in seconds (Simplified 3.5, The Combat Round).

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> seconds(load_ruleset("classic"), 10)
    60
    """
    if rounds < 0:
        raise CombatkitError(f"rounds cannot be negative, not {rounds}")
    return rounds * rules.number("round.seconds")


def turns_in_order(
    order: Sequence[str], rounds: int, aware: Sequence[str] | None = None
) -> Iterator[tuple[int, str]]:
    """Go through the turns of a fight in rounds.

    Parameters
    ----------
    order : sequence of str
        From the highest initiative to the lowest; it stays the same all fight long.
    rounds : int
    aware : sequence of str, optional
        Who knows of the enemy when it starts; everybody when left out. With some but not all
        aware, a surprise round, number 0, in which they alone act, comes first.

    Yields
    ------
    (int, str)
        Number of the round, and whose turn it is. Source: Simplified 3.5, Combat Procedures.

    Examples
    --------
    >>> list(turns_in_order(["Mia", "Orc"], 1, aware=["Orc"]))
    [(0, 'Orc'), (1, 'Mia'), (1, 'Orc')]
    """
    _names(order)
    knows = set(order if aware is None else aware)
    for name in sorted(knows - set(order)):
        raise CombatkitError(f"{name!r:.60} is not in the order{nearest(name, order)}")
    if 0 < len(knows) < len(order):
        yield from ((0, name) for name in order if name in knows)
    for number in range(1, rounds + 1):
        yield from ((number, name) for name in order)


def turns_in_phases(
    rules: Ruleset,
    players: Sequence[str],
    enemies: Sequence[str],
    rounds: int,
    too_slow: Sequence[str] = (),
) -> Iterator[tuple[int, str]]:
    """Go through the turns of a fight in player and enemy phases.

    Parameters
    ----------
    rules : Ruleset
        One that has phases.
    players, enemies : sequence of str
        In the order each side chooses within its phase.
    too_slow : sequence of str, optional
        Players who failed their initiative check: they first act in the second player phase.

    Yields
    ------
    (int, str)
        Source: Phased combat, Combat.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> turns = turns_in_phases(load_ruleset("phased"), ["Mia", "Pim"], ["Orc"], 2, ["Pim"])
    >>> [name for _, name in turns]
    ['Mia', 'Orc', 'Mia', 'Pim', 'Orc']
    """
    _names([*players, *enemies])
    for name in too_slow:
        if name not in players:
            raise CombatkitError(f"{name!r:.60} is no player{nearest(name, players)}")
    sides = {"players": players, "enemies": enemies}
    for number in range(1, rounds + 1):
        for phase in _phases(rules):
            late = set(too_slow) if number == 1 else set()
            yield from ((number, name) for name in sides[phase] if name not in late)


def _names(names: Sequence[str]) -> None:
    if len(set(names)) != len(names):
        raise CombatkitError("two combatants have the same name; the order needs different ones")


def _phases(rules: Ruleset) -> list[str]:
    places = {e.id: e.number("place") for e in rules.lookups.values() if e.table == "phase"}
    if not places:
        raise CombatkitError(f"ruleset '{rules.id}' has no phases")
    return sorted(places, key=places.__getitem__)


def who_faces(rules: Ruleset, stance: Stance, order: Sequence[str], who: str) -> tuple[str, ...]:
    """Tell who meets a stance before it ends, in the order of their turns.

    Parameters
    ----------
    rules : Ruleset
    stance : {"total_defense", "fighting_defensively"}
        Total defense lasts one round, which ends just before the initiative count it began on.
        Fighting defensively lasts "the same round": by the switch ``fighting_defensively_lasts``
        that is the same, or ends with the round.
    order : sequence of str
        From the highest initiative to the lowest.
    who : str
        Who takes the stance, on their turn.

    Returns
    -------
    tuple of str
        Sources: Simplified 3.5, Total Defense; Fighting Defensively; The Combat Round.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("classic")
    >>> who_faces(rules, "fighting_defensively", ["Elf", "Mia", "Orc"], "Mia")
    ('Orc', 'Elf')
    >>> literal = rules.with_switches(fighting_defensively_lasts="end_of_round")
    >>> who_faces(literal, "fighting_defensively", ["Elf", "Mia", "Orc"], "Mia")
    ('Orc',)
    """
    check_word(stance, get_args(Stance), "stance")
    _names(order)
    if who not in order:
        raise CombatkitError(f"{who!r:.60} is not in the order{nearest(who, order)}")
    place = list(order).index(who)
    later, earlier = tuple(order[place + 1 :]), tuple(order[:place])
    if stance == "fighting_defensively":
        ends = rules.switch("fighting_defensively_lasts") == "end_of_round"
        return later if ends else later + earlier
    return later + earlier


def dodge_lasts_in(rules: Ruleset, side: Side) -> str:
    """Tell in which phase a dodge helps (Phased combat, Dodge).

    "The next enemy phase" is the opponents' for a player; for a creature of the referee's the
    switch ``dodge_lasts`` decides.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("phased")
    >>> dodge_lasts_in(rules, "players"), dodge_lasts_in(rules, "enemies")
    ('enemies', 'players')
    >>> dodge_lasts_in(rules.with_switches(dodge_lasts="literal"), "enemies")
    'enemies'
    """
    phases = _phases(rules)
    check_word(side, phases, "side")
    if rules.switch("dodge_lasts") == "literal":
        return "enemies"
    return next(phase for phase in phases if phase != side)
