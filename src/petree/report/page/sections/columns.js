// The columns: how much they matter, and what stands in them.

import { colourOf } from "../parts/colours.js";
import { html, section } from "../parts/dom.js";
import { quantityText } from "../parts/moments.js";
import { sortedTable } from "../parts/table.js";
import { count, number, percent } from "../parts/words.js";

const LEAD = "The importance of a column is its share in what all tests of the model gain.";

/** The section of columns; null for related tables. */
export function columnsSection(model, content) {
  if (content.columns === null) return null;
  const records = content.columns.map((column, place) => ({ ...column, name: model.columns[place].name, quantity: model.columns[place].quantity }));
  const hasValues = records.some(({ values }) => values !== null);
  const most = Math.max(1e-9, ...records.map(({ importance }) => importance));
  const columns = [
    { title: "Column", value: ({ name }) => name },
    {
      title: "Importance", isNumber: true, value: ({ importance }) => importance,
      cell: ({ importance }) => html("span", { class: "with-bar end" },
        html("span", { class: "interval" }, html("span", { class: "filled", style: `width:${(100 * importance) / most}%;background:${colourOf(0)}` })), percent(importance)),
    },
    { title: "Tests", isNumber: true, value: ({ n_tests: n }) => n, cell: ({ n_tests: n }) => count(n) },
    { title: "Kind", value: ({ kind }) => kind, cell: ({ kind, quantity, n_categories: n }) => (kind === "number" || n === 0 ? quantity || kind : `${kind}, ${count(n)} values`) },
  ];
  if (hasValues) columns.push(
    { title: "Missing", isNumber: true, value: ({ values }) => (values === null ? -1 : values.n_missing), cell: ({ values }) => (values === null ? "" : percent(values.n_missing / values.n)) },
    { title: "Values", value: ({ name }) => name, cell: ({ values }) => valuesCell(values) });
  const table = sortedTable("All columns of the model", columns, records, { sort: 1 });
  return section("columns", "Columns", LEAD, table.element);
}

function valuesCell(values) {
  if (values === null) return html("span", { class: "quiet" }, "not looked at by the tree");
  const unknown = values.n_unknown ? `; ${count(values.n_unknown)} never seen in training` : "";
  if (values.counts) return values.counts.map(([name, n]) => `${name} ${percent(n / values.n)}`).join(", ") + unknown;
  if (!values.quantiles) return "no values";
  const [least, , median, , most] = values.quantiles.map((value) => (values.quantity === "" ? number(value) : quantityText(values.quantity, value)));
  const tallest = Math.max(...values.bars);
  const bars = values.bars.map((n) => html("span", { style: `height:${Math.max(n ? 6 : 0, (100 * n) / tallest)}%` }));
  return html("span", { class: "with-bar wrapping" }, html("span", { class: "spark", "aria-hidden": "true" }, bars), `${least} to ${most}, median ${median}`);
}
