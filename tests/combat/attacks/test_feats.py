"""Feats: each changes a number somewhere, or says that it does not."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from combatkit import (
    Combatant,
    CombatkitError,
    Situation,
    Weapon,
    attack,
    full_attack,
    load_ruleset,
    race,
)
from combatkit.combat.attacks import Strike
from combatkit.combat.maneuvers import bull_rush, disarm, grapple, overrun, sunder, trip
from combatkit.combat.turns.initiative import initiative_bonus
from combatkit.combat.turns.opportunity import opportunity_limit, provokes
from combatkit.combat.turns.price import Threat
from combatkit.combat.turns.turn import turn
from combatkit.rules import Ruleset
from combatkit.view import receipt_html, receipt_markdown

C, S = Combatant, Situation
F = Fraction
RULES = {name: load_ruleset(name) for name in ("srd35", "classic", "phased")}
SRD = RULES["srd35"]


def _orders(feats: list[str], weapon: Any = "longsword", **fields: Any) -> list[int]:
    there = fields.pop("there", S())
    off_hand = fields.pop("off_hand", None)
    hero = C(feats=feats, **{"base_attack": 6, "weapons": [weapon], **fields})
    made = full_attack(SRD, hero, C(), situation=there, off_hand=off_hand)
    return [strike.attack_bonus.total for strike in made.strikes]


# ---- further attacks of a round


@pytest.mark.parametrize(
    "feats, fields, expected",
    [
        (["rapid_shot"], {"weapon": "longbow", "abilities": {"dex": 18}}, [8, 8, 3]),
        (["rapid_shot"], {}, [6, 1]),  # not in melee
        (["rapid_shot"], {"weapon": "longbow", "there": S(feats_unused={"rapid_shot"})}, [6, 1]),
        (["rapid_shot"], {"weapon": "longbow", "there": S(attacker={"hasted"})}, [5, 5, 5, 0]),
        ([], {"there": S(attacker={"hasted"})}, [7, 7, 2]),
        ([], {"off_hand": "dagger", "there": S(attacker={"hasted"})}, [3, 3, -2, -1]),
        # monks of level 1, 6, 9 and 12: base attack 0, 4, 6 and 9
        (["flurry_of_blows"], {"weapon": "kama", "level": 1, "base_attack": 0}, [-2, -2]),
        (["flurry_of_blows"], {"weapon": "kama", "level": 6, "base_attack": 4}, [3, 3]),
        (["flurry_of_blows"], {"weapon": "unarmed_strike", "level": 9}, [6, 6, 1]),
        (
            ["flurry_of_blows"],
            {"weapon": "quarterstaff", "level": 12, "base_attack": 9},
            [9, 9, 9, 4],
        ),
        (["flurry_of_blows"], {"weapon": "longsword"}, [6, 1]),
        (["flurry_of_blows"], {"weapon": "kama", "armor": "padded"}, [6, 1]),
        # one shot a round, but for a hand that loads fast
        ([], {"weapon": "light_crossbow"}, [6]),
        (["rapid_shot"], {"weapon": "light_crossbow"}, [6]),
        (["rapid_reload:light_crossbow"], {"weapon": "light_crossbow"}, [6, 1]),
        (["rapid_reload:heavy_crossbow"], {"weapon": "heavy_crossbow"}, [6]),
        (["rapid_reload:hand_crossbow"], {"weapon": "light_crossbow"}, [6]),
        ([], {"weapon": "repeating_light_crossbow"}, [6, 1]),
        (["rapid_shot"], {"weapon": "javelin"}, [4, 4, -1]),
    ],
)
def test_further_attacks(feats: list[str], fields: dict[str, Any], expected: list[int]) -> None:
    assert _orders(feats, **fields) == expected


def test_one_blow_of_haste_for_natural_weapons() -> None:
    claw = {"label": "Claw", "damage": "1d4", "hand": "natural", "attacks": 2}
    assert _orders([], claw, there=S(attacker={"hasted"})) == [7, 7, 7]


@pytest.mark.parametrize("arrows, base, penalty", [(2, 6, -4), (3, 11, -6), (4, 16, -8)])
def test_several_arrows_on_one_roll(arrows: int, base: int, penalty: int) -> None:
    """Each deals its damage; critical hits and sneak attacks count for the first alone."""
    bow = Weapon(base="longbow", extra="1d2 fire")
    hero = C(base_attack=base, feats=["manyshot"], weapons=[bow], sneak_attack="1d6")
    there = S(distance=20, defender={"flat_footed"})
    one, many = (
        attack(SRD, hero, C(armor_class=20), situation=there.model_copy(update={"arrows": n}))
        for n in (1, arrows)
    )
    assert many.attack_bonus.total == one.attack_bonus.total + penalty
    each = F(9, 2) + F(3, 2)
    assert many.hit_damage.mean == one.hit_damage.mean + (arrows - 1) * each
    assert many.critical_damage.mean == one.critical_damage.mean + (arrows - 1) * each
    hit, critical = many.p_hit - many.p_critical, many.p_critical
    mean = hit * many.hit_damage.mean + critical * many.critical_damage.mean
    assert many.damage.mean == mean


def test_arrows_that_cannot_be_shot_at_once() -> None:
    hero = C(base_attack=6, weapons=["longbow"])
    with pytest.raises(CombatkitError, match="base attack bonus of 11"):
        attack(SRD, hero, C(), situation=S(arrows=3))
    with pytest.raises(CombatkitError, match="not a full one"):
        full_attack(SRD, hero, C(), situation=S(arrows=2))
    assert "30 feet" in attack(SRD, hero, C(), situation=S(arrows=2, distance=40)).why_not
    assert "bow" in attack(SRD, hero, C(), "club", S(arrows=2)).why_not


# ---- defense and sight


def test_blind_fight_rolls_a_miss_by_concealment_twice_in_melee() -> None:
    hero = C(base_attack=5, feats=["blind_fight"], weapons=["longsword", "longbow"])
    for percent, row in ((20, "standard"), (50, "total")):
        made = attack(SRD, hero, C(), situation=S(concealment=row))
        assert made.miss_chance == F(percent, 100) ** 2
        assert made.p_hit == F(16, 20) * (1 - F(percent, 100) ** 2)
        shot = attack(SRD, hero, C(), "longbow", S(concealment=row))
        assert shot.miss_chance == F(percent, 100)
    spell = attack(SRD, hero, C(), situation=S(concealment="total", miss_chances=[30]))
    assert spell.miss_chance == F(30, 100)  # which is no concealment, and higher
    each = attack(
        SRD.with_switches(miss_chance="each"), hero, C(),
        situation=S(concealment="total", miss_chances=[30]),
    )  # fmt: skip
    assert each.miss_chance == 1 - F(3, 4) * F(7, 10)


def _unseen(feats: list[str], weapon: str, row: str, side: str) -> tuple[int, int, str]:
    """Attack bonus, armor class and extra dice against Dexterity 16 and a dodge bonus of 1."""
    hero = C(base_attack=5, sneak_attack="1d6")
    foe = C(abilities={"dex": 16}, dodge=1, feats=feats)
    made = attack(SRD, hero, foe, weapon, S(**{side: {row}}))
    return made.attack_bonus.total, made.armor_class.total, made.blow.extra


@pytest.mark.parametrize(
    "feats, weapon, row, side, expected",
    [
        ([], "club", "invisible", "attacker", (7, 10, "1d6")),
        (["blind_fight"], "club", "invisible", "attacker", (5, 14, "")),
        (["blind_fight"], "longbow", "invisible", "attacker", (7, 10, "1d6")),
        (["uncanny_dodge"], "club", "invisible", "attacker", (7, 14, "")),
        ([], "club", "flat_footed", "defender", (5, 10, "1d6")),
        (["blind_fight"], "club", "flat_footed", "defender", (5, 10, "1d6")),
        (["uncanny_dodge"], "club", "flat_footed", "defender", (5, 14, "")),
        (["uncanny_dodge"], "club", "stunned", "defender", (5, 8, "1d6")),
        (["uncanny_dodge"], "club", "flanking", "attacker", (7, 14, "1d6")),
        (["improved_uncanny_dodge"], "club", "flanking", "attacker", (5, 14, "")),
        ([], "club", "running", "defender", (5, 10, "1d6")),
        (["run"], "club", "running", "defender", (5, 14, "")),
        ([], "club", "moving_away", "defender", (5, 14, "")),
        (["mobility"], "club", "moving_away", "defender", (5, 18, "")),
        (["mobility"], "club", "charged", "defender", (5, 12, "")),
    ],
)
def test_defenders_feats(
    feats: list[str], weapon: str, row: str, side: str, expected: tuple[int, int, str]
) -> None:
    assert _unseen(feats, weapon, row, side) == expected


@pytest.mark.parametrize(
    "weapons, there, gained",
    [
        (["longsword", "dagger"], S(), 1),
        (["quarterstaff"], S(), 1),
        (["longsword", "dagger"], S(defender={"fighting_defensively"}), 2),
        (["longsword", "dagger"], S(defender={"total_defense"}), 2),
        (["longsword"], S(), 0),
        (["greatsword", "dagger"], S(), 0),
        (["longbow", "dagger"], S(), 0),
        (["unarmed_strike", "dagger"], S(), 0),
        (["longsword", "dagger"], S(touch=True), 0),
    ],
)
def test_two_weapon_defense(weapons: list[str], there: Situation, gained: int) -> None:
    foe = C(weapons=weapons)
    guarded = C(weapons=weapons, feats=["two_weapon_defense"])
    plain = attack(SRD, C(), foe, "club", there).armor_class.total
    assert attack(SRD, C(), guarded, "club", there).armor_class.total == plain + gained


def test_improved_critical_and_keen_do_not_add_up() -> None:
    def threat(keen: bool, feats: list[str]) -> int:
        held = Weapon(base="longsword", keen=keen)
        return attack(SRD, C(feats=feats), C(), held).blow.threat_from

    feat = ["improved_critical:longsword"]
    assert [threat(False, []), threat(True, []), threat(False, feat), threat(True, feat)] == [
        19, 17, 17, 17,
    ]  # fmt: skip
    with pytest.raises(CombatkitError, match="keen"):
        attack(SRD, C(), C(), Weapon(base="club", keen=True))


def test_spring_attack_keeps_the_target_from_answering() -> None:
    bold = C(feats=["spring_attack"])
    told = provokes(SRD, "move", bold, leaves=True, from_target=True)
    assert (told.answer, told.by) == ("no", "target")
    assert provokes(SRD, "move", bold, leaves=True).answer == "yes"
    assert provokes(SRD, "move", C(), leaves=True, from_target=True).answer == "yes"
    knight = C(feats=["spring_attack"], armor="full_plate")
    assert provokes(SRD, "move", knight, leaves=True, from_target=True).answer == "yes"


# ---- the same feat twice


def test_a_feat_listed_twice_counts_once() -> None:
    twice = attack(SRD, C(), C(feats=["dodge", "dodge"]), "club")
    assert twice.armor_class.total == 11
    assert "listed twice" in twice.explain()
    focus = C(feats=["weapon_focus:club", "weapon_focus:club"])
    assert attack(SRD, focus, C(), "club").attack_bonus.total == 1
    both = C(feats=["weapon_focus:club", "weapon_focus:dagger"])
    for weapon in ("club", "dagger"):
        assert attack(SRD, both, C(), weapon).attack_bonus.total == 1
    quick = C(feats=["improved_initiative", "improved_initiative"])
    assert initiative_bonus(SRD, quick).total == 4


def test_a_feat_that_says_so_counts_each_time(tmp_path: Any) -> None:
    house = tmp_path / "house.toml"
    house.write_text(
        '[ruleset]\nid = "house"\ntitle = "House"\nextends = "srd35"\n[[feat]]\nid = "thick_skin"\n'
        'bonuses = [{to = "armor_class", value = 1, type = "dodge"}]\nrepeats = true\n'
        'cite = "srd: House"\n'
    )
    rules = load_ruleset(house)
    thick = C(feats=["thick_skin", "thick_skin"])
    assert attack(rules, C(), thick, "club").armor_class.total == 12


@pytest.mark.parametrize(
    "feats, words",
    [
        (["dogde"], "did you mean 'dodge'"),
        (["dodge:club"], "not for one weapon"),
    ],
)
def test_other_words_are_refused(feats: list[str], words: str) -> None:
    for attacker, defender in ((C(feats=feats), C()), (C(), C(feats=feats))):
        with pytest.raises(CombatkitError, match=words):
            made = attack(SRD, attacker, defender, "club")
            made.explain()


def test_feats_left_unused_are_feats_of_the_attacker() -> None:
    with pytest.raises(CombatkitError, match="feats_unused"):
        attack(SRD, C(feats=["dodge"]), C(), "club", S(feats_unused={"rapid_shot"}))


def test_a_feat_for_an_unknown_weapon_says_so() -> None:
    made = attack(SRD, C(feats=["weapon_focus:longswrd"]), C(), "club")
    assert "did you mean 'longsword'" in made.explain()


# ---- every feat of every ruleset

SCENES: tuple[Callable[[Ruleset, Combatant, Combatant], object], ...] = ()


def _told(strike: Strike) -> object:
    return strike.blow, strike.possible


def _actions(rules: Ruleset) -> set[str]:
    return {entry.id for entry in rules.lookups.values() if entry.table == "action"}


def _maneuvers(rules: Ruleset, who: Combatant, foe: Combatant) -> list[object]:
    """Chances of the maneuvers, provoking included; what a ruleset does not have is refused."""
    found: list[object] = []
    foe = foe.model_copy(update={"weapons": C(weapons=["longsword"]).weapons})
    threats = [Threat(foe)]
    for make, more in (
        (bull_rush, {}), (disarm, {}), (grapple, {}), (overrun, {"avoids": True}), (overrun, {}),
        (sunder, {}), (trip, {"weapon": "unarmed_strike"}),
    ):  # fmt: skip
        try:
            found.append(make(rules, who, foe, threats=threats, **more).p_success)  # type: ignore
        except CombatkitError as refused:
            found.append(str(refused))
    return found


def _outcomes(rules: Ruleset, who: Combatant) -> list[object]:
    """Whatever somebody's feats may change, as attacker, as defender and in a turn."""
    found: list[object] = []
    plain = C(hit_points=3, abilities={"dex": 16}, dodge=1)
    situations = [
        S(), S(touch=True), S(distance=20), S(distance=200), S(concealment="standard"),
        S(cover="standard"), S(power_attack=1), S(combat_expertise=1), S(arrows=2),
        *(S(attacker={row}) for row in rules.conditions["attacker"]),
        *(S(defender={row}) for row in rules.conditions["defender"]),
    ]  # fmt: skip
    needed = rules.with_switches(option_feats="needed")
    for there in situations:
        if there.cover and not rules.slots["cover"]:
            continue
        if there.concealment and not rules.slots["concealment"]:
            continue
        for weapon in ("longsword", "longbow", "unarmed_strike", "dagger", "lance"):
            for sides in ((who, plain), (plain, who)):
                made: object
                try:
                    made = _told(attack(needed, *sides, weapon, there))
                except CombatkitError as refused:
                    made = str(refused)
                found.append(made)
    for weapons, off_hand in (
        (["longsword"], "dagger"), (["longbow"], None), (["light_crossbow"], None),
        (["kama"], None), ([{"damage": "1d4", "hand": "natural_secondary"}], None),
    ):  # fmt: skip
        armed = who.model_copy(update={"weapons": C(weapons=weapons).weapons})
        found.append(
            [_told(s) for s in full_attack(rules, armed, plain, off_hand=off_hand).strikes]
        )
    found += [initiative_bonus(rules, who).total, opportunity_limit(rules, who)]
    for act in sorted(_actions(rules)):
        found.append(provokes(rules, act, who, leaves=True, from_target=True).answer)
        for first in sorted({"attack_melee", "full_attack"} & _actions(rules)):
            found.append(turn(rules, [first, act], who).why_not)
    if "shield_idle" in rules.conditions["defender"]:
        shielded, there = who.model_copy(update={"shield": "tower"}), S(defender={"shield_idle"})
        found.append(attack(rules, plain, shielded, "club", there).blow)
    found += _maneuvers(rules, who, plain)
    armed = who.model_copy(update={"weapons": C(weapons=["longsword"]).weapons})
    found.append(race(rules, plain, 3, armed).p_foe_wins)
    return found


