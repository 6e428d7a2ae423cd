"""The sweep: what each row of the modifier tables is worth in a given situation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from combatkit.combat.attacks.attack import ORDINARY, Strike, attack
from combatkit.combat.attacks.full_attack import FullAttack, full_attack
from combatkit.combat.attacks.situation import Situation
from combatkit.combat.health.kill_time import kill_time
from combatkit.combat.health.survival import survival
from combatkit.rules import Combatant, Row, Ruleset, Weapon
from combatkit.rules.equipment import Grip

if TYPE_CHECKING:
    import pandas as pd

MEASURES = ("hit_chance", "critical_chance", "expected_damage", "rounds_to_kill", "survival")


@dataclass(frozen=True)
class Measured:
    """Five measures of one attack in one situation.

    Attributes
    ----------
    hit_chance, critical_chance : Fraction
        Of the first strike.
    expected_damage : Fraction
        Of the round.
    rounds_to_kill : Fraction or None
        Mean rounds until the target is at 0 hit points; None when it never is.
    survival : Fraction
        Chance that the defender is not dead in the end, after the rounds asked for.
    """

    hit_chance: Fraction
    critical_chance: Fraction
    expected_damage: Fraction
    rounds_to_kill: Fraction | None
    survival: Fraction


@dataclass(frozen=True)
class SweepRow:
    """A table row, what the attack measures with it, and the change against the base."""

    row: Row
    table_label: str
    measured: Measured
    change: Measured
    note: str


@dataclass(frozen=True)
class Sweep:
    """Rows of the tables swept, and the base situation they are compared with."""

    base: Measured
    rows: tuple[SweepRow, ...]

    def to_frame(self) -> pd.DataFrame:
        """Exact values as a DataFrame, one row a table row; ``attrs["base"]`` holds the base."""
        import pandas as pd

        frame = pd.DataFrame([_cells(row) for row in self.rows])
        frame.attrs["base"] = {name: getattr(self.base, name) for name in MEASURES}
        return frame


def sweep(
    rules: Ruleset,
    attacker: Combatant,
    defender: Combatant,
    weapon: str | Weapon | None = None,
    situation: Situation = ORDINARY,
    grip: Grip | None = None,
    off_hand: str | Weapon | None = None,
    table: str | None = None,
    full: bool = False,
    rounds: int = 10,
) -> Sweep:
    """Measure an attack once for every row of a modifier table.

    Parameters
    ----------
    rules, attacker, defender, weapon, situation, grip, off_hand
        As for :func:`full_attack`; the situation is the base that each row is added to.
    table : str, optional
        Id of a modifier table; all of them when left out.
    full : bool, optional
        Whether a full attack is made each round, or one strike.
    rounds : int, optional
        Rounds of attacks for the survival odds.

    Returns
    -------
    Sweep
        ``to_frame()`` gives the DataFrame of exact values.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("srd35")
    >>> hero = Combatant(attack_bonus=6, weapons=["longsword"])
    >>> result = sweep(rules, hero, Combatant(armor_class=16, hit_points=9), table="cover")
    >>> [(row.row.id, str(row.change.hit_chance)) for row in result.rows]
    [('standard', '-1/5'), ('soft', '0'), ('improved', '-2/5'), ('total', '-11/20')]
    """

    def made(there: Situation) -> Strike | FullAttack:
        if full or off_hand is not None:
            return full_attack(rules, attacker, defender, weapon, there, grip, off_hand)
        return attack(rules, attacker, defender, weapon, there, grip)

    base = measure(made(situation), rounds)
    swept = rules.rows_of(table) if table is not None else tuple(rules.rows.values())
    chosen = situation.rows(rules)

    def compared() -> Iterator[SweepRow]:
        for row in swept:
            label = rules.tables[row.table].label
            if row in chosen:
                yield SweepRow(row, label, base, _change(base, base), "already part of the base")
                continue
            attack_made = made(situation.with_row(rules, row))
            measured = measure(attack_made, rounds)
            yield SweepRow(row, label, measured, _change(measured, base), _note(attack_made, row))

    return Sweep(base, tuple(compared()))


def measure(made: Strike | FullAttack, rounds: int = 10) -> Measured:
    """Take the five measures of an attack."""
    first = made.strikes[0]
    return Measured(
        first.p_hit,
        first.p_critical,
        made.damage.mean,
        kill_time(made).mean,
        survival(made, rounds).p_alive,
    )


def _change(now: Measured, base: Measured) -> Measured:
    rounds = (
        None
        if now.rounds_to_kill is None or base.rounds_to_kill is None
        else now.rounds_to_kill - base.rounds_to_kill
    )
    return Measured(
        now.hit_chance - base.hit_chance,
        now.critical_chance - base.critical_chance,
        now.expected_damage - base.expected_damage,
        rounds,
        now.survival - base.survival,
    )


def _note(made: Strike | FullAttack, row: Row) -> str:
    first = made.strikes[0]
    if not first.possible:
        return first.why_not
    return next((why for judged, why in first.attempt.judged if judged is row and why), "")


def _cells(row: SweepRow) -> dict[str, Any]:
    cells: dict[str, Any] = {
        "table": row.row.table,
        "row": row.row.id,
        "label": row.row.label,
        "note": row.note,
    }
    for name in MEASURES:
        cells[name] = getattr(row.measured, name)
        cells[f"{name}_change"] = getattr(row.change, name)
    return cells
