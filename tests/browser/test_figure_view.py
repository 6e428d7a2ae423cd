"""`FigureView` in a real browser: in JupyterLab with a kernel, and its JavaScript by itself."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from plotly.offline import get_plotlyjs

NOTEBOOK = [
    """
import ipywidgets as W
import plotly.graph_objects as go
from combatkit_widgets.figure_view import FigureView

def bars(armor_class):
    figure = go.Figure(go.Bar(y=[1, armor_class]), {"title": f"Armor class {armor_class}"})
    figure.update_layout(height=240)
    return figure
""",
    """
first, second = FigureView(bars(15), alt="Armor class 15"), FigureView(bars(99), alt="Hidden")
tabs = W.Tab([first, second], titles=["First", "Second"])
armor_class = W.IntSlider(15, 10, 30, description="AC")

def redraw(change):
    first.show(bars(change.new), alt=f"Armor class {change.new}")

armor_class.observe(redraw, "value")
W.VBox([armor_class, tabs])
""",
]


def test_two_figures_in_tabs_share_one_plotly_js_and_follow_a_slider(
    page: Page, open_notebook: Callable[..., Page]
) -> None:
    large: list[int] = []
    page.on(
        "websocket",
        lambda socket: socket.on(
            "framereceived", lambda frame: large.append(len(frame)) if len(frame) > 1e6 else None
        ),
    )
    open_notebook(NOTEBOOK)
    figures = page.locator(".combatkit-figure")
    first, second = figures.first, figures.last
    expect(figures).to_have_count(2)

    expect(first.locator(".gtitle")).to_have_text("Armor class 15")
    expect(first).to_have_attribute("role", "img")
    assert second.locator("svg").count() == 0, "a hidden figure must wait"

    page.get_by_role("tab", name="Second").click()
    expect(second.locator(".gtitle")).to_have_text("Armor class 99")
    box = second.bounding_box()
    assert box and box["width"] > 400 and box["height"] == 240

    page.get_by_role("tab", name="First").click()
    page.locator(".noUi-handle").press("ArrowRight")
    expect(first.locator(".gtitle")).to_have_text("Armor class 16")
    expect(first).to_have_attribute("aria-label", "Armor class 16")
    assert len(large) == 1, f"plotly.js should come once: {large}"


# The JavaScript by itself: fake models stand for kernels, so that every way to go wrong can be had.
SCRIPT = Path(__file__).parents[2] / "widgets/combatkit_widgets/figure_view.js"
HARNESS = """
async (source) => {
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const { default: widget } = await import(url);
  window.library = async (text) => [new Uint8Array(await new Response(
    new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer())];
  window.fake = `module.exports = {
    react: async (div, data, layout) => { div.textContent = data.text + " " + layout.width; },
    relayout: async (div, { width }) => { div.textContent += " " + width; },
    purge: () => {} }; globalThis.loads = (globalThis.loads ?? 0) + 1;`;
  window.view = (text, width = "400px") => {
    const listeners = {}, closing = new AbortController(), el = document.createElement("div");
    const state = { figure: { data: { text }, layout: {} }, alt: `alt of ${text}` };
    const model = {
      asked: 0, el, close: () => closing.abort(),
      get: (name) => state[name], send: () => { model.asked += 1; },
      on: (name, callback) => (listeners[name] ??= []).push(callback), off: () => {},
      fire: (name, ...rest) => (listeners[name] ?? []).forEach((call) => call(...rest)),
      set: (name, value) => { state[name] = value; model.fire("change:" + name); },
      answer: async (text = fake) => model.fire(
        "msg:custom", { type: "plotly.js" }, await library(text)),
    };
    el.style.width = width;
    document.body.append(el);
    widget.render({ model, el, signal: closing.signal });
    return model;
  };
  // What shall come is waited for; "settle" only gives what must not come the time to.
  window.settle = () => new Promise((resolve) => setTimeout(resolve, 150));
  window.until = async (test, limit = 20000) => {
    for (const start = Date.now(); !test() && Date.now() - start < limit; ) await settle();
  };
}
"""


@pytest.fixture
def script(page: Page) -> Page:
    page.set_content("<!doctype html><body></body>")
    page.evaluate(HARNESS, SCRIPT.read_text())
    return page


def test_racing_models_share_one_answer(script: Page) -> None:
    result = script.evaluate("""async () => {
        const a = view("a"), b = view("b");
        await until(() => a.asked);
        await settle();
        const asked = [a.asked, b.asked];
        await a.answer();
        await until(() => a.el.innerText === "a 400" && b.el.innerText === "b 400");
        return [asked, a.el.innerText, b.el.innerText, loads];
    }""")
    assert result == [[1, 0], "a 400", "b 400", 1]


def test_a_model_closed_before_the_answer_passes_the_turn_on(script: Page) -> None:
    result = script.evaluate("""async () => {
        const a = view("a"), b = view("b");
        await until(() => a.asked);
        a.close();
        await until(() => b.asked);
        const asked = b.asked;
        await b.answer();
        await until(() => b.el.innerText === "b 400");
        return [asked, b.el.innerText];
    }""")
    assert result == [1, "b 400"]


def test_a_kernel_that_never_answers_only_delays_the_others(script: Page) -> None:
    script.evaluate("() => { window.a = view('a'); window.b = view('b'); }")
    script.wait_for_function("() => b.asked === 1", timeout=20_000)
    result = script.evaluate("""async () => {
        await b.answer();
        await until(() => a.el.innerText === "a 400" && b.el.innerText === "b 400");
        await a.answer(); await settle();
        return [a.asked, a.el.innerText, b.el.innerText, loads];
    }""")
    assert result == [1, "a 400", "b 400", 1]


def test_it_waits_while_hidden_and_follows_its_container(script: Page) -> None:
    result = script.evaluate("""async () => {
        const a = view("a"), b = view("b");
        b.el.style.display = "none";
        await until(() => a.asked);
        await a.answer();
        await until(() => a.el.innerText === "a 400");
        await settle();
        const hidden = b.el.textContent;
        b.set("figure", { data: { text: "changed" }, layout: {} });
        b.el.style.display = "";
        await until(() => b.el.innerText === "changed 400");
        const shown = b.el.innerText;
        b.el.style.width = "300px";
        await until(() => b.el.innerText === "changed 400 300");
        return [hidden, shown, b.el.innerText];
    }""")
    assert result == ["alt of b", "changed 400", "changed 400 300"]


def test_an_error_is_shown_in_place_and_tried_again(script: Page) -> None:
    result = script.evaluate("""async () => {
        const a = view("a");
        await until(() => a.asked);
        await a.answer("throw new Error('half a file')");
        await until(() => a.el.querySelector("[role=alert]"));
        const broken = a.el.querySelector("[role=alert]").textContent;
        a.el.style.width = "300px";
        await until(() => a.asked === 2);
        await a.answer();
        await until(() => a.el.innerText === "a 300");
        return [broken, a.asked, a.el.innerText, a.el.querySelector("[role=alert]")];
    }""")
    assert result == ["This figure could not be drawn: half a file", 2, "a 300", None]


def test_the_installed_plotly_draws_and_reports_a_bad_figure(script: Page) -> None:
    source = gzip.compress(get_plotlyjs().encode(), 1)
    figure = {"data": [{"type": "bar", "y": [1, 2]}], "layout": {"title": {"text": "Bars"}}}
    script.evaluate(
        """async ([bytes, figure]) => {
        window.a = view("a", "500px"); a.set("figure", JSON.parse(figure));
        await until(() => a.asked);
        const buffer = Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0));
        a.fire("msg:custom", { type: "plotly.js" }, [new DataView(buffer.buffer)]);
    }""",
        [base64.b64encode(source).decode(), json.dumps(figure)],
    )
    expect(script.locator(".gtitle")).to_have_text("Bars")
    expect(script.locator(".point")).to_have_count(2)
    script.evaluate("() => a.set('figure', { data: [null], layout: null })")
    expect(script.get_by_role("alert")).to_contain_text("could not be drawn")
    script.evaluate("(figure) => a.set('figure', JSON.parse(figure))", json.dumps(figure))
    expect(script.locator(".point")).to_have_count(2)


def test_charts_follow_the_theme_live(open_notebook: Callable[..., Page]) -> None:
    page = open_notebook(
        [
            "import combatkit as ck\nfrom combatkit_widgets import FigureView",
            "rules = ck.load_ruleset('srd35')\n"
            "swing = ck.attack(rules, rules.combatant('ogre'), rules.combatant('ogre'))\n"
            "FigureView(ck.view.hit_chance_by_armor_class(swing), alt='Hit chance')",
        ]
    )
    title = page.locator(".combatkit-figure .xtitle").first
    expect(title).to_have_text("armor class")
    expect(title).to_have_css("fill", "rgb(0, 0, 0)")  # black, not quite opaque
    dark = "() => jupyterapp.commands.execute('apputils:change-theme', {theme: 'JupyterLab Dark'})"
    page.evaluate(dark)
    expect(title).to_have_css("fill", "rgb(255, 255, 255)", timeout=20_000)
    buttons = page.locator(".combatkit-figure .modebar-btn")
    labels = buttons.evaluate_all("(all) => all.map((one) => one.dataset.title)")
    assert {"Save picture as PNG", "Save picture as SVG"} <= set(labels)
    assert not [label for label in labels if "loud" in label or "Chart Studio" in label]