# what works on rows, actions or further attacks that a ruleset does not have
IDLE_PHASED = """
combat_reflexes improved_bull_rush improved_disarm improved_grapple improved_overrun
improved_precise_shot improved_shield_bash improved_sunder improved_trip mobility precise_shot
quick_draw rapid_reload run spirited_charge spring_attack
"""
IDLE = {"phased": set(IDLE_PHASED.split())}

HERO = C(
    base_attack=9, abilities={"str": 14, "dex": 16}, hit_points=9, sneak_attack="1d6", level=9,
    weapons=["longsword", "dagger"],
)  # fmt: skip


@pytest.mark.parametrize("name", RULES)
def test_every_feat_changes_a_number_or_says_that_it_does_not(name: str) -> None:
    rules = RULES[name]
    without = _outcomes(rules, HERO)
    idle = []
    for key, feat in rules.feats.items():
        words = (
            [f"{key}:{w}" for w in ("longsword", "light_crossbow")] if feat.weapon_bound else [key]
        )
        changes = _outcomes(rules, HERO.model_copy(update={"feats": tuple(words)})) != without
        if not changes:
            idle.append(key)
        if not feat.counts:
            assert not changes, key
            _says_so(rules, words[0], feat.label, feat.apart)
    unmarked = {key for key in idle if rules.feats[key].counts}
    assert unmarked == IDLE.get(name, set())
    for key in unmarked:
        made = attack(rules, HERO.model_copy(update={"feats": (key,)}), C(), "club")
        assert rules.feats[key].label in {remark.label for remark in made.remarks}


def _says_so(rules: Ruleset, word: str, label: str, why: str) -> None:
    for sides in ((C(feats=[word]), C()), (C(), C(feats=[word]))):
        made = attack(rules, *sides, "club")
        assert "Does not change these odds: " in made.explain()
        for text in (made.explain(), receipt_html(made), receipt_markdown(made)):
            assert label.split("-")[0].split(" (")[0] in text
        assert any(label == remark.label and why == remark.why for remark in made.remarks)


@pytest.mark.parametrize("key", SRD.feats)
def test_a_feat_without_a_say_in_this_attack_is_told(key: str) -> None:
    """Whatever leaves an ordinary attack as it is has a line that says why."""
    plain = attack(SRD, C(base_attack=5), C(), "club")
    for sides in ((C(base_attack=5, feats=[key]), C()), (C(base_attack=5), C(feats=[key]))):
        made = attack(SRD, *sides, "club")
        if made.blow == plain.blow:
            assert made.remarks, key
