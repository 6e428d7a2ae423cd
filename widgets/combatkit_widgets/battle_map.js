// Draws a battle map as Python sends it, and tells Python of clicks and keys. It works nothing out.

const SVG = "http://www.w3.org/2000/svg";
const MARKS = { walls: "", low_walls: "▂", covering: "♣", slits: "¦", fog: "≈", shadow: "◐", darkness: "●", difficult: "∴" };
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function make(tag, attributes = {}, ...children) {
  const one = document.createElement(tag);
  for (const [name, content] of Object.entries(attributes)) {
    if (name === "class") one.className = content;
    else one.setAttribute(name, content);
  }
  one.append(...children); // strings become text nodes: never HTML
  return one;
}

function shape(tag, attributes) {
  const one = document.createElementNS(SVG, tag);
  for (const [name, content] of Object.entries(attributes)) one.setAttribute(name, content);
  return one;
}

const labelled = (text, control) => make("label", {}, make("span", {}, text), control);

// Keep the options that are there: replacing them would close an open menu.
function offer(select, options, chosen) {
  const wanted = JSON.stringify(options);
  if (select.dataset.options !== wanted) {
    select.dataset.options = wanted;
    select.replaceChildren(...options.map(([key, label]) => make("option", { value: key }, label)));
  }
  if (chosen !== undefined) select.value = chosen;
}

