"""The explorer as an HTML file of its own."""

from __future__ import annotations

from combatkit import Combatant, view
from combatkit_widgets import Encounter, Explorer, Side

EVIL = "<script>alert(1)</script>"


def test_the_page_shows_what_the_explorer_shows() -> None:
    explorer = Explorer(Encounter(b=Side(fighter=Combatant(name=EVIL, armor_class=17))))
    explorer.pin(EVIL)
    page = explorer.page_html()
    assert EVIL not in page and "&lt;script&gt;alert(1)" in page
    assert f"hits <span title='{view.fraction_text(explorer.strike.p_hit)}'>" in page
    assert page.count("<figure ") >= 12
    for panel in explorer._panels:
        drawn = panel.title not in ("Map", "Formula")
        assert (f"<h2>{panel.title}</h2>" in page) == drawn, panel.title
    assert " src=" not in page.split("</script>", 1)[1], "asks somebody else for something"


def test_the_button_sends_the_page() -> None:
    explorer = Explorer()
    bridge, sent = explorer._toolbar._link, []
    bridge.send = lambda content, buffers=(): sent.append((content, buffers))  # type: ignore[method-assign]
    bridge._answer(bridge, {"type": "page"}, [])
    bridge._answer(bridge, {"type": "code"}, [])
    (first, [page]), (second, _) = sent
    assert first == {"type": "page"} and page.decode().startswith("<!doctype html>")
    assert second == {"type": "code", "code": explorer.value.code()}
