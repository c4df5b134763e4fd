// The way to a leaf as a condition in SQL.

import { quantityText } from "../parts/moments.js";
import { pathTo } from "./model.js";

const named = (name) => `"${name.replaceAll('"', '""')}"`;

function literal(value) {
  if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
  return typeof value === "boolean" ? String(value).toUpperCase() : String(value);
}

/** The condition of a leaf, one test on a line. */
export function conditionOf(model, leaf) {
  const tests = pathTo(leaf).slice(1).map((node) => clauseOf(model, node.parent.test, node.branch));
  return tests.length ? tests.join("\n  AND ") : "TRUE";
}

function clauseOf(model, test, branch) {
  const column = model.columns[test.column];
  const name = named(column.rawName);
  if (test.sign === "missing") return `${name} IS ${branch === 0 ? "" : "NOT "}NULL`;
  if (test.sign === "each" && branch === column.categories.length) return `${name} IS NULL`;
  const clause = `${name} ${comparison(column, test, branch)}`;
  return test.missing === branch && test.sign !== "each" ? `(${clause} OR ${name} IS NULL)` : clause;
}

function comparison(column, test, branch) {
  if (test.sign === "<" && column.kind === "number") return `${branch === 0 ? "<" : ">="} ${boundOf(column, test.value)}`;
  const categories = column.rawCategories.filter((_, code) => (test.sign === "each" ? code === branch : holds(test, code) === (branch === 0)));
  return categories.length === 1 ? `= ${literal(categories[0])}` : `IN (${categories.map(literal).join(", ")})`;
}

/** A threshold as the column holds it: a number, or the text of a moment. */
function boundOf(column, value) {
  return column.quantity === "" ? String(value) : literal(quantityText(column.quantity, value));
}

function holds(test, code) {
  if (test.sign === "<") return code < test.value;
  return test.sign === "=" ? code === test.value : test.value.includes(code);
}
