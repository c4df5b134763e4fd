// Tables that people sort by a click on a heading.

import { html } from "./dom.js";

const MOST_SHOWN = 400;

/**
 * A table of records. A column has a `title`, a `value` to sort by, a `cell` that draws it (or its text), and `isNumber`.
 * Options: `pick` is called with the record of a row that was chosen; `sort` is the column to begin with.
 */
export function sortedTable(label, columns, records, { pick = null, sort = null, falling = true } = {}) {
  const body = html("tbody");
  const note = html("p", { class: "quiet", "aria-live": "polite" });
  const order = { column: sort, falling };
  let shown = records;
  const heads = columns.map((column, place) =>
    html("th", { scope: "col", class: column.isNumber ? "right" : "" },
      html("button", { type: "button", class: "sort", click: () => sortBy(place) }, column.title)));

  function sortBy(place) {
    order.falling = order.column === place ? !order.falling : Boolean(columns[place].isNumber);
    order.column = place;
    draw();
  }

  function ordered() {
    if (order.column === null) return shown;
    const { value } = columns[order.column];
    const sign = order.falling ? -1 : 1;
    return [...shown].sort((one, other) => sign * compare(value(one), value(other)));
  }

  function draw() {
    const rows = ordered().slice(0, MOST_SHOWN);
    body.replaceChildren(...rows.map((record) => line(columns, record, pick)));
    heads.forEach((head, place) => {
      if (order.column === place) head.setAttribute("aria-sort", order.falling ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    note.textContent = shown.length > rows.length ? `The first ${rows.length} of ${shown.length}; filter or sort to see others.` : "";
  }

  draw();
  const table = html("table", { class: "records" }, html("caption", { class: "unseen" }, label), html("thead", {}, html("tr", {}, heads)), body);
  const scroller = html("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": label }, table);
  return {
    element: html("div", {}, scroller, note),
    filter(keep) {
      shown = records.filter(keep);
      draw();
      return shown.length;
    },
  };
}

function compare(one, other) {
  return typeof one === "number" ? one - other : String(one).localeCompare(String(other));
}

function line(columns, record, pick) {
  const cells = columns.map((column, place) => {
    const drawn = column.cell ? column.cell(record) : String(column.value(record));
    const inside = pick && place === 0 ? html("button", { type: "button", class: "link", click: () => pick(record) }, drawn) : drawn;
    return html("td", { class: column.isNumber ? "right" : "", "data-title": column.title }, inside);
  });
  return html("tr", {}, cells);
}
