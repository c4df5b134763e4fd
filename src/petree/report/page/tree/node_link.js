// The tree as cards joined by lines, from left to right; a line is as thick as the share of the cases on it.

import { hierarchy, tree as layout } from "d3-hierarchy";
import { stackedBar } from "../parts/bars.js";
import { svg } from "../parts/dom.js";
import { clipped, count, share } from "../parts/words.js";

const CARD = { height: 52, gapX: 50, gapY: 10, narrowest: 190, widest: 300 };
const LETTER = 7.1;

/** Draws into a group; returns the box of what is drawn, and where each node stands. */
export function drawNodeLink(state, group) {
  const root = hierarchy(state.root, (node) => (state.isOpen(node) ? node.children : null));
  const width = widthFor(root.descendants().map((place) => place.data.text.length));
  layout().nodeSize([CARD.height + CARD.gapY, width + CARD.gapX]).separation(() => 1)(root);
  const placed = root.descendants();
  group.replaceChildren(
    svg("g", { class: "links" }, root.links().map((link) => drawLink(link, width, state.model.nodes[0].n))),
    ...placed.map((place) => drawCard(state, place, width)),
  );
  return { box: boxOf(placed, width), places: new Map(placed.map((place) => [place.data.id, { x: place.y, y: place.x }])) };
}

/** Cards are as wide as the longest of their texts asks for, within bounds. */
function widthFor(lengths) {
  return Math.min(CARD.widest, Math.max(CARD.narrowest, 24 + LETTER * Math.max(...lengths)));
}

function boxOf(placed, width) {
  const xs = placed.map((place) => place.y);
  const ys = placed.map((place) => place.x);
  const top = Math.min(...ys) - CARD.height / 2;
  return { x: 0, y: top, width: Math.max(...xs) + width + 24, height: Math.max(...ys) + CARD.height / 2 - top };
}

function drawLink({ source, target }, width, total) {
  const from = source.y + width;
  const middle = (from + target.y) / 2;
  const d = `M${from},${source.x}C${middle},${source.x} ${middle},${target.x} ${target.y},${target.x}`;
  const thickness = Math.max(1, 12 * (target.data.n / total));
  return svg("path", { d, "stroke-width": thickness.toFixed(1), "data-to": target.data.id });
}

function drawCard(state, { x, y, data: node }, width) {
  const verdict = state.model.classes[node.verdict];
  const said = `${clipped(verdict, 16)} ${share(node.probabilities[node.verdict])}`;
  const isInner = node.test !== null;
  const card = svg("g", { transform: `translate(${y},${x - CARD.height / 2})`, "data-node": node.id, class: isInner ? "card inner" : "card leaf" },
    svg("rect", { class: "back", width, height: CARD.height, rx: 8 }),
    svg("text", { x: 10, y: 17, class: "branch" }, clipped(node.text, Math.floor((width - 18) / LETTER))),
    svg("text", { x: 10, y: 33, class: "said" }, said),
    svg("text", { x: width - 14, y: 33, class: "n", "text-anchor": "end" }, `n = ${count(node.n)}`),
    stackedBar(node.probabilities, 10, 40, width - 20, 5));
  if (isInner) card.append(drawToggle(state.isOpen(node), node, width));
  return card;
}

function drawToggle(isOpen, node, width) {
  return svg("g", { class: "toggle", transform: `translate(${width},${CARD.height / 2})`, "data-toggle": node.id },
    svg("circle", { r: 9 }),
    svg("path", { d: isOpen ? "M-4,0H4" : "M-4,0H4M0,-4V4" }));
}