function render({ model, el, signal }) {
  el.classList.add("ck-map");
  const on = (target, event, does) => target.addEventListener(event, does, { signal });
  const tell = (what) => model.send(what);
  const set = (name, content) => { model.set(name, content); model.save_changes(); };

  // ---- toolbar
  const tools = make("div", { class: "ck-map-tools", role: "toolbar", "aria-label": "Tools of the map" });
  const edge = make("select"), attacker = make("select"), defender = make("select");
  const name = make("input", { type: "text", maxlength: "80", placeholder: "the sample's" });
  const side = make("input", { type: "text", maxlength: "80", placeholder: "nobody's friend" });
  const sample = make("select"), more = make("button", { type: "button" }, "More room");
  const placing = make("div", { class: "ck-map-row" }, labelled("Sample", sample), labelled("Name", name), labelled("Side", side));
  const where = make("div", { class: "ck-map-row" }, labelled("Put it on the", edge));
  const who = make("div", { class: "ck-map-row" }, labelled("Attacker", attacker), labelled("Defender", defender), more);
  on(edge, "change", () => set("edge", edge.value));
  on(attacker, "change", () => tell({ do: "choose", attacker: attacker.value }));
  on(defender, "change", () => tell({ do: "choose", defender: defender.value }));
  on(more, "click", () => tell({ do: "more room" }));
  on(tools, "keydown", (event) => {
    const step = STEPS[event.key]?.[0];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const all = [...tools.children], at = all.indexOf(document.activeElement);
    all[(at + step + all.length) % all.length].focus();
  });

  // ---- the grid, what lies over it, and what is said below
  const scroll = make("div", { class: "ck-map-scroll" });
  const board = make("div", { class: "ck-map-board" });
  const grid = make("div", { role: "grid", "aria-label": "Battle map", class: "ck-map-grid" });
  const tokens = make("div", { class: "ck-map-over", "aria-hidden": "true" });
  const lines = shape("svg", { class: "ck-map-lines", "aria-hidden": "true" });
  const problem = make("div", { class: "ck-alert", role: "alert" });
  const said = make("div", { class: "ck-map-said", role: "status", "aria-live": "polite" });
  const key = make("p", { class: "ck-map-key" });
  board.append(grid, tokens, lines);
  scroll.append(board);
  el.append(tools, where, placing, scroll, problem, who, said, key);

  let drawn = ""; // the squares there are cells for
  let focus = null; // [x, y]
  const cells = new Map();
  const cellAt = ([x, y]) => cells.get(`${x},${y}`);
  const squareOf = (node) => {
    const cell = node?.closest?.("[role=gridcell]");
    return cell && grid.contains(cell) ? [Number(cell.dataset.x), Number(cell.dataset.y)] : null;
  };
  const same = (one, other) => one && other && one[0] === other[0] && one[1] === other[1];

  function focusOn(square, take) {
    if (!cellAt(square)) return;
    if (focus && cellAt(focus)) cellAt(focus).tabIndex = -1;
    focus = square;
    cellAt(square).tabIndex = 0;
    if (take) cellAt(square).focus();
  }
  on(grid, "focusin", (event) => { // a screen reader moves the focus by itself
    const at = squareOf(event.target);
    if (at) focusOn(at, false);
  });

  const use = (at) => tell({ do: "use", at, id: name.value, side: side.value, combatant: sample.value });

  on(grid, "keydown", (event) => {
    const at = squareOf(event.target), step = STEPS[event.key];
    if (!at) return;
    if (step) {
      const { columns, rows } = model.get("state");
      const column = columns[columns.indexOf(at[0]) + step[0]], row = rows[rows.indexOf(at[1]) + step[1]];
      if (column !== undefined && row !== undefined) focusOn([column, row], true);
    } else if (event.key === "Enter" || event.key === " ") use(at);
    else if (event.key === "Delete" || event.key === "Backspace") tell({ do: "remove", at });
    else if (event.key === "Escape") tell({ do: "let go" });
    else return;
    event.preventDefault();
    event.stopPropagation(); // else JupyterLab takes Enter and arrows for its own
  });

  let crossed = null; // squares the pointer went over since it was pressed
  on(grid, "pointerdown", (event) => {
    const at = squareOf(event.target);
    crossed = at && event.button === 0 ? [at] : null;
  });
  on(grid, "pointermove", (event) => {
    const at = crossed && squareOf(document.elementFromPoint(event.clientX, event.clientY));
    if (at && !crossed.some((one) => same(one, at))) crossed.push(at);
  });
  on(grid, "pointerup", (event) => {
    const at = squareOf(document.elementFromPoint(event.clientX, event.clientY)), squares = crossed;
    crossed = null;
    if (!at || !squares || same(at, squares[0])) return; // a click follows
    const tool = model.get("tool");
    if (tool === "move") tell({ do: "drag", at: squares[0], to: at });
    else if (model.get("menus").kinds.includes(tool)) tell({ do: "paint", squares });
    focusOn(at, true);
  });
  on(window, "pointerup", () => { crossed = null; });
  on(grid, "click", (event) => {
    const at = squareOf(event.target);
    if (!at) return;
    focusOn(at, true);
    use(at);
  });

  function drawCells({ columns, rows }) {
    const wanted = JSON.stringify([columns, rows]);
    if (drawn === wanted) return;
    const held = grid.contains(document.activeElement);
    drawn = wanted;
    cells.clear();
    board.style.setProperty("--columns", columns.length);
    board.style.setProperty("--rows", rows.length);
    grid.setAttribute("aria-colcount", columns.length);
    grid.setAttribute("aria-rowcount", rows.length);
    grid.replaceChildren(...rows.map((y, r) => make("div", { role: "row", "aria-rowindex": r + 1 }, ...columns.map((x, c) => {
      const cell = make("div", { role: "gridcell", "aria-colindex": c + 1, "data-x": x, "data-y": y, tabindex: "-1" });
      cells.set(`${x},${y}`, cell);
      return cell;
    }))));
    focusOn(focus && cellAt(focus) ? focus : [columns[0], rows[rows.length - 1]], held);
  }

  function drawThings(state) {
    state.rows.forEach((y, r) => state.columns.forEach((x, c) => {
      const { label, kinds, threatened } = state.cells[r][c], cell = cellAt([x, y]);
      cell.setAttribute("aria-label", label);
      cell.title = label;
      cell.className = ["ck-map-cell", ...kinds.map((kind) => `ck-on-${kind}`), ...(threatened ? ["ck-threatened"] : [])].join(" ");
      cell.textContent = kinds.map((kind) => MARKS[kind] ?? kind[0].toUpperCase()).join("");
    }));
  }

  function drawTokens(state) {
    const top = state.rows[0], left = state.columns[0];
    tokens.replaceChildren(...state.tokens.map((one) => {
      const [place, many] = one.sharing, text = make("span", {}, one.name);
      const token = make("div", { class: `ck-token ck-side-${one.side % 5} ${one.held ? "ck-held" : ""}` }, text);
      if (one.role) token.append(make("b", {}, one.role === "attacker" ? "⚔" : "◎"));
      token.dataset.role = one.role;
      token.style.gridColumn = `${one.at[0] - left + 1} / span ${one.across}`;
      token.style.gridRow = `${top - one.at[1] + 2 - one.across} / span ${one.across}`;
      if (many > 1) Object.assign(token.style, { height: `${100 / many}%`, transform: `translateY(${100 * place}%)` });
      return token;
    }));
  }

  function drawLines(state) {
    const left = state.columns[0], bottom = state.rows[state.rows.length - 1], high = state.rows.length;
    lines.setAttribute("viewBox", `0 0 ${state.columns.length} ${high}`);
    const point = ([x, y], half = 0) => [x - left + half, high - (y - bottom) - half];
    const line = (kind, [x1, y1], [x2, y2]) => shape("line", { class: kind, x1, y1, x2, y2 });
    const parts = state.cover.map((one) => line(one.blocked ? "ck-blocked" : "ck-free", point(one.from), point(one.to)));
    parts.push(...state.flanking.map(([one, other]) => line("ck-flanking", point(one, 0.5), point(other, 0.5))));
    state.ways.forEach((way, which) => {
      const points = way.map((square) => point(square, 0.5).join(",")).join(" ");
      parts.push(shape("polyline", { class: `ck-way ck-way-${which}`, points }));
    });
    for (const { kind, one, other } of state.borders) {
      // the two squares are sorted: the other is to the right or above
      const across = other[0] > one[0];
      const start = across ? [one[0] + 1, one[1]] : [one[0], one[1] + 1];
      parts.push(line(`ck-border ck-border-${kind}`, point(start), point([one[0] + 1, one[1] + 1])));
    }
    if (state.corner) {
      const [cx, cy] = point(state.corner);
      parts.push(shape("circle", { class: "ck-corner", cx, cy, r: 0.13 }));
    }
    const number = (text, x, y) => {
      const one = shape("text", { x, y });
      one.textContent = text;
      return one;
    };
    parts.push(...state.columns.map((x, c) => number(x, c + 0.5, high + 0.4)), ...state.rows.map((y, r) => number(y, -0.3, r + 0.6)));
    lines.replaceChildren(...parts);
  }

  function drawTools() {
    const { tools: all, edges, samples } = model.get("menus"), tool = model.get("tool");
    if (tools.children.length !== all.length) {
      tools.replaceChildren(...all.map(([id, label]) => {
        const button = make("button", { type: "button", "data-tool": id }, ...(MARKS[id] ? [`${MARKS[id]} ${label}`] : [label]));
        button.setAttribute("aria-label", label);
        on(button, "click", () => set("tool", id));
        return button;
      }));
    }
    for (const button of tools.children) {
      const pressed = button.dataset.tool === tool;
      button.setAttribute("aria-pressed", String(pressed));
      button.tabIndex = pressed ? 0 : -1;
    }
    offer(edge, edges.map((one) => [one, one]), model.get("edge"));
    offer(sample, [["", "none"], ...samples]);
    where.hidden = !model.get("menus").kinds.includes(tool);
    placing.hidden = tool !== "place";
  }

  function drawWords(state) {
    offer(attacker, [["", "nobody"], ...state.creatures], state.attacker);
    offer(defender, [["", "nobody"], ...state.creatures], state.defender);
    const wrong = [model.get("complaint"), ...state.problems].filter(Boolean);
    if (problem.textContent !== wrong.join(" ")) problem.textContent = wrong.join(" ");
    const items = state.findings.map((text) => make("li", {}, text));
    const now = state.findings.join("\n");
    if (said.dataset.now !== now) {
      said.dataset.now = now;
      said.replaceChildren(...(items.length ? [make("ul", {}, ...items)] : []));
    }
    const parts = ["Dots: threatened squares."];
    if (state.cover.length) parts.push("Solid lines are free, dashed ones blocked; the ring is the corner chosen.");
    if (state.flanking.length) parts.push("The thick line flanks.");
    if (state.ways.length) parts.push("The line with dots is the cheapest way; a dashed one, where it differs, the safest.");
    key.textContent = parts.join(" ");
  }

  function draw() {
    const state = model.get("state");
    drawTools();
    drawCells(state);
    drawThings(state);
    drawTokens(state);
    drawLines(state);
    drawWords(state);
  }

  for (const trait of ["state", "menus", "tool", "edge", "complaint"]) model.on(`change:${trait}`, draw);
  signal.addEventListener("abort", () => model.off("change:state change:menus change:tool change:edge change:complaint", draw));
  draw();
}

export default { render };
