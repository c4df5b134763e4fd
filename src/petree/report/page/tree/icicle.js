// The tree as an icicle: each node a box as wide as its share of the cases, below its parent.

import { hierarchy, partition } from "d3-hierarchy";
import { colourOfNode } from "../parts/colours.js";
import { svg } from "../parts/dom.js";
import { fitted } from "../parts/measure.js";
import { share } from "../parts/words.js";

const ROW = 40;
const EDGE = 6;
// The narrowest room in which the beginning of a text says anything.
const LEAST_ROOM = 26;

/** Draws into a group; returns the box of what is drawn, and where each node stands. */
export function drawIcicle(state, group, width) {
  const root = hierarchy(state.root, (node) => (state.isOpen(node) ? node.children : null));
  root.each((place) => { place.value = place.data.n; });
  const height = (root.height + 1) * ROW;
  partition().size([width, height])(root);
  const placed = root.descendants().filter((place) => place.x1 - place.x0 > 0.4);
  group.replaceChildren(...placed.map((place) => drawBox(state, place)));
  return { box: { x: 0, y: 0, width, height }, places: new Map(placed.map((place) => [place.data.id, { x: place.x0, y: place.y0 }])) };
}

function drawBox({ model, isOpen }, { x0, x1, y0, y1, data: node }) {
  const width = x1 - x0;
  const probability = node.probabilities[node.prediction];
  const room = width - 2 * EDGE;
  const isClosed = node.test !== null && !isOpen(node);
  const fill = colourOfNode(node.prediction, probability, model.classes.length);
  const said = `${model.classes[node.prediction]} ${share(probability)}${isClosed ? " …" : ""}`;
  return svg("g", { transform: `translate(${x0},${y0})`, "data-node": node.id, class: "box" },
    svg("rect", { class: "back", width: Math.max(0.5, width - (width > 3 ? 1 : 0)), height: y1 - y0 - 1, style: `fill:${fill}` }),
    room > LEAST_ROOM ? svg("text", { x: EDGE, y: 16, class: "branch" }, fitted(node.text, room, "600 12px")) : null,
    room > LEAST_ROOM ? svg("text", { x: EDGE, y: 31, class: "n" }, fitted(said, room, "400 12px")) : null);
}
