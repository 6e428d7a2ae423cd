"""What a maneuver comes to: its steps, the odds of each way it ends, and what follows."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from combatkit.combat.attacks.attack import ORDINARY, Strike
from combatkit.combat.attacks.situation import Situation
from combatkit.combat.checks.opposed import OpposedCheck
from combatkit.combat.turns.price import Price
from combatkit.prob import Dist
from combatkit.rules import Citation, Lookup, Tally

NOTHING = Dist.constant(0)
ENDS = {
    "success": "succeeds",
    "missed": "the touch attack misses",
    "failed": "the check is lost",
    "countered": "the check is lost, and the answer succeeds",
    "stopped": "an attack of opportunity ends it",
    "avoided": "the defender steps aside",
    "impossible": "cannot be tried",
}


@dataclass(frozen=True, eq=False)
class Contest:
    """One opposed check of a maneuver.

    Attributes
    ----------
    attacker, defender : Tally
        What each side adds to its die; the attacker is the one who tries something.
    check : OpposedCheck
    """

    attacker: Tally
    defender: Tally
    check: OpposedCheck

    @property
    def p_success(self) -> Fraction:
        """Chance that the attacker prevails."""
        return self.check.p_success


@dataclass(frozen=True, eq=False)
class Maneuver:
    """A combat maneuver: its receipts and the exact odds of each way it ends.

    Attributes
    ----------
    rule : Lookup
        The ruleset's row, with the name and the citation.
    outcomes : dict
        Chance of each end, together exactly 1: ``success``, ``missed``, ``failed``, ``countered``,
        ``stopped``, ``avoided``, ``impossible``; those that cannot be are left out.
    price : Price or None
        What the attacks of opportunity do; None where nothing is provoked.
    touch : Strike or None
        The touch attack that comes first.
    contest, counter : Contest or None
        The opposed check, and the defender's answer to a lost one.
    damage : Dist
        Damage the attempt does, 0 where it does none; for a sunder that of the item.
    follow_up : Strike or None
        The free attack that a success gives.
    situation_after : Situation
        Of the next attack on the defender where the maneuver succeeds.
    situation_if_countered : Situation
        Of the defender's next attack where the answer succeeds.
    remarks : tuple of str
        What else comes of it, and what was decided otherwise than it might seem.
    why_not : str
        Why it cannot be tried; empty where it can.
    """

    rule: Lookup
    outcomes: dict[str, Fraction]
    price: Price | None = None
    touch: Strike | None = None
    contest: Contest | None = None
    counter: Contest | None = None
    damage: Dist = NOTHING
    follow_up: Strike | None = None
    situation_after: Situation = ORDINARY
    situation_if_countered: Situation = ORDINARY
    remarks: tuple[str, ...] = ()
    why_not: str = ""

    @property
    def p_success(self) -> Fraction:
        """Chance that the whole maneuver succeeds."""
        return self.outcomes.get("success", Fraction(0))

    @property
    def possible(self) -> bool:
        """Whether it can be tried at all."""
        return not self.why_not

    @cached_property
    def receipts(self) -> tuple[Tally, ...]:
        """Every tally that has a part in it, in the order of the dice."""
        touched = (self.touch.attack_bonus, self.touch.armor_class) if self.touch else ()
        contests = [contest for contest in (self.contest, self.counter) if contest]
        return (
            *touched,
            *(side for made in contests for side in (made.attacker, made.defender)),
        )

    @cached_property
    def citations(self) -> tuple[Citation, ...]:
        """Where the rule and each counted modifier stand, each place once."""
        counted = (line for receipt in self.receipts for line in receipt.lines if line.counted)
        return tuple(dict.fromkeys([self.rule.cite, *(line.cite for line in counted)]))

    def explain(self) -> str:
        """Put the maneuver in words: each step, each receipt, each way it ends."""
        parts = [f"{self.rule.label}: {self.p_success} ({float(self.p_success):.2%})"]
        parts.append(f"  {self.rule.note} [{self.rule.cite}]")
        if self.why_not:
            parts.append(f"Not possible: {self.why_not}")
        if self.price is not None:
            made = len(self.price.strikes)
            parts.append(
                f"Attacks of opportunity: {made}; the attempt is ended by them with "
                f"{self.price.p_interrupted}"
            )
            parts += [f"  none by {name}: {why}" for name, why in self.price.refused]
        parts += [receipt.explain() for receipt in self.receipts]
        parts += [f"{chance} {ENDS[end]}" for end, chance in self.outcomes.items()]
        if self.damage.maximum:
            parts.append(f"Expected damage: {self.damage.mean}")
        return "\n".join([*parts, *self.remarks])


def outcomes(
    price: Price | None, touch: Strike | None, contest: Contest, counter: Contest | None = None
) -> dict[str, Fraction]:
    """Chance of each end of a maneuver whose steps come one after the other."""
    stopped = price.p_interrupted if price else Fraction(0)
    reached = (1 - stopped) * (touch.p_hit if touch else 1)
    lost = reached * contest.check.p_failure
    answered = lost * (counter.p_success if counter else 0)
    ends = {
        "success": reached * contest.p_success,
        "missed": 1 - stopped - reached,
        "failed": lost - answered,
        "countered": answered,
        "stopped": stopped,
    }
    return {end: chance for end, chance in ends.items() if chance or end == "success"}


def dealt(chance: Fraction, damage: Dist) -> Dist:
    """Damage of something that happens with a chance, 0 where it does not."""
    return Dist.mix([(chance, damage), (1 - chance, NOTHING)])


def impossible(rule: Lookup, why_not: str) -> Maneuver:
    """Return a maneuver that cannot be tried."""
    return Maneuver(rule, {"impossible": Fraction(1)}, why_not=why_not)
