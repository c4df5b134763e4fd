// Rows of the data to pick: in their order, or the most surprising ones first.

import { choice, html, labelled } from "../parts/dom.js";
import { count, share } from "../parts/words.js";

const ORDERS = ["as they stand", "most surprising first"];

/** A choice of rows, each under its name; `pick(place)` is called with the chosen one. */
export function rowPicker(model, rows, names, pick) {
  const nRows = rows.answers.length;
  const given = Array.from({ length: nRows }, (_, place) => place);
  let order = given;
  const select = html("select", { id: "row", change: () => pick(order[select.selectedIndex]) });

  function sort(byOrder) {
    order = byOrder === 0 ? given : [...given].sort((one, other) => truthOf(rows, one) - truthOf(rows, other));
    select.replaceChildren(...order.map((place) => html("option", {}, describe(model, rows, names[place], place))));
    pick(order[0]);
  }

  const step = (by) => () => {
    select.selectedIndex = Math.min(nRows - 1, Math.max(0, select.selectedIndex + by));
    pick(order[select.selectedIndex]);
  };
  const controls = [
    labelled("Row", select),
    html("div", { class: "group" },
      html("button", { type: "button", click: step(-1), "aria-label": "The row before" }, "◀"),
      html("button", { type: "button", click: step(1), "aria-label": "The next row" }, "▶")),
  ];
  if (rows.truth !== null) controls.push(labelled("Order", choice(ORDERS, 0, sort)));
  const note = rows.n > nRows ? html("p", { class: "quiet" }, `The first ${count(nRows)} of ${count(rows.n)} rows can be picked.`) : null;
  return { element: html("div", { class: "picker" }, controls, note), begin: () => sort(0) };
}

const truthOf = (rows, place) => rows.answers[place][rows.truth[place]];

function describe(model, rows, name, place) {
  if (rows.truth === null) return name;
  return `${name}: ${model.classes[rows.truth[place]]}, given ${share(truthOf(rows, place))}`;
}
