"""What a ruleset gets wrong between its parts is found when it is loaded, not in play."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest

from combatkit import CombatkitError, load_ruleset

HEAD = '[ruleset]\nid = "house"\ntitle = "House rules"\nextends = "srd35"\n'
CITE = 'cite = "srd: House"\n'
ROW = f'[[row]]\ntable = "armor_class"\nid = "limp"\nlabel = "Limp"\n{CITE}'
DYING = f"[dying]\ndie = 20\nacts = false\nfirst_aid_dc = 10\n{CITE}"
AID = 'first_aid_cite = "srd: House"\n'

# what is wrong, the file, and words its message must hold
MISTAKES = {
    "no id": ('[ruleset]\ntitle = "House"\nextends = "srd35"\n', ["house.toml", "'id'"]),
    "no title": ('[ruleset]\nid = "house"\nextends = "srd35"\n', ["house.toml", "'title'"]),
    "id is no text": (HEAD.replace('"house"', "5"), ["house.toml", "id"]),
    "choose as a list": (HEAD + '[[choose]]\ncritical = "none"\n', ["house.toml", "choose"]),
    "choose a list": (HEAD + '[choose]\ncritical = ["none"]\n', ["house.toml", "critical"]),
    "choose a number": (HEAD + "[choose]\ncritical = 1\n", ["house.toml", "critical"]),
    "a number of 5000 digits": (HEAD + f"[[weapon]]\nid = {'9' * 5000}\n", ["house.toml"]),
    "100,000 brackets": (HEAD + f"x = {'[' * 100_000}\n", ["house.toml"]),
    "id of an entry is no text": (HEAD + "[[weapon]]\nid = 5\n", ["house.toml", "id", "5"]),
    "source of first aid": (
        HEAD + DYING + 'unchanged = [1, 20]\nfirst_aid_cite = "sdr: Heal"\n',
        ["house.toml", "first_aid_cite", "'sdr'", "'srd'"],
    ),
    "condition of the dying": (
        HEAD + DYING + AID + 'unchanged = [1, 20]\nhelp_condition = "helples"\n',
        ["house.toml", "help_condition", "'helples'", "'helpless'"],
    ),
    "faces of the die in reverse": (
        HEAD + DYING + AID + "unchanged = [1, 20]\nlose_hit_point = [6, 4]\n",
        ["house.toml", "lose_hit_point"],
    ),
    "ten million faces": (
        HEAD + DYING + AID + "unchanged = [1, 10_000_000]\n",
        ["house.toml", "dying"],
    ),
    "a state without end": (
        HEAD + f'[[state]]\nid = "dying"\nlowest = -100_000_000\n{CITE}',
        ["house.toml", "'dying'", "lowest"],
    ),
    "no state of dying": (HEAD + '[[state]]\nid = "dying"\nremove = true\n', ["'dying'"]),
    "no section for dying": (HEAD + "[dying]\nremove = true\n", ["dying"]),
    "a size without its modifier": (
        HEAD + f'[[lookup]]\ntable = "size"\nid = "medium"\ncells = {{modfier = 0}}\n{CITE}',
        ["house.toml", "medium", "modifier"],
    ),
    "a size whose modifier is a word": (
        HEAD + f'[[lookup]]\ntable = "size"\nid = "medium"\ncells = {{modifier = "x"}}\n{CITE}',
        ["house.toml", "medium", "modifier"],
    ),
    "dice of the second end": (
        HEAD + '[[weapon]]\nid = "bat"\ndamage = "1d6"\ndouble = "1x6"\n',
        ["house.toml", "'bat'", "double", "1x6"],
    ),
    "weapon of a feat": (
        HEAD + '[[combatant]]\nid = "imp"\nfeats = ["weapon_focus:longswrd"]\n',
        ["house.toml", "'imp'", "feats.0", "longswrd", "longsword"],
    ),
    "source of a creature's own weapon": (
        HEAD + '[[combatant]]\nid = "imp"\n'
        'weapons = [{id = "sting", damage = "1d4", cite = "sdr: Imp"}]\n',
        ["house.toml", "'imp'", "weapons.0", "'sdr'"],
    ),
}


def _load(folder: Path, text: str) -> object:
    file = folder / "house.toml"
    file.write_text(text)
    return load_ruleset(file)


@pytest.mark.usefixtures("collector_off")
@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_told_with_its_place(name: str, tmp_path: Path) -> None:
    text, words = MISTAKES[name]
    before = process_time()
    with pytest.raises(CombatkitError) as caught:
        _load(tmp_path, text)
    assert [word for word in words if word not in str(caught.value)] == [], str(caught.value)
    assert process_time() - before < 1


@pytest.mark.parametrize("name", ["", "x" * 5000, "a\0b", "no/such/folder", 5, None])
def test_a_name_that_is_no_ruleset_is_told(name: object) -> None:
    with pytest.raises(CombatkitError):
        load_ruleset(name)  # type: ignore[arg-type]
