// The nearest other prediction: the leaf of another class that asks for the fewest changed columns.

import { answer, branchOf } from "./answering.js";
import { numberText } from "../parts/moments.js";
import { predictionOf, pathTo } from "./model.js";

/** What the way to a leaf asks of each column: tests, and the branches to take. */
function demandsOf(leaf) {
  const demands = new Map();
  for (const node of pathTo(leaf).slice(1)) {
    const { test } = node.parent;
    if (!demands.has(test.column)) demands.set(test.column, []);
    demands.get(test.column).push({ test, branch: node.branch });
  }
  return demands;
}

const meets = (column, value, asked) => asked.every(({ test, branch }) => branchOf(test, column, value) === branch);

/** The nearest value that meets what is asked of a column; undefined where none does. */
function valueFor(column, now, asked) {
  const values = column.kind === "number" ? numbersNear(now, asked) : column.categories.map((_, code) => code);
  const known = values.find((value) => meets(column, value, asked));
  if (known !== undefined) return known;
  return meets(column, null, asked) ? null : undefined;
}

/** Numbers to try: the lowest that is not below any bound, then the highest that is. */
function numbersNear(now, asked) {
  const bounds = asked.filter(({ test }) => test.sign === "<");
  const lower = Math.max(...bounds.filter(({ branch }) => branch === 1).map(({ test }) => test.value));
  const upper = Math.min(...bounds.filter(({ branch }) => branch === 0).map(({ test }) => test.value));
  const below = upper - Math.max(1e-9, Math.abs(upper) * 1e-9);
  const isHigh = now !== null && now >= upper;
  return [...(isHigh ? [below, lower] : [lower, below]), 0].filter(Number.isFinite);
}

/** The changes that lead to a leaf; null where no row can meet its tests. */
function changesTo(model, row, leaf) {
  const changes = [];
  for (const [place, asked] of demandsOf(leaf)) {
    const column = model.columns[place];
    if (meets(column, row[place], asked)) continue;
    const value = valueFor(column, row[place], asked);
    if (value === undefined) return null;
    changes.push({ column, value, asked });
  }
  return changes;
}

/** The leaf, the changes and the answer after them; null where every leaf says the same. */
export function nearestOther(model, row, prediction) {
  const others = model.leaves.filter((leaf) => leaf.prediction !== prediction);
  const found = others.map((leaf) => ({ leaf, changes: changesTo(model, row, leaf) })).filter(({ changes }) => changes !== null);
  found.sort((one, other) => one.changes.length - other.changes.length || other.leaf.n - one.leaf.n);
  for (const { leaf, changes } of found) {
    const changed = [...row];
    changes.forEach(({ column, value }) => { changed[column.place] = value; });
    const after = answer(model, changed);
    if (predictionOf(model, after.probabilities) !== prediction) return { leaf, changes, after };
  }
  return null;
}

/** What is asked of a column, in words. */
export function wordsOf(column, asked) {
  if (column.kind !== "nominal") return boundsOf(column, asked);
  const fits = column.categories.filter((_, code) => meets(column, code, asked));
  if (fits.length === 0) return `${column.name} missing`;
  const shown = fits.slice(0, 4).join(", ") + (fits.length > 4 ? `, or one of ${fits.length - 4} others` : "");
  return fits.length === 1 ? `${column.name} = ${shown}` : `${column.name} one of ${shown}`;
}

function boundsOf(column, asked) {
  const bounds = asked.filter(({ test }) => test.sign === "<");
  if (bounds.length === 0) return meets(column, null, asked) ? `${column.name} missing` : `${column.name} known`;
  const name = (value) => (column.kind === "number" ? numberText(column, value) : column.categories[Math.ceil(value)]);
  const lower = Math.max(...bounds.filter(({ branch }) => branch === 1).map(({ test }) => test.value));
  const upper = Math.min(...bounds.filter(({ branch }) => branch === 0).map(({ test }) => test.value));
  if (!Number.isFinite(lower)) return `${column.name} < ${name(upper)}`;
  return Number.isFinite(upper) ? `${name(lower)} ≤ ${column.name} < ${name(upper)}` : `${column.name} ≥ ${name(lower)}`;
}
