"""What helps somebody to hide: size, cover, darkness and not being seen at all."""

from __future__ import annotations

from collections.abc import Iterator

from combatkit.combat.attacks.situation import Situation
from combatkit.rules import Ruleset, Tally, tally
from combatkit.rules.equipment import Size
from combatkit.rules.tally import Line


def hide_bonus(
    rules: Ruleset, situation: Situation, size: Size = "medium", moving: bool = True
) -> Tally:
    """Tally what a situation adds to its defender's Hide check.

    Parameters
    ----------
    rules : Ruleset
    situation : Situation
        Its improved cover, near-total darkness and the defender's row ``invisible`` count.
    size : str, optional
        Of whoever hides.
    moving : bool, optional
        Whether it moves, which halves what being invisible is worth.

    Returns
    -------
    Tally
        Sources: SRD combat modifiers, Varying degrees of cover and of concealment, Ignoring
        concealment; SRD combat statistics, Size table.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("srd35")
    >>> hide_bonus(rules, Situation(cover="improved"), "small").total
    14
    >>> hide_bonus(rules, Situation(defender={"invisible"}), moving=False).total
    40
    """
    return tally(_lines(rules, situation, size, moving), rules.stacking, "Hide")


def _lines(rules: Ruleset, there: Situation, size: Size, moving: bool) -> Iterator[Line]:
    row = rules.lookup("size", size)
    if hide := int(row.number("hide")):
        yield Line.of(row, hide, "size.hide", "size")
    chosen = {(rules.tables[row.table].slot, row.id) for row in there.rows(rules)}
    for name, holds, kind in (
        ("cover.improved_hide", ("cover", "improved") in chosen, "untyped"),
        ("concealment.dense_hide", ("concealment", "dense") in chosen, "circumstance"),
        ("invisible.hide_moving", moving and "invisible" in there.defender, "untyped"),
        ("invisible.hide_still", not moving and "invisible" in there.defender, "untyped"),
    ):
        if holds:
            yield Line.of(rules.numbers[name], rules.number(name), name, kind)


def sees_by_torch(rules: Ruleset, feet: int, low_light: bool = False) -> bool:
    """Tell whether somebody that far from a torch is seen clearly by its light.

    Source: SRD combat modifiers, Ignoring concealment: low-light vision doubles the radius.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("srd35")
    >>> sees_by_torch(rules, 30), sees_by_torch(rules, 30, low_light=True)
    (False, True)
    """
    return feet <= rules.number("torch.radius_low_light" if low_light else "torch.radius")
