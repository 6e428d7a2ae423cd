// Runs a notebook whose metadata say {"combatkit": {"run": true}} when JupyterLab opens it, so that its forms are there
// without a cell to run; and offers to run it again when its kernel has gone. A plain federated module, without a build.

(() => {
  const NAME = "combatkit-autorun";
  const ALLOWED = `${NAME}:allowed`; // in the browser's storage: what was allowed to run, by path and code
  let shared; // JupyterLab's own packages

  async function lab(name) {
    const [version] = Object.values(shared[name]);
    return (await version.get())();
  }

  function code(panel) {
    return [...panel.model.cells]
      .filter((cell) => cell.type === "code")
      .map((cell) => cell.sharedModel.getSource())
      .join("\n\n");
  }

  function remembered() {
    try {
      return JSON.parse(localStorage.getItem(ALLOWED)) ?? {};
    } catch {
      return {};
    }
  }

  async function hash(text) {
    const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
    return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  // The notebook that the server was started for needs no question; any other is asked for once.
  async function mayRun(panel, option, { showDialog, Dialog }) {
    const path = panel.context.path;
    if (option === path) return true;
    const print = await hash(code(panel));
    if (remembered()[path] === print) return true;
    const { button } = await showDialog({
      title: "Run this notebook?",
      body: `${path} is made to run by itself when it is opened. It will do so from now on, until its code changes.`,
      buttons: [Dialog.cancelButton({ label: "Not now" }), Dialog.okButton({ label: "Run" })],
    });
    if (!button.accept) return false;
    localStorage.setItem(ALLOWED, JSON.stringify({ ...remembered(), [path]: print }));
    return true;
  }

  function offerAgain(panel, run) {
    const bar = document.createElement("div");
    const button = document.createElement("button");
    bar.className = "combatkit-run-again";
    bar.setAttribute("role", "status");
    bar.style.cssText = "position:absolute;inset:0 0 auto;z-index:10;padding:8px 12px;display:flex;gap:12px;"
      + "align-items:center;background:var(--jp-warn-color3);color:var(--jp-ui-font-color0)";
    button.className = "jp-mod-styled jp-mod-accept";
    button.textContent = "Run again";
    bar.append("The program behind this page has ended. What you picked is kept.", button);
    panel.content.node.style.position = "relative";
    panel.content.node.append(bar);
    const end = () => bar.remove();
    button.addEventListener("click", async () => {
      end();
      await run();
    });
    return end;
  }

  async function follow(app, panel, option, notebook, apputils) {
    await app.restored; // by then the plugin that draws widgets listens to kernels
    await panel.context.ready;
    await panel.revealed;
    if (!panel.model.getMetadata("combatkit")?.run) return;
    const session = panel.sessionContext;
    await session.ready;
    if (!(await mayRun(panel, option, apputils)) || panel.isDisposed) return;
    const runAll = async () => {
      await notebook.NotebookActions.runAll(panel.content, session);
      panel.content.activeCellIndex = 0; // running ends at the last cell, reading starts at the first
      await panel.content.scrollToItem(0, "start");
    };
    let end = null;
    const again = async () => {
      end = null;
      if (session.session?.kernel?.status === "dead" || session.hasNoKernel || !session.session?.kernel)
        await session.startKernel();
      await runAll();
    };
    session.statusChanged.connect((_, status) => {
      const gone = ["dead", "autorestarting", "restarting"].includes(status);
      if (gone && !end && !panel.isDisposed) end = offerAgain(panel, again);
    });
    await session.session?.kernel?.info;
    await runAll();
  }

  const plugin = (tracker, notebook, apputils, coreutils) => ({
    id: `${NAME}:plugin`,
    description: "Runs a notebook that is marked for it when it is opened.",
    autoStart: true,
    requires: [tracker],
    activate: (app, notebooks) => {
      const option = coreutils.PageConfig.getOption("combatkitRun");
      const start = (panel) => follow(app, panel, option, notebook, apputils).catch(console.error);
      notebooks.forEach(start); // those that were restored before this plugin came
      notebooks.widgetAdded.connect((_, panel) => start(panel));
    },
  });

  (globalThis._JUPYTERLAB ??= {})[NAME] = {
    init: (scope) => {
      shared = scope;
    },
    get: async () => {
      const [notebook, apputils, coreutils] = await Promise.all(
        ["@jupyterlab/notebook", "@jupyterlab/apputils", "@jupyterlab/coreutils"].map(lab),
      );
      const found = plugin(notebook.INotebookTracker, notebook, apputils, coreutils);
      return () => ({ __esModule: true, default: found });
    },
  };
})();
