// What a node holds, beside the pointer or the focused node.

import { html } from "../parts/dom.js";
import { key } from "../parts/bars.js";
import { count, counted, interval, percent, share } from "../parts/words.js";

const MOST_CLASSES = 6;

/** Shows counts, probabilities and intervals of a node. */
export function showHover(model, node, x, y) {
  const box = document.getElementById("hover");
  box.replaceChildren(
    html("strong", {}, node.text),
    html("div", { class: "quiet" }, node.test === null ? "leaf" : `tests ${node.question}`),
    classTable(model, node, MOST_CLASSES));
  box.hidden = false;
  const left = Math.min(x + 14, window.innerWidth - box.offsetWidth - 8);
  const top = y + 18 + box.offsetHeight > window.innerHeight ? y - box.offsetHeight - 12 : y + 18;
  box.setAttribute("style", `left:${Math.max(8, left)}px;top:${Math.max(8, top)}px`);
}

export function hideHover() {
  document.getElementById("hover").hidden = true;
}

/** The classes of a node, most probable first. */
export function classTable(model, node, most) {
  const order = node.probabilities.map((_, place) => place).sort((one, other) => node.probabilities[other] - node.probabilities[one]);
  const rows = order.slice(0, most).map((place) => html("tr", {},
    html("th", { scope: "row" }, key(place, model.classes[place])),
    html("td", { class: "right" }, count(node.counts[place])),
    html("td", { class: "right" }, share(node.probabilities[place])),
    html("td", { class: "right" }, interval(node.lower[place], node.upper[place]))));
  const heads = ["class", "count", "probability", `${percent(model.level)} interval`];
  const more = order.length > most ? html("caption", {}, `and ${order.length - most} more classes`) : null;
  return html("div", {}, html("div", { class: "quiet" }, `${counted(node.n, "case")} (${percent(node.n / model.nodes[0].n)} of all)`),
    html("table", { class: "small" }, more,
      html("thead", {}, html("tr", {}, heads.map((head, place) => html("th", { scope: "col", class: place ? "right" : "" }, head)))),
      html("tbody", {}, rows)));
}
