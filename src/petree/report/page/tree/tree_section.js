// The section of the tree: two views of one state, a search, and what is chosen.

import { key } from "../parts/bars.js";
import { html, section } from "../parts/dom.js";
import { counted } from "../parts/words.js";
import { canvas } from "./canvas.js";
import { detailPanel } from "./detail.js";
import { drawIcicle } from "./icicle.js";
import { drawNodeLink } from "./node_link.js";

const LEAD = "Choose a node to see its rule, counts and intervals. Drag to move, Ctrl and wheel (or two fingers) to zoom; with the keyboard, arrows walk the tree, Space opens and closes.";

/** The section, and `begin`, to be called when it stands in the page. */
export function treeSection(state, content) {
  const views = [
    { title: "Tree", canvas: canvas(state, drawNodeLink, "The tree, from left to right", { wide: 0.72, narrow: 0.8 }) },
    { title: "Icicle (width = number of cases)", canvas: canvas(state, drawIcicle, "The tree as an icicle, by number of cases", { wide: 1, narrow: 1 }) },
  ];
  let current = views[0];
  const frame = html("div", { class: "frame" }, current.canvas.element);
  state.listen("shape", () => current.canvas.shape());
  state.listen("marks", () => current.canvas.marks());

  function show(view) {
    current = view;
    frame.replaceChildren(view.canvas.element);
    tabs.forEach((tab, place) => tab.setAttribute("aria-pressed", views[place] === view));
    view.canvas.shape();
    view.canvas.begin();
  }

  const tabs = views.map((view) => html("button", { type: "button", "aria-pressed": view === current, click: () => show(view) }, view.title));
  const button = (text, label, click) => html("button", { type: "button", "aria-label": label, title: label, click }, text);
  const tools = html("div", { class: "tools" },
    html("div", { class: "group", role: "group", "aria-label": "View" }, tabs),
    searchField(state, () => current.canvas),
    html("div", { class: "group", role: "group", "aria-label": "Open and zoom" },
      button("Open all", "Open all nodes", () => {
        state.openAll(true);
        current.canvas.overview();
      }),
      button("Close all", "Close all nodes", () => {
        state.openAll(false);
        current.canvas.begin();
      }),
      button("+", "Zoom in", () => current.canvas.scale(1.4)),
      button("−", "Zoom out", () => current.canvas.scale(1 / 1.4)),
      button("Fit", "Fit the drawing into its frame", () => current.canvas.overview())));
  const legend = html("p", { class: "legend" }, content.texts.classes.map((name, place) => key(place, name)));
  const note = content.options ? html("p", { class: "note" }, optionNote(content.options, state.model)) : null;
  const element = section("tree", "The tree", LEAD, note, tools, legend, html("div", { class: "beside" }, frame, detailPanel(state, content)));

  /** Shows as many levels as there is room for. */
  function begin() {
    show(current);
    while (current.canvas.isTooWide() && state.closeDeepest());
    current.canvas.begin();
  }

  return { element, begin, reveal: (id) => current.canvas.reveal(id) };
}

function optionNote(options, model) {
  return `This model averages over very many trees, ${counted(options.n_nodes, "node")} in all. What is drawn is its summary, the most probable tree of ${counted(model.leaves.length, "leaf", "leaves")}; the measures below are those of both.`;
}

function searchField(state, canvasNow) {
  const names = [...new Set(state.model.nodes.filter((node) => node.test && node.test.column !== null).map((node) => state.model.columns[node.test.column].name))];
  const found = html("output", { class: "quiet", "aria-live": "polite" });
  const list = html("datalist", { id: "columns-tested" }, names.sort().map((name) => html("option", { value: name })));
  let place = 0;
  const input = html("input", {
    type: "search", placeholder: "Find a column", "aria-label": "Find the nodes that test a column", list: "columns-tested",
    input(event) {
      state.search(event.target.value.trim());
      place = 0;
      found.textContent = event.target.value.trim() === "" ? "" : `${counted(state.hits.size, "node")} ${state.hits.size === 1 ? "tests" : "test"} it`;
    },
    keydown(event) {
      const hits = [...state.hits];
      if (event.key !== "Enter" || hits.length === 0) return;
      const id = hits[place % hits.length];
      place += 1;
      state.choose(state.model.nodes[id]);
      canvasNow().reveal(id);
    },
  });
  return html("div", { class: "group" }, input, list, found);
}
