// What is open, chosen, searched for and highlighted; the views of the tree draw it, and change it.

import { pathTo } from "../model/model.js";

const SHOWN_AT_FIRST = 10;
const LEVELS_AT_FIRST = 4;

/** The state of the views; `listen(what, call)` hears of changes of "shape" (what is drawn) and "marks" (how). */
export function treeState(model) {
  const listeners = { shape: [], marks: [] };
  const tell = (what) => listeners[what].forEach((call) => call());
  const state = {
    model,
    open: openedAtFirst(model),
    root: model.nodes[0],
    chosen: model.nodes[0],
    hits: new Set(),
    path: new Set(),
    listen(what, call) { listeners[what].push(call); },
    isOpen: (node) => state.open.has(node.id) && node.test !== null,
    toggle(node) {
      if (!state.open.delete(node.id)) state.open.add(node.id);
      tell("shape");
    },
    openAll(isWanted) {
      state.open = new Set(isWanted ? model.nodes.map((node) => node.id) : [state.root.id]);
      tell("shape");
    },
    closeDeepest() {
      const inner = [...state.open].map((id) => model.nodes[id]).filter((node) => node.test !== null);
      const deepest = Math.max(...inner.map((node) => node.depth));
      inner.filter((node) => node.depth === deepest && deepest > 0).forEach((node) => state.open.delete(node.id));
      tell("shape");
      return deepest > 1;
    },
    choose(node) {
      state.chosen = node;
      const isNew = pathTo(node).slice(0, -1).filter((above) => !state.open.has(above.id));
      isNew.forEach((above) => state.open.add(above.id));
      if (!pathTo(node).includes(state.root)) state.root = model.nodes[0];
      tell(isNew.length ? "shape" : "marks");
    },
    focusOn(node) {
      state.root = node;
      state.open.add(node.id);
      tell("shape");
    },
    search(text) {
      state.hits = text === "" ? new Set() : new Set(model.nodes.filter((node) => asks(model, node, text)).map((node) => node.id));
      state.hits.forEach((id) => pathTo(model.nodes[id]).slice(0, -1).forEach((above) => state.open.add(above.id)));
      tell(state.hits.size ? "shape" : "marks");
    },
    showPath(nodes) {
      state.path = new Set(nodes.map((node) => node.id));
      tell("marks");
    },
  };
  return state;
}

/** The nodes of most cases are open, as many as fit on a screen. */
function openedAtFirst(model) {
  const open = new Set();
  let ends = [model.nodes[0]];
  while (ends.length < SHOWN_AT_FIRST) {
    const inner = ends.filter((node) => node.test !== null && node.depth < LEVELS_AT_FIRST).sort((one, other) => other.n - one.n);
    if (inner.length === 0 || ends.length + inner[0].children.length - 1 > 2 * SHOWN_AT_FIRST) break;
    open.add(inner[0].id);
    ends = ends.filter((node) => node !== inner[0]).concat(inner[0].children);
  }
  return open;
}

function asks(model, node, text) {
  if (node.test === null) return false;
  const subject = node.test.column === null ? node.question : model.columns[node.test.column].name;
  return subject.toLowerCase().includes(text.toLowerCase());
}
