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
        await Plotly.react(plot, data, { height: HEIGHT, ...layout, width }, { displaylogo: false });
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
  model.on("change:figure", () => {
    stale = true;
    draw();
  });
  signal.addEventListener("abort", () => {
    observer.disconnect();
    page.plotly?.purge(plot);
  });
  describe();
}

export default { render };
