// Reads ?ck=… from the address the page was opened by, copies links and code, and saves the page.

const SEEN = "combatkit:opened";

// A fresh JupyterLab workspace drops the query from the address, but not from the record of how the page was opened.
function asked() {
  const [entry] = performance.getEntriesByType("navigation");
  for (const address of [location.href, entry?.name ?? ""]) {
    const text = URL.canParse(address) ? new URL(address).searchParams.get("ck") : null;
    if (text) return text;
  }
  return "";
}

function linkTo(text) {
  const here = new URL(location.href);
  const address = new URL(here.origin + here.pathname);
  const path = here.searchParams.get("path"); // of the notebook, on a static site
  if (path) address.searchParams.set("path", path);
  address.searchParams.set("ck", text);
  return address.href;
}

function save(content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type: "text/html" }));
  link.download = "combatkit.html";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function render({ model, el }) {
  const said = document.createElement("span");
  said.setAttribute("role", "status");
  said.className = "ck-note";

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      said.textContent = "Copied.";
    } catch {
      said.textContent = text; // the browser forbids it: to be copied by hand
      getSelection().selectAllChildren(said);
    }
  }

  function button(label, click) {
    const made = document.createElement("button");
    made.className = "lm-Widget jupyter-button widget-button ck-more";
    made.textContent = label;
    made.addEventListener("click", click);
    return made;
  }

  const link = button("Copy link", () => copy(linkTo(model.get("text"))));
  const binder = button("Copy Binder link", () => copy(model.get("binder")));
  const code = button("Copy as code", () => model.send({ type: "code" }));
  const page = button("Save page", () => {
    said.textContent = "Making the page…";
    model.send({ type: "page" });
  });
  model.on("msg:custom", (message, buffers) => {
    if (message.type === "code") copy(message.code);
    if (message.type === "problem") said.textContent = message.text;
    if (message.type === "page") {
      save(buffers[0]);
      said.textContent = "Saved among your downloads.";
    }
  });
  const refresh = () => {
    link.disabled = !model.get("text");
    link.title = model.get("why_not");
    binder.style.display = model.get("binder") ? "" : "none";
  };
  model.on("change:text", refresh);
  model.on("change:binder", refresh);
  refresh();
  const bar = document.createElement("div");
  bar.style.cssText = "display:flex;flex-flow:row wrap;gap:6px;align-items:center;overflow-wrap:anywhere";
  bar.append(link, binder, code, page, said);
  el.append(bar);

  // once a tab: what was changed since then is not undone by loading the page again
  const text = asked();
  if (text && sessionStorage.getItem(SEEN) !== text) {
    sessionStorage.setItem(SEEN, text);
    model.set("opened", text);
    model.save_changes();
  }
}

export default { render };
