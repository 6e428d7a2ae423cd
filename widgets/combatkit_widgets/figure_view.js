// Draws Plotly figures with one plotly.js for the whole page, however many views, models and kernels it shows.

const PATIENCE = 5000; // ms a model may keep the turn; after that another one asks as well
const HEIGHT = 360; // px, of a figure that does not say

const page = (globalThis[Symbol.for("combatkit.plotly")] ??= newPage());

function newPage() {
  const page = { plotly: null, turn: null };
  page.loaded = new Promise((resolve) => (page.finish = resolve));
  return page;
}

// One model at a time asks its kernel. Each has a single turn, so a model that never answers (it was closed, its kernel
// has died, it came from a saved file) can't keep the others waiting; a late answer still counts.
async function plotly(model, signal) {
  let asked = false;
  while (!page.plotly) {
    if (!page.turn && !asked) {
      asked = true;
      page.turn = ask(model, signal).finally(() => (page.turn = null));
    }
    await Promise.race([page.loaded, ...(page.turn ? [page.turn] : [])]);
    if (signal.aborted) return null;
  }
  return page.plotly;
}

function ask(model, signal) {
  return new Promise((endTurn, fail) => {
    model.on("msg:custom", (message, buffers) => {
      if (message.type === "plotly.js") install(buffers[0]).then(endTurn, fail);
    });
    signal.addEventListener("abort", endTurn);
    setTimeout(endTurn, PATIENCE);
    model.send({ type: "need plotly.js" });
  });
}

async function install(gzipped) {
  const unzipped = new Blob([gzipped]).stream().pipeThrough(new DecompressionStream("gzip"));
  const source = await new Response(unzipped).text();
  if (page.plotly) return; // another model's answer was faster
  const module = { exports: {} };
  new Function("module", "exports", "define", source)(module, module.exports, undefined);
  page.plotly = module.exports;
  page.finish();
}

// What view/style.py writes for words, lines and paper, and the page's own colors for them: so charts follow its theme.
const INK = { "#333333": "--jp-ui-font-color1", "#666666": "--jp-ui-font-color2", white: "--jp-layout-color1" };
const LINES = "--jp-border-color2";

function inTheme(part, color) {
  if (typeof part === "string") {
    // a title's second line has its color inside
    return INK[part] ? color(INK[part], part) : part.replaceAll("#666666", color(INK["#666666"], "#666666"));
  }
  if (Array.isArray(part)) return part.map((one) => inTheme(one, color));
  if (part === null || typeof part !== "object") return part;
  return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, inTheme(one, color)]));
}

function themed(layout, el) {
  const probe = document.createElement("span"); // gives any color in the form that plotly.js reads
  el.append(probe);
  const color = (name, usual) => {
    probe.style.color = `var(${name}, ${usual})`;
    return getComputedStyle(probe).color;
  };
  const own = inTheme(layout, color);
  const axes = Object.keys(own).filter((name) => /^[xy]axis\d*$/.test(name));
  for (const name of axes) own[name] = { gridcolor: color(LINES, "#eeeeee"), linecolor: color(LINES, "#eeeeee"), ...own[name] };
  const paper = "rgba(0,0,0,0)";
  const hover = { bgcolor: color("--jp-layout-color1", "white"), font: { color: color(INK["#333333"], "#333333") } };
  probe.remove();
  return { paper_bgcolor: paper, plot_bgcolor: paper, hoverlabel: hover, ...own };
}

function downloads(Plotly) {
  const camera = Plotly.Icons?.camera;
  const save = (format) => ({
    name: `save ${format}`,
    title: `Save picture as ${format.toUpperCase()}`,
    icon: camera,
    click: (plot) => Plotly.downloadImage(plot, { format, filename: "combatkit" }),
  });
  return {
    displaylogo: false,
    modeBarButtonsToRemove: ["toImage", "sendDataToCloud", "select2d", "lasso2d", "autoScale2d"],
    modeBarButtonsToAdd: [save("png"), save("svg")],
  };
}

function render({ model, el, signal }) {
  const note = document.createElement("div"); // what can be read while nothing is drawn
  const plot = document.createElement("div");
  plot.className = "combatkit-figure";
  plot.setAttribute("role", "img");
  el.classList.add("combatkit-figure-view");
  el.append(note, plot);
  let library = null;
  let stale = true; // the figure has changed since it was drawn
  let width = 0;

  function describe() {
    plot.setAttribute("aria-label", model.get("alt"));
    if (!plot.hasChildNodes()) note.textContent = model.get("alt");
  }

  async function draw() {
    if (!model.get("figure").data) return;
    try {
      const Plotly = await (library ??= plotly(model, signal));
      const room = el.clientWidth;
      if (!Plotly || signal.aborted) return;
      if (room === 0) return; // in a hidden tab: the observer calls again when that is shown
      if (stale) {
        stale = false;
        width = room;
        // Plotly writes into what it draws, and another view may show the same figure.
        const { data, layout } = structuredClone(model.get("figure"));
        const shown = { height: HEIGHT, ...themed(layout ?? {}, el), width };
        await Plotly.react(plot, data, shown, downloads(Plotly));
      } else if (room !== width) {
        width = room;
        await Plotly.relayout(plot, { width }); // unlike Plots.resize it keeps the figure's own height
      }
      note.textContent = "";
      note.removeAttribute("role");
    } catch (error) {
      library = null;
      stale = true; // the next change or resize tries again
      page.plotly?.purge(plot);
      plot.replaceChildren();
      note.setAttribute("role", "alert");
      note.textContent = `This figure could not be drawn: ${error.message}`;
    }
  }

  // In the next frame, since drawing changes the very size that is observed.
  const observer = new ResizeObserver(() => requestAnimationFrame(draw));
  observer.observe(el); // calls at once, which is the first drawing
  model.on("change:alt", describe);
  const redraw = () => {
    stale = true;
    draw();
  };
  model.on("change:figure", redraw);
  // the page names its new theme before the style sheet has come
  const theme = new MutationObserver(() => {
    for (const wait of [0, 200, 600, 1500]) setTimeout(() => signal.aborted || redraw(), wait);
  });
  theme.observe(document.body, { attributeFilter: ["data-jp-theme-name", "data-jp-theme-light"] });
  signal.addEventListener("abort", () => {
    theme.disconnect();
    observer.disconnect();
    page.plotly?.purge(plot);
  });
  describe();
}

export default { render };
