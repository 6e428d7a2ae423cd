"""Every way a ruleset can be wrong, each in a file of its own, with the exact words a writer sees.

The first line of a file (of the first file of a folder) is the message expected of it.
"""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest

from combatkit import CombatkitError, load_ruleset

BROKEN = Path(__file__).parent / "broken"
MARK = b"# message: "


def _expected(place: Path) -> str:
    file = min(place.glob("*.toml")) if place.is_dir() else place
    first = file.read_bytes().splitlines()[0]
    assert first.startswith(MARK), f"{file.name} does not say which message it expects"
    return first.removeprefix(MARK).decode()


@pytest.mark.usefixtures("collector_off")
@pytest.mark.parametrize("place", sorted(BROKEN.iterdir()), ids=lambda place: place.stem)
def test_a_broken_ruleset_says_exactly(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(BROKEN)
    before = process_time()
    with pytest.raises(CombatkitError) as caught:
        load_ruleset(place.name)
    assert str(caught.value) == _expected(place).replace("\\n", "\n")
    assert process_time() - before < 1
