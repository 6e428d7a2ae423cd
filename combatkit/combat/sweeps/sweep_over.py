"""The product sweep: measures over any product of axes, each distinct computation made once."""

from __future__ import annotations

import sys
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, as_completed
from contextlib import closing
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from os import PathLike
from typing import TYPE_CHECKING, Any

from flint import fmpq

from combatkit.combat.attacks.attack import ORDINARY
from combatkit.combat.attacks.situation import Situation
from combatkit.combat.health.kill_time import Value
from combatkit.combat.health.survival import MAX_ROUNDS
from combatkit.combat.sweeps.axes import Axis, Setup, read_axes
from combatkit.combat.sweeps.cells import Plan, Progress, make_plan
from combatkit.combat.sweeps.jobs import OF_ROUND, OF_TARGET, Job, Question, answer
from combatkit.errors import CombatkitError, check_word, expect
from combatkit.prob.exact import within
from combatkit.rules import Combatant, Ruleset, Weapon
from combatkit.rules.equipment import Grip

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    Array = np.ndarray[Any, np.dtype[Any]]

CHUNK = 64  # rounds and targets sent to a worker at a time, about
APPROX = "_approx"


@dataclass(frozen=True)
class SweepResult:
    """What a product sweep found.

    Attributes
    ----------
    frame : DataFrame
        One row a cell: a categorical column for each axis, then the measures. A float measure has
        a name in ``_approx``, is the exact value rounded once, ``inf`` for rounds that never end
        and NaN where it was not worked out; an exact one is a Fraction, None or NA.
    complete : bool
        False when the sweep was interrupted or could not go on.
    distinct, done : int
        How many distinct rounds of attacks the cells share, and how many were measured; each
        counts once for every 64 defenders it is measured against where survival is asked for.
    """

    frame: pd.DataFrame
    measures: tuple[str, ...]
    complete: bool
    distinct: int
    done: int

    def to_parquet(self, path: str | PathLike[str]) -> None:
        """Write a Parquet file: axes, floats, and exact measures as text such as ``"3/4"``.

        Raises
        ------
        CombatkitError
            Without ``pyarrow``, or where the file cannot be written.
        """
        if not isinstance(path, str | PathLike):
            raise CombatkitError(f"to_parquet: a path is needed, not {path!r:.60}")
        try:
            _stored(self).to_parquet(path, engine="pyarrow", index=False)
        except ImportError:
            raise CombatkitError("Parquet files need pyarrow: pip install pyarrow") from None
        except (OSError, ValueError) as error:
            raise CombatkitError(f"{path!r:.200}: the file cannot be written ({error})") from None

    @property
    def told(self) -> str:
        """How far it came, in words."""
        return f"{self.done:,} of {self.distinct:,} distinct rounds"


class SweepStopped(CombatkitError):
    """A sweep could not go on: a round too large to be exact, or an executor that failed.

    Attributes
    ----------
    result : SweepResult
        What was measured until then.
    """

    def __init__(self, message: str, result: SweepResult) -> None:
        super().__init__(f"{message}; measured until then, in .result: {result.told}")
        self.result = result


