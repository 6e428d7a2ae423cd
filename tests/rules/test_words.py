"""Words and numbers are what they say they are: bonus types, whole numbers, lines, slips."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combatkit import Combatant, CombatkitError, Situation, Weapon, attack, checks, load_ruleset
from combatkit.combat.attacks.situation import Situation as There
from combatkit.combat.turns import initiative_bonus
from combatkit.rules import Armor, Ruleset
from combatkit.rules.place import line_of
from combatkit.rules.read import one_slip

SRD = load_ruleset("srd35")
CITE = 'cite = "srd: House"\n'
MODELS: dict[str, Any] = {
    "Combatant": Combatant,
    "Weapon": Weapon,
    "Armor": Armor,
    "Situation": Situation,
}
FIELDS = [(name, field) for name, model in MODELS.items() for field in model.model_fields]


def _load(folder: Path, text: str, extends: str = "srd35") -> Ruleset:
    file = folder / "house.toml"
    head = f'[ruleset]\nid = "house"\ntitle = "House rules"\nextends = "{extends}"\n'
    file.write_text(head + text)
    return load_ruleset(file)


# ---- bonus types


def _by(kind: str, to: str = "attack") -> Combatant:
    return Combatant(weapons=["club"], bonuses=[{"to": to, "value": 2, "type": kind}])


@pytest.mark.parametrize("to", ["attack", "armor_class", "damage", "confirmation"])
def test_a_bonus_type_that_nobody_knows_is_refused_in_an_attack(to: str) -> None:
    plain = Combatant(weapons=["club"])
    with pytest.raises(CombatkitError, match=r"bonus type 'dogde'.*did you mean 'dodge'"):
        attack(SRD, _by("dogde", to), plain)
    with pytest.raises(CombatkitError, match=r"bonus type 'dogde'.*did you mean 'dodge'"):
        attack(SRD, plain, _by("dogde", to))


def test_a_bonus_type_that_nobody_knows_is_refused_elsewhere() -> None:
    with pytest.raises(CombatkitError, match=r"'moral'.*did you mean 'morale'"):
        checks.save_bonus(SRD, _by("moral", "save"), "will", There())
    with pytest.raises(CombatkitError, match=r"'moral'.*did you mean 'morale'"):
        initiative_bonus(SRD, _by("moral", "initiative"))


def test_an_empty_bonus_type_and_a_target_that_nothing_reads_are_refused() -> None:
    with pytest.raises(CombatkitError, match=r"'bonuses.0.type': some text is needed"):
        _by("")
    with pytest.raises(CombatkitError, match="'checks' is not valid"):
        _by("luck", "checks")


def test_every_bonus_type_declared_can_be_given() -> None:
    for kind in SRD.bonus_types:
        assert attack(SRD, _by(kind), Combatant()).attack_bonus.total == 2


def test_a_new_bonus_type_is_declared(tmp_path: Path) -> None:
    text = f'[[bonus_type]]\nid = "song"\nnote = "A bard sings."\n{CITE}'
    assert attack(_load(tmp_path, text), _by("song"), Combatant()).attack_bonus.total == 2


def test_a_type_may_stop_stacking_when_it_says_so(tmp_path: Path) -> None:
    keeps = ", ".join(f'"{word}"' for word in SRD.stacking.stacks if word != "dodge")
    section = f"[stacking]\nstacks = [{keeps}]\n{CITE}"
    with pytest.raises(CombatkitError, match="'dodge' is left out"):
        _load(tmp_path, section)
    mine = _load(tmp_path, section + 'highest_only = ["dodge"]\n')
    nimble = Combatant(dodge=1, feats=["dodge"])
    assert attack(SRD, Combatant(), nimble).armor_class.total == 12
    assert attack(mine, Combatant(), nimble).armor_class.total == 11


# ---- new entries and bases


def test_an_entry_one_letter_off_may_say_that_it_is_new(tmp_path: Path) -> None:
    row = f'[[row]]\ntable = "attack"\nid = "flankng"\nmelee = 1\n{CITE}'
    with pytest.raises(CombatkitError, match=r"one letter off 'attack.flanking'"):
        _load(tmp_path, row)
    assert "attack.flankng" in _load(tmp_path, row + "new = true\n").rows


def test_a_weapon_of_the_file_fills_in_from_its_base(tmp_path: Path) -> None:
    mine = _load(
        tmp_path,
        f'[[weapon]]\nid = "family_sword"\nbase = "elf_sword"\nenhancement = 2\n{CITE}'
        f'[[weapon]]\nid = "elf_sword"\nbase = "longsword"\nmasterwork = true\n{CITE}',
    )
    sword = mine.weapon("family_sword")
    assert (sword.damage, sword.threat_from) == (SRD.weapons["longsword"].damage, 19)
    assert (sword.enhancement, sword.masterwork, sword.id) == (2, True, "family_sword")


@pytest.mark.parametrize("removed", ["row:attack.flanking", "table:cover", "row:cover.standard"])
def test_what_the_rules_below_say_of_a_removed_row_is_no_mistake(
    tmp_path: Path, removed: str
) -> None:
    section, _, key = removed.partition(":")
    table, _, row = key.rpartition(".")
    named = f'table = "{table}"\n' if table else ""
    mine = _load(tmp_path, f'[[{section}]]\n{named}id = "{row}"\nremove = true\n')
    assert key not in mine.rows


def test_all_problems_of_two_files_are_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(
        f'[ruleset]\nid = "a"\ntitle = "A"\nextends = "srd35"\n\n[[weapon]]\nid = "bat"\n'
        f'damage = "1x6"\n{CITE}'
    )
    (tmp_path / "b.toml").write_text(
        f'[[number]]\nid = "grid.sqare"\nvalue = 5\n{CITE}'
        '[[row]]\ntable = "attack"\nid = "tired"\nmelee = -1\ntype = "weary"\n'
    )
    with pytest.raises(CombatkitError) as caught:
        load_ruleset(tmp_path)
    told = caught.value.problems
    assert [problem.split(":")[0] for problem in told] == [
        "a.toml, line 8",
        "b.toml, line 2",
        "b.toml, line 5",
    ]
    assert all(problem in str(caught.value) for problem in told)


def test_hundreds_of_problems_are_shown_in_part(tmp_path: Path) -> None:
    text = "".join(f'[[weapon]]\nid = "w{n}"\nhand = "x"\n' for n in range(300))
    with pytest.raises(CombatkitError, match="300 problems") as caught:
        _load(tmp_path, text)
    assert len(caught.value.problems) == 300
    assert str(caught.value).endswith("… and 260 more")


# ---- numbers are numbers, and messages are plain


def _whole(model: Any, field: str) -> bool:
    try:
        model.from_data({field: 5})
    except CombatkitError as error:
        return "whole number" in str(error) or "at most" in str(error)
    return True


@pytest.mark.parametrize(("name", "field"), FIELDS)
def test_nothing_else_passes_for_a_number_or_a_truth_value(name: str, field: str) -> None:
    model = MODELS[name]
    given = getattr(model.from_data({}), field)
    if isinstance(given, bool):
        for wrong in (1, "true", "yes", 0.0):
            with pytest.raises(CombatkitError, match="true or false is needed"):
                model.from_data({field: wrong})
    elif isinstance(given, int) or (given is None and _whole(model, field)):
        # what may be a fraction or a text in quotes
        digits = () if field in ("weight", "fortification", "damage_reduction") else ("15",)
        for wrong in (True, 15.0, *digits):
            with pytest.raises(CombatkitError, match=f"'{field}"):
                model.from_data({field: wrong})
            with pytest.raises(CombatkitError, match=f"'{field}"):
                model.from_json(json.dumps({field: wrong}))


def test_numpy_whole_numbers_are_whole() -> None:
    numpy = pytest.importorskip("numpy")
    assert Combatant(hit_points=numpy.int64(7)).to_json() == '{"hit_points":7}'
    with pytest.raises(CombatkitError, match="a whole number is needed"):
        Combatant(hit_points=numpy.float64(7))


LIBRARY = (
    "Input should",
    "input should",
    "valid integer",
    "valid string",
    "valid list",
    "type=",
    "pydantic",
    "does not fit",
    "tuple",
)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@given(st.sampled_from(FIELDS), anything)
def test_no_message_speaks_the_librarys_words(place: tuple[str, str], value: object) -> None:
    name, field = place
    try:
        MODELS[name].from_data({field: value})
    except CombatkitError as error:
        said = str(error).partition(" (got ")[0].replace("is not valid", "").replace("; valid", "")
        assert not any(word in said for word in LIBRARY), said


# ---- lines

entries = st.lists(
    st.tuples(
        st.sampled_from(["weapon", "row", "feat"]),
        st.integers(0, 3),  # empty lines and comments before
        st.lists(st.sampled_from(["damage", "hand", "note"]), unique=True, max_size=3),
    ),
    min_size=1,
    max_size=8,
)


@given(entries)
def test_lines_are_those_of_a_file_written_line_by_line(listed: list[Any]) -> None:
    lines: list[str] = []
    places: list[tuple[str, int, str, int]] = []
    seen: dict[str, int] = {}
    for section, gap, fields in listed:
        lines += ["", "# [[weapon]]", " "][:gap]
        seen[section] = seen.get(section, 0) + 1
        lines.append(f"[[{section}]]")
        places.append((section, seen[section], "", len(lines)))
        places.append((section, seen[section], "missing", len(lines)))
        for field in fields:
            lines.append(f'{field} = "x"')
            places.append((section, seen[section], field, len(lines)))
    text = "\n".join(lines)
    tomllib.loads(text)
    for section, number, field, line in places:
        assert line_of(text, section, number, field=field) == line


def test_lines_of_nested_fields_and_of_lists() -> None:
    text = (
        'lookup = [\n  {table = "a", id = "one", remove = true},\n  {table = "a", id = "two"},\n]\n'
        '[[combatant]]\nid = "imp"\nweapons = [\n  {id = "sting",\n   damge = "1d4"},\n]\n'
        "[combatant.saves]\nwill = 99\n[choose]\ncritical = 1\n"
    )
    assert line_of(text, "lookup", 2, "two") == 3
    assert line_of(text, "combatant", 1, "imp", "weapons.0.damge") == 9
    assert line_of(text, "combatant", 1, "imp", "saves.will") == 12
    assert line_of(text, "choose", 1, "", "critical") == 14


# ---- slips


def _slow_slip(word: str, other: str) -> bool:
    """All words one slip away, written out."""
    letters = set(word + other)
    cuts = [(word[:n], word[n:]) for n in range(len(word) + 1)]
    near = {a + b[1:] for a, b in cuts if b and not b[0].isdigit()}
    near |= {a + b[1] + b[0] + b[2:] for a, b in cuts if len(b) > 1}
    near |= {a + c + b for a, b in cuts for c in letters if not c.isdigit()}
    near |= {a + c + b[1:] for a, b in cuts for c in letters if b and not (c + b[0]).strip("abc")}
    return other in near - {word} and min(len(word), len(other)) >= 4


@given(st.text("abc", min_size=3, max_size=6), st.text("abc", min_size=3, max_size=6))
def test_a_slip_is_one_letter_more_less_other_or_swapped(word: str, other: str) -> None:
    assert one_slip(word, other) == _slow_slip(word, other)


def test_a_number_at_the_end_is_no_slip() -> None:
    assert not one_slip("fighter_11", "fighter_16")
    assert not one_slip("dagger", "dagger2")
