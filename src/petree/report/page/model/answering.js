// The answer for a row, by the rules of docs/model-files.md. A row has one value a column: a number or the code of a
// category, null where it is missing, UNKNOWN for a category that was never seen.

import { moved, sum } from "./model.js";

export const UNKNOWN = -1;

/** The branch that a value takes, or null where it is stuck. */
export function branchOf(test, column, value) {
  if (test.sign === "missing") return value === null ? 0 : 1;
  if (value === null) return test.missing;
  if (column.kind !== "number" && value === UNKNOWN) return null;
  if (test.sign === "each") return value;
  if (test.sign === "<") return value < test.value ? 0 : 1;
  if (test.sign === "=") return value === test.value ? 0 : 1;
  return test.value.includes(value) ? 0 : 1;
}

function takenBy(model, node, row) {
  return branchOf(node.test, model.columns[node.test.column], row[node.test.column]);
}

/** How much of a row ends at each node, under the rule of a voice. */
export function endsOf(model, row, voice) {
  const factor = voice.factor || 0;
  const doubt = voice.doubt || 0;
  const least = voice.least_weight || 0;
  const mass = new Float64Array(model.nodes.length);
  const ends = new Float64Array(model.nodes.length);
  mass[0] = 1;
  for (const node of model.nodes) {
    if (mass[node.id] === 0) continue;
    if (node.test === null) {
      ends[node.id] += mass[node.id];
      continue;
    }
    const taken = takenBy(model, node, row);
    for (const child of node.children) {
      const own = taken === null ? child.share : Number(child.branch === taken);
      const say = mass[node.id] * ((factor + (1 - factor) * own) * (1 - doubt) + doubt * child.share);
      (child.branch === taken || say >= least ? mass : ends)[child.id] += say;
    }
  }
  return ends;
}

/** Means of numbers of nodes, by what ends at each. */
function meanOf(ends, values, width) {
  const means = new Array(width).fill(0);
  ends.forEach((end, id) => {
    if (end > 0) values[id].forEach((value, place) => { means[place] += end * value; });
  });
  const total = sum(Array.from(ends));
  return means.map((mean) => mean / total);
}

/** Probabilities, their interval, the leaf that says most, and the steps to it. */
export function answer(model, row) {
  const width = model.classes.length;
  const heard = model.voices.map((voice) => meanOf(endsOf(model, row, voice), voice.probabilities, width));
  const mixed = heard[0].map((_, place) => sum(model.voices.map((voice, which) => voice.weight * heard[which][place])));
  const probabilities = moved(mixed, model.factors);
  const ends = endsOf(model, row, { rule: "leaf" });
  const isByRow = model.voices.some((voice) => voice.rule !== "leaf");
  const isWidened = isByRow || model.factors !== null;
  const lower = meanOf(ends, model.nodes.map((node) => node.lower), width);
  const upper = meanOf(ends, model.nodes.map((node) => node.upper), width);
  const leaf = model.nodes[ends.indexOf(Math.max(...ends))];
  return {
    probabilities,
    lower: isWidened ? lower.map((value, place) => Math.min(value, probabilities[place])) : lower,
    upper: isWidened ? upper.map((value, place) => Math.max(value, probabilities[place])) : upper,
    leaf,
    nLeaves: ends.reduce((total, end) => total + (end > 0), 0),
    isByRow,
    isStuck: (node) => node.test !== null && takenBy(model, node, row) === null,
  };
}
