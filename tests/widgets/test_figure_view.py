"""`FigureView` on the kernel's side; in the page: tests/browser/test_figure_view.py."""

from __future__ import annotations

import gzip
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from plotly.offline import get_plotlyjs

from combatkit.errors import CombatkitError
from combatkit_widgets.figure_view import FigureView


def test_a_figure_becomes_plain_json() -> None:
    figure = go.Figure(go.Bar(x=np.array(["a", None], dtype=object), y=[1.5, float("nan")]))
    view = FigureView(figure, alt="Two bars")
    assert view.figure["data"][0]["x"] == ["a", None]
    assert view.figure["data"][0]["y"] == [1.5, None]
    assert view.alt == "Two bars"


def test_showing_again_replaces_figure_and_words() -> None:
    view = FigureView({"data": [1]}, alt="before")
    view.show({"data": []})
    assert (view.figure, view.alt) == ({"data": []}, "")


def test_figure_and_words_travel_in_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    view = FigureView()
    sent: list[set[str]] = []
    monkeypatch.setattr(view, "send_state", lambda key=None: sent.append(set(key)))
    view.show({"data": []}, alt="Nothing")
    assert sent == [{"figure", "alt"}]


def test_layout_and_words_without_a_figure() -> None:
    view = FigureView(alt="Nothing yet", layout={"width": "50%"})
    assert (view.figure, view.alt, view.layout.width) == ({}, "Nothing yet", "50%")


@pytest.mark.parametrize("wrong", ["bars", 3, [{"type": "bar"}], None])
def test_what_is_no_figure_is_refused_and_the_last_picture_kept(wrong: Any) -> None:
    view = FigureView({"data": []}, alt="kept")
    with pytest.raises(CombatkitError, match=f"not a {type(wrong).__name__}"):
        view.show(wrong)
    assert (view.figure, view.alt) == ({"data": []}, "kept")


def test_plotly_js_is_sent_only_when_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    view = FigureView()
    sent: list[tuple[dict[str, str], list[bytes]]] = []
    monkeypatch.setattr(view, "send", lambda content, buffers: sent.append((content, buffers)))
    view._handle_custom_msg({"type": "something else"}, [])
    assert sent == []
    view._handle_custom_msg({"type": "need plotly.js"}, [])
    [(content, [packed])] = sent
    assert content == {"type": "plotly.js"}
    assert gzip.decompress(packed).decode() == get_plotlyjs()


def test_a_viewer_without_widgets_gets_the_words_escaped() -> None:
    data, _metadata = FigureView(alt="<script>AC > 15</script>")._repr_mimebundle_()
    assert data["text/html"] == "<p>&lt;script&gt;AC &gt; 15&lt;/script&gt;</p>"
    assert "application/vnd.jupyter.widget-view+json" in data


def test_a_closed_view_shows_nothing() -> None:
    view = FigureView()
    view.close()
    assert view._repr_mimebundle_ is None or view._repr_mimebundle_() is None
