// The section in which examples of related tables are explained: their path, and the rows that made its tests hold.

import { pathTo } from "../model/model.js";
import { html, section } from "../parts/dom.js";
import { answerOf, wholeOf } from "./answer_panel.js";
import { rowPicker } from "./picker.js";

const TITLE = "Explain an example";
const LEAD = "Pick an example by its key; its path through the tree follows, and the rows that made the tests on it hold. The path is marked in the tree above.";
const NO_DATA = "The tests of this tree are questions about related tables, so that a row cannot be filled in here. Make the report again with a database to see its examples: petree report --database, or make_report with their keys.";

/** The section, and `begin`; `show(leaf)` is called with one that shall be seen in the tree. */
export function exampleSection(state, { examples, options }, show) {
  if (examples === null) return { element: section("explain", TITLE, NO_DATA), begin() {} };
  const { model } = state;
  const panel = html("div", { class: "panel answer", "aria-live": "polite" });
  const rows = html("div", { class: "panel witnesses" });
  const picker = rowPicker(model, examples, examples.names, (place) => {
    const leaf = model.nodes[examples.leaves[place]];
    const truth = examples.truth === null ? null : examples.truth[place];
    const seen = html("button", { type: "button", click: () => show(leaf) }, "Show the leaf in the tree");
    panel.replaceChildren(...answerOf(model, leaf, { whole: wholeOf(examples, place), truth, isSummary: options !== null }), html("p", { class: "buttons" }, seen));
    rows.replaceChildren(...witnesses(examples.heads[leaf.id], examples.rows[place]));
    panel.dataset.probabilities = JSON.stringify(leaf.probabilities);
    state.showPath(pathTo(leaf));
  });
  const left = html("div", { class: "panels" }, html("div", { class: "panel" }, picker.element), rows);
  return { element: section("explain", TITLE, LEAD, html("div", { class: "beside even" }, left, panel)), begin: picker.begin };
}

/** The row of the example itself, and one of each table in which a test found some. */
function witnesses(heads, rows) {
  const tables = heads.map(([name, columns], place) => html("table", { class: "small witness" },
    html("caption", {}, html("strong", {}, name)),
    html("tbody", {}, columns.map((column, at) => html("tr", {}, html("th", { scope: "row" }, column), html("td", {}, rows[place][at]))))));
  const note = heads.length > 1 ? "The first rows that make the tests hold." : "No other rows are behind this answer: its tests ask for values of the example, or for rows that are not there.";
  return [html("h3", {}, "The rows behind the answer"), html("p", { class: "quiet" }, note), ...tables];
}
