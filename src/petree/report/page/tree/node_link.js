// The tree as cards joined by lines, from left to right; a line is as thick as the share of the cases on it.

import { hierarchy, tree as layout } from "d3-hierarchy";
import { stackedBar } from "../parts/bars.js";
import { svg } from "../parts/dom.js";
import { clipped, count, share } from "../parts/words.js";

const CARD = { height: 54, gapX: 46, gapY: 10, narrowest: 176, widest: 290 };
const LETTER = 7.6;

/** Draws into a group; returns the box of what is drawn, and where each node stands. */
export function drawNodeLink(state, group) {
  const root = hierarchy(state.root, (node) => (state.isOpen(node) ? node.children : null));
  layout().nodeSize([CARD.height + CARD.gapY, 1]).separation(() => 1)(root);
  const levels = levelsOf(root);
  const placed = root.descendants().map((place) => ({ node: place.data, parent: place.parent, ...levels[place.depth], y: place.x, entry: place }));
  const byEntry = new Map(placed.map((place) => [place.entry, place]));
  const links = placed.filter((place) => place.parent !== null).map((place) => drawLink(byEntry.get(place.parent), place, state.model.nodes[0].n));
  group.replaceChildren(svg("g", { class: "links" }, links), ...placed.map((place) => drawCard(state, place)));
  return { box: boxOf(placed), places: new Map(placed.map((place) => [place.node.id, { x: place.x, y: place.y }])) };
}

/** Where the cards of each level begin, and how wide they are: as the longest of their texts asks for, within bounds. */
function levelsOf(root) {
  const longest = new Array(root.height + 1).fill(0);
  root.each((place) => { longest[place.depth] = Math.max(longest[place.depth], place.data.text.length); });
  let x = 0;
  return longest.map((letters) => {
    const level = { x, width: Math.min(CARD.widest, Math.max(CARD.narrowest, 24 + LETTER * letters)) };
    x += level.width + CARD.gapX;
    return level;
  });
}

function boxOf(placed) {
  const ys = placed.map((place) => place.y);
  const top = Math.min(...ys) - CARD.height / 2;
  const right = Math.max(...placed.map((place) => place.x + place.width)) + 24;
  return { x: 0, y: top, width: right, height: Math.max(...ys) + CARD.height / 2 - top };
}

function drawLink(source, target, total) {
  const from = source.x + source.width;
  const middle = (from + target.x) / 2;
  const d = `M${from},${source.y}C${middle},${source.y} ${middle},${target.y} ${target.x},${target.y}`;
  const thickness = Math.max(1, 12 * (target.node.n / total));
  return svg("path", { d, "stroke-width": thickness.toFixed(1), "data-to": target.node.id });
}

function drawCard(state, { x, y, width, node }) {
  const prediction = state.model.classes[node.prediction];
  const said = `${clipped(prediction, Math.floor(width / 14))} ${share(node.probabilities[node.prediction])}`;
  const isInner = node.test !== null;
  const card = svg("g", { transform: `translate(${x},${y - CARD.height / 2})`, "data-node": node.id, class: isInner ? "card inner" : "card leaf" },
    svg("rect", { class: "back", width, height: CARD.height, rx: 8 }),
    svg("text", { x: 10, y: 18, class: "branch" }, clipped(node.text, Math.floor((width - 18) / LETTER))),
    svg("text", { x: 10, y: 35, class: "said" }, said),
    svg("text", { x: width - 14, y: 35, class: "n", "text-anchor": "end" }, `n = ${count(node.n)}`),
    stackedBar(node.probabilities, 10, 42, width - 20, 5));
  if (isInner) card.append(drawToggle(state.isOpen(node), node, width));
  return card;
}

function drawToggle(isOpen, node, width) {
  return svg("g", { class: "toggle", transform: `translate(${width},${CARD.height / 2})`, "data-toggle": node.id },
    svg("circle", { r: 9 }),
    svg("path", { d: isOpen ? "M-4,0H4" : "M-4,0H4M0,-4V4" }));
}
