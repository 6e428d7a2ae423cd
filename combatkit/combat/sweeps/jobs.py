"""The distinct computations of a product sweep: what goes to a worker, and what it answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from combatkit.combat.attacks.blow import Blow, landing
from combatkit.combat.attacks.within_round import blows_damage
from combatkit.combat.health.by_round import Fate, Health
from combatkit.combat.health.kill_time import Value, mean_rounds

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
    """

    blows: tuple[Blow, ...]
    begins: bool
    fate: Fate | None


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
    if measure == "rounds_to_kill":
        needed = [max(0, target.hit_points + target.temporary) for target in job.targets]
        yield from mean_rounds(blows_damage(job.round.blows), needed, question.exact)
        return
    for chance in _chances(job, measure, question.rounds):
        yield chance if question.exact else float(chance)


def _chances(job: Job, measure: str, rounds: int) -> Iterator[Fraction]:
    blows, begins, fate = job.round
    if measure == "expected_damage":
        yield blows_damage(blows).mean
    elif measure == "survival":
        assert fate is not None
        for target in job.targets:
            yield _survival(blows, target, fate, rounds)
    else:
        missed, hit, critical = landing(blows[0]) if begins else (1, 0, 0)
        landed = critical if measure == "critical_chance" else hit + critical
        yield Fraction(landed, missed + hit + critical)


def _survival(blows: tuple[Blow, ...], target: Target, fate: Fate, rounds: int) -> Fraction:
    health = Health(target.hit_points, target.temporary, fate)
    for _ in range(rounds):
        for blow in blows:
            health.strike(blow, None)
        health.end_round()
    return 1 - health.in_the_end()["dead"]
