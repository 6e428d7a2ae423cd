"""Laws that hold for any attack in any ruleset."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from combatkit import Combatant, CombatkitError, Situation, attack, full_attack, load_ruleset
from combatkit.combat.attacks.attack import Strike

RULES = {name: load_ruleset(name) for name in ("srd35", "classic", "phased")}
names = st.sampled_from(list(RULES))
weapons = st.sampled_from(["longsword", "rapier", "scythe", "longbow", "net", "unarmed_strike"])
rolls = st.sampled_from(["normal", "advantage", "disadvantage"])
grips = st.sampled_from(["primary", "two_handed", "off_hand", "thrown", None])


@st.composite
def situations(draw: st.DrawFn, name: str) -> Situation:
    rules = RULES[name]
    chosen: dict[str, Any] = {
        side: draw(st.sets(st.sampled_from(sorted(rules.conditions[side])), max_size=3))
        for side in ("attacker", "defender")
    }
    for slot in ("cover", "concealment"):
        chosen[slot] = draw(st.sampled_from([None, *sorted(rules.slots[slot])]))
    return Situation(**chosen, roll=draw(rolls), touch=draw(st.booleans()))


@st.composite
def made(draw: st.DrawFn, bonus: int = 0) -> Any:
    """Draw an attack to be made with so much more attack bonus and armor class."""
    name, weapon = draw(names), draw(weapons)
    there = draw(situations(name))
    base, ac = draw(st.integers(-5, 20)), draw(st.integers(-5, 40))
    hero = {
        "base_attack": base,
        "abilities": {"str": draw(st.integers(1, 30))},
        "sneak_attack": "1d6",
    }

    def strike(attack_more: int = 0, armor_more: int = 0) -> Strike:
        shifted = there.model_copy(
            update={"attack_bonus": attack_more, "armor_class_bonus": armor_more}
        )
        return attack(RULES[name], Combatant(**hero), Combatant(armor_class=ac), weapon, shifted)

    return strike


@given(made())
def test_chances_are_chances(strike: Any) -> None:
    one = strike()
    lands = 1 - one.miss_chance
    assert 0 <= one.p_critical <= one.p_threat * lands <= one.p_hit <= 1
    for odds in (one.damage, one.hit_damage, one.critical_damage):
        assert sum(p for _, p in odds.items()) == 1
        assert odds.minimum >= 0
    assert one.odds.miss + one.odds.hit + one.odds.critical == one.odds.total
    assert one.damage.mean == (
        (one.p_hit - one.p_critical) * one.hit_damage.mean
        + one.p_critical * one.critical_damage.mean
    )
    if one.weapon.id != "net":
        assert one.damage.at_least(1) == one.p_hit


@settings(max_examples=30)
@given(made())
def test_more_armor_class_never_helps_the_attacker(strike: Any) -> None:
    tried = [strike(armor_more=more) for more in range(0, 30, 3)]
    for chance in ("p_hit", "p_critical"):
        assert all(getattr(a, chance) >= getattr(b, chance) for a, b in pairwise(tried))
    assert all(a.damage.mean >= b.damage.mean for a, b in pairwise(tried))


@settings(max_examples=30)
@given(made())
def test_more_attack_bonus_never_hurts_the_attacker(strike: Any) -> None:
    tried = [strike(attack_more=more) for more in range(0, 30, 3)]
    for chance in ("p_hit", "p_critical"):
        assert all(getattr(a, chance) <= getattr(b, chance) for a, b in pairwise(tried))


@settings(max_examples=40)
@given(made(), st.integers(-20, 20))
def test_only_the_difference_counts(strike: Any, shift: int) -> None:
    assert strike(shift, shift).blow == strike().blow


def _tried(name: str, who: Combatant, weapon: str, grip: Any, foe: Combatant, **more: Any) -> None:
    try:
        one = attack(RULES[name], who, foe, weapon, grip=grip, **more)
    except CombatkitError as error:
        assert str(error)
        return
    assert 0 <= one.p_critical <= one.p_hit <= 1
    assert one.possible or one.damage.maximum == 0
    assert one.explain()


def test_every_weapon_in_every_hand_works_or_says_why() -> None:
    """Each weapon with each combatant; grips and rulesets take turns so that all of them meet."""
    turns = [
        (name, grip)
        for name in RULES
        for grip in ("primary", "two_handed", "off_hand", "thrown", None)
    ]
    srd = RULES["srd35"]
    foes = list(srd.combatants.values())
    step = 0
    for who in srd.combatants.values():
        for weapon in srd.weapons:
            name, grip = turns[step % len(turns)]
            _tried(name, who, weapon, grip, foes[step % len(foes)])
            step += 1
    assert step > 3000


def test_every_combatant_makes_a_full_attack() -> None:
    for rules in RULES.values():
        for who in rules.combatants.values():
            for own in who.weapons:
                key = own if isinstance(own, str) else own.id or own.base
                assert full_attack(rules, who, who, key).strikes
            assert sum(p for _, p in full_attack(rules, who, who).damage.items()) == 1


ids = st.one_of(st.text(max_size=6), st.sampled_from(sorted(RULES["srd35"].weapons)))


@given(names, st.data())
def test_any_words_at_all_work_or_say_why(name: str, data: st.DataObject) -> None:
    rules = RULES[name]
    words = {
        side: data.draw(
            st.sets(
                st.one_of(st.text(max_size=5), st.sampled_from(sorted(rules.conditions[side]))),
                max_size=2,
            )
        )  # type: ignore[index]
        for side in ("attacker", "defender")
    }
    who = data.draw(st.sampled_from(list(rules.combatants.values())))
    there = Situation(**words, cover=data.draw(st.sampled_from([None, "soft", "25", ""])))
    _tried(name, who, data.draw(ids), data.draw(grips), who, situation=there)
