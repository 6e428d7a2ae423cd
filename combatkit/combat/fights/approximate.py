"""A duel followed round by round with weights cut to a fixed length: quick, with a proven error."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from combatkit.combat.fights.closed_form import FOE, Bout, Side, Sums, play_round
from combatkit.combat.health.damage_taken import Standing, unhurt

BITS = 256  # kept of every weight
MOST_ROUNDS = 20_000
ENOUGH = 2.0**-60  # a chance to go on that is not followed any further


@dataclass(frozen=True)
class DuelApprox:
    """A duel's odds, nearly.

    Attributes
    ----------
    p_a_wins_approx, p_b_wins_approx : float
        Each is at most `error` too low, and never too high by more than rounding to a float.
    mean_rounds_approx : float
        Expected number of rounds begun, as far as the fight was followed.
    error : float
        Chance that was not accounted for.
    """

    p_a_wins_approx: float
    p_b_wins_approx: float
    mean_rounds_approx: float
    error: float

    @property
    def method(self) -> str:
        """How it was solved: ``"turn by turn"``."""
        return "turn by turn"


def approximate(bouts: tuple[tuple[Fraction, Bout], ...]) -> DuelApprox:
    """Follow bouts until next to nothing is left of them.

    Weights are whole numbers, rounded down, over a total rounded up, so chances only ever fall
    short; what is missing from 1 in the end is the error.
    """
    wins: dict[Side, float] = {"a": 0.0, "b": 0.0}
    rounds = 0.0
    for chance, bout in bouts:
        won, lasted = _follow(bout)
        for side in FOE:
            wins[side] += float(chance) * won[side]
        rounds += float(chance) * lasted
    slack = 1e-12  # far above what adding up some thousand floats can lose
    return DuelApprox(wins["a"], wins["b"], rounds, max(0.0, 1 - sum(wins.values())) + slack)


def _follow(bout: Bout) -> tuple[dict[Side, float], float]:
    now = {side: unhurt() for side in FOE}
    wins: dict[Side, float] = {"a": 0.0, "b": 0.0}
    rounds = 0.0
    for number in range(MOST_ROUNDS):
        stand = now["a"].mass * now["b"].mass / (now["a"].total * now["b"].total)
        if stand < ENOUGH:
            break
        rounds += stand
        blows = bout.opening[number] if number < len(bout.opening) else bout.steady
        sums = Sums()
        now, total = play_round(bout, blows, now, sums, 1)
        for side in FOE:
            wins[side] += int(sums.left[side](1)) / total
        now = {side: _shortened(standing) for side, standing in now.items()}
    return wins, rounds


def _shortened(standing: Standing) -> Standing:
    extra = standing.total.bit_length() - BITS
    if extra <= 0:
        return standing
    calm, tested = (part // (1 << extra) for part in (standing.calm, standing.tested))
    return Standing(calm, tested, (standing.total >> extra) + 1)
