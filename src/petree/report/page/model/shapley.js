// What each column contributes to the answer for a row: Shapley values of the game in which a column that is not
// known sends the row every way, in proportion to the training weight of the branches, as prediction does.

import { branchOf } from "./answering.js";

/** For each tested column what it adds to the probabilities, with `base`, the answer of which nothing is known. */
export function contributions(model, row) {
  const values = new Map();
  const base = new Array(model.classes.length).fill(0);
  descend(model, row, model.nodes[0], new Map(), (leaf, factors) => {
    const unknown = product(Array.from(factors.values(), ({ without }) => without));
    leaf.probabilities.forEach((value, place) => { base[place] += unknown * value; });
    for (const [column, part] of partsOf(factors)) {
      if (!values.has(column)) values.set(column, new Array(base.length).fill(0));
      leaf.probabilities.forEach((value, place) => { values.get(column)[place] += part * value; });
    }
  });
  return { base, values };
}

/** Calls back at each leaf with, for every column on the way, how much passes with and without its value. */
function descend(model, row, node, factors, call) {
  if (node.test === null) {
    call(node, factors);
    return;
  }
  const { column } = node.test;
  const taken = branchOf(node.test, model.columns[column], row[column]);
  const before = factors.get(column) || { within: 1, without: 1 };
  for (const child of node.children) {
    const own = taken === null ? child.share : Number(child.branch === taken);
    const after = { within: before.within * own, without: before.without * child.share };
    if (after.within > 0 || after.without > 0) descend(model, row, child, new Map(factors).set(column, after), call);
  }
}

/** The Shapley values of the columns in the game that multiplies their factors. */
function partsOf(factors) {
  const entries = Array.from(factors);
  const weights = weightsOf(entries.length);
  return entries.map(([column, { within, without }], own) => {
    const others = entries.filter((_, place) => place !== own).map(([, factor]) => factor);
    const passing = coefficients(others);
    const mean = passing.reduce((total, value, size) => total + value * weights[size], 0);
    return [column, (within - without) * mean];
  });
}

/** How much passes in all coalitions of each size together. */
function coefficients(factors) {
  let found = [1];
  for (const { within, without } of factors) {
    const longer = new Array(found.length + 1).fill(0);
    found.forEach((value, size) => {
      longer[size] += value * without;
      longer[size + 1] += value * within;
    });
    found = longer;
  }
  return found;
}

/** The weight of a coalition of each size among so many players: size! (n - size - 1)! / n!. */
function weightsOf(n) {
  const weights = [1 / n];
  for (let size = 1; size < n; size += 1) weights.push((weights[size - 1] * size) / (n - size));
  return weights;
}

function product(values) {
  return values.reduce((total, value) => total * value, 1);
}
