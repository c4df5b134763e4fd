// All about the chosen node: its rule in words and as SQL, and its classes.

import { conditionOf } from "../model/sql.js";
import { pathTo } from "../model/model.js";
import { html } from "../parts/dom.js";
import { classTable } from "./hover.js";

/** The panel beside the tree; it follows what is chosen. */
export function detailPanel(state, content) {
  const panel = html("div", { class: "panel detail", "aria-live": "polite" });
  const draw = () => panel.replaceChildren(...describe(state, state.chosen, content));
  state.listen("marks", draw);
  state.listen("shape", draw);
  draw();
  return panel;
}

function describe(state, node, content) {
  const { model } = state;
  const path = pathTo(node);
  const crumbs = path.map((above) => html("li", {},
    above === node ? html("strong", {}, above.text)
      : html("button", { type: "button", class: "link", click: () => state.choose(above) }, above.text)));
  const isLeaf = node.test === null;
  return [
    html("h3", {}, isLeaf ? `Leaf ${node.id}` : `Node ${node.id}`),
    html("ol", { class: "crumbs" }, crumbs),
    isLeaf ? ruleOf(content, node) : html("p", {}, "Tests ", html("strong", {}, node.question)),
    classTable(model, node, 12),
    buttons(state, node),
    isLeaf ? sqlOf(model, content, node) : null,
  ].filter(Boolean);
}

function ruleOf(content, leaf) {
  return html("p", { class: "rule" }, content.texts.rules[leaf.id]);
}

function sqlOf(model, content, leaf) {
  const text = content.queries === null ? conditionOf(model, leaf) : content.queries[leaf.id];
  const note = content.queries === null
    ? "As a condition in SQL. A row whose test cannot be answered (a missing or new value) belongs to several leaves at once."
    : "The keys of its examples in SQL.";
  return html("details", {}, html("summary", {}, "SQL"), html("pre", { tabindex: 0 }, text), html("p", { class: "quiet" }, note));
}

function buttons(state, node) {
  const button = (text, click) => html("button", { type: "button", click }, text);
  const list = [];
  if (node.test !== null) list.push(button(state.isOpen(node) ? "Close" : "Open", () => state.toggle(node)));
  if (node.test !== null && node !== state.root) list.push(button("Show only this part", () => state.focusOn(node)));
  if (state.root.parent !== null) list.push(button("Show the whole tree", () => state.focusOn(state.model.nodes[0])));
  return list.length ? html("p", { class: "buttons" }, list) : null;
}