def sweep_over(
    rules: Ruleset,
    attacker: str | Combatant,
    defender: str | Combatant,
    axes: Mapping[str, Iterable[Any]],
    weapon: str | Weapon | None = None,
    situation: Situation = ORDINARY,
    grip: Grip | None = None,
    off_hand: str | Weapon | None = None,
    full: bool = False,
    measures: Sequence[str] = ("hit_chance", "expected_damage", "rounds_to_kill"),
    rounds: int = 10,
    exact: bool = False,
    executor: Executor | None = None,
    progress: bool | Progress | None = None,
) -> SweepResult:
    """Measure an attack in every cell of a grid.

    Parameters
    ----------
    rules : Ruleset
    attacker, defender : Combatant or str
        By id they are looked up in the rules of each cell.
    axes : mapping of str to values
        What varies; values in a list, or ``{label: value}``. Names:

        - ``attack_bonus``, ``armor_class``, ``hit_points``: totals as in a stat block, short for
          ``attacker.attack_bonus``, ``defender.armor_class``, ``defender.hit_points``; likewise
          any other field of a :class:`Combatant`;
        - any field of a :class:`Situation`: ``cover``, ``distance``, ``power_attack``, ...
          (``situation.attack_bonus`` and ``situation.armor_class_bonus`` are the referee's);
        - ``attacker_condition``, ``defender_condition``: None, an id, or a set of ids, added to
          those of the situation;
        - ``table.cover`` and so on: rows of a modifier table, None for none, ``"all"`` for none and
          then each; ``row``: rows of any table, such as ``"attack.flanking"``;
        - ``attacker``, ``defender``, ``weapon``, ``grip``, ``off_hand``, ``full``, ``situation``;
        - ``ruleset``; ``switch.miss_chance`` and so on: readings.
    weapon, situation, grip, off_hand, full, rounds
        As for :func:`sweep`; what no axis sets.
    measures : sequence of str, optional
        Of ``hit_chance``, ``critical_chance`` (first strike), ``expected_damage`` (of the round),
        ``rounds_to_kill`` (mean), ``survival`` (not dead in the end, after `rounds` of attacks).
    exact : bool, optional
        Fractions instead of floats.
    executor : Executor, optional
        Measures the distinct rounds in other processes: any of ``concurrent.futures``, a Dask
        ``client.get_executor()``, an ipyparallel ``client.executor()``.
    progress : bool or callable, optional
        True writes a line to stderr; a callable gets (done, total), first for the attacks set up,
        then for the distinct rounds measured.

    Returns
    -------
    SweepResult
        Stopped by the user (KeyboardInterrupt) while rounds are measured, it keeps what it has,
        the other cells are missing and ``complete`` is False.

    Raises
    ------
    CombatkitError
        For an unknown axis or value, more than 20 million cells, or more than 200,000 combinations
        of axes other than attack bonus, armor class and hit points.
    SweepStopped
        For an executor that failed, or a round too large to be exact; holds what was measured.

    Notes
    -----
    The cost follows the number of distinct rounds of attacks, not of cells: attacks that the dice
    cannot tell apart are measured once.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> hero, foe = Combatant(weapons=["longsword"]), Combatant(hit_points=9)
    >>> axes = {"attack_bonus": range(4, 7), "armor_class": [15, 16], "cover": [None, "standard"]}
    >>> found = sweep_over(load_ruleset("srd35"), hero, foe, axes, exact=True)
    >>> print(found.frame.iloc[:2, :5].to_string(index=False))
    attack_bonus armor_class    cover hit_chance expected_damage
               4          15     none        1/2           99/40
               4          15 standard       3/10         297/200
    >>> len(found.frame), found.distinct
    (12, 8)
    """
    question = _question(measures, rounds, exact)
    submits = callable(getattr(executor, "submit", None)) and not isinstance(executor, type)
    if executor is not None and not submits:
        raise CombatkitError(f"executor: {executor!r:.60} is no Executor, it cannot submit")
    base = Setup(rules, attacker, defender, weapon, situation, grip, off_hand, full).checked()
    found = read_axes(axes, rules)
    plan = make_plan(base, found, question.measures, _reporter(progress, "attacks set up"))
    report = _reporter(progress, "rounds measured")
    values, done, problem = _measure(plan, question, executor, report)
    frame, distinct = _frame(found, plan, question, values), len(plan.jobs)
    result = SweepResult(frame, question.measures, done == distinct, distinct, done)
    if problem is not None:
        raise SweepStopped(str(problem), result) from problem
    return result


def _question(measures: Sequence[str], rounds: int, exact: bool) -> Question:
    if not isinstance(measures, Collection):
        raise CombatkitError(f"measures: give a list of names, not {measures!r:.60}")
    asked = (measures,) if isinstance(measures, str) else tuple(measures)
    known = (*OF_ROUND, *OF_TARGET)
    for measure in asked:
        check_word(measure, known, "measure")
    if not asked or len(set(asked)) < len(asked):
        raise CombatkitError("measures: give at least one, each once")
    last = within(rounds, "rounds", 0, MAX_ROUNDS)
    return Question(asked, last, expect(exact, bool, "exact"))


def _reporter(progress: bool | Progress | None, what: str) -> Progress:
    if progress is None or progress is False:
        return lambda done, total: None
    if progress is True:
        return lambda done, total: print(
            f"\r{done:,} of {total:,} {what}", end="\n" if done == total else "", file=sys.stderr
        )
    if not callable(progress):
        raise CombatkitError(f"progress: True or a function of (done, total), not {progress!r:.60}")
    return progress


