"""Attacks of opportunity: which acts provoke, from whom, and how many may be made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from combatkit.combat.attacks.attack import choose_weapon
from combatkit.combat.turns.actions import Action, find_action
from combatkit.errors import CombatkitError
from combatkit.rules import Combatant, Ruleset, Weapon, modifier_of

Answer = Literal["yes", "no", "maybe", "usually", "rarely", "unknown"]


@dataclass(frozen=True)
class Provocation:
    """Whether an act provokes, and from whom.

    Attributes
    ----------
    answer : {"yes", "no", "maybe", "usually", "rarely", "unknown"}
        ``maybe`` where it depends on something that was not said.
    by : {"everyone", "target"}
        Everyone who threatens, or only the target of the act.
    why : str
    """

    action: Action
    answer: Answer
    by: Literal["everyone", "target"] = "everyone"
    why: str = ""

    @property
    def likely(self) -> bool | None:
        """True for yes and usually, False for no and rarely, None where nobody can say."""
        return {"yes": True, "usually": True, "no": False, "rarely": False}.get(self.answer)


def provokes(
    rules: Ruleset,
    action: str | Action,
    who: Combatant | None = None,
    aided: str | Action | None = None,
    attended: bool | None = None,
    target_armed: bool | None = None,
    leaves: bool | None = None,
    into_square: bool = False,
    from_target: bool = False,
) -> Provocation:
    """Tell whether an act in a threatened square provokes.

    Parameters
    ----------
    rules : Ruleset
    action : str
        Id of an action.
    who : Combatant, optional
        Who acts: a feat may make the act safe.
    aided : str, optional
        The act that is aided.
    attended : bool, optional
        Whether a creature holds, carries or wears the object.
    target_armed : bool, optional
        Whether the target of an unarmed attack is armed; counts as armed when not said.
    leaves : bool, optional
        Whether the movement leaves a threatened square.
    into_square : bool, optional
        Whether a creature with no reach enters its opponent's square.
    from_target : bool, optional
        Whether it is about the target of a melee attack made in the same turn: Spring Attack keeps
        the target from answering the moves.

    Returns
    -------
    Provocation

    Notes
    -----
    Sources: Simplified 3.5, Table: Standard Actions with its notes, Unarmed Attacks, Provoking an
    Attack of Opportunity, Tiny, Diminutive, and Fine Creatures. What they leave open is ``unknown``
    unless the switch ``unlisted_provokes`` says otherwise.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("classic")
    >>> provokes(rules, "cast_spell").answer, provokes(rules, "use_skill").answer
    ('yes', 'usually')
    >>> provokes(rules, "aid_another", aided="drink_potion").answer
    'yes'
    >>> provokes(rules, "attack_unarmed").by
    'target'
    >>> provokes(rules, "draw_weapon").answer
    'unknown'
    """
    act = find_action(rules, action)
    for safe in act.cell("safe_feat").split():
        if who is not None and who.has_feat(safe):
            return Provocation(act, "no", why=f"feat {rules.feat(safe).label}")
    if into_square:
        return _into_square(rules, act)
    if act.provokes == "moving" and from_target and who is not None and _springs(rules, who):
        return Provocation(act, "no", "target", f"feat {rules.feat('spring_attack').label}")
    if act.provokes == "moving":
        return _leaving(act, leaves)
    if act.provokes == "maybe":
        return _depends(rules, act, aided, attended)
    if act.provokes == "unknown":
        return _unlisted(rules, act)
    if act.cell("by") == "target":
        if act.id != "attack_unarmed":
            return Provocation(act, "yes", "target")
        if rules.switch("unarmed_provokes") == "target":
            if target_armed is False:
                return Provocation(act, "no", "target", "the target is unarmed")
            return Provocation(act, "yes", "target", "only from the target, if armed")
    answers: dict[str, Answer] = {"yes": "yes", "no": "no", "usually": "usually"}
    return Provocation(act, answers.get(act.provokes, "rarely"))


def _springs(rules: Ruleset, who: Combatant) -> bool:
    """Whether Spring Attack can be used: not in heavy armor."""
    heavy = who.armor is not None and rules.armor(who.armor).kind == "heavy"
    return who.has_feat("spring_attack") and not heavy


def _into_square(rules: Ruleset, act: Action) -> Provocation:
    if act.type == "step" and rules.switch("step_into_square") == "never":
        return Provocation(act, "no", "target", "a 5-foot step never provokes")
    return Provocation(act, "yes", "target", "enters the opponent's square")


def _leaving(act: Action, leaves: bool | None) -> Provocation:
    if leaves is None:
        return Provocation(act, "maybe", why="if it leaves a threatened square")
    if leaves and act.cell("exempt") == "first_square":
        return Provocation(act, "maybe", why="not for leaving the square it starts from")
    why = "leaves a threatened square" if leaves else "leaves no threatened square"
    return Provocation(act, "yes" if leaves else "no", why=why)


def _depends(
    rules: Ruleset, act: Action, aided: str | Action | None, attended: bool | None
) -> Provocation:
    if act.cell("when") == "aided":
        if aided is None:
            return Provocation(act, "maybe", why="if the act aided provokes")
        other = find_action(rules, aided)
        if other.cell("when") == "aided":
            raise CombatkitError(f"{act.label}: aiding an act of aid leads nowhere")
        return Provocation(act, provokes(rules, other).answer, why=f"aids: {other.label}")
    if attended is None:
        return Provocation(act, "maybe", why="if a creature holds, carries or wears the object")
    return Provocation(act, "yes" if attended else "no")


def _unlisted(rules: Ruleset, act: Action) -> Provocation:
    why = "the rules do not say"
    chosen = rules.switch("unlisted_provokes")
    if chosen == "no":
        return Provocation(act, "no", why=why)
    elsewhere = act.cell("srd")
    if chosen == "as_srd" and elsewhere:
        answer: Answer = "usually" if elsewhere == "usually" else "no"
        return Provocation(act, "yes" if elsewhere == "yes" else answer, why="the public SRD")
    return Provocation(act, "unknown", why=why)


def approach_provokes(rules: Ruleset, own_reach: int, its_reach: int, step: bool = False) -> bool:
    """Tell whether walking up to a creature with a longer natural reach provokes from it.

    Parameters
    ----------
    rules : Ruleset
    own_reach, its_reach : int
        Feet.
    step : bool, optional
        Whether the last 5 feet are a 5-foot step.

    Returns
    -------
    bool
        Sources: Simplified 3.5, Large, Huge, Gargantuan, and Colossal Creatures; Tiny, Diminutive,
        and Fine Creatures, who have to enter the opponent's square.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("classic")
    >>> approach_provokes(rules, 5, 10), approach_provokes(rules, 5, 10, step=True)
    (True, False)
    >>> approach_provokes(rules, 0, 5, step=True)
    True
    """
    within = its_reach - own_reach
    if not step:
        return within > 0
    if own_reach == 0 and its_reach > 0 and rules.switch("step_into_square") == "provokes":
        return True
    return within > rules.number("step.feet")


def is_armed(
    rules: Ruleset,
    who: Combatant,
    weapon: str | Weapon | None = None,
    touch_spell: bool = False,
) -> bool:
    """Whether somebody counts as armed, and so threatens.

    Parameters
    ----------
    rules : Ruleset
    who : Combatant
    weapon : str or Weapon, optional
        The one in hand; the first of theirs when left out.
    touch_spell : bool, optional
        Whether a touch attack spell is ready to be delivered.

    Returns
    -------
    bool
        Natural weapons and Improved Unarmed Strike (a monk's) count; a bow, crossbow or whip does
        not.
        Sources: Simplified 3.5, Threatened Squares, "Armed" Unarmed Attacks; Phased combat,
        Unarmed strikes.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("srd35")
    >>> is_armed(rules, Combatant()), is_armed(rules, Combatant(weapons=["dagger"]))
    (False, True)
    """
    held = choose_weapon(rules, who, weapon)
    if held.hand == "unarmed":
        return touch_spell or who.has_feat("improved_unarmed_strike")
    return touch_spell or (held.threatens and not held.ranged)


def attacks_of_opportunity(
    rules: Ruleset,
    provocations: int,
    armed: bool = True,
    cover: bool = False,
    total_concealment: bool = False,
    total_defense: bool = False,
    who: Combatant | None = None,
) -> int:
    """How many attacks of opportunity one combatant may make in a round.

    Parameters
    ----------
    provocations : int
        Opportunities given.
    armed : bool, optional
        See :func:`is_armed`.
    cover, total_concealment : bool, optional
        Whether those who provoke have it.
    total_defense : bool, optional
        Whether this combatant uses it.
    who : Combatant, optional
        Combat Reflexes adds the Dexterity bonus.

    Returns
    -------
    int
        One at most, without the feat. Sources: Simplified 3.5, Making an Attack of Opportunity,
        Cover and Attacks of Opportunity, Total Defense; SRD combat modifiers, Total concealment;
        Phased combat, Reactions.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("classic")
    >>> attacks_of_opportunity(rules, 3), attacks_of_opportunity(rules, 1, cover=True)
    (1, 0)
    """
    if provocations < 0:
        raise CombatkitError(f"provocations cannot be negative, not {provocations}")
    if (not armed and unarmed_threaten_nothing(rules)) or cover or total_concealment:
        return 0
    if total_defense:
        return 0
    return min(provocations, opportunity_limit(rules, who))


def opportunity_limit(rules: Ruleset, who: Combatant | None) -> int:
    """How many attacks of opportunity (or reactions) somebody has in a round."""
    limit = rules.number("opportunity.per_round")
    if who is not None and who.has_feat("combat_reflexes"):
        bonus = max(0, modifier_of(who.score("dex")))
        limit += bonus * rules.number("opportunity.combat_reflexes")
    return limit


def unarmed_threaten_nothing(rules: Ruleset) -> bool:
    """Whether the unarmed make no attacks of opportunity (in ``phased`` they may)."""
    return "no_opportunity.unarmed" in rules.lookups
