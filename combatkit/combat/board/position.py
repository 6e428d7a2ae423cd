"""From a map to a situation: distance, cover, concealment and flanking, each with its reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from combatkit.combat.attacks.situation import Situation
from combatkit.combat.board.flanking import flanking, into_melee
from combatkit.combat.board.map import Map
from combatkit.combat.board.sight import Finding, Scene, scene_on
from combatkit.rules import Ruleset, Weapon
from combatkit.rules.modifier import Mode

ANYWHERE = Situation()


@dataclass(frozen=True, eq=False)
class Position:
    """What a map says about one attack.

    Attributes
    ----------
    situation : Situation
        Ready for :func:`combatkit.attack`.
    findings : tuple of Finding
    mode : {"melee", "ranged"}
    """

    situation: Situation
    findings: tuple[Finding, ...]
    mode: Mode

    @property
    def allows_opportunity_attack(self) -> bool:
        """Whether cover or total concealment stands in the way of an attack of opportunity.

        Source: SRD combat modifiers, Cover and attacks of opportunity; Total concealment.
        """
        return self.situation.cover is None and self.situation.concealment != "total"

    @property
    def allows_hiding(self) -> bool:
        """Whether cover (but not soft cover) or concealment lets the defender hide.

        Source: SRD combat modifiers, Cover and Hide checks; Soft cover; Concealment and Hide
        checks.
        """
        there = self.situation
        return there.cover not in (None, "soft") or there.concealment is not None

    def explain(self) -> str:
        """Write every finding down with its citation."""
        return "\n".join(f"{found.text}  [{found.cite}]" for found in self.findings)


def position_on(
    rules: Ruleset,
    map: Map,
    attacker: str,
    defender: str,
    weapon: str | Weapon | None = None,
    thrown: bool = False,
    situation: Situation = ANYWHERE,
) -> Position:
    """Read off a map what holds for one attack, and why.

    Parameters
    ----------
    rules : Ruleset
    map : Map
    attacker, defender : str
        Ids of creatures on the map.
    weapon : str, Weapon or None, optional
        None is what the attacker holds.
    thrown : bool, optional
        Whether a weapon that could strike is thrown.
    situation : Situation, optional
        What else holds; the map adds to it.

    Returns
    -------
    Position
        Sources: SRD combat modifiers, Cover, Concealment, Flanking; Simplified 3.5, the same and
        Big and little creatures in combat.

    Raises
    ------
    CombatkitError
        For a creature that is not on the map, or a combatant or weapon that is not known.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> here = Map(
    ...     creatures=[
    ...         {"id": "Ann", "at": [0, 0], "side": "heroes"},
    ...         {"id": "orc", "at": [1, 0], "side": "orcs"},
    ...         {"id": "Bo", "at": [2, 0], "side": "heroes"},
    ...     ]
    ... )
    >>> position_on(load_ruleset("srd35"), here, "Ann", "orc").situation
    Situation(attacker=frozenset({'flanking'}), ..., distance=5, ...)
    """
    scene = scene_on(rules, map, attacker, defender, weapon, thrown)
    findings = tuple(_findings(scene))
    rows = {found.about: found.row for found in findings if found.row is not None}
    ticked = {rows[about] for about in ("flanking", "into_melee") if about in rows}
    return Position(
        situation.model_copy(
            update={
                "distance": scene.feet,
                "attacker": situation.attacker | ticked,
                "cover": rows.get("cover", situation.cover),
                "concealment": rows.get("concealment", situation.concealment),
            }
        ),
        findings,
        scene.mode,
    )


def situation_on(
    rules: Ruleset,
    map: Map,
    attacker: str,
    defender: str,
    weapon: str | Weapon | None = None,
    thrown: bool = False,
    situation: Situation = ANYWHERE,
) -> Situation:
    """Tell the situation of an attack on a map; :func:`position_on` says why as well.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> here = Map(
    ...     creatures=[{"id": "Ann", "at": [0, 0]}, {"id": "orc", "at": [6, 0]}],
    ...     low_walls=[[5, 0]],
    ... )
    >>> there = situation_on(load_ruleset("srd35"), here, "Ann", "orc", weapon="longbow")
    >>> there.distance, there.cover
    (30, 'standard')
    """
    return position_on(rules, map, attacker, defender, weapon, thrown, situation).situation


def _findings(scene: Scene) -> Iterator[Finding]:
    cover = scene.cover()
    yield from (scene.apart(), cover, scene.concealment())
    yield from flanking(scene) if scene.mode == "melee" else into_melee(scene, cover.row)