def _measure(
    plan: Plan, question: Question, executor: Executor | None, report: Progress
) -> tuple[dict[str, Array], int, CombatkitError | None]:
    """Measure every distinct round, or as many as can be or as the user has patience for."""
    import numpy as np
    import pandas as pd

    sizes = {
        m: plan.first_target[-1] if m in OF_TARGET else len(plan.jobs) for m in question.measures
    }
    blank, kind = (pd.NA, object) if question.exact else (np.nan, float)
    values = {measure: np.full(size, blank, dtype=kind) for measure, size in sizes.items()}
    done = 0
    try:
        with closing(_answers(plan.jobs, question, executor)) as answers:
            for start, answered in answers:
                for number, of_job in enumerate(answered, start):
                    _keep(values, plan, number, of_job)
                done += len(answered)
                report(done, len(plan.jobs))
    except KeyboardInterrupt:
        pass  # the caller sees an incomplete result
    except CombatkitError as problem:
        return values, done, problem
    return values, done, None


def _keep(
    values: dict[str, Array], plan: Plan, number: int, of_job: Sequence[Sequence[Value]]
) -> None:
    first, end = plan.first_target[number : number + 2]
    for (measure, column), found in zip(values.items(), of_job, strict=True):
        place = slice(first, end) if measure in OF_TARGET else slice(number, number + 1)
        column[place] = found


def _answers(
    jobs: Sequence[Job], question: Question, executor: Executor | None
) -> Generator[tuple[int, list[list[list[Value]]]]]:
    """Answer chunk by chunk, in the order they get ready: the first job's number and answers."""
    if executor is None:
        for start, chunk in _chunks(jobs):
            yield start, answer(chunk, question)
        return
    waiting: dict[Future[list[list[list[Value]]]], int] = {}
    try:
        for start, chunk in _chunks(jobs):
            waiting[executor.submit(answer, chunk, question)] = start
        for future in as_completed(waiting):
            yield waiting.pop(future), future.result()
    except (Exception, KeyboardInterrupt) as error:
        for future, start in waiting.items():  # what is ready is kept
            if future.done() and not future.cancelled() and future.exception() is None:
                yield start, future.result()
        if isinstance(error, (CombatkitError, KeyboardInterrupt)):
            raise
        # each kind of executor has errors of its own
        raise CombatkitError(f"the executor failed: {type(error).__name__}: {error}") from error
    finally:
        for future in waiting:
            future.cancel()


def _chunks(jobs: Sequence[Job]) -> Iterator[tuple[int, Sequence[Job]]]:
    """Cut the jobs into pieces of about the same work: the first job's number and the jobs."""
    start, size = 0, 0
    for number, job in enumerate(jobs, 1):
        size += 1 + len(job.targets)
        if size >= CHUNK or number == len(jobs):
            yield start, jobs[start:number]
            start, size = number, 0


def _frame(
    axes: Sequence[Axis], plan: Plan, question: Question, values: Mapping[str, Array]
) -> pd.DataFrame:
    """Scatter the results over the cells."""
    import numpy as np
    import pandas as pd

    shape = tuple(len(axis) for axis in axes)
    columns: dict[str, Any] = {}
    for place, axis in enumerate(axes):
        inner = int(np.prod(shape[place + 1 :], dtype=np.int64))
        codes = np.arange(len(axis), dtype=np.min_scalar_type(-len(axis)))
        codes = np.tile(np.repeat(codes, inner), int(np.prod(shape[:place], dtype=np.int64)))
        columns[axis.name] = pd.Categorical.from_codes(codes, pd.Index(axis.labels))
    for measure, distinct in values.items():
        cells = distinct[plan.target_of if measure in OF_TARGET else plan.job_of]
        name = measure if question.exact else measure + APPROX
        columns[name] = np.broadcast_to(cells, shape).reshape(-1)
    return pd.DataFrame(columns, copy=False)


def _stored(result: SweepResult) -> pd.DataFrame:
    """Return the frame as a file can hold it: exact measures as text, their floats beside them."""
    import pandas as pd

    columns: dict[str, Any] = {}
    for name in result.frame.columns:
        column = result.frame[name]
        if name not in result.measures:
            columns[name] = column
            continue
        # cells share the Fractions of distinct rounds, so each is written out once
        seen = {id(value): value for value in column}
        keys = column.map(id)
        texts = {key: _text(value) for key, value in seen.items()}
        floats = {key: _float(value) for key, value in seen.items()}
        columns[name] = pd.Categorical(keys.map(texts))
        columns[name + APPROX] = keys.map(floats).astype(float)
    return pd.DataFrame(columns, copy=False)


def _text(value: Any) -> str | None:
    import pandas as pd

    if value is None or value is pd.NA:
        return None
    # flint writes numbers of any length; Python stops at 4300 digits
    exact = expect(value, Fraction, "to_parquet: a measure of an exact sweep")
    return str(fmpq(exact.numerator, exact.denominator))


def _float(value: Any) -> float:
    return float(value) if isinstance(value, Fraction) else inf if value is None else float("nan")
