// A row to fill in: one field for each column that the tree tests.

import { UNKNOWN } from "../model/answering.js";
import { html, labelled } from "../parts/dom.js";

const MISSING = "(missing)";
const OTHER = "(another value)";

const NUMBER = { type: "number", step: "any", placeholder: MISSING, inputmode: "decimal" };
const MOMENT = { type: "datetime-local", step: "1", class: "moment" };
const DATE = { attributes: MOMENT, scale: 1000, write: (value) => textOf(value).slice(0, -1) };
// How the numbers of each quantity are asked for: dates and times in milliseconds, durations in seconds.
const FIELDS = {
  "": { attributes: NUMBER, scale: 1, write: String },
  date: DATE,
  "zoned date": DATE,
  time: { attributes: { type: "time", step: "1" }, scale: 1000, write: (value) => textOf(value).slice(11, -1) },
  duration: { attributes: NUMBER, scale: 1e6, write: (value) => String(value / 1e6) },
};
const UNITS = { duration: " (seconds)", "zoned date": " (UTC)" };

/** A moment in ISO form, with milliseconds if it has any. */
function textOf(value) {
  return new Date(value / 1000).toISOString().replace(".000", "");
}

/** Fields for these columns; `change(row)` is called with every row, and `set(row)` fills one in. */
export function rowForm(model, columns, change) {
  const row = new Array(model.columns.length).fill(null);
  const fields = columns.map((column) => (column.kind === "number" ? numberField(column) : categoryField(column)));
  const tell = () => change([...row]);

  function numberField(column) {
    const { attributes, scale, write } = FIELDS[column.quantity];
    const input = html("input", {
      ...attributes,
      input(event) {
        const { valueAsNumber } = event.target;
        row[column.place] = Number.isNaN(valueAsNumber) ? null : scale * valueAsNumber;
        tell();
      },
    });
    return { column, input, put: (value) => { input.value = value === null ? "" : write(value); } };
  }

  function categoryField(column) {
    const options = [MISSING, ...column.categories, OTHER];
    const input = html("select", {
      change(event) {
        const place = event.target.selectedIndex;
        row[column.place] = place === 0 ? null : place === options.length - 1 ? UNKNOWN : place - 1;
        tell();
      },
    }, options.map((text) => html("option", {}, text)));
    const put = (value) => { input.selectedIndex = value === null ? 0 : value === UNKNOWN ? options.length - 1 : value + 1; };
    return { column, input, put };
  }

  const element = html("form", { class: "row-form", submit: (event) => event.preventDefault() },
    fields.map(({ column, input }) => labelled(column.name + (UNITS[column.quantity] || ""), input)));
  return {
    element,
    set(values) {
      values.forEach((value, place) => { row[place] = value; });
      fields.forEach(({ column, put }) => put(row[column.place]));
      tell();
    },
  };
}
