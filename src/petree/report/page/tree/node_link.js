// The tree as cards joined by lines, from left to right; a line is as thick as the share of the cases on it.

import { hierarchy, tree as layout } from "d3-hierarchy";
import { stackedBar } from "../parts/bars.js";
import { svg } from "../parts/dom.js";
import { clipped, count, share } from "../parts/words.js";

const CARD = { width: 216, height: 52, gapX: 54, gapY: 10 };

/** Draws into a group; returns the box of what is drawn, and where each node stands. */
export function drawNodeLink(state, group) {
  const root = hierarchy(state.root, (node) => (state.isOpen(node) ? node.children : null));
  layout().nodeSize([CARD.height + CARD.gapY, CARD.width + CARD.gapX]).separation(() => 1)(root);
  const placed = root.descendants();
  group.replaceChildren(
    svg("g", { class: "links" }, root.links().map((link) => drawLink(link, state.model.nodes[0].n))),
    ...placed.map((place) => drawCard(state, place)),
  );
  return { box: boxOf(placed), places: new Map(placed.map((place) => [place.data.id, { x: place.y, y: place.x }])) };
}

function boxOf(placed) {
  const xs = placed.map((place) => place.y);
  const ys = placed.map((place) => place.x);
  const top = Math.min(...ys) - CARD.height / 2;
  return { x: 0, y: top, width: Math.max(...xs) + CARD.width + 24, height: Math.max(...ys) + CARD.height / 2 - top };
}

function drawLink({ source, target }, total) {
  const from = source.y + CARD.width;
  const middle = (from + target.y) / 2;
  const d = `M${from},${source.x}C${middle},${source.x} ${middle},${target.x} ${target.y},${target.x}`;
  const width = Math.max(1, 12 * (target.data.n / total));
  return svg("path", { d, "stroke-width": width.toFixed(1), "data-to": target.data.id });
}

function drawCard(state, { x, y, data: node }) {
  const verdict = state.model.classes[node.verdict];
  const said = `${clipped(verdict, 16)} ${share(node.probabilities[node.verdict])}`;
  const isInner = node.test !== null;
  const card = svg("g", { transform: `translate(${y},${x - CARD.height / 2})`, "data-node": node.id, class: isInner ? "card inner" : "card leaf" },
    svg("rect", { class: "back", width: CARD.width, height: CARD.height, rx: 8 }),
    svg("text", { x: 10, y: 17, class: "branch" }, clipped(node.text, 31)),
    svg("text", { x: 10, y: 33, class: "said" }, said),
    svg("text", { x: CARD.width - 10, y: 33, class: "n", "text-anchor": "end" }, `n = ${count(node.n)}`),
    stackedBar(node.probabilities, 10, 40, CARD.width - 20, 5));
  if (isInner) card.append(drawToggle(state.isOpen(node), node));
  return card;
}

function drawToggle(isOpen, node) {
  return svg("g", { class: "toggle", transform: `translate(${CARD.width},${CARD.height / 2})`, "data-toggle": node.id },
    svg("circle", { r: 9 }),
    svg("path", { d: isOpen ? "M-4,0H4" : "M-4,0H4M0,-4V4" }));
}
