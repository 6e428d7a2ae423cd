"""The weapon form: pick a weapon, change what is different about this one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import ipywidgets as W
import traitlets as T

from combatkit.rules import Ruleset, Weapon
from combatkit_widgets.forms import (
    Field,
    Form,
    alert_line,
    changed,
    grid,
    labelled,
    maybe_number,
    more,
    part,
    read_number,
    text,
    tick,
    whole_number,
)
from combatkit_widgets.words import weapon_name, whole_weapon

HANDS = {
    "unarmed": "unarmed",
    "light": "light",
    "one_handed": "one-handed",
    "two_handed": "two-handed",
    "natural": "natural, one of several",
    "natural_sole": "natural, the only one",
    "natural_secondary": "natural, secondary",
}
BUILDS = {
    "": "not said",
    "blade": "a blade",
    "hafted": "a wooden haft",
    "metal_hafted": "a metal haft",
    "projectile": "a bow or crossbow",
}
EDITED = "as changed below"


class WeaponForm(Form):
    """Pick a weapon and override its numbers; ``value`` is a :class:`combatkit.Weapon`.

    The value stands on its own: what a ``base`` says is filled in.

    Parameters
    ----------
    rules : Ruleset
        Its weapons fill the menu.
    value : Weapon or str, optional
        A weapon or the id of one; the first in the menu when left out.
    own : sequence of str or Weapon, optional
        Weapons that stand first in the menu, such as ``fighter.weapons``.
    size : str, optional
        Size of the wielder, for whom damage dice are shown.
    **kwargs
        ``description`` and traits of any ipywidget.

    Examples
    --------
    >>> from combatkit import load_ruleset
    >>> form = WeaponForm(load_ruleset("srd35"), "greataxe")
    >>> form.value.multiplier, form.value.damage["medium"]
    (3, '1d12')
    """

    value = T.Instance(Weapon, help="The weapon; assign one to show it.")
    rules = T.Instance(Ruleset, help="Ruleset whose weapons the menu offers.")

    def __init__(
        self,
        rules: Ruleset,
        value: Weapon | str | None = None,
        own: Sequence[str | Weapon] = (),
        size: str = "medium",
        **kwargs: Any,
    ) -> None:
        self._own, self._size = tuple(own), size
        choice = value or next(iter(own), next(iter(rules.weapons)))
        super().__init__(rules.weapon(choice), rules=rules, **kwargs)

    def wielded_by(self, own: Sequence[str | Weapon], size: str) -> None:
        """Say whose weapons stand first in the menu, and for which size dice are shown."""
        if (tuple(own), size) != (self._own, self._size):
            self._own, self._size = tuple(own), size
            with self._quiet():
                self._menu.options = self._options()
                self._fill(None, self.value)

    @T.validate("value")
    def _on_its_own(self, proposal: Any) -> Weapon:
        return whole_weapon(self.rules, proposal.value)

    @T.observe("rules")
    def _from_rules(self, change: Any) -> None:
        if not self._fields or change.new.weapons is change.old.weapons:
            return
        self.value = fit_weapon(self.value, change.old, change.new)
        with self._quiet():
            self._menu.options = self._options()
            self._fill(None, self.value)

    def _options(self) -> list[tuple[str, str]]:
        own = [
            (weapon_name(self.rules, choice), f"own {number}")
            for number, choice in enumerate(self._own)
        ]
        listed = [
            (f"{weapon.label} · {weapon.category}, {HANDS[weapon.hand]}", key)
            for key, weapon in self.rules.weapons.items()
        ]
        return own + listed

    def _shown_choice(self, value: Weapon) -> str:
        for number, choice in enumerate(self._own):
            if whole_weapon(self.rules, choice) == value:
                return f"own {number}"
        return value.id if self.rules.weapons.get(value.id) == value else EDITED

    def _chosen(self, value: Weapon, key: str) -> Weapon:
        if key == EDITED:
            return value
        own = {f"own {number}": choice for number, choice in enumerate(self._own)}
        return whole_weapon(self.rules, own.get(key, key))

    def _shown_damage(self, value: Weapon) -> str:
        return value.damage.get(self._size) or value.damage.get("any") or ""  # type: ignore[call-overload]

    def _given_damage(self, value: Weapon, dice: str) -> Weapon:
        if dice.strip() == self._shown_damage(value):
            return value  # keeps the dice for other sizes
        return changed(value, damage=dice.strip() or {})

    def _make(self) -> tuple[Iterable[Field], Iterable[Any]]:
        self._menu = labelled(W.Dropdown, "Weapon", wide=True, options=self._options())
        menu = Field(self._menu, self._shown_choice, self._chosen)
        damage = Field(
            labelled(W.Text, "Damage dice", placeholder="none", continuous_update=False),
            self._shown_damage,
            self._given_damage,
            alert_line(),
        )
        threats = [(f"{face}–20" if face < 20 else "20 only", face) for face in range(20, 1, -1)]
        threat = part("threat_from", labelled(W.Dropdown, "Threat range", options=threats))
        times = [(f"×{times}", times) for times in range(2, 6)]
        multiplier = part("multiplier", labelled(W.Dropdown, "Critical", options=times))
        enhancement = whole_number("enhancement", "Enhancement", 0, 10)
        builds = [(label, key) for key, label in BUILDS.items()]
        hands = [(label, key) for key, label in HANDS.items()]
        rest = [
            damage,
            threat,
            multiplier,
            enhancement,
            text("label", "Name"),
            text("extra", "Extra dice (not multiplied)", "such as 1d6 fire"),
            whole_number("range_increment", "Range increment, feet", 0, 1000),
            whole_number("strength_rating", "Composite bow: Strength rating", 0, 30),
            part("hand", labelled(W.Dropdown, "Held", options=hands)),
            tick("masterwork", "Masterwork"),
            tick("keen", "Keen"),
            tick("nonlethal", "Nonlethal damage"),
            tick("trips", "Made for tripping"),
            whole_number("disarm_bonus", "Bonus to disarm", 0, 20),
            part("build", labelled(W.Dropdown, "Built with (for sundering)", options=builds)),
            _attack_bonuses(),
            maybe_number("damage_bonus", "Damage bonus as printed", "computed"),
        ]
        box = grid(rest)
        return [menu, *rest], [grid([menu, more(box, "Change the weapon…")]), box]


def _attack_bonuses() -> Field:
    label = "Attack bonuses as printed"
    control = labelled(W.Text, label, placeholder="such as +17/+12", continuous_update=False)

    def shows(weapon: Weapon) -> str:
        return "/".join(f"{bonus:+d}" for bonus in weapon.attack_bonuses)

    def gives(weapon: Weapon, content: str) -> Weapon:
        parts = filter(None, map(str.strip, content.split("/")))
        return changed(weapon, attack_bonuses=[read_number(part, label) for part in parts])

    return Field(control, shows, gives, alert_line())


def fit_weapon(value: Weapon, old: Ruleset, new: Ruleset) -> Weapon:
    """Return the new rules' weapon of the same id where the old one was not changed."""
    if value == old.weapons.get(value.id):
        return new.weapons.get(value.id, value)
    return value
