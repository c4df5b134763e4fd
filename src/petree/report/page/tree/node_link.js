// The tree as cards joined by lines, from left to right; a line is as thick as the share of the cases on it.

import { hierarchy, tree as layout } from "d3-hierarchy";
import { stackedBar } from "../parts/bars.js";
import { svg } from "../parts/dom.js";
import { fitted, linesOf, widthOf } from "../parts/measure.js";
import { count, share } from "../parts/words.js";

const CARD = { gapY: 10, narrowest: 150, widest: 290, edge: 10 };
// Between levels, and the widest card as a part of the drawing: on a phone a node and its children fit side by side.
const GAP = { wide: 40, narrow: 24 };
const NARROW = 600;
const WIDEST_PART = 0.58;
const FONTS = { branch: "600 13px", said: "400 12px" };
// Of a card: a line of its text, and what stands below the text.
const LINE = 16;
const FOOT = 38;

/** Draws into a group; returns the box of what is drawn, and where each node stands. */
export function drawNodeLink(state, group, width) {
  const root = hierarchy(state.root, (node) => (state.isOpen(node) ? node.children : null));
  const levels = levelsOf(state.model, root, width);
  const cards = new Map(root.descendants().map((entry) => [entry, cardOf(entry, levels[entry.depth])]));
  const tallest = Math.max(...Array.from(cards.values(), ({ height }) => height));
  layout().nodeSize([tallest + CARD.gapY, 1]).separation(() => 1)(root);
  cards.forEach((card, entry) => { card.y = entry.x; });
  const links = root.descendants().slice(1).map((entry) => drawLink(cards.get(entry.parent), cards.get(entry), state.model.nodes[0].n));
  const placed = [...cards.values()];
  group.replaceChildren(svg("g", { class: "links" }, links), ...placed.map((card) => drawCard(state, card)));
  return { box: boxOf(placed), places: new Map(placed.map(({ node, x, y }) => [node.id, { x, y }])) };
}

/** Where the cards of each level begin, and how wide they are: as the longest of their texts asks for, but at most this wide. */
function levelsOf(model, root, room) {
  const most = Math.max(CARD.narrowest, Math.min(CARD.widest, WIDEST_PART * room));
  const gap = room < NARROW ? GAP.narrow : GAP.wide;
  const widest = new Array(root.height + 1).fill(0);
  root.each(({ depth, data: node }) => {
    const { name, p, n } = saidOf(model, node);
    const foot = widthOf(`${name}${p}`, FONTS.said) + widthOf(n, FONTS.said) + 2 * CARD.edge;
    widest[depth] = Math.max(widest[depth], widthOf(node.text, FONTS.branch), foot);
  });
  let x = 0;
  return widest.map((asked) => {
    const level = { x, width: Math.ceil(Math.min(most, Math.max(CARD.narrowest, asked + 2 * CARD.edge + 4))) };
    x += level.width + gap;
    return level;
  });
}

function cardOf({ data: node }, level) {
  const lines = linesOf(node.text, level.width - 2 * CARD.edge, FONTS.branch);
  return { node, lines, height: FOOT + LINE * lines.length, ...level };
}

/** What is predicted at a node, its probability, and the number of cases. */
function saidOf(model, node) {
  return { name: model.classes[node.prediction], p: ` ${share(node.probabilities[node.prediction])}`, n: `n = ${count(node.n)}` };
}

function boxOf(placed) {
  const top = Math.min(...placed.map(({ y, height }) => y - height / 2));
  const bottom = Math.max(...placed.map(({ y, height }) => y + height / 2));
  const right = Math.max(...placed.map(({ x, width }) => x + width)) + 24;
  return { x: 0, y: top, width: right, height: bottom - top };
}

function drawLink(source, target, total) {
  const from = source.x + source.width;
  const middle = (from + target.x) / 2;
  const d = `M${from},${source.y}C${middle},${source.y} ${middle},${target.y} ${target.x},${target.y}`;
  const thickness = Math.max(1, 12 * (target.node.n / total));
  return svg("path", { d, "stroke-width": thickness.toFixed(1), "data-to": target.node.id });
}

function drawCard(state, { x, y, width, height, lines, node }) {
  const { name, p, n } = saidOf(state.model, node);
  const room = width - 3 * CARD.edge - widthOf(n, FONTS.said) - widthOf(p, FONTS.said);
  const isInner = node.test !== null;
  const card = svg("g", { transform: `translate(${x},${y - height / 2})`, "data-node": node.id, class: isInner ? "card inner" : "card leaf" },
    svg("rect", { class: "back", width, height, rx: 8 }),
    lines.map((line, place) => svg("text", { x: CARD.edge, y: 18 + LINE * place, class: "branch" }, line)),
    svg("text", { x: CARD.edge, y: height - 19, class: "said" }, fitted(name, room, FONTS.said) + p),
    svg("text", { x: width - CARD.edge - (isInner ? 4 : 0), y: height - 19, class: "n", "text-anchor": "end" }, n),
    stackedBar(node.probabilities, CARD.edge, height - 12, width - 2 * CARD.edge, 5));
  if (isInner) card.append(drawToggle(state.isOpen(node), node, width, height));
  return card;
}

function drawToggle(isOpen, node, width, height) {
  return svg("g", { class: "toggle", transform: `translate(${width},${height / 2})`, "data-toggle": node.id },
    svg("circle", { r: 9 }),
    svg("path", { d: isOpen ? "M-4,0H4" : "M-4,0H4M0,-4V4" }));
}
