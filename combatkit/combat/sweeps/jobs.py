"""The distinct computations of a product sweep: what goes to a worker, and what it answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import inf
from typing import NamedTuple

from combatkit.combat.attacks.blow import Blow
from combatkit.combat.attacks.damage import blows_damage, landing
from combatkit.combat.health.by_round import Body
from combatkit.combat.health.fate import Fate
from combatkit.combat.health.kill_time import Healing, Value, down_time, mean_rounds
from combatkit.combat.health.pairs import deals_any
from combatkit.combat.health.survival import alone, followed

OF_ROUND = ("hit_chance", "critical_chance", "expected_damage")  # whatever the target can take
OF_TARGET = ("rounds_to_kill", "survival")


class Target(NamedTuple):
    """How much a defender can take."""

    hit_points: int
    temporary: int


class Round(NamedTuple):
    """One round of attacks as the dice see it.

    Attributes
    ----------
    blows : tuple of Blow
        Those that can be made.
    begins : bool
        Whether the first strike of the round is one of them.
    fate : Fate or None
        What the rules say of dying, where survival is asked for.
    healing : Healing
        What the defender regains each round.
    dead_at : int
        Hit points at which it is dead.
    stabilizes : bool
        Whether healing stabilizes the dying.
    """

    blows: tuple[Blow, ...]
    begins: bool
    fate: Fate | None
    healing: Healing = Healing()
    dead_at: int = -10
    stabilizes: bool = True

    @property
    def is_plain(self) -> bool:
        """Whether the damage of the round says all: nothing nonlethal, healed or massive."""
        odd = any(blow.massive is not None or deals_any(blow) for blow in self.blows)
        return not odd and not self.healing.points


class Job(NamedTuple):
    """A round, and everybody it is measured against."""

    round: Round
    targets: tuple[Target, ...]


class Question(NamedTuple):
    """What is asked of every round."""

    measures: tuple[str, ...]
    rounds: int
    exact: bool


def answer(jobs: Sequence[Job], question: Question) -> list[list[list[Value]]]:
    """Measure rounds: for each job and measure one value, or one for each target.

    Everything sent and returned is plain data that can be pickled. Floats are exact results
    rounded once.
    """
    return [
        [list(_measured(job, measure, question)) for measure in question.measures] for job in jobs
    ]


def _measured(job: Job, measure: str, question: Question) -> Iterator[Value]:
    if measure == "rounds_to_kill" and not job.round.is_plain:
        for target in job.targets:
            mean = _mean(job.round, target)
            yield mean if question.exact else inf if mean is None else float(mean)
        return
    if measure == "rounds_to_kill":
        needed = [max(0, target.hit_points + target.temporary) for target in job.targets]
        yield from mean_rounds(blows_damage(job.round.blows), needed, question.exact)
        return
    for chance in _chances(job, measure, question.rounds):
        yield chance if question.exact else float(chance)


def _chances(job: Job, measure: str, rounds: int) -> Iterator[Fraction]:
    blows, begins, fate = job.round[:3]
    if measure == "expected_damage":
        yield blows_damage(blows).mean
    elif measure == "survival":
        assert fate is not None
        for target in job.targets:
            yield _survival(job.round, fate, target, rounds)
    else:
        missed, hit, critical = landing(blows[0]) if begins else (1, 0, 0)
        landed = critical if measure == "critical_chance" else hit + critical
        yield Fraction(landed, missed + hit + critical)


def _mean(round_: Round, target: Target) -> Fraction | None:
    healing = round_.healing._replace(temporary=target.temporary)
    points = target.hit_points + target.temporary
    return down_time(round_.blows, points, healing, 0, round_.dead_at).mean


def _survival(round_: Round, fate: Fate, target: Target, rounds: int) -> Fraction:
    blows, healing = round_.blows, round_.healing
    body = Body(target.hit_points, target.temporary, healing.nonlethal)
    care = alone(healing.points, target.hit_points, round_.stabilizes)
    health = followed(blows, (), body, fate, rounds, care)
    for _ in range(rounds):
        for blow in blows:
            health.strike(blow, None)
        health.end_round()
    return 1 - health.in_the_end()[fate.dead]
