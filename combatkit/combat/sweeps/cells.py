"""From cells to distinct computations: which rounds a product sweep needs, and where they go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import groupby, product
from math import prod
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from combatkit.combat.attacks.blow import Blow
from combatkit.combat.health.fate import fate
from combatkit.combat.health.kill_time import Healing
from combatkit.combat.health.massive import suffered
from combatkit.combat.sweeps.axes import Axis, Setup
from combatkit.combat.sweeps.jobs import OF_TARGET, Job, Round, Target
from combatkit.errors import CombatkitError
from combatkit.rules import Ruleset

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]

MAX_CELLS = 20_000_000
MAX_SETUPS = 200_000
MOST_TARGETS = 64  # of one job, where survival is worked out for each of them
SETUP_SECONDS = 150e-6  # to add up the modifiers of one attack, roughly

Progress = Callable[[int, int], object]


@dataclass(frozen=True)
class Plan:
    """The distinct rounds of a sweep, and for each cell which of them it shows.

    Attributes
    ----------
    jobs : list of Job
        Each distinct round with the targets it is measured against; in parts, where survival is
        asked for and the targets are many.
    job_of, target_of : ndarray of int
        Number of the job, and of the round with its target, that belongs to a cell; of the
        shape of the grid, or of a part of it that can be broadcast.
    first_target : ndarray of int
        Where each job's targets begin in the count of rounds with a target.
    """

    jobs: list[Job]
    job_of: Array
    target_of: Array
    first_target: Array


@dataclass
class Kinds:
    """Rounds that differ by more than the roll they need, and those met so far."""

    numbers: dict[Round, int] = field(default_factory=dict)
    lowest: list[int] = field(default_factory=list)
    highest: list[int] = field(default_factory=list)

    def number(self, round_: Round) -> tuple[int, int]:
        """Tell the kind of a round, and the natural roll its first blow needs."""
        needs = round_.blows[0].needs if round_.blows else 0
        kind = shifted(round_, -needs)
        if kind not in self.numbers:
            self.numbers[kind] = len(self.numbers)
            # beyond these every face of every die, with any bonus to confirm, does the same
            bounds = [
                (
                    min(0, blow.confirmation) - blow.needs,
                    21 + max(0, blow.confirmation) - blow.needs,
                )
                for blow in kind.blows
            ] or [(0, 0)]
            self.lowest.append(min(low for low, _ in bounds))
            self.highest.append(max(high for _, high in bounds))
        return self.numbers[kind], needs

    def rounds(self, kind: Array, needs: Array) -> tuple[list[Round], Array]:
        """List the distinct rounds of these kinds and rolls, and tell which is which."""
        import numpy as np

        low, high = np.array(self.lowest)[kind], np.array(self.highest)[kind]
        distinct, which = _distinct(kind, np.clip(needs, low, high))
        by_number = list(self.numbers)
        return [shifted(by_number[number], roll) for number, roll in distinct], which


def shifted(round_: Round, by: int) -> Round:
    """Return the same round with every blow harder to land by so many points."""
    return round_._replace(
        blows=tuple(blow._replace(needs=blow.needs + by) for blow in round_.blows)
    )


def check_size(axes: Sequence[Axis], setups: int, measures: int) -> None:
    """Refuse a grid too large to hold or to set up, with an estimate of what it would take."""
    cells = prod(len(axis) for axis in axes)
    if cells > MAX_CELLS:
        gigabytes = cells * (8 * measures + 2 * len(axes)) / 1e9
        raise CombatkitError(
            f"these axes make {cells:,} cells, a table of about {gigabytes:,.1f} GB; at most "
            f"{MAX_CELLS:,} cells: leave out values, or sweep in parts"
        )
    if setups > MAX_SETUPS:
        raise CombatkitError(
            f"these axes make {setups:,} attacks whose modifiers are added up one by one, about "
            f"{setups * SETUP_SECONDS:,.0f} seconds; at most {MAX_SETUPS:,}, not counting attack "
            "bonus, armor class and hit points: leave out values, or sweep in parts"
        )


def make_plan(
    base: Setup, axes: Sequence[Axis], measures: Sequence[str], progress: Progress
) -> Plan:
    """Find the distinct rounds of a grid.

    Attack bonus and armor class only move the roll needed, and hit points only the target, so
    modifiers are added up once for each combination of the *other* axes.
    """
    import numpy as np

    systems = _systems(base, axes)
    shifts = [axis for axis in axes if all(axis.only_shifts(rules) for rules in systems)]
    targets = [axis for axis in axes if axis.is_target]
    others = [axis for axis in axes if axis not in shifts and axis not in targets]
    setups = prod(len(axis) for axis in others)
    check_size(axes, setups, len(measures))

    # the values that only shift stand at their first; a shift says how far a cell is from there
    begin, kinds, rows = [(axis, axis.values[0]) for axis in shifts], Kinds(), []
    for done, values in enumerate(product(*(axis.values for axis in others)), 1):
        pairs = sorted([*zip(others, values, strict=True), *begin], key=lambda pair: pair[0].rank)
        rows.append(_row(base, pairs, kinds, "survival" in measures))
        if done % 100 == 0 or done == setups:
            progress(done, setups)
    kind, needs, points, temporary = np.array(rows, dtype=np.int64).T

    setup, (moves, shift) = _places(axes, others), _shifts(axes, shifts)
    made, number = kinds.rounds(kind[:, None], needs[:, None] + moves)
    round_of = number[setup, shift]
    if not set(measures) & set(OF_TARGET):
        nobody = np.zeros(len(made) + 1, dtype=np.int64)
        return Plan([Job(round_, ()) for round_ in made], round_of, round_of, nobody)

    tough, place = _toughness(points, temporary, targets), _places(axes, targets)
    whom, target = _distinct(*tough)
    faced, both = _distinct(number[:, :, None], target[:, None, :])
    met = [(made[round_], Target(*whom[who])) for round_, who in faced]
    jobs, first_job = _jobs(met, MOST_TARGETS if "survival" in measures else len(met))
    job_of = np.array(first_job, dtype=np.int32)[round_of]
    firsts = np.cumsum([0, *(len(job.targets) for job in jobs)])
    return Plan(jobs, job_of, both[setup, shift, place], firsts)


def _jobs(met: list[tuple[Round, Target]], most: int) -> tuple[list[Job], list[int]]:
    """Make the jobs, of so many targets at most, and tell which is the first of each round."""
    jobs, firsts = list[Job](), list[int]()
    for round_, pairs in groupby(met, key=itemgetter(0)):
        targets = [target for _, target in pairs]
        firsts.append(len(jobs))
        starts = range(0, len(targets), most)
        jobs += [Job(round_, tuple(targets[start : start + most])) for start in starts]
    return jobs, firsts


def _systems(base: Setup, axes: Sequence[Axis]) -> tuple[Ruleset, ...]:
    for axis in axes:
        if axis.part == "ruleset":
            return axis.values
    return (base.rules,)


def _row(
    base: Setup, pairs: Sequence[tuple[Axis, Any]], kinds: Kinds, mortal: bool
) -> tuple[int, int, int, int]:
    """Set one attack up: its kind, the roll needed, and what its defender can take."""
    setup = base
    for axis, value in pairs:
        setup = axis.apply(setup, value)
    strikes = setup.strikes()
    blows: tuple[Blow, ...] = tuple(suffered(one) for one in strikes if one.possible)
    target = strikes[0].attempt.defender
    healing = Healing.of(target)._replace(temporary=0)  # told with the hit points
    ends = fate(setup.rules, target) if mortal else None
    rules, begins = setup.rules, strikes[0].possible
    stabilizes = rules.switch("healing_stabilizes") == "yes"
    round_ = Round(blows, begins, ends, healing, rules.dead_at, stabilizes)
    return *kinds.number(round_), target.hit_points, target.temporary_hit_points


def _places(axes: Sequence[Axis], some: Sequence[Axis]) -> Array:
    """Tell for each cell its place in the product of some of the axes; broadcasts to the grid."""
    import numpy as np

    place = np.zeros((1,) * len(axes), dtype=np.int64)
    for axis, along in zip(axes, _along(axes), strict=True):
        if axis in some:
            place = place * len(axis) + along
    return place


def _along(axes: Sequence[Axis]) -> list[Array]:
    """Count the values of each axis along its own dimension of the grid."""
    import numpy as np

    return list(np.ix_(*(np.arange(len(axis)) for axis in axes)))


def _shifts(axes: Sequence[Axis], shifts: Sequence[Axis]) -> tuple[Array, Array]:
    """List the distinct shifts of the roll needed, and tell for each cell which one it has."""
    import numpy as np

    total = np.zeros((1,) * len(axes), dtype=np.int64)
    for axis, along in zip(axes, _along(axes), strict=True):
        if axis in shifts:
            points = np.array(axis.values, dtype=np.int64) - axis.values[0]
            total = total + axis.shift * points[along]
    distinct, which = np.unique(total, return_inverse=True)
    return distinct, which.reshape(total.shape)


def _toughness(points: Array, temporary: Array, axes: Sequence[Axis]) -> tuple[Array, Array]:
    """Hit points and temporary ones, by setup and combination of the axes that set them."""
    import numpy as np

    tough = {"hit_points": points[:, None], "temporary_hit_points": temporary[:, None]}
    combinations = list(product(*(axis.values for axis in axes)))
    for axis, values in zip(axes, zip(*combinations, strict=True), strict=True):
        tough[axis.field] = np.array([values], dtype=np.int64)
    shape = (len(points), len(combinations))
    own, extra = (np.broadcast_to(array, shape) for array in tough.values())
    return own, extra


def _distinct(one: Array, other: Array) -> tuple[list[tuple[int, int]], Array]:
    """List the distinct pairs of two arrays in order, and tell where each stands in the list."""
    import numpy as np

    floor = other.min()
    span = int(other.max() - floor) + 1
    keys = one * span + (other - floor)
    found, which = np.unique(keys, return_inverse=True)
    firsts, seconds = np.divmod(found, span)
    pairs = list(zip(firsts.tolist(), (seconds + floor).tolist(), strict=True))
    return pairs, which.reshape(keys.shape).astype(np.int32)
