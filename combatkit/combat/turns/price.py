"""The price of provoking: what attacks of opportunity do before the act they answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from combatkit.combat.attacks.attack import ORDINARY, Strike, attack, choose_weapon
from combatkit.combat.attacks.situation import Situation
from combatkit.combat.d20 import p_check
from combatkit.combat.health.fate import UNCONSCIOUS, fate
from combatkit.combat.health.pairs import weights, width_for
from combatkit.combat.turns.actions import Action, Verdict, find_action
from combatkit.combat.turns.opportunity import (
    is_armed,
    opportunity_limit,
    provokes,
    unarmed_threaten_nothing,
)
from combatkit.errors import CombatkitError
from combatkit.prob import Dist
from combatkit.rules import Combatant, Ruleset, Weapon

MAX_THREATS = 12
MAX_WORK = 3_000_000  # pairs of damage taken and damage dealt


@dataclass(frozen=True)
class Threat:
    """Somebody who might strike at an opportunity.

    Attributes
    ----------
    who : Combatant
    weapon : str, Weapon or None
        The one in hand; the first of theirs when left out.
    situation : Situation
        Of the attack of opportunity: the attacker is the one who threatens.
    taken : int
        Attacks of opportunity already made this round.
    total_defense, touch_spell : bool
        Whether they use total defense, or hold a touch spell.
    target : bool
        Whether the act is aimed at them (some acts provoke from their target only).
    avoided : Fraction
        Chance that the provoker keeps them from striking after all, by a Tumble check say.
    """

    who: Combatant
    weapon: str | Weapon | None = None
    situation: Situation = ORDINARY
    taken: int = 0
    total_defense: bool = False
    touch_spell: bool = False
    target: bool = False
    avoided: Fraction = Fraction(0)

    @property
    def name(self) -> str:
        """Name for messages."""
        return self.who.name or "somebody"


def may_strike(rules: Ruleset, threat: Threat, provoker: Combatant) -> Verdict:
    """Judge whether somebody may make an attack of opportunity.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("srd35")
    >>> guard = Threat(Combatant(weapons=["spear"]), situation=Situation(cover="standard"))
    >>> may_strike(rules, guard, Combatant()).why_not
    'Cover forbids it'
    """
    armed = is_armed(rules, threat.who, threat.weapon, threat.touch_spell)
    if not armed and unarmed_threaten_nothing(rules):
        return Verdict("is not armed, so threatens nothing")
    if choose_weapon(rules, threat.who, threat.weapon).ranged:
        return Verdict("holds no melee weapon")
    if threat.taken >= (limit := opportunity_limit(rules, threat.who)):
        return Verdict(f"has made {threat.taken} of {limit} this round")
    if why_not := _forbidden(rules, threat):
        return Verdict(why_not)
    return Verdict(attack(rules, threat.who, provoker, threat.weapon, threat.situation).why_not)


def _forbidden(rules: Ruleset, threat: Threat) -> str:
    entries = [entry for entry in rules.lookups.values() if entry.table == "no_opportunity"]
    forbidding = [entry.cells["row"] for entry in entries]
    own = "defense_tactics.total_defense"
    if threat.total_defense and own in forbidding:
        return f"{rules.rows[own].label} forbids it"
    for row in threat.situation.rows(rules):
        key = f"{row.table}.{row.id}"
        covers = row.type == "cover" and row.column("melee")
        if covers or (key in forbidding and key != own):
            return f"{row.label} forbids it"
    return ""


@dataclass(frozen=True, eq=False)
class Price:
    """What provoking costs, before the act is done.

    Attributes
    ----------
    strikes : tuple of Strike
        The attacks of opportunity, in their order; nobody strikes at somebody who has dropped.
    refused : tuple of (str, str)
        Who may not strike, and why.
    damage : Dist
        Damage taken.
    states : dict
        Chance of each state of health.
    p_interrupted : Fraction
        Chance that the act fails: dropped (where the dying cannot act), or spoiled.
    """

    strikes: tuple[Strike, ...]
    refused: tuple[tuple[str, str], ...]
    damage: Dist
    states: dict[str, Fraction]
    p_interrupted: Fraction

    @property
    def expected_damage(self) -> Fraction:
        """Mean damage taken."""
        return self.damage.mean

    @property
    def p_hurt(self) -> Fraction:
        """Chance to take any damage."""
        return 1 - self.damage.p(0)

    @property
    def p_dropped(self) -> Fraction:
        """Chance to be unconscious, dying or dead before the act."""
        downs = (UNCONSCIOUS, "dying", "dead")
        return sum((self.states.get(state, Fraction(0)) for state in downs), Fraction(0))


def price_of_provoking(
    rules: Ruleset,
    provoker: Combatant,
    threats: Iterable[Threat],
    action: str | Action | None = None,
    concentration: int | None = None,
    spell_level: int = 0,
    hit_points: int | None = None,
) -> Price:
    """Work out what it costs to provoke.

    Parameters
    ----------
    rules : Ruleset
    provoker : Combatant
    threats : iterable of Threat
        Who threatens (or, in ``phased``, is engaged), in the order they strike. At most 12.
    action : str, optional
        The act: one that provokes from its target only leaves the others out, one that does not
        provoke costs nothing. When left out it provokes from everyone.
    concentration : int, optional
        Concentration bonus: each hit asks for a check against 10 + damage + spell level, and a
        failed one spoils a spell (srd). When left out, only dropping interrupts a spell.
    spell_level : int, optional
    hit_points : int, optional
        The provoker's, when they differ from its full ones.

    Returns
    -------
    Price

    Notes
    -----
    Each strike is a single melee attack at the full attack bonus, resolved before the act
    (Simplified 3.5, Making an Attack of Opportunity; Phased combat, opportunity attacks). One pass
    over damage taken: each strike adds its damage where the provoker still stands.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("srd35")
    >>> orc = Combatant(name="Orc", attack_bonus=4, weapons=["greataxe"])
    >>> mage = Combatant(name="Mage", armor_class=15, hit_points=8)
    >>> price = price_of_provoking(rules, mage, [Threat(orc)], "cast_spell", concentration=6)
    >>> price.expected_damage, price.p_dropped, price.p_interrupted
    (Fraction(143, 40), Fraction(1577, 8640), Fraction(208513, 691200))
    """
    listed = tuple(threats)
    if len(listed) > MAX_THREATS:
        raise CombatkitError(f"at most {MAX_THREATS} may threaten, not {len(listed)}")
    act = None if action is None else find_action(rules, action)
    strikes, avoided, refused = _strikes(rules, provoker, listed, act)
    spoiled_by = act.cell("spoiled_by") if act else ""
    points = provoker.hit_points if hit_points is None else hit_points
    outcome = _outcomes(
        rules, strikes, avoided, points, provoker, spoiled_by, concentration, spell_level
    )
    states = dict.fromkeys(rules.states, Fraction(0))
    total = sum(outcome.values())
    taken: Counter[int] = Counter()
    interrupted = 0
    for (lethal, nonlethal, spoiled), weight in outcome.items():
        state = _state(rules, provoker, points, lethal, nonlethal)
        states[state] = states.get(state, Fraction(0)) + Fraction(weight, total)
        taken[lethal + nonlethal] += weight
        if spoiled or state in ("dead", UNCONSCIOUS) or (state == "dying" and not rules.dying.acts):
            interrupted += weight
    return Price(strikes, refused, Dist(dict(taken)), states, Fraction(interrupted, total))


def _strikes(
    rules: Ruleset, provoker: Combatant, threats: tuple[Threat, ...], act: Action | None
) -> tuple[tuple[Strike, ...], tuple[Fraction, ...], tuple[tuple[str, str], ...]]:
    strikes, avoided, refused = [], [], []
    for threat in threats:
        spared = _not_by(rules, provoker, threat, act)
        if why_not := spared or may_strike(rules, threat, provoker).why_not:
            refused.append((threat.name, why_not))
        else:
            strikes.append(attack(rules, threat.who, provoker, threat.weapon, threat.situation))
            avoided.append(threat.avoided)
    return tuple(strikes), tuple(avoided), tuple(refused)


def _not_by(rules: Ruleset, provoker: Combatant, threat: Threat, act: Action | None) -> str:
    """Why an act does not provoke from somebody; what is left open counts as provoking."""
    if act is None:
        return ""
    armed = is_armed(rules, threat.who, threat.weapon, threat.touch_spell)
    found = provokes(rules, act, provoker, target_armed=armed)
    if found.likely is False:
        return f"{act.label} does not provoke"
    if found.by == "target" and not threat.target:
        return f"{act.label} provokes from its target only"
    return ""


def _state(rules: Ruleset, who: Combatant, points: int, damage: int, nonlethal: int) -> str:
    if nonlethal:
        return fate(rules).state(points + who.temporary_hit_points - damage, nonlethal)
    return rules.state_of(points - max(0, damage - who.temporary_hit_points))


def _outcomes(
    rules: Ruleset,
    strikes: tuple[Strike, ...],
    avoided: tuple[Fraction, ...],
    points: int,
    who: Combatant,
    spoiled_by: str,
    concentration: int | None,
    spell_level: int,
) -> dict[tuple[int, int, bool], int]:
    """Integer weights by lethal and nonlethal damage and whether the act is spoiled."""
    outcome = {(0, 0, False): 1}
    work = 2 * sum(len(strike.damage) for strike in strikes) * (points + who.temporary_hit_points)
    if work > MAX_WORK:
        raise CombatkitError(
            f"{len(strikes)} attacks on {points} hit points are too many to follow exactly"
        )
    for strike, missing in zip(strikes, avoided, strict=True):
        odds, total = _harm(strike, missing)
        fails = {
            pair: _fails(rules, sum(pair), spoiled_by, concentration, spell_level) for pair in odds
        }
        after: Counter[tuple[int, int, bool]] = Counter()
        for (taken, numb, spoiled), weight in outcome.items():
            if _state(rules, who, points, taken, numb) in ("dying", "dead", UNCONSCIOUS):
                after[taken, numb, spoiled] += weight * total * 20
                continue
            for (lethal, nonlethal), chance in odds.items():
                lost = 20 if spoiled else fails[lethal, nonlethal]
                key = taken + lethal, numb + nonlethal
                after[*key, True] += weight * chance * lost
                after[*key, False] += weight * chance * (20 - lost)
        outcome = {key: weight for key, weight in after.items() if weight}
    return outcome


def _harm(strike: Strike, avoided: Fraction) -> tuple[dict[tuple[int, int], int], int]:
    """Weights of the lethal and nonlethal damage of a strike, and their sum."""
    if not strike.possible:
        return {(0, 0): 1}, 1
    width = width_for((strike.blow,), strike.damage.maximum)
    poly, total = weights(strike.blow, width)
    comes, whole = avoided.denominator - avoided.numerator, avoided.denominator
    odds = Counter({(0, 0): total * avoided.numerator})
    for pair, weight in enumerate(poly.coeffs()):
        odds[divmod(pair, width)] += int(weight) * comes
    return {pair: weight for pair, weight in odds.items() if weight}, total * whole


def _fails(
    rules: Ruleset, damage: int, spoiled_by: str, concentration: int | None, spell_level: int
) -> int:
    """In how many of 20 cases a hit of so much damage spoils the act."""
    if not damage or not spoiled_by:
        return 0
    if spoiled_by == "damage":
        return 20
    if concentration is None:
        return 0
    dc = rules.number("concentration.damage") + damage + spell_level
    return int(20 * (1 - p_check(concentration, dc)))
