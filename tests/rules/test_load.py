"""Loading: one ruleset over another, by id, with what was replaced kept in mind."""

from __future__ import annotations

from pathlib import Path

import pytest

import combatkit as ck
from combatkit import CombatkitError, attack, load_ruleset
from combatkit.combat.attacks.situation import Situation
from combatkit.rules import Combatant, Ruleset, built_in

CITE = 'cite = "srd: House"\n'


def _head(extends: str = "srd35", id_: str = "house") -> str:
    return f'[ruleset]\nid = "{id_}"\ntitle = "House rules"\nextends = "{extends}"\n'


def _write(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


@pytest.fixture
def house(tmp_path: Path):  # type: ignore[no-untyped-def]
    def load(text: str, extends: str = "srd35") -> Ruleset:
        return load_ruleset(_write(tmp_path / "house.toml", _head(extends) + text))

    return load


def test_a_file_that_adds_nothing_is_the_ruleset_it_extends(house) -> None:  # type: ignore[no-untyped-def]
    mine, base = house(""), load_ruleset("srd35")
    assert (mine.id, mine.title) == ("house", "House rules")
    for kind in ("rows", "weapons", "armors", "combatants", "switches", "feats", "states"):
        assert getattr(mine, kind) == getattr(base, kind)


def test_an_entry_with_the_same_id_replaces_and_says_what(house) -> None:  # type: ignore[no-untyped-def]
    mine = house(f'[[weapon]]\nid = "longsword"\nlabel = "Long sword"\ndamage = "1d10"\n{CITE}')
    sword = mine.weapons["longsword"]
    assert sword.damage == {"any": "1d10"}
    assert (sword.origin, sword.replaces) == ("house.toml", "weapons.toml")
    assert sword.threat_from == 20  # replaced as a whole, not field by field
    assert list(mine.weapons) == list(load_ruleset("srd35").weapons)  # in its old place


def test_a_new_entry_replaces_nothing(house) -> None:  # type: ignore[no-untyped-def]
    bat = house(f'[[weapon]]\nid = "bat"\ndamage = "1d6"\n{CITE}').weapons["bat"]
    assert (bat.origin, bat.replaces) == ("house.toml", "")


def test_a_row_can_be_removed(house) -> None:  # type: ignore[no-untyped-def]
    mine = house('[[row]]\ntable = "attack"\nid = "dazzled"\nremove = true\n')
    assert "attack.dazzled" not in mine.rows
    assert "dazzled" not in mine.conditions["attacker"]
    assert len(mine.rows) == len(load_ruleset("srd35").rows) - 1


def test_a_table_is_removed_with_its_rows(house) -> None:  # type: ignore[no-untyped-def]
    mine = house('[[table]]\nid = "cover"\nremove = true\n')
    assert mine.slots["cover"] == {}
    assert "armor_class.cover" in mine.rows  # a row of another table stays


def test_a_table_without_rows_can_be_removed(tmp_path: Path) -> None:
    table = f'[[table]]\nid = "mood"\non = "attacker"\nto = "attack"\n{CITE}'
    _write(tmp_path / "base.toml", _head() + table)
    file = _write(
        tmp_path / "house.toml", _head("base.toml") + '[[table]]\nid = "mood"\nremove = true\n'
    )
    assert "mood" in load_ruleset(tmp_path / "base.toml").tables
    assert load_ruleset(file).tables == load_ruleset("srd35").tables


def test_a_whole_ruleset_may_stand_by_itself(tmp_path: Path) -> None:
    """Whatever procedures need is then in its own files: here, all of srd35 once more."""
    for file in (Path(str(ck.__file__)).parent / "rulesets" / "srd35").glob("*.toml"):
        _write(tmp_path / "mine" / file.name, file.read_text("utf-8"))
    mine = load_ruleset(tmp_path / "mine")
    assert mine.numbers == load_ruleset("srd35").numbers


def test_states_stand_by_hit_points_wherever_they_are_written(house) -> None:  # type: ignore[no-untyped-def]
    mine = house(
        f'[[state]]\nid = "bruised"\nlabel = "Bruised"\nlowest = 5\n{CITE}'
        f'[[state]]\nid = "up"\nlabel = "Up"\nlowest = 9\n{CITE}'
        f'[[state]]\nid = "disabled"\nlabel = "Disabled"\nlowest = 0\n{CITE}'
    )
    assert list(mine.states) == ["up", "bruised", "disabled", "dying", "dead"]
    assert [mine.state_of(points) for points in (9, 8, 5, 4, 0, -1, -9, -10)] == [
        "up",
        "bruised",
        "bruised",
        "disabled",
        "disabled",
        "dying",
        "dying",
        "dead",
    ]
    assert mine.dead_at == -10


def test_choose_sets_readings_and_a_ruleset_above_may_choose_again(tmp_path: Path) -> None:
    _write(tmp_path / "a.toml", _head() + '[choose]\ncritical = "none"\nrounding = "up"\n')
    above = _write(tmp_path / "b.toml", _head("a.toml") + '[choose]\ncritical = "confirm"\n')
    mine = load_ruleset(above)
    assert (mine.switch("critical"), mine.switch("rounding")) == ("confirm", "up")
    assert mine.switches["rounding"].default == "down"  # the text's own default is kept


def test_a_folder_is_read_whole(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    _write(folder / "a.toml", f'[[weapon]]\nid = "bat"\ndamage = "1d6"\n{CITE}')
    _write(folder / "b.toml", _head())
    _write(folder / "notes.txt", "not read")
    bat = load_ruleset(folder).weapons["bat"]
    assert (bat.origin, load_ruleset(str(folder)).id) == ("a.toml", "house")


def test_an_empty_folder_says_so(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(CombatkitError, match=r"holds no \.toml file"):
        load_ruleset(tmp_path / "empty")


def test_extends_is_read_beside_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _write(
        tmp_path / "base" / "x.toml", _head() + f'[[weapon]]\nid = "bat"\ndamage = "1d6"\n{CITE}'
    )
    file = _write(tmp_path / "deep" / "er" / "house.toml", _head("../../base/x.toml"))
    monkeypatch.chdir(tmp_path / "deep")
    assert "bat" in load_ruleset("er/house.toml").weapons
    assert "bat" in load_ruleset(file).weapons
    folder = _write(tmp_path / "top" / "rules" / "a.toml", _head("../../base")).parent
    assert "bat" in load_ruleset(folder).weapons  # a folder extends a folder beside itself


def test_the_same_words_in_another_folder_are_no_circle(tmp_path: Path) -> None:
    _write(tmp_path / "house.toml", _head())
    _write(tmp_path / "a" / "house.toml", _head("../house.toml"))
    file = _write(tmp_path / "a" / "b" / "house.toml", _head("../house.toml"))
    assert "longsword" in load_ruleset(file).weapons


def test_a_circle_of_three_is_found(tmp_path: Path) -> None:
    for name, below in (("a", "b"), ("b", "c"), ("c", "a")):
        _write(tmp_path / f"{name}.toml", _head(f"./{below}.toml"))
    with pytest.raises(CombatkitError, match="circle"):
        load_ruleset(tmp_path / "a.toml")


def test_a_long_line_of_rulesets_is_read(tmp_path: Path) -> None:
    for number in range(12):
        below = f"r{number - 1}.toml" if number else "srd35"
        text = f'[[weapon]]\nid = "bat"\nlabel = "Bat {number}"\n{CITE}'
        _write(tmp_path / f"r{number}.toml", _head(below) + text)
    bat = load_ruleset(tmp_path / "r11.toml").weapons["bat"]
    assert (bat.label, bat.origin, bat.replaces) == ("Bat 11", "r11.toml", "r10.toml")


def test_a_row_works_without_a_label(house) -> None:  # type: ignore[no-untyped-def]
    mine = house(
        f'[[row]]\ntable = "armor_class"\nid = "walled_in"\neffects = ["no_attack"]\n{CITE}'
    )
    there = Situation(defender={"walled_in"})
    assert not attack(mine, Combatant(), Combatant(), situation=there).possible


def test_a_row_that_only_sets_the_dexterity_score_works(house) -> None:  # type: ignore[no-untyped-def]
    mine = house(
        f'[[row]]\ntable = "armor_class"\nid = "numb"\nlabel = "Numb"\ndexterity_score = 0\n{CITE}'
    )
    there = Situation(defender={"numb"})
    assert attack(mine, Combatant(), Combatant(), situation=there).armor_class.total == 5


@pytest.mark.parametrize("name", built_in())
def test_every_entry_of_a_built_in_ruleset_is_cited_to_a_known_source(name: str) -> None:
    rules = load_ruleset(name)
    entries = [
        entry
        for kind in (
            "switches",
            "tables",
            "rows",
            "numbers",
            "terms",
            "lookups",
            "feats",
            "weapons",
            "armors",
            "combatants",
            "states",
        )
        for entry in getattr(rules, kind).values()
    ] + [rules.stacking, rules.armor_class, rules.dying]
    cites = [entry.cite for entry in entries] + [rules.dying.first_aid_cite]
    cites += [
        own.cite
        for one in rules.combatants.values()
        for own in one.weapons
        if not isinstance(own, str)
    ]
    assert len(cites) > 250
    assert {cite.source for cite in cites} <= set(rules.sources)
    assert all(cite.place for cite in cites)
    assert {"simplified", "srd_modifiers", "phases", "srd_statistics", "srd"} <= set(rules.sources)


OWN = {
    "srd35": {"srd_modifiers", "srd_statistics"},
    "classic": {"simplified"},
    "phased": {"phases"},
}


@pytest.mark.parametrize("name", built_in())
def test_a_modifier_row_is_cited_to_the_text_of_its_ruleset(name: str) -> None:
    """Rows from elsewhere say that they are outside, or which text they were taken from."""
    for row in load_ruleset(name).rows.values():
        outside = row.cite.source == "srd"
        borrowed = name == "classic" and row.cite.source == "srd_modifiers"
        assert row.cite.source in OWN[name] or outside or borrowed, row.id


def test_built_in_rulesets_are_read_once() -> None:
    assert load_ruleset("srd35") is load_ruleset("srd35")
