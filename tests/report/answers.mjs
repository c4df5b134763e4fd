// Reads what a page holds from standard input, and writes what the page's modules say of each of its rows.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const load = (name) => import(pathToFileURL(join(process.argv[2], `${name}.js`)));
const { readModel, predictionOf } = await load("model");
const { answer } = await load("answering");
const { contributions } = await load("shapley");
const { nearestOther, wordsOf } = await load("nearest");
const { conditionOf } = await load("sql");

const content = JSON.parse(readFileSync(0, "utf8"));
const model = readModel(content);
const rows = content.rows.answers.map((_, place) => content.rows.columns.map((column) => column[place]));

const told = rows.map((row) => {
  const { probabilities, lower, upper, leaf } = answer(model, row);
  const { base, values } = contributions(model, row);
  const other = nearestOther(model, row, predictionOf(model, probabilities));
  return {
    probabilities, lower, upper,
    leaf: leaf.id,
    prediction: predictionOf(model, probabilities),
    base,
    parts: model.columns.map((column) => values.get(column.place) || base.map(() => 0)),
    changes: other && other.changes.map(({ column, value }) => [column.place, value]),
    words: other && other.changes.map(({ column, asked }) => wordsOf(column, asked)),
    after: other && other.after.probabilities,
  };
});
const conditions = Object.fromEntries(model.leaves.map((leaf) => [leaf.id, conditionOf(model, leaf)]));
process.stdout.write(JSON.stringify({ rows: told, conditions }));
